//! Functions of the math dialect that MLIR does not lower, spelled out in `arith`:
//! classification (`isinf`, `isnormal`), `clampf`, powers, long sums and long products of `index`, and roundings in
//! other directions than to nearest. So are powers with
//! integer exponents, which it lowers to many multiplications.
//!
//! The old op stays, without uses.

use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, FloatPredicate},
    view::{OpView, op_name},
};

use super::{
    emit::Emit,
    integer_power::power,
    rounding::{Rounding, rounded},
    site::Site,
};
use crate::pass_error::PassError;

/// Replaces what an op gives, if it is such a function.
///
/// # Errors
///
/// If MLIR rejects the ops.
pub fn rewrite<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    mnemonic: &str,
) -> Result<(), PassError<'c>> {
    let operands: Vec<Value> = op.operands().collect();
    let Some(r#type) = operands.first().map(|operand| operand.r#type()) else {
        return Ok(());
    };
    let builder = site.builder;
    let result = match mnemonic {
        "isinf" if is_number(r#type) => is_infinite(&builder, operands[0])?,
        "isnormal" if is_number(r#type) => is_normal(&builder, operands[0])?,
        "clampf" if is_number(r#type) => {
            let below = builder.binary("arith.minimumf", operands[0], operands[1])?;
            builder.binary("arith.maximumf", below, operands[2])?
        }
        "truncf" if is_number(r#type) && is_number(op.result(0)?.r#type()) => {
            match OpView::of(op)
                .integer("roundingmode")
                .and_then(Rounding::new)
            {
                Some(rounding) => rounded(&builder, operands[0], op.result(0)?.r#type(), rounding)?,
                None => return Ok(()),
            }
        }
        "fpowi" if is_number(r#type) => power(&builder, operands[0], operands[1])?,
        "addui_extended" | "mulsi_extended" | "mului_extended" => {
            return Ok(extended(&builder, op, &operands)?);
        }
        "ipowi" if r#type.is_index() => power_of_index(&builder, &operands)?,
        _ => return Ok(()),
    };
    builder.replace_uses(op.result(0)?.into(), result, None);
    Ok(())
}

/// Whether a type is one of the dialect's floating-point numbers.
fn is_number(r#type: Type) -> bool {
    r#type.is_f16() || r#type.is_bf16() || r#type.is_f32() || r#type.is_f64()
}

fn is_infinite<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let size = builder.arithmetic("math.absf", &[number])?;
    let infinity = builder.float(f64::INFINITY, number.r#type())?;
    builder.compare_floats(FloatPredicate::Oeq, size, infinity)
}

/// Whether a number is finite, not zero and not subnormal.
fn is_normal<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let r#type = number.r#type();
    let least = match r#type {
        r#type if r#type.is_f16() => 2f64.powi(-14),
        r#type if r#type.is_f64() => f64::MIN_POSITIVE,
        // Both have exponents of 8 bits.
        _ => f64::from(f32::MIN_POSITIVE),
    };
    let size = builder.arithmetic("math.absf", &[number])?;
    let (least, infinity) = (
        builder.float(least, r#type)?,
        builder.float(f64::INFINITY, r#type)?,
    );
    let is_large = builder.compare_floats(FloatPredicate::Oge, size, least)?;
    let is_finite = builder.compare_floats(FloatPredicate::Olt, size, infinity)?;
    builder.all(&[is_large, is_finite])
}

fn power_of_index<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, melior::Error> {
    let word = builder.integer_type(64);
    let words = operands
        .iter()
        .map(|&operand| builder.value("arith.index_cast", &[operand], word, &[]))
        .collect::<Result<Vec<_>, _>>()?;
    let power = builder.arithmetic("math.ipowi", &words)?;
    builder.value("arith.index_cast", &[power], builder.index_type(), &[])
}

/// A sum or product of `index` of twice the length, or of vectors of them, is one of words: they
/// have no other form in LLVM.
fn extended<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<(), melior::Error> {
    let r#type = operands[0].r#type();
    let text = r#type.to_string();
    if r#type != builder.index_type() && !text.ends_with("xindex>") {
        return Ok(());
    }
    let words = builder.r#type(&text.replace("index", "i64"))?;
    let operands = operands
        .iter()
        .map(|&operand| builder.value("arith.index_cast", &[operand], words, &[]))
        .collect::<Result<Vec<_>, _>>()?;
    let last = op.result(1)?.r#type();
    let last_words = if last == r#type { words } else { last };
    let computed = builder.op(op_name(op), &operands, &[words, last_words], &[], vec![])?;
    for number in 0..2 {
        let (old, new): (Value, Value) =
            (op.result(number)?.into(), computed.result(number)?.into());
        let new = match new.r#type() == old.r#type() {
            true => new,
            false => builder.value("arith.index_cast", &[new], old.r#type(), &[])?,
        };
        builder.replace_uses(old, new, None);
    }
    Ok(())
}
