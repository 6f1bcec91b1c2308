//! Numbers as unevaluated sums of two: twice the precision.
//!
//! The sums are Knuth's and Dekker's, and the product takes one fused
//! multiply-add, or without it Dekker's product of parts that are split by
//! masking bits. Results are accurate to a few units of 2^-2p, where p is the
//! precision of one number, which is more than the functions here need.

use super::{
    graph::{Kind, Term},
    polynomial::Parts,
};

/// The sum of two numbers, the second at most half a unit in the last place of
/// the first.
#[derive(Clone, Copy)]
pub struct Double<'g> {
    pub high: Term<'g>,
    pub low: Term<'g>,
}

impl<'g> Double<'g> {
    /// A single number.
    pub fn from(high: Term<'g>) -> Self {
        Self {
            high,
            low: high.float(0.0),
        }
    }

    /// A constant in two full parts.
    pub fn constant(parts: &Parts, x: Term<'g>) -> Self {
        let parts = parts.of(x);
        Self {
            high: parts[0],
            low: parts[1],
        }
    }

    /// a + b, exactly.
    pub fn sum(a: Term<'g>, b: Term<'g>) -> Self {
        let high = a + b;
        let of_b = high - a;
        let of_a = high - of_b;
        Self {
            high,
            low: (a - of_a) + (b - of_b),
        }
    }

    /// a + b, exactly, if a is 0 or not smaller than b.
    pub fn ordered_sum(a: Term<'g>, b: Term<'g>) -> Self {
        if b.is_nothing() {
            return Self::from(a);
        }
        let high = a + b;
        Self {
            high,
            low: b - (high - a),
        }
    }

    /// a b: exactly with fused multiply-add, and nearly so without.
    pub fn product(a: Term<'g>, b: Term<'g>) -> Self {
        let high = a * b;
        let low = if a.graph().has_fma() {
            a.multiply_add(b, -high)
        } else {
            let ([a1, a2], [b1, b2]) = (split(a), split(b));
            (((a1 * b1 - high) + a1 * b2) + a2 * b1) + a2 * b2
        };
        Self { high, low }
    }

    pub fn add(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self::ordered_sum(sum.high, sum.low + (self.low + other.low))
    }

    pub fn add_single(self, other: Term<'g>) -> Self {
        let sum = Self::sum(self.high, other);
        Self::ordered_sum(sum.high, sum.low + self.low)
    }

    /// Adds something far smaller.
    pub fn add_low(self, low: Term<'g>) -> Self {
        Self::ordered_sum(self.high, self.low + low)
    }

    pub fn multiply(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let crossed = self.high.multiply_add(other.low, self.low * other.high);
        Self::ordered_sum(product.high, product.low + crossed)
    }

    pub fn multiply_single(self, other: Term<'g>) -> Self {
        let product = Self::product(self.high, other);
        Self::ordered_sum(product.high, self.low.multiply_add(other, product.low))
    }

    /// Takes one division: the remainder is multiplied by the reciprocal.
    pub fn divide(self, other: Self) -> Self {
        let reciprocal = other.high.float(1.0) / other.high;
        let quotient = self.high * reciprocal;
        let back = Self::product(quotient, other.high);
        let rest = (self.high - back.high) - back.low;
        let rest = rest + (self.low - quotient * other.low);
        Self::ordered_sum(quotient, rest * reciprocal)
    }

    /// 0 stays 0.
    pub fn square_root(self) -> Self {
        let root = self.high.square_root();
        let back = Self::product(root, root);
        let rest = ((self.high - back.high) - back.low) + self.low;
        let low = rest / (root + root);
        let zero = root.equals_number(0.0);
        Self {
            high: root,
            low: zero.select(root, low),
        }
    }

    /// Times a power of two, or ±1.
    pub fn scale(self, factor: Term<'g>) -> Self {
        Self {
            high: self.high * factor,
            low: self.low * factor,
        }
    }

    pub fn negate(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }

    /// One of two, by a condition.
    pub fn select(condition: Term<'g>, then: Self, otherwise: Self) -> Self {
        Self {
            high: condition.select(then.high, otherwise.high),
            low: condition.select(then.low, otherwise.low),
        }
    }

    /// The number, rounded.
    pub fn round(self) -> Term<'g> {
        self.high + self.low
    }
}

/// A number as a sum of two of about half as many bits.
fn split(x: Term) -> [Term; 2] {
    let mask = match x.kind() {
        Kind::F32 => !0xfff,
        _ => !0x7ff_ffff,
    };
    let high = (x.reinterpret() & mask).reinterpret();
    [high, x - high]
}
