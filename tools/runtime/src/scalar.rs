//! One value of any element type, and its bytes in memory.
//!
//! Conversions to the half-width floating-point types round once, to nearest
//! even, on every platform. `half` itself rounds an `f64` through `f32` or
//! drops low bits before it rounds, so [`Scalar::write`] first narrows to
//! `f32` by rounding to odd (Boldo and Melquiond, "When double rounding is
//! odd", 2005), after which the second rounding is exact.

use half::{bf16, f16};

use crate::ElementType;

/// One value, wide enough for every element type. Which type it has is known
/// from where it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A value of an integer type, sign-extended; 0 or 1 for `i1`.
    Int(i64),
    /// A value of a floating-point type; all of them are exact in an `f64`.
    Float(f64),
}

impl Scalar {
    /// The value zero (false) of `element`.
    pub fn zero(element: ElementType) -> Scalar {
        Scalar::Int(0).convert(element)
    }

    /// The value one (true) of `element`.
    pub fn one(element: ElementType) -> Scalar {
        Scalar::Int(1).convert(element)
    }

    /// The value as `element` holds it: integers wrap, floating-point values
    /// round to nearest even, an integer becomes the nearest floating-point
    /// value, and a floating-point value loses its fraction (saturating; NaN
    /// becomes 0) where an integer is wanted.
    pub fn convert(self, element: ElementType) -> Scalar {
        match (self, element.is_float()) {
            (Scalar::Int(value), false) => Scalar::Int(element.wrap(value)),
            (Scalar::Float(value), false) => Scalar::Int(element.wrap(value as i64)),
            (Scalar::Int(value), true) => Scalar::Float(round_int(value, element)),
            (Scalar::Float(value), true) => Scalar::Float(round_float(value, element)),
        }
    }

    /// Reads the value that `bytes` hold.
    ///
    /// # Panics
    ///
    /// If `bytes` is shorter than `element.byte_size()`.
    pub fn read(element: ElementType, bytes: &[u8]) -> Scalar {
        match element {
            ElementType::I1 => Scalar::Int(i64::from(bytes[0] != 0)),
            ElementType::I8 => Scalar::Int(i64::from(bytes[0] as i8)),
            ElementType::I16 => Scalar::Int(i64::from(i16::from_le_bytes(prefix(bytes)))),
            ElementType::I32 => Scalar::Int(i64::from(i32::from_le_bytes(prefix(bytes)))),
            ElementType::I64 | ElementType::Index => Scalar::Int(i64::from_le_bytes(prefix(bytes))),
            ElementType::F16 => Scalar::Float(f16::from_le_bytes(prefix(bytes)).to_f64()),
            ElementType::BF16 => Scalar::Float(bf16::from_le_bytes(prefix(bytes)).to_f64()),
            ElementType::F32 => Scalar::Float(f64::from(f32::from_le_bytes(prefix(bytes)))),
            ElementType::F64 => Scalar::Float(f64::from_le_bytes(prefix(bytes))),
        }
    }

    /// Writes the value, converted as [`Scalar::convert`] does, to the first
    /// `element.byte_size()` of `bytes`.
    ///
    /// # Panics
    ///
    /// If `bytes` is shorter than that.
    pub fn write(self, element: ElementType, bytes: &mut [u8]) {
        let size = element.byte_size();
        match self.convert(element) {
            Scalar::Int(value) => bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]),
            Scalar::Float(value) => match element {
                ElementType::F16 => bytes[..2].copy_from_slice(&to_f16(value).to_le_bytes()),
                ElementType::BF16 => bytes[..2].copy_from_slice(&to_bf16(value).to_le_bytes()),
                ElementType::F32 => bytes[..4].copy_from_slice(&(value as f32).to_le_bytes()),
                _ => bytes[..8].copy_from_slice(&value.to_le_bytes()),
            },
        }
    }
}

fn prefix<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}

fn round_float(value: f64, element: ElementType) -> f64 {
    match element {
        ElementType::F16 => to_f16(value).to_f64(),
        ElementType::BF16 => to_bf16(value).to_f64(),
        ElementType::F32 => f64::from(value as f32),
        _ => value,
    }
}

fn round_int(value: i64, element: ElementType) -> f64 {
    match element {
        ElementType::F64 => value as f64,
        ElementType::F32 => f64::from(value as f32),
        // Integers that an f64 cannot hold are far beyond 2^16, where f16
        // overflows; for bf16 the low bits only decide ties.
        _ => round_float(int_to_odd_f64(value), element),
    }
}

fn to_f16(value: f64) -> f16 {
    f16::from_f32(narrow_to_odd(value))
}

pub(crate) fn to_bf16(value: f64) -> bf16 {
    bf16::from_f32(narrow_to_odd(value))
}

/// `value` as an `f32`, rounded to odd: an inexact result has its last bit
/// set, so that a later rounding to fewer bits sees that something was lost.
fn narrow_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let widened = f64::from(nearest);
    if widened == value || value.is_nan() {
        return nearest;
    }
    let toward_zero = if widened.abs() > value.abs() {
        nearest.to_bits() - 1
    } else {
        nearest.to_bits()
    };
    f32::from_bits(toward_zero | 1)
}

/// `value` as an `f64`, rounded to odd.
fn int_to_odd_f64(value: i64) -> f64 {
    let nearest = value as f64;
    let difference = i128::from(value).abs() - (nearest.abs() as i128);
    match difference {
        0 => nearest,
        1.. => f64::from_bits(nearest.to_bits() | 1),
        _ => f64::from_bits((nearest.to_bits() - 1) | 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(element: ElementType, value: Scalar) -> Scalar {
        let mut bytes = [0xAA; 8];
        value.write(element, &mut bytes);
        Scalar::read(element, &bytes)
    }

    #[test]
    fn every_half_width_float_survives() {
        for element in [ElementType::F16, ElementType::BF16] {
            for bits in 0..=u16::MAX {
                let bytes = bits.to_le_bytes();
                let mut written = [0; 2];
                let value = Scalar::read(element, &bytes);
                value.write(element, &mut written);
                match value {
                    Scalar::Float(float) if float.is_nan() => {
                        assert!(
                            matches!(Scalar::read(element, &written), Scalar::Float(x) if x.is_nan())
                        );
                    }
                    _ => assert_eq!(bytes, written),
                }
            }
        }
    }

    #[test]
    fn halves_round_once() {
        // A tie of f16 but for a bit that only f64 holds.
        let just_above_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-45);
        assert_eq!(
            round_float(just_above_tie, ElementType::F16),
            1.0 + 2f64.powi(-10)
        );
        assert_eq!(round_float(1.0 + 2f64.powi(-11), ElementType::F16), 1.0);
        assert_eq!(round_float(65_519.99, ElementType::F16), 65_504.0);
        assert_eq!(round_float(65_520.0, ElementType::F16), f64::INFINITY);
        assert_eq!(round_float(f64::MAX, ElementType::BF16), f64::INFINITY);
        assert_eq!(round_float(-1e-300, ElementType::BF16), 0.0);
        assert!(round_float(-1e-300, ElementType::BF16).is_sign_negative());
        // 257 is a tie of bf16 (256 or 258); the last bit of 2^56 + … decides.
        let above_tie = (257_i64 << 48) + 1;
        assert_eq!(
            round_int(above_tie, ElementType::BF16),
            (258_i64 << 48) as f64
        );
        assert_eq!(
            round_int(-above_tie, ElementType::BF16),
            -((258_i64 << 48) as f64)
        );
    }

    proptest! {
        #[test]
        fn integers_wrap(value: i64) {
            for element in ElementType::ALL {
                if !element.is_float() {
                    prop_assert_eq!(
                        round_trip(element, Scalar::Int(value)),
                        Scalar::Int(element.wrap(value))
                    );
                }
            }
        }

        #[test]
        fn rounding_to_f16_picks_the_nearest(value in -70_000.0..70_000.0_f64, scale in -30..0_i32) {
            let value = value * 2f64.powi(scale);
            let rounded = to_f16(value);
            let error = (rounded.to_f64() - value).abs();
            for neighbour in [rounded.to_bits().wrapping_sub(1), rounded.to_bits().wrapping_add(1)] {
                let other = f16::from_bits(neighbour);
                if other.is_finite() && rounded.is_finite() {
                    let other_error = (other.to_f64() - value).abs();
                    prop_assert!(error < other_error
                        || (error == other_error && rounded.to_bits().is_multiple_of(2)));
                }
            }
        }

        #[test]
        fn rounding_to_bf16_picks_the_nearest(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite() && value.abs() < 3e38);
            let rounded = to_bf16(value);
            let error = (rounded.to_f64() - value).abs();
            for neighbour in [rounded.to_bits().wrapping_sub(1), rounded.to_bits().wrapping_add(1)] {
                let other = bf16::from_bits(neighbour);
                if other.is_finite() {
                    prop_assert!(error <= (other.to_f64() - value).abs());
                }
            }
        }
    }
}
