//! What loops inside others will read, fetched ahead.
//!
//! CPUs guess what a loop reads next, and fetch it from memory before. They guess wrongly
//! where loops are short and begin at places that are computed, such as those over the
//! segments of an array: with one line for each, memory is four times as fast if it is asked
//! for ahead. Mostly such places go up. So where a loop begins that stands in another one,
//! and reads an array from a computed place on, the line [`AHEAD`] bytes behind that place
//! is fetched.
//!
//! Cost: some arithmetic on numbers for each array, each time that the loop runs. If the
//! places do not go up, a line is fetched for nothing; loops that begin anywhere wait
//! longer for their own.

use comb_machine::tuning::prefetch::AHEAD;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{definition, op_name};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    lanes::{
        Lanes,
        lambda::InLanes,
        memory::{element_type, fetch},
    },
    plan::{Component, Kind, LeafId, Source},
    read::constant,
    widths::bits_in_memory,
};
use crate::{transformations::Transformation, walk::operations};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Fetches what comes behind the arrays that an op in a loop reads from places which
    /// an iteration of that loop computes.
    pub fn prefetch(&mut self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let outer = op.parent_operation();
        if outer.is_none_or(|outer| op_name(outer) != "scf.for") {
            return Ok(());
        }
        for number in 0..self.plan.leaves.len() {
            if self.begins_at_computed_place(op, number)
                && self.applies(Transformation::Prefetch, Site::Leaf(number))
            {
                self.prefetch_for(number)?;
            }
        }
        Ok(())
    }

    /// Whether a combinator goes through an array of one dimension from a place on that is
    /// computed where the op stands.
    fn begins_at_computed_place(&self, op: OperationRef<'c, 'a>, number: LeafId) -> bool {
        let leaf = &self.plan.leaves[number];
        let is_computed_here = |value: Value<'c, 'a>| {
            let place = definition(value).filter(|_| constant(value).is_none());
            place.is_some_and(|place| place.block() == op.block())
        };
        let ops = operations(leaf.op);
        let mut ops = ops.iter().filter(|op| op_name(**op) != "soac.yield");
        leaf.kind == Kind::Backpermute
            && leaf.clock.is_none()
            && matches!(
                leaf.components.as_slice(),
                [Component::Loop {
                    backwards: false,
                    ..
                }]
            )
            && matches!(leaf.operands.as_slice(), [Some(Source::Given(_)), ..])
            && ops.clone().all(|op| op_name(*op) == "arith.addi")
            && ops.any(|op| op.operands().any(is_computed_here))
    }

    fn prefetch_for(&mut self, number: LeafId) -> Emitted<'c, ()> {
        let front = self.front;
        let leaf = &self.plan.leaves[number];
        let Some(Source::Given(array)) = leaf.operands[leaf.view.group(0).start] else {
            return Ok(());
        };
        let place = self.input(array)?;
        if place.sizes.len() != 1 {
            return Ok(());
        }
        let zero = front.index(0)?;
        let first = self.lambda(&front, &leaf.view, &[Lanes::Uniform(zero)])?[0];
        let Lanes::Uniform(first) = first else {
            return Ok(());
        };
        let bits = bits_in_memory(element_type(place.memory)?) as i64;
        let distance = front.index(8 * AHEAD / bits)?;
        let ahead = front.arithmetic("arith.addi", &[first, distance])?;
        // Where there is no memory, nothing is fetched.
        fetch(&front, place.memory, &[ahead])
    }
}
