//! Sizes of arrays as their types and the ops have them that make the arrays: to ask for them keeps no array.

use melior::{
    Error,
    ir::{Value, ValueLike, r#type::RankedTensorType},
};
use soac_dialect::{builder::Size, cast::cast, description::static_sizes};

/// Sizes of an array, static where its type says so.
///
/// # Errors
///
/// If it is no array.
pub fn with_static<'c, 'a>(
    sizes: Vec<Size<'c, 'a>>,
    array: Value<'c, 'a>,
) -> Result<Vec<Size<'c, 'a>>, Error> {
    let known = static_sizes(&RankedTensorType::try_from(array.r#type())?);
    let sizes = sizes.into_iter().zip(known);
    Ok(sizes
        .map(|(size, known)| known.map_or(size, Size::Static))
        .collect())
}

/// The size of an array's dimension, if its type says it.
pub fn known_size(array: Value, axis: usize) -> Option<i64> {
    let array = cast::<RankedTensorType>(array.r#type())?;
    static_sizes(&array).get(axis).copied().flatten()
}
