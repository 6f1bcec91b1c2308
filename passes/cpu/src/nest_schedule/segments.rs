//! Which parts of arrays a loop goes over that begin where memory says.
//!
//! CPUs guess what a loop reads next, and fetch it from memory before. They guess wrongly where loops are
//! short and begin at places that are read, such as those over the segments of an array: with one line for
//! each, memory is four times as fast if it is asked for ahead. Mostly such places go up. So where such a
//! loop begins, a line some distance behind that place is fetched.
//!
//! If the places do not go up, a line is fetched for nothing; loops that begin anywhere wait longer for
//! their own.
//!
//! Cost: linear in the ops of the two loops.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{definition, op_name};

use super::accesses::Access;
use comb_nest::nests::Nest;

/// The reads of a loop that folds parts of arrays, if these begin where the loop around it reads that they
/// do.
pub fn reads_of_segments<'c: 'a, 'a>(
    around: &Nest<'c, 'a>,
    inner: &Nest<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let folds = inner.ops.iter().any(|&op| op_name(op) == "nest.fold");
    if !folds {
        return vec![];
    }
    let accesses = inner.ops.iter().flat_map(|&op| Access::of(op));
    let reads = accesses.filter(|access| {
        let last = access.index().last();
        !access.is_write
            && access.goes_forwards(inner)
            && last.is_some_and(|&last| reads_memory(around, last))
    });
    reads.map(|read| read.op).collect()
}

fn reads_memory<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let op = definition(value).filter(|_| nest.defines(value));
    op.is_some_and(|op| {
        op_name(op) == "nest.read" || op.operands().any(|operand| reads_memory(nest, operand))
    })
}
