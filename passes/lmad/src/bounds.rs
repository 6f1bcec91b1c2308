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
        let known = self.least.entry(symbol).or_insert(least);
        *known = least.max(*known);
    }

    /// A number is positive. If it is linear in one symbol, and grows with that, it says how small that may be.
    pub fn positive(&mut self, number: &Polynomial) {
        if let Some((symbol, least)) = least_symbol(number) {
            self.at_least(symbol, i64::try_from(least).unwrap_or(i64::MIN));
        }
    }

    /// Whether it is known that a symbol has a least value.
    pub fn has(&self, symbol: Symbol) -> bool {
        self.least.contains_key(&symbol)
    }

    /// What is known if, besides, some numbers are [positive](Self::positive).
    pub(crate) fn where_positive<'p>(&self, numbers: impl Iterator<Item = &'p Polynomial>) -> Self {
        let mut bounds = self.clone();
        numbers.for_each(|number| bounds.positive(number));
        bounds
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

/// The symbol that a number grows with, and how small that may be if the number is positive.
fn least_symbol(number: &Polynomial) -> Option<(Symbol, i128)> {
    let mut symbols: Vec<Symbol> = number.symbols().collect();
    symbols.dedup();
    let &[symbol] = symbols.as_slice() else {
        return None;
    };
    let (factor, rest) = number.split(symbol)?;
    let (factor, rest) = (factor.as_constant()?, rest.as_constant()?);
    let needed = 1_i128.checked_sub(rest)?;
    // Rounded up.
    let least = -(needed.checked_neg()?.div_euclid(factor.max(1)));
    (factor > 0).then_some((symbol, least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_numbers_bound_their_symbols() {
        let n = Symbol(0);
        let number = |factor: i64, rest: i64| {
            let product = Polynomial::from(n).checked_mul(&factor.into()).unwrap();
            product.checked_add(&rest.into()).unwrap()
        };
        let least = |factor, rest| least_symbol(&number(factor, rest)).map(|(_, least)| least);
        assert_eq!(least(1, 0), Some(1));
        assert_eq!(least(1, -3), Some(4));
        assert_eq!(least(2, 0), Some(1));
        assert_eq!(least(2, -2), Some(2));
        assert_eq!(least(3, 5), Some(-1));
        assert_eq!(least(-1, 5), None);
        assert_eq!(least_symbol(&3.into()), None);
    }

    #[test]
    fn a_bound_never_gets_worse() {
        let n = Symbol(0);
        let mut bounds = Bounds::default();
        let number = Polynomial::from(n).checked_sub(&2.into()).unwrap();
        bounds.positive(&number);
        bounds.at_least(n, 0);
        bounds.positive(&n.into());
        assert!(bounds.is_less(&2.into(), &n.into()));
        assert!(!bounds.is_less(&3.into(), &n.into()));
    }

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
