//! How small symbols may be, by themselves and beside others, and what follows from that.

use std::collections::{BTreeSet, HashMap};

use crate::polynomial::{Polynomial, Symbol};

/// The least values of symbols, as numbers and as polynomials over others. Nothing else is known.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    least: HashMap<Symbol, i64>,
    /// A symbol is no less than a polynomial, in which neither it nor a symbol of an entry before
    /// occurs: so each can be replaced in turn by the polynomial and what is left.
    above: Vec<(Symbol, Polynomial)>,
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

    /// A number is not negative, as a loop's length less its index and 1. Nothing is learned if it
    /// grows with no symbol by one, or if what is known of its symbols goes round in a circle.
    pub fn not_negative(&mut self, number: &Polynomial) {
        let known = number.symbols().find_map(|symbol| {
            let (factor, rest) = number.split(symbol)?;
            let below = Polynomial::default().checked_sub(&rest)?;
            let position = self.position_above(symbol, &below)?;
            (factor.as_constant() == Some(1)).then_some((position, symbol, below))
        });
        if let Some((position, symbol, below)) = known {
            self.above.insert(position, (symbol, below));
        }
    }

    /// Where an entry can stand: behind those whose polynomials have its symbol, and in front of
    /// those whose symbols its polynomial has.
    fn position_above(&self, symbol: Symbol, below: &Polynomial) -> Option<usize> {
        let has = |number: &Polynomial, symbol| number.symbols().any(|one| one == symbol);
        if self.above.iter().any(|&(other, _)| other == symbol) {
            return None;
        }
        let uses_it = |(_, other): &(Symbol, Polynomial)| has(other, symbol);
        let first = self.above.iter().rposition(uses_it);
        let first = first.map_or(0, |position| position + 1);
        let is_used = |&(other, _): &(Symbol, Polynomial)| has(below, other);
        let end = self.above.iter().position(is_used);
        let end = end.unwrap_or(self.above.len());
        (first <= end).then_some(end)
    }

    /// The symbols that are known to be no less than polynomials, to be replaced in turn; and what is
    /// known where they are what they are more than these. Nothing if there are none.
    pub(crate) fn split(&self) -> Option<(Vec<(Symbol, Polynomial)>, Self)> {
        let mut least = self.least.clone();
        for &(symbol, _) in &self.above {
            least.insert(symbol, 0);
        }
        let rest = Self {
            least,
            above: vec![],
        };
        (!self.above.is_empty()).then(|| (self.above.clone(), rest))
    }

    /// The least value of a symbol, as a number.
    pub(crate) fn least(&self, symbol: Symbol) -> Option<i64> {
        self.least.get(&symbol).copied()
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

    /// The same, where sums of symbols say how small these are beside others.
    pub(crate) fn where_sums_positive<'p>(
        &self,
        numbers: impl Iterator<Item = &'p Polynomial>,
    ) -> Self {
        let mut bounds = self.clone();
        for number in numbers {
            bounds.positive(number);
            if let Some(less) = number.checked_sub(&1.into())
                && number.symbols().nth(1).is_some()
            {
                bounds.not_negative(&less);
            }
        }
        bounds
    }

    /// Whether a polynomial is known not to be negative: with each symbol counted from its
    /// least value, as a number or a polynomial, no coefficient is negative.
    pub(crate) fn is_not_negative(&self, polynomial: &Polynomial) -> bool {
        let is_sum_of_positive = |counted: Polynomial| {
            let mut coefficients = counted.coefficients();
            coefficients.all(|coefficient| coefficient >= 0)
        };
        let numbers = self.counted_from_least(polynomial, &BTreeSet::new());
        numbers.is_some_and(is_sum_of_positive)
            || self
                .counted_from_others(polynomial)
                .is_some_and(is_sum_of_positive)
    }

    /// A polynomial, with each symbol, but those that are counted already, replaced by what it is more
    /// than its least value.
    fn counted_from_least(
        &self,
        polynomial: &Polynomial,
        counted: &BTreeSet<Symbol>,
    ) -> Option<Polynomial> {
        let symbols: BTreeSet<Symbol> = polynomial.symbols().collect();
        symbols
            .difference(counted)
            .try_fold(polynomial.clone(), |number, &symbol| {
                let least = Polynomial::from(*self.least.get(&symbol)?);
                number.checked_replace(symbol, &Polynomial::from(symbol).checked_add(&least)?)
            })
    }

    /// The same, where symbols are counted from others if they are known to be no less than those.
    fn counted_from_others(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        if self.above.is_empty() {
            return None;
        }
        let (mut number, mut counted) = (polynomial.clone(), BTreeSet::new());
        for (symbol, below) in &self.above {
            let sum = Polynomial::from(*symbol).checked_add(below)?;
            number = number.checked_replace(*symbol, &sum)?;
            counted.insert(*symbol);
        }
        self.counted_from_least(&number, &counted)
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
    fn counts_from_other_symbols() {
        let (q, k, n) = (Symbol(0), Symbol(1), Symbol(2));
        let mut bounds = Bounds::default();
        bounds.at_least(k, 0);
        let sub = |left: &Polynomial, right: &Polynomial| left.checked_sub(right).unwrap();
        let [q, k, n] = [q.into(), k.into(), n.into()];
        let less = |left: &Polynomial, right: &Polynomial| sub(&sub(right, left), &1.into());
        assert!(!bounds.is_less(&k, &q));
        bounds.not_negative(&less(&k, &q));
        assert!(bounds.is_less(&k, &q));
        assert!(bounds.is_less(&0.into(), &q));
        bounds.not_negative(&less(&q, &n));
        assert!(bounds.is_less(&k.checked_add(&1.into()).unwrap(), &n));
        // A circle says nothing.
        let before = bounds.above.clone();
        bounds.not_negative(&less(&n, &k));
        assert_eq!(bounds.above, before);
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
