//! Lowers the extrema of floating-point numbers to LLVM's intrinsics.
//!
//! Upstream's `arith-expand` compares and selects, which takes either of two
//! zeros, and `convert-arith-to-llvm` uses `llvm.maxnum`, which may. Here −0 is
//! less than +0, as IEEE 754 has it:
//!
//! * `arith.maximumf` and `arith.minimumf`, which propagate NaN, become
//!   `llvm.maximum` and `llvm.minimum`.
//! * `arith.maxnumf` and `arith.minnumf`, which ignore NaN, become the same of
//!   two numbers in which each NaN is replaced by the other number. (There are
//!   `llvm.maximumnum` and `llvm.minimumnum`, but LLVM 22 gives NaN for them on
//!   x86 with AVX-512 if one number is known not to be NaN.)
//!
//! Vectors of several dimensions, which LLVM does not have, are left alone.
//!
//! Cost: linear in the number of ops.

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, FloatPredicate},
    view::{op_name, vector_rank},
};

/// An op, its intrinsic, and whether it ignores NaN.
struct Lowering {
    op: &'static str,
    intrinsic: &'static str,
    ignores_nan: bool,
}

const LOWERINGS: &[Lowering] = &[
    Lowering {
        op: "arith.maximumf",
        intrinsic: "llvm.intr.maximum",
        ignores_nan: false,
    },
    Lowering {
        op: "arith.minimumf",
        intrinsic: "llvm.intr.minimum",
        ignores_nan: false,
    },
    Lowering {
        op: "arith.maxnumf",
        intrinsic: "llvm.intr.maximum",
        ignores_nan: true,
    },
    Lowering {
        op: "arith.minnumf",
        intrinsic: "llvm.intr.minimum",
        ignores_nan: true,
    },
];

/// Lowers the extrema of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        let name = op_name(op);
        let lowering = LOWERINGS.iter().find(|lowering| lowering.op == name);
        if let Some(lowering) = lowering
            && is_llvm_type(op.result(0)?.r#type())
        {
            lower(op, lowering)?;
        }
    }
    Ok(())
}

/// Whether LLVM has the type: a number, or a vector of one dimension.
fn is_llvm_type(r#type: Type) -> bool {
    vector_rank(r#type).map_or(r#type.is_float(), |rank| rank == 1)
}

fn lower<'c>(op: OperationRef<'c, '_>, lowering: &Lowering) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let flags = match op.attribute("fastmath") {
        Ok(flags) => flags.to_string(),
        Err(_) => "#arith.fastmath<none>".to_owned(),
    };
    let no_nan = flags.contains("nnan") || flags.contains("fast>");
    let (mut left, mut right): (Value, Value) = (op.operand(0)?, op.operand(1)?);
    if lowering.ignores_nan && !no_nan {
        (left, right) = (
            number_or(&builder, left, right)?,
            number_or(&builder, right, left)?,
        );
    }
    // The flags have the same names in both dialects.
    let flags = builder.attribute(&flags.replace("#arith.", "#llvm."))?;
    let value = builder.value(
        lowering.intrinsic,
        &[left, right],
        left.r#type(),
        &[("fastmathFlags", flags)],
    )?;
    builder.replace(op, &[value]);
    Ok(())
}

/// The value, or if it is NaN, the other one.
fn number_or<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    other: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let is_nan = builder.compare_floats(FloatPredicate::Uno, value, value)?;
    Ok(builder.select(is_nan, other, value)?)
}
