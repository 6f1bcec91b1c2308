//! Generates the dialect's C++ from ODS and compiles it, with the thin bridge
//! to Rust, into a static library.

use std::path::{Path, PathBuf};

use comb_build_support::Build;

const GENERATED: &[(&str, &[&str])] = &[
    (
        "SoacDialect.h.inc",
        &["-gen-dialect-decls", "-dialect=soac"],
    ),
    (
        "SoacDialect.cpp.inc",
        &["-gen-dialect-defs", "-dialect=soac"],
    ),
    ("SoacEnums.h.inc", &["-gen-enum-decls"]),
    ("SoacEnums.cpp.inc", &["-gen-enum-defs"]),
    ("SoacOps.h.inc", &["-gen-op-decls"]),
    ("SoacOps.cpp.inc", &["-gen-op-defs"]),
];

fn main() {
    let mut build = Build::from_cargo();
    let include = build.manifest.join("include");
    let generated = build.out.join("include");
    build.include(&include).include(&generated);
    for (file, arguments) in GENERATED {
        build.generate(
            &include.join("soac/SoacOps.td"),
            arguments,
            &generated.join("soac").join(file),
        );
    }
    for (file, argument) in [
        ("SoacInterfaces.h.inc", "-gen-op-interface-decls"),
        ("SoacInterfaces.cpp.inc", "-gen-op-interface-defs"),
    ] {
        build.generate(
            &include.join("soac/SoacInterfaces.td"),
            &[argument],
            &generated.join("soac").join(file),
        );
    }
    build.compile("soac-dialect-cpp", &["Dialect.cpp", "Bridge.cpp"]);
    build.publish(&include, &generated);
    link_c_api(&build.prefix, &build.out);

    // Read by `melior::dialect!` when the crate is compiled.
    println!("cargo:rustc-env=SOAC_INCLUDE={}", include.display());
    println!(
        "cargo:rustc-env=MLIR_INCLUDE={}",
        build.prefix.join("include").display()
    );
}

/// Debian ships the C API as static archives only. A linker script named
/// libMLIR-C.so, the name that mlir-sys links, groups them.
fn link_c_api(prefix: &Path, out: &Path) {
    let library_folder = prefix.join("lib");
    let mut archives: Vec<PathBuf> = std::fs::read_dir(&library_folder)
        .expect("LLVM's library folder is readable (see ./x doctor)")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with("libMLIRCAPI") && name.ends_with(".a"))
        })
        .collect();
    archives.sort();
    let names: Vec<String> = archives
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    std::fs::write(
        out.join("libMLIR-C.so"),
        format!("GROUP( {} )\n", names.join(" ")),
    )
    .expect("the build folder is writable");
    for folder in [out, &library_folder] {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
}
