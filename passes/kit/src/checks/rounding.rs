//! Conversions of floating-point numbers to narrower ones that round in a direction of their own.
//!
//! Upstream lowers them to intrinsics of LLVM that take it that the CPU rounds in that direction, or
//! not at all. Here the number is rounded to nearest. Where that lies on the wrong side, the number
//! next to it is taken: as integers, the bits of numbers with one sign are in the order of the
//! numbers' sizes.

use melior::{
    Error,
    ir::{Type, TypeLike, Value, ValueLike},
};
use soac_dialect::builder::{Builder, FloatPredicate, Predicate};

use super::emit::Emit;

type Built<'c, 'a> = Result<Value<'c, 'a>, Error>;

/// How numbers between two others are rounded. The numbers are those of the attribute in MLIR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, or else the even one.
    NearestEven = 0,
    /// To the lower one.
    Downward = 1,
    /// To the higher one.
    Upward = 2,
    /// To the one that is nearer to 0.
    TowardZero = 3,
    /// To the nearest, or else the one that is further from 0.
    NearestAway = 4,
}

impl Rounding {
    /// The direction with a number.
    pub fn new(number: i64) -> Option<Self> {
        [
            Self::NearestEven,
            Self::Downward,
            Self::Upward,
            Self::TowardZero,
            Self::NearestAway,
        ]
        .into_iter()
        .find(|&rounding| rounding as i64 == number)
    }
}

/// A number of a wider type rounded to a narrower one.
///
/// # Errors
///
/// If MLIR rejects the ops.
pub fn rounded<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    narrow: Type<'c>,
    rounding: Rounding,
) -> Built<'c, 'a> {
    let nearest = builder.value("arith.truncf", &[number], narrow, &[])?;
    if rounding == Rounding::NearestEven {
        return Ok(nearest);
    }
    let near = Near::new(builder, number, nearest)?;
    match rounding {
        Rounding::NearestEven => Ok(nearest),
        Rounding::Downward => near.moved(FloatPredicate::Ogt, Side::Lower),
        Rounding::Upward => near.moved(FloatPredicate::Olt, Side::Higher),
        Rounding::TowardZero => near.toward_zero(),
        Rounding::NearestAway => near.away_from_ties(),
    }
}

/// Which of its neighbours takes a number's place.
#[derive(Clone, Copy)]
enum Side {
    Lower,
    Higher,
}

/// A number, and what it is rounded to nearest.
struct Near<'c, 'a, 'b> {
    builder: &'b Builder<'c, 'a>,
    number: Value<'c, 'a>,
    nearest: Value<'c, 'a>,
    /// The nearest as a number of the wider type, and as an integer of its bits.
    widened: Value<'c, 'a>,
    bits: Value<'c, 'a>,
}

impl<'c: 'a, 'a, 'b> Near<'c, 'a, 'b> {
    fn new(
        builder: &'b Builder<'c, 'a>,
        number: Value<'c, 'a>,
        nearest: Value<'c, 'a>,
    ) -> Result<Self, Error> {
        let width = if nearest.r#type().is_f32() { 32 } else { 16 };
        let integer = builder.integer_type(width);
        Ok(Self {
            builder,
            number,
            nearest,
            widened: builder.value("arith.extf", &[nearest], number.r#type(), &[])?,
            bits: builder.value("arith.bitcast", &[nearest], integer, &[])?,
        })
    }

    /// A neighbour instead of the nearest, if that compares so with the number.
    fn moved(&self, wrong: FloatPredicate, to: Side) -> Built<'c, 'a> {
        let builder = self.builder;
        let is_wrong = builder.compare_floats(wrong, self.widened, self.number)?;
        let zero = builder.integer(0, self.bits.r#type())?;
        let is_negative = builder.compare(Predicate::Slt, self.bits, zero)?;
        let (away, toward) = (self.next(1)?, self.next(-1)?);
        let neighbour = match to {
            Side::Lower => builder.select(is_negative, away, toward)?,
            Side::Higher => builder.select(is_negative, toward, away)?,
        };
        builder.select(is_wrong, neighbour, self.nearest)
    }

    fn toward_zero(&self) -> Built<'c, 'a> {
        let builder = self.builder;
        let sizes = self.sizes(self.widened)?;
        let is_wrong = builder.compare_floats(FloatPredicate::Ogt, sizes[1], sizes[0])?;
        builder.select(is_wrong, self.next(-1)?, self.nearest)
    }

    /// The number further from 0, if the number lies in the middle between it and the nearest. The
    /// wider type has the bits for both distances.
    fn away_from_ties(&self) -> Built<'c, 'a> {
        let builder = self.builder;
        let away = self.next(1)?;
        let widened = builder.value("arith.extf", &[away], self.number.r#type(), &[])?;
        let [size, nearest] = self.sizes(self.widened)?;
        let [_, other] = self.sizes(widened)?;
        let below = builder.binary("arith.subf", size, nearest)?;
        let above = builder.binary("arith.subf", other, size)?;
        let is_tie = builder.compare_floats(FloatPredicate::Oeq, below, above)?;
        let zero = builder.float(0.0, self.number.r#type())?;
        let is_further = builder.compare_floats(FloatPredicate::Ogt, below, zero)?;
        let holds = builder.all(&[is_tie, is_further])?;
        builder.select(holds, away, self.nearest)
    }

    /// How far the number, and another, are from 0.
    fn sizes(&self, other: Value<'c, 'a>) -> Result<[Value<'c, 'a>; 2], Error> {
        let size = |number| self.builder.arithmetic("math.absf", &[number]);
        Ok([size(self.number)?, size(other)?])
    }

    /// The number whose bits are by one more or less: further from 0, or nearer.
    fn next(&self, step: i64) -> Built<'c, 'a> {
        let step = self.builder.integer(step, self.bits.r#type())?;
        let bits = self.builder.binary("arith.addi", self.bits, step)?;
        self.builder
            .value("arith.bitcast", &[bits], self.nearest.r#type(), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::Rounding;

    #[test]
    fn directions_have_the_numbers_of_the_attribute() {
        assert_eq!(Rounding::new(0), Some(Rounding::NearestEven));
        assert_eq!(Rounding::new(4), Some(Rounding::NearestAway));
        assert_eq!(Rounding::new(5), None);
    }
}
