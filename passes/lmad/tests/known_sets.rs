//! Sets that occur in programs.

use comb_lmad::{Bounds, Dimension, Lmad, Polynomial, Symbol, are_disjoint};

/// Polynomials with operators. Nothing here is so large that they fail.
#[derive(Clone)]
struct P(Polynomial);

impl std::ops::Add<P> for P {
    type Output = P;
    fn add(self, other: P) -> P {
        P(self.0.checked_add(&other.0).unwrap())
    }
}

impl std::ops::Sub<P> for P {
    type Output = P;
    fn sub(self, other: P) -> P {
        P(self.0.checked_sub(&other.0).unwrap())
    }
}

impl std::ops::Mul<P> for P {
    type Output = P;
    fn mul(self, other: P) -> P {
        P(self.0.checked_mul(&other.0).unwrap())
    }
}

fn c(constant: i64) -> P {
    P(constant.into())
}

fn lmad(offset: P, dimensions: &[(P, P)]) -> Lmad {
    let dimension = |(count, stride): &(P, P)| Dimension {
        count: count.0.clone(),
        stride: stride.0.clone(),
    };
    Lmad {
        offset: offset.0,
        dimensions: dimensions.iter().map(dimension).collect(),
    }
}

/// Symbols with their least values, and what is known of them.
fn symbols<const N: usize>(least: [i64; N]) -> ([P; N], Bounds) {
    let mut bounds = Bounds::default();
    let symbols = std::array::from_fn(|number| {
        bounds.at_least(Symbol(number), least[number]);
        P(Symbol(number).into())
    });
    (symbols, bounds)
}

fn both_ways(one: &Lmad, other: &Lmad, bounds: &Bounds) -> bool {
    let forth = are_disjoint(one, other, bounds);
    assert_eq!(forth, are_disjoint(other, one, bounds));
    forth
}

#[test]
fn a_row_and_the_next() {
    let ([n], bounds) = symbols([0]);
    // Nothing is known of i.
    let i = P(Symbol(7).into());
    let row = |number: P| lmad(number, &[]);
    assert!(both_ways(&row(i.clone()), &row(i.clone() + c(1)), &bounds));
    assert!(!both_ways(&row(i.clone()), &row(i.clone()), &bounds));
    assert!(!both_ways(&row(i.clone()), &row(c(0)), &bounds));
    // The row i and all behind it, as many as there are.
    let behind = lmad(i.clone() + c(1), &[(n.clone(), c(1))]);
    assert!(both_ways(&row(i.clone()), &behind, &bounds));
    // Those before it: n of them, so they begin at i - n.
    let before = lmad(i.clone() - n.clone(), &[(n.clone(), c(1))]);
    assert!(both_ways(&row(i.clone()), &before, &bounds));
    let with_it = lmad(i.clone() - n.clone(), &[(n + c(1), c(1))]);
    assert!(!both_ways(&row(i), &with_it, &bounds));
}

#[test]
fn even_and_odd() {
    let ([m, n], bounds) = symbols([0, 0]);
    let even = lmad(c(0), &[(m.clone(), c(2))]);
    let odd = lmad(c(1), &[(n.clone(), c(2))]);
    assert!(both_ways(&even, &odd, &bounds));
    assert!(!both_ways(&even, &lmad(c(4), &[(n, c(2))]), &bounds));
    // Backwards: from 2 m + 1 down to 3.
    let backwards = lmad(m.clone() * c(2) + c(1), &[(m, c(-2))]);
    assert!(both_ways(&even, &backwards, &bounds));
}

#[test]
fn the_columns_of_a_matrix() {
    let ([height, width], bounds) = symbols([0, 3]);
    let column = |number: i64| lmad(c(number), &[(height.clone(), width.clone())]);
    assert!(both_ways(&column(0), &column(2), &bounds));
    // The matrix may have only three columns, so this may be the first again.
    assert!(!both_ways(&column(0), &column(3), &bounds));
}

#[test]
fn a_stride_of_unknown_sign_proves_nothing() {
    let ([n], bounds) = symbols([0]);
    let unknown = P(Symbol(7).into());
    let places = lmad(c(1), &[(n, unknown)]);
    assert!(!both_ways(&places, &lmad(c(0), &[]), &bounds));
}

/// Blocks of the table of Needleman and Wunsch that lie on an antidiagonal, and what is
/// read to the left of them: figure 9 of the paper. A table has n = q b + 1 columns.
#[test]
fn blocks_on_an_antidiagonal() {
    let ([q, b, i], bounds) = symbols([2, 2, 0]);
    let n = q * b.clone() + c(1);
    let begin = i.clone() * b.clone();
    let blocks = (i + c(1), n.clone() * b.clone() - b.clone());
    let written = lmad(
        begin.clone() + n.clone() + c(1),
        &[blocks.clone(), (b.clone(), n.clone()), (b.clone(), c(1))],
    );
    let vertical = lmad(
        begin.clone(),
        &[blocks.clone(), (b.clone() + c(1), n.clone())],
    );
    assert!(both_ways(&written, &vertical, &bounds));
    let horizontal = lmad(begin, &[blocks.clone(), (b.clone() + c(1), c(1))]);
    assert!(both_ways(&written, &horizontal, &bounds));
    // One row further down, the blocks' own left column is read.
    let inside = lmad(n.clone() + c(1), &[blocks, (b, n)]);
    assert!(!both_ways(&written, &inside, &bounds));
}

/// The same where nothing is known but that the antidiagonal `k` is one of `q`.
#[test]
fn blocks_of_any_size() {
    let ([q, b, k], mut bounds) = symbols([0, 0, 0]);
    bounds.not_negative(&(q.clone() - k.clone() - c(1)).0);
    let n = q * b.clone() + c(1);
    let begin = k.clone() * b.clone();
    let blocks = (k + c(1), n.clone() * b.clone() - b.clone());
    let written = lmad(
        begin.clone() + n.clone() + c(1),
        &[blocks.clone(), (b.clone(), n.clone()), (b.clone(), c(1))],
    );
    assert!(written.is_injective(&bounds));
    let left = lmad(
        begin.clone(),
        &[blocks.clone(), (b.clone() + c(1), n.clone())],
    );
    assert!(both_ways(&written, &left, &bounds));
    let above = lmad(begin + c(1), &[blocks.clone(), (b.clone(), c(1))]);
    assert!(both_ways(&written, &above, &bounds));
    let inside = lmad(n.clone() + c(1), &[blocks, (b, n)]);
    assert!(!both_ways(&written, &inside, &bounds));
}

/// Antidiagonals of single elements, of a table with `n` columns.
#[test]
fn antidiagonals() {
    let ([n, k], mut bounds) = symbols([0, 0]);
    bounds.not_negative(&(n.clone() - k.clone() - c(2)).0);
    let antidiagonal =
        |offset: P| lmad(k.clone() + offset, &[(k.clone() + c(1), n.clone() - c(1))]);
    let written = antidiagonal(n.clone() + c(1));
    assert!(written.is_injective(&bounds));
    for before in [c(0), c(1), n.clone()] {
        assert!(both_ways(&written, &antidiagonal(before), &bounds));
    }
    assert!(!both_ways(
        &written,
        &antidiagonal(n.clone() * c(2)),
        &bounds
    ));
}
