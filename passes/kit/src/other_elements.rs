//! Types of memory and of vectors, and the same with other elements.

use melior::{
    Error,
    ir::{
        Type, TypeLike,
        r#type::{DimSize, MemRefType, ShapedTypeLike},
    },
};
use soac_dialect::{builder::Builder, cast::cast, view::DYNAMIC};

/// The type of a vector's elements, or of a number itself.
pub fn element_of(r#type: Type) -> Type {
    if !r#type.is_vector() {
        return r#type;
    }
    // SAFETY: a vector type is a shaped type.
    unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(r#type.to_raw())) }
}

/// The type of memory of one kind of elements, seen as memory of another; nothing if it
/// has other elements, or is no memory.
pub fn seen_as<'c>(r#type: Type<'c>, elements: Type<'c>, others: Type<'c>) -> Option<Type<'c>> {
    let memory = cast::<MemRefType>(r#type)?;
    if memory.element() != elements {
        return None;
    }
    let sizes: Vec<i64> = (0..memory.rank())
        .map(|axis| match memory.dim_size(axis) {
            Ok(DimSize::Static(size)) => size as i64,
            _ => DYNAMIC,
        })
        .collect();
    let layout = Some(memory.layout());
    Some(MemRefType::new(others, &sizes, layout, memory.memory_space()).into())
}

/// The type of a vector of one kind of elements, with others instead; nothing if it has
/// other elements, or is no vector.
///
/// # Errors
///
/// If MLIR knows no such vector.
pub fn vector_of<'c>(
    builder: &Builder<'c, '_>,
    r#type: Type<'c>,
    elements: Type<'c>,
    others: Type<'c>,
) -> Result<Option<Type<'c>>, Error> {
    if !r#type.is_vector() || element_of(r#type) != elements {
        return Ok(None);
    }
    let text = r#type.to_string();
    let shape = text.strip_suffix(&format!("{elements}>")).unwrap_or(&text);
    builder.r#type(&format!("{shape}{others}>")).map(Some)
}
