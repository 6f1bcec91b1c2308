//! Ladders of gathers: each reads from what the one before gave, at indices that are given, or
//! that are computed from what another gather gave. Fused, memory has to answer several times,
//! one time after the other, before an element is there.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Dim, Generator, Size};

/// How many gathers a ladder has.
const RUNGS: std::ops::RangeInclusive<usize> = 2..=4;

/// How many elements gathers mostly give.
const LENGTHS: std::ops::RangeInclusive<usize> = 0..=150;

/// How many some give: more than the longest block of positions that are computed ahead.
const LONG_LENGTHS: std::ops::RangeInclusive<usize> = 1020..=1100;

/// Types of indices, with how many places each can name.
const INDEX_ELEMENTS: &[(ElementType, usize)] = &[
    (ElementType::I8, 1 << 7),
    (ElementType::I16, 1 << 15),
    (ElementType::I32, 1 << 31),
    (ElementType::I64, usize::MAX),
    (ElementType::Index, usize::MAX),
];

impl Generator {
    /// Gathers of gathers, and what folds, scans, filters or scatters the elements.
    pub fn make_ladder(&mut self) -> Option<()> {
        let is_source = |array: &ArrayVar| {
            let sizes = array.sizes().unwrap_or_default();
            sizes.len() == 1 && sizes[0] > 0
        };
        let mut end = self.array(is_source)?;
        let visible = self.arrays.len();
        let long = self.one_in(6);
        let lengths = if long { LONG_LENGTHS } else { LENGTHS };
        let length = self.rng.random_range(lengths);
        for _ in 0..self.rng.random_range(RUNGS) {
            let Size::Known(bound @ 1..) = end.dims[0].size else {
                break;
            };
            let indices = self.rung_indices(bound, length);
            let indices = match self.one_in(3) {
                true => self.indices_from_memory(&indices, bound)?,
                false => indices,
            };
            end = self.rung(&end, &indices)?;
        }
        let last = self.use_of(end);
        self.by_itself(last, visible);
        Some(())
    }

    fn rung(&mut self, source: &ArrayVar, indices: &ArrayVar) -> Option<ArrayVar> {
        let sources = std::slice::from_ref(source);
        let dims = indices.dims.clone();
        let indices = std::slice::from_ref(indices);
        self.define_gather("soac.gather in a ladder", sources, indices, &dims)
            .pop()
    }

    /// Given indices below a bound.
    fn rung_indices(&mut self, bound: usize, length: usize) -> ArrayVar {
        let fitting: Vec<ElementType> = INDEX_ELEMENTS
            .iter()
            .filter(|(_, places)| bound <= *places)
            .map(|&(element, _)| element)
            .collect();
        let element = *fitting.choose(&mut self.rng).expect("i64 has all places");
        self.input_indices(element, &[length], bound)
    }

    /// Indices that are computed from what is gathered at some places.
    fn indices_from_memory(&mut self, places: &ArrayVar, bound: usize) -> Option<ArrayVar> {
        let element = self.element();
        let dim = Dim {
            size: Size::Known(bound),
            is_static: self.rng.random_bool(0.5),
        };
        let table = self.input_array_of(element, vec![dim]);
        let near = self.rung(&table, places)?;
        Some(self.computed_indices(&near, Size::Known(bound)))
    }

    /// What becomes of the elements in the end.
    fn use_of(&mut self, end: ArrayVar) -> Vec<ArrayVar> {
        let visible = self.arrays.len();
        let inputs = [end];
        match self.rng.random_range(0..6) {
            0 => self.fold_of(&inputs, 1),
            1 => {
                self.scan_of(&inputs);
            }
            2 => {
                self.filter_of(&inputs);
            }
            3 => {
                self.map_of(&inputs);
            }
            4 => {
                let scanned = self.scan_of(&inputs);
                self.filter_of(&scanned);
            }
            _ => return inputs.to_vec(),
        }
        self.arrays[visible..].to_vec()
    }
}
