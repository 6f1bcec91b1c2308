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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_are_those_of_the_nearest_bf16() {
        assert_eq!(__truncsfbf2(1.0).to_bits(), 0x3F80);
        assert_eq!(__truncsfbf2(-2.5).to_bits(), 0xC020);
        // A tie goes to the even neighbour; a bit more does not.
        assert_eq!(__truncdfbf2(257.0).to_bits(), 0x4380);
        assert_eq!(__truncdfbf2(257.0 + 1e-12).to_bits(), 0x4381);
        assert_eq!(__truncsfbf2(f32::INFINITY).to_bits(), 0x7F80);
        assert!(__truncsfbf2(f32::NAN).to_bits() > 0x7F80);
    }
}
