//! Powers with integer exponents (`math.fpowi`), by `math.powf`.
//!
//! Multiplying again and again, as upstream does, adds up an error for each time. Here
//!
//! * the power of the number without its sign is computed in f64, and rounded once;
//! * the sign is the number's own if the exponent is odd;
//! * an exponent of 64 bits is rounded when it becomes an f64. If the power is neither 0 nor
//!   infinite then, the number is so close to 1 that its logarithm is its distance from 1: what is
//!   missing is the power, times that distance, times what was lost of the exponent. (Numbers of
//!   narrower types are never that close to 1.)
//!
//! Powers from -1 to 2 are what they are.

use melior::{
    Error,
    ir::{Value, ValueLike},
};
use soac_dialect::builder::{Builder, FloatPredicate, Predicate};

use super::{
    emit::{Emit, integer_width},
    facts::constant,
};

type Built<'c, 'a> = Result<Value<'c, 'a>, Error>;

/// The bits of an integer that f64 has.
const MANTISSA: u32 = 53;

/// Exponents that are rounded have powers only of numbers that are this close to 1: those of
/// others are 0 or infinite.
const CLOSE: f64 = 1.0 / (1u64 << 40) as f64;

/// A number to the power of an integer.
///
/// # Errors
///
/// If MLIR rejects the ops.
pub fn power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
) -> Built<'c, 'a> {
    let (r#type, double) = (number.r#type(), builder.f64_type());
    match constant(exponent) {
        Some(-1) => {
            let one = builder.float(1.0, r#type)?;
            return builder.binary("arith.divf", one, number);
        }
        Some(0) => return builder.float(1.0, r#type),
        Some(1) => return Ok(number),
        Some(2) => return builder.binary("arith.mulf", number, number),
        _ => {}
    }
    let wide = match r#type == double {
        true => number,
        false => builder.value("arith.extf", &[number], double, &[])?,
    };
    let size = builder.arithmetic("math.absf", &[wide])?;
    let width = integer_width(exponent.r#type()).unwrap_or_default();
    let rounded = rounded(builder, exponent, width)?;
    let power = builder.binary("math.powf", size, rounded)?;
    let power = match r#type == double && width > MANTISSA {
        true => corrected(builder, power, size, exponent, rounded)?,
        false => power,
    };
    let one = builder.integer(1, exponent.r#type())?;
    let last = builder.binary("arith.andi", exponent, one)?;
    let is_odd = builder.compare(Predicate::Eq, last, one)?;
    let signed = builder.binary("math.copysign", power, wide)?;
    let power = builder.select(is_odd, signed, power)?;
    match r#type == double {
        true => Ok(power),
        false => builder.value("arith.truncf", &[power], r#type, &[]),
    }
}

/// An exponent as an f64 that is a number of its type again.
fn rounded<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    exponent: Value<'c, 'a>,
    width: u32,
) -> Built<'c, 'a> {
    let double = builder.f64_type();
    let rounded = builder.value("arith.sitofp", &[exponent], double, &[])?;
    if width <= MANTISSA {
        return Ok(rounded);
    }
    let end = 2f64.powi(width as i32 - 1);
    let greatest = builder.float(end - end / 2f64.powi(MANTISSA as i32), double)?;
    builder.binary("arith.minimumf", rounded, greatest)
}

/// The power with what rounding has taken from the exponent.
fn corrected<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    power: Value<'c, 'a>,
    size: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
    rounded: Value<'c, 'a>,
) -> Built<'c, 'a> {
    let double = builder.f64_type();
    let back = builder.value("arith.fptosi", &[rounded], exponent.r#type(), &[])?;
    let lost = builder.binary("arith.subi", exponent, back)?;
    let lost = builder.value("arith.sitofp", &[lost], double, &[])?;
    let one = builder.float(1.0, double)?;
    let distance = builder.binary("arith.subf", size, one)?;
    let change = builder.binary("arith.mulf", lost, distance)?;
    let missing = builder.binary("arith.mulf", power, change)?;
    let better = builder.binary("arith.addf", power, missing)?;
    let away = builder.arithmetic("math.absf", &[distance])?;
    let close = builder.float(CLOSE, double)?;
    let is_close = builder.compare_floats(FloatPredicate::Olt, away, close)?;
    let infinity = builder.float(f64::INFINITY, double)?;
    let is_finite = builder.compare_floats(FloatPredicate::Olt, power, infinity)?;
    let applies = builder.all(&[is_close, is_finite])?;
    builder.select(applies, better, power)
}
