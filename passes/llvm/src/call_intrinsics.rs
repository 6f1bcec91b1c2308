//! Functions of the math dialect that NVIDIA's GPUs have instructions for, in kernels: calls of LLVM's
//! intrinsics. (Upstream calls a library for them that has to be linked.) `comb-expand-math` has made
//! arithmetic of others before; what is left is refused.
//!
//! Cost: linear in the size of the kernels.

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
        if op_name(op).starts_with("math.") {
            replace(op)?;
        }
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
            return Err(PassError::Unsupported {
                location: op.location(),
                message: format!("'{name}' op has no code for NVIDIA's GPUs yet"),
            });
        }
    };
    let result = operands[0].r#type();
    let attributes = [
        ("intrin", builder.string(intrinsic)),
        (
            "operandSegmentSizes",
            builder.segments(&[operands.len() as i32, 0]),
        ),
        ("op_bundle_sizes", builder.attribute("array<i32>")?),
    ];
    let value = builder.value("llvm.call_intrinsic", &operands, result, &attributes)?;
    builder.replace(op, &[value]);
    Ok(())
}
