//! Generates the passes' C++ from Passes.td and compiles the bridge to Rust.

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    let include = build.manifest.join("include");
    let generated = build.out.join("include");
    build
        .include_of("soac-dialect")
        .include_of("nest-dialect")
        .include(&include)
        .include(&generated);
    build.generate(
        &include.join("comb/Passes.td"),
        &["-gen-pass-decls", "-name", "Comb"],
        &generated.join("comb/Passes.h.inc"),
    );
    for (file, generator) in [
        ("Passes.capi.h.inc", "-gen-pass-capi-header"),
        ("Passes.capi.cpp.inc", "-gen-pass-capi-impl"),
    ] {
        build.generate(
            &include.join("comb/Passes.td"),
            &[generator, "--prefix", "Comb"],
            &generated.join("comb").join(file),
        );
    }
    build.compile("comb-passes-cpp", &["Passes.cpp", "Pipelines.cpp"]);
    build.publish(&include, &generated);
}
