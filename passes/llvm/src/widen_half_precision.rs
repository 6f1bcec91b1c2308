//! Computes half-precision arithmetic in a wider type, rounding after each op.
//!
//! Upstream's `arith-emulate-unsupported-floats` and
//! `math-extend-to-supported-types` mark the conversions that they insert with
//! `contract`, and then fold pairs of them away: intermediate results keep more
//! bits than their type has. Here every op's result is rounded to its type.
//!
//! Vectors are treated like their elements.
//!
//! * bf16: every op of `arith` and `math` is computed in f32. But signs are moved as bits: LLVM
//!   narrows that of f32 again, and gets the sign of single numbers wrong.
//! * f16: functions of `math` are computed in f32, since LLVM has no f16
//!   versions of them; `math.fma` in f64, where its sum is exact enough to be
//!   rounded once. LLVM computes f16 arithmetic itself.
//!
//! Cost: linear in the number of ops.

use comb_kit::{other_elements::element_of, pass_error::PassError, walk::operations};
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Values},
    view::op_name,
};

/// Ops that only move values, or convert them and round once.
const UNTOUCHED: &[&str] = &[
    "arith.constant",
    "arith.extf",
    "arith.truncf",
    "arith.bitcast",
    "arith.select",
];

/// Widens the half-precision ops of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        let name = op_name(op);
        let known = name.starts_with("arith.") || name.starts_with("math.");
        if known && !UNTOUCHED.contains(&name) && has_half_precision(op, name) {
            widen(op, name)?;
        }
    }
    Ok(())
}

fn has_half_precision(op: OperationRef, name: &str) -> bool {
    op.operands()
        .map(|operand| operand.r#type())
        .chain(op.results().map(|result| result.r#type()))
        .any(|r#type| is_widened(r#type, name))
}

/// Whether an op computes values of a type in a wider one.
fn is_widened(r#type: Type, name: &str) -> bool {
    let element = element_of(r#type);
    element.is_bf16() || (element.is_f16() && name.starts_with("math."))
}

fn widen<'c>(op: OperationRef<'c, '_>, name: &str) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    if name == "math.copysign" && element_of(op.operand(0)?.r#type()).is_bf16() {
        let result = with_sign(&builder, op.operand(0)?, op.operand(1)?)?;
        builder.replace(op, &[result]);
        return Ok(());
    }
    let operands = op
        .operands()
        .map(|operand| extended(&builder, operand, name))
        .collect::<Result<Values, PassError>>()?;
    let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    let wide_results: Vec<Type> = results
        .iter()
        .map(|&result| wide_type(&builder, result, name))
        .collect::<Result<_, _>>()?;
    let wide = builder.op_like(op, &operands, &wide_results, vec![])?;
    let rounded = wide
        .results()
        .zip(results)
        .map(|(value, result)| {
            if value.r#type() == result {
                Ok(value.into())
            } else {
                Ok(builder.value("arith.truncf", &[value.into()], result, &[])?)
            }
        })
        .collect::<Result<Values, PassError>>()?;
    builder.replace(op, &rounded);
    Ok(())
}

/// The type that values of a type are computed in.
fn wide_type<'c>(
    builder: &Builder<'c, '_>,
    r#type: Type<'c>,
    name: &str,
) -> Result<Type<'c>, PassError<'c>> {
    if !is_widened(r#type, name) {
        return Ok(r#type);
    }
    let wide = match element_of(r#type).is_f16() && name == "math.fma" {
        true => "f64",
        false => "f32",
    };
    of_elements(builder, r#type, wide)
}

/// A type with other elements, or another number.
fn of_elements<'c>(
    builder: &Builder<'c, '_>,
    r#type: Type<'c>,
    other: &str,
) -> Result<Type<'c>, PassError<'c>> {
    let text = r#type.to_string();
    let element = element_of(r#type).to_string();
    Ok(
        builder.r#type(&match text.strip_suffix(&format!("{element}>")) {
            Some(shape) => format!("{shape}{other}>"),
            None => other.to_owned(),
        })?,
    )
}

/// Numbers of 16 bits with the signs of others.
fn with_sign<'c, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    sign: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let bits = of_elements(builder, number.r#type(), "i16")?;
    let masked = |value: Value<'c, 'a>, mask: i16| {
        let value = builder.value("arith.bitcast", &[value], bits, &[])?;
        let mask = splat(builder, mask, bits)?;
        builder.arithmetic("arith.andi", &[value, mask])
    };
    let (size, sign) = (masked(number, i16::MAX)?, masked(sign, i16::MIN)?);
    let joined = builder.arithmetic("arith.ori", &[size, sign])?;
    Ok(builder.value("arith.bitcast", &[joined], number.r#type(), &[])?)
}

/// A number, or a vector of it.
fn splat<'c, 'a>(
    builder: &Builder<'c, 'a>,
    number: i16,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let single = builder.integer(number.into(), element_of(r#type))?;
    match element_of(r#type) == r#type {
        true => Ok(single),
        false => builder.value("vector.broadcast", &[single], r#type, &[]),
    }
}

fn extended<'c, 'a>(
    builder: &Builder<'c, 'a>,
    operand: Value<'c, 'a>,
    name: &str,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let wide = wide_type(builder, operand.r#type(), name)?;
    if wide == operand.r#type() {
        return Ok(operand);
    }
    Ok(builder.value("arith.extf", &[operand], wide, &[])?)
}
