//! The modified Bessel function of the first kind and order 1, with a factor of exp(-|x|).
//!
//! Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 9.6.10 and 9.7.1.

use melior::{Error, ir::Value};
use soac_dialect::builder::FloatPredicate;

use super::reals::Reals;

/// From here on, the asymptotic series is as exact as `f64`.
const FAR: f64 = 20.0;

/// So many terms of the power series count below [`FAR`].
const NEAR_TERMS: usize = 38;

/// So many terms of the asymptotic series count from [`FAR`] on.
const FAR_TERMS: usize = 26;

/// I₁(x) exp(-|x|).
pub(super) fn i1e<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let one = reals.number(1.0)?;
    let size = reals.apply("math.absf", x)?;
    let decay = reals.apply("math.exp", reals.apply("arith.negf", size)?)?;
    let near = reals.polynomial(&power_series(), reals.multiply(x, x)?)?;
    let near = reals.multiply(reals.multiply(x, decay)?, near)?;
    let far = reals.polynomial(&asymptotic_series(), reals.divide(one, size)?)?;
    let far = reals.divide(far, reals.apply("math.sqrt", size)?)?;
    let is_negative = reals.compare(FloatPredicate::Olt, x, 0.0)?;
    let far = reals.select(is_negative, reals.apply("arith.negf", far)?, far)?;
    let is_near = reals.compare(FloatPredicate::Olt, size, FAR)?;
    reals.select(is_near, near, far)
}

/// Of I₁(x) / x, in x²: 1 / (2 · 4^k · k! · (k + 1)!).
fn power_series() -> Vec<f64> {
    let terms = (1..NEAR_TERMS).scan(0.5, |term, k| {
        let k = k as f64;
        *term /= 4.0 * k * (k + 1.0);
        Some(*term)
    });
    [0.5].into_iter().chain(terms).collect()
}

/// Of I₁(x) exp(-x) √x, in 1 / x: the quotient of a term and the one before is
/// ((2k - 1)² - 4) / 8k.
fn asymptotic_series() -> Vec<f64> {
    let first = (2.0 * std::f64::consts::PI).sqrt().recip();
    let terms = (1..FAR_TERMS).scan(first, |term, k| {
        let k = k as f64;
        *term *= ((2.0 * k - 1.0).powi(2) - 4.0) / (8.0 * k);
        Some(*term)
    });
    [first].into_iter().chain(terms).collect()
}
