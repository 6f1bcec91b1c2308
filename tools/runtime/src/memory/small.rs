//! Small blocks of memory, from the C library; each thread keeps the last ones it freed.
//!
//! A program that runs a loop over time takes and frees the same few blocks in every
//! step. Blocks of some KiB are just those for which `malloc` and `free` take long, since
//! they join what is free with its neighbours. Here a block that was freed is given out
//! again for an array that fills at least four fifths of it, the one freed last first.
//!
//! `COMB_IDLE_MEMORY=0` turns this off, and so does a sanitizer.
//!
//! Cost: a look at [`KEPT`] sizes at most.

use std::ffi::c_void;

use super::large::IDLE_LIMIT;
use super::thread;

/// The C library keeps smaller blocks by itself.
const LEAST: usize = 1 << 10;

/// How many blocks a thread keeps, none of which is large.
const KEPT: usize = 8;

/// A block that nobody uses.
#[derive(Clone, Copy)]
struct Idle {
    memory: *mut c_void,
    size: usize,
}

/// The blocks that a thread keeps, the longest idle first.
pub struct Shelf {
    blocks: [Idle; KEPT],
    count: usize,
}

const NOTHING: Idle = Idle {
    memory: std::ptr::null_mut(),
    size: 0,
};

impl Default for Shelf {
    fn default() -> Self {
        Self {
            blocks: [NOTHING; KEPT],
            count: 0,
        }
    }
}

impl Shelf {
    fn take(&mut self, size: usize) -> Option<*mut c_void> {
        let fits = size..=size + size / 4;
        let idle = &self.blocks[..self.count];
        let position = idle.iter().rposition(|idle| fits.contains(&idle.size))?;
        Some(self.remove(position).memory)
    }

    fn remove(&mut self, position: usize) -> Idle {
        let removed = self.blocks[position];
        self.blocks.copy_within(position + 1..self.count, position);
        self.count -= 1;
        removed
    }

    /// Keeps a block; gives the one that has no place any more.
    fn put(&mut self, block: Idle) -> Option<Idle> {
        let surplus = (self.count == KEPT).then(|| self.remove(0));
        self.blocks[self.count] = block;
        self.count += 1;
        surplus
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        for idle in &self.blocks[..self.count] {
            // SAFETY: the block is from the C library, and nobody uses it.
            unsafe { libc::free(idle.memory) };
        }
    }
}

/// Like `malloc`.
pub fn allocate(size: usize) -> *mut c_void {
    let kept = match size >= LEAST {
        true => thread::with_present(|thread| thread.shelf.take(size)).flatten(),
        false => None,
    };
    // SAFETY: malloc takes any size.
    kept.unwrap_or_else(|| unsafe { libc::malloc(size) })
}

/// Like `free`.
///
/// # Safety
///
/// As `free`.
pub unsafe fn free(memory: *mut c_void) {
    // SAFETY: the memory is the C library's, by the caller's promise.
    let size = unsafe { libc::malloc_usable_size(memory) };
    let is_kept = size >= LEAST && !super::large::is_large(size) && *IDLE_LIMIT > 0;
    if !is_kept {
        // SAFETY: as above.
        unsafe { libc::free(memory) };
        return;
    }
    let block = Idle { memory, size };
    let put = thread::with(|thread| thread.shelf.put(block));
    if let Some(surplus) = put.unwrap_or(Some(block)) {
        // SAFETY: nobody uses the block any more.
        unsafe { libc::free(surplus.memory) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_all_sizes_have_room() {
        for size in [1, LEAST - 1, LEAST, 5000, 200_000] {
            let memory = allocate(size);
            // SAFETY: the block has the size, and is freed once.
            unsafe {
                memory.cast::<u8>().write_bytes(1, size);
                free(memory);
            }
        }
    }

    /// What is no memory, but has an address.
    fn block(number: usize, size: usize) -> Idle {
        Idle {
            memory: std::ptr::without_provenance_mut(number),
            size,
        }
    }

    fn taken(shelf: &mut Shelf, size: usize) -> Option<usize> {
        shelf.take(size).map(|memory| memory.addr())
    }

    #[test]
    fn the_block_freed_last_is_given_again() {
        let mut shelf = Shelf::default();
        for number in [1, 2] {
            shelf.put(block(number, 5000));
        }
        assert_eq!(taken(&mut shelf, 4900), Some(2));
        assert_eq!(taken(&mut shelf, 5000), Some(1));
        assert_eq!(taken(&mut shelf, 5000), None);
    }

    #[test]
    fn a_much_larger_block_is_not_given() {
        let mut shelf = Shelf::default();
        shelf.put(block(1, 100_000));
        assert_eq!(taken(&mut shelf, 79_000), None);
        assert_eq!(taken(&mut shelf, 81_000), Some(1));
    }

    #[test]
    fn only_the_last_blocks_are_kept() {
        let mut shelf = Shelf::default();
        let surplus: Vec<usize> = (1..=KEPT + 2)
            .filter_map(|number| shelf.put(block(number, LEAST)))
            .map(|idle| idle.memory.addr())
            .collect();
        assert_eq!(surplus, [1, 2]);
        assert_eq!(taken(&mut shelf, LEAST), Some(KEPT + 2));
        assert_eq!(shelf.count, KEPT - 1);
        // None of them is memory.
        shelf.count = 0;
    }
}
