//! pow, the square root's reciprocal, and the cube root.

use super::{
    Style,
    coefficients::CBRT,
    double::Double,
    exponential::exp_of_double,
    graph::{Kind, Term},
    logarithm::{decompose, flushed, log_of_double, log_of_positive},
    number::{is_odd, layout, nearest, nearest_product, power_of_two},
};

/// exp(y log |x|) with the sign and the special values that C requires. The
/// logarithm has more bits than the result, since y multiplies its error: for
/// f32, it is computed in f64. Nothing less would be accurate enough for any
/// style.
pub fn pow<'g>(x: Term<'g>, y: Term<'g>, _: Style) -> Term<'g> {
    let size = x.absolute();
    // A larger exponent overflows or underflows as this one does.
    let limit = 2f64.powi(65);
    let exponent = y.clamp(-limit, limit);
    if x.kind() == Kind::F32 {
        let log = log_of_positive(size.to_f64(), Style::Short);
        let product = Double::from(log * exponent.to_f64());
        let power = exp_of_double(product, Style::Short).to_f32();
        return with_special_values(x, y, power);
    }
    let log = log_of_double(Double::from(size), true, Style::Precise);
    let power = exp_of_double(log.multiply_single(exponent), Style::Precise);
    with_special_values(x, y, power)
}

fn with_special_values<'g>(x: Term<'g>, y: Term<'g>, power: Term<'g>) -> Term<'g> {
    let (zero, one) = (x.float(0.0), x.float(1.0));
    let (infinity, nan) = (x.float(f64::INFINITY), x.float(f64::NAN));
    let size = x.absolute();
    let vanishes = size.equals(zero);
    let grows = (vanishes ^ y.less(zero)).no();
    let edge = grows.select(infinity, zero);
    let power = (vanishes | size.equals(infinity)).select(edge, power);
    let (whole, odd) = whole_and_odd(y);
    let power = power.with_sign_of(odd.select(x, one));
    let undefined = x.less(zero) & (-infinity).less(x) & whole.no();
    let power = undefined.select(nan, power);
    let power = x.is_nan().select(x, y.is_nan().select(y, power));
    (x.equals(one) | y.equals(zero)).select(one, power)
}

/// Whether a number is an integer, and whether it is an odd one.
fn whole_and_odd<'g>(y: Term<'g>) -> (Term<'g>, Term<'g>) {
    // From here on, neighbouring numbers are 1 apart.
    let unit = 2f64.powi(layout(y).stored as i32);
    let size = y.absolute();
    let fractional = size.less_than(unit);
    let shifted = fractional.select(size + unit, size);
    let whole = fractional.no() | (shifted - unit).equals(size);
    let odd = whole & size.less_than(2.0 * unit) & is_odd(shifted.reinterpret());
    (whole, odd)
}

/// The quotient, corrected by one step of Newton's method.
pub fn rsqrt(x: Term, style: Style) -> Term {
    let root = x.square_root();
    let estimate = x.float(1.0) / root;
    if style != Style::Precise {
        return estimate;
    }
    let back = Double::product(estimate, x);
    let unit = Double::product(back.high, estimate);
    let rest = ((unit.high - 1.0) + unit.low) + back.low * estimate;
    let corrected = estimate - estimate * 0.5 * rest;
    let special = x.equals_number(0.0) | x.equals_number(f64::INFINITY);
    special.select(estimate, corrected)
}

/// x = 8^q m with m from √⅛ to √8: 2^q m r², where r = m^(-1/3) comes from a
/// polynomial and steps of Newton's method without division.
pub fn cbrt(x: Term, style: Style) -> Term {
    let size = flushed(x.absolute(), style);
    let parts = decompose(size, style);
    let third = nearest_product(parts.exponent, 1.0 / 3.0);
    let rest = nearest(parts.exponent - third.float * 3.0);
    let m = parts.significand * power_of_two(rest.integer);
    let steps = match (x.kind(), style) {
        (Kind::F32, _) | (_, Style::Short) => 2,
        _ => 3,
    };
    let mut inverse = CBRT.at(m, style);
    for _ in 0..steps {
        let error = x.float(1.0) - inverse * inverse * inverse * m;
        inverse = inverse + inverse * error * (1.0 / 3.0);
    }
    let square = inverse * inverse;
    let root = m * square;
    let cubed = Double::product(root, root).multiply_single(root);
    let rest = (cubed.high - m) + cubed.low;
    let root = root - rest * square * (1.0 / 3.0);
    let result = root * power_of_two(third.integer);
    let special = size.equals_number(0.0) | size.less(x.float(f64::INFINITY)).no();
    special.select(size, result).with_sign_of(x)
}
