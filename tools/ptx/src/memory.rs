//! The memory of the device: allocations in a range of addresses that is reserved on the host, so
//! that nobody else has them and host code that follows one crashes. The bytes lie elsewhere.

use std::collections::BTreeMap;
use std::ptr;

/// What fills memory before it is written.
pub(crate) const POISON: u8 = 0xA5;
/// The same in a register.
pub(crate) const POISON_WORD: u64 = 0xA5A5_A5A5_A5A5_A5A5;

/// The size of the range of addresses: far more than the memory, so that addresses are not used
/// again soon.
const RESERVED: usize = 1 << 40;
const PAGE: u64 = 4096;
/// What addresses of allocations are multiples of; and no more than that.
const ALIGNMENT: u64 = 256;

/// The memory of the device.
#[derive(Debug)]
pub(crate) struct Memory {
    /// The first address of the range.
    base: u64,
    /// Where the bytes of the range are.
    bytes: *mut u8,
    /// The size of each allocation, by its address.
    live: BTreeMap<u64, u64>,
    /// The same of memory of the host that kernels may use, too, where it is.
    pinned: BTreeMap<u64, u64>,
    next: u64,
    used: u64,
    limit: u64,
}

// SAFETY: the two mappings belong to this value alone, whichever thread owns it.
unsafe impl Send for Memory {}

/// A range of addresses that may be accessed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Window {
    pub(crate) start: u64,
    pub(crate) size: u64,
    /// Where the bytes are.
    pub(crate) bytes: usize,
}

impl Window {
    /// Whether the window has all of these bytes.
    #[inline(always)]
    pub(crate) fn contains(&self, address: u64, count: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset < self.size && self.size - offset >= count
    }
}

impl Memory {
    /// Memory of this size; `None` if the host has no room for its addresses.
    pub(crate) fn new(limit: u64) -> Option<Memory> {
        let base = map(libc::PROT_NONE)?;
        let bytes = map(libc::PROT_READ | libc::PROT_WRITE)?;
        Some(Memory {
            base: base as u64,
            bytes,
            live: BTreeMap::new(),
            pinned: BTreeMap::new(),
            next: base as u64,
            used: 0,
            limit,
        })
    }

    /// The size in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// The bytes that are allocated.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// The number of allocations.
    pub(crate) fn count(&self) -> usize {
        self.live.len()
    }

    /// The address of new, poisoned memory; `None` if there is not enough.
    pub(crate) fn allocate(&mut self, size: u64) -> Option<u64> {
        if size > self.limit - self.used {
            return None;
        }
        let address = self.free_address(size)?;
        self.live.insert(address, size);
        self.used += size;
        self.next = address + size;
        // SAFETY: the range of the new allocation lies inside of the mapping.
        unsafe { ptr::write_bytes(self.pointer(address), POISON, size as usize) };
        Some(address)
    }

    /// The next address with enough room before the next allocation; it wraps around once.
    fn free_address(&self, size: u64) -> Option<u64> {
        let end = self.base + RESERVED as u64;
        let mut wrapped = false;
        let mut address = self.after(self.next);
        loop {
            if address + size > end {
                if wrapped {
                    return None;
                }
                wrapped = true;
                address = self.after(self.base);
            }
            match self.live.range(..address + size).next_back() {
                Some((start, length)) if start + length > address => {
                    address = self.after(start + length);
                }
                _ => return Some(address),
            }
        }
    }

    /// The first address for an allocation after this one. At least 256 bytes stay free, so that an
    /// access past the end does not meet the next allocation.
    fn after(&self, address: u64) -> u64 {
        address.next_multiple_of(PAGE) + ALIGNMENT
    }

    /// Frees an allocation; false if there is none.
    pub(crate) fn free(&mut self, address: u64) -> bool {
        let Some(size) = self.live.remove(&address) else {
            return false;
        };
        self.used -= size;
        let first = address - ALIGNMENT;
        let length = (size + ALIGNMENT).next_multiple_of(PAGE);
        // SAFETY: the pages lie inside of the mapping, and hold no other allocation.
        unsafe {
            libc::madvise(
                self.pointer(first).cast(),
                length as usize,
                libc::MADV_DONTNEED,
            );
        }
        true
    }

    /// Lets kernels use memory of the host.
    pub(crate) fn pin(&mut self, address: u64, size: u64) {
        self.pinned.insert(address, size);
    }

    /// Ends that.
    pub(crate) fn unpin(&mut self, address: u64) {
        self.pinned.remove(&address);
    }

    /// The allocation that an address belongs to.
    pub(crate) fn window(&self, address: u64) -> Option<Window> {
        let found = |ranges: &BTreeMap<u64, u64>| {
            let (&start, &size) = ranges.range(..=address).next_back()?;
            (address - start < size).then_some((start, size))
        };
        match found(&self.live) {
            Some((start, size)) => Some(Window {
                start,
                size,
                bytes: self.pointer(start) as usize,
            }),
            None => found(&self.pinned).map(|(start, size)| Window {
                start,
                size,
                bytes: start as usize,
            }),
        }
    }

    /// Where some bytes are; `None` if not all belong to one allocation.
    pub(crate) fn find(&self, address: u64, count: u64) -> Option<*mut u8> {
        let window = self.window(address)?;
        let distance = address - window.start;
        let found = ptr::with_exposed_provenance_mut::<u8>(window.bytes + distance as usize);
        window.contains(address, count).then_some(found)
    }

    /// Whether an address is one of the device, live or not.
    pub(crate) fn reserves(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < RESERVED as u64
    }

    fn pointer(&self, address: u64) -> *mut u8 {
        self.bytes.wrapping_add((address - self.base) as usize)
    }
}

fn map(protection: i32) -> Option<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping of no file touches nothing that exists.
    let found = unsafe { libc::mmap(ptr::null_mut(), RESERVED, protection, flags, -1, 0) };
    (found != libc::MAP_FAILED).then_some(found.cast())
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: both ranges were mapped by `new`, and nobody uses them any more.
        unsafe {
            libc::munmap(self.base as *mut libc::c_void, RESERVED);
            libc::munmap(self.bytes.cast(), RESERVED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_apart_and_poisoned() {
        let mut memory = Memory::new(1 << 20).unwrap();
        let first = memory.allocate(4096).unwrap();
        let second = memory.allocate(1).unwrap();
        assert!(second - first > 4096);
        assert_eq!((first % 256, second % 256), (0, 0));
        // SAFETY: the byte belongs to a live allocation.
        assert_eq!(unsafe { *memory.find(second, 1).unwrap() }, POISON);
        assert!(memory.find(first, 4097).is_none());
        assert!(memory.find(first + 4096, 1).is_none());
    }

    #[test]
    fn memory_is_limited_and_can_be_freed() {
        let mut memory = Memory::new(1000).unwrap();
        let first = memory.allocate(900).unwrap();
        assert!(memory.allocate(200).is_none());
        assert!(memory.free(first));
        assert!(!memory.free(first));
        assert!(memory.find(first, 1).is_none());
        assert_ne!(memory.allocate(200), Some(first));
    }
}
