//! Array sizes, offsets and strides as linear expressions.
//!
//! An extent is `constant + Σ coefficient · term`, where a term is the size of
//! an array operand along an axis, or the value of an `index` operand. Terms
//! are sorted and merged, so that equal expressions are equal values.

use std::fmt;
use std::ops::{Add, Mul, Sub};

use melior::ir::r#type::{DimSize, ShapedTypeLike};

use crate::view::OpView;

/// What an extent may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// The size of an array operand along an axis.
    Size {
        /// Position among the op's operands.
        operand: usize,
        /// Dimension of the array.
        axis: usize,
    },
    /// The value of an `index` operand.
    Value {
        /// Position among the op's operands.
        operand: usize,
    },
}

/// A linear expression over sizes and values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The part that depends on nothing.
    pub constant: i64,
    /// Coefficients, none of them zero, and terms, sorted by term.
    pub terms: Vec<(i64, Term)>,
}

impl Extent {
    /// A constant.
    pub fn constant(constant: i64) -> Self {
        Self {
            constant,
            terms: vec![],
        }
    }

    /// The value of an `index` operand.
    pub fn value(operand: usize) -> Self {
        Self {
            constant: 0,
            terms: vec![(1, Term::Value { operand })],
        }
    }

    /// The size of an array operand: a constant where its type says so. An
    /// array that is given twice has the size of the first.
    pub fn size(view: &OpView, operand: usize, axis: usize) -> Self {
        let size = view.array(operand).map(|array| array.dim_size(axis));
        match size {
            Some(Ok(DimSize::Static(size))) => Self::constant(size as i64),
            _ => Self {
                constant: 0,
                terms: vec![(
                    1,
                    Term::Size {
                        operand: view.first_position(operand),
                        axis,
                    },
                )],
            },
        }
    }

    /// The value, if it depends on nothing.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Whether it is zero or more whatever the sizes are, since no size is
    /// negative.
    pub fn is_never_negative(&self) -> bool {
        let is_size = |term: &Term| matches!(term, Term::Size { .. });
        self.constant >= 0
            && self
                .terms
                .iter()
                .all(|(coefficient, term)| *coefficient > 0 && is_size(term))
    }

    fn combine(&self, other: &Self, factor: i64) -> Self {
        let mut terms = self.terms.clone();
        terms.extend(
            other
                .terms
                .iter()
                .map(|&(coefficient, term)| (coefficient.wrapping_mul(factor), term)),
        );
        terms.sort_by_key(|&(_, term)| term);
        let mut merged: Vec<(i64, Term)> = vec![];
        for (coefficient, term) in terms {
            match merged.last_mut() {
                Some((sum, last)) if *last == term => *sum = sum.wrapping_add(coefficient),
                _ => merged.push((coefficient, term)),
            }
        }
        merged.retain(|&(coefficient, _)| coefficient != 0);
        Self {
            constant: self
                .constant
                .wrapping_add(other.constant.wrapping_mul(factor)),
            terms: merged,
        }
    }
}

impl Add for &Extent {
    type Output = Extent;

    fn add(self, other: Self) -> Extent {
        self.combine(other, 1)
    }
}

impl Sub for &Extent {
    type Output = Extent;

    fn sub(self, other: Self) -> Extent {
        self.combine(other, -1)
    }
}

impl Mul<i64> for &Extent {
    type Output = Extent;

    fn mul(self, factor: i64) -> Extent {
        Extent::constant(0).combine(self, factor)
    }
}

impl fmt::Display for Extent {
    /// The constant, or `?` as types write what is not known.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.as_constant() {
            Some(constant) => write!(formatter, "{constant}"),
            None => write!(formatter, "?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(operand: usize) -> Extent {
        Extent {
            constant: 0,
            terms: vec![(1, Term::Size { operand, axis: 0 })],
        }
    }

    #[test]
    fn sums_do_not_depend_on_order() {
        assert_eq!(&size(0) + &Extent::value(2), &Extent::value(2) + &size(0));
    }

    #[test]
    fn terms_cancel() {
        let sum = &(&size(0) + &Extent::constant(3)) - &size(0);
        assert_eq!(sum.as_constant(), Some(3));
    }

    #[test]
    fn multiples_of_zero_are_constant() {
        let none = 0;
        assert_eq!((&size(0) * none).as_constant(), Some(0));
    }
}
