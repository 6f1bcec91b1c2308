//! The element types of comb's arrays, named as MLIR names them.

use std::fmt;
use std::str::FromStr;

/// The type of one array element or of one scalar. Integers are signless, as
/// in MLIR: an operation, not the type, says how to read the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementType {
    /// A truth value; one byte in memory, 0 or 1.
    I1,
    /// An 8-bit integer.
    I8,
    /// A 16-bit integer.
    I16,
    /// A 32-bit integer.
    I32,
    /// A 64-bit integer.
    I64,
    /// An array index or size; 64 bits.
    Index,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of an IEEE 754 binary32.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl ElementType {
    /// Every element type, in declaration order.
    pub const ALL: [ElementType; 10] = [
        ElementType::I1,
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::Index,
        ElementType::F16,
        ElementType::BF16,
        ElementType::F32,
        ElementType::F64,
    ];

    /// The name MLIR gives the type.
    pub fn name(self) -> &'static str {
        match self {
            ElementType::I1 => "i1",
            ElementType::I8 => "i8",
            ElementType::I16 => "i16",
            ElementType::I32 => "i32",
            ElementType::I64 => "i64",
            ElementType::Index => "index",
            ElementType::F16 => "f16",
            ElementType::BF16 => "bf16",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }

    /// The bytes one element takes in memory.
    pub fn byte_size(self) -> usize {
        match self {
            ElementType::I1 | ElementType::I8 => 1,
            ElementType::I16 | ElementType::F16 | ElementType::BF16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::Index | ElementType::F64 => 8,
        }
    }

    /// The bits a value of the type has; 64 for `index`.
    pub fn bit_width(self) -> u32 {
        match self {
            ElementType::I1 => 1,
            _ => 8 * self.byte_size() as u32,
        }
    }

    /// Whether the type is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            ElementType::F16 | ElementType::BF16 | ElementType::F32 | ElementType::F64
        )
    }

    /// Reduces an integer to the type's width and extends it again: with its
    /// sign, except for `i1`, whose values are 0 and 1. The identity for
    /// floating-point types.
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            ElementType::I1 => value & 1,
            ElementType::I8 => i64::from(value as i8),
            ElementType::I16 => i64::from(value as i16),
            ElementType::I32 => i64::from(value as i32),
            _ => value,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no element type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{name}' is not an element type; one of i1, i8, i16, i32, i64, index, f16, bf16, f32, f64 is expected"
)]
pub struct UnknownElementType {
    name: String,
}

impl FromStr for ElementType {
    type Err = UnknownElementType;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        ElementType::ALL
            .into_iter()
            .find(|element| element.name() == name)
            .ok_or_else(|| UnknownElementType {
                name: name.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for element in ElementType::ALL {
            assert_eq!(element.to_string().parse(), Ok(element));
        }
        assert!("f8".parse::<ElementType>().is_err());
    }

    #[test]
    fn wrapping_keeps_the_low_bits_with_their_sign() {
        assert_eq!(ElementType::I8.wrap(300), 44);
        assert_eq!(ElementType::I8.wrap(255), -1);
        assert_eq!(ElementType::I16.wrap(40_000), -25_536);
        assert_eq!(ElementType::I32.wrap(1 << 31), i64::from(i32::MIN));
        assert_eq!(ElementType::I1.wrap(-1), 1);
        assert_eq!(ElementType::Index.wrap(i64::MIN), i64::MIN);
    }
}
