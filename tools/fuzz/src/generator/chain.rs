//! Chains of statements in which each reads what the one before gives: maps, scans,
//! reversals, gathers of what was gathered, and gathers at indices that a filter kept.
//! Fused, they are in the order of a gather that is itself in such an order, or
//! backwards, or only where something was kept.

use rand::Rng;

use super::{ArrayVar, Generator, combinators::element_count};

/// The most statements of a chain.
const LONGEST: usize = 5;

impl Generator {
    pub fn make_chain(&mut self) -> Option<()> {
        let mut end = self.indexable(1)?.remove(0);
        let mut links = 0;
        for _ in 0..self.rng.random_range(2..=LONGEST) {
            if let Some(next) = self.link(&end) {
                end = next;
                links += 1;
            }
        }
        (links > 0).then_some(())
    }

    /// A statement that reads an array, and what it gives; nothing if there is no
    /// statement of the kind that is drawn.
    fn link(&mut self, array: &ArrayVar) -> Option<ArrayVar> {
        match self.rng.random_range(0..10) {
            0..=2 => self.map_with_another(array),
            3..=4 => self.backwards(array),
            5..=6 => self.gather_at_computed(array),
            7..=8 => self.gather_at_kept(array),
            _ => self.scan_of(std::slice::from_ref(array)).pop(),
        }
    }

    /// A map of an array, and perhaps of another one of its shape.
    fn map_with_another(&mut self, array: &ArrayVar) -> Option<ArrayVar> {
        let mut inputs = vec![array.clone()];
        if self.rng.random_bool(0.5) {
            inputs.extend(self.array(|other| other.has_shape_of(array)));
        }
        self.map_of(&inputs).pop()
    }

    fn backwards(&mut self, array: &ArrayVar) -> Option<ArrayVar> {
        let axis = self.rng.random_range(0..array.rank());
        self.reverse_of(std::slice::from_ref(array), &[axis]).pop()
    }

    /// A gather at indices that a map computes: of all dimensions, or of the outermost.
    pub fn gather_at_computed(&mut self, array: &ArrayVar) -> Option<ArrayVar> {
        let indexed = self.indexed_dimensions(array)?;
        let model = self.array(|other| (1..=2).contains(&other.rank()))?;
        let mut dims = model.dims.clone();
        dims.extend_from_slice(&array.dims[indexed..]);
        if element_count(&dims) > super::MOST_ELEMENTS {
            return None;
        }
        let indices = self.indices_of(&model, array, indexed);
        self.gather(array, &indices, dims)
    }

    /// A gather at indices that a filter kept, with something else that it kept.
    fn gather_at_kept(&mut self, array: &ArrayVar) -> Option<ArrayVar> {
        let indexed = self.indexed_dimensions(array)?;
        let model = self.array(|other| other.rank() == 1)?;
        let mut filtered = self.indices_of(&model, array, indexed);
        if self.rng.random_bool(0.5) {
            filtered.push(model);
        }
        let mut kept = self.filter_of(&filtered);
        kept.truncate(indexed);
        let mut dims = kept[0].dims.clone();
        dims.extend_from_slice(&array.dims[indexed..]);
        self.gather(array, &kept, dims)
    }

    fn gather(
        &mut self,
        array: &ArrayVar,
        indices: &[ArrayVar],
        dims: Vec<super::Dim>,
    ) -> Option<ArrayVar> {
        let source = [array.clone()];
        self.define_gather("soac.gather in a chain", &source, indices, &dims)
            .pop()
    }

    /// Indices into outer dimensions of an array, computed from the elements of a model.
    fn indices_of(&mut self, model: &ArrayVar, array: &ArrayVar, indexed: usize) -> Vec<ArrayVar> {
        let bounds = array.dims[..indexed].iter();
        bounds
            .map(|bound| self.computed_indices(model, bound.size))
            .collect()
    }

    /// How many outer dimensions a gather indexes; none if indices cannot be known to
    /// be inside.
    fn indexed_dimensions(&mut self, array: &ArrayVar) -> Option<usize> {
        let sizes = array.sizes()?;
        (!sizes.contains(&0)).then(|| self.rng.random_range(1..=array.rank()))
    }
}
