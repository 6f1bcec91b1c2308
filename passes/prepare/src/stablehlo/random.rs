//! `stablehlo.rng_bit_generator` by Philox 4×32 with ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
//! 2011), which is also the algorithm `DEFAULT`, as in XLA, so that programs have the bits that they have there.
//!
//! The state is a key and a counter of 64 bits each. Block number `i` is made of the 128 bits `counter + i`, of which the key
//! is the upper half, and gives four words of 32 bits: as many elements, or two of 64 bits. The counter of the new state is
//! the number of the next block.

use comb_kit::pass_error::PassError;
use melior::ir::{OperationRef, Type, Value};
use soac_dialect::builder::{Builder, Predicate, Size, Values};

use super::{
    attributes::{case, missing},
    element::{self, Array, Kind},
    shapes, unsupported,
};

const ROUNDS: usize = 10;
const MULTIPLIERS: [i64; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// What is added to the key from one round to the next.
const WEYL: [i64; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The new state, and random bits.
pub(super) fn rng_bit_generator<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let algorithm = case(op, "rng_algorithm");
    match algorithm.as_deref() {
        Some("DEFAULT" | "PHILOX") => {}
        Some("THREE_FRY") => {
            return Err(unsupported(
                op,
                "is supported with the algorithms DEFAULT and PHILOX only",
            ));
        }
        _ => return Err(missing(op, "rng_algorithm", "DEFAULT or PHILOX")),
    }
    let (state, new_state) = (element::operand(op, 0)?, element::result(op, 0)?);
    let bits = element::result(op, 1)?;
    let is_state = state == new_state && state.sizes == [2] && state.element.bits == 64;
    let is_integer = matches!(bits.element.kind, Kind::Signed | Kind::Unsigned);
    if !is_state || state.element.kind == Kind::Float || !is_integer || bits.element.bits < 8 {
        let what =
            "needs a state of two integers of 64 bits, and gives integers of 8 bits at least";
        return Err(unsupported(op, what));
    }
    let [key, counter] = [0, 1].map(|place| {
        let place = builder.index(place)?;
        builder.extract(operands[0], &[place])
    });
    let (key, counter) = (key?, counter?);
    let per_block = match bits.element.bits {
        64 => 2,
        _ => 4,
    };
    let blocks = bits.count().div_ceil(per_block);
    let columns = builder.generate(&[Size::Static(blocks as i64)], |builder, index| {
        let number = builder.value("arith.index_cast", index, builder.integer_type(64), &[])?;
        let words = block(builder, key, counter, number)?;
        elements(builder, &words, &bits)
    })?;
    let elements = side_by_side(builder, &columns, blocks, &bits)?;
    let used = builder.integer(blocks as i64, builder.integer_type(64))?;
    let next = builder.arithmetic("arith.addi", &[counter, used])?;
    let state = builder.value(
        "tensor.from_elements",
        &[key, next],
        new_state.r#type(),
        &[],
    )?;
    Ok(vec![state, elements])
}

/// The four words of a block.
fn block<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    key: Value<'c, 'a>,
    counter: Value<'c, 'a>,
    number: Value<'c, 'a>,
) -> Result<[Value<'c, 'a>; 4], melior::Error> {
    let wide = builder.integer_type(64);
    let low = builder.arithmetic("arith.addi", &[counter, number])?;
    let carry = builder.compare(Predicate::Ult, low, counter)?;
    let carry = builder.value("arith.extui", &[carry], wide, &[])?;
    let high = builder.arithmetic("arith.addi", &[key, carry])?;
    let ([x0, x1], [x2, x3]) = (halves(builder, low)?, halves(builder, high)?);
    let mut words = [x0, x1, x2, x3];
    let mut key = halves(builder, key)?;
    for round in 0..ROUNDS {
        if round > 0 {
            for (part, weyl) in key.iter_mut().zip(WEYL) {
                let weyl = builder.integer(i64::from(weyl as i32), builder.integer_type(32))?;
                *part = builder.arithmetic("arith.addi", &[*part, weyl])?;
            }
        }
        let [low0, high0] = product(builder, words[0], MULTIPLIERS[0])?;
        let [low1, high1] = product(builder, words[2], MULTIPLIERS[1])?;
        let mixed = |high, word, key| {
            let mixed = builder.arithmetic("arith.xori", &[high, word])?;
            builder.arithmetic("arith.xori", &[mixed, key])
        };
        words = [
            mixed(high1, words[1], key[0])?,
            low1,
            mixed(high0, words[3], key[1])?,
            low0,
        ];
    }
    Ok(words)
}

/// The lower and the upper half of a product of 32 bits.
fn product<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    word: Value<'c, 'a>,
    factor: i64,
) -> Result<[Value<'c, 'a>; 2], melior::Error> {
    let wide = builder.integer_type(64);
    let word = builder.value("arith.extui", &[word], wide, &[])?;
    let factor = builder.integer(factor, wide)?;
    halves(builder, builder.arithmetic("arith.muli", &[word, factor])?)
}

/// The lower and the upper half of 64 bits.
fn halves<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    bits: Value<'c, 'a>,
) -> Result<[Value<'c, 'a>; 2], melior::Error> {
    let (wide, narrow) = (builder.integer_type(64), builder.integer_type(32));
    let half = builder.integer(32, wide)?;
    let upper = builder.arithmetic("arith.shrui", &[bits, half])?;
    Ok([
        builder.value("arith.trunci", &[bits], narrow, &[])?,
        builder.value("arith.trunci", &[upper], narrow, &[])?,
    ])
}

/// The elements that the words of a block give.
fn elements<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    words: &[Value<'c, 'a>; 4],
    bits: &Array<'c>,
) -> Result<Values<'c, 'a>, melior::Error> {
    let r#type: Type = bits.element.r#type;
    match bits.element.bits {
        64 => words
            .chunks(2)
            .map(|pair| {
                let half = builder.integer(32, r#type)?;
                let lower = builder.value("arith.extui", &pair[..1], r#type, &[])?;
                let upper = builder.value("arith.extui", &pair[1..], r#type, &[])?;
                let upper = builder.arithmetic("arith.shli", &[upper, half])?;
                builder.arithmetic("arith.ori", &[upper, lower])
            })
            .collect(),
        32 => Ok(words.to_vec()),
        _ => words
            .iter()
            .map(|&word| builder.value("arith.trunci", &[word], r#type, &[]))
            .collect(),
    }
}

/// Arrays of the elements of each block as one, in the shape of the result.
fn side_by_side<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    columns: &[Value<'c, 'a>],
    blocks: u64,
    bits: &Array<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let size = |count: u64| Size::Static(count as i64);
    let columns = columns
        .iter()
        .map(|&column| Ok(builder.reshape(&[column], &[size(blocks), size(1)])?[0]))
        .collect::<Result<Values, melior::Error>>()?;
    let count = columns.len() as u64;
    let rows = builder.concat(&columns, 1)?;
    let all = builder.reshape(&rows, &[size(blocks * count)])?;
    let used = match bits.count() == blocks * count {
        true => all,
        false => builder.take(&all, &[size(bits.count())])?,
    };
    if bits.sizes.is_empty() {
        let first = builder.extract(used[0], &[builder.index(0)?])?;
        return Ok(builder.fill(&[first], &[])?[0]);
    }
    Ok(shapes::reshaped(
        builder,
        used[0],
        &[bits.count()],
        &bits.sizes,
    )?)
}
