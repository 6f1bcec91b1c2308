//! What LLVM cannot do, or not well.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod balance_square_roots;
pub mod call_intrinsics;
pub mod check_lowered;
pub mod compress_in_registers;
pub mod convert_checks_to_llvm;
pub mod convert_float_extrema_to_llvm;
pub mod expand_bf16_vectors;
pub mod expand_bool_vectors;
pub mod expand_conversions;
pub mod expand_extrema;
pub mod expand_math;
pub mod expand_narrow_masks;
pub mod limit_unrolling;
pub mod reduce_strength;
pub mod scope_allocas;
pub mod widen_half_precision;
