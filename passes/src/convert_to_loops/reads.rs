//! The vectors that an iteration of a loop reads, by the memory that they are in.
//!
//! Cost: linear in the number of ops in the loop, and the square of the number of reads.

use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{definition, op_name},
};

use super::{emitter::Emitted, read::constant};
use crate::walk::{first_block, in_block_from};

/// A read of a vector: the memory, and where the vector begins.
pub(super) struct Read<'c, 'a> {
    pub memory: Value<'c, 'a>,
    pub index: Vec<Value<'c, 'a>>,
    /// The constants in the index.
    pub offsets: Vec<i64>,
}

/// The reads of one memory at indices that differ by constants only.
pub(super) struct Stream<'c, 'a> {
    pub memory: Value<'c, 'a>,
    /// The parts of the indices that are no constants.
    roots: Vec<Value<'c, 'a>>,
    pub reads: Vec<Read<'c, 'a>>,
}

impl Stream<'_, '_> {
    /// Whether several rows are read.
    pub fn has_rows(&self) -> bool {
        let mut rows = self.reads.iter().map(|read| row_of(&read.offsets));
        let first = rows.next();
        rows.any(|row| Some(row) != first)
    }
}

/// The reads in a loop.
pub(super) fn streams<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Vec<Stream<'c, 'a>> {
    let mut streams: Vec<Stream> = vec![];
    for op in in_block_from(builder.block().first_operation()) {
        let operands: Vec<Value> = op.operands().collect();
        let ("vector.load", [memory, index @ ..]) = (op_name(op), operands.as_slice()) else {
            continue;
        };
        let parts = index.iter().map(|&index| without_constant(index));
        let (roots, offsets): (Vec<Value>, Vec<i64>) = parts.unzip();
        let read = Read {
            memory: *memory,
            index: index.to_vec(),
            offsets,
        };
        let mut known = streams.iter_mut();
        match known.find(|stream| stream.memory == *memory && stream.roots == roots) {
            Some(stream) => stream.reads.push(read),
            None => streams.push(Stream {
                memory: *memory,
                roots,
                reads: vec![read],
            }),
        }
    }
    streams
}

/// The vectors that are read if lanes turn out to be neighbours: one for each branch.
pub(super) fn guarded_reads<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
) -> Emitted<'c, Vec<Read<'c, 'a>>> {
    let ops = in_block_from(builder.block().first_operation());
    let branches = ops.filter(|op| op_name(*op) == "scf.if");
    let loads = branches.filter_map(|branch| {
        let first = first_block(branch)?.first_operation();
        let load = in_block_from(first).find(|op| op_name(*op) == "vector.load")?;
        let mut place = [load.operand(0).ok(), load.operands().last()].into_iter();
        let is_outside = |value| definition(value).is_none_or(|op| op.block() != load.block());
        place
            .all(|value| value.is_some_and(is_outside))
            .then_some(load)
    });
    let reads = loads.map(|load| {
        let operands: Vec<Value> = load.operands().collect();
        let [memory, outer @ .., last] = operands.as_slice() else {
            return Ok(None);
        };
        // In the branch the other components are constants, which are zero.
        let mut index = vec![builder.index(0)?; outer.len()];
        index.push(*last);
        Ok(Some(Read {
            memory: *memory,
            offsets: vec![0; index.len()],
            index,
        }))
    });
    reads.filter_map(Result::transpose).collect()
}

/// The constants in an index but for those of the last dimension.
pub(super) fn row_of(offsets: &[i64]) -> &[i64] {
    offsets.split_last().map_or(&[], |(_, row)| row)
}

/// What a number is the sum of: another number and a constant. A bound that keeps an index
/// inside an array does not matter here.
fn without_constant<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> (Value<'c, 'a>, i64) {
    let mut sum = 0_i64;
    while let Some((next, constant)) = definition(value).and_then(less_constant) {
        (value, sum) = (next, sum.wrapping_add(constant));
    }
    (value, sum)
}

/// The operand of an op that adds a constant, or keeps a number within a bound.
fn less_constant<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    let [left, right] = [op.operand(0).ok()?, op.operand(1).ok()?];
    match (op_name(op), constant(left), constant(right)) {
        ("arith.addi", _, Some(number)) => Some((left, number)),
        ("arith.addi", Some(number), _) => Some((right, number)),
        ("arith.subi", _, Some(number)) => Some((left, number.wrapping_neg())),
        ("arith.maxsi" | "arith.minsi", Some(_), _) => Some((right, 0)),
        ("arith.maxsi" | "arith.minsi", ..) => Some((left, 0)),
        _ => None,
    }
}
