//! What is proven holds for all values of the symbols: sets with few places are compared
//! place by place. And of rectangles in a matrix, all that are disjoint are proven to be.

use std::collections::HashSet;

use comb_lmad::{Bounds, Dimension, Lmad, Polynomial, Symbol, are_disjoint};
use proptest::prelude::*;

const SYMBOLS: usize = 2;

/// A polynomial of the first degree: a constant, and a coefficient for each symbol.
type Linear = (i64, [i64; SYMBOLS]);

fn polynomial((constant, coefficients): Linear) -> Polynomial {
    let terms = coefficients
        .iter()
        .enumerate()
        .map(|(number, &coefficient)| {
            let symbol = Polynomial::from(Symbol(number));
            symbol.checked_mul(&coefficient.into()).unwrap()
        });
    terms.fold(constant.into(), |sum: Polynomial, term| {
        sum.checked_add(&term).unwrap()
    })
}

fn value((constant, coefficients): Linear, symbols: [i64; SYMBOLS]) -> i64 {
    let products = coefficients
        .iter()
        .zip(symbols)
        .map(|(one, other)| one * other);
    constant + products.sum::<i64>()
}

/// An offset, and a count and a stride for each dimension.
#[derive(Clone, Debug)]
struct Places {
    offset: Linear,
    dimensions: Vec<(Linear, Linear)>,
}

impl Places {
    fn lmad(&self) -> Lmad {
        let dimension = |&(count, stride): &(Linear, Linear)| Dimension {
            count: polynomial(count),
            stride: polynomial(stride),
        };
        Lmad {
            offset: polynomial(self.offset),
            dimensions: self.dimensions.iter().map(dimension).collect(),
        }
    }

    /// How often it goes to a place.
    fn steps(&self, symbols: [i64; SYMBOLS]) -> i64 {
        let counts = self.dimensions.iter().map(|&(count, _)| count);
        counts.map(|count| value(count, symbols).max(0)).product()
    }

    fn at(&self, symbols: [i64; SYMBOLS]) -> HashSet<i64> {
        let mut places = HashSet::from([value(self.offset, symbols)]);
        for &(count, stride) in &self.dimensions {
            let stride = value(stride, symbols);
            let steps = 0..value(count, symbols);
            places = places
                .iter()
                .flat_map(|place| steps.clone().map(move |step| place + step * stride))
                .collect();
        }
        places
    }
}

fn linear(constants: std::ops::RangeInclusive<i64>) -> impl Strategy<Value = Linear> {
    let coefficient = prop_oneof![3 => Just(0), 1 => -2_i64..=2];
    (constants, [coefficient.clone(), coefficient])
}

fn places() -> impl Strategy<Value = Places> {
    let dimensions = prop::collection::vec((linear(-1..=4), linear(-4..=9)), 0..=3);
    (linear(-12..=12), dimensions).prop_map(|(offset, dimensions)| Places { offset, dimensions })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_is_proven_holds(
        one in places(), other in places(), least in [-2_i64..=3, -2_i64..=3],
    ) {
        let mut bounds = Bounds::default();
        for (number, &least) in least.iter().enumerate() {
            bounds.at_least(Symbol(number), least);
        }
        if are_disjoint(&one.lmad(), &other.lmad(), &bounds) {
            for more in 0..16 {
                let symbols = [least[0] + more / 4, least[1] + more % 4];
                prop_assert!(one.at(symbols).is_disjoint(&other.at(symbols)), "at {symbols:?}");
            }
        }
    }

    #[test]
    fn what_is_proven_beside_others_holds(
        one in places(), other in places(), least in -2_i64..=3, distance in -2_i64..=2,
    ) {
        let [lower, upper] = [Symbol(0), Symbol(1)].map(Polynomial::from);
        let mut bounds = Bounds::default();
        bounds.at_least(Symbol(0), least);
        let difference = upper.checked_sub(&lower).unwrap();
        bounds.not_negative(&difference.checked_sub(&distance.into()).unwrap());
        let is_injective = one.lmad().is_injective(&bounds);
        let are_apart = are_disjoint(&one.lmad(), &other.lmad(), &bounds);
        for more in 0..25 {
            let lower = least + more / 5;
            let symbols = [lower, lower + distance + more % 5];
            if are_apart {
                prop_assert!(one.at(symbols).is_disjoint(&other.at(symbols)), "at {symbols:?}");
            }
            if is_injective {
                prop_assert_eq!(one.at(symbols).len() as i64, one.steps(symbols), "at {:?}", symbols);
            }
        }
    }

    /// Rectangles of a matrix whose rows have a number of elements that is not known.
    #[test]
    fn disjoint_rectangles_are_proven(
        starts in [[0_i64..6, 0_i64..6], [0_i64..6, 0_i64..6]],
        sizes in [[1_i64..4, 1_i64..4], [1_i64..4, 1_i64..4]],
    ) {
        let width = Symbol(0);
        let mut bounds = Bounds::default();
        bounds.at_least(width, 10);
        let rectangle = |[row, column]: [i64; 2], [height, length]: [i64; 2]| {
            let rows = Polynomial::from(width).checked_mul(&row.into()).unwrap();
            Lmad {
                offset: rows.checked_add(&column.into()).unwrap(),
                dimensions: vec![
                    Dimension { count: height.into(), stride: width.into() },
                    Dimension { count: length.into(), stride: 1.into() },
                ],
            }
        };
        let meet = |axis: usize| {
            starts[0][axis] < starts[1][axis] + sizes[1][axis]
                && starts[1][axis] < starts[0][axis] + sizes[0][axis]
        };
        let proven = are_disjoint(
            &rectangle(starts[0], sizes[0]),
            &rectangle(starts[1], sizes[1]),
            &bounds,
        );
        prop_assert_eq!(proven, !meet(0) || !meet(1));
    }
}
