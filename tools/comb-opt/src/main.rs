//! `comb-opt`: runs passes on MLIR files, with every flag of `mlir-opt`.

mod input;

use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn combOptMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

fn main() {
    // SAFETY: the function, defined in cpp/CombOptMain.cpp, is a main function.
    unsafe { comb_registration::run(combOptMain) }
}
