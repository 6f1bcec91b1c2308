//! Where a sequential loop is cut that threads go through one behind the other.
//!
//! Sizes decide: there must be enough columns for two ranges, and enough rounds, of all together several
//! chunks of work, and more than one thread. There is a range for each thread, or more, so that none is longer
//! than a chunk, and what one round writes and the next one reads stays in the cache. No bit of a result
//! depends on that. A thread waits once for so many rounds as take about as long as a chunk, but seldom
//! enough that the last thread begins early.
//!
//! Cost: two dozen instructions each time the sequential loop is met.

use comb_machine::tuning::{
    chunks::WHOLE_VECTORS,
    wavefronts::{COLUMNS_TOGETHER, FEWEST_WAITS, MOST_ROUNDS},
};
use melior::ir::{Value, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::builder::{Builder, Predicate};

use super::Made;
use crate::{
    nest_schedule::wavefronts::{Least, Wavefront},
    waiting::thread_count,
};

/// How large a sequential loop is.
pub(super) struct Sizes<'c, 'a> {
    first: Value<'c, 'a>,
    end: Value<'c, 'a>,
    columns: Value<'c, 'a>,
    /// How often the sequential loop runs, if it does.
    rounds: Value<'c, 'a>,
    threads: Value<'c, 'a>,
    least: Least,
    /// The most columns of a range.
    most: i64,
    /// What columns of ranges are multiples of.
    together: i64,
}

impl<'c: 'a, 'a> Sizes<'c, 'a> {
    /// Those of a wavefront, in front of which code is.
    pub fn of(
        builder: &Builder<'c, 'a>,
        wavefront: &Wavefront<'c, 'a>,
        columns: Value<'c, 'a>,
        schedule: &Schedule,
        most: u64,
    ) -> Made<'c, Self> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let lanes = schedule.lanes_at_once() as i64;
        let (first, end) = (wavefront.r#loop.operand(0)?, wavefront.r#loop.operand(1)?);
        let distance = builder.arithmetic("arith.subi", &[end, first])?;
        let step = builder.index(wavefront.step)?;
        Ok(Self {
            first,
            end,
            columns,
            rounds: builder.arithmetic("arith.ceildivsi", &[distance, step])?,
            threads: thread_count(builder)?,
            least: Least::of(most),
            most,
            // Chunks are shorter only in tests.
            together: match most < WHOLE_VECTORS {
                true => lanes,
                false => lanes.max(COLUMNS_TOGETHER),
            },
        })
    }

    /// Whether there is enough work for several ranges, and somebody to share it, unless it is for one thread,
    /// too.
    pub fn are_worth_it(
        &self,
        builder: &Builder<'c, 'a>,
        is_for_one: bool,
    ) -> Made<'c, Value<'c, 'a>> {
        let Self { least, rounds, .. } = *self;
        let one = builder.index(1)?;
        let least_threads = builder.index(if is_for_one { 0 } else { 1 })?;
        let are_several = builder.compare(Predicate::Sgt, self.threads, least_threads)?;
        let goes_up = builder.compare(Predicate::Slt, self.first, self.end)?;
        // A difference that is too large for a number is negative, which is a large one here.
        let are_few = builder.compare(Predicate::Ult, rounds, builder.index(MOST_ROUNDS)?)?;
        let narrowest = builder.index(2 * least.range)?;
        let is_wide = builder.compare(Predicate::Sge, self.columns, narrowest)?;
        let divisor = builder.arithmetic("arith.maxsi", &[self.columns, one])?;
        let iterations = builder.index(least.iterations)?;
        let fewest = builder.arithmetic("arith.ceildivsi", &[iterations, divisor])?;
        let fewest = builder.arithmetic("arith.maxsi", &[fewest, builder.index(least.rounds)?])?;
        let is_long = builder.compare(Predicate::Sge, rounds, fewest)?;
        let others = [goes_up, are_few, is_wide, is_long];
        let all = others.into_iter().try_fold(are_several, |all, other| {
            builder.arithmetic("arith.andi", &[all, other])
        });
        Ok(all?)
    }

    /// Cuts the columns into ranges, and the rounds into blocks.
    pub fn cut(&self, builder: &Builder<'c, 'a>) -> Made<'c, Cut<'c, 'a>> {
        let compute = |name: &str, left, right| builder.arithmetic(name, &[left, right]);
        let Self {
            columns, rounds, ..
        } = *self;
        let together = builder.index(self.together)?;
        let most = builder.index(self.most)?;
        let length = compute("arith.ceildivsi", columns, self.threads)?;
        let length = compute("arith.maxsi", length, builder.index(self.least.range)?)?;
        let length = compute("arith.minsi", length, most)?;
        let length = compute("arith.ceildivsi", length, together)?;
        let length = compute("arith.muli", length, together)?;
        let waits = compute("arith.muli", self.threads, builder.index(FEWEST_WAITS)?)?;
        let longest = compute("arith.divsi", rounds, waits)?;
        let block = compute("arith.divsi", most, length)?;
        let block = compute("arith.minsi", block, longest)?;
        let block = compute("arith.maxsi", block, builder.index(1)?)?;
        Ok(Cut {
            rounds,
            columns,
            length,
            ranges: compute("arith.ceildivsi", columns, length)?,
            together: block,
            blocks: compute("arith.ceildivsi", rounds, block)?,
        })
    }
}

/// How rounds are cut.
#[derive(Clone, Copy)]
pub(super) struct Cut<'c, 'a> {
    pub rounds: Value<'c, 'a>,
    columns: Value<'c, 'a>,
    /// How many columns a range has, but for the last.
    length: Value<'c, 'a>,
    pub ranges: Value<'c, 'a>,
    /// How many rounds a thread goes through at a time, and how often it does.
    together: Value<'c, 'a>,
    pub blocks: Value<'c, 'a>,
}

/// A range of columns.
#[derive(Clone, Copy)]
pub(super) struct Range<'c, 'a> {
    pub number: Value<'c, 'a>,
    pub is_first: Value<'c, 'a>,
    pub first: Value<'c, 'a>,
    pub width: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Cut<'c, 'a> {
    /// The range of a number.
    pub fn range(
        &self,
        builder: &Builder<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Made<'c, Range<'c, 'a>> {
        let first = builder.arithmetic("arith.muli", &[number, self.length])?;
        let left = builder.arithmetic("arith.subi", &[self.columns, first])?;
        Ok(Range {
            number,
            is_first: builder.compare(Predicate::Eq, number, builder.index(0)?)?,
            first,
            width: builder.arithmetic("arith.minsi", &[left, self.length])?,
        })
    }

    /// The first round of a block, the one behind its last, and the step between them.
    pub fn block(
        &self,
        builder: &Builder<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Made<'c, [Value<'c, 'a>; 3]> {
        let first = builder.arithmetic("arith.muli", &[number, self.together])?;
        let end = builder.arithmetic("arith.addi", &[first, self.together])?;
        let end = builder.arithmetic("arith.minsi", &[end, self.rounds])?;
        Ok([first, end, builder.index(1)?])
    }

    /// The number of the flag of a range and block.
    pub fn flag(
        &self,
        builder: &Builder<'c, 'a>,
        range: Value<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Made<'c, Value<'c, 'a>> {
        let first = builder.arithmetic("arith.muli", &[range, self.blocks])?;
        Ok(builder.arithmetic("arith.addi", &[first, block])?)
    }
}
