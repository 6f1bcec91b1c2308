//! Values made up by rule, for inputs of the form `random:f32[1000]:7`.
//!
//! Random elements are independent of platform, order and shape: element `i`
//! (row-major) of seed `s` comes from one output of SplitMix64 (Steele, Lea and
//! Flood, "Fast splittable pseudorandom number generators", 2014),
//!
//! ```text
//! z = s + (i + 1) · 0x9E3779B97F4A7C15
//! z = (z ⊕ z >> 30) · 0xBF58476D1CE4E5B9
//! z = (z ⊕ z >> 27) · 0x94D049BB133111EB
//! u = z ⊕ z >> 31                              (all modulo 2^64)
//! ```
//!
//! An integer in lo..hi is lo + ⌊u · (hi − lo) / 2^64⌋. A floating-point value
//! in lo..hi is lo · (1 − t) + hi · t, computed in f64 and rounded to the type,
//! where t is the top p bits of `u` divided by 2^p and p is the type's
//! precision (f16 11, bf16 8, f32 24, f64 53); where that rounds to hi, it is
//! lo instead. So no value is hi.

use crate::signature::ValueType;
use crate::{Array, ArrayError, ElementType, Scalar, Value};

/// A rule for elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Pseudo-random elements of a half-open range.
    Random {
        /// The range.
        range: Range,
        /// The seed.
        seed: u64,
    },
    /// All zero.
    Zeros,
    /// All one.
    Ones,
    /// The row-major position, wrapped or rounded to the element type.
    Iota,
}

/// A half-open range of integers or of floating-point values, not empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// For integer types.
    Int {
        /// The least value.
        low: i128,
        /// One more than the greatest value.
        high: i128,
    },
    /// For floating-point types.
    Float {
        /// The least value.
        low: f64,
        /// A bound above all values.
        high: f64,
    },
}

impl Range {
    /// What is meant without a range: 0 and 1 for `i1`, 0..100 for integers,
    /// 0..1 for floating-point types.
    pub fn default_of(element: ElementType) -> Range {
        match element {
            ElementType::I1 => Range::Int { low: 0, high: 2 },
            element if element.is_float() => Range::Float {
                low: 0.0,
                high: 1.0,
            },
            _ => Range::Int { low: 0, high: 100 },
        }
    }
}

/// A value of the type, whose sizes must be static.
pub fn value(
    rule: Rule,
    element: ElementType,
    shape: Option<&[usize]>,
) -> Result<Value, ArrayError> {
    match shape {
        Some(shape) => {
            let array = Array::from_fn(element, shape, |i| scalar(rule, element, i as u64))?;
            Ok(Value::Array(array))
        }
        None => Ok(Value::Scalar(element, scalar(rule, element, 0))),
    }
}

/// The type of what [`value`] makes.
pub fn ty(element: ElementType, shape: Option<&[usize]>) -> ValueType {
    match shape {
        Some(shape) => ValueType::array_of_shape(element, shape),
        None => ValueType::Scalar(element),
    }
}

fn scalar(rule: Rule, element: ElementType, position: u64) -> Scalar {
    match rule {
        Rule::Zeros => Scalar::zero(element),
        Rule::Ones => Scalar::one(element),
        Rule::Iota => Scalar::Int(position as i64).convert(element),
        Rule::Random { range, seed } => {
            let random = split_mix(seed, position);
            match range {
                Range::Int { low, high } => random_int(random, low, high),
                Range::Float { low, high } => random_float(random, element, low, high),
            }
        }
    }
}

fn split_mix(seed: u64, position: u64) -> u64 {
    let step = position.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut z = seed.wrapping_add(step);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn random_int(random: u64, low: i128, high: i128) -> Scalar {
    let span = (high - low) as u128;
    let offset = (u128::from(random) * span) >> 64;
    Scalar::Int((low + offset as i128) as i64)
}

fn random_float(random: u64, element: ElementType, low: f64, high: f64) -> Scalar {
    let precision = match element {
        ElementType::F16 => 11,
        ElementType::BF16 => 8,
        ElementType::F32 => 24,
        _ => 53,
    };
    let fraction = (random >> (64 - precision)) as f64 / (1_u64 << precision) as f64;
    // Apart, because high - low may overflow.
    let value = low * (1.0 - fraction) + high * fraction;
    match Scalar::Float(value).convert(element) {
        Scalar::Float(rounded) if rounded < low || rounded >= high => {
            Scalar::Float(low).convert(element)
        }
        rounded => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_generator_is_split_mix() {
        // The first outputs of the reference implementation for seed 1234567.
        let outputs: Vec<u64> = (0..5).map(|i| split_mix(1_234_567, i)).collect();
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn the_full_range_of_integers_works() {
        let low = i128::from(i64::MIN);
        let high = i128::from(i64::MAX) + 1;
        assert_eq!(random_int(0, low, high), Scalar::Int(i64::MIN));
        assert_eq!(random_int(u64::MAX, low, high), Scalar::Int(i64::MAX));
    }

    proptest! {
        #[test]
        fn random_values_stay_in_range(
            random: u64,
            low in -1e3..1e3_f64,
            width in 1e-3..1e3_f64,
            int_low in -1000..1000_i64,
            int_width in 1..1000_i64,
        ) {
            for element in ElementType::ALL {
                if element.is_float() {
                    let Scalar::Float(low) = Scalar::Float(low).convert(element) else { unreachable!() };
                    let Scalar::Float(value) = random_float(random, element, low, low + width) else {
                        unreachable!()
                    };
                    prop_assert!(low <= value && value < low + width);
                }
            }
            let Scalar::Int(value) = random_int(random, int_low.into(), i128::from(int_low + int_width)) else {
                unreachable!()
            };
            prop_assert!((int_low..int_low + int_width).contains(&value));
        }
    }
}
