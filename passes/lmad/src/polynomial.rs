//! Polynomials over symbols, with integers as coefficients.
//!
//! Cost: linear in the number of terms, times its logarithm; products are quadratic.

use std::collections::BTreeMap;

/// A number that is only known when the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub usize);

/// A product of symbols, by degree and then in the order of dictionaries, so that the
/// order of two products stays if both are multiplied by a third.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Product {
    degree: usize,
    /// How often each symbol is there, none of them zero times.
    exponents: Exponents,
}

/// Exponents by symbol. Of two products of one degree, the greater one is that with the
/// higher power of the first symbol in which they differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct Exponents(BTreeMap<Symbol, usize>);

impl PartialOrd for Exponents {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exponents {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let exponents = |of: &Self, symbol| of.0.get(symbol).copied().unwrap_or(0);
        let symbols = self.0.keys().chain(other.0.keys());
        let different =
            symbols.filter(|symbol| exponents(self, symbol) != exponents(other, symbol));
        match different.min() {
            Some(symbol) => exponents(self, symbol).cmp(&exponents(other, symbol)),
            None => std::cmp::Ordering::Equal,
        }
    }
}

impl Product {
    fn of(symbol: Symbol) -> Self {
        Self {
            degree: 1,
            exponents: Exponents(BTreeMap::from([(symbol, 1)])),
        }
    }

    fn times(&self, other: &Self) -> Self {
        let mut exponents = self.exponents.clone();
        for (&symbol, &exponent) in &other.exponents.0 {
            *exponents.0.entry(symbol).or_default() += exponent;
        }
        Self {
            degree: self.degree + other.degree,
            exponents,
        }
    }

    /// The product by which another one has to be multiplied to give this one.
    fn divided_by(&self, other: &Self) -> Option<Self> {
        let mut exponents = self.exponents.clone();
        for (symbol, &exponent) in &other.exponents.0 {
            let own = exponents.0.get_mut(symbol)?;
            *own = own.checked_sub(exponent)?;
        }
        exponents.0.retain(|_, exponent| *exponent > 0);
        Some(Self {
            degree: self.degree - other.degree,
            exponents,
        })
    }
}

/// A sum of products of symbols, each with a coefficient.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Polynomial {
    /// None of the coefficients is zero.
    terms: BTreeMap<Product, i128>,
}

impl From<i64> for Polynomial {
    fn from(constant: i64) -> Self {
        Self::term(Product::default(), constant.into())
    }
}

impl From<Symbol> for Polynomial {
    fn from(symbol: Symbol) -> Self {
        Self::term(Product::of(symbol), 1)
    }
}

impl Polynomial {
    fn term(product: Product, coefficient: i128) -> Self {
        let terms = (coefficient != 0).then_some((product, coefficient));
        Self {
            terms: terms.into_iter().collect(),
        }
    }

    /// The value, if it depends on no symbol.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.last_key_value() {
            None => Some(0),
            Some((product, &coefficient)) => (product.degree == 0).then_some(coefficient),
        }
    }

    /// The sum; nothing if a coefficient is too large.
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (product, &coefficient) in &other.terms {
            let own = sum.terms.entry(product.clone()).or_default();
            *own = own.checked_add(coefficient)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        Some(sum)
    }

    /// The difference; nothing if a coefficient is too large.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        self.checked_add(&other.checked_mul(&Self::from(-1))?)
    }

    /// The product; nothing if a coefficient is too large.
    pub fn checked_mul(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (left, &one) in &self.terms {
            for (right, &two) in &other.terms {
                let term = Self::term(left.times(right), one.checked_mul(two)?);
                product = product.checked_add(&term)?;
            }
        }
        Some(product)
    }

    /// The polynomial with another one in place of a symbol; nothing if a coefficient is
    /// too large.
    pub fn checked_replace(&self, symbol: Symbol, by: &Self) -> Option<Self> {
        let mut replaced = Self::default();
        for (product, &coefficient) in &self.terms {
            let mut product = product.clone();
            let exponent = product.exponents.0.remove(&symbol).unwrap_or(0);
            product.degree -= exponent;
            let mut term = Self::term(product, coefficient);
            for _ in 0..exponent {
                term = term.checked_mul(by)?;
            }
            replaced = replaced.checked_add(&term)?;
        }
        Some(replaced)
    }

    /// `(factor, rest)` such that this is `factor · symbol + rest`, and neither of the two
    /// depends on the symbol; nothing if it is not linear in the symbol.
    pub fn split(&self, symbol: Symbol) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::default(), Self::default());
        let by = Product::of(symbol);
        for (product, &coefficient) in &self.terms {
            match product.divided_by(&by) {
                Some(other) if other.exponents.0.contains_key(&symbol) => return None,
                Some(other) => factor.terms.insert(other, coefficient),
                None => rest.terms.insert(product.clone(), coefficient),
            };
        }
        Some((factor, rest))
    }

    /// The symbols that it depends on.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let products = self.terms.keys();
        products.flat_map(|product| product.exponents.0.keys().copied())
    }

    /// The most that its absolute value can be if no symbol's is more than a limit, or the
    /// greatest number there is.
    pub fn magnitude(&self, limit: i128) -> i128 {
        let terms = self.terms.iter().map(|(product, coefficient)| {
            let degree = u32::try_from(product.degree).unwrap_or(u32::MAX);
            let most = limit.saturating_pow(degree);
            coefficient.saturating_abs().saturating_mul(most)
        });
        terms.fold(0, i128::saturating_add)
    }

    /// Its terms: a coefficient, and the symbols that it is multiplied by, each as often as its
    /// exponent says.
    pub fn terms(&self) -> impl Iterator<Item = (i128, Vec<Symbol>)> {
        self.terms.iter().map(|(product, &coefficient)| {
            let exponents = product.exponents.0.iter();
            let symbols = exponents.flat_map(|(&symbol, &exponent)| vec![symbol; exponent]);
            (coefficient, symbols.collect())
        })
    }

    /// The coefficients, together with the symbols that each of them is multiplied by.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = i128> {
        self.terms.values().copied()
    }

    /// The quotient and the rest of a division. The quotient has one term for each term of
    /// this one that is a multiple of the greatest of the divisor; coefficients are rounded
    /// towards zero. Nothing if a coefficient is too large, or the divisor is zero.
    pub(crate) fn checked_div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        let (leading, &coefficient) = divisor.terms.last_key_value()?;
        let (mut quotient, mut rest) = (Self::default(), self.clone());
        // Greater terms come first; what is subtracted for one only changes smaller ones.
        for product in self.terms.keys().rev() {
            let (Some(factor), Some(own)) = (product.divided_by(leading), rest.terms.get(product))
            else {
                continue;
            };
            let term = Self::term(factor, own.checked_div(coefficient)?);
            rest = rest.checked_sub(&term.checked_mul(divisor)?)?;
            quotient = quotient.checked_add(&term)?;
        }
        Some((quotient, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const X: Symbol = Symbol(0);
    const Y: Symbol = Symbol(1);

    fn value(polynomial: &Polynomial, x: i64, y: i64) -> i128 {
        let with = |polynomial: &Polynomial, symbol, value: i64| {
            polynomial.checked_replace(symbol, &value.into()).unwrap()
        };
        let constant = with(&with(polynomial, X, x), Y, y);
        constant.as_constant().unwrap()
    }

    fn polynomials() -> impl Strategy<Value = Polynomial> {
        let leaf = prop_oneof![
            (-9_i64..=9).prop_map(Polynomial::from),
            Just(Polynomial::from(X)),
            Just(Polynomial::from(Y)),
        ];
        leaf.prop_recursive(3, 12, 2, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| a.checked_add(&b).unwrap()),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| a.checked_sub(&b).unwrap()),
                (inner.clone(), inner).prop_map(|(a, b)| a.checked_mul(&b).unwrap()),
            ]
        })
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_the_values(
            a in polynomials(), b in polynomials(), x in -5_i64..=5, y in -5_i64..=5,
        ) {
            let (left, right) = (value(&a, x, y), value(&b, x, y));
            prop_assert_eq!(value(&a.checked_add(&b).unwrap(), x, y), left + right);
            prop_assert_eq!(value(&a.checked_sub(&b).unwrap(), x, y), left - right);
            prop_assert_eq!(value(&a.checked_mul(&b).unwrap(), x, y), left * right);
            prop_assert!(left.abs() <= a.magnitude(5));
        }

        #[test]
        fn quotient_times_divisor_plus_rest(
            a in polynomials(), b in polynomials(), x in -5_i64..=5, y in -5_i64..=5,
        ) {
            if let Some((quotient, rest)) = a.checked_div_rem(&b) {
                let product = value(&quotient, x, y) * value(&b, x, y);
                prop_assert_eq!(product + value(&rest, x, y), value(&a, x, y));
            }
        }

        #[test]
        fn linear_ones_are_split(a in polynomials(), x in -5_i64..=5, y in -5_i64..=5) {
            if let Some((factor, rest)) = a.split(X) {
                prop_assert!(factor.symbols().chain(rest.symbols()).all(|symbol| symbol != X));
                let sum = value(&factor, 0, y) * i128::from(x) + value(&rest, 0, y);
                prop_assert_eq!(sum, value(&a, x, y));
            }
        }
    }

    #[test]
    fn equal_values_are_equal_polynomials() {
        let (x, y) = (Polynomial::from(X), Polynomial::from(Y));
        let sum = x.checked_add(&y).unwrap();
        let square = sum.checked_mul(&sum).unwrap();
        let difference = square.checked_sub(&x.checked_mul(&x).unwrap()).unwrap();
        let y_squared = y.checked_mul(&y).unwrap();
        let twice = x.checked_mul(&y).unwrap().checked_mul(&2.into()).unwrap();
        assert_eq!(difference, twice.checked_add(&y_squared).unwrap());
        assert_eq!(x.checked_sub(&x).unwrap().as_constant(), Some(0));
        assert_eq!(square.split(X), None);
    }

    #[test]
    fn large_coefficients_are_no_panic() {
        let large = Polynomial::from(i64::MIN);
        let square = large.checked_mul(&large).unwrap();
        assert_eq!(square.checked_mul(&square), None);
        assert_eq!(square.magnitude(1), 1 << 126);
        assert_eq!(Polynomial::from(X).magnitude(i128::MAX), i128::MAX);
    }
}
