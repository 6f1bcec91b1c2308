//! Conversions between floating-point numbers and single bits, by way of 32 bits.
//!
//! LLVM's back-end for NVIDIA's GPUs gets them wrong: `fptoui` to `i1` asks whether the number is 0, and `sitofp`
//! from `i1` to `bf16` gives 1 where it should give -1 (docs/src/upstream.md).

use comb_kit::{element_types::bits, pass_error::PassError};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, view::op_name};

/// Whether an op is such a conversion.
pub(super) fn is_one(op: OperationRef) -> bool {
    let of_bit = |value: Value| bits(value.r#type()) == 1;
    match op_name(op) {
        "arith.fptosi" | "arith.fptoui" => op.result(0).is_ok_and(|result| of_bit(result.into())),
        "arith.sitofp" | "arith.uitofp" => op.operand(0).is_ok_and(of_bit),
        _ => false,
    }
}

/// Rewrites a conversion.
pub(super) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let (number, name) = (op.operand(0)?, op_name(op));
    let (word, result) = (builder.integer_type(32), op.result(0)?.r#type());
    let [first, (second, to)] = match name {
        "arith.fptosi" | "arith.fptoui" => [(name, word), ("arith.trunci", result)],
        "arith.sitofp" => [("arith.extsi", word), (name, result)],
        _ => [("arith.extui", word), (name, result)],
    };
    let between = builder.value(first.0, &[number], first.1, &[])?;
    let value = builder.value(second, &[between], to, &[])?;
    builder.replace(op, &[value]);
    Ok(())
}
