//! What must hold of shapes and sizes when an op is executed, and the words
//! that say that it does not.

use crate::call::Call;
use crate::failure::Failure;
use crate::value::Array;

/// Arrays of one group have the first one's shape.
pub(super) fn same_shapes(call: &Call, group: usize, what: &str) -> Result<Vec<Array>, Failure> {
    let arrays = call.arrays(call.group(group))?;
    for (other, array) in arrays.iter().enumerate().skip(1) {
        let what = format!("{what} 0 and {other}");
        same_shape(call, arrays[0].shape(), array.shape(), &what)?;
    }
    Ok(arrays)
}

/// Two shapes are the same.
pub(super) fn same_shape(
    call: &Call,
    left: &[usize],
    right: &[usize],
    what: &str,
) -> Result<(), Failure> {
    if left == right {
        return Ok(());
    }
    Err(call.error(&format!(
        "{what} have different shapes: {left:?} and {right:?}"
    )))
}

/// In each dimension, the points `offset + i · stride` for all `i < size` lie
/// inside the array.
pub(super) fn slice_inside(
    call: &Call,
    offsets: &[i64],
    sizes: &[usize],
    strides: &[i64],
    shape: &[usize],
) -> Result<(), Failure> {
    for (dimension, &bound) in shape.iter().enumerate() {
        let (offset, size, stride) = (offsets[dimension], sizes[dimension], strides[dimension]);
        let is_inside = |i: usize| {
            let point = i128::from(offset) + i as i128 * i128::from(stride);
            (0..bound as i128).contains(&point)
        };
        // The points between the first and the last lie between them.
        if size > 0 && !(is_inside(0) && is_inside(size - 1)) {
            return Err(call.violation(&format!(
                "the slice with offset {offset}, size {size} and stride {stride} leaves \
                 dimension {dimension} of size {bound}"
            )));
        }
    }
    Ok(())
}

/// The points `offset + Σ i_k · stride_k` for all `i_k < size_k` lie inside the
/// array, whose elements are counted in row-major order.
pub(super) fn lmad_inside(
    call: &Call,
    offset: i64,
    sizes: &[usize],
    strides: &[i64],
    shape: &[usize],
) -> Result<(), Failure> {
    if sizes.contains(&0) {
        return Ok(());
    }
    let (mut lowest, mut highest) = (i128::from(offset), i128::from(offset));
    for (&size, &stride) in sizes.iter().zip(strides) {
        let reach = (size as i128 - 1) * i128::from(stride);
        lowest = lowest.saturating_add(reach.min(0));
        highest = highest.saturating_add(reach.max(0));
    }
    if lowest >= 0 && (highest as u128) < crate::shape::count(shape) {
        return Ok(());
    }
    Err(call.violation(&format!(
        "the LMAD with offset {offset}, sizes {sizes:?} and strides {strides:?} leaves the \
         array of shape {shape:?}"
    )))
}
