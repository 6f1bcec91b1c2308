//! The `arith` dialect on scalars.
//!
//! Integer arithmetic wraps. Floating-point arithmetic on `f16` and `bf16` is
//! computed in `f32` and rounded to the type after each op. Overflow and
//! fast-math flags promise or permit, and change nothing here.

use std::cmp::Ordering;

use crate::call::Call;
use crate::element::{Element, Type};
use crate::elementwise::{Application, Fault, Outcome};
use crate::failure::Failure;
use crate::float::{self, Format, Rounding};
use crate::integer::{
    ceil_divide, compare, divide_signed, divide_unsigned, floor_divide, shift_left,
    shift_right_signed, shift_right_unsigned, signed, unsigned,
};
use crate::libm;
use crate::program::Attribute;
use crate::value::{Scalar, Value};

/// Executes an op that makes a constant. Poison is zero, or an array of zeros that is as small as
/// its type allows.
pub(crate) fn constant(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let ty = &call.op.results[0].ty;
    let unsupported = || call.unsupported(format!("the constant of type {ty}"));
    let element = ty.element().ok_or_else(unsupported)?;
    if call.op.name == "ub.poison" {
        return Ok(vec![match ty {
            Type::Array { sizes, .. } => {
                let shape: Vec<usize> = sizes.iter().map(|size| size.unwrap_or(0)).collect();
                call.build(element, &shape, |_| 0)?
            }
            _ => Value::Scalar(Scalar::from_bits(element, 0u64)),
        }]);
    }
    let value = match call.op.attributes.get("value") {
        Some(Attribute::Integer(value)) => Value::Scalar(Scalar::integer(element, *value)),
        Some(Attribute::Float(value)) => Value::Scalar(Scalar::float(element, *value)),
        Some(Attribute::Elements(array)) => array.clone(),
        _ => return Err(unsupported()),
    };
    Ok(vec![value])
}

/// Applies an op to scalars.
pub(crate) fn apply(application: &Application) -> Outcome {
    let Application {
        op,
        results,
        operands,
    } = application;
    let result = match op.name.as_str() {
        "arith.addui_extended" | "arith.mulsi_extended" | "arith.mului_extended" => {
            return extended(op.name.as_str(), operands);
        }

        "arith.addi" => signed(operands, i128::wrapping_add),
        "arith.subi" => signed(operands, i128::wrapping_sub),
        "arith.muli" => signed(operands, i128::wrapping_mul),
        "arith.divsi" => divide_signed(operands, i128::wrapping_div)?,
        "arith.divui" => divide_unsigned(operands, |a, b| a / b)?,
        "arith.remsi" => divide_signed(operands, i128::wrapping_rem)?,
        "arith.remui" => divide_unsigned(operands, |a, b| a % b)?,
        "arith.floordivsi" => divide_signed(operands, floor_divide)?,
        "arith.ceildivsi" => divide_signed(operands, ceil_divide)?,
        "arith.ceildivui" => divide_unsigned(operands, u128::div_ceil)?,
        "arith.andi" => unsigned(operands, |a, b| a & b),
        "arith.ori" => unsigned(operands, |a, b| a | b),
        "arith.xori" => unsigned(operands, |a, b| a ^ b),
        "arith.shli" => shift_left(operands),
        "arith.shrui" => shift_right_unsigned(operands),
        "arith.shrsi" => shift_right_signed(operands),
        "arith.maxsi" => signed(operands, i128::max),
        "arith.minsi" => signed(operands, i128::min),
        "arith.maxui" => unsigned(operands, u128::max),
        "arith.minui" => unsigned(operands, u128::min),
        "arith.cmpi" => predicate(application, compare)?,

        "arith.addf" => float_binary(operands, |a, b| a + b, |a, b| a + b),
        "arith.subf" => float_binary(operands, |a, b| a - b, |a, b| a - b),
        "arith.mulf" => float_binary(operands, |a, b| a * b, |a, b| a * b),
        "arith.divf" => float_binary(operands, |a, b| a / b, |a, b| a / b),
        "arith.remf" => float_binary(operands, libm::fmod::single, libm::fmod::double),
        "arith.negf" => negate(operands[0]),
        "arith.maximumf" => maximum(operands),
        "arith.minimumf" => minimum(operands),
        "arith.maxnumf" => ignoring_nan(operands, maximum),
        "arith.minnumf" => ignoring_nan(operands, minimum),
        "arith.cmpf" => predicate(application, compare_floats)?,

        "arith.select" => operands[if operands[0].is_true() { 1 } else { 2 }],
        "arith.extsi" | "arith.trunci" | "arith.index_cast" => {
            Scalar::integer(results[0], operands[0].signed())
        }
        "arith.extui" | "arith.index_castui" => {
            Scalar::from_bits(results[0], operands[0].unsigned())
        }
        "arith.bitcast" => Scalar::from_bits(results[0], operands[0].unsigned()),
        "arith.extf" => Scalar::float(results[0], operands[0].to_f64()),
        "arith.truncf" => truncate(application)?,
        "arith.sitofp" => match results[0] {
            Element::F64 => Scalar::float(results[0], operands[0].signed() as f64),
            _ => Scalar::single(results[0], operands[0].signed() as f32),
        },
        "arith.uitofp" => match results[0] {
            Element::F64 => Scalar::float(results[0], operands[0].unsigned() as f64),
            _ => Scalar::single(results[0], operands[0].unsigned() as f32),
        },
        "arith.fptosi" => float_to_signed(operands[0], results[0]),
        "arith.fptoui" => float_to_unsigned(operands[0], results[0]),
        _ => return Err(Fault::UnknownOp),
    };
    Ok(vec![result])
}

/// The sum and whether it overflows, or the lower and the upper half of the
/// product.
fn extended(name: &str, sides: &[Scalar]) -> Outcome {
    let element = sides[0].element();
    if !element.fits_arrays() {
        return Err(Fault::UnknownOp);
    }
    if name == "arith.addui_extended" {
        let sum = sides[0].unsigned() + sides[1].unsigned();
        let overflows = Scalar::truth(sum > element.mask());
        return Ok(vec![Scalar::from_bits(element, sum), overflows]);
    }
    let product = match name {
        "arith.mulsi_extended" => (sides[0].signed() * sides[1].signed()) as u128,
        _ => sides[0].unsigned() * sides[1].unsigned(),
    };
    Ok(vec![
        Scalar::from_bits(element, product),
        Scalar::from_bits(element, product >> element.width()),
    ])
}

/// A comparison by the number of the op's predicate.
fn predicate(
    application: &Application,
    compare: fn(i64, &[Scalar]) -> Option<bool>,
) -> Result<Scalar, Fault> {
    application
        .op
        .integer("predicate")
        .and_then(|predicate| compare(predicate, application.operands))
        .map(Scalar::truth)
        .ok_or(Fault::UnknownOp)
}

/// Compares by the predicate's number in `arith.cmpf`, if it has a meaning.
fn compare_floats(predicate: i64, sides: &[Scalar]) -> Option<bool> {
    let ordering = sides[0].to_f64().partial_cmp(&sides[1].to_f64());
    let unordered = ordering.is_none();
    let equal = ordering == Some(Ordering::Equal);
    let greater = ordering == Some(Ordering::Greater);
    let less = ordering == Some(Ordering::Less);
    Some(match predicate {
        0 => false,
        1 => equal,
        2 => greater,
        3 => greater || equal,
        4 => less,
        5 => less || equal,
        6 => less || greater,
        7 => !unordered,
        8 => unordered || equal,
        9 => unordered || greater,
        10 => unordered || greater || equal,
        11 => unordered || less,
        12 => unordered || less || equal,
        13 => !equal,
        14 => unordered,
        15 => true,
        _ => return None,
    })
}

/// A unary op in the type's precision.
pub(crate) fn float_unary(
    operand: Scalar,
    single: impl Fn(f32) -> f32,
    double: impl Fn(f64) -> f64,
) -> Scalar {
    match operand.element() {
        Element::F64 => Scalar::float(Element::F64, double(operand.to_f64())),
        element => Scalar::single(element, single(operand.to_f32())),
    }
}

/// A binary op in the type's precision.
pub(crate) fn float_binary(
    sides: &[Scalar],
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> Scalar {
    match sides[0].element() {
        Element::F64 => Scalar::float(Element::F64, double(sides[0].to_f64(), sides[1].to_f64())),
        element => Scalar::single(element, single(sides[0].to_f32(), sides[1].to_f32())),
    }
}

fn negate(operand: Scalar) -> Scalar {
    let sign = Format::of(operand.element()).sign();
    Scalar::from_bits(operand.element(), operand.bits() ^ sign)
}

/// Whether a number comes before another one: `-0` before `+0`.
fn is_less(left: Scalar, right: Scalar) -> bool {
    let (left, right) = (left.to_f64(), right.to_f64());
    left < right || (left == right && left.is_sign_negative() && right.is_sign_positive())
}

/// The larger number; NaN if either is.
pub(crate) fn maximum(sides: &[Scalar]) -> Scalar {
    nan_of(sides).unwrap_or(if is_less(sides[0], sides[1]) {
        sides[1]
    } else {
        sides[0]
    })
}

/// The smaller number; NaN if either is.
pub(crate) fn minimum(sides: &[Scalar]) -> Scalar {
    nan_of(sides).unwrap_or(if is_less(sides[1], sides[0]) {
        sides[1]
    } else {
        sides[0]
    })
}

fn nan_of(sides: &[Scalar]) -> Option<Scalar> {
    sides.iter().copied().find(|side| side.to_f64().is_nan())
}

/// A choice among what is not NaN.
fn ignoring_nan(sides: &[Scalar], choose: fn(&[Scalar]) -> Scalar) -> Scalar {
    if sides[0].to_f64().is_nan() {
        sides[1]
    } else if sides[1].to_f64().is_nan() {
        sides[0]
    } else {
        choose(sides)
    }
}

fn truncate(application: &Application) -> Result<Scalar, Fault> {
    let rounding = match application.op.integer("roundingmode") {
        None | Some(0) => Rounding::NearestEven,
        Some(1) => Rounding::Downward,
        Some(2) => Rounding::Upward,
        Some(3) => Rounding::TowardZero,
        Some(4) => Rounding::NearestAway,
        Some(_) => return Err(Fault::UnknownOp),
    };
    let element = application.results[0];
    let bits = float::narrow(application.operands[0].to_f64(), element, rounding);
    Ok(Scalar::from_bits(element, bits))
}

/// Drops the fraction; saturates; zero for NaN.
fn float_to_signed(operand: Scalar, element: Element) -> Scalar {
    let largest = (element.mask() >> 1) as i128;
    let value = operand.to_f64() as i128;
    Scalar::integer(element, value.clamp(-largest - 1, largest))
}

/// Drops the fraction; saturates; zero for NaN.
fn float_to_unsigned(operand: Scalar, element: Element) -> Scalar {
    let value = operand.to_f64() as u128;
    Scalar::from_bits(element, value.min(element.mask()))
}
