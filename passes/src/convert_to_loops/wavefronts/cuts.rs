//! Where a sequential loop whose rounds overlap is cut.
//!
//! Sizes decide: there must be enough columns for two ranges, and enough rounds, of all
//! together several chunks of work. How many ranges there are depends on the number of
//! threads, and no bit of a result on that. A range is no longer than a chunk, so that what
//! one round writes and the next one reads stays in the cache. A thread waits once for so many
//! rounds as take about as long as a chunk, but seldom enough that the last thread begins
//! early.
//!
//! Cost: two dozen instructions each time the sequential loop is met.

use comb_machine::tuning::{
    chunks::WHOLE_VECTORS,
    wavefronts::{COLUMNS_TOGETHER, FEWEST_CHUNKS, FEWEST_ROUNDS, FEWEST_WAITS, MOST_ROUNDS},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::builder::{Builder, Predicate};

use super::Wavefront;
use crate::{
    convert_to_loops::{
        emitter::{Emitted, Emitter},
        plan::Loop,
        small::{most, most_rounds},
    },
    waiting::thread_count,
};

/// How long ranges are at least, and at most.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    least: i64,
    most: i64,
    together: i64,
    /// How many rounds are worth it at least.
    rounds: i64,
    /// How many iterations in all rounds are.
    iterations: i64,
}

impl Lengths {
    /// Those for chunks of so many iterations.
    pub fn of(budget: i64) -> Self {
        Self {
            least: budget.min(WHOLE_VECTORS),
            most: budget,
            // Chunks are shorter only in tests.
            together: match budget < WHOLE_VECTORS {
                true => 1,
                false => COLUMNS_TOGETHER,
            },
            rounds: budget.min(FEWEST_ROUNDS),
            iterations: budget.saturating_mul(FEWEST_CHUNKS),
        }
    }
}

/// How the rounds are cut.
#[derive(Clone, Copy)]
pub(super) struct Cut<'c, 'a> {
    pub rounds: Value<'c, 'a>,
    pub columns: Value<'c, 'a>,
    /// How many columns a range has, but for the last.
    pub length: Value<'c, 'a>,
    pub ranges: Value<'c, 'a>,
    /// How many rounds a thread goes through at a time, and how often it does.
    pub together: Value<'c, 'a>,
    pub blocks: Value<'c, 'a>,
}

/// A range.
#[derive(Clone, Copy)]
pub(super) struct Range<'c, 'a> {
    pub number: Value<'c, 'a>,
    pub bounds: [Value<'c, 'a>; 2],
    pub is_first: Value<'c, 'a>,
    pub has_next: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether sizes are not known to be too small for rounds to overlap.
    pub(super) fn may_be_worth_it(
        &self,
        shared: &Loop<'c, 'a>,
        r#loop: OperationRef<'c, 'a>,
    ) -> bool {
        let lengths = Lengths::of(self.budget(shared));
        let (columns, rounds) = (most(&shared.length), most_rounds(r#loop));
        let is_narrow = columns.is_some_and(|columns| columns < 2 * lengths.least);
        let is_short = rounds.is_some_and(|rounds| rounds < lengths.rounds);
        let iterations = columns.zip(rounds);
        let iterations = iterations.map(|(one, other)| one.saturating_mul(other));
        !is_narrow
            && !is_short
            && iterations.is_none_or(|iterations| iterations >= lengths.iterations)
    }
}

/// How many rounds there are, if there are any; and whether there are, and not too many.
pub(super) fn count_rounds<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    wavefront: &Wavefront<'c, 'a>,
) -> Emitted<'c, (Value<'c, 'a>, Value<'c, 'a>)> {
    let (lower, upper) = (wavefront.r#loop.operand(0)?, wavefront.r#loop.operand(1)?);
    let distance = builder.arithmetic("arith.subi", &[upper, lower])?;
    let step = builder.index(wavefront.step)?;
    let rounds = builder.arithmetic("arith.ceildivsi", &[distance, step])?;
    let goes_up = builder.compare(Predicate::Slt, lower, upper)?;
    // A difference that is too large for a number is negative, which is a large one here.
    let most = builder.index(MOST_ROUNDS)?;
    let are_few = builder.compare(Predicate::Ult, rounds, most)?;
    let is_sane = builder.arithmetic("arith.andi", &[goes_up, are_few])?;
    Ok((rounds, is_sane))
}

/// Whether there is enough work for several ranges.
pub(super) fn is_worth_it<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    lengths: Lengths,
    columns: Value<'c, 'a>,
    rounds: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let least = builder.index(2 * lengths.least)?;
    let is_wide = builder.compare(Predicate::Sge, columns, least)?;
    let divisor = builder.arithmetic("arith.maxsi", &[columns, builder.index(1)?])?;
    let iterations = builder.index(lengths.iterations)?;
    let fewest = builder.arithmetic("arith.ceildivsi", &[iterations, divisor])?;
    let fewest = builder.arithmetic("arith.maxsi", &[fewest, builder.index(lengths.rounds)?])?;
    let is_long = builder.compare(Predicate::Sge, rounds, fewest)?;
    Ok(builder.arithmetic("arith.andi", &[is_wide, is_long])?)
}

/// Cuts the columns into ranges, and the rounds into blocks.
pub(super) fn cut<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    lengths: Lengths,
    columns: Value<'c, 'a>,
    rounds: Value<'c, 'a>,
) -> Emitted<'c, Cut<'c, 'a>> {
    let compute = |name: &str, left, right| builder.arithmetic(name, &[left, right]);
    let one = builder.index(1)?;
    let threads = thread_count(builder)?;
    let length = compute("arith.ceildivsi", columns, threads)?;
    let length = compute("arith.maxsi", length, builder.index(lengths.least)?)?;
    let length = compute("arith.minsi", length, builder.index(lengths.most)?)?;
    let together = builder.index(lengths.together)?;
    let length = compute("arith.ceildivsi", length, together)?;
    let length = compute("arith.muli", length, together)?;
    let waits = compute("arith.muli", threads, builder.index(FEWEST_WAITS)?)?;
    let longest = compute("arith.divsi", rounds, waits)?;
    let block = compute("arith.divsi", builder.index(lengths.most)?, length)?;
    let block = compute("arith.minsi", block, longest)?;
    let block = compute("arith.maxsi", block, one)?;
    Ok(Cut {
        rounds,
        columns,
        length,
        ranges: compute("arith.ceildivsi", columns, length)?,
        together: block,
        blocks: compute("arith.ceildivsi", rounds, block)?,
    })
}

/// The range of a number.
pub(super) fn range<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    cut: Cut<'c, 'a>,
    number: Value<'c, 'a>,
) -> Emitted<'c, Range<'c, 'a>> {
    let first = builder.arithmetic("arith.muli", &[number, cut.length])?;
    let end = builder.arithmetic("arith.addi", &[first, cut.length])?;
    let end = builder.arithmetic("arith.minsi", &[end, cut.columns])?;
    let next = builder.arithmetic("arith.addi", &[number, builder.index(1)?])?;
    Ok(Range {
        number,
        bounds: [first, end],
        is_first: builder.compare(Predicate::Eq, number, builder.index(0)?)?,
        has_next: builder.compare(Predicate::Slt, next, cut.ranges)?,
    })
}
