//! Constants in several precisions, and polynomials by Horner's rule.

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

    /// The polynomial at x.
    pub fn at<'g>(&self, x: Term<'g>, style: Style) -> Term<'g> {
        horner(self.coefficients(x, style), x)
    }
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
