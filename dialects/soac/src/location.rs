//! Reporting on an op.

use melior::ir::Location;
use mlir_sys::mlirEmitError;
use std::ffi::CString;

/// Emits an error at a location through the context's diagnostics engine.
pub fn emit_error(location: Location, message: &str) {
    let message =
        CString::new(message.replace('\0', "")).expect("no interior NUL after removing them");
    // SAFETY: the location is alive, and the message is NUL-terminated and
    // copied by the callee.
    unsafe { mlirEmitError(location.to_raw(), message.as_ptr()) }
}
