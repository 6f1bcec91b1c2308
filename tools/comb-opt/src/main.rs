//! `comb-opt`: runs passes on MLIR files, with every flag of `mlir-opt`.

use std::{
    env,
    ffi::{CString, c_char, c_int},
    os::unix::ffi::OsStringExt,
    process,
};

// The crates whose native libraries the driver is made of.
use comb_passes as _;
use soac_dialect as _;

unsafe extern "C" {
    fn combOptMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

fn main() {
    let arguments: Vec<CString> = env::args_os()
        .map(|argument| {
            CString::new(argument.into_vec()).expect("arguments of a process contain no NUL")
        })
        .collect();
    let mut pointers: Vec<*const c_char> =
        arguments.iter().map(|argument| argument.as_ptr()).collect();
    pointers.push(std::ptr::null());
    // SAFETY: argc and argv are as in C: NUL-terminated strings, followed by a
    // null pointer, alive until the call returns.
    let status = unsafe { combOptMain(arguments.len() as c_int, pointers.as_ptr()) };
    process::exit(status);
}
