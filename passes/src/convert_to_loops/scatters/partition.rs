//! Partitioned scatters. The destination is cut into *buckets* of places, each of
//! which fits a cache.
//!
//! 1. Each chunk computes its places and new elements, with vectors, into a *log* in
//!    the order of its iterations, and counts how many go to each bucket.
//! 2. At its end it puts what it has of them ([`Record`]) in the order of buckets,
//!    those of a bucket in their own order. Its share of the memory for records is as
//!    long as the chunk, so it stays in the cache meanwhile.
//! 3. When all chunks are done, threads take buckets. A bucket goes through the chunks
//!    in their order, and does with each record what the scatter is to do.
//!
//! So the elements of a place come in the order of the sources, whatever is done with
//! them: the result is that of one thread. (Radix partitioning, as in Manegold, Boncz
//! and Kersten, Optimizing Main-Memory Join on Modern Hardware, 2002; with a histogram
//! for each chunk rather than for all.)
//!
//! Cost: each record is written and read once more. Counters take memory for each pair
//! of a chunk and a bucket, so chunks grow with the number of buckets.

use comb_machine::tuning::partition::{CHUNK_SHARE, PART_OF_CACHE, RECORDS};
use melior::ir::Value;
use soac_dialect::builder::{Builder, Size};

use super::{
    Sink,
    extent::Extent,
    record::{Field, Record},
    strategy,
};
use crate::convert_to_loops::{
    emitter::{Emitted, Emitter, Place, Values},
    lanes::gathers::{combine, unravelled},
    lanes::memory::{each_lane, masked},
    lanes::{Lanes, Scope},
    plan::LeafId,
};

/// The places of a bucket at most, so that one can be said in 16 bits.
const MOST_PLACES: i64 = 1 << 16;

/// The memory of a partitioned scatter.
pub(super) struct Partition<'c, 'a> {
    pub number: LeafId,
    pub record: Record<'c, 'a>,
    /// The fields of all records, chunk by chunk, and bucket by bucket in each.
    pub fields: Values<'c, 'a>,
    /// Where the records of each chunk and bucket begin; and where those of the last
    /// bucket end.
    pub starts: Value<'c, 'a>,
    /// How many buckets there are, and how many bits say a place in one.
    pub buckets: Value<'c, 'a>,
    pub bits: i64,
    /// How many elements there are in an iteration of the loop that is cut into chunks.
    pub inner: Value<'c, 'a>,
}

/// What a chunk has written so far.
#[derive(Clone)]
pub(in crate::convert_to_loops) struct Log<'c, 'a> {
    number: LeafId,
    /// The bucket of each element.
    buckets: Value<'c, 'a>,
    /// How many elements go to each bucket.
    counts: Value<'c, 'a>,
    /// The fields of records that are not elements of inputs.
    fields: Vec<(Field<'c, 'a>, Option<Value<'c, 'a>>)>,
    /// How many loops there are around the one that is cut into chunks. Each runs once.
    level: usize,
    /// The chunk's first iteration.
    first: Value<'c, 'a>,
    bits: i64,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// How many bits say a place in a bucket.
    fn bucket_bits(&self, number: LeafId) -> i64 {
        let bytes = strategy::bytes_of_places(&self.plan.leaves[number].view);
        let places = (self.options.machine.second_cache_bytes / PART_OF_CACHE / bytes)
            .min(MOST_PLACES)
            .min(self.options.machine.chunk_instructions / CHUNK_SHARE)
            .max(1);
        i64::from(places.ilog2())
    }

    /// How many buckets a scatter's destination has.
    fn bucket_count(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        places: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let size = builder.index(1 << self.bucket_bits(number))?;
        Ok(builder.arithmetic("arith.ceildivsi", &[places, size])?)
    }

    /// How long chunks are at least, so that each has several records for each bucket.
    pub(super) fn length_with_buckets(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        extent: &Extent<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let buckets = self.bucket_count(builder, number, extent.places)?;
        let records = (self.options.machine.chunk_instructions / RECORDS).clamp(1, RECORDS);
        let records = builder.arithmetic("arith.muli", &[buckets, builder.index(records)?])?;
        extent.iterations_with(builder, records)
    }

    /// Memory for the records of all chunks.
    pub(super) fn open_partition(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        extent: &Extent<'c, 'a>,
        chunks: Value<'c, 'a>,
    ) -> Emitted<'c, Partition<'c, 'a>> {
        let record = self.record(number);
        let buckets = self.bucket_count(builder, number, extent.places)?;
        let fields = record
            .fields
            .iter()
            .map(|&field| {
                let r#type = self.field_type(builder, number, field);
                Ok(builder.allocate(&[Size::Dynamic(extent.elements)], r#type)?)
            })
            .collect::<Emitted<Values>>()?;
        let bounds = builder.arithmetic("arith.addi", &[buckets, builder.index(1)?])?;
        let starts = builder.arithmetic("arith.muli", &[chunks, bounds])?;
        Ok(Partition {
            number,
            record,
            fields,
            starts: builder.allocate(&[Size::Dynamic(starts)], builder.index_type())?,
            buckets,
            bits: self.bucket_bits(number),
            inner: extent.inner,
        })
    }

    /// Makes the scatter write into a log.
    pub(super) fn begin_log(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'c, 'a>,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let length = builder.arithmetic("arith.muli", &[length, partition.inner])?;
        let length = Size::Dynamic(length);
        let counts = builder.allocate(&[Size::Dynamic(partition.buckets)], builder.index_type())?;
        let zero = builder.index(0)?;
        builder.for_loop(partition.buckets, &[], |builder, bucket, _| {
            builder.store(zero, counts, &[bucket])?;
            Emitted::Ok(vec![])
        })?;
        let fields = partition.record.fields.iter();
        let fields = fields
            .map(|&field| {
                let r#type = self.field_type(builder, partition.number, field);
                Ok(match field {
                    Field::Input(_) => (field, None),
                    _ => (field, Some(builder.allocate(&[length], r#type)?)),
                })
            })
            .collect::<Emitted<Vec<_>>>()?;
        let log = Log {
            number: partition.number,
            buckets: builder.allocate(&[length], builder.integer_type(32))?,
            counts,
            fields,
            level: self.now.index.len(),
            first,
            bits: partition.bits,
        };
        self.scatters.insert(partition.number, Sink::Log(log));
        Ok(())
    }

    /// Writes the elements of an iteration into the log.
    pub(super) fn log(
        &mut self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
        place: Lanes<'c, 'a>,
        new: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let position = self.position_in_log(builder, log)?;
        let place = scope.whole(builder, place)?;
        let constant = |value: i64| scope.whole(builder, Lanes::Uniform(builder.index(value)?));
        let bucket = builder.arithmetic("arith.shrui", &[place, constant(log.bits)?])?;
        let r#type = scope.r#type(builder, builder.integer_type(32));
        let bucket = builder.value("arith.index_cast", &[bucket], r#type, &[])?;
        self.write_log(builder, log.buckets, position, scope.lanes(bucket, false))?;
        for &(field, memory) in &log.fields {
            let (Some(memory), field) = (memory, field) else {
                continue;
            };
            let value = match field {
                Field::New(number) => new[number],
                _ => {
                    let mask = constant((1 << log.bits) - 1)?;
                    let offset = builder.arithmetic("arith.andi", &[place, mask])?;
                    let r#type = self.field_type(builder, log.number, Field::Offset);
                    let r#type = scope.r#type(builder, r#type);
                    let offset = builder.value("arith.index_cast", &[offset], r#type, &[])?;
                    scope.lanes(offset, false)
                }
            };
            self.write_log(builder, memory, position, value)?;
        }
        self.count(builder, log, position)
    }

    /// Where the elements of this iteration are in the log.
    fn position_in_log(
        &self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        let scope = self.now.scope;
        let leaf = &self.plan.leaves[log.number];
        let first = Lanes::Uniform(log.first);
        let indices = self.now.index.iter().zip(&leaf.lengths);
        let own = self.now.index[log.level];
        let mut position = combine(builder, &scope, "arith.subi", own, first)?;
        for (&index, length) in indices.skip(log.level + 1) {
            let length = match length {
                Some(length) => Lanes::Uniform(builder.size_value(*length)?),
                None => continue,
            };
            position = combine(builder, &scope, "arith.muli", position, length)?;
            position = combine(builder, &scope, "arith.addi", position, index)?;
        }
        Ok(position)
    }

    fn write_log(
        &mut self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        position: Lanes<'c, 'a>,
        value: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let place = Place {
            memory,
            sizes: vec![],
            pitches: vec![],
            skipped: 0,
            is_read: true,
            is_aligned: false,
        };
        self.write(builder, &place, &[position], value)
    }

    /// Counts the elements of each bucket.
    fn count(
        &self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
        position: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        let count = |builder: &Builder<'c, 'a>, position: Value<'c, 'a>| {
            let bucket = load_index(builder, log.buckets, position)?;
            let before = builder.load(log.counts, &[bucket])?;
            let after = builder.arithmetic("arith.addi", &[before, one])?;
            builder.store(after, log.counts, &[bucket])?;
            Emitted::Ok(())
        };
        match position {
            Lanes::Steps { first, .. } => each_lane(builder, &self.now.scope, |builder, lane| {
                count(builder, builder.arithmetic("arith.addi", &[first, lane])?)
            }),
            _ => {
                let position = Scope::single().whole(builder, position)?;
                masked(builder, &self.now.scope, |builder| count(builder, position))
            }
        }
    }

    /// Puts the records of a chunk in the order of buckets.
    pub(super) fn end_log(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'c, 'a>,
        chunk: Value<'c, 'a>,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let Some(Sink::Log(log)) = self.scatters.remove(&partition.number) else {
            return Ok(());
        };
        let begin = builder.arithmetic("arith.muli", &[first, partition.inner])?;
        let past = builder.arithmetic("arith.muli", &[end, partition.inner])?;
        counts_to_places(builder, partition, &log, chunk, [begin, past])?;
        let length = builder.arithmetic("arith.subi", &[past, begin])?;
        let mut from = vec![];
        for &(field, memory) in &log.fields {
            from.push(match (field, memory) {
                (_, Some(memory)) => Source::Log(memory),
                (Field::Input(array), None) => Source::Input(self.input(array)?),
                (_, None) => continue,
            });
        }
        let one = builder.index(1)?;
        builder.for_loop(length, &[], |builder, position, _| {
            let bucket = load_index(builder, log.buckets, position)?;
            let place = builder.load(log.counts, &[bucket])?;
            let next = builder.arithmetic("arith.addi", &[place, one])?;
            builder.store(next, log.counts, &[bucket])?;
            for (from, &to) in from.iter().zip(&partition.fields) {
                let value = from.load(builder, begin, position)?;
                builder.store(value, to, &[place])?;
            }
            Emitted::Ok(vec![])
        })?;
        Ok(())
    }
}

/// Where a field of a record is, in the order of iterations.
enum Source<'c, 'a> {
    Log(Value<'c, 'a>),
    Input(Place<'c, 'a>),
}

impl<'c, 'a> Source<'c, 'a> {
    fn load(
        &self,
        builder: &Builder<'c, 'a>,
        begin: Value<'c, 'a>,
        position: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        Ok(match self {
            Self::Log(memory) => builder.load(*memory, &[position])?,
            Self::Input(place) => {
                let element = builder.arithmetic("arith.addi", &[begin, position])?;
                let index = unravelled(builder, &place.line(), element)?;
                builder.load(place.memory, &index)?
            }
        })
    }
}

/// Makes the counts of a chunk the places where its buckets begin.
fn counts_to_places<'c, 'a>(
    builder: &Builder<'c, 'a>,
    partition: &Partition<'c, 'a>,
    log: &Log<'c, 'a>,
    chunk: Value<'c, 'a>,
    [begin, past]: [Value<'c, 'a>; 2],
) -> Emitted<'c, ()> {
    let one = builder.index(1)?;
    let bounds = builder.arithmetic("arith.addi", &[partition.buckets, one])?;
    let row = builder.arithmetic("arith.muli", &[chunk, bounds])?;
    builder.for_loop(partition.buckets, &[begin], |builder, bucket, carried| {
        let place = carried[0];
        let count = builder.load(log.counts, &[bucket])?;
        builder.store(place, log.counts, &[bucket])?;
        let start = builder.arithmetic("arith.addi", &[row, bucket])?;
        builder.store(place, partition.starts, &[start])?;
        Emitted::Ok(vec![builder.arithmetic("arith.addi", &[place, count])?])
    })?;
    let last = builder.arithmetic("arith.addi", &[row, partition.buckets])?;
    builder.store(past, partition.starts, &[last])?;
    Ok(())
}

/// An index that is in memory as a smaller integer without sign.
pub(super) fn load_index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    position: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let value = builder.load(memory, &[position])?;
    Ok(builder.value("arith.index_castui", &[value], builder.index_type(), &[])?)
}
