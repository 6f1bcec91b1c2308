//! What LLVM calls when it cannot go on: it would abort the process.

use std::ffi::c_char;

use comb_runtime::failure::comb_runtime_fail;
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

/// Has LLVM's fatal errors reported like any other error: printed, half-written
/// files removed, code 1. For programs; a library leaves that to its host.
pub fn report_fatal_errors() {
    // SAFETY: the handler does not return to LLVM.
    unsafe { LLVMInstallFatalErrorHandler(Some(report)) }
}

extern "C" fn report(message: *const c_char) {
    // SAFETY: LLVM passes a NUL-terminated string; without values, what looks
    // like a place for one stays.
    unsafe { comb_runtime_fail(message, std::ptr::null(), 0) }
}
