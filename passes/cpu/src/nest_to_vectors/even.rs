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
//! Cost: a dozen instructions each time the loop runs.

use comb_machine::tuning::even::FEW;
use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate};

use super::Emitted;

/// How long the chunks of `total` iterations are, given a multiple of `multiple` that they
/// may be long at most.
pub(super) fn even_length<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    total: Value<'c, 'a>,
    most: Value<'c, 'a>,
    multiple: i64,
) -> Emitted<'c, Value<'c, 'a>> {
    let count = builder.arithmetic("arith.ceildivsi", &[total, most])?;
    let one = builder.index(1)?;
    let wanted = builder.arithmetic("arith.maxsi", &[count, one])?;
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
