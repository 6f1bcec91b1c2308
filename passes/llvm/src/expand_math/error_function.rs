//! erf and erfc.
//!
//! log(erfc(x)) / x is smooth for positive x, so that a single polynomial gives
//! erf(x) as 1 - exp(x p(x)), with as many bits as are left after the
//! subtraction. erfc(x) is exp(-x²) / (1 + 2x) times 1 + t p(t - 1),
//! where t = 2x / (x + 4) and p is a polynomial, to all bits also where it is small.

use super::{
    Style,
    coefficients::{LOG_ERFC, SCALED_ERFC, TWO_OVER_SQRT_PI},
    double::Double,
    exponential::{half_exp_minus_1, unscaled_exp},
    graph::Term,
    number::layout,
    polynomial::horner,
};

pub fn erf(x: Term, style: Style) -> Term {
    let size = x.absolute();
    let limited = size.more_than(6.0).select(x.float(6.0), size);
    let exponent = match style {
        Style::Precise => {
            let rest = horner(&LOG_ERFC.coefficients(x, style)[1..], limited);
            Double::constant(&TWO_OVER_SQRT_PI, x)
                .negate()
                .add_single(rest * limited)
                .multiply_single(limited)
        }
        _ => Double::from(LOG_ERFC.at(limited, style) * limited),
    };
    let result = half_exp_minus_1(exponent, style).round() * -2.0;
    let slope = TWO_OVER_SQRT_PI.of(x);
    // The next term of the series is x³/3 of this.
    let tiny = size.less_than(2f64.powi(-(layout(x).stored as i32) / 2 - 2));
    let line = size.multiply_add(slope[0], size * slope[1]);
    tiny.select(line, result).with_sign_of(x)
}

/// erfc(x) exp(x²) for x from 0 to 28.
fn scaled_erfc<'g>(x: Term<'g>, style: Style) -> Double<'g> {
    let one = x.float(1.0);
    let below = Double::sum(one, x + x);
    if style != Style::Precise {
        let from_zero = (x + x) / (x + 4.0);
        let growth = SCALED_ERFC.at(from_zero - 1.0, style) * from_zero;
        return Double::from((growth + 1.0) / below.high);
    }
    let from_zero = Double::from(x + x).divide(Double::sum(x, x.float(4.0)));
    let slope = SCALED_ERFC.at(from_zero.high - 1.0, style);
    let growth = Double::product(slope, from_zero.high);
    Double::ordered_sum(one, growth.high)
        .add_low(slope.multiply_add(from_zero.low, growth.low))
        .divide(below)
}

pub fn erfc(x: Term, style: Style) -> Term {
    // Beyond, the result is 0.
    let limit = match layout(x).stored {
        23 => 11.0,
        _ => 28.0,
    };
    let size = x.absolute();
    let size = size.more_than(limit).select(x.float(limit), size);
    let factor = scaled_erfc(size, style);
    let square = Double::product(size, size).negate();
    let (exponential, powers) = unscaled_exp(square, style);
    let value = match style {
        Style::Precise => exponential.multiply(factor),
        _ => Double::from(exponential.round() * factor.high),
    };
    let high = value.high * powers[0] * powers[1];
    let low = value.low * powers[0] * powers[1];
    let positive = (value.high + value.low) * powers[0] * powers[1];
    let mirrored = Double::ordered_sum(x.float(2.0), -high);
    let mirrored = mirrored.high + (mirrored.low - low);
    x.less_than(0.0).select(mirrored, positive)
}
