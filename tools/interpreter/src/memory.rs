//! Memory: blocks of elements that are changed in place, and views of them.
//!
//! A block is shared by all views of it, and is gone when nobody has one. An element is not defined
//! until it is written. What a view reaches is only known when it is used.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::element::Element;
use crate::shape;
use crate::value::{Array, Scalar};

/// What a program promises not to do with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("reads an element that was never written")]
    Undefined,
    #[error("uses memory that was freed")]
    Freed,
    #[error("reaches outside of its block of memory")]
    Outside,
    #[error("needs elements that follow each other in memory")]
    Scattered,
}

/// The elements of a block; nothing once it is freed.
type Block = Option<Vec<Option<u64>>>;

/// Elements of a block of memory, as an array; copies share them.
#[derive(Clone)]
pub struct Memory {
    element: Element,
    shape: Vec<usize>,
    offset: i64,
    strides: Vec<i64>,
    block: Arc<Mutex<Block>>,
    /// Which block it is, of all that there have been.
    number: u64,
}

/// How many blocks there have been.
static BLOCKS: AtomicU64 = AtomicU64::new(0);

impl Memory {
    /// A new block, whose elements are not defined.
    pub(crate) fn new(element: Element, shape: &[usize]) -> Memory {
        let count = shape::count(shape) as usize;
        Memory::with(element, shape, vec![None; count])
    }

    /// A new block with the elements of an array.
    pub(crate) fn holding(array: &Array) -> Memory {
        let elements = array.bits().iter().copied().map(Some).collect();
        Memory::with(array.element(), array.shape(), elements)
    }

    fn with(element: Element, shape: &[usize], elements: Vec<Option<u64>>) -> Memory {
        Memory {
            element,
            shape: shape.to_vec(),
            offset: 0,
            strides: row_major(shape),
            block: Arc::new(Mutex::new(Some(elements))),
            number: BLOCKS.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The type of the elements.
    pub(crate) fn element(&self) -> Element {
        self.element
    }

    /// The sizes, outermost first.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How far apart neighbours are in the block, for each dimension.
    pub(crate) fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// Where in the block the first element is.
    pub(crate) fn offset(&self) -> i64 {
        self.offset
    }

    /// Other elements of the same block.
    pub(crate) fn view(&self, shape: Vec<usize>, offset: i64, strides: Vec<i64>) -> Memory {
        Memory {
            element: self.element,
            shape,
            offset,
            strides,
            block: Arc::clone(&self.block),
            number: self.number,
        }
    }

    /// The same elements in another shape of as many.
    pub(crate) fn reshaped(&self, shape: Vec<usize>) -> Result<Memory, Fault> {
        let all: Vec<usize> = (0..self.shape.len()).collect();
        let stride = self.stride_of(&all)?;
        let strides = row_major(&shape)
            .iter()
            .map(|own| own.wrapping_mul(stride))
            .collect();
        Ok(self.view(shape, self.offset, strides))
    }

    /// How far apart neighbours are if some dimensions, which follow each other, become one.
    pub(crate) fn stride_of(&self, dimensions: &[usize]) -> Result<i64, Fault> {
        let has_neighbours = |&&dimension: &&usize| self.shape[dimension] != 1;
        let mut inner = dimensions.iter().rev().filter(has_neighbours);
        let Some(&innermost) = inner.next() else {
            return Ok(1);
        };
        let stride = self.strides[innermost];
        let mut expected = stride.wrapping_mul(self.shape[innermost] as i64);
        for &dimension in inner {
            if self.strides[dimension] != expected && !self.shape.contains(&0) {
                return Err(Fault::Scattered);
            }
            expected = expected.wrapping_mul(self.shape[dimension] as i64);
        }
        Ok(stride)
    }

    fn lock(&self) -> MutexGuard<'_, Block> {
        self.block.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where in the block an element is whose index is in range.
    fn place(&self, index: &[usize]) -> Result<usize, Fault> {
        let steps = index.iter().zip(&self.strides);
        let place = steps.fold(i128::from(self.offset), |place, (&component, &stride)| {
            place + component as i128 * i128::from(stride)
        });
        usize::try_from(place).map_err(|_| Fault::Outside)
    }

    /// Which block it is in; no other one has the same number.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Where in its block an element is whose index is in range.
    pub(crate) fn position(&self, index: &[usize]) -> Option<usize> {
        self.place(index).ok()
    }

    /// The element at an index that is in range.
    pub(crate) fn load(&self, index: &[usize]) -> Result<Scalar, Fault> {
        let place = self.place(index)?;
        let block = self.lock();
        let elements = block.as_ref().ok_or(Fault::Freed)?;
        let bits = elements.get(place).ok_or(Fault::Outside)?;
        bits.map(|bits| Scalar::from_bits(self.element, bits))
            .ok_or(Fault::Undefined)
    }

    /// Replaces the element at an index that is in range.
    pub(crate) fn store(&self, index: &[usize], value: Scalar) -> Result<(), Fault> {
        let place = self.place(index)?;
        let mut block = self.lock();
        let elements = block.as_mut().ok_or(Fault::Freed)?;
        *elements.get_mut(place).ok_or(Fault::Outside)? = Some(value.bits());
        Ok(())
    }

    /// All elements in row-major order; those that are not defined are none.
    fn elements(&self) -> Result<Vec<Option<u64>>, Fault> {
        let block = self.lock();
        let elements = block.as_ref().ok_or(Fault::Freed)?;
        shape::indices(&self.shape)
            .map(|index| elements.get(self.place(&index)?).ok_or(Fault::Outside))
            .map(|element| element.copied())
            .collect()
    }

    /// The elements as an array. Those that are not defined are zero, as those of `tensor.empty`.
    pub(crate) fn array(&self) -> Result<Array, Fault> {
        let elements = self.elements()?.into_iter();
        let bits = elements.map(Option::unwrap_or_default).collect();
        Array::new(self.element, self.shape.clone(), bits).ok_or(Fault::Outside)
    }

    /// The bits of the elements, as in [`Memory::array`]; none if they cannot be read.
    pub(crate) fn bits(&self) -> Vec<u64> {
        self.array()
            .map_or_else(|_| vec![], |array| array.bits().to_vec())
    }

    /// Replaces all elements by those of memory of the same shape; what is not defined there is not
    /// defined here.
    pub(crate) fn copy_from(&self, source: &Memory) -> Result<(), Fault> {
        self.replace(source.elements()?)
    }

    /// Replaces all elements, given in row-major order.
    pub(crate) fn replace(&self, new: Vec<Option<u64>>) -> Result<(), Fault> {
        let mut block = self.lock();
        let elements = block.as_mut().ok_or(Fault::Freed)?;
        for (index, new) in shape::indices(&self.shape).zip(new) {
            *elements
                .get_mut(self.place(&index)?)
                .ok_or(Fault::Outside)? = new;
        }
        Ok(())
    }

    /// Ends the life of the block.
    pub(crate) fn free(&self) -> Result<(), Fault> {
        self.lock().take().map(drop).ok_or(Fault::Freed)
    }
}

/// The strides of an array whose elements follow each other in row-major order.
pub(crate) fn row_major(shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![1_i64; shape.len()];
    for dimension in (1..shape.len()).rev() {
        strides[dimension - 1] = strides[dimension].wrapping_mul(shape[dimension] as i64);
    }
    strides
}

/// Memory is equal if it is the same.
impl PartialEq for Memory {
    fn eq(&self, other: &Memory) -> bool {
        Arc::ptr_eq(&self.block, &other.block)
            && (&self.shape, self.offset, &self.strides)
                == (&other.shape, other.offset, &other.strides)
    }
}

impl Eq for Memory {}

impl fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.array() {
            Ok(array) => write!(formatter, "memory of {array:?}"),
            Err(fault) => write!(formatter, "memory that {fault}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEMENT: Element = Element::Integer(32);

    fn counted(shape: &[usize]) -> Memory {
        let bits = (0..shape::count(shape) as u64).collect();
        Memory::holding(&Array::new(ELEMENT, shape.to_vec(), bits).unwrap())
    }

    #[test]
    fn views_share_what_is_written() {
        let memory = counted(&[2, 3]);
        let column = memory.view(vec![2], 1, vec![3]);
        column
            .store(&[1], Scalar::integer(ELEMENT, 9))
            .expect("it is inside");
        assert_eq!(memory.array().unwrap().bits(), [0, 1, 2, 3, 9, 5]);
    }

    #[test]
    fn what_is_not_written_or_freed_is_not_read() {
        let memory = Memory::new(ELEMENT, &[2]);
        assert_eq!(memory.load(&[0]), Err(Fault::Undefined));
        assert_eq!(memory.array().unwrap().bits(), [0, 0]);
        let outside = memory.view(vec![3], 0, vec![1]);
        assert_eq!(outside.load(&[2]), Err(Fault::Outside));
        memory.free().expect("it is not freed yet");
        assert_eq!(memory.load(&[0]), Err(Fault::Freed));
        assert_eq!(memory.free(), Err(Fault::Freed));
    }

    #[test]
    fn only_what_follows_each_other_is_reshaped() {
        let memory = counted(&[2, 3]);
        let flat = memory.reshaped(vec![6]).unwrap();
        assert_eq!(flat.array().unwrap().bits(), [0, 1, 2, 3, 4, 5]);
        let turned = memory.view(vec![3, 2], 0, vec![1, 3]);
        assert_eq!(turned.reshaped(vec![6]), Err(Fault::Scattered));
        let row = memory.view(vec![1, 3], 3, vec![3, 1]);
        assert_eq!(
            row.reshaped(vec![3]).unwrap().array().unwrap().bits(),
            [3, 4, 5]
        );
    }
}
