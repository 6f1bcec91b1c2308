//! Large blocks of memory, from the system; they are kept when they are freed.
//!
//! * A block is given out again for an array that fills at least four fifths of it:
//!   the smallest that fits, and of those the one freed last, whose content may
//!   still be in a cache.
//! * No more is kept idle than the program ever had in use at a time, and no more
//!   than the environment variable `COMB_IDLE_MEMORY` says (`0` is none, `512M` and
//!   `2G` are sizes). What has been idle for longest goes back to the system. When
//!   the system has no memory, all does.
//! * Blocks of 2 MiB and more are on huge pages where the system has them.
//! * Arrays begin at different distances from the start of a page. If all began at
//!   the start, equal indices of many arrays would compete for the same few lines
//!   of a cache.
//!
//! Cost: a search among the idle blocks under a lock, which is little beside
//! reading a block of this size.

use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::thread;

/// What all blocks are aligned to.
pub const ALIGNMENT: usize = 64;

/// Smaller blocks are left to the C library.
const LEAST: usize = 256 << 10;

const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;

/// Block n begins `n % SHIFTS` times so many bytes behind the start of a page.
const SHIFT: usize = 5 * ALIGNMENT;
const SHIFTS: usize = 16;

/// Memory for an array.
pub struct Memory {
    /// Where it starts.
    pub start: *mut c_void,
    /// Whether it is new, and so zero.
    pub is_zero: bool,
}

/// Whether a block of this size is one of these.
pub fn is_large(size: usize) -> bool {
    size >= LEAST
}

/// Gives memory; none if the system has none.
pub fn allocate(size: usize) -> Option<Memory> {
    thread::at_unload();
    let length = size
        .checked_add(SHIFT * SHIFTS)?
        .checked_next_multiple_of(PAGE)?;
    let found = pool().take_idle(length);
    let is_zero = found.is_none();
    let block = found.or_else(|| map(length)).or_else(|| {
        give_back_idle();
        map(length)
    })?;
    SPAN_START.fetch_min(block.base, Ordering::Relaxed);
    SPAN_END.fetch_max(block.base + block.length, Ordering::Relaxed);
    let given = pool().give(block);
    let Some(start) = given else {
        unmap(block);
        return None;
    };
    Some(Memory {
        start: ptr::with_exposed_provenance_mut(start),
        is_zero,
    })
}

/// Takes a block back; says whether it is one.
pub fn free(memory: *mut c_void) -> bool {
    let start = memory.addr();
    // Nothing below is done for most small blocks.
    let span = SPAN_START.load(Ordering::Relaxed)..SPAN_END.load(Ordering::Relaxed);
    if !span.contains(&start) {
        return false;
    }
    let Some(refused) = pool().take_back(start) else {
        return false;
    };
    refused.into_iter().for_each(unmap);
    let limit = match thread::is_closed() {
        true => 0,
        false => *IDLE_LIMIT,
    };
    let surplus = || pool().take_surplus(limit);
    while let Some(block) = surplus() {
        unmap(block);
    }
    true
}

/// Gives all idle blocks back to the system.
pub fn give_back_idle() {
    let idle = pool().take_all_idle();
    idle.into_iter().for_each(unmap);
}

/// Where blocks are or were.
static SPAN_START: AtomicUsize = AtomicUsize::new(usize::MAX);
static SPAN_END: AtomicUsize = AtomicUsize::new(0);

static POOL: Mutex<Pool> = Mutex::new(Pool::new());

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

unsafe extern "C" {
    // Of `c/sanitizers.c`; it only looks at what is linked.
    safe fn comb_is_sanitized() -> c_int;
}

/// What the environment allows to be idle; nothing in a program with a sanitizer.
pub static IDLE_LIMIT: LazyLock<usize> = LazyLock::new(|| {
    if comb_is_sanitized() != 0 {
        return 0;
    }
    limit().unwrap_or_else(|error| {
        eprintln!("warning: {error}");
        usize::MAX
    })
});

const VARIABLE: &str = "COMB_IDLE_MEMORY";

/// The environment says no number of bytes.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{VARIABLE} is {value:?}; a number of bytes such as 0, 512M or 2G is expected")]
pub struct BadLimit {
    value: String,
}

/// Checks what the environment says.
pub fn check_limit() -> Result<(), BadLimit> {
    limit().map(|_| ())
}

fn limit() -> Result<usize, BadLimit> {
    let Some(text) = std::env::var_os(VARIABLE) else {
        return Ok(usize::MAX);
    };
    text.to_str().and_then(bytes).ok_or_else(|| BadLimit {
        value: text.to_string_lossy().into_owned(),
    })
}

/// A number of bytes as people write it.
fn bytes(text: &str) -> Option<usize> {
    let (number, shift) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 10),
        b'M' | b'm' => (&text[..text.len() - 1], 20),
        b'G' | b'g' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    number.parse::<usize>().ok()?.checked_mul(1 << shift)
}

/// Memory from the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    base: usize,
    length: usize,
}

/// A block, and where its array starts.
#[derive(Clone, Copy)]
struct Used {
    start: usize,
    block: Block,
}

/// The blocks that are in use, in the order of where their arrays start, and those that are
/// idle, the longest idle first.
struct Pool {
    used: Vec<Used>,
    idle: VecDeque<Block>,
    used_bytes: usize,
    idle_bytes: usize,
    most_used_bytes: usize,
    given: usize,
}

impl Pool {
    const fn new() -> Self {
        Self {
            used: Vec::new(),
            idle: VecDeque::new(),
            used_bytes: 0,
            idle_bytes: 0,
            most_used_bytes: 0,
            given: 0,
        }
    }

    /// An idle block of this length, or a little more.
    fn take_idle(&mut self, length: usize) -> Option<Block> {
        let fits = length..=length.saturating_add(length / 4);
        let candidates = self.idle.iter().enumerate().rev();
        let (position, _) = candidates
            .filter(|(_, block)| fits.contains(&block.length))
            .min_by_key(|(_, block)| block.length)?;
        let block = self.idle.remove(position)?;
        self.idle_bytes -= block.length;
        Some(block)
    }

    fn take_all_idle(&mut self) -> VecDeque<Block> {
        self.idle_bytes = 0;
        std::mem::take(&mut self.idle)
    }

    /// Notes that a block is in use; says where its array starts, unless there is no memory
    /// for the note.
    fn give(&mut self, block: Block) -> Option<usize> {
        self.used.try_reserve(1).ok()?;
        let start = block.base + self.given % SHIFTS * SHIFT;
        self.given += 1;
        self.used_bytes += block.length;
        self.most_used_bytes = self.most_used_bytes.max(self.used_bytes);
        let place = self.used.partition_point(|used| used.start < start);
        self.used.insert(place, Used { start, block });
        Some(start)
    }

    /// Makes the block whose array starts there idle, or gives it if there is no memory to note
    /// that. Nothing if there is no such block.
    fn take_back(&mut self, start: usize) -> Option<Option<Block>> {
        let place = self.used.binary_search_by_key(&start, |used| used.start);
        let Used { block, .. } = self.used.remove(place.ok()?);
        self.used_bytes -= block.length;
        if self.idle.try_reserve(1).is_err() {
            return Some(Some(block));
        }
        self.idle.push_back(block);
        self.idle_bytes += block.length;
        Some(None)
    }

    /// An idle block that is too much.
    fn take_surplus(&mut self, limit: usize) -> Option<Block> {
        if self.idle_bytes <= limit.min(self.most_used_bytes) {
            return None;
        }
        let block = self.idle.pop_front()?;
        self.idle_bytes -= block.length;
        Some(block)
    }
}

/// Asks the system for memory, which is zero.
fn map(length: usize) -> Option<Block> {
    if length < HUGE_PAGE {
        return map_anywhere(length).map(|base| Block { base, length });
    }
    // More than is needed, so that a huge page can begin where the block does.
    let whole = map_anywhere(length.checked_add(HUGE_PAGE)?)?;
    let base = whole.next_multiple_of(HUGE_PAGE);
    let (before, behind) = (base - whole, HUGE_PAGE - (base - whole));
    unmap(Block {
        base: whole,
        length: before,
    });
    unmap(Block {
        base: base + length,
        length: behind,
    });
    let start = ptr::with_exposed_provenance_mut(base);
    // SAFETY: the memory was just mapped. A system without huge pages refuses,
    // which does no harm.
    unsafe { libc::madvise(start, length, libc::MADV_HUGEPAGE) };
    Some(Block { base, length })
}

fn map_anywhere(length: usize) -> Option<usize> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: asks for new memory, wherever it may be.
    let memory = unsafe { libc::mmap(ptr::null_mut(), length, access, kind, -1, 0) };
    (memory != libc::MAP_FAILED).then(|| memory.expose_provenance())
}

fn unmap(block: Block) {
    if block.length > 0 {
        let start = ptr::with_exposed_provenance_mut(block.base);
        // SAFETY: the block came from `map`, and nobody has it any more.
        unsafe { libc::munmap(start, block.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    fn block(number: usize, length: usize) -> Block {
        Block {
            base: number << 32,
            length,
        }
    }

    /// Takes a block back; gives those that are too much then.
    fn take_back(pool: &mut Pool, start: usize, limit: usize) -> Vec<Block> {
        assert_eq!(pool.take_back(start), Some(None));
        std::iter::from_fn(|| pool.take_surplus(limit)).collect()
    }

    #[test]
    fn a_freed_block_is_given_out_again_if_it_fits() {
        let mut pool = Pool::new();
        let starts = [4, 1, 2, 2].map(|mib| {
            let number = mib + pool.given * 10;
            pool.give(block(number, mib * MIB)).unwrap()
        });
        for start in starts {
            assert_eq!(take_back(&mut pool, start, usize::MAX), []);
        }
        assert_eq!(pool.take_idle(3 * MIB), None);
        assert_eq!(pool.take_idle(4 * MIB), Some(block(4, 4 * MIB)));
        assert_eq!(pool.take_idle(7 * MIB / 4), Some(block(32, 2 * MIB)));
        assert_eq!(pool.take_idle(2 * MIB), Some(block(22, 2 * MIB)));
        assert_eq!(pool.take_idle(2 * MIB), None);
        assert_eq!(pool.idle_bytes, MIB);
    }

    #[test]
    fn no_more_is_idle_than_was_in_use_or_than_is_allowed() {
        let mut pool = Pool::new();
        for number in 1..=3 {
            let start = pool.give(block(number, number * MIB)).unwrap();
            assert_eq!(
                take_back(&mut pool, start, usize::MAX),
                Vec::from_iter((1..number).last().map(|last| block(last, last * MIB))),
            );
        }
        let [small, other] = [5, 6].map(|number| pool.give(block(number, MIB)).unwrap());
        assert_eq!(take_back(&mut pool, small, 2 * MIB), [block(3, 3 * MIB)]);
        assert_eq!(
            take_back(&mut pool, other, 0),
            [block(5, MIB), block(6, MIB)]
        );
    }

    #[test]
    fn what_is_unknown_is_not_taken_back() {
        let mut pool = Pool::new();
        let start = pool.give(block(1, MIB)).unwrap();
        assert_eq!(pool.take_back(start + 64), None);
        assert_eq!(pool.take_back(start), Some(None));
        assert_eq!(pool.take_back(start), None);
    }

    #[test]
    fn huge_blocks_begin_where_huge_pages_do() {
        let block = map(5 * MIB).unwrap();
        assert_eq!(block.base % HUGE_PAGE, 0);
        assert_eq!(block.length, 5 * MIB);
        unmap(block);
        assert_eq!(map(1 << 60), None);
    }

    #[test]
    fn sizes_are_written_in_bytes_or_more() {
        assert_eq!(bytes("0"), Some(0));
        assert_eq!(bytes("512M"), Some(512 << 20));
        assert_eq!(bytes("2g"), Some(2 << 30));
        assert_eq!(bytes("3K"), Some(3 << 10));
        for wrong in ["", "M", "-1", "1.5G", "1T", "99999999999G"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}
