//! `comb-define-affine`: what ops of the `affine` dialect compute, by ops of `arith` and `scf`.
//!
//! * `affine.apply`, `min`, `max`, `delinearize_index` and `linearize_index`, and bounds of loops, divide by
//!   numbers that must be positive. Upstream's lowering takes that for granted, and rounds up wrongly
//!   near the least integer. Here each divisor that is not known is checked, and quotients are rounded by
//!   what the remainder says.
//! * `affine.load` and `affine.store` are accesses of memory at such indices.
//! * `affine.for` becomes `scf.for`. Upstream's lowering folds it before, and then takes a loop longer than
//!   half of its type for one that never runs.
//!
//! Other loops and branches of the dialect are left to `lower-affine`, which runs once checks are there: it
//! simplifies. If they divide by what is no constant, they are refused.
//!
//! Cost: linear in the size of the program.

use comb_kit::{
    checks::{
        affine::{Expression, Operator, map},
        emit::Emit,
        facts::{Facts, constant},
        site::{Counts, Site},
    },
    pass_error::PassError,
    walk::operations,
};
use melior::{
    Error,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    view::{OpView, dialect},
};

/// Runs the pass on a module. With `unchecked`, divisors are taken to be positive.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>, unchecked: bool) -> Result<(), PassError<'c>> {
    // Inner loops first: an outer one that is rebuilt takes them along.
    let ops = operations(module).into_iter().rev();
    for op in ops.filter(|&op| dialect(op) == "affine") {
        let view = OpView::of(op);
        // What is known of a value must not be taken for known of another one at its place.
        let (mut facts, mut counts) = (Facts::new(unchecked), Counts::default());
        let Some(mut site) = Site::new(op, view.name, &mut facts, &mut counts) else {
            continue;
        };
        let values = match view.name {
            "affine.for" => Some(looped(&mut site, op, &view)?),
            "affine.load" => Some(accessed(&mut site, op, &view, 0)?),
            "affine.store" => Some(accessed(&mut site, op, &view, 1)?),
            _ => match computed(&mut site, op, &view)? {
                None if divides_by_values(&view) => {
                    let refused = "divides by a number that is not constant, which is not compiled";
                    return Err(site.error(refused));
                }
                values => values,
            },
        };
        if let Some(values) = values {
            site.builder.replace(op, &values);
        }
    }
    Ok(())
}

/// Whether a map or set of an op has a divisor that is no number.
fn divides_by_values(view: &OpView) -> bool {
    let texts =
        (0..view.attributes.len()).filter_map(|number| view.attributes.element(number).ok());
    texts
        .map(|(_, attribute)| attribute.to_string())
        .any(|text| {
            ["mod ", "floordiv ", "ceildiv "].iter().any(|divide| {
                let divisors = text.split(divide).skip(1);
                divisors
                    .map(|rest| rest.chars().next())
                    .any(|first| !first.is_some_and(|first| first.is_ascii_digit()))
            })
        })
}

/// What reads or writes an element of memory gives; the memory is the operand at a position.
fn accessed<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
    memory: usize,
) -> Result<Values<'c, 'a>, Error> {
    let index = applied(site, op, "map", &view.operands[memory + 1..])?;
    let operands = [&view.operands[..=memory], &index[..]].concat();
    let name = view.name.replace("affine.", "memref.");
    let made = site
        .builder
        .op(&name, &operands, &view.result_types, &[], vec![])?;
    Ok(made.results().map(Value::from).collect())
}

/// What a loop gives, from the greatest of its lower bounds to the least of its upper ones.
fn looped<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (Some(body), Some(step)) = (view.block(), view.integer("step")) else {
        return Err(site.error("has no body or step"));
    };
    let mut operands = vec![];
    for (attribute, group, choice) in [
        ("lowerBoundMap", 0, "arith.maxsi"),
        ("upperBoundMap", 1, "arith.minsi"),
    ] {
        let bounds = applied(site, op, attribute, &view.operands[view.group(group)])?;
        let bound = chosen(site, choice, &bounds)?;
        operands.push(bound.ok_or_else(|| site.error("has no bounds"))?);
    }
    operands.push(site.builder.index(step)?);
    let carried = &view.operands[view.group(2)];
    operands.extend(carried);
    let mut arguments = vec![site.builder.index_type()];
    arguments.extend(carried.iter().map(|value| value.r#type()));
    let region = site
        .builder
        .region(&arguments, "scf.yield", |builder, arguments| {
            builder.inline(body, arguments)
        })?;
    let types = &view.result_types;
    let made = site
        .builder
        .op("scf.for", &operands, types, &[], vec![region])?;
    Ok(made.results().map(Value::from).collect())
}

/// What an op gives; nothing if it is another op.
fn computed<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Result<Option<Values<'c, 'a>>, Error> {
    let choice = match view.name {
        "affine.apply" | "affine.min" => "arith.minsi",
        "affine.max" => "arith.maxsi",
        "affine.delinearize_index" => return delinearized(site, op, view).map(Some),
        "affine.linearize_index" => return linearized(site, view).map(|value| Some(vec![value])),
        _ => return Ok(None),
    };
    let values = applied(site, op, "map", &view.operands)?;
    Ok(chosen(site, choice, &values)?.map(|value| vec![value]))
}

/// The values of a map for operands; none if it is no map.
fn applied<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    attribute: &str,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let map = map(op, attribute);
    map.iter()
        .flat_map(|map| &map.indices)
        .map(|index| value(site, index, operands))
        .collect()
}

/// The least or greatest of some values, by an op.
fn chosen<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    choice: &str,
    values: &[Value<'c, 'a>],
) -> Result<Option<Value<'c, 'a>>, Error> {
    let Some((&first, rest)) = values.split_first() else {
        return Ok(None);
    };
    rest.iter()
        .try_fold(first, |chosen, &value| {
            site.builder.binary(choice, chosen, value)
        })
        .map(Some)
}

fn value<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    expression: &Expression,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let (operator, sides) = match expression {
        Expression::Loop(number) => return Ok(operands[*number]),
        Expression::Constant(value) => return site.builder.index(*value),
        Expression::Binary(operator, sides) => (*operator, sides),
    };
    let left = value(site, &sides.0, operands)?;
    let right = value(site, &sides.1, operands)?;
    match operator {
        Operator::Add => site.builder.binary("arith.addi", left, right),
        Operator::Multiply => site.builder.binary("arith.muli", left, right),
        Operator::Modulo => Ok(divide(site, left, right)?.remainder),
        Operator::FloorDivide => Ok(divide(site, left, right)?.quotient),
        Operator::CeilDivide => divide(site, left, right)?.rounded_up(&site.builder),
    }
}

/// A quotient rounded down, and the remainder, which is not negative.
struct Division<'c, 'a> {
    quotient: Value<'c, 'a>,
    remainder: Value<'c, 'a>,
}

/// Divides by a number that is checked to be positive.
fn divide<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<Division<'c, 'a>, Error> {
    let right = match constant(right) {
        Some(1..) => right,
        _ => {
            let zero = site.builder.index(0)?;
            let is_positive = site.builder.compare(Predicate::Sgt, right, zero)?;
            site.check(is_positive, "divides by a number that is not positive", &[])?;
            // Behind the check it is what it was, and whoever looks at it sees that it is positive.
            let one = site.builder.index(1)?;
            site.builder.binary("arith.maxsi", right, one)?
        }
    };
    let builder = &site.builder;
    let quotient = builder.binary("arith.divsi", left, right)?;
    let remainder = builder.binary("arith.remsi", left, right)?;
    let (zero, one) = (builder.index(0)?, builder.index(1)?);
    let is_negative = builder.compare(Predicate::Slt, remainder, zero)?;
    let less = builder.binary("arith.subi", quotient, one)?;
    let more = builder.binary("arith.addi", remainder, right)?;
    Ok(Division {
        quotient: builder.select(is_negative, less, quotient)?,
        remainder: builder.select(is_negative, more, remainder)?,
    })
}

impl<'c: 'a, 'a> Division<'c, 'a> {
    fn rounded_up(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let is_exact = builder.compare(Predicate::Eq, self.remainder, zero)?;
        let more = builder.binary("arith.addi", self.quotient, one)?;
        builder.select(is_exact, self.quotient, more)
    }
}

/// The sizes of all digits but the first, whose size may be given and does not matter.
fn basis<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    values: std::ops::Range<usize>,
    digits: usize,
) -> Result<Values<'c, 'a>, Error> {
    let basis = view.mixed_values_of("static_basis", values);
    let outer = (basis.len() + 1).saturating_sub(digits);
    basis[outer..]
        .iter()
        .map(|&size| site.builder.size_value(size))
        .collect()
}

fn delinearized<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Result<Values<'c, 'a>, Error> {
    let basis = basis(site, view, 1..view.operands.len(), op.result_count())?;
    let (mut rest, mut digits) = (view.operands[0], vec![]);
    for &size in basis.iter().rev() {
        let division = divide(site, rest, size)?;
        digits.push(division.remainder);
        rest = division.quotient;
    }
    digits.push(rest);
    digits.reverse();
    Ok(digits)
}

fn linearized<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let digits = &view.operands[view.group(0)];
    let Some((&first, rest)) = digits.split_first() else {
        return site.builder.index(0);
    };
    let basis = basis(site, view, view.group(1), digits.len())?;
    rest.iter()
        .zip(basis)
        .try_fold(first, |linear, (&digit, size)| {
            let linear = site.builder.binary("arith.muli", linear, size)?;
            site.builder.binary("arith.addi", linear, digit)
        })
}
