//! Functions of the math dialect that become arithmetic in kernels, since there is neither an instruction nor an intrinsic.
//!
//! * `math.isnan`, `isinf`, `isfinite` and `isnormal` compare.
//! * `math.ipowi` multiplies the squares of the base that the exponent's bits name. Of negative exponents, only powers of 1
//!   and -1 are not 0; that the base is not 0 is checked before.

use comb_kit::pass_error::PassError;
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, FloatPredicate, Predicate},
    view::op_name,
};

type Result<'c, T> = std::result::Result<T, PassError<'c>>;

/// The value of a function, if it is one of those.
pub(super) fn value<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<'c, Option<Value<'c, 'a>>> {
    let number = op.operand(0)?;
    Ok(Some(match op_name(op) {
        "math.isnan" => builder.compare_floats(FloatPredicate::Uno, number, number)?,
        "math.isinf" => compare(builder, FloatPredicate::Oeq, number, f64::INFINITY)?,
        "math.isfinite" => compare(builder, FloatPredicate::Olt, number, f64::INFINITY)?,
        "math.isnormal" => {
            let least = least_normal(number.r#type());
            let is_finite = compare(builder, FloatPredicate::Olt, number, f64::INFINITY)?;
            let is_large = compare(builder, FloatPredicate::Oge, number, least)?;
            builder.arithmetic("arith.andi", &[is_finite, is_large])?
        }
        "math.ipowi" => power(builder, number, op.operand(1)?)?,
        _ => return Ok(None),
    }))
}

/// Compares the absolute value of a number with another one.
fn compare<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    predicate: FloatPredicate,
    number: Value<'c, 'a>,
    other: f64,
) -> Result<'c, Value<'c, 'a>> {
    let absolute = super::call(builder, "llvm.fabs", &[number])?;
    let other = builder.float(other, number.r#type())?;
    Ok(builder.compare_floats(predicate, absolute, other)?)
}

/// The least positive number that is not subnormal.
fn least_normal(r#type: Type) -> f64 {
    match () {
        () if r#type.is_f64() => f64::MIN_POSITIVE,
        () if r#type.is_f16() => 2.0_f64.powi(-14),
        () => f32::MIN_POSITIVE.into(),
    }
}

fn power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    base: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
) -> Result<'c, Value<'c, 'a>> {
    let r#type = base.r#type();
    let [zero, one, minus_one] = [0, 1, -1].map(|number| builder.integer(number, r#type));
    let [zero, one, minus_one] = [zero?, one?, minus_one?];
    let is_negative = builder.compare(Predicate::Slt, exponent, zero)?;
    let bits = builder.select(is_negative, zero, exponent)?;
    let carried = [one, base, bits];
    let carried = builder.while_loop(
        &carried,
        |builder, carried| {
            let zero = builder.integer(0, r#type)?;
            Ok::<_, PassError>(builder.compare(Predicate::Ne, carried[2], zero)?)
        },
        |builder, carried| {
            let &[product, square, bits] = carried else {
                return Ok(vec![]);
            };
            let more = builder.arithmetic("arith.muli", &[product, square])?;
            let product = builder.select(is_odd(builder, bits)?, more, product)?;
            let square = builder.arithmetic("arith.muli", &[square, square])?;
            Ok(vec![product, square, half(builder, bits)?])
        },
    )?;
    let sign = builder.select(is_odd(builder, exponent)?, minus_one, one)?;
    let is_one = builder.compare(Predicate::Eq, base, one)?;
    let is_minus_one = builder.compare(Predicate::Eq, base, minus_one)?;
    let inverse = builder.select(is_minus_one, sign, zero)?;
    let inverse = builder.select(is_one, one, inverse)?;
    Ok(builder.select(is_negative, inverse, carried[0])?)
}

fn is_odd<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Result<'c, Value<'c, 'a>> {
    let r#type = number.r#type();
    let [zero, one] = [builder.integer(0, r#type)?, builder.integer(1, r#type)?];
    let lowest = builder.arithmetic("arith.andi", &[number, one])?;
    Ok(builder.compare(Predicate::Ne, lowest, zero)?)
}

/// A number that is not negative, by two. Of one bit, nothing is left.
fn half<'c: 'a, 'a>(builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Result<'c, Value<'c, 'a>> {
    let r#type = number.r#type();
    if comb_kit::element_types::bits(r#type) == 1 {
        return Ok(builder.integer(0, r#type)?);
    }
    let one = builder.integer(1, r#type)?;
    Ok(builder.arithmetic("arith.shrui", &[number, one])?)
}
