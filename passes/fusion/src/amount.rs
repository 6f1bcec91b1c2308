//! What is paid, exactly: whole numbers of millionths.
//!
//! Costs are compared, and an answer is called optimal, for differences of any size.
//! Amounts are therefore no floating-point numbers. Their sums cannot overflow: weights
//! are refused if all of them together are more than [`Amount::MOST`].

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, Neg, Sub},
};

use serde::{Serialize, Serializer};

/// The digits after the point.
const DIGITS: usize = 6;

/// How many millionths are 1.
const ONE: i128 = 10i128.pow(DIGITS as u32);

/// An amount that is paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i128);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// One.
    pub const ONE: Self = Self(ONE);

    /// The most that all weights of a graph together may be.
    pub const MOST: Self = Self(1 << 118);

    /// A number of millionths.
    pub fn from_millionths(millionths: i128) -> Self {
        Self(millionths)
    }

    /// How many millionths it is.
    pub fn millionths(self) -> i128 {
        self.0
    }

    /// A whole number; nothing if it is too large.
    pub fn whole(number: i128) -> Option<Self> {
        number.checked_mul(ONE).map(Self)
    }

    /// The number as it is written in decimals; nothing if it is none, has more than
    /// six digits after the point, or is too large.
    pub fn of(number: f64) -> Option<Self> {
        if !number.is_finite() || number.abs() > Self::MOST.to_f64() {
            return None;
        }
        let text = number.abs().to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        if fraction.len() > DIGITS {
            return None;
        }
        let millionths: i128 = format!("{whole}{fraction:0<DIGITS$}").parse().ok()?;
        Some(Self(if number < 0.0 {
            -millionths
        } else {
            millionths
        }))
    }

    /// The product, rounded to a millionth; nothing if it is too large.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let whole = (self.0 / ONE).checked_mul(other.0)?;
        let rest = (self.0 % ONE).checked_mul(other.0)?;
        let rounded = rest.checked_add(rest.signum() * (ONE / 2))? / ONE;
        whole.checked_add(rounded).map(Self)
    }

    /// The sum; nothing if it is too large.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        match self.0 % ONE {
            0 => (self.0 / ONE) as f64,
            _ => self.0 as f64 / ONE as f64,
        }
    }

    /// The largest amount of which both are whole multiples.
    pub(crate) fn common_divisor(self, other: Self) -> Self {
        let (mut one, mut other) = (self.0.abs(), other.0.abs());
        while other != 0 {
            (one, other) = (other, one % other);
        }
        Self(one)
    }

    /// The number as words, for hashing and comparing.
    pub(crate) fn words(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

const BOUNDED: &str = "the sum of all weights is bounded";

impl Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.checked_add(other.0).expect(BOUNDED))
    }
}

impl Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect(BOUNDED))
    }
}

impl Neg for Amount {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<usize> for Amount {
    type Output = Self;

    fn mul(self, count: usize) -> Self {
        Self(self.0.checked_mul(count as i128).expect(BOUNDED))
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl<'a> Sum<&'a Amount> for Amount {
    fn sum<I: Iterator<Item = &'a Self>>(amounts: I) -> Self {
        amounts.copied().sum()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, fraction) = (self.0.abs() / ONE, self.0.abs() % ONE);
        let text = format!("{sign}{whole}.{fraction:0>DIGITS$}");
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Amount {
    /// A whole number if it is one and has 64 bits, else the nearest floating-point
    /// number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0 % ONE, i64::try_from(self.0 / ONE)) {
            (0, Ok(whole)) => serializer.serialize_i64(whole),
            _ => serializer.serialize_f64(self.to_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: f64) -> Amount {
        Amount::of(number).unwrap()
    }

    #[test]
    fn decimals_are_exact() {
        let tenths: Amount = std::iter::repeat_n(of(0.1), 10).sum();
        assert_eq!(tenths, of(1.0));
        assert_eq!(of(0.125).checked_mul(of(0.1)), Some(of(0.0125)));
        assert_eq!(of(-2.5).to_f64(), -2.5);
    }

    #[test]
    fn neighbours_of_large_numbers_differ() {
        let large = Amount::whole(1 << 90).unwrap();
        assert!(large < large + of(0.000001));
        assert_eq!(
            (large + of(1.0)).to_string(),
            "1237940039285380274899124225"
        );
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for number in [f64::NAN, f64::INFINITY, 1e300, 1e-7, 0.1234567] {
            assert_eq!(Amount::of(number), None, "{number}");
        }
        assert_eq!(Amount::whole(i128::MAX), None);
        assert_eq!(Amount::MOST.checked_mul(Amount::MOST), None);
    }

    #[test]
    fn amounts_are_shown_without_needless_digits() {
        for (number, text) in [(0.0, "0"), (20.0, "20"), (0.1, "0.1"), (-1.25, "-1.25")] {
            assert_eq!(of(number).to_string(), text);
        }
    }
}
