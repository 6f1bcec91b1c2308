//! LLVM's code generator for the architecture that this runs on.

use std::{ffi::CStr, sync::Once};

use inkwell::targets::{InitializationConfig, Target};

use crate::bridge;

/// LLVM does not look for other ways to count in loops. It takes a third of the time that
/// generating code takes, and finds nothing: comb's loops carry what they need
/// (`comb-reduce-strength`). The option is the only way to say so.
const NO_STRENGTH_REDUCTION: &CStr = c"-disable-lsr";

/// The memory accesses of a block after which the schedulers of machine code forget where some of
/// them are, and keep them in order. LLVM's 1000 costs time that grows with the square of the
/// functions' loops, since what prepares hundreds of loops is one block: 800 maps took 36 s,
/// and take 18. No block of a loop in the benchmark suite has as many.
const ACCESSES_IN_A_BLOCK: &CStr = c"-dag-maps-huge-region=400";

/// Makes LLVM know the architecture, for generating code and for linking it.
pub(crate) fn initialize() -> Result<(), String> {
    static OPTIONS: Once = Once::new();
    OPTIONS.call_once(|| bridge::set_llvm_options(&[NO_STRENGTH_REDUCTION, ACCESSES_IN_A_BLOCK]));
    Target::initialize_native(&InitializationConfig::default())
}
