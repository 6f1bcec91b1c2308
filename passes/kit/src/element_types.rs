//! How large numbers are, and the elements of arrays.

use melior::ir::{
    Type, TypeLike,
    r#type::{DimSize, IntegerType, MemRefType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::cast::cast;

/// No array has more elements, so that its bytes can be counted with 64 bits.
pub const MOST_ELEMENTS: i64 = 1 << 59;

/// The type of an array's elements, or of a number itself.
pub fn element(r#type: Type) -> Type {
    cast::<RankedTensorType>(r#type).map_or(r#type, |array| array.element())
}

/// The type of the elements of an array, in a tensor or in memory.
pub fn array_element(array: Type) -> Option<Type> {
    let in_memory = cast::<MemRefType>(array).map(|memory| memory.element());
    in_memory.or_else(|| cast::<RankedTensorType>(array).map(|tensor| tensor.element()))
}

/// How many bytes the elements of an array are, in a tensor or in memory, if its type says that.
pub fn known_bytes(array: Type) -> Option<u64> {
    let bytes = bits_in_memory(array_element(array)?) / 8;
    let in_memory = cast::<MemRefType>(array).map(|memory| sizes(&memory));
    let in_tensor = || cast::<RankedTensorType>(array).map(|tensor| sizes(&tensor));
    in_memory
        .or_else(in_tensor)??
        .into_iter()
        .try_fold(bytes, u64::checked_mul)
}

fn sizes<'c>(array: &impl ShapedTypeLike<'c>) -> Option<Vec<u64>> {
    let size = |axis| match array.dim_size(axis) {
        Ok(DimSize::Static(size)) => Some(size),
        _ => None,
    };
    (0..array.rank()).map(size).collect()
}

/// The bits of a number; 0 of an index.
pub fn bits(number: Type) -> u64 {
    match cast::<IntegerType>(number) {
        Some(integer) => u64::from(integer.width()),
        None if number.is_f64() => 64,
        None if number.is_f32() => 32,
        None if number.is_float() => 16,
        None => 0,
    }
}

/// The bits that a number takes in memory.
pub fn bits_in_memory(number: Type) -> u64 {
    match bits(number) {
        0 => 64,
        bits => bits.max(8),
    }
}
