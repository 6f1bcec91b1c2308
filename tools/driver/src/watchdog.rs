//! Ends the process if LLVM does not come to an end.
//!
//! Nothing interrupts LLVM at work. So while a thread generates code, another one waits, and when
//! the time is over it asks the first, by a signal, what it is at work on, prints that, removes
//! half-written files and ends the process with code 1. Programs set a limit; for a library there
//! is none unless its host sets one, since it is the host's process that would end.

use std::{
    mem, ptr,
    sync::{
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use comb_runtime::failure;

use crate::{
    bridge,
    compile::{ENTRY_INFIX, LOCAL_PREFIX},
};

/// In seconds; 0 is no limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Ends the process with an error when LLVM takes longer for a part of a program's code; never, if
/// there is no limit.
pub fn limit_code_generation(seconds: Option<u64>) {
    LIMIT.store(seconds.unwrap_or(0), Ordering::Relaxed);
}

/// While it lives, the time of the thread that made it is limited.
pub(crate) struct Watch {
    /// The watching thread ends when this is gone.
    _end: Option<mpsc::Sender<()>>,
}

impl Watch {
    /// Begins to watch this thread. If there is no thread that could, nobody does.
    pub fn begin() -> Self {
        let seconds = LIMIT.load(Ordering::Relaxed);
        if seconds == 0 {
            return Self { _end: None };
        }
        let (end, ended) = mpsc::channel::<()>();
        // SAFETY: takes nothing.
        let watched = unsafe { libc::pthread_self() };
        let watch = move || {
            if ended.recv_timeout(Duration::from_secs(seconds)) == Err(RecvTimeoutError::Timeout) {
                failure::end_with_error(&message(&work_of(watched), seconds));
            }
        };
        let started = thread::Builder::new().spawn(watch);
        Self {
            _end: started.is_ok().then_some(end),
        }
    }
}

/// What is printed when the time is over.
fn message(work: &str, seconds: u64) -> String {
    let function = match function(work) {
        Some(name) => format!(" of function {name}"),
        None => String::new(),
    };
    format!(
        "LLVM has not come to an end with the code{function} after {seconds} s, which is a fault of \
         LLVM or needs a greater --compile-limit; with another -O it may succeed"
    )
}

/// The function that is named first, as programs call it.
fn function(work: &str) -> Option<String> {
    let (_, name) = work.split_once("on function ")?;
    let name = name.trim_start_matches(['\'', '"', '@']);
    let name = name.split(['\'', '"', '\n']).next()?;
    let local = name.strip_prefix(LOCAL_PREFIX);
    let entry = || Some(name.split_once(ENTRY_INFIX)?.1);
    Some(format!("@{}", local.or_else(entry).unwrap_or(name)))
}

/// The signal that asks a thread for its work.
const ASK: libc::c_int = libc::SIGUSR2;

/// How long an answer may take: the thread may hold what it needs to give one.
const PATIENCE: Duration = Duration::from_secs(2);

/// What fits an answer.
const SIZE: usize = 2048;

static mut ANSWER: [u8; SIZE] = [0; SIZE];

/// How much of the answer there is.
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// What LLVM does in a thread, or nothing if there is no answer.
fn work_of(thread: libc::pthread_t) -> String {
    // SAFETY: the action is valid, and the thread lives: the one that it made waits for it.
    let asked = unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_sigaction = answer as *const () as usize;
        libc::sigaction(ASK, &action, ptr::null_mut()) == 0 && libc::pthread_kill(thread, ASK) == 0
    };
    let pause = Duration::from_millis(10);
    let mut left = PATIENCE;
    while asked && LENGTH.load(Ordering::Acquire) == 0 && !left.is_zero() {
        thread::sleep(pause);
        left = left.saturating_sub(pause);
    }
    let length = LENGTH.load(Ordering::Acquire);
    // SAFETY: the answer is written once, before its length.
    let answer = unsafe { &*ptr::addr_of!(ANSWER) };
    String::from_utf8_lossy(&answer[..length]).into_owned()
}

extern "C" fn answer(_signal: libc::c_int) {
    // SAFETY: only the thread that was asked writes here, once.
    let answer = unsafe { &mut *ptr::addr_of_mut!(ANSWER) };
    LENGTH.store(bridge::work_of_thread(answer), Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_is_named_as_in_the_program() {
        let work = "Running pass 'X86 DAG->DAG Instruction Selection' on function '@comb.f'\n\
                    Running pass 'Function Pass Manager' on module 'x'.\n";
        assert_eq!(function(work).as_deref(), Some("@f"));
        let work = "Running pass \"gvn\" on function \"lib_entry_f\"\n";
        assert_eq!(function(work).as_deref(), Some("@f"));
        assert_eq!(function("Running pass 'x' on module 'y'."), None);
    }

    /// Set in a process of its own that is to be ended.
    const CHILD: &str = "COMB_TEST_WATCHED";

    #[test]
    fn the_process_ends_when_the_time_is_over() {
        if std::env::var_os(CHILD).is_some() {
            limit_code_generation(Some(1));
            let _watch = Watch::begin();
            loop {
                thread::sleep(PATIENCE);
            }
        }
        let test = "watchdog::tests::the_process_ends_when_the_time_is_over";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let child = child.args([test, "--exact", "--nocapture"]).env(CHILD, "1");
        let output = child.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(
            printed.contains("error: LLVM has not come to an end"),
            "{printed}"
        );
    }

    #[test]
    fn the_message_names_the_function() {
        let text = message("on function '@comb.f'", 5);
        assert!(
            text.starts_with("LLVM has not come to an end with the code of function @f after 5 s")
        );
    }
}
