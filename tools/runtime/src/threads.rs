//! How many threads parallel loops of compiled code run on: as many as
//! `OMP_NUM_THREADS` says, or else as there are cores, unless a program says it here.
//!
//! LLVM's OpenMP ends the process if `OMP_NUM_THREADS` is empty, or says more threads than the
//! system lets it start. So before the first team, and before each that is larger than all
//! before, it is found out whether there can be one ([`ensure`]), which otherwise is a run-time
//! error. Threads are started to find out, but only where there is doubt: where there are more
//! of them than cores, or the environment says how large their stacks are. Else the cost is an
//! atomic load for each parallel loop.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::ptr;
use std::sync::RwLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use libc::pthread_t;

use crate::Value;

/// How many threads may be asked for.
pub const COUNTS: RangeInclusive<i64> = 1..=1024;

/// The environment's number of threads.
const VARIABLE: &str = "OMP_NUM_THREADS";

/// Variables that say how large the stacks of OpenMP's threads are.
const STACK_VARIABLES: [&str; 3] = ["OMP_STACKSIZE", "KMP_STACKSIZE", "GOMP_STACKSIZE"];

/// What OpenMP's threads have if it does not say.
const USUAL_STACK: usize = 8 << 20;

/// Why there can be no team.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTeam {
    /// The environment does not say a number of threads.
    #[error(
        "{VARIABLE} is \"{value}\"; a number of threads from {} to {} is expected",
        COUNTS.start(), COUNTS.end()
    )]
    Variable {
        /// What it says.
        value: String,
    },
    /// The system does not let this process have so many threads.
    #[error(
        "the system does not start {wanted} threads for this process, but {started}; say a \
         smaller number with {VARIABLE} or --threads"
    )]
    Threads {
        /// How many a team has.
        wanted: i32,
        /// How many there can be.
        started: usize,
    },
}

/// A number of threads on the command line.
///
/// # Errors
///
/// If it is none that can be asked for.
pub fn parse_count(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .ok()
        .filter(|count: &NonZeroU32| COUNTS.contains(&i64::from(count.get())))
        .ok_or_else(|| {
            let (least, most) = (COUNTS.start(), COUNTS.end());
            format!("a number from {least} to {most} is expected")
        })
}

/// Sets the number of threads for parallel loops that this thread starts from now
/// on. Where OpenMP is not loaded, there are no such loops, and nothing is done.
///
/// # Errors
///
/// If OpenMP would end the process because of what the environment says.
pub fn set_thread_count(count: NonZeroU32) -> Result<(), NoTeam> {
    // SAFETY: the name is NUL-terminated; the symbol is only looked for.
    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"omp_set_num_threads".as_ptr()) };
    if function.is_null() {
        return Ok(());
    }
    check_variable()?;
    let count = c_int::try_from(count.get()).unwrap_or(c_int::MAX);
    // SAFETY: this is the type that OpenMP gives the function.
    unsafe {
        let set: unsafe extern "C" fn(c_int) = std::mem::transmute(function);
        set(count);
    }
    Ok(())
}

/// With no more bytes in arrays, a loop is likely to be one chunk, which no thread is started for.
const FEW_BYTES: usize = 64 << 10;

/// Starts the threads of parallel loops, which the first loop of a call with these arguments would
/// otherwise wait for. Where OpenMP is not loaded, there are no such loops; and where all arrays are
/// small, loops hardly need threads. Nothing is done then. Gives whether it was.
///
/// # Errors
///
/// If OpenMP would end the process.
pub fn start_team(arguments: &[Value]) -> Result<bool, NoTeam> {
    let arrays = arguments.iter().filter_map(|argument| match argument {
        Value::Array(array) => Some(array.bytes().len()),
        Value::Scalar(..) => None,
    });
    let largest = arrays.max();
    if largest.is_some_and(|bytes| bytes <= FEW_BYTES) {
        return Ok(false);
    }
    type Task = extern "C" fn(*mut c_void);
    extern "C" fn nothing(_: *mut c_void) {}
    // SAFETY: the names are NUL-terminated; the symbols are only looked for.
    let [most_threads, parallel] = [c"omp_get_max_threads", c"GOMP_parallel"]
        .map(|name| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) });
    if most_threads.is_null() || parallel.is_null() {
        return Ok(false);
    }
    // SAFETY: these are the types that OpenMP gives the functions, and the task needs no data.
    unsafe {
        let most_threads: unsafe extern "C" fn() -> c_int = std::mem::transmute(most_threads);
        ensure(|| most_threads())?;
        let parallel: unsafe extern "C" fn(Task, *mut c_void, u32, u32) =
            std::mem::transmute(parallel);
        parallel(nothing, ptr::null_mut(), 0, 0);
    }
    Ok(true)
}

/// The largest team that there can be, as far as is known; 0 before the first one.
static LARGEST: AtomicI32 = AtomicI32::new(0);

/// How many threads a team would have, which OpenMP is asked for, if there can be one.
///
/// # Errors
///
/// If OpenMP would end the process.
pub(crate) fn ensure(most_threads: impl FnOnce() -> i32) -> Result<i32, NoTeam> {
    let largest = LARGEST.load(Ordering::Relaxed);
    if largest == 0 {
        check_variable()?;
    }
    let threads = most_threads();
    if threads > largest {
        check_system(threads)?;
        LARGEST.fetch_max(threads, Ordering::Relaxed);
    }
    Ok(threads)
}

/// Checks what the environment says.
pub(crate) fn check_variable() -> Result<(), NoTeam> {
    match std::env::var_os(VARIABLE) {
        None => Ok(()),
        Some(value) => check_value(&value.to_string_lossy()),
    }
}

/// Checks numbers of threads, one for each level of parallel loops.
fn check_value(value: &str) -> Result<(), NoTeam> {
    let is_count = |text: &str| {
        let count = text.trim().parse::<i64>();
        count.is_ok_and(|count| COUNTS.contains(&count))
    };
    match value.split(',').all(is_count) {
        true => Ok(()),
        false => Err(NoTeam::Variable {
            value: value.to_owned(),
        }),
    }
}

fn check_system(threads: i32) -> Result<(), NoTeam> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let others = usize::try_from(threads).unwrap_or(0).saturating_sub(1);
    let says_stack = STACK_VARIABLES
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if others < cores && !says_stack {
        return Ok(());
    }
    let started = start(others, stack_size());
    match started == others {
        true => Ok(()),
        false => Err(NoTeam::Threads {
            wanted: threads,
            started: started + 1,
        }),
    }
}

/// How large the stacks of OpenMP's threads are.
fn stack_size() -> usize {
    // SAFETY: the name is NUL-terminated; the symbol is only looked for.
    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"kmp_get_stacksize_s".as_ptr()) };
    if function.is_null() {
        return USUAL_STACK;
    }
    // SAFETY: this is the type that LLVM's OpenMP gives the function.
    unsafe {
        let size: unsafe extern "C" fn() -> usize = std::mem::transmute(function);
        size()
    }
}

/// Starts threads that are there at the same time, and gives how many there could be.
///
/// They are the system's, not Rust's: to start one of Rust's registers a destructor for the calling
/// thread, which would keep a library that is unloaded in memory.
fn start(wanted: usize, stack: usize) -> usize {
    let gate = RwLock::new(());
    let closed = gate.write();
    let threads: Vec<pthread_t> = (0..wanted).map_while(|_| start_one(&gate, stack)).collect();
    drop(closed);
    for &thread in &threads {
        // SAFETY: the thread was started, and nobody else joins it.
        unsafe { libc::pthread_join(thread, ptr::null_mut()) };
    }
    threads.len()
}

/// Starts a thread that ends when the gate opens; nothing if the system does not.
fn start_one(gate: &RwLock<()>, stack: usize) -> Option<pthread_t> {
    extern "C" fn wait(gate: *mut c_void) -> *mut c_void {
        // SAFETY: who started the thread waits for its end, and keeps the gate until then.
        let gate = unsafe { &*gate.cast::<RwLock<()>>() };
        drop(gate.read());
        ptr::null_mut()
    }
    let mut thread = MaybeUninit::uninit();
    let mut attributes = MaybeUninit::uninit();
    let gate = ptr::from_ref(gate).cast_mut().cast();
    // SAFETY: the attributes are initialised before they are used, and destroyed after; a thread
    // that was started is initialised.
    unsafe {
        if libc::pthread_attr_init(attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let started = libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack) == 0
            && libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), wait, gate) == 0;
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        started.then(|| thread.assume_init())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_are_those_that_can_be_had() {
        for value in ["1", "1024", " 4 ", "4,2", "4, 2"] {
            assert_eq!(check_value(value), Ok(()), "{value}");
        }
        for value in [
            "",
            " ",
            "0",
            "-1",
            "1025",
            "x",
            "4,",
            ",4",
            "4 2",
            "1e3",
            "99999999999999999999",
        ] {
            let value = value.to_owned();
            assert_eq!(check_value(&value.clone()), Err(NoTeam::Variable { value }));
        }
    }

    #[test]
    fn threads_are_there_at_the_same_time() {
        assert_eq!(start(0, 1 << 20), 0);
        assert_eq!(start(20, 1 << 20), 20);
        assert_eq!(start(2, usize::MAX / 2), 0);
    }

    #[test]
    fn a_team_is_asked_for_once_it_can_be() {
        assert_eq!(ensure(|| 3), Ok(3));
        assert!(LARGEST.load(Ordering::Relaxed) >= 3);
        assert_eq!(ensure(|| 1), Ok(1));
    }
}
