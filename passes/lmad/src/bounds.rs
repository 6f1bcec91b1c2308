//! How small symbols may be, and what follows from that.

use std::collections::{BTreeSet, HashMap};

use crate::polynomial::{Polynomial, Symbol};

/// The least values of symbols. Nothing is known of others.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    least: HashMap<Symbol, i64>,
}

impl Bounds {
    /// A symbol is no less than a number.
    pub fn at_least(&mut self, symbol: Symbol, least: i64) {
        self.least.insert(symbol, least);
    }

    /// Whether it is known that a symbol has a least value.
    pub fn has(&self, symbol: Symbol) -> bool {
        self.least.contains_key(&symbol)
    }

    /// Whether a polynomial is known not to be negative: with each symbol counted from its
    /// least value, no coefficient is negative.
    pub(crate) fn is_not_negative(&self, polynomial: &Polynomial) -> bool {
        self.counted_from_least(polynomial)
            .is_some_and(|counted| counted.coefficients().all(|coefficient| coefficient >= 0))
    }

    /// A polynomial, with each symbol replaced by what it is more than its least value.
    fn counted_from_least(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let symbols: BTreeSet<Symbol> = polynomial.symbols().collect();
        symbols
            .into_iter()
            .try_fold(polynomial.clone(), |counted, symbol| {
                let least = Polynomial::from(*self.least.get(&symbol)?);
                counted.checked_replace(symbol, &Polynomial::from(symbol).checked_add(&least)?)
            })
    }

    /// Whether one polynomial is known to be less than another.
    pub fn is_less(&self, left: &Polynomial, right: &Polynomial) -> bool {
        let difference = right.checked_sub(left);
        let difference = difference.and_then(|positive| positive.checked_sub(&1.into()));
        difference.is_some_and(|rest| self.is_not_negative(&rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_least_values() {
        let (m, n, unknown) = (Symbol(0), Symbol(1), Symbol(2));
        let mut bounds = Bounds::default();
        bounds.at_least(m, 2);
        bounds.at_least(n, 1);
        let [two, m, n, unknown] = [2.into(), m.into(), n.into(), unknown.into()];
        let product = |a: &Polynomial, b: &Polynomial| a.checked_mul(b).unwrap();
        let square = product(&m, &n);
        // n ≤ m n - 1 + 0, since m is 2 or more: (m - 1) n ≥ 1.
        assert!(bounds.is_less(&n, &square));
        assert!(!bounds.is_less(&product(&two, &n), &square));
        assert!(!bounds.is_less(&m, &n));
        assert!(!bounds.is_less(&n, &m));
        assert!(!bounds.is_not_negative(&unknown));
        assert!(bounds.is_not_negative(&unknown.checked_sub(&unknown).unwrap()));
    }
}
