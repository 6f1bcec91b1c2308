//! Loops that fold several vectors at once, and what is left over of them.
//!
//! Several accumulators do not wait for each other, but cost something: they have to be
//! put together in the end, and iterations that do not fill all of them need masks for
//! all. Many loops are short, such as those over the segments of an array, and their
//! lengths differ: each time the number of vectors is another than before, the CPU has
//! guessed wrongly, which takes longer than to fold a vector that is masked altogether. So:
//!
//! 1. If there are enough iterations for all accumulators, as many as fill them go
//!    through a loop of wide vectors, which are then folded to half as many.
//! 2. The others follow, half as many lanes at a time, with masks, and so do those of the
//!    [lead](super::leads).
//!
//! A loop inside another one mostly is as short as the times before, if it is short: so there
//! is code of its own for loops that need a mask only once, without a branch.

use melior::ir::Value;
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::op_name,
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    lanes::{Lanes, Scope},
    leads::Bounds,
    plan::{LeafId, Loop},
};
use crate::{transformations::Transformation, walk::ancestors};

/// How many lanes there are in the loop of wide vectors, and in the one behind it.
#[derive(Clone, Copy)]
pub(super) struct Widths {
    pub wide: u64,
    pub narrow: u64,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Iterations of a loop that only folds.
    pub fn fold_several(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        widths: Widths,
        bounds: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (lead, [first, end]) = self.cut_behind_lead(builder, r#loop, bounds)?;
        let before = self.open_lanes(builder, r#loop, widths.narrow)?;
        if lead.is_none()
            && self.may_be_short(r#loop)
            && self.applies(Transformation::ShortFolds, Site::Loop(r#loop.id))
        {
            self.fold_short_or_long(builder, r#loop, widths, [first, end])?;
        } else {
            self.fold_long(builder, r#loop, widths, [first, end])?;
        }
        if let Some(lead) = lead {
            self.masked(builder, r#loop, widths.narrow, lead)?;
        }
        self.close_lanes(builder, r#loop, widths.narrow, before)
    }

    /// Whether a loop runs inside another one, and may be short.
    fn may_be_short(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let is_repeated = |leaf: LeafId| {
            let op = self.plan.leaves[leaf].op;
            ancestors(op).any(|op| op_name(op) == "scf.for") && !self.is_parallel(op)
        };
        let mut leaves = self.leaves_in(r#loop).into_iter();
        let is_inside = r#loop.level > 1 || leaves.any(is_repeated);
        is_inside && matches!(r#loop.length, Size::Dynamic(_))
    }

    /// Iterations that either fit masked vectors once, or do not.
    fn fold_short_or_long(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        widths: Widths,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let last = builder.arithmetic("arith.subi", &[length, builder.index(1)?])?;
        let narrow = builder.index(widths.narrow as i64)?;
        // A loop that runs never is none that runs once.
        let is_short = builder.compare(Predicate::Ult, last, narrow)?;
        self.carrying_either(builder, is_short, |this, builder, is_short| {
            if !is_short {
                return this.fold_long(builder, r#loop, widths, [first, end]);
            }
            let scope = Scope::of_first(builder, widths.narrow, length)?;
            let index = steps_from(first);
            this.carrying(|this, carried| this.iteration(builder, r#loop, scope, index, carried))
        })
    }

    /// Iterations for all accumulators, and what is left over.
    fn fold_long(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        widths: Widths,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let step = builder.index(widths.wide as i64)?;
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let left_over = builder.arithmetic("arith.remui", &[length, step])?;
        let middle = builder.arithmetic("arith.subi", &[end, left_over])?;
        self.fold_wide(builder, r#loop, widths, [first, middle])?;
        self.masked(builder, r#loop, widths.narrow, [middle, end])
    }

    /// Iterations that fill all accumulators, if there are any.
    fn fold_wide(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        widths: Widths,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let are_there = builder.compare(Predicate::Ne, first, end)?;
        self.carrying_if(builder, are_there, |this, builder| {
            this.open_lanes(builder, r#loop, widths.wide)?;
            this.whole_vectors(builder, r#loop, widths.wide, [first, end])?;
            for leaf in this.lane_folds(r#loop) {
                let wide = this.states.remove(&leaf).unwrap_or_default();
                let narrow = this.fold_lanes(builder, leaf, wide, widths)?;
                this.states.insert(leaf, narrow);
            }
            Ok(())
        })
    }

    /// A few iterations, so many lanes at a time, with masks.
    pub fn masked(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let step = builder.index(lanes as i64)?;
        self.carrying(|this, carried| {
            builder.range_loop([first, end, step], carried, |builder, index, carried| {
                let left_over = builder.arithmetic("arith.subi", &[end, index])?;
                let scope = Scope::of_first(builder, lanes, left_over)?;
                this.iteration(builder, r#loop, scope, steps_from(index), carried)
            })
        })
    }
}

fn steps_from<'c, 'a>(first: Value<'c, 'a>) -> Lanes<'c, 'a> {
    Lanes::Steps { first, step: 1 }
}
