//! log, log2, log10 and log1p.
//!
//! x is 2^k m with m from √½ to √2. With s = (m - 1)/(m + 1), log(m) is
//! 2 atanh(s), whose series in s² a polynomial replaces. Where a result is to
//! have twice the precision, s and the first terms are [`Double`]s.

use super::{
    Style,
    coefficients::{LN2, LOG, LOG_TAIL, LOG1P, LOG2_E, LOG10_2, LOG10_E, THIRDS},
    double::Double,
    graph::{Kind, Term},
    number::{Layout, layout, to_float},
};

/// x as 2^k m.
pub struct Decomposed<'g> {
    /// k, as a floating-point number.
    pub exponent: Term<'g>,
    /// m, from √½ to √2.
    pub significand: Term<'g>,
    /// 2^-k, or 0 where that is less than any normal number; not right for
    /// subnormal x.
    pub factor: Term<'g>,
}

/// Takes a positive, finite number apart. Subnormal ones are treated rightly
/// only by [`Style::Precise`].
pub fn decompose<'g>(x: Term<'g>, style: Style) -> Decomposed<'g> {
    let &Layout { stored, bias, .. } = layout(x);
    let (normal, shift) = match style {
        Style::Precise => {
            let subnormal = x.less_than(2f64.powi(1 - bias as i32));
            let grown = x * 2f64.powi(stored as i32 + 2);
            let shift = subnormal.select(x.float(-(stored as f64) - 2.0), x.float(0.0));
            (subnormal.select(grown, x), Some(shift))
        }
        _ => (x, None),
    };
    let root = x.float(std::f64::consts::FRAC_1_SQRT_2).reinterpret();
    let one = x.float(1.0).reinterpret();
    // Counted from √½, the exponent bits are those of k.
    let offset = normal.reinterpret() + (one - root);
    let biased = offset >> stored;
    let significand = ((offset & ((1 << stored) - 1)) + root).reinterpret();
    let exponent = to_float(biased - bias);
    let factor = ((biased.integer(2 * bias) - biased) << stored).reinterpret();
    let large = x.more_than(2f64.powi(bias as i32 - 1));
    let factor = large.select(x.float(0.0), factor);
    Decomposed {
        exponent: shift.map_or(exponent, |shift| exponent + shift),
        significand,
        factor,
    }
}

/// log(1 + f) for 1 + f from √½ to √2, plus `low`, which is small.
fn kernel<'g>(f: Term<'g>, low: Term<'g>, style: Style) -> Term<'g> {
    let half_square = f * f * 0.5;
    if f.kind() == Kind::F32 {
        let cube = f * f * f;
        let tail = cube.multiply_add(LOG1P.at(f, style), low);
        return f - (half_square - tail);
    }
    let s = f / (f + 2.0);
    let square = s * s;
    let series = square * LOG.at(square, style);
    // 2 s = f - f²/2 + s f²/2
    f - (half_square - s.multiply_add(half_square + series, low))
}

/// log(x) for positive, finite, normal x (any with [`Style::Precise`]).
pub fn log_of_positive<'g>(x: Term<'g>, style: Style) -> Term<'g> {
    let parts = decompose(x, style);
    let k = parts.exponent;
    let ln2 = LN2.of(x);
    let f = parts.significand - 1.0;
    k.multiply_add(ln2[0], kernel(f, k * ln2[1], style))
}

/// log(m) = 2 atanh(s) as a [`Double`].
fn double_kernel<'g>(significand: Double<'g>, high_accuracy: bool, style: Style) -> Double<'g> {
    let one = significand.high.float(1.0);
    // The difference is exact.
    let f = Double::ordered_sum(significand.high - one, significand.low);
    let g = Double::ordered_sum(one.float(2.0), f.high).add_low(f.low);
    let s = f.divide(g);
    let twice = s.scale(one + 1.0);
    if !high_accuracy {
        let square = s.high * s.high;
        let tail = s.high * square * LOG.at(square, style);
        return Double::ordered_sum(twice.high, twice.low + tail);
    }
    let square = s.multiply(s);
    let tail = square.high * LOG_TAIL.at(square.high, style);
    let thirds = Double::constant(&THIRDS, tail);
    let series = Double::ordered_sum(thirds.high, tail).add_low(thirds.low);
    let series = series.multiply(square).multiply(s);
    let sum = Double::ordered_sum(twice.high, series.high);
    Double::ordered_sum(sum.high, sum.low + (twice.low + series.low))
}

/// log(x) of a positive, finite [`Double`], to about 2^-57 of the result, or
/// 2^-65 with `high_accuracy`.
pub fn log_of_double<'g>(x: Double<'g>, high_accuracy: bool, style: Style) -> Double<'g> {
    let parts = decompose(x.high, style);
    let significand = Double {
        high: parts.significand,
        low: x.low * parts.factor,
    };
    let log = double_kernel(significand, high_accuracy, style);
    let ln2 = LN2.of(x.high);
    let k = parts.exponent;
    // k is 0, or its product is greater than log(m).
    Double::ordered_sum(k * ln2[0], log.high).add_low(k.multiply_add(ln2[1], log.low))
}

/// The values at 0, infinity, negative numbers and NaN.
fn with_special_values<'g>(x: Term<'g>, log: Term<'g>) -> Term<'g> {
    let infinity = x.float(f64::INFINITY);
    let zero = x.equals_number(0.0);
    let log = x.less(infinity).select(log, x);
    let log = x.less_than(0.0).select(x.float(f64::NAN), log);
    zero.select(-infinity, log)
}

/// In [`Style::Fast`], subnormal numbers count as 0.
pub fn flushed<'g>(x: Term<'g>, style: Style) -> Term<'g> {
    if style != Style::Fast {
        return x;
    }
    let least = 2f64.powi(1 - layout(x).bias as i32);
    x.absolute().less_than(least).select(x.float(0.0), x)
}

pub fn log(x: Term, style: Style) -> Term {
    let x = flushed(x, style);
    with_special_values(x, log_of_positive(x, style))
}

/// log(m) / log(base) + k log(2) / log(base).
pub fn log2(x: Term, style: Style) -> Term {
    let x = flushed(x, style);
    let parts = decompose(x, style);
    let result = if style == Style::Precise {
        let log = double_kernel(Double::from(parts.significand), false, style);
        let log = log.multiply(Double::constant(&LOG2_E, x));
        let sum = Double::ordered_sum(parts.exponent, log.high);
        sum.high + (sum.low + log.low)
    } else {
        let log = kernel(parts.significand - 1.0, x.float(0.0), style);
        log.multiply_add(x.float(std::f64::consts::LOG2_E), parts.exponent)
    };
    with_special_values(x, result)
}

pub fn log10(x: Term, style: Style) -> Term {
    let x = flushed(x, style);
    let parts = decompose(x, style);
    let k = parts.exponent;
    let whole = LOG10_2.of(x);
    let result = if style == Style::Precise {
        let log = double_kernel(Double::from(parts.significand), false, style);
        let log = log.multiply(Double::constant(&LOG10_E, x));
        let sum = Double::ordered_sum(k * whole[0], log.high);
        sum.high + (sum.low + k.multiply_add(whole[1], log.low))
    } else {
        let log = kernel(parts.significand - 1.0, x.float(0.0), style);
        let log = log.multiply_add(x.float(std::f64::consts::LOG10_E), k * whole[1]);
        k.multiply_add(whole[0], log)
    };
    with_special_values(x, result)
}

/// log(1 + x) for 1 + x positive and finite.
pub fn log1p_of_positive<'g>(x: Term<'g>, style: Style) -> Term<'g> {
    let sum = Double::sum(x.float(1.0), x);
    if style == Style::Precise {
        return log_of_double(sum, false, style).round();
    }
    let parts = decompose(sum.high, style);
    let low = sum.low * parts.factor;
    let k = parts.exponent;
    let ln2 = LN2.of(x);
    // m + low is the significand of 1 + x; log(m + low) is close to
    // log(m) + low / m.
    let f = Double::ordered_sum(parts.significand - 1.0, low);
    let slope = f.low - f.low * f.high;
    k.multiply_add(ln2[0], kernel(f.high, k.multiply_add(ln2[1], slope), style))
}

pub fn log1p(x: Term, style: Style) -> Term {
    let infinity = x.float(f64::INFINITY);
    let log = log1p_of_positive(x, style);
    let log = x.less(infinity).select(log, x);
    let log = x.less_than(-1.0).select(x.float(f64::NAN), log);
    let log = x.equals_number(-1.0).select(-infinity, log);
    // 1 + x is 1: the result is x, with its sign.
    let tiny = x
        .absolute()
        .less_than(2f64.powi(-(layout(x).stored as i32) - 2));
    tiny.select(x, log)
}
