//! Places of an array whose elements are numbered in row-major order.
//!
//! Cost: linear in the number of dimensions.

use melior::{Error, ir::Value};
use soac_dialect::builder::{Builder, Values};

/// The number of the place with some indices, at least one.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn place_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    indices: &[Value<'c, 'a>],
    sizes: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let mut inner = indices.iter().zip(sizes).skip(1);
    inner.try_fold(indices[0], |place, (&index, &size)| {
        let before = builder.arithmetic("arith.muli", &[place, size])?;
        builder.arithmetic("arith.addi", &[before, index])
    })
}

/// The indices of the place with a number; none if there are no dimensions.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn indices_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    place: Value<'c, 'a>,
    sizes: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let (mut rest, mut indices) = (place, vec![]);
    for &size in sizes.iter().skip(1).rev() {
        indices.push(builder.arithmetic("arith.remui", &[rest, size])?);
        rest = builder.arithmetic("arith.divui", &[rest, size])?;
    }
    indices.extend((!sizes.is_empty()).then_some(rest));
    indices.reverse();
    Ok(indices)
}
