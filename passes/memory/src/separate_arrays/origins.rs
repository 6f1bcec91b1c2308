//! Which memory an array may be in.
//!
//! An op that writes to an array gives, as far as this goes, a new one: if the old one is
//! needed as well, bufferization copies it. What is left are views of arrays, and what
//! branches give.
//!
//! Cost: linear in the number of ops between an array and its origins, and in the number of
//! slices on the way, squared, for those that are inserted where they were taken from.

use std::collections::HashSet;

use comb_kit::{
    checks::facts::key,
    walk::{ancestors, blocks},
};
use melior::ir::{BlockLike, OperationRef, Value};
use soac_dialect::{
    cast::Parts,
    view::{OpView, argument_of, as_result, definition, op_name},
};

/// An array, or a block of memory, that is no other one's view.
#[derive(Clone, Copy)]
pub(super) struct Origin<'c, 'a> {
    /// Its first name.
    pub value: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Origin<'c, 'a> {
    /// Its identity.
    pub fn key(&self) -> usize {
        key(self.value)
    }

    /// Whether it is computed inside an op, and not given to the op's region.
    pub fn is_inside(&self, scope: OperationRef<'c, 'a>) -> bool {
        definition(self.value).is_some_and(|op| ancestors(op).any(|around| around == scope))
    }

    /// Whether it is given to an op's region.
    pub fn is_argument_of(&self, scope: OperationRef<'c, 'a>) -> bool {
        argument_of(self.value).is_some_and(|(op, _)| op == scope)
    }

    /// Whether it is in memory that nobody may write to.
    pub fn is_constant(&self) -> bool {
        definition(self.value).is_some_and(|op| op_name(op) == "arith.constant")
    }
}

/// The memory that an array, or a view of memory, may be in. Each once, in a fixed order.
pub(super) fn origins<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<Origin<'c, 'a>> {
    traced(value, same_memory)
}

/// Follows values back to those with nothing behind them.
fn traced<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    behind: fn(OperationRef<'c, 'a>, usize) -> Behind<'c, 'a>,
) -> Vec<Origin<'c, 'a>> {
    let mut seen = HashSet::new();
    let mut origins = vec![];
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(key(value)) {
            continue;
        }
        let found = as_result(value).zip(definition(value));
        let found = found.map(|(result, op)| behind(op, result.result_number()));
        match found {
            Some(Behind::Others(others)) => pending.extend(others),
            Some(Behind::OthersToo(others)) => {
                origins.push(Origin { value });
                pending.extend(others);
            }
            Some(Behind::Nothing) | None => origins.push(Origin { value }),
        }
    }
    origins
}

/// What stands behind a value.
enum Behind<'c, 'a> {
    /// It is in new memory.
    Nothing,
    /// It is in the memory of one of these.
    Others(Vec<Value<'c, 'a>>),
    /// It is in new memory, or in that of one of these.
    OthersToo(Vec<Value<'c, 'a>>),
}

/// The memory of an op's result is that of which other values.
fn same_memory<'c: 'a, 'a>(op: OperationRef<'c, 'a>, result: usize) -> Behind<'c, 'a> {
    let view = OpView::of(op);
    match view.name {
        "tensor.cast"
        | "tensor.collapse_shape"
        | "tensor.expand_shape"
        | "tensor.extract_slice"
        | "tensor.reshape"
        | "bufferization.to_tensor"
        | "memref.cast"
        | "memref.collapse_shape"
        | "memref.expand_shape"
        | "memref.reinterpret_cast"
        | "memref.reshape"
        | "memref.subview"
        | "memref.transpose" => Behind::Others(view.operands[..1].to_vec()),
        "bufferization.to_buffer" if view.flag("read_only") => {
            Behind::Others(view.operands[..1].to_vec())
        }
        "arith.select" => Behind::Others(view.operands[1..].to_vec()),
        "scf.if" | "scf.index_switch" | "scf.execute_region" => Behind::Others(yielded(op, result)),
        "tensor.insert_slice" if is_in_place(&view) => Behind::OthersToo(vec![view.operands[0]]),
        _ => Behind::Nothing,
    }
}

/// What the regions of an op yield as one of its results.
fn yielded<'c: 'a, 'a>(op: OperationRef<'c, 'a>, result: usize) -> Vec<Value<'c, 'a>> {
    blocks(op)
        .into_iter()
        .filter_map(|block| block.terminator())
        .filter(|end| op_name(*end) == "scf.yield")
        .filter_map(|end| end.operand_at(result))
        .collect()
}

/// Whether a slice may be inserted into the array that it was taken from. Then the slice may have been
/// written where it belongs.
fn is_in_place<'c: 'a, 'a>(insertion: &OpView<'c, 'a>) -> bool {
    let [slice, array] = [0, 1].map(|operand| traced(insertion.operands[operand], written_memory));
    slice
        .iter()
        .any(|slice| array.iter().any(|array| slice.key() == array.key()))
}

/// The same, where an op that writes to an array does so in place.
fn written_memory<'c: 'a, 'a>(op: OperationRef<'c, 'a>, result: usize) -> Behind<'c, 'a> {
    let view = OpView::of(op);
    match view.name {
        "tensor.insert" | "tensor.insert_slice" => Behind::Others(vec![view.operands[1]]),
        "scf.for" | "scf.while" | "func.call" => Behind::OthersToo(view.operands.clone()),
        name if name.starts_with("linalg.") => Behind::OthersToo(view.operands.clone()),
        _ => same_memory(op, result),
    }
}
