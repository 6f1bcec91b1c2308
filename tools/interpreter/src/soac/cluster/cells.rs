//! The elements of an array that is being computed.
//!
//! A cell is for one index, or, if the array is in the order of a gather, for
//! one iteration: the same index may come at several. It is written once.

use crate::shape;

/// The elements of an array, as far as they are computed.
pub(super) struct Cells {
    /// The sizes of the outer dimensions, or the lengths of the loops in their
    /// place.
    outer: Vec<usize>,
    /// The shape of what is computed at once.
    inner: Vec<usize>,
    bits: Vec<Option<u64>>,
    /// For each iteration the position, in row-major order, of the index that
    /// comes at it; nothing if cells are for indices.
    positions: Option<Vec<usize>>,
}

impl Cells {
    /// Cells of which none is written.
    pub(super) fn new(outer: &[usize], inner: &[usize], are_for_iterations: bool) -> Cells {
        let iterations = shape::count(outer) as usize;
        let count = iterations * shape::count(inner) as usize;
        Cells {
            outer: outer.to_vec(),
            inner: inner.to_vec(),
            bits: vec![None; count],
            positions: are_for_iterations.then(|| vec![0; iterations]),
        }
    }

    /// The sizes of the outer dimensions, or the lengths of the loops in their
    /// place.
    pub(super) fn outer(&self) -> &[usize] {
        &self.outer
    }

    /// Whether cells are for iterations.
    pub(super) fn are_for_iterations(&self) -> bool {
        self.positions.is_some()
    }

    /// What is in a cell, if it is written.
    pub(super) fn get(&self, outer: &[usize], inner: &[usize]) -> Option<u64> {
        let block = shape::ravel(outer, &self.outer) * shape::count(&self.inner) as usize;
        self.bits[block + shape::ravel(inner, &self.inner)]
    }

    /// The position of the index that comes at an iteration.
    pub(super) fn position(&self, iteration: &[usize]) -> Option<usize> {
        let iteration = shape::ravel(iteration, &self.outer);
        Some(self.positions.as_ref()?[iteration])
    }

    /// Writes what is computed at once, at a position of the outer dimensions;
    /// false if that has been done before.
    pub(super) fn set(&mut self, outer: &[usize], position: usize, bits: &[u64]) -> bool {
        let number = shape::ravel(outer, &self.outer);
        if let Some(positions) = &mut self.positions {
            positions[number] = position;
        }
        let cells = &mut self.bits[number * bits.len()..][..bits.len()];
        let is_new = cells.iter().all(Option::is_none);
        for (cell, &bits) in cells.iter_mut().zip(bits) {
            *cell = Some(bits);
        }
        is_new
    }

    /// The bits of all cells, or of those for the first indices of the first
    /// dimension; nothing if one is not written.
    pub(super) fn all(&self, first: Option<usize>) -> Option<Vec<u64>> {
        let count = first.map_or(self.bits.len(), |first| {
            let row = shape::count(&self.outer[1..]) * shape::count(&self.inner);
            first * row as usize
        });
        self.bits[..count].iter().copied().collect()
    }
}
