//! Arrays of which parts are replaced by what is computed from other parts of them, or from
//! the same, and which nobody reads any more: updates that may be done in place, if the
//! parts allow it.

use rand::Rng;

use super::{ArrayVar, Code, Dim, Generator, Size};

/// The most parts that are read.
const READS: usize = 2;

impl Generator {
    /// Parts of an array, what is computed from these, and updates with that.
    pub fn make_updates_in_place(&mut self) -> Option<()> {
        let has_elements = |array: &ArrayVar| {
            array.rank() >= 1 && array.sizes().is_some_and(|sizes| !sizes.contains(&0))
        };
        let model = self.array(has_elements)?;
        let visible = self.arrays.len();
        let old = match self.rng.random_bool(0.5) {
            true => self.map_of(&[model]).swap_remove(0),
            false => model,
        };
        let sizes = old.sizes()?;
        let part: Vec<usize> = sizes
            .iter()
            .map(|&size| self.rng.random_range(1..=size))
            .collect();
        let reads = self.rng.random_range(1..=READS);
        let parts: Vec<ArrayVar> = (0..reads).map(|_| self.part_of(&old, &part)).collect();
        let mut computed = match self.rng.random_bool(0.5) {
            true => self.scan_of(&parts),
            false => self.map_of(&parts),
        };
        computed.retain(|array| array.element == old.element);
        if computed.is_empty() {
            computed.push(parts[0].clone());
        }
        let mut updated = old;
        for source in computed {
            updated = self.updated(&source, &updated, &part);
        }
        // What is only used here.
        self.arrays.truncate(visible);
        self.arrays.push(updated);
        Some(())
    }

    /// A part of an array, of these sizes.
    fn part_of(&mut self, array: &ArrayVar, part: &[usize]) -> ArrayVar {
        let offsets = self.places(array, part);
        let mut code = Code::default();
        let offsets = self.value_list(&mut code, &offsets);
        let known = |&size: &usize| Dim {
            size: Size::Known(size),
            is_static: true,
        };
        let rest = format!("{offsets} {part:?} {:?}", vec![1; part.len()]);
        let inputs = std::slice::from_ref(array);
        let dims = part.iter().map(known).collect();
        self.rearrange("soac.slice", code, inputs, &rest, dims)
            .swap_remove(0)
    }

    /// An array with a part replaced.
    fn updated(&mut self, source: &ArrayVar, dest: &ArrayVar, part: &[usize]) -> ArrayVar {
        let offsets = self.places(dest, part);
        self.update_of(source, dest, &offsets, &vec![1; part.len()])
    }

    /// Where a part of these sizes may begin in an array.
    fn places(&mut self, array: &ArrayVar, part: &[usize]) -> Vec<i64> {
        let sizes = array.sizes().unwrap_or_default();
        let pairs = sizes.into_iter().zip(part);
        let starts = pairs.map(|(size, part)| self.rng.random_range(0..=size - part) as i64);
        starts.collect()
    }
}
