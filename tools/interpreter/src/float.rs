//! Floating-point formats and rounding.

use crate::element::Element;

/// In which direction an inexact value is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    NearestEven,
    Downward,
    Upward,
    TowardZero,
    NearestAway,
}

/// An IEEE 754 format.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    /// Bits of the stored significand.
    pub(crate) fraction_bits: u32,
    /// Bits of the exponent.
    pub(crate) exponent_bits: u32,
}

impl Format {
    /// The format of a floating-point type.
    pub(crate) fn of(element: Element) -> Format {
        let (fraction_bits, exponent_bits) = match element {
            Element::F16 => (10, 5),
            Element::BF16 => (7, 8),
            Element::F32 => (23, 8),
            _ => (52, 11),
        };
        Format {
            fraction_bits,
            exponent_bits,
        }
    }

    /// What is added to an exponent to store it.
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The bit of the sign.
    pub(crate) fn sign(self) -> u64 {
        1 << (self.fraction_bits + self.exponent_bits)
    }

    /// The bits of infinity.
    pub(crate) fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }
}

/// The bits of a value rounded, once, to a type.
pub(crate) fn narrow(value: f64, element: Element, rounding: Rounding) -> u64 {
    let format = Format::of(element);
    if element == Element::F64 {
        return value.to_bits();
    }
    let sign = if value.is_sign_negative() {
        format.sign()
    } else {
        0
    };
    let magnitude = if value.is_nan() {
        format.infinity() | 1 << (format.fraction_bits - 1)
    } else if value.is_infinite() {
        format.infinity()
    } else if value == 0.0 {
        0
    } else {
        narrow_finite(value, format, rounding)
    };
    sign | magnitude
}

/// The magnitude's bits of a value that is finite and not zero.
fn narrow_finite(value: f64, format: Format, rounding: Rounding) -> u64 {
    let (significand, exponent) = decompose(value);
    let leading = exponent + significand.ilog2() as i32;
    // The last bit that the format stores stands for 2^unit.
    let least_exponent = 1 - format.bias();
    let unit = leading.max(least_exponent) - format.fraction_bits as i32;
    let dropped = unit - exponent;
    let kept = if dropped <= 0 {
        u128::from(significand) << -dropped
    } else {
        round_off(significand.into(), dropped as u32, value < 0.0, rounding)
    } as u64;
    let hidden = 1 << format.fraction_bits;
    if kept < hidden {
        return kept;
    }
    let stored_exponent = (unit + format.fraction_bits as i32 + format.bias()) as u64;
    // A carry out of the significand makes the next exponent, as it should.
    let bits = (stored_exponent << format.fraction_bits) + (kept - hidden);
    if bits < format.infinity() {
        return bits;
    }
    let away_from_zero = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Downward => value < 0.0,
        Rounding::Upward => value > 0.0,
        Rounding::TowardZero => false,
    };
    format.infinity() - u64::from(!away_from_zero)
}

/// `|value| = significand · 2^exponent`, of a value that is finite and not
/// zero.
fn decompose(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52) as i32 & 0x7FF {
        0 => (fraction, -1074),
        stored => (fraction | 1 << 52, stored - 1075),
    }
}

/// `significand / 2^dropped`, rounded to an integer.
fn round_off(significand: u128, dropped: u32, negative: bool, rounding: Rounding) -> u128 {
    // A significand has 53 bits: beyond 64 nothing but "less than half" is left.
    let dropped = dropped.min(64);
    let kept = significand >> dropped;
    let rest = significand - (kept << dropped);
    let half = 1 << (dropped - 1);
    let up = match rounding {
        Rounding::NearestEven => rest > half || (rest == half && kept % 2 == 1),
        Rounding::NearestAway => rest >= half,
        Rounding::TowardZero => false,
        Rounding::Downward => rest > 0 && negative,
        Rounding::Upward => rest > 0 && !negative,
    };
    kept + u128::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};
    use proptest::prelude::*;

    const MODES: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::Downward,
        Rounding::Upward,
        Rounding::TowardZero,
        Rounding::NearestAway,
    ];

    #[test]
    fn what_fits_is_kept_in_every_mode() {
        for bits in 0..=u16::MAX {
            for mode in MODES {
                let half = f16::from_bits(bits);
                if !half.is_nan() {
                    assert_eq!(narrow(half.to_f64(), Element::F16, mode), u64::from(bits));
                }
                let brain = bf16::from_bits(bits);
                if !brain.is_nan() {
                    assert_eq!(narrow(brain.to_f64(), Element::BF16, mode), u64::from(bits));
                }
            }
        }
    }

    #[test]
    fn overflow_depends_on_the_mode() {
        let largest = f64::from(f32::MAX);
        let of = |value, mode| f32::from_bits(narrow(value, Element::F32, mode) as u32);
        assert_eq!(of(2.0 * largest, Rounding::NearestEven), f32::INFINITY);
        assert_eq!(of(2.0 * largest, Rounding::TowardZero), f32::MAX);
        assert_eq!(of(2.0 * largest, Rounding::Downward), f32::MAX);
        assert_eq!(of(-2.0 * largest, Rounding::Downward), -f32::INFINITY);
        assert_eq!(of(-2.0 * largest, Rounding::Upward), -f32::MAX);
    }

    #[test]
    fn ties() {
        let of = |value, mode| f16::from_bits(narrow(value, Element::F16, mode) as u16).to_f64();
        assert_eq!(of(2049.0, Rounding::NearestEven), 2048.0);
        assert_eq!(of(2051.0, Rounding::NearestEven), 2052.0);
        assert_eq!(of(2049.0, Rounding::NearestAway), 2050.0);
        assert_eq!(of(-2049.0, Rounding::NearestAway), -2050.0);
        assert_eq!(of(2049.0, Rounding::TowardZero), 2048.0);
        assert_eq!(of(-2049.0, Rounding::Downward), -2050.0);
        assert_eq!(of(1e-300, Rounding::Upward), 2f64.powi(-24));
        assert_eq!(of(1e-300, Rounding::NearestEven), 0.0);
    }

    proptest! {
        #[test]
        fn single_precision_is_the_machines(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(!value.is_nan());
            prop_assert_eq!(
                narrow(value, Element::F32, Rounding::NearestEven),
                u64::from((value as f32).to_bits())
            );
        }

        #[test]
        fn single_precision_near_the_ends(exponent in -160..160_i32, fraction in -1.0..1.0_f64) {
            let value = fraction * 2f64.powi(exponent);
            prop_assert_eq!(
                narrow(value, Element::F32, Rounding::NearestEven),
                u64::from((value as f32).to_bits())
            );
        }

        #[test]
        fn halves_from_single_precision_are_those_of_the_library(bits: u32) {
            let value = f32::from_bits(bits);
            prop_assume!(!value.is_nan());
            prop_assert_eq!(
                narrow(value.into(), Element::F16, Rounding::NearestEven),
                u64::from(f16::from_f32(value).to_bits())
            );
            prop_assert_eq!(
                narrow(value.into(), Element::BF16, Rounding::NearestEven),
                u64::from(bf16::from_f32(value).to_bits())
            );
        }
    }
}
