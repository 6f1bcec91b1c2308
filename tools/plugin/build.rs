//! Says what the library exports, and collects the headers that go with it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use comb_build_support::Build;

fn main() {
    let mut build = Build::from_cargo();
    let include = build.manifest.join("include");
    let runtime = build.manifest.join("../runtime/include");
    build
        .include_of("soac-dialect")
        .include_of("nest-dialect")
        .include_of("comb-passes")
        .include(include)
        .include(runtime);
    export_symbols(&build);
    collect_headers(&build);
}

/// rustc exports only Rust's own C symbols. The C++ classes of the dialect and
/// the C API of the passes are exported by a second version script, which lld
/// (see .cargo/config.toml) merges with rustc's.
fn export_symbols(build: &Build) {
    let script = build.manifest.join("exports.map");
    println!("cargo:rerun-if-changed={}", script.display());
    for argument in [
        format!("--version-script={}", script.display()),
        "-soname=libcomb_plugin.so".to_owned(),
        // What neither this library nor libMLIR defines is an error here, not
        // when the plugin is loaded.
        "-z,defs".to_owned(),
    ] {
        println!("cargo:rustc-cdylib-link-arg=-Wl,{argument}");
    }
}

/// Copies the headers and .td files, written and generated ones, next to the
/// library: into target/release/include. That is where the CMake package and
/// C programs look for them, since cargo's folders have names that change.
fn collect_headers(build: &Build) {
    let target = build
        .out
        .ancestors()
        .nth(3)
        .expect("OUT_DIR is target/PROFILE/build/PACKAGE/out")
        .join("include");
    for folder in build.includes() {
        println!("cargo:rerun-if-changed={}", folder.display());
        copy_tree(folder, &target);
    }
    fs::write(target.join("comb/Version.h"), version_header())
        .expect("the build folder is writable");
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the build folder is writable");
    let mut entries: Vec<PathBuf> = fs::read_dir(from)
        .expect("include folders are readable")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    entries.sort();
    for entry in entries {
        let target = to.join(entry.file_name().expect("an entry has a name"));
        if entry.is_dir() {
            copy_tree(&entry, &target);
        } else if entry.extension().is_none_or(|extension| extension != "d") {
            fs::copy(&entry, &target).expect("the build folder is writable");
        }
    }
}

fn version_header() -> String {
    let part =
        |name: &str| std::env::var(format!("CARGO_PKG_VERSION{name}")).expect("set by cargo");
    format!(
        "/* comb's version; generated from Cargo.toml. */\n\
         #ifndef COMB_VERSION_H\n\
         #define COMB_VERSION_H\n\
         \n\
         #define COMB_VERSION \"{}\"\n\
         #define COMB_VERSION_MAJOR {}\n\
         #define COMB_VERSION_MINOR {}\n\
         #define COMB_VERSION_PATCH {}\n\
         \n\
         #endif /* COMB_VERSION_H */\n",
        part(""),
        part("_MAJOR"),
        part("_MINOR"),
        part("_PATCH")
    )
}
