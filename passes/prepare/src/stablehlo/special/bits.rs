//! Functions of the bits of floating-point numbers.

use melior::{
    Error,
    ir::{Type, TypeLike, Value, ValueLike, r#type::IntegerType},
};
use soac_dialect::builder::{Builder, FloatPredicate, Predicate};

/// How a type of floating-point numbers is made.
#[derive(Clone, Copy)]
struct Format {
    bits: u32,
    mantissa: u32,
}

impl Format {
    fn of(r#type: Type) -> Self {
        let (bits, mantissa) = match () {
            () if r#type.is_f64() => (64, 52),
            () if r#type.is_f32() => (32, 23),
            () if r#type.is_bf16() => (16, 7),
            () => (16, 10),
        };
        Self { bits, mantissa }
    }

    fn exponent(self) -> u32 {
        self.bits - 1 - self.mantissa
    }

    /// The bits of 1.
    fn one(self) -> i64 {
        ((1 << (self.exponent() - 1)) - 1) << self.mantissa
    }

    /// The bits of infinity.
    fn infinity(self) -> i64 {
        ((1 << self.exponent()) - 1) << self.mantissa
    }
}

/// Integers of a type of floating-point numbers.
struct Bits<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    r#type: Type<'c>,
}

impl<'b, 'c, 'a> Bits<'b, 'c, 'a> {
    fn of(builder: &'b Builder<'c, 'a>, bits: u32) -> Self {
        let r#type = builder.integer_type(bits);
        Self { builder, r#type }
    }

    fn number(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        // A number of the type, with its sign.
        let width = IntegerType::try_from(self.r#type)?.width();
        let value = (value << (64 - width)) >> (64 - width);
        self.builder.integer(value, self.r#type)
    }

    fn with(&self, name: &str, one: Value<'c, 'a>, other: i64) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic(name, &[one, self.number(other)?])
    }

    fn compare(
        &self,
        predicate: Predicate,
        one: Value<'c, 'a>,
        other: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.compare(predicate, one, self.number(other)?)
    }

    fn from(&self, float: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.builder
            .value("arith.bitcast", &[float], self.r#type, &[])
    }
}

/// The number next to x, towards y: y if they are equal, NaN if one of them is.
pub(super) fn next_after<'c, 'a>(
    builder: &Builder<'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let float = x.r#type();
    let format = Format::of(float);
    let bits = Bits::of(builder, format.bits);
    let sign = i64::MIN >> (64 - format.bits);
    let own = bits.from(x)?;
    let size = bits.with("arith.andi", own, !sign)?;
    let signs = bits.with("arith.andi", own, sign)?;
    let signs_of_goal = bits.with("arith.andi", bits.from(y)?, sign)?;

    let zero = builder.float(0.0, float)?;
    let is_zero = builder.compare_floats(FloatPredicate::Oeq, x, zero)?;
    let magnitudes = [x, y].map(|float| builder.arithmetic("math.absf", &[float]));
    let [size_of_x, size_of_y] = magnitudes;
    let shrinks = builder.compare_floats(FloatPredicate::Ogt, size_of_x?, size_of_y?)?;
    let differs = builder.compare(Predicate::Ne, signs, signs_of_goal)?;
    let shrinks = builder.arithmetic("arith.ori", &[shrinks, differs])?;
    let (less, more) = (bits.number(-1)?, bits.number(1)?);
    let step = builder.select(shrinks, less, more)?;
    let next = builder.arithmetic("arith.addi", &[size, step])?;
    let next = builder.arithmetic("arith.ori", &[next, signs])?;
    let least = builder.arithmetic("arith.ori", &[more, signs_of_goal])?;
    let next = builder.select(is_zero, least, next)?;
    let next = builder.value("arith.bitcast", &[next], float, &[])?;

    let is_there = builder.compare_floats(FloatPredicate::Oeq, x, y)?;
    let next = builder.select(is_there, y, next)?;
    let has_nan = builder.compare_floats(FloatPredicate::Uno, x, y)?;
    let nan = builder.float(f64::NAN, float)?;
    builder.select(has_nan, nan, next)
}

/// Rounded to the nearest number of so many bits of exponent and mantissa, of two to the even one.
/// What is too small is 0, what is too large is infinite.
pub(super) fn reduce_precision<'c, 'a>(
    builder: &Builder<'c, 'a>,
    x: Value<'c, 'a>,
    (exponent, mantissa): (u32, u32),
) -> Result<Value<'c, 'a>, Error> {
    let float = x.r#type();
    let format = Format::of(float);
    let bits = Bits::of(builder, format.bits);
    let sign = i64::MIN >> (64 - format.bits);
    let own = bits.from(x)?;
    let signs = bits.with("arith.andi", own, sign)?;
    let mut size = bits.with("arith.andi", own, !sign)?;
    if mantissa < format.mantissa {
        let lost = format.mantissa - mantissa;
        let last = bits.with("arith.shrui", size, lost.into())?;
        let is_odd = bits.with("arith.andi", last, 1)?;
        let half = bits.with("arith.addi", is_odd, (1 << (lost - 1)) - 1)?;
        let sum = builder.arithmetic("arith.addi", &[size, half])?;
        size = bits.with("arith.andi", sum, !((1 << lost) - 1))?;
    }
    if exponent < format.exponent() {
        // As far above and below the exponent of 1 as exponents of so many bits reach.
        let reach = ((1_i64 << (exponent - 1)) - 1) << format.mantissa;
        let first = format.one() - reach + (1 << format.mantissa);
        let is_small = bits.compare(Predicate::Ult, size, first)?;
        let end = format.one() + reach + (1 << format.mantissa);
        let is_large = bits.compare(Predicate::Uge, size, end)?;
        size = builder.select(is_small, bits.number(0)?, size)?;
        size = builder.select(is_large, bits.number(format.infinity())?, size)?;
    }
    let result = builder.arithmetic("arith.ori", &[size, signs])?;
    let result = builder.value("arith.bitcast", &[result], float, &[])?;
    let is_nan = builder.compare_floats(FloatPredicate::Uno, x, x)?;
    builder.select(is_nan, x, result)
}
