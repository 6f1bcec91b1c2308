//! What comb's MLIR tools have in common: they know the same dialects, passes
//! and pipelines (`cpp/Registration.cpp`), and start with MLIR's main
//! functions.

#![warn(missing_docs)]

use std::{
    env,
    ffi::{CString, c_char, c_int},
    os::unix::ffi::OsStringExt,
    process, ptr,
};

// The crates whose native libraries the tools are made of.
use comb_passes as _;
use soac_dialect as _;

/// A main function in C++.
pub type NativeMain = unsafe extern "C" fn(c_int, *const *const c_char) -> c_int;

/// Runs a main function with the process's arguments, and exits with its
/// status.
///
/// # Safety
///
/// The function must be one that takes `argc` and `argv` as C's `main` does.
pub unsafe fn run(native_main: NativeMain) -> ! {
    let arguments: Vec<CString> = env::args_os()
        .map(|argument| {
            CString::new(argument.into_vec()).expect("arguments of a process contain no NUL")
        })
        .collect();
    let mut pointers: Vec<*const c_char> =
        arguments.iter().map(|argument| argument.as_ptr()).collect();
    pointers.push(ptr::null());
    // SAFETY: argc and argv are as in C: NUL-terminated strings, followed by a
    // null pointer, alive until the call returns; the rest is the caller's
    // promise.
    let status = unsafe { native_main(arguments.len() as c_int, pointers.as_ptr()) };
    process::exit(status);
}
