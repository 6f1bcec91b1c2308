//! Values in a loop that are known before it: those from outside, and sizes and constants, which
//! are computed there once more. And estimates of numbers that depend on the iteration, such as the length of
//! the rows of a triangle: what they are in the middle of the loops around.
//!
//! Cost: linear in the ops that compute a value, [`DEPTH`] of them in a row at most.

use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    cast::Parts,
    view::{as_result, definition, op_name},
};

use super::Emitted;
use comb_kit::checks::facts::key;
use comb_nest::nests::Nest;

use crate::{
    lanes::lambda::{Local, lookup},
    nest_schedule::known::{DEPTH, bounds, is_computed_again},
};

/// The indices of loops, and how often these run.
pub(super) type Lengths<'c, 'a> = Vec<(Value<'c, 'a>, Value<'c, 'a>)>;

/// What estimates need besides what numbers before loops do. A divisor is 1 at least, since an iteration that
/// does not run must not fail.
const DIVISIONS: &[&str] = &["arith.divsi", "arith.divui", "arith.remsi", "arith.remui"];

/// What a value in a loop is before it; nothing if that is not known there.
pub(super) fn outside<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    value: Value<'c, 'a>,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    at_depth(builder, nest, local, &[], value, DEPTH)
}

/// About what a number in a loop is, before it, given the loops that it is in; nothing if that cannot be said.
pub(super) fn estimate<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    around: &[(Value<'c, 'a>, Value<'c, 'a>)],
    number: Value<'c, 'a>,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    at_depth(builder, nest, local, around, number, DEPTH)
}

/// A number before a loop that is no less than one in it; nothing if none is known.
pub(super) fn bound<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    value: Value<'c, 'a>,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    if let Some(known) = outside(builder, nest, local, value)? {
        return Ok(Some(known));
    }
    for larger in bounds(value) {
        if let Some(known) = bound(builder, nest, local, larger)? {
            return Ok(Some(known));
        }
    }
    Ok(None)
}

fn at_depth<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    around: &[(Value<'c, 'a>, Value<'c, 'a>)],
    value: Value<'c, 'a>,
    depth: usize,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    if !nest.defines(value) {
        return Ok(lookup(local, value).uniform());
    }
    if let Some(&(_, length)) = around.iter().find(|&&(index, _)| index == value) {
        let middle = builder.arithmetic("arith.shrui", &[length, builder.index(1)?])?;
        return Ok(Some(middle));
    }
    let (Some(op), Some(result)) = (definition(value), as_result(value)) else {
        return Ok(None);
    };
    let divides = !around.is_empty() && is_division(op);
    if depth == 0 || !(divides || is_computed_again(op)) {
        return Ok(None);
    }
    let mut operands = vec![];
    for operand in op.operands() {
        match at_depth(builder, nest, local, around, operand, depth - 1)? {
            Some(before) => operands.push((key(operand), before)),
            None => return Ok(None),
        }
    }
    if let (true, &[(_, dividend), (_, divisor)]) = (divides, operands.as_slice()) {
        let divisor = builder.arithmetic("arith.maxsi", &[divisor, builder.index(1)?])?;
        return Ok(Some(builder.arithmetic(op_name(op), &[dividend, divisor])?));
    }
    let copy = builder.copy(op, &mut |value| {
        let mut known = operands.iter().filter(|(old, _)| *old == key(value));
        known.next().map_or(value, |&(_, before)| before)
    });
    Ok(Some(copy.result(result.result_number())?.into()))
}

fn is_division(op: OperationRef) -> bool {
    let is_index = |value: Value| value.r#type().is_index();
    DIVISIONS.contains(&op_name(op)) && op.operand_at(0).is_some_and(is_index)
}
