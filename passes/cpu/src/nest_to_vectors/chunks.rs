//! The outermost loop, in chunks that threads work on at the same time.
//!
//! How long chunks are depends on the schedule and on sizes alone. What they fold is put together
//! in their order, so that no bit of a result depends on the number of threads. What scans and
//! filters carry goes from chunk to chunk ([`chained`](super::chained)); [scatters](super::scatters) have
//! [`tables`](super::tables) or [`buckets`](super::buckets). Where there are buckets, the loop is there
//! twice: one thread alone puts elements to their places.

use std::{cell::RefCell, collections::HashMap};

use melior::ir::{OperationRef, Type, Value, ValueLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{
    Emitted, Values, Vectors,
    buckets::Partition,
    carried::Combined,
    even::even_length,
    loops::Bounds,
    outside::{Lengths, estimate},
    scatters::Sharing,
    tables::Tables,
};
use comb_nest::nests::Nest;

use crate::{
    lanes::lambda::Local,
    waiting::{THREADS, thread_count},
};

/// Where a loop is cut.
struct Chunks<'c, 'a> {
    /// How many iterations it has.
    total: Value<'c, 'a>,
    /// How many a chunk has, but for the last.
    length: Value<'c, 'a>,
    /// What that is a multiple of.
    multiple: i64,
    count: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Chunks<'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        schedule: &Schedule,
        total: Value<'c, 'a>,
        least: Option<Value<'c, 'a>>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let (mut length, multiple) = length(builder, nest, schedule, total, local)?;
        if let Some(least) = least {
            let least = multiple_of(builder, least, multiple)?;
            length = builder.arithmetic("arith.maxsi", &[length, least])?;
        }
        Ok(Self {
            total,
            length,
            multiple,
            count: builder.arithmetic("arith.ceildivsi", &[total, length])?,
        })
    }

    /// The iterations of a chunk. What the first is a multiple of can be seen in the code.
    fn bounds(
        &self,
        builder: &Builder<'c, 'a>,
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, Bounds<'c, 'a>> {
        let multiple = builder.index(self.multiple)?;
        let groups = builder.arithmetic("arith.divui", &[self.length, multiple])?;
        let first = builder.arithmetic("arith.muli", &[chunk, groups])?;
        let first = builder.arithmetic("arith.muli", &[first, multiple])?;
        let end = builder.arithmetic("arith.addi", &[first, self.length])?;
        let end = builder.arithmetic("arith.minsi", &[end, self.total])?;
        Ok([first, end])
    }
}

/// What chunks of a loop have in common.
struct Shared<'s, 'c, 'a> {
    nest: &'s Nest<'c, 'a>,
    schedule: &'s Schedule,
    chunks: &'s Chunks<'c, 'a>,
    sharing: &'s Sharing<'c, 'a>,
    /// Whether there is one thread, or one chunk, if they scatter.
    is_alone: Option<Value<'c, 'a>>,
}

/// What there is for scatters while chunks run.
#[derive(Default)]
struct Scattered<'s, 'c, 'a> {
    tables: Vec<Tables<'c, 'a>>,
    partitions: Vec<Partition<'s, 'c, 'a>>,
}

/// A fold of which each chunk has a part.
struct Parts<'c, 'a> {
    fold: Combined<'c, 'a>,
    /// For each of its numbers, memory for what the chunks fold.
    memory: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        fold: Combined<'c, 'a>,
        count: Value<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let elements = fold.operator.elements();
        let memory =
            elements.map(|element| Ok(builder.allocate(&[Size::Dynamic(count)], element)?));
        Ok(Self {
            memory: memory.collect::<Emitted<Values>>()?,
            fold,
        })
    }

    fn store(
        &self,
        builder: &Builder<'c, 'a>,
        chunk: Value<'c, 'a>,
        states: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        for (value, &memory) in self.fold.of_all(states).into_iter().zip(&self.memory) {
            builder.store(value, memory, &[chunk])?;
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A loop whose iterations threads share.
    pub(super) fn in_chunks(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        schedule: &Schedule,
        [_, total]: Bounds<'c, 'a>,
        inits: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let nest = Nest::of(op);
        let sharing = Sharing::of(builder, &nest, schedule, total, local)?;
        let chunks = Chunks::of(builder, &nest, schedule, total, sharing.least, local)?;
        let shared = Shared {
            nest: &nest,
            schedule,
            chunks: &chunks,
            is_alone: self.is_alone(builder, &sharing, chunks.count)?,
            sharing: &sharing,
        };
        let Some((has_buckets, is_alone)) = sharing.has_buckets.zip(shared.is_alone) else {
            return self.chunked(builder, &shared, false, inits, local);
        };
        let never = builder.integer(0, builder.integer_type(1))?;
        let has_buckets = builder.select(is_alone, never, has_buckets)?;
        let types: Vec<Type> = inits.iter().map(|init| init.r#type()).collect();
        let this = RefCell::new((self, local));
        let code = |builder: &Builder<'c, 'a>, has_buckets| {
            let (this, local) = &mut *this.borrow_mut();
            this.chunked(builder, &shared, has_buckets, inits.clone(), local)
        };
        builder.if_else(
            has_buckets,
            &types,
            |builder| code(builder, true),
            |builder| code(builder, false),
        )
    }

    /// Whether one thread alone runs all of so many chunks that scatter; nothing if they do not.
    fn is_alone(
        &mut self,
        builder: &Builder<'c, 'a>,
        sharing: &Sharing<'c, 'a>,
        chunks: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        if sharing.scatters.is_empty() {
            return Ok(None);
        }
        self.called.insert(THREADS);
        let threads = thread_count(builder)?;
        let fewer = builder.arithmetic("arith.minsi", &[threads, chunks])?;
        let one = builder.index(1)?;
        Ok(Some(builder.compare(Predicate::Sle, fewer, one)?))
    }

    /// The chunks of a loop, with buckets for scatters that may have some, or without.
    fn chunked(
        &mut self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'_, 'c, 'a>,
        has_buckets: bool,
        inits: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let Shared { nest, chunks, .. } = shared;
        let combined = Combined::of(builder, nest, local)?.into_iter();
        let (scans, folds): (Vec<_>, Vec<_>) = combined.partition(|part| part.is_scan);
        let folds = folds
            .into_iter()
            .map(|fold| Parts::of(builder, fold, chunks.count));
        let folds = folds.collect::<Emitted<Vec<Parts>>>()?;
        let chain = self.begin_chain(builder, nest, scans, chunks.count, &inits)?;
        let (op, order) = match &chain {
            Some(chain) => (chain.op, "interleaved"),
            None => (nest.op, "contiguous"),
        };
        let scattered = self.open_scatters(builder, shared, has_buckets.then_some(op), local)?;
        let schedule = &Schedule::of(op).ok().flatten().unwrap_or(*shared.schedule);
        builder.parallel_loop(chunks.count, order, |builder, chunk| {
            let bounds = chunks.bounds(builder, chunk)?;
            self.begin_scatters(builder, &scattered, chunk, bounds, local)?;
            self.take_locals(builder, op, local)?;
            let mut states = inits.clone();
            for Parts { fold, .. } in &folds {
                fold.put(&mut states, fold.operator.neutrals.clone());
            }
            let ends_around = self.ends_kept.replace(HashMap::new());
            if let Some(chain) = &chain {
                self.enter_chunk(builder, chain, chunk, bounds, &mut states, local)?;
                states.extend(&chain.sums);
            }
            let mut states = self.part(builder, op, schedule, bounds, states, local)?;
            self.ends_kept = ends_around;
            let sums = states.split_off(inits.len());
            if let Some(chain) = &chain {
                self.leave_chunk(builder, chain, chunk, &states, &sums)?;
            }
            for partition in &scattered.partitions {
                self.end_log(builder, partition, chunk, bounds)?;
            }
            let mut folds = folds.iter();
            folds.try_for_each(|parts| parts.store(builder, chunk, &states))
        })?;
        let mut states = inits;
        if let Some(chain) = &chain {
            chain.end(builder, &mut states)?;
        }
        self.finish_scatters(builder, &scattered, chunks.count, local)?;
        for parts in &folds {
            self.fold_parts(builder, parts, chunks.count, &mut states)?;
        }
        Ok(states)
    }

    /// What the scatters of a loop need before its chunks begin, given the loop that they run if there are
    /// buckets.
    fn open_scatters<'s>(
        &mut self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'s, 'c, 'a>,
        with_buckets: Option<OperationRef<'c, 'a>>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Scattered<'s, 'c, 'a>> {
        let chunks = shared.chunks;
        let mut scattered = Scattered::default();
        for scatter in shared.sharing.with_tables(with_buckets.is_some()) {
            if let Some(is_alone) = shared.is_alone {
                let tables = self.open_tables(builder, scatter, chunks.count, is_alone)?;
                scattered.tables.push(tables);
            }
        }
        if let Some(op) = with_buckets {
            let (nest, sizes) = (Nest::of(op), [chunks.total, chunks.count]);
            for scatter in shared.sharing.with_buckets() {
                let partition = Partition::of(builder, &nest, scatter, sizes, local)?;
                scattered.partitions.push(partition);
            }
        }
        Ok(scattered)
    }

    fn begin_scatters(
        &mut self,
        builder: &Builder<'c, 'a>,
        scattered: &Scattered<'_, 'c, 'a>,
        chunk: Value<'c, 'a>,
        bounds: Bounds<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for tables in &scattered.tables {
            tables.begin(builder, chunk, local)?;
        }
        let mut partitions = scattered.partitions.iter();
        partitions.try_for_each(|partition| self.begin_log(builder, partition, bounds))
    }

    fn finish_scatters(
        &mut self,
        builder: &Builder<'c, 'a>,
        scattered: &Scattered<'_, 'c, 'a>,
        chunks: Value<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for tables in &scattered.tables {
            self.close_tables(builder, tables, local)?;
        }
        let mut partitions = scattered.partitions.iter();
        partitions.try_for_each(|partition| self.empty_buckets(builder, partition, chunks))
    }

    /// Folds what the chunks have folded, in their order.
    fn fold_parts(
        &mut self,
        builder: &Builder<'c, 'a>,
        Parts { fold, memory }: &Parts<'c, 'a>,
        count: Value<'c, 'a>,
        states: &mut [Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let before = fold.of_all(states);
        let folded = builder.for_loop(count, &before, |builder, chunk, states| {
            let part = memory.iter();
            let part = part.map(|&memory| Ok(builder.load(memory, &[chunk])?));
            let part = part.collect::<Emitted<Values>>()?;
            fold.operator.combined(self, builder, states, &part)
        })?;
        fold.put(states, folded);
        Ok(())
    }
}

/// How many iterations a chunk has, but for the last, and what that is a multiple of.
fn length<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    schedule: &Schedule,
    total: Value<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, (Value<'c, 'a>, i64)> {
    let chunk = schedule.chunk.unwrap_or(u64::MAX).min(i64::MAX as u64) as i64;
    let lanes = (schedule.lanes * schedule.accumulators) as i64;
    if nest.is_innermost() {
        let multiple = if chunk > 2 * lanes { lanes } else { 1 };
        let most = builder.index(chunk - chunk % multiple)?;
        let length = even_length(builder, total, most, multiple)?;
        return Ok((length, multiple));
    }
    let mut around: Lengths = nest
        .index()
        .map(|index| (index, total))
        .into_iter()
        .collect();
    let product = greatest_product(builder, nest, nest, &mut around, local)?;
    let length = builder.arithmetic("arith.divsi", &[builder.index(chunk)?, product])?;
    let most = builder.arithmetic("arith.maxsi", &[length, builder.index(1)?])?;
    let length = even_length(builder, total, most, 1)?;
    if lanes == 1 {
        return Ok((length, 1));
    }
    Ok((multiple_of(builder, length, lanes)?, lanes))
}

/// The least multiple of a number that is no less than another one.
fn multiple_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    least: Value<'c, 'a>,
    number: i64,
) -> Emitted<'c, Value<'c, 'a>> {
    let number = builder.index(number)?;
    let groups = builder.arithmetic("arith.ceildivsi", &[least, number])?;
    Ok(builder.arithmetic("arith.muli", &[groups, number])?)
}

/// The greatest product of the lengths of loops inside one, but 1 at least. A length that is only
/// known inside is [estimated](super::outside::estimate); if it cannot be, it counts as 1.
fn greatest_product<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    outermost: &Nest<'c, 'a>,
    nest: &Nest<'c, 'a>,
    around: &mut Lengths<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let mut greatest = builder.index(1)?;
    for inner in &nest.inner {
        let length = match inner.length() {
            Some(length) => estimate(builder, outermost, local, around, length)?,
            None => None,
        };
        let length = length.filter(|length| length.r#type() == builder.index_type());
        let before = around.len();
        around.extend(inner.index().zip(length));
        let mut product = greatest_product(builder, outermost, inner, around, local)?;
        around.truncate(before);
        if let Some(length) = length {
            product = builder.arithmetic("arith.muli", &[product, length])?;
        }
        greatest = builder.arithmetic("arith.maxsi", &[product, greatest])?;
    }
    Ok(greatest)
}
