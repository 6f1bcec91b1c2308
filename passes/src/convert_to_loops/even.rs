//! Few chunks, of even lengths.
//!
//! Three chunks take two threads as long as four. So if there are few, their number is
//! rounded up to a power of two, and each gets an equal part. Of many, threads have about as
//! many as each other anyway.
//!
//! To start a region, hand out its chunks and wait for its end takes a good half of a microsecond on
//! threads that are awake and close to each other, and several times as much on others. A chunk takes
//! longer than that; so a loop that is more than one chunk is shared.
//!
//! There is an exception. A small array that is [scattered](super::scatters) into next is written by
//! one thread then, which would have to fetch the other threads' parts from their caches. So two
//! chunks of what computes it are done by one thread, as one chunk.
//!
//! Cost: a dozen instructions each time the loop runs.

use comb_machine::tuning::even::{ALONE, FEW};
use melior::ir::{BlockLike, Value, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::{OpView, op_name, uses},
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    plan::Loop,
};
use crate::transformations::Transformation;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// How long the chunks of a loop are, given a multiple of `multiple` that they may be long at
    /// most.
    pub fn even_length(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        most: Value<'c, 'a>,
        multiple: i64,
    ) -> Emitted<'c, Value<'c, 'a>> {
        match self.applies(Transformation::EvenChunks, Site::Loop(r#loop.id)) {
            true => even_length(builder, r#loop.length, most, multiple, self.alone()),
            false => Ok(most),
        }
    }

    /// Up to how many chunks of the loop one thread does.
    pub fn alone(&self) -> i64 {
        let mut results = self.plan.leaves.iter().flat_map(|leaf| leaf.op.results());
        match results.any(|array| is_scattered_into(array.into())) {
            true => ALONE,
            false => 1,
        }
    }
}

/// Whether an array is the destination of a scatter.
fn is_scattered_into<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    uses(array).into_iter().any(|(user, position)| {
        let cluster = || {
            user.parent_operation()
                .filter(|op| op_name(*op) == "soac.cluster")
        };
        match op_name(user) {
            "soac.scatter" => OpView::of(user).group(1).contains(&position),
            "soac.cluster" => OpView::of(user)
                .block()
                .and_then(|block| block.argument(position).ok())
                .is_some_and(|inside| is_scattered_into(inside.into())),
            "soac.yield" => cluster()
                .and_then(|cluster| cluster.result(position).ok())
                .is_some_and(|outside| is_scattered_into(outside.into())),
            _ => false,
        }
    })
}

/// How long the chunks of `total` iterations are, given a multiple of `multiple` that they
/// may be long at most, if there are more than `alone`.
pub(crate) fn even_length<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    total: Size<'c, 'a>,
    most: Value<'c, 'a>,
    multiple: i64,
    alone: i64,
) -> Emitted<'c, Value<'c, 'a>> {
    let total = builder.size_value(total)?;
    let count = builder.arithmetic("arith.ceildivsi", &[total, most])?;
    let one = builder.index(1)?;
    let is_alone = builder.compare(Predicate::Sle, count, builder.index(alone)?)?;
    let wanted = builder.select(is_alone, one, count)?;
    let rounded = next_power_of_two(builder, wanted)?;
    let part = builder.arithmetic("arith.muli", &[rounded, builder.index(multiple)?])?;
    let length = builder.arithmetic("arith.ceildivsi", &[total, part])?;
    let length = builder.arithmetic("arith.muli", &[length, builder.index(multiple)?])?;
    let length = builder.arithmetic("arith.maxsi", &[length, one])?;
    let are_few = builder.compare(Predicate::Sle, count, builder.index(FEW)?)?;
    Ok(builder.select(are_few, length, most)?)
}

/// The least power of two that is not less than a positive number.
fn next_power_of_two<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let (index, word) = (builder.index_type(), builder.integer_type(64));
    let less = builder.arithmetic("arith.subi", &[number, builder.index(1)?])?;
    let less = builder.value("arith.index_cast", &[less], word, &[])?;
    let zeros = builder.arithmetic("math.ctlz", &[less])?;
    let bits = builder.arithmetic("arith.subi", &[builder.integer(64, word)?, zeros])?;
    let power = builder.arithmetic("arith.shli", &[builder.integer(1, word)?, bits])?;
    Ok(builder.value("arith.index_cast", &[power], index, &[])?)
}
