//! Numbers in a loop that are known before it: those from outside, and what is computed of these by
//! little. Code that needs them before computes them there once more.
//!
//! Cost: linear in the ops that compute a number, [`DEPTH`] of them in a row at most.

use comb_nest::nests::Nest;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{definition, op_name};

/// How many ops in a row are computed once more.
pub const DEPTH: usize = 8;

/// The ops that are.
const PURE: &[&str] = &[
    "arith.addi",
    "arith.constant",
    "arith.maxsi",
    "arith.minsi",
    "arith.muli",
    "arith.subi",
    "memref.dim",
    "tensor.dim",
];

/// Whether an op is computed once more before a loop.
pub fn is_computed_again(op: OperationRef) -> bool {
    PURE.contains(&op_name(op))
}

/// Whether a number in a loop is known before it.
pub fn is_known_before<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    is_known(nest, value, DEPTH)
}

/// Whether a number is known before a loop, which is no less than one in it.
pub fn is_bounded<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    is_known_before(nest, value)
        || bounds(value)
            .into_iter()
            .any(|bound| is_bounded(nest, bound))
}

/// Numbers no less than one, of which it is the minimum.
pub fn bounds<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let minimum = definition(value).filter(|&op| op_name(op) == "arith.minsi");
    minimum.map_or(vec![], |op| op.operands().collect())
}

fn is_known<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>, depth: usize) -> bool {
    if !nest.defines(value) {
        return true;
    }
    definition(value).is_some_and(|op| {
        let mut operands = op.operands();
        depth > 0
            && is_computed_again(op)
            && operands.all(|operand| is_known(nest, operand, depth - 1))
    })
}
