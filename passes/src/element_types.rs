//! How large numbers are, and the elements of arrays.

use melior::ir::{
    Type, TypeLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};

/// The type of an array's elements, or of a number itself.
pub(crate) fn element(r#type: Type) -> Type {
    RankedTensorType::try_from(r#type).map_or(r#type, |array| array.element())
}

/// The bits of a number; 0 of an index.
pub(crate) fn bits(number: Type) -> u64 {
    match IntegerType::try_from(number) {
        Ok(integer) => u64::from(integer.width()),
        Err(_) if number.is_f64() => 64,
        Err(_) if number.is_f32() => 32,
        Err(_) if number.is_float() => 16,
        Err(_) => 0,
    }
}

/// The bits that a number takes in memory.
pub(crate) fn bits_in_memory(number: Type) -> u64 {
    match bits(number) {
        0 => 64,
        bits => bits.max(8),
    }
}
