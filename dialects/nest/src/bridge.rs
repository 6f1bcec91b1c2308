//! What the C++ hooks of cpp/Dialect.cpp call.
//!
//! Panics become located errors and failures: a bug in here must not take the host compiler
//! down.

use std::panic::{AssertUnwindSafe, catch_unwind};

use melior::ir::{Location, OperationRef, operation::OperationLike};
use mlir_sys::{MlirContext, MlirOperation, MlirRewritePatternSet, MlirStringRef};
use soac_dialect::{
    location::emit_error,
    text::{bytes, shown},
    view::op_name,
};

use crate::{canonicalize, verify};

/// Runs a hook; a panic becomes an error at the location, and `otherwise`.
pub(crate) fn guarded<T>(location: Location, otherwise: T, hook: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(hook)).unwrap_or_else(|_| {
        emit_error(
            location,
            "internal error in the nest dialect: please report it",
        );
        otherwise
    })
}

#[unsafe(no_mangle)]
extern "C" fn nestRustVerify(op: MlirOperation) -> bool {
    // SAFETY: the C++ hook passes a live op.
    let op = unsafe { OperationRef::from_raw(op) };
    guarded(op.location(), false, || match verify::verify(op) {
        Ok(()) => true,
        Err(violation) => {
            emit_error(op.location(), &format!("'{}' op {violation}", op_name(op)));
            false
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn nestRustPopulateCanonicalizations(
    name: MlirStringRef,
    context: MlirContext,
    patterns: MlirRewritePatternSet,
) {
    // SAFETY: the C++ hook passes an op name, and a live context and set.
    unsafe { canonicalize::populate(&shown(bytes(name)), context, patterns) }
}
