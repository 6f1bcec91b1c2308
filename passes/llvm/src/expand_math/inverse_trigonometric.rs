//! asin, acos, atan and atan2.
//!
//! asin has a polynomial up to ½, and beyond it follows from that of
//! sqrt((1 - x) / 2). atan has a polynomial up to tan(π/8); beyond it, the
//! argument is turned by π/4 or π/2, which takes one division.

use std::f64::consts::FRAC_PI_8;

use super::{
    Style,
    coefficients::{ASIN, ATAN, PI_FULL},
    double::Double,
    graph::Term,
    number::layout,
};

/// π times a number, which is a power of two or has few bits.
fn pi_times<'g>(factor: Term<'g>) -> Double<'g> {
    Double::constant(&PI_FULL, factor).scale(factor)
}

/// For |x| ≤ ½, asin(|x|); for others, asin(sqrt((1 - |x|) / 2)); and which.
fn half_angle<'g>(x: Term<'g>, style: Style) -> (Double<'g>, Term<'g>) {
    let size = x.absolute();
    let far = size.more_than(0.5);
    let rest = (x.float(1.0) - size) * 0.5;
    let root = match style {
        Style::Precise => Double::from(rest).square_root(),
        _ => Double::from(rest.square_root()),
    };
    let square = far.select(rest, size * size);
    let start = Double::select(far, root, Double::from(size));
    let tail = start.high * square * ASIN.near_zero(square, style) + start.low;
    (Double::ordered_sum(start.high, tail), far)
}

pub fn asin(x: Term, style: Style) -> Term {
    let (angle, far) = half_angle(x, style);
    let turned = pi_times(x.float(0.5)).add(angle.scale(x.float(-2.0)));
    far.select(turned.high, angle.high).with_sign_of(x)
}

pub fn acos(x: Term, style: Style) -> Term {
    let (angle, far) = half_angle(x, style);
    let (zero, one) = (x.float(0.0), x.float(1.0));
    let negative = x.less(zero);
    // 2 a or π - 2 a far from 0; π/2 - a or π/2 + a near it.
    let part = far.select(negative.select(one, zero), x.float(0.5));
    let factor = far.select(x.float(2.0), one);
    let sign = (negative ^ far).select(one, -one);
    pi_times(part).add(angle.scale(factor * sign)).high
}

/// The angle of y / x for positive x and y that are not both 0 nor both
/// infinite, plus `turn` times π/4.
fn angle_of_quotient<'g>(y: Double<'g>, x: Double<'g>, turn: Term<'g>, style: Style) -> Double<'g> {
    let (quotient, style) = match style {
        Style::Precise => (y.divide(x), style),
        _ => (Double::from(y.high / x.high), style),
    };
    let q = quotient.high;
    let square = q * q;
    let low = quotient.low - square * quotient.low;
    let tail = (square * q).multiply_add(ATAN.near_zero(square, style), low);
    let angle = Double::ordered_sum(q, tail);
    pi_times(turn * 0.25).add(angle)
}

/// atan(y / x) for numbers that are not negative, nor 0 or infinite both.
fn first_quadrant<'g>(y: Term<'g>, x: Term<'g>, style: Style) -> Double<'g> {
    let steep = (x * (3.0 * FRAC_PI_8).tan()).less(y);
    let diagonal = (x * FRAC_PI_8.tan()).less(y);
    let difference = |a, b| match style {
        Style::Precise => Double::sum(a, b),
        _ => Double::from(a + b),
    };
    let above = Double::select(steep, Double::from(-x), difference(y, -x));
    let above = Double::select(diagonal, above, Double::from(y));
    let below = Double::select(steep, Double::from(y), difference(y, x));
    let below = Double::select(diagonal, below, Double::from(x));
    let turn = steep.select(x.float(2.0), x.float(1.0));
    let turn = diagonal.select(turn, x.float(0.0));
    angle_of_quotient(above, below, turn, style)
}

pub fn atan(x: Term, style: Style) -> Term {
    let size = x.absolute();
    let big = 2f64.powi(layout(x).stored as i32 + 8);
    let limited = size.more_than(big).select(x.float(big), size);
    let angle = first_quadrant(limited, x.float(1.0), style);
    angle.high.with_sign_of(x)
}

pub fn atan2<'g>(y: Term<'g>, x: Term<'g>, style: Style) -> Term<'g> {
    let (zero, one, infinity) = (x.float(0.0), x.float(1.0), x.float(f64::INFINITY));
    let (along, across) = (x.absolute(), y.absolute());
    let undefined = x.is_nan() | y.is_nan();
    // Of two zeros, or two infinities, the first counts as 0 or 1 in place of x.
    let both_zero = along.equals(zero) & across.equals(zero);
    let both_infinite = along.equals(infinity) & across.equals(infinity);
    let [scaled_across, scaled_along] = scaled(across, along);
    let scaled_along = (both_zero | both_infinite).select(one, scaled_along);
    let scaled_across = both_infinite.select(one, scaled_across);
    let angle = first_quadrant(scaled_across, scaled_along, style);
    // The angle is the quotient, also where that is subnormal.
    let flat = across.less(along * 2f64.powi(-(layout(x).stored as i32) / 2 - 4));
    let angle = Double::select(flat, Double::from(across / along), angle);
    // Also for -0.
    let negative = one.with_sign_of(x).less(zero);
    let turned = pi_times(one).add(angle.negate());
    let angle = negative.select(turned.high, angle.high).with_sign_of(y);
    undefined.select(x + y, angle)
}

/// Two numbers scaled so that neither they nor their sum overflow, nor do the
/// parts of their quotient underflow; infinity becomes large.
fn scaled<'g>(y: Term<'g>, x: Term<'g>) -> [Term<'g>; 2] {
    let layout = layout(x);
    let far = 2f64.powi(layout.bias as i32 / 2);
    let big = y.more_than(far) | x.more_than(far);
    let tiny = y.less_than(1.0 / far) & x.less_than(1.0 / far);
    let factor = big.select(x.float(2f64.powi(-(layout.bias as i32) / 2)), x.float(1.0));
    let factor = tiny.select(x.float(2f64.powi(layout.bias as i32 / 2 + 60)), factor);
    let most = 2f64.powi(layout.bias as i32 / 2 + 70);
    [y * factor, x * factor].map(|scaled| scaled.more_than(most).select(x.float(most), scaled))
}
