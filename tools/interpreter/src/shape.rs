//! Shapes, indices, and row-major positions.

/// The number of elements of a shape; beyond 128 bits, the largest number.
pub(crate) fn count(shape: &[usize]) -> u128 {
    if shape.contains(&0) {
        return 0;
    }
    shape
        .iter()
        .fold(1, |count: u128, &size| count.saturating_mul(size as u128))
}

/// The row-major position of an index.
///
/// # Panics
///
/// If the index lies outside the shape.
pub(crate) fn ravel(index: &[usize], shape: &[usize]) -> usize {
    assert_eq!(index.len(), shape.len(), "an index of the shape's rank");
    let mut position = 0;
    for (&component, &size) in index.iter().zip(shape) {
        assert!(component < size, "an index inside the shape");
        position = position * size + component;
    }
    position
}

/// The index at a row-major position.
pub(crate) fn unravel(mut position: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (component, &size) in index.iter_mut().zip(shape).rev() {
        *component = position % size;
        position /= size;
    }
    index
}

/// All indices of a shape in row-major order.
pub(crate) fn indices(shape: &[usize]) -> impl DoubleEndedIterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    (0..count(&shape) as usize).map(move |position| unravel(position, &shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_in_row_major_order() {
        let all: Vec<_> = indices(&[2, 1, 2]).collect();
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]]);
        for (position, index) in all.iter().enumerate() {
            assert_eq!(ravel(index, &[2, 1, 2]), position);
        }
    }

    #[test]
    fn rank_zero_has_one_index_and_a_size_of_zero_none() {
        assert_eq!(indices(&[]).collect::<Vec<_>>(), [Vec::<usize>::new()]);
        assert_eq!(indices(&[usize::MAX, 0, 3]).count(), 0);
    }
}
