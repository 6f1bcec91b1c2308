//! Constants in several precisions, and polynomials by Horner's rule.
//!
//! Each step of the rule waits for the one before, some four cycles. Long polynomials may
//! therefore be two, in x²: of the even coefficients and of the odd ones, which are computed at the
//! same time, with one more multiplication. (Estrin's rule would split these again; its powers of
//! x take more operations, and registers, of which short vectors have few.) Where x is not small,
//! the two may cancel: erfc would have errors twice as large.

use comb_machine::tuning::polynomial::LONG;

use super::{
    Style,
    graph::{Kind, Term},
};

/// A polynomial in several precisions, each with the coefficient of the
/// constant term first.
pub struct Polynomial {
    /// For results in f32, computed in f32.
    pub f32: &'static [f64],
    /// For results in f32, computed in f64.
    pub short: &'static [f64],
    /// For results in f64.
    pub f64: &'static [f64],
}

impl Polynomial {
    /// The coefficients for a number and a way of computing.
    pub fn coefficients(&self, x: Term, style: Style) -> &'static [f64] {
        match (x.kind(), style) {
            (Kind::F32, _) => self.f32,
            (_, Style::Short) => self.short,
            _ => self.f64,
        }
    }

    /// The polynomial at x, by Horner's rule.
    pub fn at<'g>(&self, x: Term<'g>, style: Style) -> Term<'g> {
        horner(self.coefficients(x, style), x)
    }

    /// The polynomial at an x of at most ½, where the terms of a series become smaller so fast
    /// that it may be split.
    pub fn near_zero<'g>(&self, x: Term<'g>, style: Style) -> Term<'g> {
        let coefficients = self.coefficients(x, style);
        match coefficients.len() < LONG {
            true => horner(coefficients, x),
            false => by_halves(coefficients, x),
        }
    }
}

fn by_halves<'g>(coefficients: &[f64], x: Term<'g>) -> Term<'g> {
    let every_other =
        |first: usize| -> Vec<f64> { coefficients[first..].iter().copied().step_by(2).collect() };
    let square = x * x;
    let [even, odd] = [0, 1].map(|first| horner(&every_other(first), square));
    odd.multiply_add(x, even)
}

/// The polynomial with these coefficients at x.
pub fn horner<'g>(coefficients: &[f64], x: Term<'g>) -> Term<'g> {
    let (last, rest) = coefficients
        .split_last()
        .expect("a polynomial has coefficients for each precision that it is used in");
    rest.iter().rev().fold(x.float(*last), |sum, &coefficient| {
        sum.multiply_add(x, x.float(coefficient))
    })
}

/// A constant as a sum of numbers, for each type.
pub struct Parts {
    pub f32: &'static [f64],
    pub f64: &'static [f64],
}

impl Parts {
    /// The parts in the type of a term.
    pub fn of<'g>(&self, x: Term<'g>) -> Vec<Term<'g>> {
        let parts = match x.kind() {
            Kind::F32 => self.f32,
            _ => self.f64,
        };
        parts.iter().map(|&part| x.float(part)).collect()
    }
}
