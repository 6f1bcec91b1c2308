//! `comb-limit-unrolling`: LLVM unrolls only loops for which that is worth it.
//!
//! At its highest level LLVM unrolls all loops that are small. All its passes after that
//! have to go through several times as much code. Here two kinds of loops are marked, so
//! that they stay as they are:
//!
//! * Loops around loops. Unrolled, they would save a branch in as many instructions as the
//!   inner loops take. If all have a few iterations together, as those over a window of known
//!   sizes, they are not marked: without them the loop around may get vectors.
//! * Loops inside what is done once, with a mask, for what whole vectors leave over. They read
//!   or write with that mask, which is the same in all their iterations.
//!
//! Cost: linear in the number of ops, times the depth of loops.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::constant,
    loop_annotation::{Advice, advise},
    pass_error::PassError,
    switches,
    transformations::Transformation,
    walk::{ancestors, op_key, operations},
};
use comb_machine::tuning::limit_unrolling::FEW;
use melior::ir::{
    OperationRef, Type, Value, ValueLike, operation::OperationLike, r#type::IntegerType,
};
use soac_dialect::{
    cast::{Parts, cast},
    view::{argument_of, definition, op_name, vector_element},
};

/// Loops that LLVM could unroll.
const LOOPS: &[&str] = &["scf.for", "scf.while"];

/// Ops with masks.
const MASKED: &[&str] = &["vector.maskedload", "vector.maskedstore"];

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR does not know the attribute.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| {
        let mut decided: HashMap<usize, bool> = HashMap::new();
        for op in operations(module) {
            let Some(around) = ancestors(op).find(is_loop) else {
                continue;
            };
            let is_around = is_loop(&op) && iterations(around).is_none_or(|all| all > FEW);
            if !is_around && !has_mask_from_outside(op, around) {
                continue;
            }
            let applies = || switches.applies(Transformation::LimitUnrolling, around.location());
            if *decided.entry(op_key(around)).or_insert_with(applies) {
                advise(around, Advice::NoUnrolling)?;
            }
        }
        Ok(())
    })
}

fn is_loop(op: &OperationRef) -> bool {
    LOOPS.contains(&op_name(*op))
}

/// How often the innermost bodies of a loop run, if constants say so; of a loop that runs more than
/// a few times, how often it does itself.
fn iterations<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Option<i64> {
    if op_name(r#loop) != "scf.for" {
        return None;
    }
    let bound = |position: usize| constant(r#loop.operand_at(position)?);
    let (first, end, step) = (bound(0)?, bound(1)?, bound(2)?);
    let own = end
        .checked_sub(first)?
        .checked_add(step.checked_sub(1)?)?
        .checked_div(step)?;
    if own > FEW {
        return Some(own);
    }
    let all = operations(r#loop);
    let inner = all.into_iter().filter(|op| is_loop(op));
    let direct = inner.filter(|&op| ancestors(op).find(is_loop) == Some(r#loop));
    let inside = direct
        .map(iterations)
        .try_fold(0_i64, |sum, inner| sum.checked_add(inner?))?;
    own.checked_mul(inside.max(1))
}

fn has_mask_from_outside<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
) -> bool {
    let is_mask = |value: &Value| {
        let element = vector_element(value.r#type());
        element.is_some_and(is_truth)
    };
    let is_inside = |value: Value<'c, 'a>| {
        let owner = definition(value).or_else(|| Some(argument_of(value)?.0));
        owner.is_some_and(|owner| owner == r#loop || ancestors(owner).any(|op| op == r#loop))
    };
    MASKED.contains(&op_name(op)) && !op.operands().find(is_mask).is_none_or(is_inside)
}

fn is_truth(r#type: Type) -> bool {
    cast::<IntegerType>(r#type).is_some_and(|integer| integer.width() == 1)
}
