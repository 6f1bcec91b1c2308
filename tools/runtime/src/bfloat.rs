//! Conversions to bf16 that generated code calls where the CPU has no
//! instruction for them. GCC's support library has them only since version 13.
//!
//! A bf16 is returned in the low 16 bits of a floating-point register, which
//! is what returning an `f32` with these bits does.

use half::bf16;

use crate::scalar::to_bf16;

/// Rounds to the nearest bf16.
#[unsafe(no_mangle)]
pub extern "C" fn __truncsfbf2(value: f32) -> f32 {
    as_register(bf16::from_f32(value))
}

/// Rounds to the nearest bf16, once.
#[unsafe(no_mangle)]
pub extern "C" fn __truncdfbf2(value: f64) -> f32 {
    as_register(to_bf16(value))
}

fn as_register(value: bf16) -> f32 {
    f32::from_bits(u32::from(value.to_bits()))
}
