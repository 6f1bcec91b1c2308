//! Bytes at a 64-byte boundary, allocated fallibly and zeroed.
//!
//! The allocation itself asks only for the allocator's own alignment and has
//! room to move the start up to the boundary. That lets the allocator hand out
//! fresh zero pages (`calloc`) instead of writing zeros, so a large buffer
//! that is about to be filled from a file is touched once. The room that is left is
//! told to AddressSanitizer (`c/sanitizers.c`).

use std::alloc::{self, Layout};
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// The boundary: one cache line, and one 512-bit vector.
pub(crate) const ALIGNMENT: usize = 64;

const ALLOCATOR_ALIGNMENT: usize = 16;

/// A fixed number of bytes that start at a multiple of [`ALIGNMENT`].
pub(crate) struct AlignedBuffer {
    start: NonNull<u8>,
    length: usize,
    /// What the allocator gave; none for an empty buffer.
    allocation: Option<(NonNull<u8>, Layout)>,
}

// SAFETY: the buffer owns its bytes exclusively; shared access only reads.
unsafe impl Send for AlignedBuffer {}
// SAFETY: as above.
unsafe impl Sync for AlignedBuffer {}

unsafe extern "C" {
    fn comb_note_unused(memory: *mut c_void, size: usize);
}

impl AlignedBuffer {
    /// `length` zero bytes, or none if the allocator has not so many.
    pub(crate) fn zeroed(length: usize) -> Option<AlignedBuffer> {
        if length == 0 {
            return Some(AlignedBuffer {
                start: NonNull::new(ptr::without_provenance_mut(ALIGNMENT))?,
                length,
                allocation: None,
            });
        }
        let size = length.checked_add(ALIGNMENT)?;
        let layout = Layout::from_size_align(size, ALLOCATOR_ALIGNMENT).ok()?;
        // SAFETY: the layout's size is not zero.
        let base = NonNull::new(unsafe { alloc::alloc_zeroed(layout) })?;
        let padding = base.as_ptr().align_offset(ALIGNMENT);
        // SAFETY: the padding is less than ALIGNMENT, so start..start + length
        // lies inside the allocation of length + ALIGNMENT bytes.
        let start = unsafe { base.add(padding) };
        // SAFETY: what is before and behind the buffer is never accessed.
        unsafe {
            comb_note_unused(base.as_ptr().cast(), padding);
            comb_note_unused(start.add(length).as_ptr().cast(), ALIGNMENT - padding);
        }
        Some(AlignedBuffer {
            start,
            length,
            allocation: Some((base, layout)),
        })
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: start..start + length is owned and was initialised to zero.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in as_slice, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        if let Some((base, layout)) = self.allocation {
            // SAFETY: base came from the allocator with this layout.
            unsafe { alloc::dealloc(base.as_ptr(), layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_zero() {
        for length in [0, 1, 63, 64, 65, 1_000_003] {
            let mut buffer = AlignedBuffer::zeroed(length).unwrap();
            assert_eq!(buffer.as_slice().len(), length);
            assert_eq!(buffer.as_slice().as_ptr() as usize % ALIGNMENT, 0);
            assert!(buffer.as_slice().iter().all(|&byte| byte == 0));
            buffer.as_mut_slice().fill(7);
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(AlignedBuffer::zeroed(usize::MAX).is_none());
        assert!(AlignedBuffer::zeroed(isize::MAX as usize).is_none());
        assert!(AlignedBuffer::zeroed(1 << 60).is_none());
    }
}
