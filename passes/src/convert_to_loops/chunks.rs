//! The outermost loop, in chunks that threads work on at the same time.
//!
//! How long chunks are depends on sizes alone, and what they give is put together
//! in their order, so that no bit of a result depends on the number of threads.
//!
//! * Folds over the outermost loop are folded chunk by chunk, and then over the
//!   chunks.
//! * Scans and filters are *chained*: a chunk is summed up first, while it comes
//!   from memory; the thread then waits for what all chunks before it sum up to,
//!   says what they sum up to with its own, and goes through its chunk a second
//!   time, which is in the cache by now. So every element is read from memory once
//!   (as in Merrill and Garland, Single-pass parallel prefix scan with decoupled
//!   look-back, 2016, without looking back: a thread's chunks come in order).
//!
//! A loop with less work than a chunk is one chunk, for which no thread is woken.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{ALIGNMENT, Builder, Predicate, Size};

use super::{
    emitter::{Emitted, Emitter, Values},
    nest::States,
    plan::{Item, Kind, LeafId, Loop},
    widths::{bits, width},
};
use crate::walk::operations;

/// What an iteration takes at least.
const FEWEST: i64 = 8;

/// Chunks of single elements have a multiple of so many, for whole vectors.
const WHOLE_VECTORS: i64 = 256;

/// Results with more bytes than this do not fit the caches.
const LARGE: i64 = 1 << 25;

/// The functions of the runtime library by which chunks wait for each other.
pub(super) const WAIT: &str = "comb_runtime_wait";
pub(super) const SIGNAL: &str = "comb_runtime_signal";

/// Where the outermost loop is cut.
struct Chunks<'c, 'a> {
    /// How many iterations a chunk has, but for the last.
    length: Value<'c, 'a>,
    count: Value<'c, 'a>,
}

/// Memory for one number of each chunk, or one more, for each part of a state.
type PerChunk<'c, 'a> = BTreeMap<LeafId, Values<'c, 'a>>;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The outermost loop, in parallel.
    pub fn chunked(&mut self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, ()> {
        let front = self.front;
        let stages = self.plan.stages();
        let chunks = self.cut(&front, r#loop)?;
        let folds: Vec<LeafId> = (0..self.plan.leaves.len())
            .filter(|&leaf| self.plan.leaves[leaf].kind == Kind::Fold)
            .filter(|&leaf| self.plan.leaves[leaf].outer == 0)
            .collect();
        let partial = self.per_chunk(&front, &folds, chunks.count)?;
        let more = front.arithmetic("arith.addi", &[chunks.count, front.index(1)?])?;
        let carries = self.per_chunk(&front, &stages.concat(), more)?;
        self.begin_chain(&front, &carries)?;
        let flags = self.flags(&front, &chunks, stages.len())?;
        let streams = self.streams(r#loop)?;
        let schedule = if stages.is_empty() {
            "static"
        } else {
            "interleaved"
        };
        front.parallel_loop(chunks.count, schedule, |builder, chunk| {
            self.allocate_rows(builder, Some(r#loop))?;
            let first = builder.arithmetic("arith.muli", &[chunk, chunks.length])?;
            let end = builder.arithmetic("arith.addi", &[first, chunks.length])?;
            let length = builder.size_value(r#loop.length)?;
            let end = builder.arithmetic("arith.minsi", &[end, length])?;
            let chain = Chain {
                r#loop,
                chunks: &chunks,
                chunk,
                bounds: [first, end],
                carries: &carries,
                flags,
            };
            let mut states = self.begun(builder, r#loop)?;
            for (stage, leaves) in stages.iter().enumerate() {
                let known = self.stage(builder, &chain, stage, leaves, &states)?;
                states.extend(known);
            }
            self.states = states;
            self.chunk_loop(builder, r#loop, [first, end], streams)?;
            for &fold in &folds {
                store_all(builder, &self.states[&fold], &partial[&fold], chunk)?;
            }
            self.end_chain(builder, &chain, &stages)?;
            self.states.clear();
            Emitted::Ok(())
        })?;
        for &fold in &folds {
            self.fold_chunks(&front, fold, chunks.count, &partial[&fold])?;
        }
        for filter in stages.into_iter().flatten() {
            if self.plan.leaves[filter].kind == Kind::Filter {
                let kept = load_all(&front, &carries[&filter], chunks.count)?;
                self.states.insert(filter, kept);
            }
        }
        Ok(())
    }

    /// Whether results are so large that they would only drive other things out of the
    /// caches; nothing if they are not written in aligned vectors.
    fn streams(&self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, Option<Streaming<'c, 'a>>> {
        let lanes = width(self.plan, r#loop) as i64;
        let places = self.places.iter().zip(&self.plan.arrays);
        let bytes: i64 = places
            .filter(|(place, _)| place.as_ref().is_some_and(|place| place.is_aligned))
            .map(|(_, array)| bits(array.element) as i64 / 8)
            .filter(|bytes| bytes * lanes % ALIGNMENT == 0)
            .sum();
        let is_cut_at_vectors = matches!(r#loop.items.first(), Some(Item::Leaf(_)));
        if bytes == 0 || lanes == 1 || !is_cut_at_vectors || self.budget(r#loop) <= WHOLE_VECTORS {
            return Ok(None);
        }
        let front = self.front;
        let length = front.size_value(r#loop.length)?;
        let large = front.index(LARGE / bytes)?;
        Ok(Some(Streaming {
            is_worth_it: front.compare(Predicate::Sgt, length, large)?,
            fence: front.allocate(&[Size::Static(1)], front.integer_type(64))?,
        }))
    }

    /// The iterations of a chunk.
    fn chunk_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
        streaming: Option<Streaming<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        let Some(streaming) = streaming else {
            return self.run_loop(builder, r#loop, bounds);
        };
        self.carrying(|this, carried| {
            let types: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
            let this = std::cell::RefCell::new(this);
            let run = |builder: &Builder<'c, 'a>, streaming: bool| {
                let mut this = this.borrow_mut();
                let before = this.states.clone();
                this.streaming = streaming;
                let done = this.run_loop(builder, r#loop, bounds);
                this.streaming = false;
                let after = this.states.values().flatten().copied().collect();
                this.states = before;
                done.map(|()| after)
            };
            builder.if_else(
                streaming.is_worth_it,
                &types,
                |builder| {
                    let after = run(builder, true)?;
                    fence(builder, streaming.fence)?;
                    Ok(after)
                },
                |builder| run(builder, false),
            )
        })
    }

    fn cut(&self, builder: &Builder<'c, 'a>, r#loop: &Loop<'c, 'a>) -> Emitted<'c, Chunks<'c, 'a>> {
        let length = self.chunk_length(builder, r#loop)?;
        let total = builder.size_value(r#loop.length)?;
        let count = builder.arithmetic("arith.ceildivsi", &[total, length])?;
        Ok(Chunks { length, count })
    }

    fn chunk_length(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let inner = deepest(&r#loop.items);
        let known = inner.iter().try_fold(1, |product: i64, size| match size {
            Size::Static(size) => product.checked_mul((*size).max(1)),
            Size::Dynamic(_) => None,
        });
        let budget = self.budget(r#loop);
        if let Some(known) = known {
            let length = (budget / known).max(1);
            let length = match inner.is_empty() && length > WHOLE_VECTORS {
                true => length - length % WHOLE_VECTORS,
                false => length,
            };
            return Ok(builder.index(length)?);
        }
        let one = builder.index(1)?;
        let product = inner.iter().try_fold(one, |product, &size| {
            let size = builder.size_value(size)?;
            builder.arithmetic("arith.muli", &[product, size])
        })?;
        let product = builder.arithmetic("arith.maxsi", &[product, one])?;
        let length = builder.arithmetic("arith.divsi", &[builder.index(budget)?, product])?;
        Ok(builder.arithmetic("arith.maxsi", &[length, one])?)
    }

    /// How many iterations of the innermost loop a chunk has.
    fn budget(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        (self.options.chunk / self.work(r#loop)).max(1)
    }

    /// About how many instructions an iteration of the innermost loop takes.
    fn work(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        let leaves = self.leaves_in(r#loop).into_iter();
        let work: f64 = leaves
            .flat_map(|leaf| operations(self.plan.leaves[leaf].op))
            .map(crate::fuse::work::instructions)
            .sum();
        (work as i64).max(FEWEST)
    }

    /// Memory for the states of each chunk.
    fn per_chunk(
        &self,
        builder: &Builder<'c, 'a>,
        leaves: &[LeafId],
        count: Value<'c, 'a>,
    ) -> Emitted<'c, PerChunk<'c, 'a>> {
        leaves
            .iter()
            .map(|&leaf| {
                let parts = self
                    .chunk_state(builder, leaf)?
                    .into_iter()
                    .map(|part| Ok(builder.allocate(&[Size::Dynamic(count)], part.r#type())?))
                    .collect::<Emitted<Values>>()?;
                Ok((leaf, parts))
            })
            .collect()
    }

    /// What a state is before the first iteration.
    fn chunk_state(&self, builder: &Builder<'c, 'a>, leaf: LeafId) -> Emitted<'c, Values<'c, 'a>> {
        match self.plan.leaves[leaf].kind {
            Kind::Filter => Ok(vec![builder.index(0)?]),
            _ => Ok(self.neutrals(leaf)),
        }
    }

    /// What comes before the first chunk.
    fn begin_chain(
        &self,
        builder: &Builder<'c, 'a>,
        carries: &PerChunk<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let zero = builder.index(0)?;
        for (&leaf, carry) in carries {
            store_all(builder, &self.chunk_state(builder, leaf)?, carry, zero)?;
        }
        Ok(())
    }

    /// For each stage and chunk, whether the next chunk's carry is known: none yet.
    fn flags(
        &self,
        builder: &Builder<'c, 'a>,
        chunks: &Chunks<'c, 'a>,
        stages: usize,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        if stages == 0 {
            return Ok(None);
        }
        let stages = builder.index(stages as i64)?;
        let count = builder.arithmetic("arith.muli", &[stages, chunks.count])?;
        let number = builder.integer_type(64);
        let flags = builder.allocate(&[Size::Dynamic(count)], number)?;
        let none = builder.integer(0, number)?;
        builder.for_loop(count, &[], |builder, index, _| {
            builder.store(none, flags, &[index])?;
            Emitted::Ok(vec![])
        })?;
        Ok(Some(flags))
    }

    /// Finds what the scans and filters of a stage carry into a chunk, and tells
    /// the next chunk what they carry out of it.
    fn stage(
        &mut self,
        builder: &Builder<'c, 'a>,
        chain: &Chain<'_, 'c, 'a>,
        stage: usize,
        leaves: &[LeafId],
        known: &States<'c, 'a>,
    ) -> Emitted<'c, States<'c, 'a>> {
        let one = builder.index(1)?;
        let next = builder.arithmetic("arith.addi", &[chain.chunk, one])?;
        let has_next = builder.compare(Predicate::Slt, next, chain.chunks.count)?;
        let begun: Values = leaves
            .iter()
            .map(|&leaf| self.chunk_state(builder, leaf))
            .collect::<Emitted<Vec<Values>>>()?
            .concat();
        let types: Vec<_> = begun.iter().map(|value| value.r#type()).collect();
        let sums = builder.if_else(
            has_next,
            &types,
            |builder| self.sum_up(builder, chain, leaves, known),
            |_| Ok(begun.clone()),
        )?;
        let zero = builder.index(0)?;
        let is_first = builder.compare(Predicate::Eq, chain.chunk, zero)?;
        let flag = chain.flag(builder, stage, chain.chunk)?;
        builder.if_else(
            is_first,
            &[],
            |_| Ok(vec![]),
            |builder| {
                let before = builder.arithmetic("arith.subi", &[flag, one])?;
                chain.call(builder, WAIT, before)?;
                Emitted::Ok(vec![])
            },
        )?;
        let mut carried = States::new();
        for &leaf in leaves {
            carried.insert(leaf, load_all(builder, &chain.carries[&leaf], chain.chunk)?);
        }
        builder.if_else(
            has_next,
            &[],
            |builder| {
                let mut sums = sums.iter().copied();
                for &leaf in leaves {
                    let before = &carried[&leaf];
                    let sum: Values = sums.by_ref().take(before.len()).collect();
                    let after = self.joined(builder, leaf, before, &sum)?;
                    store_all(builder, &after, &chain.carries[&leaf], next)?;
                }
                chain.call(builder, SIGNAL, flag)?;
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        Ok(carried)
    }

    /// What a chunk adds to scans and filters.
    fn sum_up(
        &mut self,
        builder: &Builder<'c, 'a>,
        chain: &Chain<'_, 'c, 'a>,
        leaves: &[LeafId],
        known: &States<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let wanted: BTreeSet<LeafId> = leaves.iter().copied().collect();
        let needed = self.plan.needed(&wanted);
        self.states = known.clone();
        self.states.retain(|leaf, _| needed.contains(leaf));
        self.selected = Some(needed);
        self.reducing = wanted;
        let done = self.run_loop(builder, chain.r#loop, chain.bounds);
        self.selected = None;
        self.reducing.clear();
        done?;
        let sums = leaves.iter().flat_map(|leaf| self.states[leaf].clone());
        Ok(sums.collect())
    }

    /// The carry behind a chunk.
    fn joined(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        before: &[Value<'c, 'a>],
        sum: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        match self.plan.leaves[leaf].kind {
            Kind::Filter => Ok(vec![
                builder.arithmetic("arith.addi", &[before[0], sum[0]])?,
            ]),
            _ => self.combined(builder, leaf, before, sum),
        }
    }

    /// The last chunk says how many elements filters kept.
    fn end_chain(
        &mut self,
        builder: &Builder<'c, 'a>,
        chain: &Chain<'_, 'c, 'a>,
        stages: &[Vec<LeafId>],
    ) -> Emitted<'c, ()> {
        let next = builder.arithmetic("arith.addi", &[chain.chunk, builder.index(1)?])?;
        let is_last = builder.compare(Predicate::Eq, next, chain.chunks.count)?;
        let filters: Vec<LeafId> = stages
            .iter()
            .flatten()
            .copied()
            .filter(|&leaf| self.plan.leaves[leaf].kind == Kind::Filter)
            .collect();
        if filters.is_empty() {
            return Ok(());
        }
        builder.if_else(
            is_last,
            &[],
            |builder| {
                for filter in filters {
                    store_all(
                        builder,
                        &self.states[&filter],
                        &chain.carries[&filter],
                        next,
                    )?;
                }
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        Ok(())
    }

    /// Folds what the chunks gave.
    fn fold_chunks(
        &mut self,
        builder: &Builder<'c, 'a>,
        fold: LeafId,
        count: Value<'c, 'a>,
        partial: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let neutrals = self.neutrals(fold);
        let folded = builder.for_loop(count, &neutrals, |builder, chunk, carried| {
            let part = load_all(builder, partial, chunk)?;
            self.combined(builder, fold, carried, &part)
        })?;
        self.states.insert(fold, folded);
        self.give_folded(builder, fold)
    }
}

/// Results that may be written past the caches.
#[derive(Clone, Copy)]
struct Streaming<'c, 'a> {
    /// Whether they are so large that they should be.
    is_worth_it: Value<'c, 'a>,
    /// Memory of a number that nobody reads.
    fence: Value<'c, 'a>,
}

/// A chunk among those that wait for each other.
struct Chain<'s, 'c, 'a> {
    r#loop: &'s Loop<'c, 'a>,
    chunks: &'s Chunks<'c, 'a>,
    chunk: Value<'c, 'a>,
    bounds: [Value<'c, 'a>; 2],
    carries: &'s PerChunk<'c, 'a>,
    flags: Option<Value<'c, 'a>>,
}

impl<'c, 'a> Chain<'_, 'c, 'a> {
    /// The number of a chunk's flag in a stage.
    fn flag(
        &self,
        builder: &Builder<'c, 'a>,
        stage: usize,
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let stage = builder.index(stage as i64)?;
        let first = builder.arithmetic("arith.muli", &[stage, self.chunks.count])?;
        Ok(builder.arithmetic("arith.addi", &[first, chunk])?)
    }

    fn call(
        &self,
        builder: &Builder<'c, 'a>,
        function: &str,
        flag: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let Some(flags) = self.flags else {
            return Ok(());
        };
        let callee = builder.attribute(&format!("@{function}"))?;
        builder.op(
            "func.call",
            &[flags, flag],
            &[],
            &[("callee", callee)],
            vec![],
        )?;
        Ok(())
    }
}

/// What is written past the caches becomes visible to other threads before all that
/// is written later, as it does at every atomic update.
fn fence<'c, 'a>(builder: &Builder<'c, 'a>, anything: Value<'c, 'a>) -> Emitted<'c, ()> {
    const ADD_INTEGERS: i64 = 1;
    let (zero, number) = (builder.index(0)?, builder.integer_type(64));
    let one = builder.integer(1, number)?;
    let kind = builder.number(ADD_INTEGERS);
    let operands = [one, anything, zero];
    builder.op(
        "memref.atomic_rmw",
        &operands,
        &[number],
        &[("kind", kind)],
        vec![],
    )?;
    Ok(())
}

fn store_all<'c, 'a>(
    builder: &Builder<'c, 'a>,
    values: &[Value<'c, 'a>],
    memory: &[Value<'c, 'a>],
    index: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    for (&value, &memory) in values.iter().zip(memory) {
        builder.store(value, memory, &[index])?;
    }
    Ok(())
}

fn load_all<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: &[Value<'c, 'a>],
    index: Value<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    memory
        .iter()
        .map(|&memory| Ok(builder.load(memory, &[index])?))
        .collect()
}

/// The lengths of the loops in a body, where they are deepest.
fn deepest<'c, 'a>(items: &[Item<'c, 'a>]) -> Vec<Size<'c, 'a>> {
    let loops = items.iter().filter_map(|item| match item {
        Item::Loop(inner) => {
            let mut lengths = vec![inner.length];
            lengths.extend(deepest(&inner.items));
            Some(lengths)
        }
        Item::Leaf(_) => None,
    });
    loops.fold(vec![], |longest, lengths| {
        if lengths.len() > longest.len() {
            lengths
        } else {
            longest
        }
    })
}
