//! Scatters of which threads take *buckets*: parts of the destination, each of which fits a cache.
//!
//! 1. Each chunk writes into a [log](super::logs), in the order of its iterations, to which bucket each
//!    element goes, and what is kept of it ([`Record`]).
//! 2. At its end it puts records in the order of buckets, those of a bucket in their own order. Its share
//!    of the memory for records is as long as the chunk, so it stays in a cache meanwhile.
//! 3. When all chunks are done, threads take buckets. A bucket goes through the chunks in their order,
//!    and does with each record what the scatter is to do.
//!
//! So the elements of a place come in the order of iterations, whatever is done with them: the result is
//! that of one thread.
//!
//! Source: radix partitioning, Manegold, Boncz and Kersten, Optimizing Main-Memory Join on Modern Hardware,
//! 2002; with a histogram for each chunk rather than for all.
//! Cost: each record is written and read once more. Counters take memory for each pair of a chunk and a
//! bucket, so chunks grow with the number of buckets.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::{Builder, Size};

use super::{
    Emitted, Values, Vectors,
    logs::{BITS, Form, Log},
    loops::Bounds,
    memory::is_line,
    outside::outside,
    records::{compute_again, operands_of, read_again},
    scatters::Shared,
};
use comb_kit::{
    checks::facts::key,
    loop_annotation::{Advice, advised_loop},
};
use comb_nest::nests::Nest;

use crate::{
    lanes::{Lanes, internal, lambda::Local},
    nest_schedule::{
        records::{Field, Record},
        scatters::Buckets,
    },
};

/// The records of a scatter.
pub(super) struct Partition<'s, 'c, 'a> {
    scatter: &'s Shared<'c, 'a>,
    /// The scatter in the loop that chunks run.
    op: OperationRef<'c, 'a>,
    index: Value<'c, 'a>,
    record: Record<'c, 'a>,
    /// What is known before the loop.
    before: Local<'c, 'a>,
    /// The places of all records in their buckets, if they are kept: chunk by chunk, and bucket by bucket
    /// in each.
    places: Option<Value<'c, 'a>>,
    /// The fields of all records in that order.
    fields: Values<'c, 'a>,
    /// Where the records of each chunk and bucket begin, and where those of its last bucket end.
    starts: Value<'c, 'a>,
    /// How many buckets there are, and how many bits say a place in one.
    buckets: Value<'c, 'a>,
    bits: i64,
}

impl<'s, 'c: 'a, 'a> Partition<'s, 'c, 'a> {
    /// Memory for the records of a loop with so many iterations, in so many chunks. The loop may be a copy
    /// of that in which the scatter was.
    pub fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        (scatter, buckets): (&'s Shared<'c, 'a>, Buckets),
        [total, chunks]: [Value<'c, 'a>; 2],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let missing = || internal(scatter.op.location(), "a copy of its loop has it not");
        let op = scatter.in_copy(nest).ok_or_else(missing)?;
        let all = builder.arithmetic("arith.muli", &[total, scatter.inner])?;
        let memory = |element| builder.allocate(&[Size::Dynamic(all)], element);
        let record = Record::of(nest, op);
        let fields = record.fields.iter();
        let fields = fields.map(|field| Ok(memory(field.value.r#type())?));
        let fields = fields.collect::<Emitted<Values>>()?;
        let count = scatter.bucket_count(builder, buckets)?;
        let bounds = builder.arithmetic("arith.addi", &[count, builder.index(1)?])?;
        let starts = builder.arithmetic("arith.muli", &[chunks, bounds])?;
        Ok(Self {
            scatter,
            op,
            index: nest.index().ok_or_else(missing)?,
            before: known_before(builder, nest, op, &record, local)?,
            places: match record.has_place {
                true => Some(memory(builder.integer_type(BITS))?),
                false => None,
            },
            record,
            fields,
            starts: builder.allocate(&[Size::Dynamic(starts)], builder.index_type())?,
            buckets: count,
            bits: i64::from(buckets.places.ilog2()),
        })
    }

    /// The fields that are in the log.
    fn logged(&self) -> Values<'c, 'a> {
        let fields = self.record.fields.iter();
        let logged = fields.filter(|field| field.read.is_none());
        logged.map(|field| field.value).collect()
    }

    /// Where it is said with which record the first bucket of a chunk begins.
    fn row(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let bounds = builder.arithmetic("arith.addi", &[self.buckets, builder.index(1)?])?;
        Ok(builder.arithmetic("arith.muli", &[chunk, bounds])?)
    }

    /// How many elements of a log go to each bucket.
    fn counted(
        &self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
        length: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let counts = builder.allocate(&[Size::Dynamic(self.buckets)], builder.index_type())?;
        builder.for_loop(self.buckets, &[], |builder, bucket, _| {
            builder.store(zero, counts, &[bucket])?;
            Emitted::Ok(vec![])
        })?;
        builder.for_loop(length, &[], |builder, number, _| {
            let bucket = as_index(builder, builder.load(log.buckets, &[number])?)?;
            let before = builder.load(counts, &[bucket])?;
            let after = builder.arithmetic("arith.addi", &[before, one])?;
            builder.store(after, counts, &[bucket])?;
            Emitted::Ok(vec![])
        })?;
        Ok(counts)
    }

    /// Makes the counts of a chunk the numbers of the records with which its buckets begin.
    fn begin_buckets(
        &self,
        builder: &Builder<'c, 'a>,
        counts: Value<'c, 'a>,
        chunk: Value<'c, 'a>,
        begin: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let row = self.row(builder, chunk)?;
        let end = builder.for_loop(self.buckets, &[begin], |builder, bucket, carried| {
            let record = carried[0];
            let count = builder.load(counts, &[bucket])?;
            builder.store(record, counts, &[bucket])?;
            let start = builder.arithmetic("arith.addi", &[row, bucket])?;
            builder.store(record, self.starts, &[start])?;
            Emitted::Ok(vec![builder.arithmetic("arith.addi", &[record, count])?])
        })?;
        let last = builder.arithmetic("arith.addi", &[row, self.buckets])?;
        Ok(builder.store(end[0], self.starts, &[last])?)
    }

    /// Puts the records of a chunk in the order of buckets.
    fn sort(
        &self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
        chunk: Value<'c, 'a>,
        first: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        let length = log.count(builder)?;
        let next = self.counted(builder, log, length)?;
        let begin = builder.arithmetic("arith.muli", &[first, self.scatter.inner])?;
        self.begin_buckets(builder, next, chunk, begin)?;
        builder.for_loop(length, &[], |builder, number, _| {
            let bucket = as_index(builder, builder.load(log.buckets, &[number])?)?;
            let record = builder.load(next, &[bucket])?;
            let behind = builder.arithmetic("arith.addi", &[record, one])?;
            builder.store(behind, next, &[bucket])?;
            if let (Some(from), Some(to)) = (log.places, self.places) {
                builder.store(builder.load(from, &[number])?, to, &[record])?;
            }
            let iteration = builder.arithmetic("arith.addi", &[first, number])?;
            for (field, &to) in self.record.fields.iter().zip(&self.fields) {
                let value = self.noted(builder, log, field, [number, iteration])?;
                builder.store(value, to, &[record])?;
            }
            Emitted::Ok(vec![])
        })?;
        Ok(())
    }

    /// A field of an element, by its number in the log, or of an iteration.
    fn noted(
        &self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
        field: &Field<'c, 'a>,
        [number, iteration]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, Value<'c, 'a>> {
        if let Some(read) = field.read {
            return read_again(builder, read, [self.index, iteration], &self.before);
        }
        let mut logged = log.fields.iter();
        let logged = logged.find(|(value, _)| *value == field.value);
        let missing = || internal(self.op.location(), "a log has not all that is kept");
        let (_, memory) = logged.ok_or_else(missing)?;
        Ok(builder.load(*memory, &[number])?)
    }

    /// The values that a record has, and what is computed of them again.
    fn computed_again(
        &self,
        builder: &Builder<'c, 'a>,
        record: Value<'c, 'a>,
    ) -> Emitted<'c, Local<'c, 'a>> {
        let fields = self.fields.iter();
        let fields = fields.map(|&memory| Ok(builder.load(memory, &[record])?));
        let fields = fields.collect::<Emitted<Values>>()?;
        let mut values = self.before.clone();
        compute_again(builder, &self.record, fields, &mut values);
        Ok(values)
    }

    /// The index of a place in the destinations' memory.
    fn index(
        &self,
        builder: &Builder<'c, 'a>,
        place: Value<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let dests = self.scatter.dests.iter().map(|&dest| is_line(dest));
        let are_lines = dests.collect::<Emitted<Vec<_>>>()?;
        let inner = &self.scatter.sizes[1..];
        if are_lines.into_iter().all(|is_line| is_line) {
            // Only the address matters.
            let zero = builder.index(0)?;
            return Ok(inner.iter().map(|_| zero).chain([place]).collect());
        }
        let (mut left, mut index) = (place, vec![]);
        for &size in inner.iter().rev() {
            let size = builder.size_value(size)?;
            index.push(builder.arithmetic("arith.remui", &[left, size])?);
            left = builder.arithmetic("arith.divui", &[left, size])?;
        }
        index.push(left);
        index.reverse();
        Ok(index)
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Has a scatter of a chunk write into a log.
    pub(super) fn begin_log(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'_, 'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scatter = partition.scatter;
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let most = builder.arithmetic("arith.muli", &[length, scatter.inner])?;
        let form = Form {
            has_places: partition.places.is_some(),
            fields: &partition.logged(),
            bits: partition.bits,
        };
        let log = Log::of(builder, scatter.dests[0], most, &form)?;
        self.logs.insert(key(scatter.names[0]), log);
        Ok(())
    }

    /// Puts what a chunk's log has in the order of buckets.
    pub(super) fn end_log(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'_, 'c, 'a>,
        chunk: Value<'c, 'a>,
        [first, _]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        match self.logs.remove(&key(partition.scatter.names[0])) {
            Some(log) => partition.sort(builder, &log, chunk, first),
            None => Ok(()),
        }
    }

    /// Puts all elements to their places, bucket by bucket.
    pub(super) fn empty_buckets(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'_, 'c, 'a>,
        chunks: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        builder.parallel_loop(partition.buckets, "interleaved", |builder, bucket| {
            let bits = builder.index(partition.bits)?;
            let first = builder.arithmetic("arith.shli", &[bucket, bits])?;
            builder.for_loop(chunks, &[], |builder, chunk, _| {
                let start = partition.row(builder, chunk)?;
                let start = builder.arithmetic("arith.addi", &[start, bucket])?;
                let next = builder.arithmetic("arith.addi", &[start, one])?;
                let start = builder.load(partition.starts, &[start])?;
                let end = builder.load(partition.starts, &[next])?;
                // There is little to do for a record.
                let (bounds, advice) = ([start, end, one], Advice::FourTimes);
                advised_loop(builder, bounds, advice, |builder, record| {
                    self.put_record(builder, partition, first, record)
                })?;
                Emitted::Ok(vec![])
            })?;
            Emitted::Ok(())
        })
    }

    /// Puts the elements of a record to their place in a bucket.
    fn put_record(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'_, 'c, 'a>,
        first: Value<'c, 'a>,
        record: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let values = partition.computed_again(builder, record)?;
        let index = match partition.places {
            Some(places) => {
                let place = as_index(builder, builder.load(places, &[record])?)?;
                let place = builder.arithmetic("arith.addi", &[first, place])?;
                partition.index(builder, place)?
            }
            None => operands_of(partition.op, 2, &values)?,
        };
        let scatter = partition.scatter;
        let new = operands_of(partition.op, 0, &values)?;
        self.put(builder, &scatter.operator, &new, &scatter.dests, &index)
    }
}

/// What the values that are computed again, or kept, depend on, where that is known before the loop.
fn known_before<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    scatter: OperationRef<'c, 'a>,
    record: &Record<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, Local<'c, 'a>> {
    let reads = record.fields.iter().filter_map(|field| field.read);
    let users = record.again.iter().copied().chain(reads).chain([scatter]);
    let mut before = Local::new();
    for value in users.flat_map(|op| op.operands().collect::<Values>()) {
        if let Some(known) = outside(builder, nest, local, value)? {
            before.insert(key(value), Lanes::Uniform(known));
        }
    }
    Ok(before)
}

/// An integer without sign as an index.
fn as_index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let index = builder.index_type();
    Ok(builder.value("arith.index_castui", &[number], index, &[])?)
}
