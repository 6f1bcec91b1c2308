//! Loops that read an array from both ends, in an order that reads memory once.
//!
//! Where an array meets its reversal, iteration `t` reads the elements `t` and `n - 1 - t`.
//! In the order of `t` each element is read twice, the second time when it is in the first
//! cache no more, or in none. So such a loop goes over blocks of iterations in the order `0, k - 1, 1,
//! k - 2, …`: what a block reads forwards, the next one reads backwards, from the first
//! cache. A chunk is some blocks in this order.
//!
//! Blocks are short: while the CPU computes one that finds all in the cache, it already
//! fetches for the next. With blocks of a page, memory would have nothing to do meanwhile.
//!
//! Loops that carry something keep their order, and so do loops that hold loops.
//!
//! Cost: one more copy of the loop, for what is left over behind the last whole block.

use comb_machine::tuning::{chunks::WHOLE_VECTORS, mirrored::VECTORS};
use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    leads::Bounds,
    plan::{Item, Kind, Leaf, Loop},
    slopes::{InMemory, accesses},
    widths::width,
};
use crate::transformations::Transformation;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The iterations of a chunk of a loop.
    pub fn run_chunk(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        match self.reads_from_both_ends(r#loop) {
            true => self.run_mirrored(builder, r#loop, bounds),
            false => self.run_loop(builder, r#loop, bounds),
        }
    }

    /// Whether a loop may run in any order, and reads an array forwards and backwards.
    pub fn reads_from_both_ends(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let is_free = |leaf: &Leaf| {
            let kinds = [Kind::Generate, Kind::Map, Kind::Gather, Kind::Backpermute];
            kinds.contains(&leaf.kind) && leaf.clock.is_none()
        };
        let is_flat = r#loop
            .items
            .iter()
            .all(|item| matches!(item, Item::Leaf(_)));
        let may_be = is_flat
            && self.plan.leaves_of(r#loop).all(is_free)
            && !self.leads.contains_key(&r#loop.id)
            && width(&self.applications, r#loop) > 1
            && self.budget(r#loop) > WHOLE_VECTORS;
        if !may_be {
            return false;
        }
        // What is computed in the loop is not read from its other end.
        let none = vec![false; self.plan.arrays.len()];
        let in_memory = InMemory {
            read: none.clone(),
            written: none,
        };
        let reads = accesses(self.plan, &in_memory);
        let position = r#loop.level - 1;
        let mut first = reads.iter();
        first.any(|one| reads.iter().any(|other| one.meets(other, position)))
            && self.applies(Transformation::Mirrored, Site::Loop(r#loop.id))
    }

    /// The iterations at some positions in the order of blocks.
    fn run_mirrored(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let lanes = width(&self.applications, r#loop) as i64;
        // Chunks are cut at a multiple of so many.
        let block = builder.index((VECTORS * lanes).min(WHOLE_VECTORS))?;
        let length = builder.size_value(r#loop.length)?;
        let count = builder.arithmetic("arith.divui", &[length, block])?;
        let left_over = builder.arithmetic("arith.remui", &[end, block])?;
        let whole_end = builder.arithmetic("arith.subi", &[end, left_over])?;
        builder.range_loop([first, whole_end, block], &[], |builder, position, _| {
            let position = builder.arithmetic("arith.divui", &[position, block])?;
            let number = mirrored(builder, position, count)?;
            let first = builder.arithmetic("arith.muli", &[number, block])?;
            let end = builder.arithmetic("arith.addi", &[first, block])?;
            self.aside(|this| this.run_loop(builder, r#loop, [first, end]))
        })?;
        self.run_loop(builder, r#loop, [whole_end, end])
    }
}

/// Which of `count` blocks is at a position: the first, the last, the second, and so on.
fn mirrored<'c, 'a>(
    builder: &Builder<'c, 'a>,
    position: Value<'c, 'a>,
    count: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let (one, two) = (builder.index(1)?, builder.index(2)?);
    let number = builder.arithmetic("arith.divui", &[position, two])?;
    let last = builder.arithmetic("arith.subi", &[count, one])?;
    let opposite = builder.arithmetic("arith.subi", &[last, number])?;
    let half = builder.arithmetic("arith.remui", &[position, two])?;
    let is_odd = builder.compare(Predicate::Eq, half, one)?;
    Ok(builder.select(is_odd, opposite, number)?)
}
