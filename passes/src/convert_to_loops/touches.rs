//! Lines of large arrays that are read more than once.
//!
//! What guesses in a CPU which lines will be read next goes by accesses. On some CPUs it gets
//! farther ahead if each line is accessed three times, and not once by a load of a whole line: from
//! memory, sums take up to a quarter less time then, and products of two arrays up to a sixth. So
//! behind an iteration of a loop of vectors that does little but fold arrays, two words of each
//! line are loaded again and forgotten, if the arrays do not fit the caches. In the caches that would
//! only be more to do.
//!
//! Loops that compute more, or write, gain nothing: they wait for other things than the next line.
//! Nor do arrays of which a loop reads vectors that overlap, or that do not fill lines: these lines
//! are accessed more than once anyway.
//!
//! Cost: linear in the number of ops in the loop; when it runs, two loads for each line of large
//! arrays, and in others a branch for each iteration.

use std::collections::BTreeSet;

use comb_machine::tuning::touches::{FEW, WORDS};
use melior::ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Place},
    lanes::memory::{element_type, fills_lines},
    plan::Loop,
    reads::{Read, Stream, streams},
    widths::bits_in_memory,
};
use crate::{transformations::Transformation, walk::in_block_from};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Accesses the lines again that an iteration of a loop of so many lanes reads, if the arrays are
    /// large. The builder is at the end of the iteration.
    pub fn touch_lines(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
    ) -> Emitted<'c, ()> {
        if !self.options.machine.touches || !only_folds(builder) {
            return Ok(());
        }
        let streams = streams(builder);
        let lone = streams
            .iter()
            .filter(|stream| is_lone(stream, &streams, lanes));
        let inputs: Vec<(&Stream, Place)> = lone
            .filter_map(|stream| Some((stream, self.input_in(stream.memory, lanes)?)))
            .collect();
        let site = Site::Loop(r#loop.id);
        if inputs.is_empty() || !self.applies(Transformation::Touches, site) {
            return Ok(());
        }
        let line = self.options.machine.line_bytes;
        let touches = |builder: &Builder<'c, 'a>| {
            for (stream, place) in &inputs {
                for read in &stream.reads {
                    touch(builder, read, place, [lanes as i64, line])?;
                }
            }
            Ok(vec![])
        };
        let is_large = self.is_large(&inputs)?;
        builder.if_else(is_large, &[], touches, |_| Emitted::Ok(vec![]))?;
        Ok(())
    }

    /// The array that is complete before the loop, and is in some memory, of which so many
    /// elements fill lines.
    fn input_in(&self, memory: Value<'c, 'a>, lanes: u64) -> Option<Place<'c, 'a>> {
        let bits = bits_in_memory(element_type(memory).ok()?);
        let mut inputs = self.inputs.values();
        let place = inputs.find(|place| place.memory == memory);
        place.filter(|_| fills_lines(lanes, bits)).cloned()
    }

    /// Whether arrays do not fit the caches together.
    fn is_large(&self, inputs: &[(&Stream<'c, 'a>, Place<'c, 'a>)]) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        let mut total = front.index(0)?;
        for (_, place) in inputs {
            let bytes = self.bytes_of(place, bytes_of_element(place)?)?;
            total = front.arithmetic("arith.addi", &[total, bytes])?;
        }
        Ok(front.compare(
            Predicate::Sgt,
            total,
            front.index(self.options.machine.last_cache_bytes)?,
        )?)
    }
}

/// Whether an iteration reads vectors, and does little with them.
fn only_folds<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> bool {
    let ops = in_block_from(builder.block().first_operation());
    let (mut loads, mut computed) = (0, 0);
    for op in ops.filter(|op| has_vectors(op) || op.region_count() > 0) {
        match op_name(op) {
            "vector.load" => loads += 1,
            "vector.broadcast" | "arith.constant" => {}
            name if name.starts_with("arith.") => computed += 1,
            _ => return false,
        }
    }
    computed <= FEW * loads
}

fn has_vectors(op: &OperationRef) -> bool {
    let results = op.results().map(Value::from);
    results
        .chain(op.operands())
        .any(|value| value.r#type().is_vector())
}

/// Whether a loop of so many lanes reads each line of some memory once.
fn is_lone(stream: &Stream, all: &[Stream], lanes: u64) -> bool {
    let same = all.iter().filter(|other| other.memory == stream.memory);
    let starts: BTreeSet<Option<&i64>> = stream
        .reads
        .iter()
        .map(|read| read.offsets.last())
        .collect();
    let mut pairs = starts.iter().zip(starts.iter().skip(1));
    let overlap = pairs.any(|pair| match pair {
        (Some(one), Some(next)) => next.abs_diff(**one) < lanes,
        _ => true,
    });
    same.count() == 1 && !stream.has_rows() && !overlap && starts.len() == stream.reads.len()
}

fn bytes_of_element<'c>(place: &Place<'c, '_>) -> Emitted<'c, i64> {
    Ok(bits_in_memory(element_type(place.memory)?) as i64 / 8)
}

/// Loads words of the lines that a vector is in, given its lanes and the bytes of a line.
fn touch<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    place: &Place<'c, 'a>,
    [lanes, line]: [i64; 2],
) -> Emitted<'c, ()> {
    let bytes = bytes_of_element(place)?;
    let start = address(builder, read, place, bytes)?;
    for first in (0..lanes * bytes).step_by(line as usize) {
        for word in WORDS {
            load_again(builder, start, first + word, bytes)?;
        }
    }
    Ok(())
}

/// Where a vector begins in memory that has no gaps, as a number.
fn address<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    place: &Place<'c, 'a>,
    bytes: i64,
) -> Emitted<'c, Value<'c, 'a>> {
    let mut element = builder.index(0)?;
    for (&component, &size) in read.index.iter().zip(&place.sizes) {
        let row = builder.arithmetic("arith.muli", &[element, builder.size_value(size)?])?;
        element = builder.arithmetic("arith.addi", &[row, component])?;
    }
    let distance = builder.arithmetic("arith.muli", &[element, builder.index(bytes)?])?;
    let pointer = "memref.extract_aligned_pointer_as_index";
    let memory = builder.value(pointer, &[read.memory], builder.index_type(), &[])?;
    Ok(builder.arithmetic("arith.addi", &[memory, distance])?)
}

/// Loads a word so many bytes behind an address, in code that LLVM has to keep.
fn load_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    address: Value<'c, 'a>,
    distance: i64,
    alignment: i64,
) -> Emitted<'c, ()> {
    let (word, long) = (builder.integer_type(32), builder.integer_type(64));
    let address = builder.arithmetic("arith.addi", &[address, builder.index(distance)?])?;
    let address = builder.value("arith.index_cast", &[address], long, &[])?;
    let pointer = builder.r#type("!llvm.ptr")?;
    let pointer = builder.value("llvm.inttoptr", &[address], pointer, &[])?;
    let attributes = [
        ("volatile_", builder.unit()),
        ("alignment", builder.number(alignment)),
    ];
    builder.value("llvm.load", &[pointer], word, &attributes)?;
    Ok(())
}
