//! Loops with so little work that no threads share them.
//!
//! Code that cuts a loop into chunks decides when it runs how many there are. Where it is
//! known before that there is one at most, that code is left out: it is longer than that of
//! a short loop, and takes longer to run.
//!
//! Sizes are known if they are constants. Others are known to be small if they are computed
//! as the minimum of something and a constant, as the size of a block of a larger array is, or
//! from such sizes. This is only about speed, so overflow is not minded.
//!
//! Cost: linear in the number of ops that compute the sizes, [`DEPTH`] at most in a row.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Size,
    view::{argument_of, definition, op_name},
};

use super::{
    applications::Site,
    emitter::Emitter,
    plan::{Item, Loop, Plan},
};
use crate::{checks::facts::constant, transformations::Transformation, walk::ancestors};

/// How many ops are looked through.
const DEPTH: usize = 8;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether threads may share the iterations of the outermost loop: not if another
    /// loop around it is shared already, nor if it is not worth it.
    pub fn is_parallel(&self, op: OperationRef<'c, 'a>) -> bool {
        let is_small = self.plan.items.iter().all(|item| match item {
            Item::Loop(outermost) => self.is_one_chunk(outermost),
            Item::Leaf(_) => true,
        });
        let mut items = self.plan.items.iter();
        let has_loops = items.any(|item| matches!(item, Item::Loop(_)));
        let stays_whole =
            is_small && (!has_loops || self.applies(Transformation::SmallLoops, Site::Plan));
        !stays_whole
            && !ancestors(op).any(|op| op_name(op) == "scf.parallel")
            && self.applies(Transformation::Threads, Site::Plan)
    }

    /// Whether a loop is known to be one chunk.
    fn is_one_chunk(&self, outermost: &Loop<'c, 'a>) -> bool {
        let most = iterations(self.plan, outermost);
        most.is_some_and(|most| most <= self.alone() * self.budget(outermost))
    }
}

/// How often the innermost loop inside a loop runs at most, if that is known.
fn iterations(plan: &Plan, r#loop: &Loop) -> Option<i64> {
    let mut most = 1;
    for item in &r#loop.items {
        most = most.max(match item {
            Item::Loop(inner) => iterations(plan, inner)?,
            Item::Leaf(leaf) => {
                let nests = plan.leaves[*leaf].swept.nests.iter();
                let mut products = nests.map(|nest| nest.iter().try_fold(1, times));
                products.try_fold(1, |most: i64, product| Some(most.max(product?)))?
            }
        });
    }
    times(most, &r#loop.length)
}

/// What a size is at most, if that is known.
pub(super) fn most(size: &Size) -> Option<i64> {
    times(1, size)
}

/// How often an `scf.for` with a step of 1 runs at most, if that is known.
pub(super) fn most_rounds<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Option<i64> {
    let [first, end] = [0, 1].map(|bound| r#loop.operand(bound).ok());
    greatest(end?, DEPTH)?.checked_sub(least(first?, DEPTH)?)
}

/// The product of a number and a size, if that is known.
fn times(number: i64, size: &Size) -> Option<i64> {
    let most = match *size {
        Size::Static(size) => size,
        Size::Dynamic(size) => greatest(size, DEPTH)?,
    };
    number.checked_mul(most.max(0))
}

/// What a number is at most.
fn greatest<'c: 'a, 'a>(value: Value<'c, 'a>, depth: usize) -> Option<i64> {
    if let Some(constant) = constant(value) {
        return Some(constant);
    }
    let depth = depth.checked_sub(1)?;
    let Some(op) = definition(value) else {
        let [_, end] = bounds_of_index(value)?;
        return greatest(end, depth)?.checked_sub(1);
    };
    let operand = |number| op.operand(number).ok();
    let of = |number| greatest(operand(number)?, depth);
    match op_name(op) {
        "arith.minsi" | "arith.minui" | "index.mins" | "index.minu" => match (of(0), of(1)) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        },
        "arith.maxsi" | "index.maxs" => Some(of(0)?.max(of(1)?)),
        "arith.addi" | "index.add" => of(0)?.checked_add(of(1)?),
        "arith.subi" | "index.sub" => of(0)?.checked_sub(least(operand(1)?, depth)?),
        _ => None,
    }
}

/// What a number is at least.
fn least<'c: 'a, 'a>(value: Value<'c, 'a>, depth: usize) -> Option<i64> {
    if let Some(constant) = constant(value) {
        return Some(constant);
    }
    let depth = depth.checked_sub(1)?;
    let Some(op) = definition(value) else {
        let [first, _] = bounds_of_index(value)?;
        return least(first, depth);
    };
    let of = |number| least(op.operand(number).ok()?, depth);
    match op_name(op) {
        "tensor.dim" => Some(0),
        "arith.addi" | "index.add" => of(0)?.checked_add(of(1)?),
        _ => None,
    }
}

/// Where a loop begins and ends that has a value for its index.
fn bounds_of_index<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    let (r#loop, argument) = argument_of(value)?;
    let is_index = op_name(r#loop) == "scf.for" && argument == 0;
    is_index.then_some([r#loop.operand(0).ok()?, r#loop.operand(1).ok()?])
}
