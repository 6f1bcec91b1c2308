//! Removes half-written temporary files when the process is interrupted.
//!
//! A signal handler may not allocate or lock, so the paths wait as C strings
//! in a fixed table of atomic pointers. Whoever swaps a pointer out of its
//! slot owns the string; the handler never frees one.

use std::ffi::{CString, c_char, c_int};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Files written at the same time beyond this number are not removed on an
/// interrupt.
const SLOTS: usize = 256;

static TEMPORARIES: [AtomicPtr<c_char>; SLOTS] = [const { AtomicPtr::new(ptr::null_mut()) }; SLOTS];

/// While it lives, an interrupt removes the file at its path.
pub(crate) struct Registration {
    slot: Option<usize>,
}

impl Registration {
    pub(crate) fn new(path: &Path) -> Registration {
        Registration {
            slot: absolute_c_path(path).and_then(occupy_slot),
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            let path = TEMPORARIES[slot].swap(ptr::null_mut(), Ordering::AcqRel);
            if !path.is_null() {
                // SAFETY: the pointer came from CString::into_raw, and the swap
                // made this the only owner.
                drop(unsafe { CString::from_raw(path) });
            }
        }
    }
}

fn absolute_c_path(path: &Path) -> Option<CString> {
    let path = std::path::absolute(path).ok()?;
    CString::new(path.as_os_str().as_bytes()).ok()
}

fn occupy_slot(path: CString) -> Option<usize> {
    let path = path.into_raw();
    let slot = TEMPORARIES.iter().position(|slot| {
        slot.compare_exchange(ptr::null_mut(), path, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    });
    if slot.is_none() {
        // SAFETY: the pointer came from into_raw above and is in no slot.
        drop(unsafe { CString::from_raw(path) });
    }
    slot
}

/// Removes every registered file. Async-signal-safe; for a process that is
/// about to end.
pub(crate) fn remove_temporaries() {
    for slot in &TEMPORARIES {
        let path = slot.swap(ptr::null_mut(), Ordering::AcqRel);
        if !path.is_null() {
            // SAFETY: a NUL-terminated string that nobody frees any more.
            unsafe { libc::unlink(path) };
        }
    }
}

/// From now on a write beyond the largest size that the system allows for files fails, where
/// SIGXFSZ would end the process.
pub fn fail_large_writes() {
    // SAFETY: the disposition is one of the system's.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// From now on SIGINT, SIGTERM and SIGHUP remove the temporary files of this
/// library and end the process with the code 128 + signal. A signal that the
/// process was started to ignore (as under `nohup`) stays ignored. Further
/// calls do nothing.
pub fn install_interrupt_cleanup() -> io::Result<()> {
    static INSTALLED: Once = Once::new();
    let mut result = Ok(());
    INSTALLED.call_once(|| {
        result = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP]
            .into_iter()
            .filter(|&signal| !is_ignored(signal))
            .try_for_each(install);
    });
    result
}

fn install(signal: c_int) -> io::Result<()> {
    let action = move || {
        remove_temporaries();
        // SAFETY: _exit is async-signal-safe.
        unsafe { libc::_exit(128 + signal) }
    };
    // SAFETY: the action only swaps atomics and calls unlink and _exit, all of
    // them async-signal-safe.
    unsafe { signal_hook::low_level::register(signal, action) }.map(|_| ())
}

fn is_ignored(signal: c_int) -> bool {
    // SAFETY: sigaction is plain data for which zeros are valid.
    let mut current: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: a null action only asks; `current` is valid for writing.
    let status = unsafe { libc::sigaction(signal, ptr::null(), &mut current) };
    status == 0 && current.sa_sigaction == libc::SIG_IGN
}
