//! Where a thread's stack is, and how much of it is left for recursions of compiled code.
//!
//! Where a thread's stack lies is asked once, of the system. On a stack that the system does not
//! know of, as a program may have made for a coroutine, there is always some left. Where a thread is
//! on its stack is in a register: variables of code that AddressSanitizer checks lie elsewhere.

use std::cell::Cell;
use std::ops::Range;
use std::ptr;

/// What must be left of a stack, in bytes, or a fourth of a small one: the frames of functions
/// that call no others, and what reports the failure.
const RESERVE: usize = 256 << 10;

thread_local! {
    /// The addresses of this thread's stack, once they are known.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Whether this thread has stack left for one more call. Compiled code asks in front of calls
/// that may be part of a recursion.
#[unsafe(no_mangle)]
pub extern "C" fn comb_runtime_stack_is_left() -> bool {
    is_left(psm::stack_pointer().addr(), &stack())
}

/// Whether an address lies on this thread's stack, as the system knows it.
pub(crate) fn is_of_this_thread(address: usize) -> bool {
    stack().contains(&address)
}

/// Where this thread's stack lies; empty if the system does not say.
fn stack() -> Range<usize> {
    let (start, end) = STACK.get().unwrap_or_else(|| {
        let stack = this_stack().unwrap_or_default();
        STACK.set(Some((stack.start, stack.end)));
        (stack.start, stack.end)
    });
    start..end
}

/// Whether there is stack left below an address. Stacks grow towards their start.
fn is_left(here: usize, stack: &Range<usize>) -> bool {
    let reserve = RESERVE.min(stack.len() / 4);
    !stack.contains(&here) || here - stack.start > reserve
}

/// Where this thread's stack lies, if the system says.
fn this_stack() -> Option<Range<usize>> {
    // SAFETY: all its bits may be zero; the first call fills it in.
    let mut attributes: libc::pthread_attr_t = unsafe { std::mem::zeroed() };
    // SAFETY: this thread is alive, and the attributes are memory of our own.
    let status = unsafe { libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) };
    if status != 0 {
        return None;
    }
    let mut start = ptr::null_mut();
    let mut length = 0;
    // SAFETY: the attributes were filled in; they are destroyed once, and not used again.
    let status = unsafe {
        let status = libc::pthread_attr_getstack(&attributes, &raw mut start, &raw mut length);
        libc::pthread_attr_destroy(&raw mut attributes);
        status
    };
    (status == 0).then(|| start.addr()..start.addr().saturating_add(length))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn the_end_of_a_stack_is_kept_free() {
        let stack = (1 << 30)..(1 << 30) + (8 << 20);
        assert!(is_left(stack.end - 1, &stack));
        assert!(is_left(stack.start + RESERVE + 1, &stack));
        assert!(!is_left(stack.start + RESERVE, &stack));
        assert!(!is_left(stack.start, &stack));
    }

    #[test]
    fn of_a_small_stack_less_is_kept_free() {
        let stack = (1 << 30)..(1 << 30) + (64 << 10);
        assert!(is_left(stack.start + (17 << 10), &stack));
        assert!(!is_left(stack.start + (15 << 10), &stack));
    }

    #[test]
    fn of_an_unknown_stack_there_is_some_left() {
        assert!(is_left(12345, &(0..0)));
        assert!(is_left(12345, &((1 << 30)..(1 << 31))));
    }

    /// Goes down until no stack is left; gives how many calls that took.
    fn descend(depth: usize) -> usize {
        let frame = black_box([0_u8; 1024]);
        match comb_runtime_stack_is_left() {
            true => descend(depth + 1) + usize::from(frame[0]),
            false => depth,
        }
    }

    /// The system may give a thread the stack of one that has ended, which may be larger than
    /// what it asks for.
    #[test]
    fn every_thread_has_its_own() {
        for size in [2 << 20, 1 << 20, 4 << 20] {
            let thread = std::thread::Builder::new().stack_size(size);
            let go_down = || (this_stack().unwrap().len(), descend(0));
            let (length, depth) = thread.spawn(go_down).unwrap().join().unwrap();
            assert!(length > size / 2, "{length} of {size}");
            assert!(depth * 1024 < length, "{depth} in {length}");
            assert!(depth * 4096 > length - RESERVE, "{depth} in {length}");
        }
    }
}
