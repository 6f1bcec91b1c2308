//! Loops: what they carry, and how many iterations are computed at once.
//!
//! A fold carries its accumulators through its reducing loops, a scan through its
//! innermost loop, a filter the number of elements kept through its outermost. A
//! loop of vector code runs as often as there are whole vectors, and then once more
//! for the lanes that are left over; the [lead](super::leads) comes before it. In a
//! loop inside lanes, and in one that several strands share, everything is carried for
//! each of them.

use std::{cell::RefCell, collections::BTreeMap};

use melior::ir::{Type, Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::definition,
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Values},
    lanes::{Lanes, Scope},
    leads::Bounds,
    plan::{Item, Kind, LeafId, Loop},
    streaming::Stores,
    tails::Widths,
    widths::{vector_width, width},
};
use crate::{
    commutativity::is_commutative,
    loop_annotation::{Advice, advise},
    transformations::Transformation,
};

/// What a loop carries.
pub(super) type States<'c, 'a> = BTreeMap<LeafId, Values<'c, 'a>>;

/// Where those iterations end that make whole steps, and how many are left over behind.
pub(super) fn whole_steps<'c, 'a>(
    builder: &Builder<'c, 'a>,
    [first, end]: Bounds<'c, 'a>,
    step: Value<'c, 'a>,
) -> Emitted<'c, [Value<'c, 'a>; 2]> {
    let length = builder.arithmetic("arith.subi", &[end, first])?;
    let left_over = builder.arithmetic("arith.remui", &[length, step])?;
    let whole_end = builder.arithmetic("arith.subi", &[end, left_over])?;
    Ok([whole_end, left_over])
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// What stands in the body of a loop, or outside of all.
    pub fn items(&mut self, builder: &Builder<'c, 'a>, items: &[Item<'c, 'a>]) -> Emitted<'c, ()> {
        for item in items {
            match item {
                Item::Leaf(leaf) if self.runs(*leaf) => {
                    self.each_strand(|this| this.step(builder, *leaf))?;
                }
                Item::Leaf(_) => {}
                Item::Loop(inner) if self.leaves_in(inner).is_empty() => {}
                Item::Loop(inner) if self.is_shared(inner) => self.whole_loop(builder, inner)?,
                Item::Loop(inner) => self.strand_by_strand(builder, inner)?,
            }
        }
        Ok(())
    }

    fn runs(&self, leaf: LeafId) -> bool {
        let selected = self.selected.as_ref();
        selected.is_none_or(|selected| selected.contains(&leaf))
    }

    /// Whether all strands go through a loop at once.
    fn is_shared(&self, r#loop: &Loop<'c, 'a>) -> bool {
        self.now.scope.is_vector()
            || self.forms.lanes(r#loop).is_some()
            || self.forms.is_jammed(r#loop)
    }

    /// The combinators in a loop that run.
    pub fn leaves_in(&self, r#loop: &Loop<'c, 'a>) -> Vec<LeafId> {
        let leaves = self.plan.leaves.iter().enumerate();
        leaves
            .filter(|(number, leaf)| leaf.path.contains(&r#loop.id) && self.runs(*number))
            .map(|(number, _)| number)
            .collect()
    }

    /// A loop from its first to its last iteration, and what is complete then.
    pub fn whole_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        self.each_strand(|this| {
            let begun = this.begun(builder, r#loop)?;
            this.states.extend(begun);
            Ok(())
        })?;
        if r#loop.level > 1 {
            self.pack(builder, r#loop, false)?;
        }
        let bounds = [builder.index(0)?, builder.size_value(r#loop.length)?];
        self.run_loop(builder, r#loop, bounds)?;
        self.each_strand(|this| this.finish(builder, r#loop))
    }

    /// What is carried from this loop on, before its first iteration, in each lane.
    pub fn begun(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, States<'c, 'a>> {
        let mut begun = States::new();
        for leaf in self.leaves_in(r#loop) {
            if self.begins(leaf, r#loop.level) {
                let state = match self.plan.leaves[leaf].kind {
                    Kind::Filter => vec![builder.index(0)?],
                    _ => {
                        let neutrals = self.neutrals(leaf).into_iter().map(Lanes::Uniform);
                        let whole = neutrals.map(|lanes| self.now.scope.whole(builder, lanes));
                        whole.collect::<Emitted<Values>>()?
                    }
                };
                begun.insert(leaf, state);
            }
        }
        Ok(begun)
    }

    /// Whether a state begins in a loop of a level.
    pub fn begins(&self, leaf: LeafId, level: usize) -> bool {
        self.plan.leaves[leaf].begins(level)
    }

    /// What is complete when a loop is over.
    fn finish(&mut self, builder: &Builder<'c, 'a>, r#loop: &Loop<'c, 'a>) -> Emitted<'c, ()> {
        for leaf in self.leaves_in(r#loop) {
            if !self.begins(leaf, r#loop.level) {
                continue;
            }
            match self.plan.leaves[leaf].kind {
                Kind::Fold => self.give_folded(builder, leaf)?,
                // How many elements it kept is asked for when all is over.
                Kind::Filter => {}
                _ => {
                    self.states.remove(&leaf);
                }
            }
        }
        Ok(())
    }

    /// Makes what a fold carries its results.
    pub fn give_folded(&mut self, builder: &Builder<'c, 'a>, leaf: LeafId) -> Emitted<'c, ()> {
        let folded = self.states.remove(&leaf).unwrap_or_default();
        let scope = self.now.scope;
        let folded = folded.into_iter().map(|value| scope.lanes(value, false));
        let folded: Vec<Lanes> = folded.collect();
        self.give(builder, leaf, &folded)
    }

    /// Some iterations of a loop. What it carries goes in and out through the
    /// states.
    pub fn run_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        match self.decision_of_packing(r#loop) {
            Some(is_packed) => self.packed_or_not(builder, r#loop, is_packed, bounds),
            None => self.run_in_form(builder, r#loop, bounds),
        }
    }

    /// Some iterations of a loop, as many at once as is decided for it.
    pub fn run_in_form(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        if let Some(rows) = self.forms.rows(r#loop) {
            return self.rows_at_once(builder, r#loop, rows, bounds);
        }
        let lanes = self.lanes_of(r#loop);
        if lanes == 1 {
            return self.one_by_one(builder, r#loop, bounds);
        }
        self.in_blocks_or(builder, r#loop, lanes, bounds, |this, builder, bounds| {
            this.run_in_vectors(builder, r#loop, lanes, bounds)
        })
    }

    fn run_in_vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let folds_several = vector_width(self.plan, r#loop) < lanes;
        if folds_several && self.forms.lanes(r#loop).is_none() && self.strands.is_empty() {
            let widths = Widths {
                wide: lanes,
                narrow: lanes / 2,
            };
            if !self.may_have_pieces(r#loop) {
                return self.fold_several(builder, r#loop, widths, bounds);
            }
            let bounds = [
                self.fold_periods(builder, r#loop, lanes, bounds)?,
                bounds[1],
            ];
            return self.in_pieces_or(builder, r#loop, lanes, bounds, |this, builder| {
                this.fold_several(builder, r#loop, widths, bounds)
            });
        }
        let mut before = vec![];
        self.each_strand(|this| {
            before.push(this.open_lanes(builder, r#loop, lanes)?);
            Ok(())
        })?;
        self.vectors(builder, r#loop, lanes, bounds)?;
        let mut before = before.into_iter();
        self.each_strand(|this| {
            let before = before.next().unwrap_or_default();
            this.close_lanes(builder, r#loop, lanes, before)
        })
    }

    /// How many iterations of a loop are computed at once. A loop inside lanes goes from
    /// one to the next in all of them.
    pub fn lanes_of(&self, r#loop: &Loop<'c, 'a>) -> u64 {
        match self.now.scope.is_vector() {
            true => 1,
            false => {
                (self.forms.lanes(r#loop)).unwrap_or_else(|| width(&self.applications, r#loop))
            }
        }
    }

    /// Iterations one after the other.
    pub fn one_by_one(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        let scope = self.now.scope;
        self.carrying(|this, carried| {
            builder.range_loop([first, end, one], carried, |builder, index, carried| {
                this.iteration(builder, r#loop, scope, Lanes::Uniform(index), carried)
            })
        })
    }

    /// Runs code that carries the states, and takes them from what it gives.
    pub fn carrying(
        &mut self,
        code: impl FnOnce(&mut Self, &[Value<'c, 'a>]) -> Emitted<'c, Values<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        let carried = self.carried();
        let after = code(self, &carried)?;
        self.set_carried(&after);
        Ok(())
    }

    /// Runs one of two versions of some code that carries the states: that for a condition
    /// which holds, or for one which does not.
    pub fn carrying_either(
        &mut self,
        builder: &Builder<'c, 'a>,
        condition: Value<'c, 'a>,
        version: impl Fn(&mut Self, &Builder<'c, 'a>, bool) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        self.carrying(|this, carried| {
            let types: Vec<Type> = carried.iter().map(|value| value.r#type()).collect();
            let this = RefCell::new(this);
            let run = |builder: &Builder<'c, 'a>, holds: bool| {
                let mut this = this.borrow_mut();
                this.aside(|this| version(this, builder, holds))
            };
            builder.if_else(
                condition,
                &types,
                |builder| run(builder, true),
                |builder| run(builder, false),
            )
        })
    }

    /// Runs some code that carries the states, if a condition holds.
    pub fn carrying_if(
        &mut self,
        builder: &Builder<'c, 'a>,
        condition: Value<'c, 'a>,
        code: impl Fn(&mut Self, &Builder<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        self.carrying_either(builder, condition, |this, builder, holds| match holds {
            true => code(this, builder),
            false => Ok(()),
        })
    }

    /// The body of a loop, given what it carries; gives what it carries on.
    pub fn iteration(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        scope: Scope<'c, 'a>,
        index: Lanes<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        self.aside(|this| {
            this.set_carried(carried);
            this.each_strand(|this| {
                this.now.scope = scope;
                this.now.index.push(index);
                this.copy_beside(builder, r#loop)
            })?;
            this.items_then_writes(builder, r#loop)?;
            this.keep_positions(builder)
        })
    }

    /// Iterations of a loop, as many at once as vectors have lanes.
    pub fn vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        if self.forms.is_jammed(r#loop) {
            return self.vectors_of_rows(builder, r#loop, lanes, bounds);
        }
        if self.ends_unmasked(r#loop) {
            return self.vectors_unmasked(builder, r#loop, lanes, bounds);
        }
        let (lead, [first, end]) = self.cut_behind_lead(builder, r#loop, bounds)?;
        if let Some(lead) = lead {
            self.masked(builder, r#loop, lanes, lead)?;
        }
        let step = builder.index(lanes as i64)?;
        let [whole_end, left_over] = whole_steps(builder, [first, end], step)?;
        self.whole_vectors(builder, r#loop, lanes, [first, whole_end])?;
        let zero = builder.index(0)?;
        let is_left_over = builder.compare(Predicate::Ne, left_over, zero)?;
        self.carrying_if(builder, is_left_over, |this, builder| {
            let scope = Scope::of_first(builder, lanes, left_over)?;
            let index = Lanes::Steps {
                first: whole_end,
                step: 1,
            };
            this.carrying(|this, carried| this.iteration(builder, r#loop, scope, index, carried))
        })
    }

    /// Iterations that fill whole vectors.
    pub fn whole_vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        self.in_either_way(builder, r#loop, |this, builder| {
            this.loop_of_vectors(builder, r#loop, lanes, bounds)
        })
    }

    fn loop_of_vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        self.in_bursts_or(builder, r#loop, lanes, bounds, |this, builder, bounds| {
            this.loop_without_blocks(builder, r#loop, lanes, bounds)
        })
    }

    fn loop_without_blocks(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let step = builder.index(lanes as i64)?;
        let scope = Scope {
            width: lanes,
            mask: None,
        };
        self.carrying(|this, carried| {
            let bounds = [first, end, step];
            let carried = builder.range_loop(bounds, carried, |builder, first, carried| {
                let index = Lanes::Steps { first, step: 1 };
                let carried = this.iteration(builder, r#loop, scope, index, carried)?;
                if !this.bursts.is_empty() {
                    this.fetch_for_bursts(builder, lanes)?;
                } else if this.stores == Stores::PastCaches
                    && let Some(ahead) = this.rows_ahead(builder, r#loop)
                {
                    ahead.fetch(builder, lanes, 1)?;
                }
                this.touch_lines(builder, r#loop, lanes)?;
                Emitted::Ok(carried)
            })?;
            this.advise_scan(r#loop, &carried)?;
            Ok(carried)
        })
    }

    /// An iteration of a scan waits for the one before. Two at a time, the CPU has more to do
    /// meanwhile.
    fn advise_scan(&self, r#loop: &Loop, carried: &[Value<'c, 'a>]) -> Emitted<'c, ()> {
        let scans = r#loop.items.iter().any(|item| match item {
            Item::Leaf(leaf) => self.plan.leaves[*leaf].is_scan() && !self.reducing.contains(leaf),
            Item::Loop(_) => false,
        });
        let site = Site::Loop(r#loop.id);
        match carried.first().and_then(|&value| definition(value)) {
            Some(op) if scans && self.applies(Transformation::Unrolling, site) => {
                Ok(advise(op, Advice::Twice)?)
            }
            _ => Ok(()),
        }
    }

    /// Gives folds accumulators in every lane, and every lane what scans carry, so
    /// that it need not leave the vector registers. Gives the states before.
    pub fn open_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
    ) -> Emitted<'c, States<'c, 'a>> {
        let before = self.states.clone();
        for leaf in self.lane_folds(r#loop) {
            let wide = self
                .neutrals(leaf)
                .into_iter()
                .map(|neutral| Ok(builder.broadcast(neutral, lanes)?))
                .collect::<Emitted<Values>>()?;
            self.states.insert(leaf, wide);
        }
        for leaf in self.lane_scans(r#loop) {
            let wide = before[&leaf]
                .iter()
                .map(|&carried| Ok(builder.broadcast(carried, lanes)?))
                .collect::<Emitted<Values>>()?;
            self.states.insert(leaf, wide);
        }
        Ok(before)
    }

    /// Folds the accumulators of the lanes, and what was carried before.
    pub fn close_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        before: States<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for leaf in self.lane_folds(r#loop) {
            let wide = self.states.remove(&leaf).unwrap_or_default();
            let widths = Widths {
                wide: lanes,
                narrow: 1,
            };
            let mut folded = self.fold_lanes(builder, leaf, wide, widths)?;
            if before[&leaf] != self.neutrals(leaf) {
                folded = self.combined(builder, leaf, &before[&leaf], &folded)?;
            }
            self.states.insert(leaf, folded);
        }
        for leaf in self.lane_scans(r#loop) {
            let carried = self.states[&leaf]
                .iter()
                .zip(self.neutrals(leaf))
                .map(|(&wide, neutral)| Ok(builder.lane(wide, 0, neutral.r#type())?))
                .collect::<Emitted<Values>>()?;
            self.states.insert(leaf, carried);
        }
        Ok(())
    }

    /// The scans in a loop that are not only summed up.
    fn lane_scans(&self, r#loop: &Loop<'c, 'a>) -> Vec<LeafId> {
        let mut scans = self.leaves_in(r#loop);
        scans.retain(|leaf| self.plan.leaves[*leaf].is_scan() && !self.reducing.contains(leaf));
        scans
    }

    /// The folds over a loop of vector code that have accumulators in every lane.
    pub fn lane_folds(&self, r#loop: &Loop<'c, 'a>) -> Vec<LeafId> {
        let mut folds = self.leaves_in(r#loop);
        folds.retain(|&leaf| {
            let fold = &self.plan.leaves[leaf];
            let folds = match fold.kind {
                Kind::Fold => fold.outer < r#loop.level,
                _ => fold.is_scan() && self.reducing.contains(&leaf),
            };
            folds && is_commutative(&fold.view)
        });
        folds
    }
}
