//! What comb's MLIR tools have in common: they know the same dialects, passes
//! and pipelines (`cpp/Registration.cpp`), and start with MLIR's main
//! functions.

#![warn(missing_docs)]

use std::{
    env,
    ffi::{CString, OsStr, OsString, c_char, c_int},
    fs::Metadata,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::MetadataExt,
    },
    path::Path,
    process, ptr,
};

// The crates whose native libraries the tools are made of.
use comb_passes as _;
use nest_dialect as _;
use soac_dialect as _;

unsafe extern "C" {
    fn combReportFatalErrors();
}

/// A main function in C++.
pub type NativeMain = unsafe extern "C" fn(c_int, *const *const c_char) -> c_int;

/// Runs a main function with the process's arguments, and exits with its
/// status.
///
/// # Safety
///
/// The function must be one that takes `argc` and `argv` as C's `main` does.
pub unsafe fn run(native_main: NativeMain) -> ! {
    if let Some(file) = overwritten(&env::args_os().skip(1).collect::<Vec<_>>()) {
        eprintln!("error: '{}' is both read and written", file.display());
        process::exit(1);
    }
    comb_oracles::provide();
    // SAFETY: nothing has another handler yet.
    unsafe { combReportFatalErrors() }
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

/// The file that is written if it is one of those that are read, by whatever path. (Where LLVM maps
/// what it reads into memory, it would read what it writes.)
fn overwritten(arguments: &[OsString]) -> Option<&Path> {
    let mut output = None;
    let mut inputs = vec![];
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let bytes = argument.as_bytes();
        let value = ["-o=", "--o="]
            .iter()
            .find_map(|flag| bytes.strip_prefix(flag.as_bytes()));
        match (bytes, value) {
            (b"-o" | b"--o", _) => output = rest.next().map(Path::new),
            (_, Some(path)) => output = Some(Path::new(OsStr::from_bytes(path))),
            ([b'-', ..], None) => {}
            (_, None) => inputs.push(Path::new(argument)),
        }
    }
    let written = identity(output?)?;
    let is_written = inputs.iter().any(|input| identity(input) == Some(written));
    is_written.then_some(output?)
}

/// What all paths of a regular file have in common.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = path.metadata().ok().filter(Metadata::is_file)?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_read_is_not_written() {
        let folder = env::temp_dir().join(format!("comb-registration-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.mlir");
        fs::write(&file, "module {}").unwrap();
        let other = folder
            .join("./../")
            .join(folder.file_name().unwrap())
            .join("a.mlir");
        let arguments = |output: &Path| -> Vec<OsString> {
            vec![
                file.clone().into(),
                "--cse".into(),
                "-o".into(),
                output.into(),
            ]
        };
        assert_eq!(overwritten(&arguments(&other)), Some(&*other));
        assert_eq!(overwritten(&arguments(&folder.join("b.mlir"))), None);
        let joined = [
            file.clone().into(),
            OsString::from(format!("-o={}", file.display())),
        ];
        assert_eq!(overwritten(&joined), Some(&*file));
        fs::remove_dir_all(&folder).unwrap();
    }
}
