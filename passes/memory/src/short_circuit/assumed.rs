//! What a proof takes to be so is asked when the program runs: that numbers are not so large that indices
//! which are computed of them wrap around.
//!
//! Where blocks of a table are told apart, `q · b + 1` is taken to be more than `b`, which is so unless the
//! product is more than 2⁶³. The sum of all terms is computed in floating point, which does not wrap around.
//!
//! Loops whose iterations are found to use different elements, given that, are marked, so that whoever
//! schedules them need not ask again.
//!
//! Cost: linear in the terms of the numbers; quadratic in the accesses of a loop that is marked.

use std::collections::{BTreeMap, BTreeSet};

use comb_kit::{
    pass_error::PassError,
    walk::{ancestors, is_there_before, operations},
};
use comb_lmad::{Polynomial, Symbol};
use comb_nest::elements::{
    accesses::{Access, Scope, accesses},
    layouts::layout,
    numbers::{Leaf, Numbers},
};
use melior::ir::{OperationRef, Value};
use nest_dialect::INDEPENDENT;
use soac_dialect::{
    builder::{Builder, FloatPredicate},
    cast::Parts,
    view::{argument_of, definition, op_name, set_attribute},
};

use super::aliases::{Aliases, base};

/// Sums that are found to be less than this are, even with what floating point rounds.
const LIMIT: f64 = (1_u64 << 61) as f64;

/// Makes sure that numbers are not large, given which values are known where that is asked.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn check<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    numbers: &Numbers<'c, 'a>,
    small: &[Polynomial],
    is_known: &dyn Fn(Value<'c, 'a>) -> bool,
) -> Result<(), PassError<'c>> {
    let float = |number: f64| builder.float(number, builder.f64_type());
    let mut terms: BTreeMap<Vec<Symbol>, f64> = BTreeMap::new();
    for (coefficient, factors) in small.iter().flat_map(Polynomial::terms) {
        *terms.entry(factors).or_default() += coefficient.unsigned_abs() as f64;
    }
    let symbols: BTreeSet<Symbol> = terms.keys().flatten().copied().collect();
    let (mut operands, mut magnitudes) = (vec![], BTreeMap::new());
    for symbol in symbols {
        let value = value(builder, numbers, symbol, is_known)?;
        operands.push(value);
        magnitudes.insert(symbol, magnitude(builder, value)?);
    }
    let mut sum = float(terms.remove(&vec![]).unwrap_or(0.0))?;
    for (factors, coefficient) in terms {
        let mut term = float(coefficient)?;
        for symbol in factors {
            term = builder.arithmetic("arith.mulf", &[term, magnitudes[&symbol]])?;
        }
        sum = builder.arithmetic("arith.addf", &[sum, term])?;
    }
    let is_small = builder.compare_floats(FloatPredicate::Olt, sum, float(LIMIT)?)?;
    let shown = vec!["{}"; operands.len()].join(", ");
    let message = format!(
        "a part of an array cannot be told from others, whose places are computed of numbers that are too large: {shown}"
    );
    let message = builder.string(&message);
    operands.insert(0, is_small);
    builder.op(
        "soac.check",
        &operands,
        &[],
        &[("message", message)],
        vec![],
    )?;
    Ok(())
}

/// A number that is known where some others are, and is no less than the one: an index of a loop is no
/// more than the loop's length.
pub(super) fn bound<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    is_known: &dyn Fn(Value<'c, 'a>) -> bool,
) -> Option<Value<'c, 'a>> {
    if is_known(value) {
        return Some(value);
    }
    let (r#loop, _) =
        argument_of(value).filter(|&(op, number)| op_name(op) == "nest.loop" && number == 0)?;
    bound(r#loop.operand_at(0)?, is_known)
}

/// Whether all that was assumed can be asked before an op.
fn are_known<'c: 'a, 'a>(numbers: &Numbers<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let small = numbers.assumptions.iter().flat_map(|all| &all.small);
    let mut values = small
        .flat_map(Polynomial::symbols)
        .map(|symbol| numbers.leaf(symbol).value());
    values.all(|value| bound(value, &|value| is_there_before(value, op)).is_some())
}

fn value<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    numbers: &Numbers<'c, 'a>,
    symbol: Symbol,
    is_known: &dyn Fn(Value<'c, 'a>) -> bool,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    Ok(match numbers.leaf(symbol) {
        Leaf::Value(value) | Leaf::Count(value) => bound(value, is_known).unwrap_or(value),
        Leaf::Size(memory, dimension) => builder.size_value(builder.size(memory, dimension)?)?,
    })
}

fn magnitude<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let number = builder.value("arith.index_cast", &[number], builder.integer_type(64), &[])?;
    let number = builder.value("arith.sitofp", &[number], builder.f64_type(), &[])?;
    Ok(builder.arithmetic("math.absf", &[number])?)
}

/// Marks the loops of a kernel whose iterations are found to use different elements, if that is to be
/// assumed.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn mark<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    aliases: &Aliases,
) -> Result<(), PassError<'c>> {
    let mut numbers = Numbers::at(kernel);
    numbers.learn_checks();
    numbers.assume_from(kernel);
    let loops = operations(kernel).into_iter();
    let loops = loops.filter(|&op| op_name(op) == "nest.loop");
    let independent: Vec<OperationRef> = loops
        .filter(|&op| {
            let before = numbers.assumptions.clone();
            let is_independent =
                is_independent(&mut numbers, op, aliases) && are_known(&numbers, kernel);
            if !is_independent {
                numbers.assumptions = before;
            }
            is_independent
        })
        .collect();
    let small = numbers.assumptions.take().map_or(vec![], |all| all.small);
    let Some(builder) = Builder::before(kernel).filter(|_| !small.is_empty()) else {
        return Ok(());
    };
    check(&builder, &numbers, &small, &|value| {
        is_there_before(value, kernel)
    })?;
    for op in independent {
        set_attribute(op, INDEPENDENT, builder.unit());
    }
    Ok(())
}

/// Whether what an op in a loop writes is used by another one at the same iteration only.
fn is_independent<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
    aliases: &Aliases,
) -> bool {
    let is_local = |access: &Access<'c, 'a>| {
        let owner = definition(base(access.name));
        owner.is_some_and(|owner| ancestors(owner).any(|around| around == r#loop))
    };
    let all: Vec<Access> = accesses(r#loop)
        .into_iter()
        .filter(|access| !is_local(access))
        .collect();
    let mut scope = Scope {
        numbers,
        op: r#loop,
    };
    let writes = all.iter().filter(|access| access.may_write());
    writes.clone().all(|write| {
        let others = all.iter().filter(|other| other.op != write.op);
        let mut others = others.filter(|other| aliases.may_be_same(other.name, write.name));
        others.all(|other| {
            let [memory, other_memory] =
                [write, other].map(|access| layout(scope.numbers, access.name).0);
            let [element, other_element] = [write, other].map(|access| scope.element(access));
            let all = scope.elements(write.op, &element);
            let all_others = scope.elements(other.op, &other_element);
            memory == other_memory
                && (scope.are_disjoint(memory, &all, &all_others)
                    || scope.differ_between_iterations(
                        memory,
                        (write.op, &element),
                        (other.op, &other_element),
                    ))
        })
    })
}
