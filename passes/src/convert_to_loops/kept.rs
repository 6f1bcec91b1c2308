//! Large results of filters, past the caches.
//!
//! A filter writes as many elements of each vector as it keeps, so these do not fill
//! whole lines. Where results are written past the caches
//! ([`streaming`](super::streaming)), a chunk puts what it keeps into a buffer, which stays
//! in the cache. When the chunk is over, the lines of the buffer go to memory. An element
//! is as far behind the start of a line in the buffer as it is in the array. The first and
//! the last line, which belong to other chunks as well, are written with masks. Behind all that
//! may be kept, a buffer has room for one more vector ([`filtered`](super::filtered)).
//!
//! Cost: each element that is kept is written and read once more, in a cache; in return, the
//! line that it goes to is not read from memory.

use melior::ir::Value;
use soac_dialect::builder::{ALIGNMENT, Builder, Predicate, Size};

use super::{
    applications::Site,
    emitter::{Decision, Emitted, Emitter, Place},
    lanes::memory::{load_vector, store_streaming, store_vector},
    lanes::{Lanes, Scope},
    plan::{ArrayId, LeafId, Loop},
    widths::width,
};
use crate::transformations::Transformation;

/// What a chunk keeps of an array.
#[derive(Clone, Copy)]
pub(super) struct Buffer<'c, 'a> {
    memory: Value<'c, 'a>,
    filter: LeafId,
    /// The index in the array of the buffer's first element, where a line begins.
    origin: Value<'c, 'a>,
    /// The index in the buffer of the first element that the chunk keeps.
    first: Value<'c, 'a>,
    /// How many elements a line has.
    line: i64,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Results of filters in a loop that may be written past the caches: the array, the
    /// filter, and the bytes of an element.
    pub fn kept_arrays(&self, r#loop: &Loop<'c, 'a>) -> Vec<(ArrayId, LeafId, i64)> {
        let lanes = width(&self.applications, r#loop);
        self.plan
            .leaves_of(r#loop)
            .flat_map(|leaf| leaf.results())
            .filter_map(|array| {
                let computed = &self.plan.arrays[array];
                let filter = computed.clock.filter(|_| computed.shape.len() == 1)?;
                let (_, bytes) = self.in_lines(array, lanes)?;
                let applies = self.applies(Transformation::Kept, Site::Array(array));
                applies.then_some((array, filter, bytes))
            })
            .collect()
    }

    /// Buffers for what the iterations of a chunk keep.
    pub fn open_buffers(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let iterations = builder.arithmetic("arith.subi", &[end, first])?;
        for (array, filter, bytes) in self.kept_arrays(r#loop) {
            let line = ALIGNMENT / bytes;
            let behind = line.max(width(&self.applications, r#loop) as i64);
            let ends = builder.index(line + behind)?;
            let length = builder.arithmetic("arith.addi", &[iterations, ends])?;
            let element = self.plan.arrays[array].element;
            let before = self.states[&filter][0];
            let in_line = builder.arithmetic("arith.remui", &[before, builder.index(line)?])?;
            let buffer = Buffer {
                memory: builder.allocate(&[Size::Dynamic(length)], element)?,
                filter,
                origin: builder.arithmetic("arith.subi", &[before, in_line])?,
                first: in_line,
                line,
            };
            self.buffers.insert(array, buffer);
        }
        Ok(())
    }

    /// Puts the elements that a filter keeps into a buffer.
    pub fn write_to_buffer(
        &self,
        builder: &Builder<'c, 'a>,
        buffer: &Buffer<'c, 'a>,
        decision: &Decision<'c, 'a>,
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let here = Decision {
            before: builder.arithmetic("arith.subi", &[decision.before, buffer.origin])?,
            ..*decision
        };
        self.write_kept(builder, buffer.memory, &here, element)
    }

    /// Writes what is in the buffers to the arrays.
    pub fn close_buffers(&mut self, builder: &Builder<'c, 'a>) -> Emitted<'c, ()> {
        for (array, buffer) in std::mem::take(&mut self.buffers) {
            let Some(place) = self.places[array].clone() else {
                continue;
            };
            let after = self.states[&buffer.filter][0];
            let end = builder.arithmetic("arith.subi", &[after, buffer.origin])?;
            buffer.write_out(builder, &place, end)?;
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Buffer<'c, 'a> {
    /// Writes all up to an index to an array.
    fn write_out(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        end: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (zero, line) = (builder.index(0)?, builder.index(self.line)?);
        let left_over = builder.arithmetic("arith.remui", &[end, line])?;
        let whole_end = builder.arithmetic("arith.subi", &[end, left_over])?;
        let is_cut = builder.compare(Predicate::Ne, self.first, zero)?;
        let whole_first = builder.select(is_cut, line, zero)?;
        builder.if_else(
            is_cut,
            &[],
            |builder| {
                let end = builder.arithmetic("arith.minui", &[end, line])?;
                self.write_part(builder, place, zero, [self.first, end])
            },
            |_| Emitted::Ok(vec![]),
        )?;
        builder.range_loop([whole_first, whole_end, line], &[], |builder, index, _| {
            let scope = Scope {
                width: self.line as u64,
                mask: None,
            };
            let lanes = load_vector(builder, &scope, self.memory, &[index])?;
            let target = builder.arithmetic("arith.addi", &[self.origin, index])?;
            store_streaming(builder, place.memory, &[target], lanes)?;
            Emitted::Ok(vec![])
        })?;
        // If all is in one line, it is written already.
        let is_another = builder.compare(Predicate::Sge, whole_end, whole_first)?;
        builder.if_else(
            is_another,
            &[],
            |builder| self.write_part(builder, place, whole_end, [zero, left_over]),
            |_| Emitted::Ok(vec![]),
        )?;
        Ok(())
    }

    /// Writes some elements of the line that begins at an index.
    fn write_part(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: Value<'c, 'a>,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, Vec<Value<'c, 'a>>> {
        let width = self.line as u64;
        let r#type = builder.vector_type(width, builder.integer_type(1));
        let below = |count| builder.value("vector.create_mask", &[count], r#type, &[]);
        let mask = builder.arithmetic("arith.xori", &[below(first)?, below(end)?])?;
        let scope = Scope {
            width,
            mask: Some(mask),
        };
        let lanes = load_vector(builder, &scope, self.memory, &[index])?;
        let target = builder.arithmetic("arith.addi", &[self.origin, index])?;
        store_vector(builder, &scope, place.memory, &[target], lanes)?;
        Ok(vec![])
    }
}
