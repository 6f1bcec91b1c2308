//! Few chunks, of even lengths; or one.
//!
//! Three chunks take two threads as long as four. So if there are few, their number is
//! rounded up to a power of two, and each gets an equal part. Of many, threads have about as
//! many as each other anyway.
//!
//! To start a region, hand out its chunks and wait for its end takes one to two microseconds,
//! on threads that are awake: most of that is the time that lines of the cache take from one core
//! to another. Two chunks take three to four microseconds. So they are done by one thread, as one
//! chunk. There are three exceptions:
//!
//! * Chunks of scans and filters are gone through twice.
//! * Scatters take several times as long as other combinators, since they write element by element.
//! * What one thread computed, others have to fetch from its cache. That takes long if they need
//!   it in the order of a gather.
//!
//! Cost: a dozen instructions each time the loop runs.

use melior::ir::{Value, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::{op_name, uses},
};

use super::{
    emitter::{Emitted, Emitter},
    plan::Kind,
};

/// How many chunks are few.
const FEW: i64 = 64;

/// Up to how many chunks one thread does.
const ALONE: i64 = 2;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Up to how many chunks of the loop one thread does.
    pub fn alone(&self) -> i64 {
        let is_shared = !self.plan.stages().is_empty()
            || self.plan.leaves.iter().any(|leaf| {
                let mut results = leaf.op.results();
                leaf.kind == Kind::Scatter || results.any(|array| is_gathered_from(array.into()))
            });
        if is_shared { 1 } else { ALONE }
    }
}

/// Whether another loop gathers from what a loop computes.
fn is_gathered_from<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    uses(array).into_iter().any(|(user, position)| {
        let cluster = || {
            user.parent_operation()
                .filter(|op| op_name(*op) == "soac.cluster")
        };
        match op_name(user) {
            "soac.gather" => position == 0,
            "soac.yield" => cluster()
                .and_then(|cluster| cluster.result(position).ok())
                .is_some_and(|result| is_gathered_from(result.into())),
            _ => false,
        }
    })
}

/// How long the chunks of `total` iterations are, given a multiple of `multiple` that they
/// may be long at most, if there are more than `alone`.
pub(super) fn even_length<'c: 'a, 'a>(
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
