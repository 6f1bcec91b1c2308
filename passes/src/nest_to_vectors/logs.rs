//! The log of a chunk: what it scatters, in the order of its iterations, until the chunk's end.
//!
//! Places and new elements are computed in all lanes, and stored as vectors. Lanes that are masked come
//! one after the other.
//!
//! Cost: a store for each vector of places, and of each new element.

use melior::ir::{OperationRef, Type, Value};
use soac_dialect::{
    builder::{Builder, Size},
    view::OpView,
};

use super::{Emitted, Values, Vectors};
use crate::{
    checks::facts::key,
    lanes::{
        Lanes, Scope,
        gathers::{Line, linear},
        memory::{each_lane, element_type, masked, store_vector},
    },
};

/// What a chunk has scattered so far.
#[derive(Clone)]
pub(super) struct Log<'c, 'a> {
    /// How many elements there are.
    count: Value<'c, 'a>,
    /// Where each belongs: the number of a place in row-major order.
    pub places: Value<'c, 'a>,
    /// The new elements of each destination; nothing if that is the same everywhere.
    pub elements: Vec<Option<Value<'c, 'a>>>,
    dest: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Log<'c, 'a> {
    /// One for so many elements of these types at most, without any.
    pub fn of(
        builder: &Builder<'c, 'a>,
        dest: Value<'c, 'a>,
        most: Value<'c, 'a>,
        elements: &[Option<Type<'c>>],
    ) -> Emitted<'c, Self> {
        let sizes = [Size::Dynamic(most)];
        let counter = builder.r#type("memref<1xindex>")?;
        let none = [("operandSegmentSizes", builder.segments(&[0, 0]))];
        let count = builder.value("memref.alloca", &[], counter, &none)?;
        let zero = builder.index(0)?;
        builder.store(zero, count, &[zero])?;
        let memory = elements.iter().map(|element| {
            let element = element.map(|element| builder.allocate(&sizes, element));
            Ok(element.transpose()?)
        });
        Ok(Self {
            count,
            places: builder.allocate(&sizes, builder.integer_type(32))?,
            elements: memory.collect::<Emitted<_>>()?,
            dest,
        })
    }

    /// How many elements there are.
    pub fn count(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(builder.load(self.count, &[builder.index(0)?])?)
    }

    fn set_count(&self, builder: &Builder<'c, 'a>, count: Value<'c, 'a>) -> Emitted<'c, ()> {
        Ok(builder.store(count, self.count, &[builder.index(0)?])?)
    }

    /// The memory that changes, and what it is to hold.
    fn stored(
        &self,
        place: Value<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
        let elements = self.elements.iter().zip(values);
        let elements = elements.filter_map(|(&memory, &value)| Some((memory?, value)));
        std::iter::once((self.places, place)).chain(elements).collect()
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
        let width = builder.index(scope.width as i64)?;
        self.set_count(builder, builder.arithmetic("arith.addi", &[count, width])?)
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
        let one = builder.index(1)?;
        self.set_count(builder, builder.arithmetic("arith.addi", &[count, one])?)
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
        values: &[Lanes<'c, 'a>],
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let scope = self.scope;
        let line = Line {
            memory: log.dest,
            pitches: builder.sizes(log.dest)?,
        };
        let place = linear(builder, &scope, &line, index)?;
        let place = scope.whole(builder, place)?;
        let narrow = scope.r#type(builder, builder.integer_type(32));
        let place = builder.value("arith.index_cast", &[place], narrow, &[])?;
        let values = values.iter().map(|&lanes| scope.whole(builder, lanes));
        let stored = log.stored(place, &values.collect::<Emitted<Values>>()?);
        match (scope.is_vector(), scope.mask) {
            (true, None) => log.add_vector(builder, &scope, &stored),
            (true, Some(_)) => each_lane(builder, &scope, |builder, lane| {
                let single = stored.iter().map(|&(memory, wide)| {
                    let r#type = element_type(memory)?;
                    Ok((memory, builder.lane_at(wide, lane, r#type)?))
                });
                log.add_one(builder, &single.collect::<Emitted<Vec<_>>>()?)
            }),
            (false, _) => masked(builder, &scope, |builder| log.add_one(builder, &stored)),
        }
    }
}
