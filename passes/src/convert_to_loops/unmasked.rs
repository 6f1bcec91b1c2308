//! The ends of loops over narrow numbers on CPUs that cannot mask them: whole vectors, some lanes
//! of which are computed twice.
//!
//! What is left over at the end of a loop is a vector with a mask. AVX2 masks loads and stores of 32
//! and 64 bits, and nothing narrower, for which LLVM makes a branch for each lane: 64 of them for
//! each vector of bytes that is read. Before AVX there are no masks at all.
//!
//! So a loop that only computes elements, and has as many iterations as a vector has lanes, ends
//! with a whole vector whose last lane is the last iteration. Its first lanes compute again what
//! is there already, and write the same. The [lead](super::leads) is whole vectors, too, and the
//! loop begins behind it with lanes that the lead has computed. A loop with fewer iterations than
//! lanes runs one by one.
//!
//! Nothing may be computed again from what was written: so no result is in the memory of an
//! [old array](super::in_place), and nothing is carried. With a lead, nothing goes [past the
//! caches](super::streaming): a line that is written there and also into the caches takes so
//! long that it is not worth it.
//!
//! Cost: the code of a loop's iteration is there once more.

use melior::ir::{Type, Value, ValueLike};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Values},
    lanes::{Lanes, Scope},
    leads::Bounds,
    nest::whole_steps,
    plan::{Item, Kind, Leaf, Loop},
    streaming::Stores,
    widths::{bits_in_memory, element},
};
use crate::transformations::Transformation;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether the CPU cannot mask what a loop reads and writes, and iterations of it may be
    /// computed twice.
    pub fn ends_unmasked(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let only_computes = |leaf: &Leaf<'c, 'a>| {
            let is_element_of = matches!(
                leaf.kind,
                Kind::Generate | Kind::Map | Kind::Gather | Kind::Backpermute
            );
            let is_in_old = leaf.results().any(|array| self.in_old.contains(&array));
            is_element_of && leaf.clock.is_none() && !leaf.has_inner_arrays() && !is_in_old
        };
        let mut items = r#loop.items.iter();
        !self.is_masked_well(r#loop)
            && self.strands.is_empty()
            && self.selected.is_none()
            && items.all(|item| matches!(item, Item::Leaf(_)))
            && self.plan.leaves_of(r#loop).all(only_computes)
            && self.applies(Transformation::Unmasked, Site::Loop(r#loop.id))
    }

    fn is_masked_well(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let least = self.options.machine.least_masked_bits();
        let is_masked = |r#type: Type| bits_in_memory(element(r#type)) >= least;
        let is_masked = |leaf: &Leaf<'c, 'a>| {
            let mut operands = leaf.view.operands.iter();
            let mut results = leaf.view.result_types.iter();
            operands.all(|operand| is_masked(operand.r#type()))
                && results.all(|&result| is_masked(result))
        };
        self.plan.leaves_of(r#loop).all(is_masked)
    }

    /// Iterations of a loop, in whole vectors if they fill one.
    pub fn vectors_unmasked(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let [first, end] = bounds;
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let width = builder.index(lanes as i64)?;
        let fill_one = builder.compare(Predicate::Sge, length, width)?;
        self.carrying_either(builder, fill_one, |this, builder, fill_one| {
            if !fill_one {
                return this.one_by_one(builder, r#loop, bounds);
            }
            match this.leads.contains_key(&r#loop.id) {
                true => this.storing(Stores::Cached, |this| {
                    this.overlapping_vectors(builder, r#loop, lanes, bounds)
                }),
                false => this.overlapping_vectors(builder, r#loop, lanes, bounds),
            }
        })
    }

    fn overlapping_vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let width = builder.index(lanes as i64)?;
        let last = builder.arithmetic("arith.subi", &[end, width])?;
        let (lead, behind) = self.cut_behind_lead(builder, r#loop, [first, end])?;
        if let Some(lead) = lead {
            self.vectors_no_later(builder, r#loop, lanes, lead, last)?;
        }
        let [whole_end, left_over] = whole_steps(builder, behind, width)?;
        self.whole_vectors(builder, r#loop, lanes, [behind[0], whole_end])?;
        let none = builder.index(0)?;
        let is_left_over = builder.compare(Predicate::Ne, left_over, none)?;
        self.carrying_if(builder, is_left_over, |this, builder| {
            this.carrying(|this, carried| this.vector_at(builder, r#loop, lanes, last, carried))
        })
    }

    /// Whole vectors that have some iterations, and others behind these, but begin no later than
    /// the last that is whole.
    fn vectors_no_later(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
        last: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let width = builder.index(lanes as i64)?;
        self.carrying(|this, carried| {
            builder.range_loop([first, end, width], carried, |builder, index, carried| {
                let index = builder.arithmetic("arith.minsi", &[index, last])?;
                this.vector_at(builder, r#loop, lanes, index, carried)
            })
        })
    }

    /// The iterations from one on that fill a vector, which need not begin where lines do.
    fn vector_at(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        first: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = Scope {
            width: lanes,
            mask: None,
        };
        let index = Lanes::Steps { first, step: 1 };
        self.storing(Stores::Cached, |this| {
            this.iteration(builder, r#loop, scope, index, carried)
        })
    }
}
