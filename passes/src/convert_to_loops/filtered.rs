//! What filters keep of vectors.
//!
//! The lanes that are kept go next to each other, behind those that were kept before. Where they
//! are packed by a table, whole vectors are written, since stores with masks take long on some of
//! these CPUs, and there is none for narrow numbers (`comb-compress-in-registers`). What comes
//! behind those that are kept is overwritten by the next vector: it has to be the chunk's own.
//! That is so
//!
//! * in a buffer ([`kept`](super::kept)), which is long enough;
//! * in a result, if all lanes fit in front of what the next chunk keeps. A chunk knows where
//!   that begins, since it tells the next one. The last one, and one thread alone, may write up to
//!   the end of the memory, which is as long as if all were kept.
//!
//! So only the last few elements of a chunk are packed into a vector in memory, and copied one
//! by one.

use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate};

use super::{
    emitter::{Decision, Emitted, Emitter, Place},
    lanes::Lanes,
    lanes::memory::{masked, vector_in_memory},
    plan::LeafId,
    steps::count_lanes,
};
use crate::{
    compress_in_registers::HAS_ROOM,
    loop_annotation::{Advice, advised_loop},
};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Notes where a chunk ends in what a filter keeps, if it tells that to the next one.
    pub fn note_end_kept(
        &mut self,
        builder: &Builder<'c, 'a>,
        filter: LeafId,
        tells_next: Value<'c, 'a>,
        [before, kept]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        if !self.options.machine.packs_by_table() {
            return Ok(());
        }
        let told = builder.arithmetic("arith.addi", &[before, kept])?;
        let end = builder.select(tells_next, told, builder.index(i64::MAX)?)?;
        self.ends_kept.insert(filter, end);
        Ok(())
    }

    /// Writes the lanes that a filter keeps to their place in a result.
    pub fn write_kept_to(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        filter: LeafId,
        decision: &Decision<'c, 'a>,
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let memory = place.memory;
        if !decision.scope.is_vector() || !self.options.machine.packs_by_table() {
            return self.write_kept(builder, memory, decision, element);
        }
        let mut end = builder.size_value(place.sizes[0])?;
        if let Some(&own) = self.ends_kept.get(&filter) {
            end = builder.arithmetic("arith.minsi", &[end, own])?;
        }
        let width = builder.index(decision.scope.width as i64)?;
        let last = builder.arithmetic("arith.addi", &[decision.before, width])?;
        let has_room = builder.compare(Predicate::Sle, last, end)?;
        let none = |done: Emitted<'c, ()>| done.map(|()| vec![]);
        builder.if_else(
            has_room,
            &[],
            |builder| none(self.write_kept(builder, memory, decision, element)),
            |builder| none(self.write_one_by_one(builder, memory, decision, element)),
        )?;
        Ok(())
    }

    /// Writes the lanes that a filter keeps behind those that it kept before. If lanes are packed
    /// by a table, there has to be room for all.
    pub fn write_kept(
        &self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        decision: &Decision<'c, 'a>,
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = decision.scope;
        let value = scope.whole(builder, element)?;
        if !scope.is_vector() {
            return masked(builder, &scope, |builder| {
                Ok(builder.store(value, memory, &[decision.before])?)
            });
        }
        let mask = scope.mask_value(builder)?;
        let operands = [memory, decision.before, mask, value];
        let attributes: &[_] = match self.options.machine.packs_by_table() {
            true => &[(HAS_ROOM, builder.unit())],
            false => &[],
        };
        builder.op("vector.compressstore", &operands, &[], attributes, vec![])?;
        Ok(())
    }

    /// Writes the lanes that a filter keeps, and nothing else.
    fn write_one_by_one(
        &self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        decision: &Decision<'c, 'a>,
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let packed = vector_in_memory(builder, memory, decision.scope.width)?;
        let at_front = Decision {
            before: zero,
            ..*decision
        };
        self.write_kept(builder, packed, &at_front, element)?;
        let kept = count_lanes(builder, &decision.scope)?;
        advised_loop(
            builder,
            [zero, kept, one],
            Advice::NoUnrolling,
            |builder, lane| {
                let value = builder.load(packed, &[lane])?;
                let index = builder.arithmetic("arith.addi", &[decision.before, lane])?;
                Emitted::Ok(builder.store(value, memory, &[index])?)
            },
        )
    }
}
