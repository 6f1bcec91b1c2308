//! The buckets of a partitioned scatter, when all chunks have sorted their records:
//! threads take buckets, and put elements to their places.

use std::collections::BTreeMap;

use melior::ir::Value;
use soac_dialect::builder::Builder;

use super::{
    partition::{Partition, load_index},
    record::Field,
};
use crate::{
    checks::facts::key,
    convert_to_loops::{
        applications::Site,
        emitter::{Emitted, Emitter, Iteration},
        lanes::Lanes,
    },
    loop_annotation::{Advice, advised_loop},
    transformations::Transformation,
};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Puts all elements to their places, bucket by bucket.
    pub(super) fn empty_buckets(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'c, 'a>,
        chunks: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        let bounds = builder.arithmetic("arith.addi", &[partition.buckets, one])?;
        builder.parallel_loop(partition.buckets, "interleaved", |builder, bucket| {
            let bits = builder.index(partition.bits)?;
            let place = builder.arithmetic("arith.shli", &[bucket, bits])?;
            builder.for_loop(chunks, &[], |builder, chunk, _| {
                let row = builder.arithmetic("arith.muli", &[chunk, bounds])?;
                let start = builder.arithmetic("arith.addi", &[row, bucket])?;
                let next = builder.arithmetic("arith.addi", &[start, one])?;
                let start = builder.load(partition.starts, &[start])?;
                let end = builder.load(partition.starts, &[next])?;
                // There is little to do for a record.
                let advice = match self.applies(Transformation::Unrolling, Site::Plan) {
                    true => Advice::FourTimes,
                    false => Advice::NoUnrolling,
                };
                let bounds = [start, end, one];
                advised_loop(builder, bounds, advice, |builder, record| {
                    self.put_record(builder, partition, place, record)
                })?;
                Emitted::Ok(vec![])
            })?;
            Emitted::Ok(())
        })
    }

    /// Puts the element of a record to its place.
    fn put_record(
        &mut self,
        builder: &Builder<'c, 'a>,
        partition: &Partition<'c, 'a>,
        first_place: Value<'c, 'a>,
        record: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let outer = std::mem::replace(&mut self.now, Iteration::single());
        let mut offset = None;
        let mut stored: BTreeMap<usize, Value> = BTreeMap::new();
        for (&field, &memory) in partition.record.fields.iter().zip(&partition.fields) {
            match field {
                Field::Offset => {
                    let place = load_index(builder, memory, record)?;
                    offset = Some(builder.arithmetic("arith.addi", &[first_place, place])?);
                }
                Field::New(position) => {
                    stored.insert(position, builder.load(memory, &[record])?);
                }
                Field::Input(array) => {
                    let value = Lanes::Uniform(builder.load(memory, &[record])?);
                    self.now.given.insert(key(array), value);
                }
            }
        }
        let (number, record) = (partition.number, &partition.record);
        self.put_computed_again(builder, number, record, offset, &stored)?;
        self.now = outer;
        Ok(())
    }
}
