//! The remainder of a division of floating-point numbers, truncated towards zero: `arith.remf`, which is exact.
//!
//! The significand of the first number, less that of the second as often as it fits, is doubled for each unit by which
//! the exponents differ; what is left is the significand of the result. Subnormal numbers are normalised before. There is no
//! instruction for it, and upstream calls a library that has to be linked.
//!
//! Source: the method of musl's `fmod`. Cost: an iteration for each unit of the difference of exponents.

use comb_kit::{element_types::bits, pass_error::PassError};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::{Builder, FloatPredicate, Predicate};

type Result<'c, T> = std::result::Result<T, PassError<'c>>;

/// Integers as wide as a number, and arithmetic of them.
struct Integers<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    r#type: Type<'c>,
    /// The bits of the number, and those of its significand that are stored.
    bits: u64,
    fraction: i64,
}

impl<'c: 'a, 'a> Integers<'_, 'c, 'a> {
    fn number(&self, value: i64) -> Result<'c, Value<'c, 'a>> {
        Ok(self.builder.integer(value, self.r#type)?)
    }

    fn op(
        &self,
        name: &str,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<'c, Value<'c, 'a>> {
        Ok(self
            .builder
            .arithmetic(&format!("arith.{name}"), &[left, right])?)
    }

    fn with(&self, name: &str, left: Value<'c, 'a>, right: i64) -> Result<'c, Value<'c, 'a>> {
        self.op(name, left, self.number(right)?)
    }

    fn holds(
        &self,
        predicate: Predicate,
        left: Value<'c, 'a>,
        right: i64,
    ) -> Result<'c, Value<'c, 'a>> {
        Ok(self.builder.compare(predicate, left, self.number(right)?)?)
    }

    /// How far a significand that is not 0 has to be shifted, so that its highest bit is where that of a normal number
    /// is.
    fn distance(&self, significand: Value<'c, 'a>) -> Result<'c, Value<'c, 'a>> {
        let no = self.builder.integer(0, self.builder.integer_type(1))?;
        let zeros = super::call(self.builder, "llvm.ctlz", &[significand, no])?;
        self.with("subi", zeros, self.bits as i64 - 1 - self.fraction)
    }

    /// The significand and the exponent of a positive number, as if it were normal.
    fn parts(&self, positive: Value<'c, 'a>) -> Result<'c, [Value<'c, 'a>; 2]> {
        let builder = self.builder;
        let exponent = self.with("shrui", positive, self.fraction)?;
        let fraction = self.with("andi", positive, (1 << self.fraction) - 1)?;
        let is_subnormal = self.holds(Predicate::Eq, exponent, 0)?;
        let distance = self.distance(fraction)?;
        let shifted = self.op("shli", fraction, distance)?;
        let lower = self.op("subi", self.number(1)?, distance)?;
        let whole = self.with("ori", fraction, 1 << self.fraction)?;
        Ok([
            builder.select(is_subnormal, shifted, whole)?,
            builder.select(is_subnormal, lower, exponent)?,
        ])
    }

    /// The positive number with a significand and an exponent; of 0, it is 0.
    fn joined(
        &self,
        significand: Value<'c, 'a>,
        exponent: Value<'c, 'a>,
    ) -> Result<'c, Value<'c, 'a>> {
        let builder = self.builder;
        let is_zero = self.holds(Predicate::Eq, significand, 0)?;
        let some = builder.select(is_zero, self.number(1)?, significand)?;
        let distance = self.distance(some)?;
        let normal = self.op("shli", some, distance)?;
        let exponent = self.op("subi", exponent, distance)?;
        let is_normal = self.holds(Predicate::Sgt, exponent, 0)?;
        let fraction = self.with("andi", normal, (1 << self.fraction) - 1)?;
        let high = self.with("shli", exponent, self.fraction)?;
        let as_normal = self.op("ori", fraction, high)?;
        // A subnormal number is what was shifted too far, and no farther than that.
        let back = self.op("subi", self.number(1)?, exponent)?;
        let back = builder.select(is_normal, self.number(0)?, back)?;
        let as_subnormal = self.op("shrui", normal, back)?;
        let joined = builder.select(is_normal, as_normal, as_subnormal)?;
        Ok(builder.select(is_zero, self.number(0)?, joined)?)
    }

    /// A significand less another one, if that is not negative.
    fn reduced(&self, from: Value<'c, 'a>, by: Value<'c, 'a>) -> Result<'c, Value<'c, 'a>> {
        let less = self.op("subi", from, by)?;
        let is_negative = self.holds(Predicate::Slt, less, 0)?;
        Ok(self.builder.select(is_negative, from, less)?)
    }
}

/// The remainder of an op's operands; nothing of numbers that are neither of 16, 32 nor 64 bits.
pub(super) fn value<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<'c, Option<Value<'c, 'a>>> {
    let [x, y] = [op.operand(0)?, op.operand(1)?];
    if bits(x.r#type()) == 16 {
        return of_half_precision(builder, x, y).map(Some);
    }
    remainder(builder, x, y)
}

/// The remainder of numbers of 16 bits, which one of 32 bits has exactly.
fn of_half_precision<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Result<'c, Value<'c, 'a>> {
    let wide = |number| builder.value("arith.extf", &[number], builder.f32_type(), &[]);
    let [wide_x, wide_y] = [wide(x)?, wide(y)?];
    let wide = remainder(builder, wide_x, wide_y)?.unwrap_or(wide_x);
    Ok(builder.value("arith.truncf", &[wide], x.r#type(), &[])?)
}

fn remainder<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Result<'c, Option<Value<'c, 'a>>> {
    let fraction = match bits(x.r#type()) {
        32 => 23,
        64 => 52,
        _ => return Ok(None),
    };
    let integers = Integers {
        builder,
        r#type: builder.integer_type(bits(x.r#type()) as u32),
        bits: bits(x.r#type()),
        fraction,
    };
    let as_bits = |number| builder.value("arith.bitcast", &[number], integers.r#type, &[]);
    let [x_bits, y_bits] = [as_bits(x)?, as_bits(y)?];
    let sign = integers.with("andi", x_bits, sign_bit(&integers))?;
    let positive = |number| integers.with("andi", number, !sign_bit(&integers));
    let [x_positive, y_positive] = [positive(x_bits)?, positive(y_bits)?];
    let [x_significand, x_exponent] = integers.parts(x_positive)?;
    let [y_significand, y_exponent] = integers.parts(y_positive)?;
    let is_less = builder.compare(Predicate::Slt, x_positive, y_positive)?;
    let has_result = has_result(builder, x, y)?;
    // Nothing is subtracted where the first number is less, or there is no result.
    let is_trivial = builder.select(
        has_result,
        is_less,
        builder.integer(1, builder.integer_type(1))?,
    )?;
    let first = builder.select(is_trivial, y_exponent, x_exponent)?;
    let rest = builder.while_loop(
        &[x_significand, first],
        |builder, carried| {
            Ok::<_, PassError>(builder.compare(Predicate::Sgt, carried[1], y_exponent)?)
        },
        |builder, carried| {
            let inside = Integers {
                builder,
                ..integers
            };
            let reduced = inside.reduced(carried[0], y_significand)?;
            let doubled = inside.with("shli", reduced, 1)?;
            Ok(vec![doubled, inside.with("subi", carried[1], 1)?])
        },
    )?;
    let rest = integers.reduced(rest[0], y_significand)?;
    let joined = integers.joined(rest, y_exponent)?;
    let magnitude = builder.select(is_less, x_positive, joined)?;
    let signed = integers.op("ori", magnitude, sign)?;
    let remainder = builder.value("arith.bitcast", &[signed], x.r#type(), &[])?;
    let none = builder.float(f64::NAN, x.r#type())?;
    Ok(Some(builder.select(has_result, remainder, none)?))
}

/// The sign's bit, in 64 bits with what is above it.
fn sign_bit(integers: &Integers) -> i64 {
    -1 << (integers.bits - 1)
}

/// Whether the first number is finite, and the second one neither 0 nor NaN.
fn has_result<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Result<'c, Value<'c, 'a>> {
    let absolute = super::call(builder, "llvm.fabs", &[x])?;
    let infinity = builder.float(f64::INFINITY, x.r#type())?;
    let zero = builder.float(0.0, x.r#type())?;
    let is_finite = builder.compare_floats(FloatPredicate::Olt, absolute, infinity)?;
    let is_divisor = builder.compare_floats(FloatPredicate::One, y, zero)?;
    Ok(builder.arithmetic("arith.andi", &[is_finite, is_divisor])?)
}
