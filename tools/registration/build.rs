//! Compiles the registration of dialects, passes and pipelines.

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    let include = build.manifest.join("include");
    build
        .include_of("soac-dialect")
        .include_of("nest-dialect")
        .include_of("comb-passes")
        .include(&include);
    build.compile("comb-registration-cpp", &["Registration.cpp"]);
    build.publish(&include, &include);
}
