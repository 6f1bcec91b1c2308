//! The `math` dialect on scalars.
//!
//! Functions are the system's, in the type's precision; on `f16` and `bf16`
//! they are computed in `f32` and rounded.

use crate::arith::{float_binary, float_unary, maximum, minimum};
use crate::element::Element;
use crate::elementwise::{Application, Fault, Outcome};
use crate::float::Format;
use crate::libm;
use crate::value::Scalar;

macro_rules! function {
    ($name:ident, $operands:expr) => {
        float_unary($operands[0], libm::$name::single, libm::$name::double)
    };
}

/// Applies an op to scalars.
pub(crate) fn apply(application: &Application) -> Outcome {
    let operands = application.operands;
    let name = application.op.name.as_str();
    if !operands
        .iter()
        .all(|operand| operand.element().fits_arrays())
    {
        return Err(Fault::UnknownOp);
    }
    if name == "math.sincos" {
        return Ok(vec![function!(sin, operands), function!(cos, operands)]);
    }
    function(name, operands)
        .or_else(|| bitwise(name, operands))
        .or_else(|| rounding(name, operands))
        .map_or_else(|| power(name, operands), Ok)
        .map(|result| vec![result])
}

/// Functions of the C library.
fn function(name: &str, operands: &[Scalar]) -> Option<Scalar> {
    Some(match name {
        "math.acos" => function!(acos, operands),
        "math.acosh" => function!(acosh, operands),
        "math.asin" => function!(asin, operands),
        "math.asinh" => function!(asinh, operands),
        "math.atan" => function!(atan, operands),
        "math.atan2" => float_binary(operands, libm::atan2::single, libm::atan2::double),
        "math.atanh" => function!(atanh, operands),
        "math.cbrt" => function!(cbrt, operands),
        "math.cos" => function!(cos, operands),
        "math.cosh" => function!(cosh, operands),
        "math.erf" => function!(erf, operands),
        "math.erfc" => function!(erfc, operands),
        "math.exp" => function!(exp, operands),
        "math.exp2" => function!(exp2, operands),
        "math.expm1" => function!(expm1, operands),
        "math.log" => function!(log, operands),
        "math.log10" => function!(log10, operands),
        "math.log1p" => function!(log1p, operands),
        "math.log2" => function!(log2, operands),
        "math.sin" => function!(sin, operands),
        "math.sinh" => function!(sinh, operands),
        "math.sqrt" => function!(sqrt, operands),
        "math.tan" => function!(tan, operands),
        "math.tanh" => function!(tanh, operands),
        "math.rsqrt" => float_unary(
            operands[0],
            |x| 1.0 / libm::sqrt::single(x),
            |x| 1.0 / libm::sqrt::double(x),
        ),
        _ => return None,
    })
}

/// Ops on the bits of a number.
fn bitwise(name: &str, operands: &[Scalar]) -> Option<Scalar> {
    let operand = operands[0];
    let (element, bits) = (operand.element(), operand.bits());
    let width = element.width();
    let unused = 64 - width;
    Some(match name {
        "math.absi" => Scalar::integer(element, operand.signed().abs()),
        "math.ctlz" => Scalar::integer(element, (bits.leading_zeros() - unused).into()),
        "math.cttz" => Scalar::integer(element, bits.trailing_zeros().min(width).into()),
        "math.ctpop" => Scalar::integer(element, bits.count_ones().into()),
        "math.absf" => Scalar::from_bits(element, bits & !Format::of(element).sign()),
        "math.copysign" => {
            let sign = Format::of(element).sign();
            Scalar::from_bits(element, (bits & !sign) | (operands[1].bits() & sign))
        }
        "math.isnan" => Scalar::truth(operand.to_f64().is_nan()),
        "math.isinf" => Scalar::truth(operand.to_f64().is_infinite()),
        "math.isfinite" => Scalar::truth(operand.to_f64().is_finite()),
        "math.isnormal" => Scalar::truth(is_normal(operand)),
        _ => return None,
    })
}

/// Whether a number is finite, not zero and not subnormal: in its own type.
fn is_normal(operand: Scalar) -> bool {
    let infinity = Format::of(operand.element()).infinity();
    let exponent = operand.bits() & infinity;
    exponent != 0 && exponent != infinity
}

/// Rounding to integers, which is exact, so that one precision serves all
/// types; clamping; fused multiplication and addition.
fn rounding(name: &str, operands: &[Scalar]) -> Option<Scalar> {
    let exact = |op: fn(f64) -> f64| Scalar::float(operands[0].element(), op(operands[0].to_f64()));
    Some(match name {
        "math.ceil" => exact(f64::ceil),
        "math.floor" => exact(f64::floor),
        "math.trunc" => exact(f64::trunc),
        "math.round" => exact(f64::round),
        "math.roundeven" => exact(f64::round_ties_even),
        // MLIR's own definition, for which the first bound is the upper one.
        "math.clampf" => maximum(&[minimum(&operands[..2]), operands[2]]),
        "math.fma" => fused(operands),
        _ => return None,
    })
}

/// `a · b + c`, rounded once in the type's precision; for `f16` in `f64`, which
/// holds the product exactly.
fn fused(operands: &[Scalar]) -> Scalar {
    let [a, b, c] = [operands[0], operands[1], operands[2]];
    match a.element() {
        element @ (Element::F64 | Element::F16) => Scalar::float(
            element,
            libm::fma::double(a.to_f64(), b.to_f64(), c.to_f64()),
        ),
        element => Scalar::single(
            element,
            libm::fma::single(a.to_f32(), b.to_f32(), c.to_f32()),
        ),
    }
}

fn power(name: &str, operands: &[Scalar]) -> Result<Scalar, Fault> {
    match name {
        "math.powf" => Ok(float_binary(operands, libm::pow::single, libm::pow::double)),
        "math.fpowi" => {
            let power = float_power(operands[0].to_f64(), operands[1].signed() as i64);
            Ok(Scalar::float(operands[0].element(), power))
        }
        "math.ipowi" => integer_power(operands[0], operands[1].signed() as i64),
        _ => Err(Fault::UnknownOp),
    }
}

/// The power of the number without its sign, which the power has if the exponent is odd. Of an
/// exponent that an `f64` does not hold, what rounding takes away is a factor of its own.
fn float_power(base: f64, exponent: i64) -> f64 {
    match exponent {
        -1 => return 1.0 / base,
        0 => return 1.0,
        1 => return base,
        2 => return base * base,
        _ => {}
    }
    let rounded = exponent as f64;
    let lost = i128::from(exponent) - rounded as i128;
    let power = libm::pow::double(base.abs(), rounded);
    let power = match lost {
        0 => power,
        _ => power * libm::pow::double(base.abs(), lost as f64),
    };
    if exponent % 2 == 0 {
        power
    } else {
        power.copysign(base)
    }
}

/// The power, wrapped; what a negative exponent gives is rounded to zero.
fn integer_power(base: Scalar, exponent: i64) -> Result<Scalar, Fault> {
    let element = base.element();
    let value = match (base.signed(), exponent) {
        (0, ..0) => return Err(Fault::Error("division by zero")),
        (1, ..0) => 1,
        (-1, ..0) => 1 - 2 * i128::from(exponent.rem_euclid(2)),
        (_, ..0) => 0,
        (value, _) => wrapped_power(element, value, exponent),
    };
    Ok(Scalar::integer(element, value))
}

/// Squares again and again; the exponent is not negative.
fn wrapped_power(element: Element, base: i128, exponent: i64) -> i128 {
    let multiply = |a: i128, b: i128| Scalar::integer(element, a.wrapping_mul(b)).signed();
    let (mut power, mut square, mut rest) = (1, base, exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            power = multiply(power, square);
        }
        square = multiply(square, square);
        rest /= 2;
    }
    power
}
