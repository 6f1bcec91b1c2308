//! Functions of the math dialect that NVIDIA's GPUs have instructions for, in kernels: calls of LLVM's
//! intrinsics. (Upstream calls a library for them that has to be linked.) `comb-expand-math` has made
//! arithmetic of others before, some become so here ([`arithmetic`], [`remainder`]), and what is left is refused. Conversions and
//! shifts that LLVM gets wrong go another way ([`bits`], [`shifts`]).
//!
//! Cost: linear in the size of the kernels.

mod arithmetic;
mod bits;
mod remainder;
mod shifts;

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, view::op_name};

/// Functions of numbers, and the intrinsics that compute them.
const FUNCTIONS: &[(&str, &str)] = &[
    ("math.absf", "llvm.fabs"),
    ("math.ceil", "llvm.ceil"),
    ("math.copysign", "llvm.copysign"),
    ("math.ctpop", "llvm.ctpop"),
    ("math.floor", "llvm.floor"),
    ("math.fma", "llvm.fma"),
    ("math.round", "llvm.round"),
    ("math.roundeven", "llvm.roundeven"),
    ("math.sqrt", "llvm.sqrt"),
    ("math.trunc", "llvm.trunc"),
];

/// Functions of integers whose intrinsics ask whether some arguments have no result: none of them.
const OF_ALL: &[(&str, &str)] = &[
    ("math.absi", "llvm.abs"),
    ("math.ctlz", "llvm.ctlz"),
    ("math.cttz", "llvm.cttz"),
];

/// Runs the pass on a module.
///
/// # Errors
///
/// If a function has no intrinsic, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut kernels = operations(module);
    kernels.retain(|&op| op_name(op) == "gpu.module");
    for op in kernels.into_iter().flat_map(operations) {
        if bits::is_one(op) {
            bits::replace(op)?;
        } else if shifts::is_one(op) {
            shifts::bound(op)?;
        } else if op_name(op) == "arith.remf" {
            replace_remainder(op)?;
        } else if op_name(op).starts_with("math.") {
            replace(op)?;
        }
    }
    Ok(())
}

fn replace_remainder<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    if let Some(builder) = Builder::before(op)
        && let Some(value) = remainder::value(&builder, op)?
    {
        builder.replace(op, &[value]);
    }
    Ok(())
}

fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let (Some(builder), name) = (Builder::before(op), op_name(op)) else {
        return Ok(());
    };
    let find = |table: &[(&str, &'static str)]| {
        let mut table = table.iter();
        table
            .find(|(known, _)| *known == name)
            .map(|&(_, intrinsic)| intrinsic)
    };
    let mut operands: Vec<Value> = op.operands().collect();
    let intrinsic = match (find(FUNCTIONS), find(OF_ALL)) {
        (Some(intrinsic), _) => intrinsic,
        (_, Some(intrinsic)) => {
            operands.push(builder.integer(0, builder.integer_type(1))?);
            intrinsic
        }
        _ => {
            let value = arithmetic::value(&builder, op)?;
            let value = value.ok_or_else(|| PassError::Unsupported {
                location: op.location(),
                message: format!("'{name}' op has no code for NVIDIA's GPUs yet"),
            })?;
            builder.replace(op, &[value]);
            return Ok(());
        }
    };
    let value = call(&builder, intrinsic, &operands)?;
    builder.replace(op, &[value]);
    Ok(())
}

/// A call of an intrinsic that gives what it is given.
fn call<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    intrinsic: &str,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let result = operands[0].r#type();
    let attributes = [
        ("intrin", builder.string(intrinsic)),
        (
            "operandSegmentSizes",
            builder.segments(&[operands.len() as i32, 0]),
        ),
        ("op_bundle_sizes", builder.attribute("array<i32>")?),
    ];
    Ok(builder.value("llvm.call_intrinsic", operands, result, &attributes)?)
}
