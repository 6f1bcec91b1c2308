//! Where compiled code gets its memory.
//!
//! Small blocks are the C library's; a thread keeps the last few that it freed
//! (`memory/small.rs`). Large ones are kept when they are freed, and
//! given out again (`memory/large.rs`), so that the next run of a program, or the
//! next step of a loop over time, does not wait for the system to make zeros.
//!
//! When there is no memory, the program fails with a message instead of writing to
//! address 0.
//!
//! What a call has not freed when an error leaves it is freed then (`memory/calls.rs`).
//!
//! What they give is freed with [`comb_runtime_free`], or [`comb_free`], as callers
//! know it. Both also free what is from the C library, as what functions in C give
//! to compiled code is, and memory of a GPU ([`crate::device`]).

pub(crate) mod calls;
mod large;
mod small;
mod thread;

pub use large::{BadLimit, check_limit};

use std::ffi::c_void;

use crate::device;
use crate::failure::comb_runtime_fail;

/// Like `malloc`; a failure is reported by [`comb_runtime_fail`].
///
/// # Safety
///
/// As `malloc`: the memory is uninitialised.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_allocate(size: usize) -> *mut c_void {
    if large::is_large(size) {
        return given(large::allocate(size).map(|memory| memory.start), size);
    }
    given(Some(small::allocate(size)), size)
}

/// Like `calloc`, which LLVM makes of `malloc` where it can; a failure is reported
/// by [`comb_runtime_fail`].
///
/// # Safety
///
/// As `calloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_allocate_zeroed(
    count: usize,
    size: usize,
) -> *mut c_void {
    let bytes = count.saturating_mul(size);
    if !large::is_large(bytes) {
        // SAFETY: calloc takes any size.
        return given(Some(unsafe { libc::calloc(count, size) }), bytes);
    }
    let zeroed = large::allocate(bytes).map(|memory| {
        if !memory.is_zero {
            // SAFETY: the memory has this size, and nobody else has it.
            unsafe { memory.start.cast::<u8>().write_bytes(0, bytes) };
        }
        memory.start
    });
    given(zeroed, bytes)
}

/// Like `aligned_alloc`; a failure is reported by [`comb_runtime_fail`].
///
/// # Safety
///
/// As `aligned_alloc`: the alignment is a power of two that divides the size.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_allocate_aligned(
    alignment: usize,
    size: usize,
) -> *mut c_void {
    if large::is_large(size) && alignment <= large::ALIGNMENT {
        return given(large::allocate(size).map(|memory| memory.start), size);
    }
    // SAFETY: the caller's promise.
    given(Some(unsafe { libc::aligned_alloc(alignment, size) }), size)
}

/// Like `malloc`, in a program with AddressSanitizer, for an array that the caller aligns: the
/// size has room for that, which is not used. A failure is reported by [`comb_runtime_fail`].
///
/// # Safety
///
/// As `malloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_sanitized_allocate(size: usize) -> *mut c_void {
    unsafe extern "C" {
        fn comb_allocate_bounded(size: usize) -> *mut c_void;
    }
    // SAFETY: passed on from the caller.
    given(Some(unsafe { comb_allocate_bounded(size) }), size)
}

/// Frees what the functions above or the C library gave; null is nothing.
///
/// # Safety
///
/// As `free`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_free(memory: *mut c_void) {
    calls::forget(memory);
    // SAFETY: passed on from the caller.
    unsafe { release(memory) }
}

/// Frees memory that no call owns.
///
/// # Safety
///
/// As `free`.
unsafe fn release(memory: *mut c_void) {
    if !device::free_if_there(memory) && !large::free(memory) {
        // SAFETY: by the caller's promise it is from the C library if it is no
        // large block.
        unsafe { small::free(memory) };
    }
}

/// [`comb_runtime_free`] for programs that call compiled code.
///
/// # Safety
///
/// As `free`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_free(memory: *mut c_void) {
    // SAFETY: passed on from the caller.
    unsafe { comb_runtime_free(memory) }
}

/// The memory, unless there is none.
fn given(memory: Option<*mut c_void>, size: usize) -> *mut c_void {
    match memory {
        Some(memory) if !memory.is_null() => {
            calls::note(memory);
            memory
        }
        Some(memory) if size == 0 => memory,
        _ => fail(size),
    }
}

fn fail(size: usize) -> ! {
    // Sizes beyond i64 come from sizes of arrays that overflowed.
    let shown = i64::try_from(size).unwrap_or(i64::MAX);
    // SAFETY: the template is NUL-terminated, and there is one value.
    unsafe {
        comb_runtime_fail(
            c"out of memory: an array of {} bytes does not fit".as_ptr(),
            &shown,
            1,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_all_sizes_is_given_and_aligned() {
        for size in [1, 100, 8192, 1 << 18, (1 << 18) + 1, 3 << 20] {
            // SAFETY: the memory is written inside its size, and freed once.
            unsafe {
                let plain = comb_runtime_allocate(size);
                plain.cast::<u8>().write_bytes(1, size);
                let zeroed = comb_runtime_allocate_zeroed(1, size);
                let bytes = std::slice::from_raw_parts(zeroed.cast::<u8>(), size);
                assert!(bytes.iter().all(|&byte| byte == 0));
                comb_runtime_free(plain);
                comb_free(zeroed);
                for alignment in [64, 4096] {
                    let size = size.next_multiple_of(alignment);
                    let aligned = comb_runtime_allocate_aligned(alignment, size);
                    assert_eq!(aligned as usize % alignment, 0);
                    aligned.cast::<u8>().write_bytes(1, size);
                    comb_runtime_free(aligned);
                }
            }
        }
    }

    #[test]
    fn memory_of_the_c_library_is_freed_too() {
        for size in [10, 1 << 20] {
            // SAFETY: the memory is freed once.
            unsafe { comb_free(libc::malloc(size)) };
        }
        // SAFETY: null is nothing.
        unsafe { comb_free(std::ptr::null_mut()) };
    }

    #[test]
    fn blocks_move_between_threads() {
        let (sender, receiver) = std::sync::mpsc::channel::<usize>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for memory in receiver {
                    let memory: *mut c_void = std::ptr::with_exposed_provenance_mut(memory);
                    // SAFETY: each block comes once, and has room for the byte.
                    unsafe {
                        assert_eq!(*memory.cast::<u8>(), 7);
                        comb_runtime_free(memory);
                    }
                }
            });
            for size in (0..200).map(|round| 1000 << (round % 12)) {
                // SAFETY: the block has room for the byte.
                unsafe {
                    let memory = comb_runtime_allocate(size);
                    *memory.cast::<u8>() = 7;
                    sender.send(memory.expose_provenance()).unwrap();
                }
            }
            drop(sender);
        });
    }
}
