//! What the C++ hooks of cpp/Dialect.cpp call.
//!
//! Panics become located errors and failures: a bug in here must not take the host compiler
//! down.

use std::panic::{AssertUnwindSafe, catch_unwind};

use melior::ir::{OperationRef, operation::OperationLike};
use mlir_sys::MlirOperation;
use soac_dialect::{location::emit_error, view::op_name};

use crate::verify;

#[unsafe(no_mangle)]
extern "C" fn nestRustVerify(op: MlirOperation) -> bool {
    // SAFETY: the C++ hook passes a live op.
    let op = unsafe { OperationRef::from_raw(op) };
    let message = match catch_unwind(AssertUnwindSafe(|| verify::verify(op))) {
        Ok(Ok(())) => return true,
        Ok(Err(violation)) => format!("'{}' op {violation}", op_name(op)),
        Err(_) => "internal error in the nest dialect: please report it".to_owned(),
    };
    emit_error(op.location(), &message);
    false
}
