//! The inverse of the error function.
//!
//! Divided by its argument x, it is smooth in w = -log(1 - x²), or in the square root of w where
//! w is large: the way of Giles, "Approximating the erfinv function", 2010.

use melior::{Error, ir::Value};
use soac_dialect::builder::FloatPredicate;

use super::{
    coefficients::{F32_CENTRE, F32_TAIL, F64_CENTRE, F64_MIDDLE, F64_TAIL},
    reals::Reals,
};

/// A polynomial in what a variable is more than the middle of an interval.
pub(super) struct Piece {
    pub(super) middle: f64,
    pub(super) coefficients: &'static [f64],
}

impl Piece {
    fn at<'c, 'a>(
        &self,
        reals: &Reals<'_, 'c, 'a>,
        variable: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let rest = reals.subtract(variable, reals.number(self.middle)?)?;
        reals.polynomial(self.coefficients, rest)
    }
}

/// ±∞ at ±1, and NaN beyond.
pub(super) fn inverse_error<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let one = reals.number(1.0)?;
    // 1 - x² would be rounded where it is small.
    let product = reals.multiply(reals.subtract(one, x)?, reals.add(one, x)?)?;
    let log = reals.apply("math.log", product)?;
    let w = reals.apply("arith.negf", log)?;
    let root = reals.apply("math.sqrt", w)?;
    let (centre, limit, tail) = match reals.is_f64() {
        true => {
            let middle = F64_MIDDLE.at(reals, root)?;
            let tail = F64_TAIL.at(reals, root)?;
            let is_middle = reals.compare(FloatPredicate::Olt, w, 16.0)?;
            (&F64_CENTRE, 6.25, reals.select(is_middle, middle, tail)?)
        }
        false => (&F32_CENTRE, 5.0, F32_TAIL.at(reals, root)?),
    };
    let is_centre = reals.compare(FloatPredicate::Olt, w, limit)?;
    let quotient = reals.select(is_centre, centre.at(reals, w)?, tail)?;
    let is_end = reals.compare(FloatPredicate::Oeq, w, f64::INFINITY)?;
    let quotient = reals.select(is_end, reals.number(f64::INFINITY)?, quotient)?;
    reals.multiply(x, quotient)
}
