//! `comb-lsp-server`: what an editor asks about MLIR files, with every flag of
//! `mlir-lsp-server`, and with the documentation of `soac`.

mod completion;
mod documentation;
mod frames;
mod layer;

use std::{
    env,
    ffi::{OsString, c_char, c_int},
    process::ExitCode,
};

unsafe extern "C" {
    fn combLspServerMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if layer::is_unwanted(&arguments) {
        // SAFETY: the function, defined in cpp/CombLspServerMain.cpp, is a main function.
        unsafe { comb_registration::run(combLspServerMain) }
    }
    layer::run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
