//! Why nothing costs less than a bound: prices of rows, and what follows from them in
//! whole numbers (Lagrange's bound).
//!
//! For any prices of rows that are 0 or more, every solution costs at least the
//! objective less the price of every row times its expression, each column at its
//! cheaper bound. So the bound holds whatever the solver's tolerances are; if prices are
//! bad, it is low.
//!
//! Source: Neumaier and Shcherbina, *Safe bounds in linear and mixed-integer linear
//! programming* (Mathematical Programming 2004), with whole numbers in place of
//! directed rounding. Cost: linear in the factors of the rows.

use std::cmp::Ordering;

use super::linear::{Column, Linear};

/// A program in whole numbers: what is minimised, the bounds of columns, and rows
/// `expression >= 0`.
pub(crate) struct Terms<'p> {
    pub constant: i128,
    pub costs: &'p [i128],
    pub bounds: Vec<(i128, i128)>,
    pub rows: &'p [Linear],
}

/// Prices are multiples of 1 divided by this at most.
const FINEST: u32 = 40;

/// Sums have fewer bits than this, but for prices that are much too high.
const MOST_BITS: u32 = 118;

/// What 1 is in the numbers of a certificate: a power of two, so that sums of costs do
/// not overflow.
pub(crate) fn unit(constant: i128, costs: &[i128]) -> i128 {
    let sum = costs.iter().fold(constant.unsigned_abs(), |sum, cost| {
        sum.saturating_add(cost.unsigned_abs())
    });
    let bits = u128::BITS - sum.leading_zeros();
    1 << FINEST.min(MOST_BITS.saturating_sub(bits))
}

/// A bound with its proof.
#[derive(Clone)]
pub(crate) struct Certificate {
    unit: i128,
    /// What every solution costs at least, in parts of the unit.
    least: i128,
    /// By column: its reduced cost, in parts of the unit.
    pub reduced: Vec<i128>,
    /// A solution that is as cheap as that says, if prices were corrected: the solver's
    /// own is only as cheap as its floating-point numbers say.
    pub values: Option<Vec<f64>>,
}

impl Certificate {
    /// What follows from prices of the rows, the first ones, in parts of the unit;
    /// nothing if that cannot be summed up.
    pub fn new(terms: &Terms, prices: &[i128]) -> Option<Self> {
        let unit = unit(terms.constant, terms.costs);
        let costs = terms.costs.iter().map(|cost| cost.checked_mul(unit));
        let reduced = costs.collect::<Option<Vec<i128>>>()?;
        let constant = terms.constant.checked_mul(unit)?;
        let (least, reduced) = terms.lagrangian(constant, reduced, prices)?;
        Some(Self {
            unit,
            least,
            reduced,
            values: None,
        })
    }

    /// No whole solution costs less.
    pub fn bound(&self) -> i128 {
        -(-self.least).div_euclid(self.unit)
    }

    /// How the bound compares with that of another certificate of the same program.
    pub fn compared(&self, other: &Self) -> Ordering {
        self.least.cmp(&other.least)
    }

    /// The bound before it is rounded up, roughly.
    pub fn value(&self) -> f64 {
        self.least as f64 / self.unit as f64
    }

    /// The value that a column with the bounds 0 and 1 has in every whole solution that
    /// costs less than `cost`, if that follows.
    pub fn value_below(&self, cost: i128, column: Column) -> Option<bool> {
        let reduced = self.reduced[column];
        let otherwise = self.least.checked_add(reduced.checked_abs()?)?;
        let most = (cost - 1).checked_mul(self.unit)?;
        (otherwise > most).then_some(reduced < 0)
    }
}

impl Terms<'_> {
    /// The least value of an objective less the rows at their prices, and the factors
    /// of that.
    fn lagrangian(
        &self,
        constant: i128,
        mut factors: Vec<i128>,
        prices: &[i128],
    ) -> Option<(i128, Vec<i128>)> {
        let mut least = constant;
        for (row, &price) in self.rows.iter().zip(prices) {
            if price == 0 {
                continue;
            }
            least = least.checked_sub(price.checked_mul(row.constant as i128)?)?;
            for &(column, factor) in &row.terms {
                let part = price.checked_mul(factor as i128)?;
                factors[column] = factors[column].checked_sub(part)?;
            }
        }
        for (&factor, &(low, high)) in factors.iter().zip(&self.bounds) {
            let bound = if factor > 0 { low } else { high };
            least = least.checked_add(factor.checked_mul(bound)?)?;
        }
        Some((least, factors))
    }

    /// Whether the rows, at these prices, cannot all be 0 or more.
    pub fn is_contradiction(&self, prices: &[i128]) -> bool {
        let nothing = vec![0; self.costs.len()];
        let lagrangian = self.lagrangian(0, nothing, prices);
        lagrangian.is_some_and(|(least, _)| least > 0)
    }

    /// Whether a row is broken whatever the values of its columns are.
    pub fn is_plainly_infeasible(&self) -> bool {
        self.rows.iter().any(|row| {
            let most = row.terms.iter().map(|&(column, factor)| {
                let (low, high) = self.bounds[column];
                (factor as i128 * low).max(factor as i128 * high)
            });
            row.constant as i128 + most.sum::<i128>() < 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x + y >= 1 and x - y >= 0, each a row.
    fn rows() -> Vec<Linear> {
        let row = |constant: f64, x: f64, y: f64| Linear {
            constant,
            terms: vec![(0, x), (1, y)],
        };
        vec![row(-1.0, 1.0, 1.0), row(0.0, 1.0, -1.0)]
    }

    fn terms<'p>(costs: &'p [i128], rows: &'p [Linear], bounds: [(i128, i128); 2]) -> Terms<'p> {
        Terms {
            constant: 7,
            costs,
            bounds: bounds.to_vec(),
            rows,
        }
    }

    #[test]
    fn good_prices_prove_the_optimum_and_bad_ones_less() {
        let (costs, rows) = ([3, 1], rows());
        let terms = terms(&costs, &rows, [(0, 1); 2]);
        let unit = unit(7, &costs);
        for (prices, bound) in [
            ([2 * unit, unit], 9),
            ([2 * unit - 1, unit], 9),
            ([0, 0], 7),
        ] {
            let certificate = Certificate::new(&terms, &prices).unwrap();
            assert_eq!(certificate.bound(), bound);
            assert!(certificate.value() <= 9.0);
        }
    }

    #[test]
    fn costs_of_every_size_are_exact() {
        let (costs, rows) = ([1 << 100, (1 << 100) + 1], rows());
        let terms = terms(&costs, &rows, [(0, 1); 2]);
        let prices = [(1i128 << 100) * unit(7, &costs), 0];
        let certificate = Certificate::new(&terms, &prices).unwrap();
        assert_eq!(certificate.bound(), (1 << 100) + 7);
        assert_eq!(certificate.value_below((1 << 100) + 8, 1), Some(false));
        assert_eq!(certificate.value_below((1 << 100) + 9, 1), None);
    }

    #[test]
    fn contradictions_are_proven_only_if_they_are_some() {
        let (costs, rows) = ([0, 0], rows());
        let free = terms(&costs, &rows, [(0, 1); 2]);
        assert!(!free.is_contradiction(&[1, 1]) && !free.is_plainly_infeasible());
        let fixed = terms(&costs, &rows, [(0, 0), (0, 1)]);
        assert!(fixed.is_contradiction(&[1, 1]) && !fixed.is_plainly_infeasible());
        assert!(terms(&costs, &rows, [(0, 0), (1, 1)]).is_plainly_infeasible());
    }

    #[test]
    fn prices_that_are_too_high_prove_nothing() {
        let (costs, rows) = ([3, 1], rows());
        let terms = terms(&costs, &rows, [(0, 1); 2]);
        assert!(Certificate::new(&terms, &[i128::MAX, i128::MAX]).is_none());
    }
}
