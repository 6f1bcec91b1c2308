//! What ops carry from one iteration to the next.
//!
//! A value that is carried is used in turn (docs/src/nests.md): its
//! *chain* goes from a block argument through ops that change it to the terminator. Here is which
//! operand each op changes, and which result is what has become of it.

use std::ops::Range;

use melior::ir::{BlockLike, OperationRef, RegionLike, Value, operation::OperationLike};
use soac_dialect::{
    cast::{Arguments, Parts},
    view::{OpView, op_name},
};

/// Operands that an op changes, and what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The operands.
    pub operands: Range<usize>,
    /// The number of the result that the first of them becomes; those behind it follow.
    pub first_result: usize,
}

impl Changes {
    /// The number of the result that an operand becomes, if it is one that is changed.
    pub fn result_of(&self, operand: usize) -> Option<usize> {
        let is_changed = self.operands.contains(&operand);
        is_changed.then(|| operand - self.operands.start + self.first_result)
    }
}

/// Which operands an op changes; none if it is no op that does.
pub fn changes(op: OperationRef) -> Option<Changes> {
    let count = op.operand_count();
    let (operands, first_result) = match op_name(op) {
        "nest.kernel" => (0..count, 0),
        "nest.loop" => (1..count, 0),
        "nest.keep" => (1..count, 0),
        "nest.write" => (1..2, 0),
        "nest.scatter" => (OpView::of(op).group(1), 0),
        "nest.fold" => (OpView::of(op).group(1), 0),
        "nest.scan" => {
            let accumulators = OpView::of(op).group(1);
            let prefixes = accumulators.len();
            (accumulators, prefixes)
        }
        _ => return None,
    };
    Some(Changes {
        operands,
        first_result,
    })
}

/// Where an op with a body has what it carries: its first operand, result and block argument.
/// Those behind them follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The number of the first operand.
    pub operand: usize,
    /// The number of the first result.
    pub result: usize,
    /// The number of the first block argument.
    pub argument: usize,
}

/// Where an op has what it carries; nothing if it is no op with a body that carries. A `nest.keep`
/// counts by itself what it keeps, so that this is not among it.
pub fn places(op: OperationRef) -> Option<Places> {
    let (operand, result, argument) = match op_name(op) {
        "nest.kernel" => (0, 0, 0),
        "nest.loop" => (1, 0, 1),
        "nest.keep" => (2, 1, 1),
        _ => return None,
    };
    Some(Places {
        operand,
        result,
        argument,
    })
}

/// What an op with a body carries: the block arguments, in the order of the results.
pub fn arguments<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let Some(places) = places(op) else {
        return vec![];
    };
    let block = op.region_at(0).and_then(|region| region.first_block());
    let Some(block) = block else { return vec![] };
    (places.argument..block.argument_count())
        .filter_map(|position| block.argument_at(position))
        // SAFETY: the argument belongs to the op, which lives for 'a.
        .map(|argument| unsafe { Value::from_raw(melior::ir::ValueLike::to_raw(&argument)) })
        .collect()
}
