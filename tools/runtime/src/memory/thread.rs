//! What each thread keeps for compiled code: blocks that it freed ([`Shelf`]), and what its
//! calls own ([`Calls`]).
//!
//! A thread gives it all back when it ends. A shared library gives back what all threads keep,
//! and its idle large blocks, when it is unloaded: whoever loads it again and again needs no more
//! memory than once. So nothing here has a destructor of Rust's, which would keep the library
//! loaded as long as the thread lives.
//!
//! A library is also "unloaded" when the process ends, while other threads may still be at work.
//! What one of them is just using is left to it; the others find that all is [`CLOSED`]. That
//! costs nothing while the library is in use: the order of a thread's `busy` and its look at
//! `CLOSED` is forced from the other side, by a barrier in all threads.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering, compiler_fence};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

use super::calls::Calls;
use super::large;
use super::small::Shelf;

/// What a thread keeps.
#[derive(Default)]
pub struct Thread {
    /// Small blocks that it freed.
    pub shelf: Shelf,
    /// The calls of compiled code that go on.
    pub calls: Calls,
    /// The thread's own [`This::busy`].
    busy: BusyFlag,
    previous: Link,
    next: Link,
}

/// Where a thread says that it is using what it keeps.
struct BusyFlag(*const AtomicBool);

impl Default for BusyFlag {
    fn default() -> Self {
        THIS.with(|this| Self(&raw const this.busy))
    }
}

/// Another thread in the list of all, or none.
struct Link(*mut Thread);

impl Default for Link {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

// SAFETY: links are only followed by whoever holds the lock of the list.
unsafe impl Send for Link {}

/// All that threads keep.
static THREADS: Mutex<Link> = Mutex::new(Link(ptr::null_mut()));

/// Whether the library is unloaded.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Where a thread finds what it keeps.
struct This {
    kept: Cell<*mut Thread>,
    /// Whether the thread is just using that.
    busy: AtomicBool,
}

thread_local! {
    static THIS: This = const {
        This {
            kept: Cell::new(ptr::null_mut()),
            busy: AtomicBool::new(false),
        }
    };
}

/// What is done with what this thread keeps; nothing if it keeps nothing yet.
///
/// The action must not call this again, nor fail.
pub fn with_present<T>(action: impl FnOnce(&mut Thread) -> T) -> Option<T> {
    THIS.with(|this| {
        if this.kept.get().is_null() {
            return None;
        }
        this.busy.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let done = (!is_closed()).then(|| {
            // SAFETY: what the thread keeps lives until it ends or all is closed, and nobody
            // else uses it while the thread is busy.
            action(unsafe { &mut *this.kept.get() })
        });
        this.busy.store(false, Ordering::Release);
        done
    })
}

/// Whether nothing is kept any more, since the library is unloaded.
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// As [`with_present`]; a thread that keeps nothing yet begins to, if there is memory.
pub fn with<T>(action: impl FnOnce(&mut Thread) -> T) -> Option<T> {
    if THIS.with(|this| this.kept.get().is_null()) {
        begin();
    }
    with_present(action)
}

fn threads() -> MutexGuard<'static, Link> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The key whose value is what a thread keeps, so that the system says when the thread ends.
fn key() -> Option<libc::pthread_key_t> {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is memory of our own.
        let status = unsafe { libc::pthread_key_create(&raw mut key, Some(end)) };
        (status == 0).then_some(key)
    })
}

#[cold]
fn begin() {
    at_unload();
    let Some(key) = key().filter(|_| !is_closed()) else {
        return;
    };
    // SAFETY: the memory has the size of what is written; it is the C library's, which says if
    // there is none.
    unsafe {
        let thread = libc::malloc(size_of::<Thread>()).cast::<Thread>();
        if thread.is_null() {
            return;
        }
        thread.write(Thread::default());
        if libc::pthread_setspecific(key, thread.cast()) != 0 {
            libc::free(thread.cast());
            return;
        }
        let mut first = threads();
        (*thread).next = Link(first.0);
        if let Some(next) = first.0.as_mut() {
            next.previous = Link(thread);
        }
        first.0 = thread;
        THIS.with(|this| this.kept.set(thread));
    }
}

/// Gives back what a thread keeps, when it ends.
unsafe extern "C" fn end(thread: *mut c_void) {
    let thread = thread.cast::<Thread>();
    let mut first = threads();
    if is_closed() {
        return;
    }
    THIS.with(|this| this.kept.set(ptr::null_mut()));
    // SAFETY: it is in the list, whose lock is held, until it is taken out here; the thread
    // itself gives it back, so nobody uses it.
    unsafe {
        let (previous, next) = ((*thread).previous.0, (*thread).next.0);
        match previous.as_mut() {
            Some(previous) => previous.next = Link(next),
            None => first.0 = next,
        }
        if let Some(next) = next.as_mut() {
            next.previous = Link(previous);
        }
        drop(first);
        give_back(thread);
    }
}

/// # Safety
///
/// Nobody uses what the thread keeps any more.
unsafe fn give_back(thread: *mut Thread) {
    // SAFETY: the caller's promise; it was made by `begin`.
    unsafe {
        let kept = thread.read();
        libc::free(thread.cast());
        for memory in kept.calls.into_owned() {
            if !large::free(memory) {
                libc::free(memory);
            }
        }
    }
}

unsafe extern "C" {
    /// What stands for this library, or this program.
    static __dso_handle: u8;

    fn __cxa_atexit(
        function: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
        library: *const c_void,
    ) -> c_int;
}

/// Has [`unload`] called when this library is unloaded.
pub fn at_unload() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: the function is part of the library that the handle stands for.
        unsafe { __cxa_atexit(unload, ptr::null_mut(), (&raw const __dso_handle).cast()) };
    });
}

/// Gives back what nobody uses.
unsafe extern "C" fn unload(_: *mut c_void) {
    let mut first = threads();
    CLOSED.store(true, Ordering::SeqCst);
    if let Some(key) = key() {
        // SAFETY: the key exists, and is not used again.
        unsafe { libc::pthread_key_delete(key) };
    }
    let own = THIS.with(|this| this.kept.get());
    let others_know = wait_for_all_threads();
    let mut next = std::mem::take(&mut *first).0;
    while !next.is_null() {
        let thread = next;
        // SAFETY: it is in the list, and what it is linked with lives; its thread has not ended.
        unsafe {
            next = (*thread).next.0;
            let is_busy = || (*(*thread).busy.0).load(Ordering::Acquire);
            if thread == own || (others_know && !is_busy()) {
                give_back(thread);
            }
        }
    }
    large::give_back_idle();
}

/// Waits until each thread of the process has seen what this one has written; says whether
/// the system can do that.
fn wait_for_all_threads() -> bool {
    let [barrier, registration] = [3, 4].map(|bit| 1 << bit);
    [registration, barrier].into_iter().all(|command: c_int| {
        // SAFETY: the system's call takes a command, flags and a processor, and no memory.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    })
}
