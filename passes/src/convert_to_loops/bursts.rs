//! Many results that are written past the caches: each a few lines at a time.
//!
//! A loop may write a line of each of many results in turn, and compute a lot in between. If their
//! addresses differ by multiples of [`ALIKE`] bytes, as those of the layers of one array often do,
//! then CPUs whose vectors are half a line are slow: measured on AMD's Zen 3, up to twice as slow as
//! otherwise. There the vectors of a *block* of iterations go into memory that stays in the first
//! cache; when the block is over, what belongs to each result is written in one burst, lines that
//! are next to each other. Other addresses are written line by line, which saves the way through
//! the cache.
//!
//! Nothing is read during a burst; so each vector asks for the lines that come [`LINES_AHEAD`] lines
//! behind those that it reads.
//!
//! 1. [`Emitter::results_at_once`] finds the results that are written to next to each other from one
//!    iteration to the next. There have to be [`MANY`].
//! 2. In front of all loops, the program counts those whose addresses are alike.
//! 3. If there are as many, blocks of about equal lengths run.
//!
//! Cost: the loop is there once more. In a block, one more store and load for each vector.

use comb_machine::tuning::bursts::{ALIKE, LINES_AHEAD, MANY, PART_OF_CACHE};
use melior::ir::{Value, r#type::MemRefType};
use soac_dialect::builder::{ALIGNMENT, Builder, Predicate};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Place, Values, internal},
    lanes::memory::{address, load_vector, store_vector},
    lanes::{Lanes, Scope},
    leads::Bounds,
    plan::{ArrayId, Component, Item, LeafId, Loop},
    reads::{Read, guarded_reads, streams},
    rows_ahead::fetch_lines,
    streaming::Stores,
    widths::bits_in_memory,
};
use crate::transformations::Transformation;

/// Where the vectors of a result are until its burst.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst<'c, 'a> {
    result: WrittenResult,
    memory: Value<'c, 'a>,
    /// The first iteration of the block.
    first: Value<'c, 'a>,
}

/// An array that a combinator writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenResult {
    leaf: LeafId,
    array: ArrayId,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Iterations that fill whole vectors: in blocks, if many results are written whose addresses
    /// are alike, else as other code says, which is used for a block as well.
    pub fn in_bursts_or(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: Bounds<'c, 'a>,
        vectors: impl Fn(&mut Self, &Builder<'c, 'a>, Bounds<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        let results = self.results_at_once(r#loop, lanes);
        let bytes = self.options.machine.first_cache_bytes / PART_OF_CACHE;
        let block = bytes / (lanes as i64 * self.bytes_of_elements(&results)).max(1);
        let is_apart = self.stores == Stores::PastCaches && self.strands.is_empty();
        let may_burst = is_apart && !self.options.machine.writes_lines();
        let is_worth_it = may_burst && results.len() >= MANY && block >= 2;
        if !is_worth_it || !self.applies(Transformation::Bursts, Site::Loop(r#loop.id)) {
            return vectors(self, builder, bounds);
        }
        let are_alike = self.are_many_alike(&results)?;
        self.carrying_either(
            builder,
            are_alike,
            |this, builder, are_alike| match are_alike {
                true => this.in_bursts(builder, &results, [lanes as i64, block], bounds, &vectors),
                false => vectors(this, builder, bounds),
            },
        )
    }

    /// The results that a loop of so many lanes writes in lines, one after the other.
    fn results_at_once(&self, r#loop: &Loop<'c, 'a>, lanes: u64) -> Vec<WrittenResult> {
        let leaves = r#loop.items.iter().map(|item| match item {
            Item::Leaf(leaf) => Some(*leaf),
            Item::Loop(_) => None,
        });
        let leaves: Option<Vec<LeafId>> = leaves.collect();
        let leaves = leaves.unwrap_or_default().into_iter();
        let leaves = leaves.filter(|&leaf| self.goes_along(leaf, r#loop));
        let results = leaves.flat_map(|leaf| {
            let arrays = self.plan.leaves[leaf].results();
            arrays.map(move |array| WrittenResult { leaf, array })
        });
        results
            .filter(|result| {
                let rank = self.plan.arrays[result.array].shape.len();
                rank == self.plan.leaves[result.leaf].components.len()
                    && self.in_lines(result.array, lanes).is_some()
            })
            .collect()
    }

    /// Whether the last component of a combinator's index, and no other one, goes up with a loop.
    fn goes_along(&self, leaf: LeafId, r#loop: &Loop<'c, 'a>) -> bool {
        let leaf = &self.plan.leaves[leaf];
        let own = r#loop.level - 1;
        let Some((last, outer)) = leaf.components.split_last() else {
            return false;
        };
        let is_outside = |component: &Component| match component {
            Component::Loop { position, .. } => *position < own,
            Component::Label(_) => false,
        };
        let is_own = matches!(
            last,
            Component::Loop { position, backwards: false } if *position == own
        );
        is_own && outer.iter().all(is_outside) && leaf.clock.is_none()
    }

    fn bytes_of_elements(&self, results: &[WrittenResult]) -> i64 {
        let elements = results
            .iter()
            .map(|result| self.plan.arrays[result.array].element);
        elements
            .map(|element| bits_in_memory(element) as i64 / 8)
            .sum()
    }

    /// Whether there are many results whose addresses are like that of the first.
    fn are_many_alike(&self, results: &[WrittenResult]) -> Emitted<'c, Value<'c, 'a>> {
        let front = &self.front;
        let addresses = results.iter().map(|result| {
            let place = self.place_of_result(result)?;
            address(front, place.memory, &[])
        });
        let addresses = addresses.collect::<Emitted<Values>>()?;
        let (none, last_bits) = (front.index(0)?, front.index(ALIKE - 1)?);
        let alike = addresses.iter().try_fold(none, |alike, &address| {
            let distance = front.arithmetic("arith.subi", &[address, addresses[0]])?;
            let distance = front.arithmetic("arith.andi", &[distance, last_bits])?;
            let is_alike = front.compare(Predicate::Eq, distance, none)?;
            let more = front.arithmetic("arith.addi", &[alike, front.index(1)?])?;
            Emitted::Ok(front.select(is_alike, more, alike)?)
        })?;
        Ok(front.compare(Predicate::Sge, alike, front.index(MANY as i64)?)?)
    }

    fn place_of_result(&self, result: &WrittenResult) -> Emitted<'c, &Place<'c, 'a>> {
        let location = self.plan.leaves[result.leaf].view.location;
        let place = self.places[result.array].as_ref();
        place.ok_or_else(|| internal(location, "a result has no memory"))
    }

    /// Iterations that fill whole vectors, in blocks of at most so many, each followed by the
    /// bursts of all results.
    fn in_bursts(
        &mut self,
        builder: &Builder<'c, 'a>,
        results: &[WrittenResult],
        [lanes, most]: [i64; 2],
        [first, end]: Bounds<'c, 'a>,
        vectors: &impl Fn(&mut Self, &Builder<'c, 'a>, Bounds<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        let length = even_block(builder, [lanes, most], [first, end])?;
        self.carrying(|this, carried| {
            builder.range_loop([first, end, length], carried, |builder, first, carried| {
                let block_end = builder.arithmetic("arith.addi", &[first, length])?;
                let block_end = builder.arithmetic("arith.minsi", &[block_end, end])?;
                this.aside(|this| {
                    this.set_carried(carried);
                    for &result in results {
                        let memory = this.memory_of_block(builder, &result, lanes * most)?;
                        let burst = Burst {
                            result,
                            memory,
                            first,
                        };
                        this.bursts.insert(result.array, burst);
                    }
                    let done = vectors(this, builder, [first, block_end]);
                    let bursts = std::mem::take(&mut this.bursts);
                    done?;
                    let mut bursts = bursts.values();
                    bursts.try_for_each(|burst| {
                        this.write_burst(builder, burst, lanes as u64, block_end)
                    })
                })
            })
        })
    }

    /// Memory on the stack for so many elements of a result.
    fn memory_of_block(
        &self,
        builder: &Builder<'c, 'a>,
        result: &WrittenResult,
        elements: i64,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let element = self.plan.arrays[result.array].element;
        let r#type = MemRefType::contiguous(element, &[elements], None).into();
        let attributes = [
            ("alignment", builder.number(ALIGNMENT)),
            ("operandSegmentSizes", builder.segments(&[0, 0])),
        ];
        Ok(builder.value("memref.alloca", &[], r#type, &attributes)?)
    }

    /// Puts the vector at hand where it is until the burst of its result.
    pub fn put_by(
        &self,
        builder: &Builder<'c, 'a>,
        burst: &Burst<'c, 'a>,
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let Some(&Lanes::Steps { first, .. }) = self.now.index.last() else {
            let location = self.plan.leaves[burst.result.leaf].view.location;
            return Err(internal(location, "its lanes are no neighbours"));
        };
        let index = builder.arithmetic("arith.subi", &[first, burst.first])?;
        let value = scope.whole(builder, element)?;
        store_vector(builder, &scope, burst.memory, &[index], value)
    }

    /// Writes a result from the start of the block to its end.
    fn write_burst(
        &mut self,
        builder: &Builder<'c, 'a>,
        burst: &Burst<'c, 'a>,
        lanes: u64,
        end: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let place = self.place_of_result(&burst.result)?.clone();
        let rank = self.plan.leaves[burst.result.leaf].components.len();
        let step = builder.index(lanes as i64)?;
        builder.range_loop([burst.first, end, step], &[], |builder, first, _| {
            self.aside(|this| {
                let scope = Scope {
                    width: lanes,
                    mask: None,
                };
                this.now.scope = scope;
                this.now.index.push(Lanes::Steps { first, step: 1 });
                let from = builder.arithmetic("arith.subi", &[first, burst.first])?;
                let value = load_vector(builder, &scope, burst.memory, &[from])?;
                let index = this.index(builder, burst.result.leaf, rank)?;
                let value = scope.lanes(value, false);
                this.write(builder, &place, &index[place.skipped..], value)
            })
        })?;
        Ok(())
    }

    /// Asks for what is read soon, if results are written in bursts. The builder is at the end of
    /// an iteration.
    pub fn fetch_for_bursts(&self, builder: &Builder<'c, 'a>, lanes: u64) -> Emitted<'c, ()> {
        let line = self.options.machine.line_bytes;
        let fetch = |read: &Read<'c, 'a>| {
            let ahead = LINES_AHEAD * line;
            fetch_lines(builder, read.memory, &read.index, [ahead, line], lanes)
        };
        guarded_reads(builder)?.iter().try_for_each(fetch)?;
        let streams = streams(builder);
        let mut rows = streams.iter().flat_map(|stream| stream.lasts(usize::MAX));
        rows.try_for_each(fetch)
    }
}

/// How many iterations blocks have that are about as long as each other: at most so many vectors.
fn even_block<'c, 'a>(
    builder: &Builder<'c, 'a>,
    [lanes, most]: [i64; 2],
    [first, end]: Bounds<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let (lanes, most) = (builder.index(lanes)?, builder.index(most)?);
    let length = builder.arithmetic("arith.subi", &[end, first])?;
    let vectors = builder.arithmetic("arith.ceildivsi", &[length, lanes])?;
    let blocks = builder.arithmetic("arith.ceildivsi", &[vectors, most])?;
    let blocks = builder.arithmetic("arith.maxsi", &[blocks, builder.index(1)?])?;
    let block = builder.arithmetic("arith.ceildivsi", &[vectors, blocks])?;
    let block = builder.arithmetic("arith.maxsi", &[block, builder.index(1)?])?;
    Ok(builder.arithmetic("arith.muli", &[block, lanes])?)
}
