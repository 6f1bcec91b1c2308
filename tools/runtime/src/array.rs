//! A dense array in memory: element type, shape, and row-major bytes that
//! start at a 64-byte boundary.

use std::fmt;

use crate::aligned_buffer::AlignedBuffer;
use crate::signature::ValueType;
use crate::{ElementType, Scalar, Sign};

/// A dense row-major array of any rank and element type. Rank 0 has one
/// element; an array with a dimension of size 0 has none.
///
/// Equality is of types, shapes and bits: a NaN equals itself.
pub struct Array {
    element: ElementType,
    shape: Vec<usize>,
    data: AlignedBuffer,
}

/// No array has more elements, where sizes of zero count as one, so that the bytes of all
/// of its parts can be counted.
pub const MOST_ELEMENTS: u64 = 1 << 59;

/// Whether an array can have these sizes.
pub fn is_countable(sizes: impl IntoIterator<Item = u64>) -> bool {
    sizes
        .into_iter()
        .try_fold(1, |count: u64, size| count.checked_mul(size.max(1)))
        .is_some_and(|count| count <= MOST_ELEMENTS)
}

/// Why an array could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArrayError {
    /// The array has more elements than any may have, where sizes of zero count as one.
    #[error("an array of type {ty} has too many elements")]
    TooManyElements {
        /// The type of the wanted array.
        ty: ValueType,
    },
    /// The allocator has not so many bytes.
    #[error("out of memory: an array of type {ty} needs {bytes} bytes")]
    OutOfMemory {
        /// The type of the wanted array.
        ty: ValueType,
        /// Its size.
        bytes: usize,
    },
    /// The given elements do not fill the given shape.
    #[error("an array of type {ty} has {expected} elements, but {found} were given")]
    ElementCount {
        /// The type of the wanted array.
        ty: ValueType,
        /// The product of its sizes.
        expected: usize,
        /// The number of elements given.
        found: usize,
    },
}

impl Array {
    /// An array of zeros.
    pub fn zeroed(element: ElementType, shape: &[usize]) -> Result<Array, ArrayError> {
        let ty = || ValueType::array_of_shape(element, shape);
        let bytes =
            byte_count(element, shape).ok_or_else(|| ArrayError::TooManyElements { ty: ty() })?;
        let data = AlignedBuffer::zeroed(bytes)
            .ok_or_else(|| ArrayError::OutOfMemory { ty: ty(), bytes })?;
        Ok(Array {
            element,
            shape: shape.to_vec(),
            data,
        })
    }

    /// An array whose element at row-major position `i` is `value(i)`,
    /// converted as [`Scalar::convert`] does.
    pub fn from_fn(
        element: ElementType,
        shape: &[usize],
        mut value: impl FnMut(usize) -> Scalar,
    ) -> Result<Array, ArrayError> {
        let mut array = Array::zeroed(element, shape)?;
        let size = element.byte_size();
        for (position, bytes) in array.data.as_mut_slice().chunks_exact_mut(size).enumerate() {
            value(position).write(element, bytes);
        }
        Ok(array)
    }

    /// An array of the given elements in row-major order.
    pub fn from_scalars(
        element: ElementType,
        shape: &[usize],
        scalars: &[Scalar],
    ) -> Result<Array, ArrayError> {
        let ty = || ValueType::array_of_shape(element, shape);
        let expected =
            element_count(shape).ok_or_else(|| ArrayError::TooManyElements { ty: ty() })?;
        if expected != scalars.len() {
            return Err(ArrayError::ElementCount {
                ty: ty(),
                expected,
                found: scalars.len(),
            });
        }
        Array::from_fn(element, shape, |position| scalars[position])
    }

    /// A copy, which may fail for want of memory; hence not `Clone`.
    pub fn try_clone(&self) -> Result<Array, ArrayError> {
        let mut copy = Array::zeroed(self.element, &self.shape)?;
        copy.bytes_mut().copy_from_slice(self.bytes());
        Ok(copy)
    }

    /// The type of the elements.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The sizes of the dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.as_slice().len() / self.element.byte_size()
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The array's type, with every size static.
    pub fn ty(&self) -> ValueType {
        ValueType::array_of_shape(self.element, &self.shape)
    }

    /// The elements' bytes in row-major order, starting at a 64-byte boundary.
    pub fn bytes(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// The elements' bytes, for writing.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.data.as_mut_slice()
    }

    /// The element at a row-major position, or none if there is no such.
    pub fn get(&self, position: usize) -> Option<Scalar> {
        let size = self.element.byte_size();
        let bytes = self.bytes().chunks_exact(size).nth(position)?;
        Some(Scalar::read(self.element, bytes))
    }

    /// Writes the element at a row-major position, converted as
    /// [`Scalar::convert`] does.
    ///
    /// # Panics
    ///
    /// If the position is not below [`Array::len`].
    pub fn set(&mut self, position: usize, value: Scalar) {
        let size = self.element.byte_size();
        let element = self.element;
        value.write(element, &mut self.bytes_mut()[position * size..][..size]);
    }

    /// The row-major position of an index, or none if it has another rank or
    /// lies outside the shape.
    pub fn position(&self, index: &[usize]) -> Option<usize> {
        if index.len() != self.rank() {
            return None;
        }
        index
            .iter()
            .zip(&self.shape)
            .try_fold(0, |position, (&index, &size)| {
                (index < size).then(|| position * size + index)
            })
    }

    /// The elements in row-major order.
    pub fn scalars(&self) -> impl ExactSizeIterator<Item = Scalar> + '_ {
        self.bytes()
            .chunks_exact(self.element.byte_size())
            .map(|bytes| Scalar::read(self.element, bytes))
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.element == other.element && self.shape == other.shape && self.bytes() == other.bytes()
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            self.ty(),
            crate::display::format_array(self, Sign::Signed)
        )
    }
}

/// The number of elements of a shape, or none if no array can have it.
pub fn element_count(shape: &[usize]) -> Option<usize> {
    is_countable(shape.iter().map(|&size| size as u64)).then(|| shape.iter().product())
}

/// The bytes of an array, or none if no array can have the shape.
pub fn byte_count(element: ElementType, shape: &[usize]) -> Option<usize> {
    Some(element_count(shape)? * element.byte_size())
}

#[cfg(test)]
mod tests {
    use super::*;

    // S11
    #[test]
    fn sizes_of_zero_do_not_make_up_for_large_ones() {
        let too_many = |shape: &[usize]| {
            let error = Array::zeroed(ElementType::F64, shape).unwrap_err();
            matches!(error, ArrayError::TooManyElements { .. })
        };
        assert!(too_many(&[usize::MAX, 2]));
        assert!(too_many(&[(1 << 59) + 1]));
        assert!(too_many(&[1 << 62, 0]));
        assert!(too_many(&[0, 1 << 31, 1 << 31]));
        let error = Array::zeroed(ElementType::F64, &[1 << 59]).unwrap_err();
        assert!(matches!(error, ArrayError::OutOfMemory { .. }));
        let array = Array::zeroed(ElementType::F64, &[1 << 29, 0, 1 << 30]).unwrap();
        assert!(array.is_empty());
        assert_eq!(array.get(0), None);
    }

    #[test]
    fn rank_zero_has_one_element() {
        let mut array = Array::zeroed(ElementType::I16, &[]).unwrap();
        assert_eq!(array.len(), 1);
        array.set(0, Scalar::Int(40_000));
        assert_eq!(array.get(0), Some(Scalar::Int(-25_536)));
        assert_eq!(array.position(&[]), Some(0));
    }

    #[test]
    fn positions_are_row_major() {
        let array = Array::from_fn(ElementType::I32, &[2, 3], |i| Scalar::Int(i as i64)).unwrap();
        assert_eq!(array.position(&[1, 2]), Some(5));
        assert_eq!(array.position(&[0, 3]), None);
        assert_eq!(array.position(&[0]), None);
        assert_eq!(array.get(4), Some(Scalar::Int(4)));
        assert_eq!(array.try_clone().unwrap(), array);
    }

    #[test]
    fn element_counts_are_checked() {
        let error = Array::from_scalars(ElementType::F32, &[2, 2], &[Scalar::Float(1.0)]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "an array of type tensor<2x2xf32> has 4 elements, but 1 were given"
        );
    }
}
