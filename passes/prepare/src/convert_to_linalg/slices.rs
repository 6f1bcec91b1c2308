//! Rectangular parts of arrays, read and written.
//!
//! MLIR rejects a slice that starts at the end of its array, as one without
//! elements may. Slices that are known to be empty are therefore not built; the
//! checks in front of the op have made sure that they lie inside their array.

use comb_kit::{pass_error::PassError, target::array_type_of};
use melior::ir::{Value, r#type::ShapedTypeLike};
use soac_dialect::{
    builder::{Builder, Size, Slice},
    description::array_type,
};

/// A part of an array, as an array of the given rank. If that is less than the
/// slice's, the outer dimensions are left out, whose sizes are 1.
pub(super) fn read<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    slice: &Slice<'c, 'a>,
    rank: usize,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let element = array_type_of(array)?.element();
    let sizes = &slice.sizes[slice.sizes.len() - rank..];
    if is_empty(builder, array, slice)? {
        return Ok(builder.empty(sizes, element)?);
    }
    let constants: Vec<Option<i64>> = sizes
        .iter()
        .map(|size| size.known().map(|size| size as i64))
        .collect();
    Ok(builder.extract_slice(array, slice, array_type(&constants, element))?)
}

/// The array `into` with a part replaced by an array, which may lack outer
/// dimensions of size 1.
pub(super) fn write<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    into: Value<'c, 'a>,
    slice: &Slice<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    if is_empty(builder, into, slice)? {
        return Ok(into);
    }
    Ok(builder.insert_slice(array, into, slice)?)
}

/// Whether a slice that lies inside its array is known to have no elements.
fn is_empty<'c>(
    builder: &Builder<'c, '_>,
    array: Value<'c, '_>,
    slice: &Slice<'c, '_>,
) -> Result<bool, PassError<'c>> {
    let sizes = builder.sizes(array)?;
    let starts_at_end = slice.offsets.iter().zip(&sizes).any(|pair| match pair {
        (Size::Static(offset), Size::Static(size)) => offset >= size,
        _ => false,
    });
    let none = Size::Static(0);
    Ok(starts_at_end || sizes.contains(&none) || slice.sizes.contains(&none))
}
