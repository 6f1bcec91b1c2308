//! Functions that `math` does not have: of formulas in [`reals`], and of bits.
//!
//! Narrow floats are computed as wider ones, so that formulas are needed for few types.

mod bessel;
mod bits;
mod coefficients;
mod gamma;
mod inverse_error;
mod reals;

use melior::{
    Error,
    ir::{Type, TypeLike, Value, ValueLike},
};
use soac_dialect::builder::Builder;

use reals::Reals;

/// A function of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// The logarithm of the absolute value of the gamma function.
    LogGamma,
    /// The derivative of the logarithm of the gamma function.
    Digamma,
    /// A further derivative of it: its number, and where.
    Polygamma,
    /// Hurwitz's zeta function: exponent and offset.
    Zeta,
    InverseErf,
    /// The modified Bessel function of the first kind and order 1, with exp(-|x|).
    BesselI1e,
    /// The number next to the first one, towards the second one.
    NextAfter,
    /// Rounded to so many bits of exponent and mantissa.
    ReducePrecision(u32, u32),
}

impl Special {
    /// The function of that name in `chlo`.
    pub(super) fn named(short: &str) -> Option<Self> {
        Some(match short {
            "lgamma" => Self::LogGamma,
            "digamma" => Self::Digamma,
            "polygamma" => Self::Polygamma,
            "zeta" => Self::Zeta,
            "erf_inv" => Self::InverseErf,
            "bessel_i1e" => Self::BesselI1e,
            "next_after" => Self::NextAfter,
            _ => return None,
        })
    }

    /// How many operands it has.
    pub(super) fn arity(self) -> usize {
        match self {
            Self::Polygamma | Self::Zeta | Self::NextAfter => 2,
            _ => 1,
        }
    }

    /// Builds it of the values of the operands.
    pub(super) fn build<'c, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let r#type = operands[0].r#type();
        match self {
            Self::NextAfter => return bits::next_after(builder, operands[0], operands[1]),
            Self::ReducePrecision(exponent, mantissa) => {
                return bits::reduce_precision(builder, operands[0], (exponent, mantissa));
            }
            _ => {}
        }
        let wide = self.computed_as(builder, r#type);
        let reals = Reals::of(builder, wide);
        let operands = operands
            .iter()
            .map(|&operand| match wide == r#type {
                true => Ok(operand),
                false => builder.value("arith.extf", &[operand], wide, &[]),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let result = self.formula(&reals, &operands)?;
        match wide == r#type {
            true => Ok(result),
            false => builder.value("arith.truncf", &[result], r#type, &[]),
        }
    }

    /// The inverse of the error function has a form for `f32`, since random numbers are made of it.
    fn computed_as<'c>(self, builder: &Builder<'c, '_>, r#type: Type<'c>) -> Type<'c> {
        match self {
            Self::InverseErf if !r#type.is_f64() => builder.f32_type(),
            _ => builder.f64_type(),
        }
    }

    fn formula<'c, 'a>(
        self,
        reals: &Reals<'_, 'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        match self {
            Self::LogGamma => gamma::log_gamma(reals, operands[0]),
            Self::Digamma => gamma::digamma(reals, operands[0]),
            Self::Polygamma => gamma::polygamma(reals, operands[0], operands[1]),
            Self::Zeta => gamma::zeta(reals, operands[0], operands[1]),
            Self::InverseErf => inverse_error::inverse_error(reals, operands[0]),
            _ => bessel::i1e(reals, operands[0]),
        }
    }
}
