//! How long the blocks are whose positions are [computed ahead](super::ahead).
//!
//! Positions of a short block stay in the first cache. But a CPU that reads a thousand elements
//! of one array anywhere, and then a thousand of the next, needs the last cache for all these
//! arrays at once. If they do not fit it together, blocks are long: while millions of elements of an
//! array are read, it has the cache for itself, as it has in loops of its own. Then chunks are as
//! long as a block, but not so long that threads get few of them.
//!
//! Chunks of folds, scans, filters and scatters may not depend on the number of threads, lest bits
//! do. So loops with such combinators keep to short blocks.
//!
//! Cost: a call of OpenMP's library and a dozen instructions each time that the loop runs, and
//! memory for the positions of a block, for each thread.

use comb_machine::tuning::{
    block_lengths::{CHUNKS_PER_THREAD, LONG_BLOCK},
    chunks::WHOLE_VECTORS,
};
use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    applications::Site,
    chunks::rounded_up,
    emitter::{Emitted, Emitter},
    plan::{Component, Kind, Leaf, Loop, Plan, Source},
    widths::{bits_in_memory, element},
};
use crate::{transformations::Transformation, waiting::thread_count};

/// Long blocks.
#[derive(Clone, Copy)]
pub(super) struct LongBlocks<'c, 'a> {
    /// Whether they are worth it.
    are_wanted: Value<'c, 'a>,
    /// How many iterations they have.
    length: Value<'c, 'a>,
    /// How many short ones have.
    short: i64,
}

impl<'c: 'a, 'a> LongBlocks<'c, 'a> {
    /// How long chunks are that would be shorter otherwise.
    pub fn chunk_length(
        &self,
        builder: &Builder<'c, 'a>,
        otherwise: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let longer = builder.arithmetic("arith.maxsi", &[self.length, otherwise])?;
        Ok(builder.select(self.are_wanted, longer, otherwise)?)
    }

    /// How long blocks are in chunks of some length.
    pub fn block_length(
        &self,
        builder: &Builder<'c, 'a>,
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        Ok(builder.select(self.are_wanted, chunk, builder.index(self.short)?)?)
    }
}

/// Whether chunks of a plan may be cut otherwise on other numbers of threads.
fn may_be_cut_anywhere(plan: &Plan) -> bool {
    let element_by_element = [Kind::Generate, Kind::Map, Kind::Gather, Kind::Backpermute];
    let mut leaves = plan.leaves.iter();
    leaves.all(|leaf| element_by_element.contains(&leaf.kind))
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether blocks of a loop may be long.
    pub fn may_have_long_blocks(&self, r#loop: &Loop<'c, 'a>) -> bool {
        may_be_cut_anywhere(self.plan)
            && self.goes_in_blocks(r#loop)
            && self.applies(Transformation::LongBlocks, Site::Loop(r#loop.id))
    }

    /// The long blocks of a loop; nothing if it has short ones, or none, in any case.
    pub fn long_blocks(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, Option<LongBlocks<'c, 'a>>> {
        if !self.may_have_long_blocks(r#loop) {
            return Ok(None);
        }
        let bytes = self.bytes_read_anywhere(builder)?;
        let large = builder.index(self.options.machine.last_cache_bytes)?;
        let parts = builder.index(CHUNKS_PER_THREAD)?;
        let parts = builder.arithmetic("arith.muli", &[thread_count(builder)?, parts])?;
        let total = builder.size_value(r#loop.length)?;
        let part = builder.arithmetic("arith.divui", &[total, parts])?;
        let length = builder.arithmetic("arith.minui", &[part, builder.index(LONG_BLOCK)?])?;
        Ok(Some(LongBlocks {
            are_wanted: builder.compare(Predicate::Sgt, bytes, large)?,
            length: rounded_up(builder, length, WHOLE_VECTORS)?,
            short: self.short_block(r#loop),
        }))
    }

    /// How large the arrays are together that are read anywhere.
    fn bytes_read_anywhere(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let mut total = builder.index(0)?;
        for array in self.plan.leaves.iter().flat_map(read_anywhere) {
            let bytes = bits_in_memory(element(array.r#type())) as i64 / 8;
            let mut sizes = builder.sizes(array)?.into_iter();
            let bytes = sizes.try_fold(builder.index(bytes)?, |product, size| {
                let size = builder.size_value(size)?;
                builder.arithmetic("arith.muli", &[product, size])
            })?;
            total = builder.arithmetic("arith.addi", &[total, bytes])?;
        }
        Ok(total)
    }
}

/// The arrays in memory that a combinator reads anywhere: all, if it is in a gather's order.
fn read_anywhere<'l, 'c: 'a, 'a>(
    leaf: &'l Leaf<'c, 'a>,
) -> impl Iterator<Item = Value<'c, 'a>> + 'l {
    let is_in_order_of_gather = leaf
        .components
        .iter()
        .any(|component| matches!(component, Component::Label(_)));
    let sources = leaf.view.group(0);
    let operands = leaf.operands.iter().enumerate();
    operands.filter_map(move |(number, operand)| {
        let is_source = leaf.kind == Kind::Gather && sources.contains(&number);
        match operand {
            Some(Source::Given(array)) if is_source || is_in_order_of_gather => Some(*array),
            _ => None,
        }
    })
}
