//! Values in a loop that are known before it: those from outside, and sizes and constants, which
//! are computed there once more.
//!
//! Cost: linear in the ops that compute a value, [`DEPTH`] of them in a row at most.

use melior::ir::{Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{as_result, definition},
};

use super::Emitted;
use comb_kit::checks::facts::key;
use comb_nest::nests::Nest;

use crate::{
    lanes::lambda::{Local, lookup},
    nest_schedule::known::{DEPTH, bounds, is_computed_again},
};

/// What a value in a loop is before it; nothing if that is not known there.
pub(super) fn outside<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    value: Value<'c, 'a>,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    at_depth(builder, nest, local, value, DEPTH)
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
    value: Value<'c, 'a>,
    depth: usize,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    if !nest.defines(value) {
        return Ok(lookup(local, value).uniform());
    }
    let (Some(op), Some(result)) = (definition(value), as_result(value)) else {
        return Ok(None);
    };
    if depth == 0 || !is_computed_again(op) {
        return Ok(None);
    }
    let mut operands = vec![];
    for operand in op.operands() {
        match at_depth(builder, nest, local, operand, depth - 1)? {
            Some(before) => operands.push((key(operand), before)),
            None => return Ok(None),
        }
    }
    let copy = builder.copy(op, &mut |value| {
        let mut known = operands.iter().filter(|(old, _)| *old == key(value));
        known.next().map_or(value, |&(_, before)| before)
    });
    Ok(Some(copy.result(result.result_number())?.into()))
}
