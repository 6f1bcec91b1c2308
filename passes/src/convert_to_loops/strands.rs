//! Several iterations of a loop at once, each with code of its own: *strands*.
//!
//! The loops inside are there once for all strands (unroll and jam), if [`forms`](super::forms)
//! says that these read the same vectors; and once for each strand otherwise, one after
//! the other. What a loop carries is what all strands carry. That reads are the same, the
//! clean-up behind this pass finds out.
//!
//! A strand has values and states of its own, and rows in memory. The emitter has those of
//! one strand at a time at hand, and the others here.

use melior::ir::Value;
use soac_dialect::builder::Builder;

use super::{
    emitter::{Emitted, Emitter, Iteration, Place, Values},
    lanes::Lanes,
    nest::States,
    plan::{ArrayId, Loop},
};

/// What belongs to one of several iterations.
#[derive(Clone)]
pub(super) struct Strand<'c, 'a> {
    now: Iteration<'c, 'a>,
    states: States<'c, 'a>,
    rows: Vec<(ArrayId, Option<Place<'c, 'a>>)>,
}

/// What belongs to all iterations that run at once.
pub(super) struct Moment<'c, 'a> {
    now: Iteration<'c, 'a>,
    states: States<'c, 'a>,
    strands: Vec<Strand<'c, 'a>>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Runs code for each strand, as if it were the only one.
    pub fn each_strand(
        &mut self,
        mut code: impl FnMut(&mut Self) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        let mut others = std::mem::take(&mut self.strands);
        let mut done = code(self);
        for strand in &mut others {
            if done.is_ok() {
                self.exchange(strand);
                done = code(self);
                self.exchange(strand);
            }
        }
        self.strands = others;
        done
    }

    fn exchange(&mut self, strand: &mut Strand<'c, 'a>) {
        std::mem::swap(&mut self.now, &mut strand.now);
        std::mem::swap(&mut self.states, &mut strand.states);
        for (array, place) in &mut strand.rows {
            std::mem::swap(&mut self.places[*array], place);
        }
    }

    /// What all strands carry.
    pub fn carried(&self) -> Values<'c, 'a> {
        let others = self.strands.iter().map(|strand| &strand.states);
        let states = std::iter::once(&self.states).chain(others);
        let values = states.flat_map(|states| states.values().flatten());
        values.copied().collect()
    }

    /// Makes values what the strands carry.
    pub fn set_carried(&mut self, values: &[Value<'c, 'a>]) {
        let mut values = values.iter();
        let others = self.strands.iter_mut().map(|strand| &mut strand.states);
        for states in std::iter::once(&mut self.states).chain(others) {
            for (slot, &value) in states.values_mut().flatten().zip(values.by_ref()) {
                *slot = value;
            }
        }
    }

    /// All that an iteration may change.
    pub fn moment(&self) -> Moment<'c, 'a> {
        Moment {
            now: self.now.clone(),
            states: self.states.clone(),
            strands: self.strands.clone(),
        }
    }

    pub fn return_to(&mut self, moment: Moment<'c, 'a>) {
        self.now = moment.now;
        self.states = moment.states;
        self.strands = moment.strands;
    }

    /// Iterations of a loop, `count` at once, and then one by one those that are left.
    pub fn rows_at_once(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        count: u64,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let step = builder.index(count as i64)?;
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let left_over = builder.arithmetic("arith.remui", &[length, step])?;
        let whole_end = builder.arithmetic("arith.subi", &[end, left_over])?;
        self.carrying(|this, carried| {
            let bounds = [first, whole_end, step];
            builder.range_loop(bounds, carried, |builder, index, carried| {
                let before = this.moment();
                this.set_carried(carried);
                this.begin_strands(builder, r#loop, count, index)?;
                this.items(builder, &r#loop.items)?;
                this.strands.clear();
                let after = this.carried();
                this.return_to(before);
                Ok(after)
            })
        })?;
        self.one_by_one(builder, r#loop, [whole_end, end])
    }

    /// Strands for `count` iterations from an index on. None of them changes what is
    /// carried through the loop, so only the first one knows of it.
    fn begin_strands(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        count: u64,
        first: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for number in 1..count as usize {
            let distance = builder.index(number as i64)?;
            let index = builder.arithmetic("arith.addi", &[first, distance])?;
            let mut now = self.now.clone();
            now.index.push(Lanes::Uniform(index));
            let copies = self.copies.iter().filter(|(array, _)| {
                let leaf = self.plan.arrays[**array].leaf;
                self.plan.leaves[leaf].path.contains(&r#loop.id)
            });
            let rows = copies.map(|(&array, copies)| (array, copies.get(number - 1).cloned()));
            self.strands.push(Strand {
                now,
                states: States::new(),
                rows: rows.collect(),
            });
        }
        self.now.index.push(Lanes::Uniform(first));
        Ok(())
    }
}
