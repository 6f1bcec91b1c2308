//! The file that is read, as MLIR's parser takes it: bytecode is checked, a portable artifact of
//! StableHLO becomes text.

use std::{ffi::c_char, panic, ptr, slice};

use comb_driver::{
    Compiler,
    load::{self, LoadError},
    source::Source,
};

/// A program as the parser takes it (`cpp/CombOptMain.cpp`).
#[repr(C)]
pub struct Input {
    bytes: *const c_char,
    size: usize,
    is_stablehlo: bool,
}

/// Looks at a file's content; false if it is refused, which has been said.
///
/// # Safety
/// `name` and `bytes` are that many bytes, and `input` can be written.
#[unsafe(no_mangle)]
unsafe extern "C" fn combOptInput(
    name: *const c_char,
    name_size: usize,
    bytes: *const c_char,
    size: usize,
    input: *mut Input,
) -> bool {
    // SAFETY: the caller's promise.
    let (name, bytes) = unsafe { (view(name, name_size), view(bytes, size)) };
    let name = String::from_utf8_lossy(name).into_owned();
    let bytes = bytes.to_vec();
    let read = panic::catch_unwind(|| load::readable(Source::new(name, bytes)));
    match read {
        Ok(Ok(source)) => {
            // SAFETY: the caller's promise.
            unsafe { ptr::write(input, kept(source)) };
            true
        }
        Ok(Err(error)) => says(&error),
        Err(_) => false,
    }
}

/// Says what the author of a program that was refused may have meant.
///
/// # Safety
/// `name` and `bytes` are that many bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn combOptHints(
    name: *const c_char,
    name_size: usize,
    bytes: *const c_char,
    size: usize,
) {
    // SAFETY: the caller's promise.
    let (name, bytes) = unsafe { (view(name, name_size), view(bytes, size)) };
    let name = String::from_utf8_lossy(name).into_owned();
    let source = Source::new(name, bytes.to_vec());
    let hints = panic::catch_unwind(|| load::hints(&Compiler::new(), source));
    for hint in hints.unwrap_or_default() {
        eprintln!("{hint}");
    }
}

/// # Safety
/// There are that many bytes.
unsafe fn view<'a>(bytes: *const c_char, size: usize) -> &'a [u8] {
    match size {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { slice::from_raw_parts(bytes.cast(), size) },
    }
}

fn says(error: &LoadError) -> bool {
    eprintln!("error: {error}");
    false
}

/// The program as long as the process lives.
fn kept(source: Source) -> Input {
    let source: &'static Source = Box::leak(Box::new(source));
    Input {
        bytes: source.bytes().as_ptr().cast(),
        size: source.bytes().len(),
        is_stablehlo: load::is_stablehlo(source),
    }
}
