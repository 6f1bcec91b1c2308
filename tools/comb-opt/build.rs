//! Compiles the tool's main function.

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    build.include_of("comb-registration");
    build.compile("comb-opt-cpp", &["CombOptMain.cpp"]);
}
