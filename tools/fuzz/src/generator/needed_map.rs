//! Maps of an array that is given, whose results are read by gathers and by other statements: a
//! gather may compute such a map again.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{Dim, Generator, Size, types};

/// The longest dimension.
const LONGEST: usize = 40;

impl Generator {
    /// The map, and what reads its result, as far as there are arrays for that.
    pub fn make_needed_map(&mut self) -> Option<()> {
        let [given, near, far] = [
            self.any_element()?,
            self.any_element()?,
            self.any_element()?,
        ];
        let rank = self.rng.random_range(1..=2);
        let dims = (0..rank).map(|_| self.short_dim()).collect();
        let given = self.input_array_of(given, dims);
        self.arrays.push(given.clone());
        let first = self.combination_of(std::slice::from_ref(&given), near);
        let mapped = match self.rng.random_bool(0.5) {
            true => self.combination_of(&[first, given], far),
            false => first,
        };
        let gathers = 1 + usize::from(self.one_in(3));
        for _ in 0..gathers {
            self.gather_at_computed(&mapped);
        }
        self.map_of(&[mapped]);
        Some(())
    }

    fn any_element(&mut self) -> Option<ElementType> {
        types::ELEMENTS.choose(&mut self.rng).copied()
    }

    fn short_dim(&mut self) -> Dim {
        Dim {
            size: Size::Known(self.rng.random_range(1..=LONGEST)),
            is_static: self.one_in(3),
        }
    }
}
