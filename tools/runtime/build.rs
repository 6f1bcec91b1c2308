//! Compiles the few lines of C that Rust has no words for.

use comb_build_support::Build;

fn main() {
    Build::from_cargo().compile_c("comb-guard", &["guard.c", "sanitizers.c"]);
}
