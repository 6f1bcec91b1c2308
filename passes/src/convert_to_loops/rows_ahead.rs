//! Stencils that write past the caches fetch the rows ahead that they have not read yet.
//!
//! A stencil reads several rows of an array at a time. All but the last of them were read
//! before, and are in a cache. The last one comes from memory (of several rows that are computed
//! [together](super::jam), each has its last one); but there is so much to
//! compute for each of its lines that the CPU, which looks only so many instructions ahead,
//! asks for few of them at a time. So each vector of such a loop asks for the line
//! [`AHEAD`] bytes behind what it reads of the last row. With that, stores past the caches
//! find enough to do, too.
//!
//! Loops that read one row of each array ask for many lines at a time by themselves; there,
//! fetching ahead would only be more to do.
//!
//! Cost: linear in the number of reads in the loop, and one instruction for each array.

use std::collections::BTreeMap;

use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::{ALIGNMENT, Builder},
    view::{definition, op_name},
};

use super::{
    access::element_type, emitter::Emitted, prefetch::fetch, read::constant, widths::bits_in_memory,
};

/// How far ahead.
const AHEAD: i64 = 4096;

/// A read of a vector: the memory, and where the vector begins.
struct Read<'c, 'a> {
    memory: Value<'c, 'a>,
    index: Vec<Value<'c, 'a>>,
    /// The constants in the index.
    offsets: Vec<i64>,
}

/// The reads of one memory at indices that differ by constants only.
struct Stream<'c, 'a> {
    memory: Value<'c, 'a>,
    /// The parts of the indices that are no constants.
    roots: Vec<Value<'c, 'a>>,
    reads: Vec<Read<'c, 'a>>,
}

impl<'c, 'a> Stream<'c, 'a> {
    /// Whether several rows are read.
    fn has_rows(&self) -> bool {
        let mut rows = self.reads.iter().map(|read| row_of(&read.offsets));
        let first = rows.next();
        rows.any(|row| Some(row) != first)
    }

    /// The read that is farthest ahead in each of the last rows.
    fn lasts(&self, rows: usize) -> impl Iterator<Item = &Read<'c, 'a>> {
        let mut lasts: BTreeMap<&[i64], &Read> = BTreeMap::new();
        for read in &self.reads {
            let last = lasts.entry(row_of(&read.offsets)).or_insert(read);
            if read.offsets > last.offsets {
                *last = read;
            }
        }
        lasts.into_values().rev().take(rows)
    }
}

/// The rows that a loop reads, of which it fetches the next.
pub(super) struct RowsAhead<'c, 'a>(Vec<Stream<'c, 'a>>);

impl<'c: 'a, 'a> RowsAhead<'c, 'a> {
    /// The reads in a loop. The builder is at the end of its body.
    pub fn of(builder: &Builder<'c, 'a>) -> Self {
        Self(streams(builder))
    }

    /// Fetches what comes behind the last rows that are read, if several rows of an array are.
    /// The loop has so many lanes, and computes so many rows.
    pub fn fetch(&self, builder: &Builder<'c, 'a>, lanes: u64, rows: usize) -> Emitted<'c, ()> {
        if !self.0.iter().any(Stream::has_rows) {
            return Ok(());
        }
        let mut lasts = self.0.iter().flat_map(|stream| stream.lasts(rows));
        lasts.try_for_each(|last| match rows {
            1 => fetch_lines(builder, last.memory, &last.index, AHEAD, lanes),
            _ => fetch_below(builder, last, rows, lanes),
        })
    }
}

/// Fetches the lines that the same vector is in some rows below.
fn fetch_below<'c, 'a>(
    builder: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    rows: usize,
    lanes: u64,
) -> Emitted<'c, ()> {
    let mut index = read.index.clone();
    if let [.., row, _] = index.as_mut_slice() {
        *row = builder.arithmetic("arith.addi", &[*row, builder.index(rows as i64)?])?;
    }
    fetch_lines(builder, read.memory, &index, 0, lanes)
}

/// Fetches the lines that a vector at an index is in, or the one so many bytes behind it.
fn fetch_lines<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    ahead: i64,
    lanes: u64,
) -> Emitted<'c, ()> {
    let Some((&column, row)) = index.split_last() else {
        return Ok(());
    };
    let bytes = bits_in_memory(element_type(memory)?) as i64 / 8;
    for lane in (0..lanes).step_by((ALIGNMENT / bytes) as usize) {
        let distance = builder.index(ahead / bytes + lane as i64)?;
        let column = builder.arithmetic("arith.addi", &[column, distance])?;
        fetch(builder, memory, &[row, &[column]].concat())?;
    }
    Ok(())
}

/// The reads in a loop.
fn streams<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Vec<Stream<'c, 'a>> {
    let mut streams: Vec<Stream> = vec![];
    let mut next = builder.block().first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
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

/// The constants in an index but for those of the last dimension.
fn row_of(offsets: &[i64]) -> &[i64] {
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
