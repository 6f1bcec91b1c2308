//! Parallel regions of compiled code, and calls that a failure can leave.
//!
//! A *region* is a word of memory that its chunks share: null, or the message of
//! the first failure. A failure inside a guarded call (`c/guard.c`) is put there and
//! leaves the call; whoever owns the region looks there afterwards:
//!
//! * Each thread of a parallel loop ([`team`](crate::team)) goes through chunks. Chunks that have not begun when one fails are left out. Behind the loop, the
//!   failure is reported on the thread that started it. So no thread leaves the loop but
//!   through its end, and OpenMP never knows.
//! * [`guarded_call`] is for programs that call compiled code and want to go on
//!   after a failure: a region with one chunk.
//!
//! Regions nest. What a guarded call has allocated when a failure leaves it is freed.
//!
//! Chunks of a scan wait for what the chunks before them found out:
//! `comb_runtime_wait` and `comb_runtime_signal`, on an array of flags. A wait in a
//! region that has failed leaves its chunk, since its signal may never come.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

use crate::abi::Entry;
use crate::failure;
use crate::memory::calls;

/// The word that the chunks of a region share.
#[repr(transparent)]
pub struct Region {
    failure: AtomicPtr<c_char>,
}

/// What a chunk does: given its region and its number.
pub type Chunk = unsafe extern "C-unwind" fn(region: *const Region, index: i64);

unsafe extern "C-unwind" {
    fn comb_guard_call(
        body: unsafe extern "C-unwind" fn(*const c_void),
        argument: *const c_void,
        region: *const Region,
    ) -> c_int;
    safe fn comb_guard_region() -> *const Region;
    fn comb_guard_leave() -> !;
    fn comb_note_release(address: *const AtomicI64);
    fn comb_note_acquire(address: *const AtomicI64);
}

impl Region {
    pub(crate) const fn new() -> Self {
        Self {
            failure: AtomicPtr::new(ptr::null_mut()),
        }
    }

    fn failed(&self) -> bool {
        !self.failure.load(Ordering::Acquire).is_null()
    }

    /// Keeps the first failure; the message is that of [`CString::into_raw`].
    fn record(&self, message: *mut c_char) {
        let first = self.failure.compare_exchange(
            ptr::null_mut(),
            message,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        if first.is_err() {
            // SAFETY: the message came from into_raw, and nobody else has it.
            drop(unsafe { CString::from_raw(message) });
        }
    }

    fn take(&self) -> Option<CString> {
        let message = self.failure.swap(ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: what `record` keeps came from into_raw; the swap made this the
        // only owner.
        (!message.is_null()).then(|| unsafe { CString::from_raw(message) })
    }
}

/// The region of the innermost guarded call on this thread.
fn current_region() -> Option<&'static Region> {
    // SAFETY: the region outlives the guarded calls in it, and so what this
    // thread does in the innermost.
    unsafe { comb_guard_region().as_ref() }
}

/// In a guarded call, keeps the message in its region and leaves it. Elsewhere
/// gives the message back.
pub(crate) fn leave_guarded_call(message: CString) -> CString {
    let Some(region) = current_region() else {
        return message;
    };
    region.record(message.into_raw());
    // SAFETY: there is a guarded call; nothing in this frame, nor in those of
    // its callers up to compiled code, has yet to be dropped.
    unsafe { comb_guard_leave() }
}

/// Calls `body(argument)` in a region, until it returns or a failure leaves it. The argument is
/// a part of the caller's frame.
///
/// # Safety
///
/// The region is a living one, and the argument what the body takes; a failure drops nothing that
/// it jumps over.
unsafe fn guard(
    body: unsafe extern "C-unwind" fn(*const c_void),
    argument: *const c_void,
    region: *const Region,
) {
    let call = calls::begin(argument.addr());
    // SAFETY: the caller's promise.
    match unsafe { comb_guard_call(body, argument, region) } {
        0 => calls::end(call),
        _ => calls::abandon(call),
    }
}

/// What a thread does in a region.
struct Share<I> {
    chunk: Chunk,
    region: *const Region,
    indices: I,
}

/// Calls a chunk function for the chunks of a thread, until its region fails.
///
/// # Safety
///
/// The region is a living one; the chunk function is for it.
pub(crate) unsafe fn run_chunks<I: Iterator<Item = i64>>(
    chunk: Chunk,
    region: *const Region,
    indices: I,
) {
    unsafe extern "C-unwind" fn run<I: Iterator<Item = i64>>(share: *const c_void) {
        // SAFETY: the call below passes a share, which outlives this and which nobody else uses.
        let share = unsafe { &mut *share.cast::<Share<I>>().cast_mut() };
        for index in &mut share.indices {
            // SAFETY: the promise of the caller below.
            unsafe {
                if (*share.region).failed() {
                    break;
                }
                (share.chunk)(share.region, index);
            }
        }
    }
    let mut share = Share {
        chunk,
        region,
        indices,
    };
    // SAFETY: the caller's promise; a failure drops nothing that it jumps over.
    unsafe { guard(run::<I>, (&raw mut share).cast(), region) };
    finish_stores();
}

/// Other threads see what this one has written past the caches before they see anything that it
/// writes later. Compiled code calls it behind loops that no threads share.
#[unsafe(no_mangle)]
pub extern "C" fn comb_runtime_finish_stores() {
    finish_stores();
}

pub(crate) fn finish_stores() {
    // SAFETY: all CPUs of this kind have the instruction.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::sync::atomic::fence(Ordering::SeqCst);
}

/// Reports the failure of a region, if there was one.
///
/// # Safety
///
/// The region is a living one.
pub(crate) unsafe fn end_region(region: *const Region) {
    // SAFETY: the caller's promise.
    if let Some(message) = unsafe { (*region).take() } {
        failure::report(message);
    }
}

/// A call of compiled code.
struct GuardedCall {
    entry: Entry,
    arguments: *const *mut c_void,
}

/// Calls compiled code. A run-time error comes back as its message, and what the
/// code had allocated is freed.
///
/// # Errors
///
/// The message of a run-time error.
///
/// # Safety
///
/// `entry` is a compiled entry point, and the arguments are as it expects them.
pub unsafe fn guarded_call(entry: Entry, arguments: *const *mut c_void) -> Result<(), String> {
    unsafe extern "C-unwind" fn run(call: *const c_void) {
        let call = call.cast::<GuardedCall>();
        // SAFETY: it is the call below, which is alive.
        unsafe { ((*call).entry)((*call).arguments) }
    }
    let region = Region::new();
    let call = GuardedCall { entry, arguments };
    // SAFETY: the caller's promise; a failure drops nothing that it jumps over.
    unsafe { guard(run, (&raw const call).cast(), &raw const region) };
    match region.take() {
        None => Ok(()),
        Some(message) => Err(message.to_string_lossy().into_owned()),
    }
}

/// MLIR's descriptor of an array of flags.
#[repr(C)]
pub struct Flags {
    allocated: *mut i64,
    aligned: *mut AtomicI64,
    offset: i64,
    size: i64,
    stride: i64,
}

impl Flags {
    /// # Safety
    ///
    /// The descriptor is that of a living array, in which the index is.
    unsafe fn flag(&self, index: i64) -> &AtomicI64 {
        let position = self.offset + index * self.stride;
        // SAFETY: the caller's promise.
        unsafe { &*self.aligned.offset(position as isize) }
    }
}

/// How often a flag is looked at before the thread lets others run.
const SPINS: u32 = 1000;

/// Sets a flag: all that this thread wrote before can be seen by those that
/// waited for the flag.
///
/// # Safety
///
/// The flags are those of a living array, in which the index is.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn _mlir_ciface_comb_runtime_signal(flags: *const Flags, index: i64) {
    // SAFETY: the caller's promise.
    let flag = unsafe { (*flags).flag(index) };
    // SAFETY: only the address is used.
    unsafe { comb_note_release(flag) };
    flag.store(1, Ordering::Release);
}

/// Waits until a flag, which was 0 at first, is set. In a region that has failed
/// leaves the chunk.
///
/// # Safety
///
/// As for `comb_runtime_signal`; and somebody sets the flag, or fails.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn _mlir_ciface_comb_runtime_wait(flags: *const Flags, index: i64) {
    // SAFETY: the caller's promise.
    let flag = unsafe { (*flags).flag(index) };
    let mut spins = 0;
    while flag.load(Ordering::Acquire) == 0 {
        if current_region().is_some_and(Region::failed) {
            // SAFETY: there is a guarded call; nothing here has to be dropped.
            unsafe { comb_guard_leave() }
        }
        if spins < SPINS {
            spins += 1;
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
    // SAFETY: only the address is used.
    unsafe { comb_note_acquire(flag) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::comb_runtime_fail;
    use std::sync::atomic::AtomicUsize;

    /// What the chunks of a test share.
    #[repr(C)]
    struct Shared {
        region: Region,
        begun: AtomicUsize,
    }

    impl Shared {
        fn new() -> Self {
            Self {
                region: Region::new(),
                begun: AtomicUsize::new(0),
            }
        }

        fn region(&self) -> *const Region {
            (&raw const *self).cast()
        }
    }

    fn fail(value: i64) -> ! {
        // SAFETY: the template is NUL-terminated, and there is one value.
        unsafe { comb_runtime_fail(c"chunk {} fails".as_ptr(), &value, 1) }
    }

    unsafe extern "C-unwind" fn fails_from_three(shared: *const Region, index: i64) {
        // SAFETY: the tests pass a `Shared`.
        unsafe { &*shared.cast::<Shared>() }
            .begun
            .fetch_add(1, Ordering::Relaxed);
        if index >= 3 {
            fail(index);
        }
    }

    #[test]
    fn chunks_after_a_failure_are_left_out() {
        let shared = Shared::new();
        for first in [0, 5] {
            // SAFETY: the region is that of the chunk function.
            unsafe { run_chunks(fails_from_three, shared.region(), first..10) };
        }
        assert_eq!(shared.begun.load(Ordering::Relaxed), 4);
        assert_eq!(shared.region.take().unwrap(), *c"chunk 3 fails");
    }

    #[test]
    fn the_end_of_a_region_fails_on_the_calling_thread() {
        unsafe extern "C" fn entry(_: *const *mut c_void) {
            let shared = Shared::new();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    // SAFETY: the region is that of the chunk function.
                    unsafe { run_chunks(fails_from_three, shared.region(), 7..8) };
                });
            });
            // SAFETY: as above.
            unsafe { end_region(shared.region()) };
        }
        // SAFETY: the entry takes no arguments.
        let outcome = unsafe { guarded_call(entry, ptr::null()) };
        assert_eq!(outcome, Err("chunk 7 fails".to_owned()));
    }

    #[test]
    fn a_chunk_waits_for_a_signal_or_a_failure() {
        #[repr(C)]
        struct Chained {
            region: Region,
            flags: Flags,
        }
        unsafe extern "C-unwind" fn chained(chained: *const Region, index: i64) {
            // SAFETY: the test passes a `Chained`; the index is in its array.
            unsafe {
                let flags = &raw const (*chained.cast::<Chained>()).flags;
                if index > 0 {
                    _mlir_ciface_comb_runtime_wait(flags, index - 1);
                }
                if index == 2 {
                    fail(index);
                }
                _mlir_ciface_comb_runtime_signal(flags, index);
            }
        }
        // SAFETY: the flags outlive the threads.
        unsafe impl Sync for Chained {}
        let mut array = [0_i64; 5];
        let shared = Chained {
            region: Region::new(),
            flags: Flags {
                allocated: array.as_mut_ptr(),
                aligned: array.as_mut_ptr().cast(),
                offset: 0,
                size: 5,
                stride: 1,
            },
        };
        let shared = &shared;
        std::thread::scope(|scope| {
            for index in (0..5).rev() {
                scope.spawn(move || {
                    let region = (&raw const *shared).cast();
                    // SAFETY: the region is that of the chunk function.
                    unsafe { run_chunks(chained, region, index..index + 1) };
                });
            }
        });
        assert_eq!(shared.region.take().unwrap(), *c"chunk 2 fails");
        assert_eq!(array, [1, 1, 0, 0, 0]);
    }
}
