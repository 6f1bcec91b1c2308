//! Conversions to bf16 that LLVM calls functions for.
//!
//! They are part of GCC's support library from version 13 on, and Debian 12
//! has version 12. A bf16 is returned in the low 16 bits of a vector register,
//! which is where these bits of an f32 are.

use crate::{ElementType, Scalar};

fn rounded(value: f64) -> f32 {
    let mut bytes = [0; 4];
    Scalar::Float(value).write(ElementType::BF16, &mut bytes[..2]);
    f32::from_bits(u32::from_le_bytes(bytes))
}

/// Rounds an f32 to bf16; the result is in the low 16 bits.
#[unsafe(no_mangle)]
pub extern "C" fn __truncsfbf2(value: f32) -> f32 {
    rounded(f64::from(value))
}

/// Rounds an f64 to bf16; the result is in the low 16 bits.
#[unsafe(no_mangle)]
pub extern "C" fn __truncdfbf2(value: f64) -> f32 {
    rounded(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_are_those_of_the_nearest_bf16() {
        assert_eq!(__truncsfbf2(1.0).to_bits(), 0x3F80);
        assert_eq!(__truncsfbf2(-2.5).to_bits(), 0xC020);
        // A tie goes to the even neighbour; one bit more does not.
        assert_eq!(__truncdfbf2(257.0).to_bits(), 0x4380);
        assert_eq!(__truncdfbf2(257.0 + 1e-12).to_bits(), 0x4381);
        assert_eq!(__truncsfbf2(f32::INFINITY).to_bits(), 0x7F80);
        assert!(__truncsfbf2(f32::NAN).to_bits() > 0x7F80);
    }
}
