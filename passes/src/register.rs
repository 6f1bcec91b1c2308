//! Making comb's passes and pipelines known to MLIR, for compilers in Rust.

use std::sync::Once;

use comb_nest::dialects;
use melior::Context;

unsafe extern "C" {
    fn combRegisterPasses();
    fn combRegisterPipelines();
}

/// Makes comb's passes and pipelines, and the upstream passes that the
/// pipelines are made of, known to
/// [`parse_pass_pipeline`](melior::utility::parse_pass_pipeline). More than
/// once does no harm.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    // SAFETY: both are defined by cpp/, and take nothing. MLIR's registry is
    // not synchronised; this function calls them from one thread.
    ONCE.call_once(|| unsafe {
        combRegisterPasses();
        combRegisterPipelines();
    });
}

/// A context with everything that comb's pipelines need: MLIR's dialects, with
/// their interfaces and their translation to LLVM IR, the dialects of comb, the
/// passes and the pipelines.
pub fn context() -> Context {
    register_passes();
    dialects::context()
}
