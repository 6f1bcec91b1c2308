//! Scatters of which threads take *buckets*: parts of the destination, each of which fits a cache.
//!
//! 1. Each chunk writes places and new elements into a [log](super::logs), in the order of its iterations.
//! 2. At its end it puts records, which are the place in a bucket and the new elements, in the order of
//!    buckets, those of a bucket in their own order. The log is as long as the chunk, so it stays in a
//!    cache meanwhile.
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

use melior::ir::{Type, Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Size},
    view::OpView,
};

use super::{
    Emitted, Values, Vectors, logs::Log, loops::Bounds, memory::is_line, outside::outside,
    scatters::Shared,
};
use crate::{
    checks::facts::key,
    lanes::{lambda::Local, memory::element_type},
    loop_annotation::{Advice, advised_loop},
    nest_schedule::{nests::Nest, scatters::Buckets},
};

/// The bits of a place in a bucket.
const BITS_OF_OFFSET: u32 = 16;

/// The records of a scatter.
pub(super) struct Partition<'s, 'c, 'a> {
    scatter: &'s Shared<'c, 'a>,
    /// The places of all records in their buckets, chunk by chunk, and bucket by bucket in each.
    offsets: Value<'c, 'a>,
    /// What there is for the new elements of each destination.
    elements: Vec<Element<'c, 'a>>,
    /// Where the records of each chunk and bucket begin, and where those of its last bucket end.
    starts: Value<'c, 'a>,
    /// How many buckets there are, and how many bits say a place in one.
    buckets: Value<'c, 'a>,
    bits: i64,
}

/// New elements.
#[derive(Clone, Copy)]
enum Element<'c, 'a> {
    /// The same everywhere.
    Same(Value<'c, 'a>),
    /// One for each record.
    Each(Value<'c, 'a>),
}

impl<'s, 'c: 'a, 'a> Partition<'s, 'c, 'a> {
    /// Memory for the records of a loop with so many iterations, in so many chunks.
    pub fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        (scatter, buckets): (&'s Shared<'c, 'a>, Buckets),
        [total, chunks]: [Value<'c, 'a>; 2],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let all = builder.arithmetic("arith.muli", &[total, scatter.inner])?;
        let all = [Size::Dynamic(all)];
        let view = OpView::of(scatter.op);
        let values = view.operands[view.group(0)].iter();
        let elements = values.map(|&value| {
            Ok(match outside(builder, nest, local, value)? {
                Some(known) => Element::Same(known),
                None => Element::Each(builder.allocate(&all, value.r#type())?),
            })
        });
        let elements = elements.collect::<Emitted<_>>()?;
        let count = scatter.bucket_count(builder, buckets)?;
        let bounds = builder.arithmetic("arith.addi", &[count, builder.index(1)?])?;
        let starts = builder.arithmetic("arith.muli", &[chunks, bounds])?;
        Ok(Self {
            scatter,
            offsets: builder.allocate(&all, builder.integer_type(BITS_OF_OFFSET))?,
            elements,
            starts: builder.allocate(&[Size::Dynamic(starts)], builder.index_type())?,
            buckets: count,
            bits: i64::from(buckets.places.ilog2()),
        })
    }

    /// Where it is said in which place the records of a chunk begin that go to the first bucket.
    fn row(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let bounds = builder.arithmetic("arith.addi", &[self.buckets, builder.index(1)?])?;
        Ok(builder.arithmetic("arith.muli", &[chunk, bounds])?)
    }

    /// The bucket of an element of a log, and its place there.
    fn split(
        &self,
        builder: &Builder<'c, 'a>,
        place: Value<'c, 'a>,
    ) -> Emitted<'c, [Value<'c, 'a>; 2]> {
        let number = place.r#type();
        let bits = builder.integer(self.bits, number)?;
        let bucket = builder.arithmetic("arith.shrui", &[place, bits])?;
        let bucket = as_index(builder, bucket)?;
        let mask = builder.integer((1 << self.bits) - 1, number)?;
        let offset = builder.arithmetic("arith.andi", &[place, mask])?;
        let narrow = builder.integer_type(BITS_OF_OFFSET);
        let offset = builder.value("arith.trunci", &[offset], narrow, &[])?;
        Ok([bucket, offset])
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
            let place = builder.load(log.places, &[number])?;
            let [bucket, _] = self.split(builder, place)?;
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
            let place = builder.load(log.places, &[number])?;
            let [bucket, offset] = self.split(builder, place)?;
            let record = builder.load(next, &[bucket])?;
            let behind = builder.arithmetic("arith.addi", &[record, one])?;
            builder.store(behind, next, &[bucket])?;
            builder.store(offset, self.offsets, &[record])?;
            for (from, to) in log.elements.iter().zip(&self.elements) {
                if let (Some(from), Element::Each(to)) = (from, to) {
                    builder.store(builder.load(*from, &[number])?, *to, &[record])?;
                }
            }
            Emitted::Ok(vec![])
        })?;
        Ok(())
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
        let elements = partition.elements.iter().map(|element| match *element {
            Element::Same(_) => Ok(None),
            Element::Each(memory) => element_type(memory).map(Some),
        });
        let elements = elements.collect::<Emitted<Vec<Option<Type>>>>()?;
        let log = Log::of(builder, scatter.dests[0], most, &elements)?;
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
        let offset = as_index(builder, builder.load(partition.offsets, &[record])?)?;
        let place = builder.arithmetic("arith.addi", &[first, offset])?;
        let index = partition.index(builder, place)?;
        let values = partition.elements.iter().map(|element| match *element {
            Element::Same(value) => Ok(value),
            Element::Each(memory) => Ok(builder.load(memory, &[record])?),
        });
        let values = values.collect::<Emitted<Values>>()?;
        let scatter = partition.scatter;
        self.put(builder, &scatter.operator, &values, &scatter.dests, &index)
    }
}

/// An integer without sign as an index.
fn as_index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let index = builder.index_type();
    Ok(builder.value("arith.index_castui", &[number], index, &[])?)
}
