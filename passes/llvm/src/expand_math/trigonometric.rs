//! sin, cos and tan.
//!
//! x is reduced to n π + r or n π/2 + r with constants in parts, whose products
//! with n are exact (Cody and Waite). If some lane is too large for that, those
//! lanes are reduced by [`super::large_reduction`]. Polynomials give the sine and
//! cosine of r.

use std::f64::consts::{FRAC_1_PI, FRAC_2_PI};

use super::{
    Style,
    coefficients::{COS, PI_FULL, PI_SHORT, SIN, SIN_WIDE},
    double::Double,
    graph::{Kind, Term},
    large_reduction,
    number::{is_odd, nearest, nearest_product, negate_if_odd},
};

/// Up to here the products are exact.
const LIMIT: f64 = 1_000_000.0;
const LIMIT_F32: f64 = 100_000.0;
const LIMIT_F32_WITHOUT_FMA: f64 = 10_000.0;

/// What arguments are reduced to multiples of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// n π + r, with |r| ≤ π/2
    Half,
    /// (n + ½) π + r, with |r| ≤ π/2
    ShiftedHalf,
    /// n π/2 + r, with |r| ≤ π/4
    Quarter,
}

/// A reduced argument; of n, only the last bits count.
#[derive(Clone, Copy)]
pub struct Reduced<'g> {
    pub count: Term<'g>,
    pub rest: Double<'g>,
}

/// Reduces a moderate x that is not negative.
fn reduce_moderate<'g>(x: Term<'g>, period: Period, style: Style) -> Reduced<'g> {
    let count = match period {
        Period::Half => nearest_product(x, FRAC_1_PI),
        Period::ShiftedHalf => nearest(x.multiply_add(x.float(FRAC_1_PI), x.float(-0.5))),
        Period::Quarter => nearest_product(x, FRAC_2_PI),
    };
    let multiple = match period {
        Period::Half => count.float,
        Period::ShiftedHalf => count.float + 0.5,
        Period::Quarter => count.float * 0.5,
    };
    Reduced {
        count: count.integer,
        rest: subtract_pi(x, multiple, style),
    }
}

/// x - n π, for n of few bits.
fn subtract_pi<'g>(x: Term<'g>, n: Term<'g>, style: Style) -> Double<'g> {
    let fma = x.graph().has_fma();
    let parts = if fma { &PI_FULL } else { &PI_SHORT }.of(x);
    let (last, middle) = match style {
        // Results in f32 need no more.
        Style::Short => (parts[parts.len() - 2], &parts[1..parts.len() - 2]),
        _ => (parts[parts.len() - 1], &parts[1..parts.len() - 1]),
    };
    let n = -n;
    let mut rest = n.multiply_add(parts[0], x);
    if style != Style::Precise {
        for &part in middle.iter().chain([&last]) {
            rest = n.multiply_add(part, rest);
        }
        return Double::from(rest);
    }
    let mut low = x.float(0.0);
    for &part in middle {
        let product = Double::product(n, part);
        let sum = Double::sum(rest, product.high);
        rest = sum.high;
        low = low + (sum.low + product.low);
    }
    Double::ordered_sum(rest, n.multiply_add(last, low))
}

/// Reduces any f64 that is not negative; infinity gives NaN.
fn reduce<'g>(x: Term<'g>, period: Period, style: Style) -> Reduced<'g> {
    let moderate = reduce_moderate(x, period, style);
    let large = x.more_than(LIMIT) & x.less_than(f64::INFINITY);
    let values = [moderate.count, moderate.rest.high, moderate.rest.low];
    let [count, high, low] = x.graph().rarely(large, values, || {
        let reduced = large_reduction::reduce(x, period);
        [reduced.count, reduced.rest.high, reduced.rest.low]
    });
    let low = match style {
        Style::Precise => low,
        _ => x.float(0.0),
    };
    Reduced {
        count,
        rest: Double { high, low },
    }
}

/// A function of a reduced argument, for any number that is not negative. In
/// f32, large numbers are reduced and their function computed in f64.
fn of_reduced<'g>(
    x: Term<'g>,
    period: Period,
    style: Style,
    function: impl Fn(Reduced<'g>, Style) -> Term<'g>,
) -> Term<'g> {
    if x.kind() == Kind::F64 {
        return function(reduce(x, period, style), style);
    }
    let moderate = function(reduce_moderate(x, period, style), style);
    let limit = match x.graph().has_fma() {
        true => LIMIT_F32,
        false => LIMIT_F32_WITHOUT_FMA,
    };
    let large = x.more_than(limit) & x.less_than(f64::INFINITY);
    let [value] = x.graph().rarely(large, [moderate], || {
        let reduced = large_reduction::reduce(x.to_f64(), period);
        let rest = Double::from(reduced.rest.high);
        [function(Reduced { rest, ..reduced }, Style::Short).to_f32()]
    });
    value
}

/// sin(r) for |r| ≤ π/4.
fn narrow_sine<'g>(r: Double<'g>, style: Style) -> Double<'g> {
    let square = r.high * r.high;
    let cube = square * r.high;
    let low = r.low - square * 0.5 * r.low;
    Double::ordered_sum(r.high, cube.multiply_add(SIN.at(square, style), low))
}

/// cos(r) for |r| ≤ π/4.
fn narrow_cosine<'g>(r: Double<'g>, style: Style) -> Double<'g> {
    let square = r.high * r.high;
    let one = r.high.float(1.0);
    let start = Double::ordered_sum(one, square * -0.5);
    let tail = square * square * COS.at(square, style) - r.high * r.low;
    Double::ordered_sum(start.high, start.low + tail)
}

/// sin(r) for |r| ≤ π/2, not precisely.
fn wide_sine<'g>(r: Term<'g>, style: Style) -> Term<'g> {
    let square = r * r;
    (square * r).multiply_add(SIN_WIDE.at(square, style), r)
}

/// Of sine and cosine, the one that the quadrant asks for, with its sign.
fn by_quadrant<'g>(reduced: Reduced<'g>, shift: i64) -> Term<'g> {
    let quadrant = reduced.count + shift;
    let sine = narrow_sine(reduced.rest, Style::Precise).high;
    let cosine = narrow_cosine(reduced.rest, Style::Precise).high;
    let value = is_odd(quadrant).select(cosine, sine);
    negate_if_odd(value, quadrant >> 1)
}

pub fn sin(x: Term, style: Style) -> Term {
    let size = x.absolute();
    let sine = match style {
        Style::Precise => by_quadrant(reduce(size, Period::Quarter, style), 0),
        _ => of_reduced(size, Period::Half, style, |reduced, style| {
            negate_if_odd(wide_sine(reduced.rest.high, style), reduced.count)
        }),
    };
    multiply_sign(sine, x)
}

pub fn cos(x: Term, style: Style) -> Term {
    let size = x.absolute();
    match style {
        Style::Precise => by_quadrant(reduce(size, Period::Quarter, style), 1),
        _ => of_reduced(size, Period::ShiftedHalf, style, |reduced, style| {
            negate_if_odd(wide_sine(reduced.rest.high, style), reduced.count + 1)
        }),
    }
}

/// sin / cos, or -cos / sin in every second quadrant.
pub fn tan(x: Term, style: Style) -> Term {
    let tangent = of_reduced(x.absolute(), Period::Quarter, style, |reduced, style| {
        let sine = narrow_sine(reduced.rest, style);
        let cosine = narrow_cosine(reduced.rest, style);
        let odd = is_odd(reduced.count);
        let above = Double::select(odd, cosine, sine);
        let below = Double::select(odd, sine, cosine);
        let quotient = match style {
            Style::Precise => above.divide(below).round(),
            _ => above.high / below.high,
        };
        negate_if_odd(quotient, reduced.count)
    });
    multiply_sign(tangent, x)
}

/// Changes the sign if another number is negative.
fn multiply_sign<'g>(value: Term<'g>, x: Term<'g>) -> Term<'g> {
    let sign = x.reinterpret() ^ x.absolute().reinterpret();
    (value.reinterpret() ^ sign).reinterpret()
}
