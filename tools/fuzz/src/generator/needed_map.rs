//! Maps of an array that is given, whose results are read by gathers and by other statements: a
//! gather may compute such a map again.

use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Dim, Generator, Size, types};

/// The longest dimension.
const LONGEST: usize = 40;

impl Generator {
    pub fn make_needed_map(&mut self) -> Option<()> {
        let element = *types::ELEMENTS.choose(&mut self.rng)?;
        let rank = self.rng.random_range(1..=2);
        let dims = (0..rank).map(|_| self.short_dim()).collect();
        let given = self.input_array_of(element, dims);
        self.arrays.push(given.clone());
        let first = self.cheap_map(std::slice::from_ref(&given))?;
        let mapped = match self.rng.random_bool(0.5) {
            true => self.cheap_map(&[first, given])?,
            false => first,
        };
        self.gather_at_computed(&mapped)?;
        match self.one_in(3) {
            true => self.gather_at_computed(&mapped)?,
            false => self.map_of(&[mapped]).pop()?,
        };
        Some(())
    }

    fn short_dim(&mut self) -> Dim {
        Dim {
            size: Size::Known(self.rng.random_range(1..=LONGEST)),
            is_static: self.one_in(3),
        }
    }

    /// A map that computes little, of elements of any type.
    fn cheap_map(&mut self, arrays: &[ArrayVar]) -> Option<ArrayVar> {
        let element = *types::ELEMENTS.choose(&mut self.rng)?;
        Some(self.combination_of(arrays, element))
    }
}
