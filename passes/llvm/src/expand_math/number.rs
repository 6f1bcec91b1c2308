//! The parts of a floating-point number as terms: exponents, integers, scaling.

use super::graph::{Kind, Term};

/// What the bits of a type mean.
pub struct Layout {
    /// Bits of the significand that are stored.
    pub stored: i64,
    /// What is added to exponents.
    pub bias: i64,
    /// 1.5 times 2^stored: added to a small number, it leaves an integer in the
    /// last bits.
    pub shifter: f64,
}

pub const F32: Layout = Layout {
    stored: 23,
    bias: 127,
    shifter: 12_582_912.0,
};
pub const F64: Layout = Layout {
    stored: 52,
    bias: 1023,
    shifter: 6_755_399_441_055_744.0,
};

/// How a term's type is laid out.
pub fn layout(x: Term) -> &'static Layout {
    match x.kind() {
        Kind::F32 | Kind::I32 => &F32,
        _ => &F64,
    }
}

/// An integer in both forms.
#[derive(Clone, Copy)]
pub struct Whole<'g> {
    pub float: Term<'g>,
    pub integer: Term<'g>,
}

/// The nearest integer to a number below 2^(stored - 2).
pub fn nearest(x: Term) -> Whole {
    nearest_with(0, x)
}

/// The nearest integer to a b.
pub fn nearest_product<'g>(a: Term<'g>, b: f64) -> Whole<'g> {
    nearest_product_with(0, a, b)
}

/// As [`nearest`]; adding `offset` to the integer takes no op where only its last bits count.
pub fn nearest_with(offset: i64, x: Term) -> Whole {
    let shifter = shifter_with(offset, x);
    nearest_of_shifted(x + shifter, shifter)
}

/// As [`nearest_product`]; adding `offset` to the integer takes no op where only its last bits
/// count.
pub fn nearest_product_with<'g>(offset: i64, a: Term<'g>, b: f64) -> Whole<'g> {
    let shifter = shifter_with(offset, a);
    nearest_of_shifted(a.multiply_add(a.float(b), shifter), shifter)
}

/// What leaves the sum of an integer and the offset in the last bits.
fn shifter_with(offset: i64, x: Term) -> Term {
    x.float(layout(x).shifter + offset as f64)
}

fn nearest_of_shifted<'g>(shifted: Term<'g>, shifter: Term<'g>) -> Whole<'g> {
    Whole {
        float: shifted - shifter,
        integer: shifted.reinterpret() - shifter.reinterpret(),
    }
}

/// An integer below 2^(stored - 2) as a floating-point number.
pub fn to_float(integer: Term) -> Term {
    let shifter = integer.float(layout(integer).shifter);
    (integer + shifter.reinterpret()).reinterpret() - shifter
}

/// 2^n for an exponent of normal numbers; 0 for the exponent below those, and
/// infinity for the one above.
pub fn power_of_two(exponent: Term) -> Term {
    let layout = layout(exponent);
    ((exponent + layout.bias) << layout.stored).reinterpret()
}

/// y 2^n if both y and the result are normal numbers.
pub fn times_power_of_two<'g>(y: Term<'g>, exponent: Term<'g>) -> Term<'g> {
    (y.reinterpret() + (exponent << layout(y).stored)).reinterpret()
}

/// 2^n as two factors, for exponents whose power is no normal number: a number
/// between ½ and 2 times both is rounded once.
pub fn power_of_two_factors(exponent: Term) -> [Term; 2] {
    let layout = layout(exponent);
    let doubled = exponent + 2 * layout.bias;
    let half = doubled >> 1;
    [half, doubled - half].map(|biased| (biased << layout.stored).reinterpret())
}

/// Puts the sign 1 where the last bit of an integer is 1.
pub fn negate_if_odd<'g>(x: Term<'g>, integer: Term<'g>) -> Term<'g> {
    let sign = match x.kind() {
        Kind::F32 => 31,
        _ => 63,
    };
    (x.reinterpret() ^ (integer << sign)).reinterpret()
}

/// Whether the last bit of an integer is 1.
pub fn is_odd(integer: Term) -> Term {
    (integer & 1).equals(integer.integer(1))
}
