//! `comb-check-program`: refuses ops that passes after it do not survive: MLIR's inliner crashes
//! at ops that are not registered and have regions.
//!
//! It comes before functions are inlined, so it is where marks of checked functions are looked at.

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{OperationRef, operation::OperationLike};
use mlir_sys::{mlirContextIsRegisteredOperation, mlirIdentifierStr, mlirOperationGetContext};
use soac_dialect::view::op_name;

use crate::insert_checks;

/// Checks all ops of a module.
///
/// # Errors
///
/// The first op that is not registered and has regions.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    insert_checks::distrust_some(module);
    operations(module)
        .into_iter()
        .find_map(|op| refusal(op).map(|reason| (op, reason)))
        .map_or(Ok(()), |(op, reason)| {
            Err(PassError::Unsupported {
                location: op.location(),
                message: format!("'{}' op {reason}", op_name(op)),
            })
        })
}

fn refusal(op: OperationRef) -> Option<&'static str> {
    if op.region_count() > 0 && !is_registered(op) {
        Some(
            "is not registered and has regions, which the inliner does not know how to go \
             through; register its dialect, or lower it before",
        )
    } else {
        None
    }
}

fn is_registered(op: OperationRef) -> bool {
    // SAFETY: the op is alive, and its name lives as long as the context.
    unsafe {
        mlirContextIsRegisteredOperation(
            mlirOperationGetContext(op.to_raw()),
            mlirIdentifierStr(op.name().to_raw()),
        )
    }
}
