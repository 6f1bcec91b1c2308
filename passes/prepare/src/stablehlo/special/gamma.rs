//! The logarithm of the gamma function, its derivatives, and Hurwitz's zeta function.
//!
//! Asymptotic series are exact where the argument is large enough; smaller ones are moved there
//! by recurrences, and negative ones by reflection.
//!
//! Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", chapters 6 and 23.

use std::f64::consts::PI;

use melior::{Error, ir::Value};
use soac_dialect::builder::FloatPredicate;

use super::reals::Reals;

/// Bernoulli's numbers of even index, from the second on.
const BERNOULLI: [f64; 12] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
    854513.0 / 138.0,
    -236364091.0 / 2730.0,
];

/// Where the series of the gamma functions begin to be exact, and how far arguments are moved.
const LARGE: usize = 8;

/// So many of Bernoulli's numbers count from [`LARGE`] on.
const TERMS: usize = 9;

/// So many terms of the zeta function are summed.
const SUMMED: usize = 10;

/// log |Γ(x)|: ∞ at the poles and at ±∞.
pub(super) fn log_gamma<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (is_reflected, argument) = reflected(reals, x)?;
    let (is_small, large) = moved(reals, argument)?;
    let mut product = argument;
    for step in 1..LARGE {
        product = reals.multiply(product, reals.add(argument, reals.number(step as f64)?)?)?;
    }
    // The product may be infinite where it is not used.
    let product = reals.select(is_small, product, reals.number(1.0)?)?;
    let right = reals.subtract(stirling(reals, large)?, reals.apply("math.log", product)?)?;

    let sine = reals.apply("math.sin", scaled(reals, fraction(reals, x)?, PI)?)?;
    let sine = reals.apply("math.log", reals.apply("math.absf", sine)?)?;
    let left = reals.subtract(reals.subtract(reals.number(PI.ln())?, sine)?, right)?;
    let value = reals.select(is_reflected, left, right)?;
    let is_end = reals.compare(
        FloatPredicate::Oeq,
        reals.apply("math.absf", x)?,
        f64::INFINITY,
    )?;
    let value = reals.select(is_end, reals.number(f64::INFINITY)?, value)?;
    // 0! and 1!, where terms that are not 0 cancel.
    let zero = reals.number(0.0)?;
    [1.0, 2.0].into_iter().try_fold(value, |value, root| {
        let is_root = reals.compare(FloatPredicate::Oeq, x, root)?;
        reals.select(is_root, zero, value)
    })
}

/// log Γ(x) of a large x.
fn stirling<'c, 'a>(reals: &Reals<'_, 'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let log = reals.apply("math.log", x)?;
    let leading = reals.multiply(reals.subtract(x, reals.number(0.5)?)?, log)?;
    let leading = reals.subtract(leading, x)?;
    let leading = reals.add(leading, reals.number((2.0 * PI).ln() / 2.0)?)?;
    let inverse = reals.divide(reals.number(1.0)?, x)?;
    let coefficients = series(|k| 2.0 * k * (2.0 * k - 1.0));
    let rest = reals.polynomial(&coefficients, reals.multiply(inverse, inverse)?)?;
    reals.add(leading, reals.multiply(inverse, rest)?)
}

/// The derivative of log Γ: NaN at the poles, 0 too, and at -∞.
pub(super) fn digamma<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let one = reals.number(1.0)?;
    let (is_reflected, argument) = reflected(reals, x)?;
    let (is_small, large) = moved(reals, argument)?;
    let mut sum = reals.divide(one, argument)?;
    for step in 1..LARGE {
        let place = reals.add(argument, reals.number(step as f64)?)?;
        sum = reals.add(sum, reals.divide(one, place)?)?;
    }
    let sum = reals.select(is_small, sum, reals.number(0.0)?)?;
    let inverse = reals.divide(one, large)?;
    let coefficients = series(|k| 2.0 * k);
    let square = reals.multiply(inverse, inverse)?;
    let rest = reals.multiply(square, reals.polynomial(&coefficients, square)?)?;
    let rest = reals.add(scaled(reals, inverse, 0.5)?, rest)?;
    let right = reals.subtract(reals.apply("math.log", large)?, reals.add(rest, sum)?)?;

    let rest = fraction(reals, x)?;
    let tangent = reals.apply("math.tan", scaled(reals, rest, PI)?)?;
    let left = reals.subtract(right, reals.divide(reals.number(PI)?, tangent)?)?;
    let value = reals.select(is_reflected, left, right)?;
    let is_pole = reals.compare(FloatPredicate::Oeq, rest, 0.0)?;
    let is_pole = reals.both(is_pole, reals.compare(FloatPredicate::Ole, x, 0.0)?)?;
    reals.select(is_pole, reals.number(f64::NAN)?, value)
}

/// The derivative of that number of digamma, which has the number 0; NaN if it is none.
pub(super) fn polygamma<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    number: Value<'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let next = reals.add(number, reals.number(1.0)?)?;
    let factorial = reals.apply("math.exp", log_gamma(reals, next)?)?;
    let value = reals.multiply(factorial, zeta(reals, next, x)?)?;
    let half = reals.apply("math.floor", scaled(reals, next, 0.5)?)?;
    let is_odd = reals.subtract(next, scaled(reals, half, 2.0)?)?;
    let is_odd = reals.compare(FloatPredicate::Oeq, is_odd, 1.0)?;
    let value = reals.select(is_odd, reals.apply("arith.negf", value)?, value)?;
    let is_first = reals.compare(FloatPredicate::Oeq, number, 0.0)?;
    let value = reals.select(is_first, digamma(reals, x)?, value)?;
    let is_number = reals.both(
        reals.is_integer(number)?,
        reals.compare(FloatPredicate::Oge, number, 0.0)?,
    )?;
    reals.select(is_number, value, reals.number(f64::NAN)?)
}

/// The sum of (q + k)^-x, by the summation of Euler and Maclaurin. ∞ if x is 1 or if x is even
/// and q a pole; NaN at other poles, if x is less than 1, or not whole where q is negative.
pub(super) fn zeta<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    q: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let exponent = reals.apply("arith.negf", x)?;
    let mut power = reals.power(q, exponent)?;
    let mut sum = power;
    let mut place = q;
    for step in 1..SUMMED {
        place = reals.add(q, reals.number(step as f64)?)?;
        power = reals.power(place, exponent)?;
        sum = reals.add(sum, power)?;
    }
    let integral = reals.divide(
        reals.multiply(power, place)?,
        reals.subtract(x, reals.number(1.0)?)?,
    )?;
    let rest = reals.multiply(power, corrections(reals, x, place)?)?;
    let sum = reals.add(reals.add(sum, integral)?, rest)?;
    of_poles(reals, (x, q), sum)
}

/// What the integral leaves, divided by the last term: of that a half, and Bernoulli's numbers.
fn corrections<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    place: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let square = reals.multiply(place, place)?;
    let mut factor = reals.divide(x, place)?;
    let mut sum = reals.number(-0.5)?;
    let mut factorial = 1.0;
    for (index, bernoulli) in BERNOULLI.iter().enumerate() {
        let (odd, even) = (2.0 * index as f64 + 1.0, 2.0 * index as f64 + 2.0);
        factorial *= odd * even;
        sum = reals.add(sum, scaled(reals, factor, bernoulli / factorial)?)?;
        let product = reals.multiply(
            reals.add(x, reals.number(odd)?)?,
            reals.add(x, reals.number(even)?)?,
        )?;
        factor = reals.divide(reals.multiply(factor, product)?, square)?;
    }
    Ok(sum)
}

/// The zeta function, if its sum is known where it has one.
fn of_poles<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    (x, q): (Value<'c, 'a>, Value<'c, 'a>),
    sum: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (nan, infinity) = (reals.number(f64::NAN)?, reals.number(f64::INFINITY)?);
    let converges = reals.compare(FloatPredicate::Ogt, x, 1.0)?;
    let value = reals.select(converges, sum, nan)?;
    let is_real = reals.is_integer(x)?;
    let has_sign = reals.compare(FloatPredicate::Olt, q, 0.0)?;
    let of_negative = reals.select(is_real, value, nan)?;
    let value = reals.select(has_sign, of_negative, value)?;
    let half = scaled(reals, x, 0.5)?;
    let is_even = reals.both(is_finite(reals, x)?, reals.is_integer(half)?)?;
    let of_pole = reals.select(is_even, infinity, nan)?;
    let is_pole = reals.both(
        reals.is_integer(q)?,
        reals.compare(FloatPredicate::Ole, q, 0.0)?,
    )?;
    let value = reals.select(is_pole, of_pole, value)?;
    let is_harmonic = reals.compare(FloatPredicate::Oeq, x, 1.0)?;
    reals.select(is_harmonic, infinity, value)
}

fn is_finite<'c, 'a>(reals: &Reals<'_, 'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let size = reals.apply("math.absf", x)?;
    reals.compare(FloatPredicate::One, size, f64::INFINITY)
}

/// Whether x is less than ½, and if so 1 - x, otherwise x.
fn reflected<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Error> {
    let is_reflected = reals.compare(FloatPredicate::Olt, x, 0.5)?;
    let other = reals.subtract(reals.number(1.0)?, x)?;
    Ok((is_reflected, reals.select(is_reflected, other, x)?))
}

/// Whether x is less than [`LARGE`], and if so as much more than it is, otherwise x.
fn moved<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Error> {
    let is_small = reals.compare(FloatPredicate::Olt, x, LARGE as f64)?;
    let more = reals.add(x, reals.number(LARGE as f64)?)?;
    Ok((is_small, reals.select(is_small, more, x)?))
}

/// What x is more than the integer next to it.
fn fraction<'c, 'a>(reals: &Reals<'_, 'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    reals.subtract(x, reals.apply("math.roundeven", x)?)
}

fn scaled<'c, 'a>(
    reals: &Reals<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    factor: f64,
) -> Result<Value<'c, 'a>, Error> {
    reals.multiply(x, reals.number(factor)?)
}

/// Bernoulli's numbers, each divided by a function of half its index.
fn series(divisor: impl Fn(f64) -> f64) -> Vec<f64> {
    let numbers = BERNOULLI[..TERMS].iter().zip(1_u32..);
    numbers
        .map(|(number, k)| number / divisor(f64::from(k)))
        .collect()
}
