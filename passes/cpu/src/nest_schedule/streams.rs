//! What a loop writes in whole lines of the cache, so that it can go past the caches: an array that does
//! not fit them only drives other things out, and each of its lines is read before it is written.
//!
//! In value form that is known of new arrays only: others may turn out to be memory that the kernel reads.
//!
//! Cost: linear in the ops of the kernel, for each write of the loop.

use std::collections::BTreeMap;

use melior::ir::{
    OperationRef, Type, Value, ValueLike, operation::OperationLike, r#type::MemRefType,
};
use nest_dialect::schedule::Schedule;
use soac_dialect::{
    cast::{Parts, cast},
    view::{argument_of, definition, op_name},
};

use super::accesses::Access;
use comb_kit::{
    element_types::{array_element, bits_in_memory, known_bytes},
    walk::{ancestors, operations},
};
use comb_nest::nests::{Nest, first};

use crate::lanes::memory::{fills_lines, has_neighbours};

/// The writes of a loop whose vectors fill lines, to arrays that are read nowhere in the kernel.
pub fn streamed<'c: 'a, 'a>(nest: &Nest<'c, 'a>, schedule: &Schedule) -> Vec<OperationRef<'c, 'a>> {
    if schedule.lanes == 1 {
        return vec![];
    }
    let lanes = schedule.lanes_at_once();
    let read = arrays_read(nest);
    let ops = nest.ops.iter().copied();
    ops.filter(|&op| {
        let is_in_branch = op.parent_operation() != Some(nest.op);
        op_name(op) == "nest.write"
            && !is_in_branch
            && Access::of(op).iter().all(|write| {
                !read.contains(&write.root())
                    && write.goes_forwards(nest)
                    && is_in_lines(write.array(), lanes)
            })
    })
    .collect()
}

/// How many bytes the arrays are together that some ops write, if their types say that.
pub fn bytes_written(writes: &[OperationRef]) -> Option<u64> {
    let accesses = writes.iter().flat_map(|&op| Access::of(op));
    let arrays: BTreeMap<usize, Type> = accesses
        .map(|write| (write.root(), write.array().r#type()))
        .collect();
    arrays.into_values().map(known_bytes).sum()
}

/// The arrays that the kernel of a loop reads.
fn arrays_read<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Vec<usize> {
    let mut around = ancestors(nest.op);
    let kernel = around.find(|&op| op_name(op) == "nest.kernel");
    let ops = kernel.map_or(vec![], operations).into_iter();
    let accesses = ops.flat_map(|op| {
        let updates = op_name(op) == "nest.scatter";
        let accesses = Access::of(op).into_iter();
        accesses.filter(move |access| updates || !access.is_write)
    });
    accesses.map(|access| access.root()).collect()
}

fn is_in_lines(array: Value, lanes: u64) -> bool {
    let r#type = array.r#type();
    let is_side_by_side = match cast::<MemRefType>(r#type) {
        Some(_) => has_neighbours(r#type),
        None => is_new(array),
    };
    let element = array_element(r#type);
    is_side_by_side && element.is_some_and(|element| fills_lines(lanes, bits_in_memory(element)))
}

/// Whether a kernel in value form makes an array in new memory.
fn is_new(array: Value) -> bool {
    let Some((kernel, argument)) = argument_of(first(array)) else {
        return false;
    };
    let given = kernel.operand_at(argument).and_then(definition);
    op_name(kernel) == "nest.kernel" && given.is_some_and(|given| op_name(given) == "tensor.empty")
}
