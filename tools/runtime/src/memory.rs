//! Where compiled code gets its memory. The C library's functions, except that
//! they do not return when there is no memory: the program fails with a
//! message instead of writing to address 0.
//!
//! What they give is freed with `free`.

use std::ffi::c_void;

use crate::failure::comb_runtime_fail;

/// Like `malloc`; a failure is reported by [`comb_runtime_fail`].
///
/// # Safety
///
/// As `malloc`: the memory is uninitialised.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_allocate(size: usize) -> *mut c_void {
    // SAFETY: malloc takes any size.
    let memory = unsafe { libc::malloc(size) };
    if memory.is_null() && size != 0 {
        fail(size);
    }
    memory
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
    // SAFETY: the caller's promise.
    let memory = unsafe { libc::aligned_alloc(alignment, size) };
    if memory.is_null() && size != 0 {
        fail(size);
    }
    memory
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
    fn memory_is_given_and_aligned() {
        // SAFETY: the memory is freed once, and not read.
        unsafe {
            let plain = comb_runtime_allocate(100);
            let aligned = comb_runtime_allocate_aligned(4096, 8192);
            assert!(!plain.is_null());
            assert_eq!(aligned as usize % 4096, 0);
            libc::free(plain);
            libc::free(aligned);
        }
    }
}
