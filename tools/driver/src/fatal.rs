//! What LLVM calls when it cannot go on: it would abort the process.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    ffi::{c_char, c_int, c_void},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use comb_runtime::failure::{comb_runtime_fail, end_with_error};
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

use crate::bridge;

/// Has LLVM's fatal errors reported like any other error: printed, half-written
/// files removed, code 1. For programs; a library leaves that to its host.
pub fn report_fatal_errors() {
    // SAFETY: the handler does not return to LLVM.
    unsafe { LLVMInstallFatalErrorHandler(Some(report)) }
    mind_memory();
    explain_faults();
}

/// Whether LLVM and C++ end the process with an error when there is no memory.
static MINDED: AtomicBool = AtomicBool::new(false);

/// Has the process end with an error when there is no memory for LLVM or C++. May be called before libraries
/// are initialised, which takes memory, too.
pub extern "C" fn mind_memory() {
    if !MINDED.swap(true, Ordering::Relaxed) {
        bridge::on_out_of_memory(end_without_memory);
    }
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
/// compile with, or none for anything else, where Rust would abort.
pub struct Allocator;

/// Who asks for less has nothing else to do without it.
const LARGE_BYTES: usize = 1 << 16;

// SAFETY: all is the system's; only that the process may end.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

fn checked(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() && (bytes < LARGE_BYTES || COMPILING.load(Ordering::Relaxed)) {
        end_without_memory();
    }
    block
}

/// What was done about accesses to addresses where nothing is, before [`explain_faults`].
static EARLIER: OnceLock<libc::sigaction> = OnceLock::new();

/// Parts of MLIR use what `malloc` gives without a look. When a program is being compiled, and there is no
/// memory to be had, a fault is taken for that. One at address 0 may be that or a bug, and is called so; others are
/// left to who cared for them before.
fn explain_faults() {
    // SAFETY: zeros are a valid value of C's structure.
    let (mut ours, mut earlier): (libc::sigaction, libc::sigaction) = unsafe { std::mem::zeroed() };
    ours.sa_sigaction = on_fault as *const () as usize;
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the handler calls only what may be called in one; both pointers are valid.
    let is_installed = unsafe {
        libc::sigaction(libc::SIGSEGV, std::ptr::null(), &raw mut earlier) == 0
            && EARLIER.set(earlier).is_ok()
            && libc::sigaction(libc::SIGSEGV, &raw const ours, std::ptr::null_mut()) == 0
    };
    debug_assert!(is_installed, "SIGSEGV can be handled");
}

extern "C" fn on_fault(_: c_int, fault: *mut libc::siginfo_t, _: *mut c_void) {
    if COMPILING.load(Ordering::Relaxed) {
        if !is_memory_left() {
            end_without_memory();
        }
        // SAFETY: the system says where the fault was.
        if unsafe { (*fault).si_addr() }.addr() < FIRST_PAGE {
            end_with_error(
                "internal error while compiling: nothing is at address 0, since memory was refused, or by a bug of \
                 comb or MLIR; please report it",
            );
        }
    }
    // The instruction runs again, and who cared for it before is asked.
    let earlier = EARLIER.get().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: a structure that the system filled, or none.
    unsafe { libc::sigaction(libc::SIGSEGV, earlier, std::ptr::null_mut()) };
}

/// Accesses to members of what is at address 0 are below.
const FIRST_PAGE: usize = 4096;

/// Whether the system gives as much as `malloc` asks it for at a time.
fn is_memory_left() -> bool {
    const BYTES: usize = 1 << 20;
    let (access, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
    );
    // SAFETY: new memory, which nobody uses.
    unsafe {
        let block = libc::mmap(std::ptr::null_mut(), BYTES, access, kind, -1, 0);
        block != libc::MAP_FAILED && libc::munmap(block, BYTES) == 0
    }
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
