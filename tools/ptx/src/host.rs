//! Memory of the host that the driver allocates: "pinned" memory, which copies read when they are
//! done rather than when they are asked for.

use std::collections::BTreeMap;

/// The pinned allocations.
#[derive(Debug, Default)]
pub(crate) struct Pinned {
    sizes: BTreeMap<usize, usize>,
}

impl Pinned {
    /// New memory; null if the host has none.
    pub(crate) fn allocate(&mut self, size: usize) -> *mut u8 {
        let rounded = size.next_multiple_of(4096);
        // SAFETY: the alignment is a power of two, and the size a multiple of it.
        let found: *mut u8 = unsafe { libc::aligned_alloc(4096, rounded) }.cast();
        if !found.is_null() {
            self.sizes.insert(found as usize, size);
        }
        found
    }

    /// Frees an allocation; false if there is none.
    pub(crate) fn free(&mut self, pointer: *mut u8) -> bool {
        if self.sizes.remove(&(pointer as usize)).is_none() {
            return false;
        }
        // SAFETY: it was allocated by `allocate`, and not freed since.
        unsafe { libc::free(pointer.cast()) };
        true
    }

    /// Whether all of these bytes are pinned.
    pub(crate) fn contains(&self, address: usize, count: usize) -> bool {
        let before = self.sizes.range(..=address).next_back();
        before.is_some_and(|(start, size)| count <= *size && address - start <= size - count)
    }

    /// The number of allocations.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }
}
