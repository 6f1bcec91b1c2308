//! Generates what C++ and Rust have to know of passes from Passes.td, and compiles the bridge to Rust.

mod cpp;
mod declarations;
mod rust;

use std::{fs, path::Path};

use comb_build_support::Build;

use declarations::Declarations;

fn write(file: &Path, text: &str) {
    fs::write(file, text).expect("the build folder is writable");
}

fn main() {
    println!("cargo:rerun-if-changed=build");
    let mut build = Build::from_cargo();
    let include = build.manifest.join("include");
    let generated = build.out.join("include");
    let folder = generated.join("comb");
    let source = include.join("comb/Passes.td");
    build
        .include_of("soac-dialect")
        .include_of("nest-dialect")
        .include(&include)
        .include(&generated);
    for (file, arguments) in [
        ("Passes.h.inc", &["-gen-pass-decls", "-name", "Comb"][..]),
        (
            "Passes.capi.h.inc",
            &["-gen-pass-capi-header", "--prefix", "Comb"],
        ),
        (
            "Passes.capi.cpp.inc",
            &["-gen-pass-capi-impl", "--prefix", "Comb"],
        ),
    ] {
        build.generate(&source, arguments, &folder.join(file));
    }
    let declarations = Declarations::read(&build.records(&source));
    write(
        &folder.join("PassDefinitions.inc"),
        &cpp::definitions(&declarations),
    );
    write(
        &folder.join("PassClasses.inc"),
        &cpp::classes(&declarations),
    );
    write(
        &folder.join("PipelineOptions.inc"),
        &cpp::pipeline_options(&declarations),
    );
    write(&build.out.join("declared.rs"), &rust::text(&declarations));
    build.compile("comb-passes-cpp", &["Passes.cpp", "Pipelines.cpp"]);
    build.publish(&include, &generated);
}
