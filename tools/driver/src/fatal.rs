//! What LLVM calls when it cannot go on: it would abort the process.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    ffi::c_char,
    sync::atomic::{AtomicBool, Ordering},
};

use comb_runtime::failure::{comb_runtime_fail, end_with_error};
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

use crate::bridge;

/// Has LLVM's fatal errors reported like any other error: printed, half-written
/// files removed, code 1. For programs; a library leaves that to its host.
pub fn report_fatal_errors() {
    // SAFETY: the handler does not return to LLVM.
    unsafe { LLVMInstallFatalErrorHandler(Some(report)) }
    bridge::on_out_of_memory(end_without_memory);
}

/// Whether a program is being compiled.
static COMPILING: AtomicBool = AtomicBool::new(false);

/// While it lives, a program is being compiled: there is nothing to do without memory but to end.
#[derive(Debug)]
pub struct Compiling(());

impl Compiling {
    /// From now on.
    pub fn begin() -> Self {
        COMPILING.store(true, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Compiling {
    fn drop(&mut self) {
        COMPILING.store(false, Ordering::Relaxed);
    }
}

/// The system's allocator, for a program that is to end with an error when it has no memory to
/// compile with, where Rust would abort.
pub struct Allocator;

// SAFETY: all is the system's; only that the process may end.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

fn checked(block: *mut u8) -> *mut u8 {
    if block.is_null() && COMPILING.load(Ordering::Relaxed) {
        end_without_memory();
    }
    block
}

extern "C" fn end_without_memory() -> ! {
    end_with_error(match COMPILING.load(Ordering::Relaxed) {
        true => "out of memory while compiling",
        false => "out of memory",
    })
}

extern "C" fn report(message: *const c_char) {
    // SAFETY: LLVM passes a NUL-terminated string; without values, what looks
    // like a place for one stays.
    unsafe { comb_runtime_fail(message, std::ptr::null(), 0) }
}
