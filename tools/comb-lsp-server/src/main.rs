//! `comb-lsp-server`: what an editor asks about MLIR files, with every flag of
//! `mlir-lsp-server`.

use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn combLspServerMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

fn main() {
    // SAFETY: the function, defined in cpp/CombLspServerMain.cpp, is a main function.
    unsafe { comb_registration::run(combLspServerMain) }
}
