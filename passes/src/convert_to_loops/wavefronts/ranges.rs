//! The code of a sequential loop whose rounds overlap.
//!
//! Whether they do is decided by sizes: there must be enough columns for two ranges, and
//! enough rounds, of all together several chunks of work. How many ranges there are depends on
//! the number of threads, and no bit of a result on that. A range is no longer than a chunk,
//! so that what one round writes and the next one reads stays in the cache. A thread waits
//! once for so many rounds as take about as long as a chunk, but seldom enough that the last
//! thread begins early.
//!
//! Ranges are dealt to the threads in turn, and each thread goes through its ranges from left
//! to right. So whoever waits, waits for a range that somebody has begun, or will begin without
//! waiting for this one; also if there are fewer threads than ranges.

use std::collections::HashMap;

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{Carried, Fixed, Wavefront, index_of};
use crate::{
    checks::facts::key,
    convert_to_loops::{
        Function,
        carries::{SIGNAL, WAIT, allocate_flags, call_for_flag},
        chunks::{PerChunk, WHOLE_VECTORS, load_all, store_all},
        emitter::{Emitted, Emitter, Place, Values, internal},
        in_place::Part,
        lanes::Lanes,
        nest::States,
        plan::{LeafId, Loop, Source},
        read,
        small::{most, most_rounds},
    },
};

/// OpenMP's function that says how many threads a parallel loop will have.
pub(in super::super) const THREADS: Function = Function {
    name: "omp_get_max_threads",
    r#type: "() -> i32",
    takes_memory: false,
};

/// Fewer rounds are not worth it.
const FEWEST_ROUNDS: i64 = 32;

/// Less work than so many chunks is not worth it.
const FEWEST_CHUNKS: i64 = 4;

/// With more rounds, indices could not be told apart.
const MOST_ROUNDS: i64 = 1 << 40;

/// A thread waits so many times at least for each range.
const FEWEST_WAITS: i64 = 4;

/// Ranges are whole vectors, and whole lines of the cache, if they begin with one.
const COLUMNS_TOGETHER: i64 = 64;

/// Memory of arrays by their key.
type Places<'c, 'a> = HashMap<usize, Place<'c, 'a>>;

/// How long ranges are at least, and at most.
#[derive(Clone, Copy)]
struct Lengths {
    least: i64,
    most: i64,
    together: i64,
    /// How many rounds are worth it at least.
    rounds: i64,
    /// How many iterations in all rounds are.
    iterations: i64,
}

impl Lengths {
    /// Those for chunks of so many iterations.
    fn of(budget: i64) -> Self {
        Self {
            least: budget.min(WHOLE_VECTORS),
            most: budget,
            // Chunks are shorter only in tests.
            together: match budget < WHOLE_VECTORS {
                true => 1,
                false => COLUMNS_TOGETHER,
            },
            rounds: budget.min(FEWEST_ROUNDS),
            iterations: budget.saturating_mul(FEWEST_CHUNKS),
        }
    }
}

/// How the rounds are cut.
#[derive(Clone, Copy)]
struct Cut<'c, 'a> {
    rounds: Value<'c, 'a>,
    columns: Value<'c, 'a>,
    /// How many columns a range has, but for the last.
    length: Value<'c, 'a>,
    ranges: Value<'c, 'a>,
    /// How many rounds a thread goes through at a time, and how often it does.
    together: Value<'c, 'a>,
    blocks: Value<'c, 'a>,
}

/// What the ranges share.
struct Shared<'s, 'c, 'a> {
    cut: Cut<'c, 'a>,
    places: &'s Places<'c, 'a>,
    /// What scans carry into each range, in each round.
    carries: PerChunk<'c, 'a>,
    /// For each range and block, whether it is done.
    flags: Value<'c, 'a>,
}

/// A range.
#[derive(Clone, Copy)]
struct Range<'c, 'a> {
    number: Value<'c, 'a>,
    bounds: [Value<'c, 'a>; 2],
    is_first: Value<'c, 'a>,
    has_next: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether sizes are not known to be too small for rounds to overlap.
    pub(super) fn may_be_worth_it(
        &self,
        shared: &Loop<'c, 'a>,
        r#loop: OperationRef<'c, 'a>,
    ) -> bool {
        let lengths = Lengths::of(self.budget(shared));
        let (columns, rounds) = (most(&shared.length), most_rounds(r#loop));
        let is_narrow = columns.is_some_and(|columns| columns < 2 * lengths.least);
        let is_short = rounds.is_some_and(|rounds| rounds < lengths.rounds);
        let iterations = columns.zip(rounds);
        let iterations = iterations.map(|(one, other)| one.saturating_mul(other));
        !is_narrow
            && !is_short
            && iterations.is_none_or(|iterations| iterations >= lengths.iterations)
    }

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
        let places = self.places_of(front, wavefront)?;
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
        let carried = wavefront.carried.iter();
        let arrays = carried.map(|&Carried { first, .. }| {
            let memory = places[&key(first)].memory;
            Ok(front.array_in(memory, first.r#type(), true)?)
        });
        arrays.collect()
    }

    /// Where the arrays are that the loop updates or reads. The memory of those that it
    /// updates has to be found before that of others.
    fn places_of(
        &self,
        front: &Builder<'c, 'a>,
        wavefront: &Wavefront<'c, 'a>,
    ) -> Emitted<'c, Places<'c, 'a>> {
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
                places.insert(key(array), place(array, front.buffer_to_read(array)?)?);
            }
        }
        Ok(places)
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
                let flag = self.flag(builder, before, block)?;
                call_for_flag(builder, WAIT, self.flags, flag)?;
                Emitted::Ok(vec![])
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
            |builder| {
                let flag = self.flag(builder, range.number, block)?;
                call_for_flag(builder, SIGNAL, self.flags, flag)?;
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        Ok(())
    }

    fn flag(
        &self,
        builder: &Builder<'c, 'a>,
        range: Value<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let first = builder.arithmetic("arith.muli", &[range, self.cut.blocks])?;
        Ok(builder.arithmetic("arith.addi", &[first, block])?)
    }
}

/// What a value of the body is in a copy.
fn copied<'c, 'a>(copies: &HashMap<usize, Value<'c, 'a>>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    copies.get(&key(value)).copied().unwrap_or(value)
}

/// How many rounds there are, if there are any; and whether there are, and not too many.
fn count_rounds<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    wavefront: &Wavefront<'c, 'a>,
) -> Emitted<'c, (Value<'c, 'a>, Value<'c, 'a>)> {
    let [lower, upper] = [0, 1].map(|bound| wavefront.r#loop.operand(bound));
    let distance = builder.arithmetic("arith.subi", &[upper?, lower?])?;
    let most = builder.index(MOST_ROUNDS)?;
    // A negative distance is a large one.
    let is_sane = builder.compare(Predicate::Ult, distance, most)?;
    let step = builder.index(wavefront.step)?;
    let rounds = builder.arithmetic("arith.ceildivsi", &[distance, step])?;
    Ok((rounds, is_sane))
}

/// Whether there is enough work for several ranges.
fn is_worth_it<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    lengths: Lengths,
    columns: Value<'c, 'a>,
    rounds: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let least = builder.index(2 * lengths.least)?;
    let is_wide = builder.compare(Predicate::Sge, columns, least)?;
    let divisor = builder.arithmetic("arith.maxsi", &[columns, builder.index(1)?])?;
    let iterations = builder.index(lengths.iterations)?;
    let fewest = builder.arithmetic("arith.ceildivsi", &[iterations, divisor])?;
    let fewest = builder.arithmetic("arith.maxsi", &[fewest, builder.index(lengths.rounds)?])?;
    let is_long = builder.compare(Predicate::Sge, rounds, fewest)?;
    Ok(builder.arithmetic("arith.andi", &[is_wide, is_long])?)
}

/// Cuts the columns into ranges, and the rounds into blocks.
fn cut<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    lengths: Lengths,
    columns: Value<'c, 'a>,
    rounds: Value<'c, 'a>,
) -> Emitted<'c, Cut<'c, 'a>> {
    let compute = |name: &str, left, right| builder.arithmetic(name, &[left, right]);
    let one = builder.index(1)?;
    let threads = thread_count(builder)?;
    let length = compute("arith.ceildivsi", columns, threads)?;
    let length = compute("arith.maxsi", length, builder.index(lengths.least)?)?;
    let length = compute("arith.minsi", length, builder.index(lengths.most)?)?;
    let together = builder.index(lengths.together)?;
    let length = compute("arith.ceildivsi", length, together)?;
    let length = compute("arith.muli", length, together)?;
    let waits = compute("arith.muli", threads, builder.index(FEWEST_WAITS)?)?;
    let longest = compute("arith.divsi", rounds, waits)?;
    let block = compute("arith.divsi", builder.index(lengths.most)?, length)?;
    let block = compute("arith.minsi", block, longest)?;
    let block = compute("arith.maxsi", block, one)?;
    Ok(Cut {
        rounds,
        columns,
        length,
        ranges: compute("arith.ceildivsi", columns, length)?,
        together: block,
        blocks: compute("arith.ceildivsi", rounds, block)?,
    })
}

/// How many threads a parallel loop has.
fn thread_count<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
    let number = builder.integer_type(32);
    let callee = [("callee", builder.attribute(&format!("@{}", THREADS.name))?)];
    let count = builder.value("func.call", &[], number, &callee)?;
    Ok(builder.value("arith.index_cast", &[count], builder.index_type(), &[])?)
}

/// The range of a number.
fn range<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    cut: Cut<'c, 'a>,
    number: Value<'c, 'a>,
) -> Emitted<'c, Range<'c, 'a>> {
    let first = builder.arithmetic("arith.muli", &[number, cut.length])?;
    let end = builder.arithmetic("arith.addi", &[first, cut.length])?;
    let end = builder.arithmetic("arith.minsi", &[end, cut.columns])?;
    let next = builder.arithmetic("arith.addi", &[number, builder.index(1)?])?;
    Ok(Range {
        number,
        bounds: [first, end],
        is_first: builder.compare(Predicate::Eq, number, builder.index(0)?)?,
        has_next: builder.compare(Predicate::Slt, next, cut.ranges)?,
    })
}
