//! Compiles the bridge to what MLIR's C API and Rust lack.

use comb_build_support::Build;

fn main() {
    let build = Build::from_cargo();
    build.compile("comb-driver-cpp", &["Bridge.cpp"]);
    println!(
        "cargo:rustc-env=COMB_LLVM_PREFIX={}",
        build.prefix.display()
    );
}
