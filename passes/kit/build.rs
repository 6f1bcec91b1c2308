//! Compiles what MLIR's C API lacks.

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    build.include_of("soac-dialect");
    build.compile("comb-kit-cpp", &["Kit.cpp"]);
}
