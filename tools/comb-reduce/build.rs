//! Compiles the tool's main function.

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    for of in ["comb-registration", "nest-dialect", "soac-dialect"] {
        build.include_of(of);
    }
    let files = ["CombReduceMain.cpp", "NestReductions.cpp"];
    build.compile("comb-reduce-cpp", &files);
}
