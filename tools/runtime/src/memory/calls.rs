//! What calls of compiled code have allocated and not freed, so that it can be freed when an
//! error leaves a call: no code frees it then.
//!
//! A call goes on from [`begin`] to [`end`], which says that what is left belongs to the caller;
//! [`abandon`] frees it. A program's error handler may leave any number of calls by `longjmp`,
//! and nobody says which. A call whose frame lies below where its thread is on the stack now has
//! been left: [`sweep`] frees what such calls own. Calls on stacks that the system does not know,
//! as programs make them for coroutines, come and go in any order, and own nothing here.
//!
//! Each thread has its own calls. Chunks of a parallel loop are calls of the thread that they run
//! on. Memory that a call allocated is freed on another thread only when it has ended.
//!
//! Cost: an entry at the end of an array for each block; when it is freed, a search from there.

use std::ffi::c_void;

use super::{release, thread};
use crate::stack;

/// A call that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    /// How many blocks were owned when it began.
    first: usize,
    /// Where on the system's stack it is; unknown on another stack.
    address: Option<usize>,
}

/// The calls of a thread, the innermost last, and the blocks that they own, in the order in
/// which they were allocated.
#[derive(Default)]
pub struct Calls {
    frames: Vec<Frame>,
    owned: Vec<*mut c_void>,
}

/// A call for [`end`]; which it is among those of the thread, unless nothing is noted of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Call(usize);

const NOT_NOTED: Call = Call(usize::MAX);

impl Calls {
    fn begin(&mut self, address: Option<usize>) -> Call {
        let is_nothing_to_note = address.is_none() && self.frames.is_empty();
        if is_nothing_to_note || self.frames.try_reserve(1).is_err() {
            return NOT_NOTED;
        }
        self.frames.push(Frame {
            first: self.owned.len(),
            address,
        });
        Call(self.frames.len() - 1)
    }

    /// Calls inside of the one that ends were left before.
    fn end(&mut self, call: Call) {
        if let Some(frame) = self.frames.get(call.0) {
            self.owned.truncate(frame.first);
            self.frames.truncate(call.0);
        }
    }

    /// The outermost call that was left, as this thread is at an address of its stack.
    fn left(&self, here: usize) -> Option<Call> {
        let is_left = |frame: &Frame| frame.address.is_some_and(|address| address <= here);
        self.frames.iter().position(is_left).map(Call)
    }

    /// Notes that the innermost call owns a block. If there is no memory for that, it does not.
    fn note(&mut self, memory: *mut c_void) {
        let is_noted = self
            .frames
            .last()
            .is_some_and(|frame| frame.address.is_some());
        if is_noted && self.owned.try_reserve(1).is_ok() {
            self.owned.push(memory);
        }
    }

    /// Notes that a block is owned no more.
    fn forget(&mut self, memory: *mut c_void) {
        if self.frames.is_empty() {
            return;
        }
        if let Some(position) = self.owned.iter().rposition(|&owned| owned == memory) {
            self.owned.remove(position);
            for frame in self.frames.iter_mut().rev() {
                match frame.first > position {
                    true => frame.first -= 1,
                    false => break,
                }
            }
        }
    }

    /// The block that the call allocated last, which is then owned no more.
    fn take(&mut self, call: Call) -> Option<*mut c_void> {
        let frame = self.frames.get(call.0)?;
        (self.owned.len() > frame.first).then(|| self.owned.pop())?
    }

    /// All blocks.
    pub fn into_owned(self) -> Vec<*mut c_void> {
        self.owned
    }
}

/// Begins a call of compiled code, whose caller's frame has the address.
pub fn begin(frame: usize) -> Call {
    sweep(frame);
    let address = stack::is_of_this_thread(frame).then_some(frame);
    thread::with(|thread| thread.calls.begin(address)).unwrap_or(NOT_NOTED)
}

/// Ends a call: what it has allocated and not freed belongs to others.
pub fn end(call: Call) {
    thread::with_present(|thread| thread.calls.end(call));
}

/// Ends a call that an error has left, and frees what it has allocated.
pub fn abandon(call: Call) {
    let next = || thread::with_present(|thread| thread.calls.take(call)).flatten();
    while let Some(memory) = next() {
        // SAFETY: the call allocated it, nobody has freed it, and no code that could use it
        // goes on.
        unsafe { release(memory) };
    }
    end(call);
}

/// Abandons the calls that were left, as this thread is in a function whose frame has the
/// address.
pub fn sweep(frame: usize) {
    let left = thread::with_present(|thread| thread.calls.left(frame)).flatten();
    if let Some(call) = left.filter(|_| stack::is_of_this_thread(frame)) {
        abandon(call);
    }
}

/// Notes that this thread's innermost call owns memory.
pub fn note(memory: *mut c_void) {
    thread::with_present(|thread| thread.calls.note(memory));
}

/// Notes that memory is owned no more.
pub fn forget(memory: *mut c_void) {
    thread::with_present(|thread| thread.calls.forget(memory));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is no memory, but has an address.
    fn block(number: usize) -> *mut c_void {
        std::ptr::without_provenance_mut(number)
    }

    fn owned(calls: &Calls) -> Vec<usize> {
        calls.owned.iter().map(|memory| memory.addr()).collect()
    }

    #[test]
    fn what_a_call_leaves_is_no_longer_owned_when_it_ends() {
        let mut calls = Calls::default();
        calls.note(block(1));
        let outer = calls.begin(Some(200));
        calls.note(block(2));
        let inner = calls.begin(Some(100));
        calls.note(block(3));
        calls.note(block(4));
        calls.forget(block(3));
        assert_eq!(owned(&calls), [2, 4]);
        calls.end(inner);
        assert_eq!(owned(&calls), [2]);
        calls.end(outer);
        assert_eq!(owned(&calls), [0; 0]);
    }

    #[test]
    fn an_abandoned_call_gives_what_it_and_those_inside_own() {
        let mut calls = Calls::default();
        let outer = calls.begin(Some(200));
        calls.note(block(1));
        calls.note(block(2));
        let inner = calls.begin(Some(150));
        calls.note(block(3));
        calls.begin(Some(100));
        calls.note(block(4));
        // What the outermost owns is freed while the others go on.
        calls.forget(block(1));
        let taken: Vec<usize> = std::iter::from_fn(|| calls.take(inner))
            .map(|memory| memory.addr())
            .collect();
        assert_eq!(taken, [4, 3]);
        calls.end(inner);
        assert_eq!(owned(&calls), [2]);
        calls.end(outer);
    }

    #[test]
    fn calls_below_the_stack_were_left() {
        let mut calls = Calls::default();
        let [first, second] = [300, 200].map(|address| calls.begin(Some(address)));
        assert_eq!(calls.left(150), None);
        assert_eq!(calls.left(200), Some(second));
        assert_eq!(calls.left(250), Some(second));
        assert_eq!(calls.left(300), Some(first));
    }

    #[test]
    fn calls_on_unknown_stacks_own_nothing() {
        let mut calls = Calls::default();
        assert_eq!(calls.begin(None), NOT_NOTED);
        calls.end(NOT_NOTED);
        let outer = calls.begin(Some(100));
        let inner = calls.begin(None);
        calls.note(block(1));
        assert_eq!(owned(&calls), [0; 0]);
        assert_eq!(calls.left(1000), Some(outer));
        calls.end(inner);
        calls.note(block(2));
        assert_eq!(owned(&calls), [2]);
    }
}
