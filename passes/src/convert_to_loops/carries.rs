//! What scans and filters carry from one chunk to the next.
//!
//! They are *chained*: a chunk is summed up first, while it comes from memory; the
//! thread then waits for what all chunks before it sum up to, says what they sum up
//! to with its own, and goes through its chunk a second time, which is in the cache
//! by now. So every element is read from memory once (as in Merrill and Garland,
//! Single-pass parallel prefix scan with decoupled look-back, 2016, without looking
//! back: a thread's chunks come in order).

use std::collections::BTreeSet;

use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    chunks::{Chunks, PerChunk, load_all, store_all},
    emitter::{Emitted, Emitter, Values},
    nest::States,
    plan::{Kind, LeafId, Loop},
};
use crate::{
    library_function::LibraryFunction,
    waiting::{SIGNAL, WAIT, allocate_flags, call_for_flag},
};

/// A chunk among those that wait for each other.
pub(super) struct Chain<'s, 'c, 'a> {
    pub r#loop: &'s Loop<'c, 'a>,
    pub chunks: &'s Chunks<'c, 'a>,
    pub chunk: Value<'c, 'a>,
    pub bounds: [Value<'c, 'a>; 2],
    pub carries: &'s PerChunk<'c, 'a>,
    pub flags: Option<Value<'c, 'a>>,
    /// Whether there is no other thread; nothing if it does not matter.
    pub is_alone: Option<Value<'c, 'a>>,
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

    /// A condition, if there are other threads.
    fn unless_alone(
        &self,
        builder: &Builder<'c, 'a>,
        condition: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let Some(is_alone) = self.is_alone else {
            return Ok(condition);
        };
        let never = builder.integer(0, builder.integer_type(1))?;
        Ok(builder.select(is_alone, never, condition)?)
    }

    fn call(
        &self,
        builder: &Builder<'c, 'a>,
        function: LibraryFunction,
        flag: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        match self.flags {
            Some(flags) => call_for_flag(builder, function, flags, flag),
            None => Ok(()),
        }
    }
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// What comes before the first chunk.
    pub fn begin_chain(
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
    pub fn flags(
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
        Ok(Some(allocate_flags(builder, count)?))
    }

    /// Finds what the scans and filters of a stage carry into a chunk, and tells
    /// the next chunk what they carry out of it.
    pub fn stage(
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
        let tells_next = chain.unless_alone(builder, has_next)?;
        let begun: Values = leaves
            .iter()
            .map(|&leaf| self.chunk_state(builder, leaf))
            .collect::<Emitted<Vec<Values>>>()?
            .concat();
        let types: Vec<_> = begun.iter().map(|value| value.r#type()).collect();
        let sums = builder.if_else(
            tells_next,
            &types,
            |builder| self.sum_up(builder, chain, leaves, known),
            |_| Ok(begun.clone()),
        )?;
        let zero = builder.index(0)?;
        let is_behind = builder.compare(Predicate::Ne, chain.chunk, zero)?;
        let waits = chain.unless_alone(builder, is_behind)?;
        let flag = chain.flag(builder, stage, chain.chunk)?;
        builder.if_else(
            waits,
            &[],
            |builder| {
                let before = builder.arithmetic("arith.subi", &[flag, one])?;
                chain.call(builder, WAIT, before)?;
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        let mut carried = States::new();
        for &leaf in leaves {
            carried.insert(leaf, load_all(builder, &chain.carries[&leaf], chain.chunk)?);
        }
        let mut sums = sums.into_iter();
        let mut sum_of = |leaf| sums.by_ref().take(carried[leaf].len()).collect();
        let sums: Vec<Values> = leaves.iter().map(&mut sum_of).collect();
        for (&leaf, sum) in leaves.iter().zip(&sums) {
            if self.plan.leaves[leaf].kind == Kind::Filter {
                self.note_end_kept(builder, leaf, tells_next, [carried[&leaf][0], sum[0]])?;
            }
        }
        builder.if_else(
            tells_next,
            &[],
            |builder| {
                for (&leaf, sum) in leaves.iter().zip(&sums) {
                    let after = self.joined(builder, leaf, &carried[&leaf], sum)?;
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
    pub fn end_chain(
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
}
