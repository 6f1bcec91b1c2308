//! `comb-check-lowered`: names the ops that the pipeline `comb-cpu` does not lower, where they are
//! written.
//!
//! Before loops are made, those of which no pass makes anything; so that such an op is named, and not
//! found by a pass that says what it needs of it. In the end, whatever is left.
//!
//! Cost: linear in the number of ops.

use std::collections::BTreeSet;

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{OperationRef, ValueLike, operation::OperationLike, r#type::RankedTensorType};
use soac_dialect::{
    cast::is_a,
    view::{dialect, op_name},
};

/// The dialects whose ops the pipeline lowers.
const DIALECTS: &[&str] = &[
    "affine",
    "arith",
    "bufferization",
    "builtin",
    "cf",
    "func",
    "index",
    "linalg",
    "llvm",
    "math",
    "memref",
    "nest",
    "scf",
    "soac",
    "tensor",
    "ub",
    "vector",
];

/// Ops of these dialects that no pass of the pipeline lowers.
const NOT_LOWERED: &[&str] = &[
    "linalg.pack",
    "linalg.softmax",
    "linalg.unpack",
    "linalg.winograd_filter_transform",
    "linalg.winograd_input_transform",
    "linalg.winograd_output_transform",
    "tensor.gather",
    "tensor.scatter",
];

/// The dialects that are translated to LLVM IR.
const TRANSLATED: &[&str] = &["llvm", "omp"];

/// What stands for conversions that another op needed.
const CONVERSION: &str = "builtin.unrealized_conversion_cast";

/// Whether an op calls a function that is a value, and gives it arrays or takes some: bufferization
/// knows what it calls by name only.
fn passes_arrays_on(op: OperationRef) -> bool {
    let is_array = |r#type| is_a::<RankedTensorType>(r#type);
    op_name(op) == "func.call_indirect"
        && (op.operands().any(|operand| is_array(operand.r#type()))
            || op.results().any(|result| is_array(result.r#type())))
}

/// Looks at a module that was fused, or, if it is finished, at one that was lowered. What is inside of
/// an op that is not lowered is its own matter.
///
/// # Errors
///
/// If there are such ops: one error for each name.
pub fn run<'c>(module: OperationRef<'c, '_>, finished: bool) -> Result<(), PassError<'c>> {
    let is_lowered = |op| match finished {
        true => TRANSLATED.contains(&dialect(op)) || op_name(op) == "builtin.module",
        false => {
            DIALECTS.contains(&dialect(op))
                && !NOT_LOWERED.contains(&op_name(op))
                && !passes_arrays_on(op)
        }
    };
    let mut names = BTreeSet::new();
    let mut found: Vec<OperationRef> = operations(module)
        .into_iter()
        .filter(|&op| !is_lowered(op))
        .filter(|op| op.parent_operation().is_none_or(is_lowered))
        .filter(|&op| names.insert(op_name(op)))
        .collect();
    if found.iter().any(|&op| op_name(op) != CONVERSION) {
        found.retain(|&op| op_name(op) != CONVERSION);
    }
    let mut errors = found.into_iter().map(|op| error(op, finished));
    let last = errors.next_back();
    for error in errors {
        error.emit(module.location());
    }
    last.map_or(Ok(()), Err)
}

fn error<'c>(op: OperationRef<'c, '_>, finished: bool) -> PassError<'c> {
    let (name, dialect) = (op_name(op), dialect(op));
    let message = if finished {
        format!("'{name}' op is not lowered to the LLVM dialect")
    } else if DIALECTS.contains(&dialect) {
        format!(
            "'{name}' op is not compiled; lower it first, to soac, scf or linalg.generic for instance"
        )
    } else {
        format!(
            "'{name}' op is of the dialect {dialect}, which is not compiled; lower it first, to soac, \
             linalg, tensor, scf, arith or math for instance"
        )
    };
    PassError::Unsupported {
        location: op.location(),
        message,
    }
}
