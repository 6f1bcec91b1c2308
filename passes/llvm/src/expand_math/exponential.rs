//! exp, exp2 and expm1.
//!
//! x is reduced to n ln 2 + r with |r| ≤ ln 2 / 2; a polynomial gives exp(r) - 1,
//! and 2^n is put into the exponent. The reduced argument is a [`Double`] where a
//! result is to have an error below one unit in the last place. Where others need a power in f64
//! for a result in f32, f64 has bits to spare: r is one number, and the polynomial is Horner's
//! rule from its first term to its last.
//!
//! exp and exp2 of f32 are computed in f32, in either mode: they would be rounded correctly more
//! often in f64 (their errors are up to 0.79 units, and would be 0.501), but there are half as many
//! lanes in a vector of f64, and conversions besides, which took twice the time with vectors of
//! 256 bits.
//!
//! Powers of numbers that are never positive, such as exp(-x²/2), do not overflow. So they need no
//! upper limit, and one constant factor makes subnormal results of normal ones. Their bits are
//! those of other powers.

use super::{
    Range, Style,
    coefficients::{EXP, EXP_TAIL, EXPM1, LN2, LN2_FULL},
    double::Double,
    graph::Term,
    number::{
        F32, Whole, layout, nearest_product_with, nearest_with, power_of_two, power_of_two_factors,
        times_power_of_two,
    },
};

/// x as n ln 2 + r, where r is the sum of `near`, which is exact, and a far smaller correction.
struct Reduced<'g> {
    count: Whole<'g>,
    near: Term<'g>,
    correction: Term<'g>,
}

impl<'g> Reduced<'g> {
    fn rest(&self) -> Double<'g> {
        Double::ordered_sum(self.near, self.correction)
    }
}

fn reduce<'g>(x: Double<'g>, style: Style) -> Reduced<'g> {
    reduce_with(exponent_offset(x.high, Range::All, style), x, style)
}

/// As [`reduce`], with what [`scaled`] adds to n.
fn reduce_with<'g>(offset: i64, x: Double<'g>, style: Style) -> Reduced<'g> {
    let count = nearest_product_with(offset, x.high, std::f64::consts::LOG2_E);
    let n = -count.float;
    let less_high_part = || {
        let ln2 = LN2.of(x.high);
        (n.multiply_add(ln2[0], x.high), ln2[1])
    };
    let (near, correction) = match style {
        Style::Precise => {
            let (near, low) = less_high_part();
            (near, n.multiply_add(low, x.low))
        }
        Style::Fast => {
            let (near, low) = less_high_part();
            (n.multiply_add(low, near + x.low), x.high.float(0.0))
        }
        Style::Short => {
            let ln2 = x.high.float(std::f64::consts::LN_2);
            (n.multiply_add(ln2, x.high) + x.low, x.high.float(0.0))
        }
    };
    Reduced {
        count,
        near,
        correction,
    }
}

impl Range {
    /// The argument, not so far beyond the limits that n would not fit. NaN stays.
    fn clamp<'g>(self, x: Term<'g>, (low, high): (f64, f64)) -> Term<'g> {
        match self {
            Self::All => x.clamp(low, high),
            Self::NotPositive => x.at_least(low),
        }
    }

    /// y 2^n, where x is what [`Self::clamp`] gave.
    fn scaled<'g>(self, y: Term<'g>, exponent: Term<'g>, x: Term<'g>, style: Style) -> Term<'g> {
        match (self, style) {
            (Self::NotPositive, Style::Precise) => scaled_down(y, exponent, x),
            _ => scaled(y, exponent, style),
        }
    }
}

/// What [`scaled`] adds to n.
fn exponent_offset(x: Term, range: Range, style: Style) -> i64 {
    let bias = layout(x).bias;
    match (style, range) {
        (Style::Precise, Range::All) => 2 * bias,
        (Style::Precise, Range::NotPositive) => growth(x),
        (Style::Fast, _) => bias - 1,
        (Style::Short, _) => 0,
    }
}

/// The least subnormal power times two to this is normal, and so is the quarter of it.
fn growth(x: Term) -> i64 {
    layout(x).stored + 4
}

/// exp(near + correction) for a reduced argument.
///
/// The polynomial is of the rounded sum, whose error it makes far smaller. What 1 + near was
/// rounded by is found beside it, at no cost in time.
fn kernel<'g>(near: Term<'g>, correction: Term<'g>, style: Style) -> Term<'g> {
    let r = near + correction;
    let tail = EXP.near_zero(r, style);
    let one = r.float(1.0);
    match style {
        Style::Precise => {
            let sum = Double::ordered_sum(one, near);
            (r * r).multiply_add(tail, correction + sum.low) + sum.high
        }
        Style::Fast => (r * r).multiply_add(tail, r) + one,
        Style::Short => tail.multiply_add(r, one).multiply_add(r, one),
    }
}

/// exp(r) - 1 as a [`Double`].
fn kernel_minus_1<'g>(rest: Double<'g>, style: Style) -> Double<'g> {
    let r = rest.high;
    if style != Style::Precise {
        return Double::ordered_sum(r, r * r * EXPM1.near_zero(r, style));
    }
    let square = Double::product(r, r).scale(r.float(0.5));
    let cube = square.high * r * 2.0;
    let low = cube.multiply_add(EXP_TAIL.near_zero(r, style), square.low);
    // exp(r + low) - exp(r) is close to low (1 + r).
    let low = low + rest.low.multiply_add(r, rest.low);
    let sum = Double::ordered_sum(r, square.high);
    Double::ordered_sum(sum.high, sum.low + low)
}

/// Beyond these, results are infinite or 0 whatever the argument.
fn limits(x: Term, style: Style) -> (f64, f64) {
    let layout = match style {
        Style::Short => &F32,
        _ => layout(x),
    };
    let ln2 = std::f64::consts::LN_2;
    let high = (layout.bias as f64 + 1.0) * ln2 + 0.3;
    let low = match style {
        Style::Fast => (1.0 - layout.bias as f64) * ln2 - 0.1,
        _ => -((layout.bias + layout.stored) as f64 + 1.0) * ln2,
    };
    (low, high)
}

/// y 2^n for y between ½ and 2. [`Style::Fast`] gives 0 below 2^-1021 (f32:
/// 2^-125).
fn scaled<'g>(y: Term<'g>, exponent: Term<'g>, style: Style) -> Term<'g> {
    match style {
        Style::Precise => {
            let [one, other] = power_of_two_factors(exponent);
            y * one * other
        }
        Style::Fast => (y + y) * power_of_two(exponent - 1),
        Style::Short => times_power_of_two(y, exponent),
    }
}

/// As [`scaled`] with [`Style::Precise`], for n that are not positive; y is NaN where x is, which
/// is finite otherwise.
fn scaled_down<'g>(y: Term<'g>, exponent: Term<'g>, x: Term<'g>) -> Term<'g> {
    let growth = growth(y);
    let grown = times_power_of_two(y, exponent + growth);
    // After that, the bits of a NaN may be those of a number.
    grown.multiply_add(y.float(2f64.powi(-growth as i32)), x.nan_or_nothing())
}

pub fn exp(range: Range, x: Term, style: Style) -> Term {
    let offset = exponent_offset(x, range, style);
    let x = range.clamp(x, limits(x, style));
    let reduced = reduce_with(offset, Double::from(x), style);
    let power = kernel(reduced.near, reduced.correction, style);
    range.scaled(power, reduced.count.integer, x, style)
}

pub fn exp2(range: Range, x: Term, style: Style) -> Term {
    let layout = layout(x);
    let low = match style {
        Style::Fast => 1 - layout.bias,
        _ => -(layout.bias + layout.stored + 1),
    };
    let offset = exponent_offset(x, range, style);
    let x = range.clamp(x, (low as f64, layout.bias as f64 + 1.0));
    let count = nearest_with(offset, x);
    let fraction = x - count.float;
    let ln2 = Double::constant(&LN2_FULL, x);
    let (near, correction) = match style {
        Style::Precise => {
            let near = Double::product(ln2.high, fraction);
            (near.high, ln2.low.multiply_add(fraction, near.low))
        }
        _ => (fraction * std::f64::consts::LN_2, x.float(0.0)),
    };
    let power = kernel(near, correction, style);
    range.scaled(power, count.integer, x, style)
}

/// exp(x) / 4 as a [`Double`]; where that is infinite, its lower part is NaN.
pub fn quarter_exp<'g>(x: Double<'g>, style: Style) -> Double<'g> {
    let reduced = reduce(x, style);
    double_kernel(reduced.rest(), style).scale(power_of_two(reduced.count.integer - 2))
}

/// exp(r) as a [`Double`].
fn double_kernel<'g>(rest: Double<'g>, style: Style) -> Double<'g> {
    let minus_1 = kernel_minus_1(rest, style);
    Double::ordered_sum(rest.high.float(1.0), minus_1.high).add_low(minus_1.low)
}

/// exp(x) as y 2^n with n in two factors.
pub fn unscaled_exp<'g>(x: Double<'g>, style: Style) -> (Double<'g>, [Term<'g>; 2]) {
    let reduced = reduce(x, style);
    (
        double_kernel(reduced.rest(), style),
        power_of_two_factors(reduced.count.integer),
    )
}

/// exp(x) for a clamped argument, rounded once where the result is subnormal.
pub fn exp_of_double<'g>(x: Double<'g>, style: Style) -> Term<'g> {
    let (low, high) = limits(x.high, style);
    let too_low = x.high.less_than(low);
    let too_high = x.high.more_than(high);
    let clamped = x.high.clamp(low, high);
    let beyond = too_low | too_high;
    let x = Double {
        high: clamped,
        low: beyond.select(clamped.float(0.0), x.low),
    };
    let reduced = reduce(x, style);
    let power = kernel(reduced.near, reduced.correction, style);
    scaled(power, reduced.count.integer, style)
}

/// (exp(x) - 1) / 2 as a [`Double`].
pub fn half_exp_minus_1<'g>(x: Double<'g>, style: Style) -> Double<'g> {
    let layout = layout(x.high);
    // Below, the result is -½ to far more than the last bit.
    let low = -((layout.stored + 8) as f64) * 1.5;
    let clamped = x.high.less_than(low).select(x.high.float(low), x.high);
    let reduced = reduce(Double { high: clamped, ..x }, style);
    let minus_1 = kernel_minus_1(reduced.rest(), style);
    let half_power = power_of_two(reduced.count.integer - 1);
    let grown = minus_1.scale(half_power);
    if style != Style::Precise {
        // Without cancellation: n = 0 gives ½ - ½.
        return Double::ordered_sum(half_power - 0.5, grown.high).add_low(grown.low);
    }
    let sum = Double::sum(half_power, grown.high);
    let less = Double::sum(sum.high, x.high.float(-0.5));
    Double::ordered_sum(less.high, less.low + sum.low + grown.low)
}

pub fn expm1(x: Term, style: Style) -> Term {
    let (_, high) = limits(x, style);
    let clamped = x.more_than(high).select(x.float(high), x);
    let half = half_exp_minus_1(Double::from(clamped), style);
    let tiny = x
        .absolute()
        .less_than(2f64.powi(-(layout(x).stored as i32) - 2));
    tiny.select(x, half.round() * 2.0)
}
