//! What compiled code calls when a check fails at run time.
//!
//! `comb_runtime_fail` fills the values into the message. In a parallel region, or
//! another guarded call ([`crate::parallel`]), the message is kept for whoever owns
//! that. Otherwise the error handler gets it; without one it is printed, and the
//! process ends with code 1. The first failure wins: threads that fail later wait, so that two
//! threads never report at once. A handler written in C may leave by
//! `longjmp`; no Rust destructor is pending in any frame below it then. The
//! thread that failed may fail again afterwards; that other threads may too,
//! the handler's owner must say with `comb_set_error_handler` or
//! `comb_clear_failure`. The latter, or the thread's next call, frees what the calls that
//! were left had allocated ([`crate::memory`]).

use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::panic;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::time::Duration;

use crate::{interrupt, memory, parallel};

/// Called with the message, which stays valid until the next failure, and with
/// the pointer that was installed with it.
pub type ErrorHandler = extern "C" fn(message: *const c_char, user: *mut c_void);

#[derive(Clone, Copy)]
struct Installed {
    handler: Option<ErrorHandler>,
    user: *mut c_void,
}

// SAFETY: the pointer is only handed back to the handler, whose installer
// vouches for it on every thread.
unsafe impl Send for Installed {}

static INSTALLED: Mutex<Installed> = Mutex::new(Installed {
    handler: None,
    user: ptr::null_mut(),
});

/// The identity of the thread whose failure is being reported, or 0.
static REPORTING_THREAD: AtomicU64 = AtomicU64::new(0);

/// The latest message; freed when the next one takes its place.
static LATEST_MESSAGE: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

/// `template` with each `{}` replaced by the next of `values`, and each `{{` by a
/// brace. A `{}` for which there is no value stays.
pub fn format_message(template: &str, values: &[i64]) -> String {
    let mut message = String::with_capacity(template.len());
    let mut values = values.iter();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        message.push_str(before);
        rest = if let Some(after) = after.strip_prefix('{') {
            message.push('{');
            after
        } else if let Some(after) = after.strip_prefix('}') {
            match values.next() {
                Some(value) => message.push_str(&value.to_string()),
                None => message.push_str("{}"),
            }
            after
        } else {
            message.push('{');
            after
        };
    }
    message.push_str(rest);
    message
}

/// Installs the handler for run-time errors of compiled code, or with none the
/// default, which prints `error: MESSAGE` to standard error and ends the process
/// with code 1. If a handler returns, the process ends with code 1 too.
#[unsafe(no_mangle)]
pub extern "C" fn comb_set_error_handler(handler: Option<ErrorHandler>, user: *mut c_void) {
    *INSTALLED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner()) = Installed { handler, user };
    REPORTING_THREAD.store(0, Ordering::Release);
}

/// Says that the latest failure was dealt with, so that any thread may report
/// the next one, and frees what the calls that it left on this thread had allocated. For
/// programs whose error handler leaves by `longjmp`.
///
/// It hands on where its caller's frame ends, which no function of Rust can ask for.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub extern "C" fn comb_clear_failure() {
    // The highest word of a frame that the same caller's other calls can have.
    std::arch::naked_asm!("lea rdi, [rsp - 8]", "jmp {cleared}", cleared = sym cleared)
}

/// As above.
#[cfg(not(target_arch = "x86_64"))]
#[unsafe(no_mangle)]
pub extern "C" fn comb_clear_failure() {
    // Lower than could be, so that what is freed may be less until the next call.
    cleared(psm::stack_pointer().addr());
}

extern "C" fn cleared(frame: usize) {
    memory::calls::sweep(frame);
    REPORTING_THREAD.store(0, Ordering::Release);
}

/// Reports a run-time error and does not return. Compiled code calls it.
///
/// # Safety
///
/// `message_template` is a NUL-terminated string, and `values` points to `count`
/// integers (or `count` is not positive).
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_fail(
    message_template: *const c_char,
    values: *const i64,
    count: i64,
) -> ! {
    // SAFETY: passed on from the caller.
    report(unsafe { message(message_template, values, count) })
}

/// Reports a run-time error with its message: leaves the guarded call that this is
/// in; outside of one hands the message to the handler.
pub(crate) fn report(message: CString) -> ! {
    let message = parallel::leave_guarded_call(message);
    claim_report();
    let message = store_message(message);
    let installed = installed();
    match installed.handler {
        Some(handler) => handler(message, installed.user),
        None => print_error(message),
    }
    end_process()
}

fn installed() -> Installed {
    *INSTALLED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Waits until no other thread is reporting.
fn claim_report() {
    let me = thread_identity();
    loop {
        match REPORTING_THREAD.compare_exchange(0, me, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return,
            Err(owner) if owner == me => return,
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// A number that no other living thread has; not 0.
fn thread_identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static IDENTITY: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    IDENTITY.with(|identity| *identity)
}

/// Fills the values into the template.
///
/// # Safety
///
/// As for [`comb_runtime_fail`].
unsafe fn message(template: *const c_char, values: *const i64, count: i64) -> CString {
    let formatted = panic::catch_unwind(|| {
        // SAFETY: the caller's promise.
        let template = unsafe { CStr::from_ptr(template) }.to_string_lossy();
        let values = match usize::try_from(count) {
            // SAFETY: the caller's promise.
            Ok(count) if count > 0 => unsafe { std::slice::from_raw_parts(values, count) },
            _ => &[],
        };
        CString::new(format_message(&template, values)).unwrap_or_default()
    });
    formatted.unwrap_or_default()
}

/// Puts the message where it outlives this call, so that a handler may jump away
/// from it.
fn store_message(message: CString) -> *const c_char {
    let message = message.into_raw();
    let previous = LATEST_MESSAGE.swap(message, Ordering::AcqRel);
    if !previous.is_null() {
        // SAFETY: it came from into_raw, and the swap made this the only owner.
        drop(unsafe { CString::from_raw(previous) });
    }
    message
}

fn print_error(message: *const c_char) {
    // SAFETY: the message was just made by store_message.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    // Standard error may be closed; there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

/// Prints an error and ends the process with code 1, from whichever thread, and without memory.
pub fn end_with_error(message: &str) -> ! {
    // One write, since other threads may end with an error, too.
    let mut line = [b' '; 512];
    let mut length = 0;
    for byte in ["error: ", message, "\n"]
        .iter()
        .flat_map(|part| part.bytes())
    {
        if let Some(place) = line.get_mut(length) {
            *place = byte;
            length += 1;
        }
    }
    line[length - 1] = b'\n';
    // SAFETY: the bytes are there. Nobody is left to tell if they cannot be written.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length) };
    interrupt::remove_temporaries();
    // SAFETY: ends the process; nothing comes after.
    unsafe { libc::_exit(1) }
}

/// Ends the process with code 1 from whichever thread. Exit handlers do not
/// run: they would tear down libraries (OpenMP's, for one) under threads that
/// are still at work.
fn end_process() -> ! {
    let _ = std::io::stdout().flush();
    // SAFETY: a null stream means all of C's output streams.
    unsafe { libc::fflush(ptr::null_mut()) };
    interrupt::remove_temporaries();
    // SAFETY: ends the process; nothing comes after.
    unsafe { libc::_exit(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_the_places_of_braces() {
        assert_eq!(
            format_message("index {} out of range 0..{}", &[-7, 10]),
            "index -7 out of range 0..10"
        );
        assert_eq!(format_message("{}{}", &[1]), "1{}");
        assert_eq!(format_message("no places", &[1, 2]), "no places");
        assert_eq!(format_message("{x} {}", &[3]), "{x} 3");
    }

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(format_message("a{{}.mlir: {}", &[3]), "a{}.mlir: 3");
        assert_eq!(format_message("{{{}}", &[3]), "{3}");
        assert_eq!(format_message("{{", &[3]), "{");
    }
}
