//! Compiles the driver's registration.

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    build.include_of("soac-dialect").include_of("comb-passes");
    build.compile("comb-opt-cpp", &["CombOptMain.cpp"]);
}
