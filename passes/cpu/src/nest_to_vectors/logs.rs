//! The log of a chunk: what it keeps of the elements that it scatters, in the order of its iterations, until
//! the chunk's end.
//!
//! Numbers are computed in all lanes, and stored as vectors. Lanes that are masked come one after the
//! other.
//!
//! Cost: a store for each vector of numbers.

use melior::ir::{OperationRef, Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Size},
    view::OpView,
};

use super::{Emitted, Vectors};
use comb_kit::checks::facts::key;

use crate::lanes::{
    Lanes, Scope,
    gathers::{Line, linear},
    lambda::{Local, lookup},
    memory::{each_lane, element_type, masked, store_vector},
};

/// The bits of a bucket's number, and of a place in one.
pub(super) const BITS: u32 = 16;

/// What a chunk has scattered so far.
#[derive(Clone)]
pub(super) struct Log<'c, 'a> {
    /// How many elements there are.
    count: Value<'c, 'a>,
    /// The bucket of each.
    pub buckets: Value<'c, 'a>,
    /// The place of each in its bucket, if that is kept.
    pub places: Option<Value<'c, 'a>>,
    /// Other values of the loop, and memory for them.
    pub fields: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    dest: Value<'c, 'a>,
    /// How many bits say a place in a bucket.
    bits: i64,
}

/// What a log holds.
pub(super) struct Form<'f, 'c, 'a> {
    pub has_places: bool,
    pub fields: &'f [Value<'c, 'a>],
    /// How many bits say a place in a bucket.
    pub bits: i64,
}

/// Memory, and what is stored there.
type Stored<'c, 'a> = Vec<(Value<'c, 'a>, Value<'c, 'a>)>;

impl<'c: 'a, 'a> Log<'c, 'a> {
    /// One for so many elements of a destination at most, without any.
    pub fn of(
        builder: &Builder<'c, 'a>,
        dest: Value<'c, 'a>,
        most: Value<'c, 'a>,
        form: &Form<'_, 'c, 'a>,
    ) -> Emitted<'c, Self> {
        let counter = builder.r#type("memref<1xindex>")?;
        let none = [("operandSegmentSizes", builder.segments(&[0, 0]))];
        let count = builder.value("memref.alloca", &[], counter, &none)?;
        let zero = builder.index(0)?;
        builder.store(zero, count, &[zero])?;
        let memory = |element| builder.allocate(&[Size::Dynamic(most)], element);
        let narrow = builder.integer_type(BITS);
        let fields = form.fields.iter();
        let fields = fields.map(|&value| Ok((value, memory(value.r#type())?)));
        Ok(Self {
            count,
            buckets: memory(narrow)?,
            places: match form.has_places {
                true => Some(memory(narrow)?),
                false => None,
            },
            fields: fields.collect::<Emitted<_>>()?,
            dest,
            bits: form.bits,
        })
    }

    /// How many elements there are.
    pub fn count(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(builder.load(self.count, &[builder.index(0)?])?)
    }

    fn add(&self, builder: &Builder<'c, 'a>, count: Value<'c, 'a>, more: u64) -> Emitted<'c, ()> {
        let more = builder.index(more as i64)?;
        let count = builder.arithmetic("arith.addi", &[count, more])?;
        Ok(builder.store(count, self.count, &[builder.index(0)?])?)
    }

    /// What is stored of an element whose place in the destination is known.
    fn stored(
        &self,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        place: Lanes<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Stored<'c, 'a>> {
        let narrow = scope.r#type(builder, builder.integer_type(BITS));
        let narrowed = |place| builder.value("arith.index_cast", &[place], narrow, &[]);
        let all = |number| scope.whole(builder, Lanes::Uniform(builder.index(number)?));
        let place = scope.whole(builder, place)?;
        let bucket = builder.arithmetic("arith.shrui", &[place, all(self.bits)?])?;
        let mut stored = vec![(self.buckets, narrowed(bucket)?)];
        if let Some(places) = self.places {
            let mask = all((1 << self.bits) - 1)?;
            let place = builder.arithmetic("arith.andi", &[place, mask])?;
            stored.push((places, narrowed(place)?));
        }
        for &(value, memory) in &self.fields {
            stored.push((memory, scope.whole(builder, lookup(local, value))?));
        }
        Ok(stored)
    }

    /// Adds a vector, all lanes of which count.
    fn add_vector(
        &self,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        stored: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> Emitted<'c, ()> {
        let count = self.count(builder)?;
        for &(memory, value) in stored {
            store_vector(builder, scope, memory, &[count], value)?;
        }
        self.add(builder, count, scope.width)
    }

    fn add_one(
        &self,
        builder: &Builder<'c, 'a>,
        stored: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> Emitted<'c, ()> {
        let count = self.count(builder)?;
        for &(memory, value) in stored {
            builder.store(value, memory, &[count])?;
        }
        self.add(builder, count, 1)
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// The log in which a scatter is noted, if there is one.
    pub(super) fn log_of(&self, scatter: OperationRef<'c, 'a>) -> Option<Log<'c, 'a>> {
        let view = OpView::of(scatter);
        let dest = view.operands[view.group(1)].first()?;
        self.logs.get(&key(*dest)).cloned()
    }

    /// Notes what a scatter does at an iteration.
    pub(super) fn note(
        &mut self,
        builder: &Builder<'c, 'a>,
        log: &Log<'c, 'a>,
        index: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.scope;
        let line = Line {
            memory: log.dest,
            pitches: builder.sizes(log.dest)?,
        };
        let place = linear(builder, &scope, &line, index)?;
        let stored = log.stored(builder, &scope, place, local)?;
        match (scope.is_vector(), scope.mask) {
            (true, None) => log.add_vector(builder, &scope, &stored),
            (true, Some(_)) => each_lane(builder, &scope, |builder, lane| {
                let single = stored.iter().map(|&(memory, wide)| {
                    let r#type = element_type(memory)?;
                    Ok((memory, builder.lane_at(wide, lane, r#type)?))
                });
                log.add_one(builder, &single.collect::<Emitted<Stored>>()?)
            }),
            (false, _) => masked(builder, &scope, |builder| log.add_one(builder, &stored)),
        }
    }
}
