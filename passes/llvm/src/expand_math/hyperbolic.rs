//! sinh, cosh, tanh and their inverses, from exponentials and logarithms with
//! twice the precision.

use super::{
    Style,
    coefficients::{LN2_FULL, SINH},
    double::Double,
    exponential::{half_exp_minus_1, quarter_exp},
    graph::{Kind, Term},
    logarithm::{log_of_double, log1p_of_positive},
    number::layout,
};

/// exp(|x|) / 4 and exp(-|x|) / 4.
fn quarters<'g>(x: Term<'g>, style: Style) -> [Double<'g>; 2] {
    let high = (layout(x).bias as f64 + 2.0) * std::f64::consts::LN_2 + 0.1;
    let size = x.absolute();
    let size = size.more_than(high).select(x.float(high), size);
    let up = quarter_exp(Double::from(size), style);
    let sixteenth = Double::from(x.float(1.0 / 16.0));
    let down = match style {
        Style::Precise => sixteenth.divide(up),
        _ => Double::from(sixteenth.high / up.high),
    };
    [up, down]
}

pub fn cosh(x: Term, style: Style) -> Term {
    let [up, down] = quarters(x, style);
    up.add(down).high * 2.0
}

pub fn sinh(x: Term, style: Style) -> Term {
    let [up, down] = quarters(x, style);
    let far = up.add(down.negate()).high * 2.0;
    let size = x.absolute();
    let square = size * size;
    let near = (square * size).multiply_add(SINH.at(square, style), size);
    size.less_than(0.5).select(near, far).with_sign_of(x)
}

/// (exp(2x) - 1) / (exp(2x) + 1)
pub fn tanh(x: Term, style: Style) -> Term {
    let size = x.absolute();
    // From here on, the result is 1.
    let limit = (layout(x).stored as f64 + 8.0) * std::f64::consts::LN_2 / 2.0;
    let limited = size.more_than(limit).select(x.float(limit), size);
    let above = half_exp_minus_1(Double::from(limited + limited), style);
    let result = match style {
        Style::Precise => above.divide(above.add_single(x.float(1.0))).round(),
        _ => {
            let above = above.round();
            above / (above + 1.0)
        }
    };
    let tiny = size.less_than(2f64.powi(-(layout(x).stored as i32) / 2 - 2));
    tiny.select(size, result).with_sign_of(x)
}

/// From here on, x² ± 1 is x² to all bits, and may overflow.
fn far(x: Term) -> f64 {
    2f64.powi(layout(x).stored as i32 + 8)
}

/// log(x + sqrt(x² + sign)), also for large x.
fn log_of_sum_with_root<'g>(size: Term<'g>, sign: f64, style: Style) -> Term<'g> {
    let large = size.more_than(far(size));
    let x = large.select(size.float(1.0), size);
    let under = Double::product(x, x).add_single(x.float(sign));
    let sum = under.square_root();
    let sum = Double::from(x).add(sum);
    let argument = Double::select(large, Double::from(size), sum);
    let ln2 = Double::constant(&LN2_FULL, x);
    let zero = Double::from(x.float(0.0));
    let log = log_of_double(argument, false, style);
    log.add(Double::select(large, ln2, zero)).high
}

pub fn asinh(x: Term, style: Style) -> Term {
    let size = x.absolute();
    let infinite = size.less_than(f64::INFINITY).no();
    let log = match style {
        Style::Precise => log_of_sum_with_root(size, 1.0, style),
        _ => {
            let large = size.more_than(far(x));
            let limited = large.select(x.float(1.0), size);
            let square = limited * limited;
            let root = (square + 1.0).square_root();
            let argument = large.select(size, limited + square / (root + 1.0));
            let log = log1p_of_positive(argument, style);
            large.select(log + std::f64::consts::LN_2, log)
        }
    };
    // The next term of the series is x³/6.
    let tiny = size.less_than(2f64.powi(-(layout(x).stored as i32) / 2 - 1));
    (tiny | infinite).select(size, log).with_sign_of(x)
}

pub fn acosh(x: Term, style: Style) -> Term {
    let infinity = x.float(f64::INFINITY);
    let log = match style {
        Style::Precise => log_of_sum_with_root(x, -1.0, style),
        _ => {
            let large = x.more_than(far(x));
            let over = large.select(x.float(1.0), x - 1.0);
            let root = (over * (over + 2.0)).square_root();
            let log = log1p_of_positive(large.select(x, over + root), style);
            large.select(log + std::f64::consts::LN_2, log)
        }
    };
    let log = x.less(infinity).select(log, x);
    x.less_than(1.0).select(x.float(f64::NAN), log)
}

/// log((1 + x) / (1 - x)) / 2
pub fn atanh(x: Term, style: Style) -> Term {
    let size = x.absolute();
    let one = x.float(1.0);
    let log = match style {
        Style::Precise => {
            let above = Double::sum(one, size);
            let below = Double::sum(one, -size);
            log_of_double(above.divide(below), false, style).high
        }
        _ => log1p_of_positive((size + size) / (one - size), style),
    };
    let result = log * 0.5;
    let result = size.equals(one).select(x.float(f64::INFINITY), result);
    let result = size.more_than(1.0).select(x.float(f64::NAN), result);
    let tiny = size.less_than(2f64.powi(-(layout(x).stored as i32) / 2 - 2));
    let keeps = tiny | size.is_nan();
    debug_assert!(matches!(x.kind(), Kind::F32 | Kind::F64));
    keeps.select(size, result).with_sign_of(x)
}
