//! Symbolic sizes: polynomials over named extents, none of which is negative.
//!
//! Two sizes are equal if they are the same polynomial; one is at most the other
//! if no coefficient of the difference is negative. Both answers are proofs: a
//! 'no' says only that nothing is known.

use std::{
    collections::BTreeMap,
    fmt,
    ops::{Add, Mul},
};

use thiserror::Error;

/// A product of named extents, sorted; the empty product is 1.
type Monomial = Vec<String>;

/// A polynomial with whole coefficients over named extents.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    terms: BTreeMap<Monomial, i128>,
}

/// What is wrong with the text of a size: the user's fault.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "'{text}' is not a size: a sum of products of whole numbers and names is expected, such as 2*n*m + 1"
)]
pub struct SizeError {
    text: String,
}

impl Size {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Self::of(vec![], i128::from(value))
    }

    /// A named extent.
    pub fn named(name: &str) -> Self {
        Self::of(vec![name.to_owned()], 1)
    }

    fn of(monomial: Monomial, coefficient: i128) -> Self {
        let mut size = Self::default();
        size.add_term(monomial, coefficient);
        size
    }

    /// Saturates, so that sizes beyond 128 bits are only known to be large.
    fn add_term(&mut self, monomial: Monomial, coefficient: i128) {
        let sum = self.terms.get(&monomial).copied().unwrap_or(0);
        match sum.saturating_add(coefficient) {
            0 => self.terms.remove(&monomial),
            sum => self.terms.insert(monomial, sum),
        };
    }

    /// The product of the sizes of an array's dimensions.
    pub fn product<'a>(sizes: impl IntoIterator<Item = &'a Size>) -> Self {
        sizes
            .into_iter()
            .fold(Self::constant(1), |product, size| &product * size)
    }

    /// How many terms the sum has.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// The number, if it is one of 64 bits.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => i64::try_from(*self.terms.get(&Monomial::new())?).ok(),
            _ => None,
        }
    }

    /// The name, if it is nothing but a named extent.
    pub fn as_name(&self) -> Option<&str> {
        match self.terms.iter().next() {
            Some((monomial, 1)) if self.terms.len() == 1 && monomial.len() == 1 => {
                Some(&monomial[0])
            }
            _ => None,
        }
    }

    /// Whether a named extent is part of it.
    pub fn mentions(&self, name: &str) -> bool {
        let mut monomials = self.terms.keys();
        monomials.any(|monomial| monomial.iter().any(|factor| factor == name))
    }

    /// The same with a size in place of a named extent.
    pub fn replacing(&self, name: &str, value: &Self) -> Self {
        let mut sum = Self::default();
        for (monomial, &coefficient) in &self.terms {
            let factors = monomial.iter().map(|factor| match factor == name {
                true => value.clone(),
                false => Self::named(factor),
            });
            let product = factors.fold(Self::of(vec![], coefficient), |product, factor| {
                &product * &factor
            });
            sum = &sum + &product;
        }
        sum
    }

    /// The named extents in it, each at least once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.terms.keys().flatten().map(String::as_str)
    }

    /// The same with other names, for those that have one.
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> Self {
        let mut renamed = Self::default();
        for (monomial, &coefficient) in &self.terms {
            let factors = monomial.iter();
            let mut factors: Monomial = factors
                .map(|name| names.get(name).unwrap_or(name).clone())
                .collect();
            factors.sort();
            renamed.add_term(factors, coefficient);
        }
        renamed
    }

    /// Whether this is known to be at most the other, whatever the extents.
    pub fn is_at_most(&self, other: &Self) -> bool {
        let mut difference = other.clone();
        for (monomial, coefficient) in &self.terms {
            difference.add_term(monomial.clone(), coefficient.saturating_neg());
        }
        difference
            .terms
            .values()
            .all(|&coefficient| coefficient >= 0)
    }

    /// Whether all names in it are among given extents.
    pub fn is_known(&self, extents: &BTreeMap<String, u64>) -> bool {
        let mut names = self.terms.keys().flatten();
        names.all(|name| extents.contains_key(name))
    }

    /// The value for given extents, unnamed ones being `default`; nothing if it has
    /// more than 128 bits.
    pub fn evaluate(&self, extents: &BTreeMap<String, u64>, default: u64) -> Option<i128> {
        let value = |name: &String| i128::from(extents.get(name).copied().unwrap_or(default));
        self.terms
            .iter()
            .try_fold(0i128, |sum, (monomial, &coefficient)| {
                let mut factors = monomial.iter().map(value);
                let product = factors.try_fold(coefficient, i128::checked_mul)?;
                sum.checked_add(product)
            })
    }
}

/// Reads `NAME=N`: a name in sizes, and what it is.
///
/// # Errors
///
/// If that is not what the text is.
pub fn parse_extent(text: &str) -> Result<(String, u64), InvalidExtent> {
    let invalid = || InvalidExtent {
        text: text.to_owned(),
    };
    let (name, value) = text.split_once('=').ok_or_else(invalid)?;
    match value.parse() {
        Ok(value) if !name.is_empty() => Ok((name.to_owned(), value)),
        _ => Err(invalid()),
    }
}

/// What is no extent: the user's fault.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "'{text}' is no extent: NAME=N is expected, such as n=1000, with a whole number from 0 to 2^64 - 1"
)]
pub struct InvalidExtent {
    text: String,
}

impl Add for &Size {
    type Output = Size;

    fn add(self, other: Self) -> Size {
        let mut sum = self.clone();
        for (monomial, &coefficient) in &other.terms {
            sum.add_term(monomial.clone(), coefficient);
        }
        sum
    }
}

impl Mul for &Size {
    type Output = Size;

    fn mul(self, other: Self) -> Size {
        let mut product = Size::default();
        for (left, coefficient) in &self.terms {
            for (right, factor) in &other.terms {
                let mut monomial = [left.as_slice(), right].concat();
                monomial.sort();
                product.add_term(monomial, coefficient.saturating_mul(*factor));
            }
        }
        product
    }
}

impl std::str::FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let error = || SizeError {
            text: text.to_owned(),
        };
        let mut size = Self::default();
        for sum in text.split('+') {
            let (mut monomial, mut coefficient) = (vec![], 1i64);
            for factor in sum.split('*').map(str::trim) {
                if factor.starts_with(|first: char| first.is_ascii_digit()) {
                    let number: i64 = factor.parse().map_err(|_| error())?;
                    coefficient = coefficient.checked_mul(number).ok_or_else(error)?;
                } else if is_name(factor) {
                    monomial.push(factor.to_owned());
                } else {
                    return Err(error());
                }
            }
            monomial.sort();
            size.add_term(monomial, i128::from(coefficient));
        }
        Ok(size)
    }
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_' || first == '%')
        && characters.all(|next| next.is_alphanumeric() || matches!(next, '_' | '.' | '#'))
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.terms.is_empty() {
            return formatter.write_str("0");
        }
        for (position, (monomial, coefficient)) in self.terms.iter().rev().enumerate() {
            if position > 0 {
                formatter.write_str(" + ")?;
            }
            match (coefficient, monomial.is_empty()) {
                (_, true) => write!(formatter, "{coefficient}")?,
                (1, false) => formatter.write_str(&monomial.join("*"))?,
                (_, false) => write!(formatter, "{coefficient}*{}", monomial.join("*"))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(text: &str) -> Size {
        text.parse().unwrap()
    }

    #[test]
    fn equal_polynomials_are_equal_sizes() {
        assert_eq!(size("n*m + 2*n"), size("2*n+m*n"));
        assert_eq!(&size("n + 1") * &size("m"), size("n*m + m"));
        assert_eq!(&size("n + 1") + &size("n"), size("2*n + 1"));
        assert_ne!(size("n"), size("m"));
        assert_eq!(size("3*4").as_constant(), Some(12));
        assert_eq!(size("n").as_constant(), None);
    }

    #[test]
    fn names_are_replaced_by_sizes() {
        let replaced = size("n*n + n*m + 1").replacing("n", &size("m + 2"));
        assert_eq!(replaced, size("2*m*m + 6*m + 5"));
        assert!(replaced.mentions("m") && !replaced.mentions("n"));
        assert_eq!(size("n").as_name(), Some("n"));
        assert_eq!(size("2*n").as_name(), None);
    }

    #[test]
    fn order_is_proven_or_unknown() {
        assert!(size("n").is_at_most(&size("n + 1")));
        assert!(size("n").is_at_most(&size("2*n")));
        assert!(!size("n").is_at_most(&size("n*m")), "m may be zero");
        assert!(!size("n").is_at_most(&size("m")));
    }

    #[test]
    fn sizes_are_shown_as_they_are_read() {
        for text in ["0", "7", "n", "2*n", "n*m + 1"] {
            let shown = size(text).to_string();
            assert_eq!(size(&shown), size(text), "{text} is shown as {shown}");
        }
    }

    #[test]
    fn other_text_is_rejected() {
        for text in [
            "",
            "n-1",
            "2n",
            "n*",
            "+",
            "1.5",
            "9223372036854775808",
            "n**2",
        ] {
            assert!(text.parse::<Size>().is_err(), "{text} is read");
        }
    }
}
