//! `comb-reduce`: shrinks MLIR files that show a fault, with every flag of
//! `mlir-reduce`.

use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn combReduceMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

fn main() {
    // SAFETY: the function, defined in cpp/CombReduceMain.cpp, is a main function.
    unsafe { comb_registration::run(combReduceMain) }
}
