//! The code of a sequential loop whose rounds overlap.
//!
//! [Sizes](super::cuts) decide whether they do. If so, the loop is there twice, and one of them
//! is parallel: threads take ranges of the columns. For each range and round, there is memory
//! for what scans carry into it; for each range and block of rounds, a flag that says that it
//! is done.
//!
//! Ranges are dealt to the threads in turn, and each thread goes through its ranges from left
//! to right. So whoever waits, waits for a range that somebody has begun, or will begin without
//! waiting for this one; also if there are fewer threads than ranges.

use std::collections::HashMap;

use melior::ir::{Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::{Builder, Size};

use super::{
    Carried, Fixed, Wavefront,
    cuts::{Cut, Lengths, Range, count_rounds, cut, is_worth_it, range},
    index_of,
};
use crate::{
    checks::facts::key,
    convert_to_loops::{
        chunks::{PerChunk, load_all, store_all},
        emitter::{Emitted, Emitter, Place, Values, internal},
        in_place::Part,
        lanes::Lanes,
        nest::States,
        plan::{LeafId, Source},
        read,
    },
    library_function::LibraryFunction,
    waiting::{SIGNAL, WAIT, allocate_flags, call_for_flag},
};

/// Memory of arrays by their key.
type Places<'c, 'a> = HashMap<usize, Place<'c, 'a>>;

/// What the ranges share.
struct Shared<'s, 'c, 'a> {
    cut: Cut<'c, 'a>,
    places: &'s Places<'c, 'a>,
    /// What scans carry into each range, in each round.
    carries: PerChunk<'c, 'a>,
    /// For each range and block, whether it is done.
    flags: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Puts a version of the loop whose rounds overlap beside the one that there is.
    pub fn overlapping(&mut self, wavefront: &Wavefront<'c, 'a>) -> Emitted<'c, ()> {
        let r#loop = wavefront.r#loop;
        let location = r#loop.location();
        let behind = Builder::after(r#loop)
            .ok_or_else(|| internal(location, "nothing stands behind a loop"))?;
        let shared = self
            .shared_by_ranges()
            .ok_or_else(|| internal(location, "no loop can be shared"))?;
        let lengths = Lengths::of(self.budget(shared));
        let columns = match wavefront.length {
            Fixed::InFront(size) => size,
            Fixed::Of { array, axis } => behind.size(array, axis)?,
        };
        let columns = behind.size_value(columns)?;
        let (rounds, is_sane) = count_rounds(&behind, wavefront)?;
        let is_worth_it = is_worth_it(&behind, lengths, columns, rounds)?;
        let overlaps = behind.arithmetic("arith.andi", &[is_sane, is_worth_it])?;
        let old: Values = r#loop.results().map(Into::into).collect();
        let types: Vec<Type> = old.iter().map(|value| value.r#type()).collect();
        let new = behind.if_else(
            overlaps,
            &types,
            |builder| {
                let cut = cut(builder, lengths, columns, rounds)?;
                self.ranges(builder, wavefront, cut)
            },
            |builder| {
                builder.move_here(r#loop);
                Ok(old.clone())
            },
        )?;
        for (&old, &new) in old.iter().zip(&new) {
            behind.replace_uses(old, new, r#loop.next_in_block());
        }
        Ok(())
    }

    /// All rounds, in ranges. Gives the arrays as they are behind them.
    fn ranges(
        &mut self,
        front: &Builder<'c, 'a>,
        wavefront: &Wavefront<'c, 'a>,
        cut: Cut<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let (places, needed) = self.places_of(front, wavefront)?;
        let scans: Vec<LeafId> = (0..self.plan.leaves.len())
            .filter(|&leaf| self.plan.leaves[leaf].is_scan())
            .collect();
        let slots = front.arithmetic("arith.muli", &[cut.ranges, cut.rounds])?;
        let flags = front.arithmetic("arith.muli", &[cut.ranges, cut.blocks])?;
        let shared = Shared {
            cut,
            places: &places,
            carries: self.per_chunk(front, &scans, slots)?,
            flags: allocate_flags(front, flags)?,
        };
        front.parallel_loop(cut.ranges, "interleaved", |builder, number| {
            let range = range(builder, cut, number)?;
            builder.for_loop(cut.blocks, &[], |builder, block, _| {
                shared.wait(builder, range, block)?;
                let first = builder.arithmetic("arith.muli", &[block, cut.together])?;
                let end = builder.arithmetic("arith.addi", &[first, cut.together])?;
                let end = builder.arithmetic("arith.minsi", &[end, cut.rounds])?;
                let bounds = [first, end, builder.index(1)?];
                builder.range_loop(bounds, &[], |builder, round, _| {
                    self.round(builder, wavefront, &shared, range, round)?;
                    Emitted::Ok(vec![])
                })?;
                shared.signal(builder, range, block)?;
                Emitted::Ok(vec![])
            })?;
            Emitted::Ok(())
        })?;
        front.needed(&needed)?;
        let carried = wavefront.carried.iter();
        let arrays = carried.map(|&Carried { first, .. }| {
            let memory = places[&key(first)].memory;
            Ok(front.array_in(memory, first.r#type(), true)?)
        });
        arrays.collect()
    }

    /// Where the arrays are that the loop updates or reads. The memory of those that it
    /// updates has to be found before that of others. And the arrays that it only reads.
    fn places_of(
        &self,
        front: &Builder<'c, 'a>,
        wavefront: &Wavefront<'c, 'a>,
    ) -> Emitted<'c, (Places<'c, 'a>, Values<'c, 'a>)> {
        let place = |array: Value<'c, 'a>, memory: Value<'c, 'a>| {
            Emitted::Ok(Place {
                memory,
                sizes: front.sizes(array)?,
                pitches: front.sizes(array)?,
                skipped: 0,
                is_read: true,
                is_aligned: false,
            })
        };
        let mut places = Places::new();
        let mut needed = vec![];
        for &Carried { first, .. } in &wavefront.carried {
            places.insert(key(first), place(first, front.buffer_to_write(first)?)?);
        }
        for source in self.plan.leaves.iter().flat_map(|leaf| &leaf.operands) {
            let &Some(Source::Given(array)) = source else {
                continue;
            };
            let is_known = wavefront.carries(array)
                || places.contains_key(&key(array))
                || self.views.contains_key(&key(array));
            if !is_known {
                needed.push(array);
                places.insert(key(array), place(array, front.buffer_to_read(array)?)?);
            }
        }
        Ok((places, needed))
    }

    /// A range of a round.
    fn round(
        &mut self,
        builder: &Builder<'c, 'a>,
        wavefront: &Wavefront<'c, 'a>,
        shared: &Shared<'_, 'c, 'a>,
        range: Range<'c, 'a>,
        round: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let copies = wavefront.copy_numbers(builder, round)?;
        let op = builder.copy(wavefront.op, &mut |value| copied(&copies, value));
        let front = Builder::before(op);
        let front = front.ok_or_else(|| internal(op.location(), "an op stands nowhere"))?;
        let Ok(plan) = read::plan(op) else {
            return Err(internal(op.location(), "a copy of a plan is none"));
        };
        let mut emitter = Emitter::new(&plan, front, self.options, self.views);
        emitter.inputs = shared.places.clone();
        for part in &wavefront.parts {
            emitter.place_copy(part, shared.places, &copies)?;
        }
        emitter.scan_range(&front, shared, range, round)?;
        front.erase(op);
        Ok(())
    }

    /// Places the copy of a part.
    fn place_copy(
        &mut self,
        part: &Part<'c, 'a>,
        places: &Places<'c, 'a>,
        copies: &HashMap<usize, Value<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        let Source::Computed(array) = self.plan.yielded[part.result] else {
            return Err(internal(part.update.location(), "a part is not computed"));
        };
        let Place { memory, sizes, .. } = places[&key(copied(copies, part.old))].clone();
        let offsets = part.offsets.iter().map(|&offset| match offset {
            Size::Static(_) => offset,
            Size::Dynamic(value) => Size::Dynamic(copied(copies, value)),
        });
        let offsets = offsets.collect();
        self.place_in_old(array, memory, sizes, offsets)
    }

    /// The iterations of a range, with what scans carry into it and out of it.
    fn scan_range(
        &mut self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'_, 'c, 'a>,
        range: Range<'c, 'a>,
        round: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let r#loop = self.shared_by_ranges();
        let r#loop = r#loop.ok_or_else(|| internal(builder.location(), "no loop can be shared"))?;
        for _ in 1..r#loop.level {
            self.now.index.push(Lanes::Uniform(builder.index(0)?));
        }
        let first = builder.arithmetic("arith.muli", &[range.number, shared.cut.rounds])?;
        let slot = builder.arithmetic("arith.addi", &[first, round])?;
        let mut states = States::new();
        for (&scan, carry) in &shared.carries {
            let neutrals = self.neutrals(scan);
            let types: Vec<Type> = neutrals.iter().map(|neutral| neutral.r#type()).collect();
            let state = builder.if_else(
                range.is_first,
                &types,
                |_| Ok(neutrals.clone()),
                |builder| load_all(builder, carry, slot),
            )?;
            states.insert(scan, state);
        }
        self.states = states;
        self.run_in_form(builder, r#loop, range.bounds)?;
        if shared.carries.is_empty() {
            return Ok(());
        }
        let next = builder.arithmetic("arith.addi", &[slot, shared.cut.rounds])?;
        builder.if_else(
            range.has_next,
            &[],
            |builder| {
                for (scan, carry) in &shared.carries {
                    store_all(builder, &self.states[scan], carry, next)?;
                }
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        Ok(())
    }
}

impl<'c: 'a, 'a> Wavefront<'c, 'a> {
    /// Copies the rest of the body for a round. Gives what values of the body are there, by
    /// their key.
    fn copy_numbers(
        &self,
        builder: &Builder<'c, 'a>,
        round: Value<'c, 'a>,
    ) -> Emitted<'c, HashMap<usize, Value<'c, 'a>>> {
        let distance = builder.arithmetic("arith.muli", &[round, builder.index(self.step)?])?;
        let index = builder.arithmetic("arith.addi", &[self.r#loop.operand(0)?, distance])?;
        let carried = self.carried.iter();
        let mut copies: HashMap<usize, Value> = carried
            .map(|carried| (key(carried.inside), carried.first))
            .collect();
        copies.insert(key(index_of(self.r#loop)?), index);
        for &op in &self.numbers {
            let copy = builder.copy(op, &mut |value| copied(&copies, value));
            let results = op.results().zip(copy.results());
            copies.extend(results.map(|(old, new)| (key(old.into()), new.into())));
        }
        Ok(copies)
    }
}

impl<'c: 'a, 'a> Shared<'_, 'c, 'a> {
    /// Waits for the range on the left.
    fn wait(
        &self,
        builder: &Builder<'c, 'a>,
        range: Range<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        builder.if_else(
            range.is_first,
            &[],
            |_| Ok(vec![]),
            |builder| {
                let before =
                    builder.arithmetic("arith.subi", &[range.number, builder.index(1)?])?;
                self.call(builder, WAIT, before, block)
            },
        )?;
        Ok(())
    }

    /// Tells the range on the right.
    fn signal(
        &self,
        builder: &Builder<'c, 'a>,
        range: Range<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        builder.if_else(
            range.has_next,
            &[],
            |builder| self.call(builder, SIGNAL, range.number, block),
            |_| Ok(vec![]),
        )?;
        Ok(())
    }

    /// Waits for the flag of a range and block, or sets it.
    fn call(
        &self,
        builder: &Builder<'c, 'a>,
        function: LibraryFunction,
        range: Value<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let first = builder.arithmetic("arith.muli", &[range, self.cut.blocks])?;
        let flag = builder.arithmetic("arith.addi", &[first, block])?;
        call_for_flag(builder, function, self.flags, flag)?;
        Ok(vec![])
    }
}

/// What a value of the body is in a copy.
fn copied<'c, 'a>(copies: &HashMap<usize, Value<'c, 'a>>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    copies.get(&key(value)).copied().unwrap_or(value)
}
