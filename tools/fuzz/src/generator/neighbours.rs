//! Arrays that meet themselves: reversed, or moved by one, as in a stencil.

use rand::Rng;

use super::{ArrayVar, Code, Dim, Generator, Size};

/// How many of the neighbours a stencil reads, and the element itself.
const READS: std::ops::RangeInclusive<usize> = 1..=5;

impl Generator {
    /// An array that meets one that is backwards: itself, or another one of which as much is
    /// taken.
    pub fn make_mirrored(&mut self) -> Option<()> {
        let has_elements = |array: &ArrayVar| {
            let sizes = array.sizes().unwrap_or_default();
            !sizes.is_empty() && sizes.len() <= 2 && !sizes.contains(&0)
        };
        let visible = self.arrays.len();
        let forwards = self.array(has_elements)?;
        let rank = forwards.rank();
        let other = match self.one_in(3) {
            true => self.array(|array| has_elements(array) && array.rank() == rank)?,
            false => forwards.clone(),
        };
        let axis = self.rng.random_range(0..rank);
        let backwards = self.reverse_of(&[other], &[axis]).pop()?;
        let pairs = forwards.sizes()?.into_iter().zip(backwards.sizes()?);
        let sizes: Vec<usize> = pairs.map(|(one, other)| one.min(other)).collect();
        let parts: Vec<ArrayVar> = [forwards, backwards]
            .iter()
            .map(|array| match array.sizes().as_ref() == Some(&sizes) {
                true => array.clone(),
                false => self.moved(array, &sizes, 0),
            })
            .collect();
        let last = self.map_of(&parts);
        self.by_itself(last, visible);
        Some(())
    }

    /// A part of an array that begins so far behind its first element, by dimension.
    fn moved(&mut self, array: &ArrayVar, sizes: &[usize], distances: usize) -> ArrayVar {
        let offsets: Vec<usize> = sizes
            .iter()
            .map(|_| self.rng.random_range(0..=distances))
            .collect();
        let mut code = Code::default();
        let (list, dims) = self.size_list(&mut code, sizes);
        let rest = format!("{offsets:?} {list} {:?}", vec![1; sizes.len()]);
        let inputs = std::slice::from_ref(array);
        self.rearrange("soac.slice", code, inputs, &rest, dims)
            .swap_remove(0)
    }

    /// An array whose interior is computed from the elements around, once or in each round of
    /// a loop.
    pub fn make_stencil(&mut self) -> Option<()> {
        let has_interior = |array: &ArrayVar| {
            let sizes = array.sizes().unwrap_or_default();
            !sizes.is_empty() && sizes.len() <= 3 && sizes.iter().all(|&size| size > 2)
        };
        let visible = self.arrays.len();
        let start = match self.rng.random_bool(0.5) {
            true => self.array(has_interior)?,
            false => self.field(),
        };
        let last = match self.depth == 0 && self.rng.random_bool(0.5) {
            true => self.in_rounds(&start, Self::stencil),
            false => self.stencil(&start),
        };
        self.by_itself(vec![last], visible);
        Some(())
    }

    /// A new array of two dimensions whose rows are wide enough for vectors, and may be whole
    /// lines of the cache.
    fn field(&mut self) -> ArrayVar {
        let columns = match self.one_in(3) {
            true => 16 * self.rng.random_range(1..=5),
            false => self.rng.random_range(8..=80),
        };
        let dims: Vec<Dim> = [self.rng.random_range(3..=8), columns]
            .map(|size| Dim {
                size: Size::Known(size),
                is_static: self.rng.random_bool(0.5),
            })
            .to_vec();
        let element = self.element();
        self.input_array_of(element, dims)
    }

    /// One step of a stencil.
    fn stencil(&mut self, array: &ArrayVar) -> ArrayVar {
        let sizes = array.sizes().unwrap_or_default();
        let interior: Vec<usize> = sizes.iter().map(|size| size.saturating_sub(2)).collect();
        let parts: Vec<ArrayVar> = (0..self.rng.random_range(READS))
            .map(|_| self.moved(array, &interior, 2))
            .collect();
        let computed = self.map_to(&parts, &[array.element]).swap_remove(0);
        let ones = vec![1; sizes.len()];
        self.update_of(&computed, array, &ones, &ones)
    }

    /// Several steps that compute an array from the one before, as a loop.
    pub fn in_rounds(
        &mut self,
        start: &ArrayVar,
        step: impl Fn(&mut Self, &ArrayVar) -> ArrayVar,
    ) -> ArrayVar {
        let [carried, result] = [0; 2].map(|_| self.fresh(start.element, start.dims.clone()));
        let ty = start.ty();
        let mut code = Code::default();
        let rounds = self.rng.random_range(0..=4);
        let bound = self.index_parameter(rounds);
        let bound = code.use_name(&bound);
        let [zero, one, index] = ["c", "c", "i"].map(|prefix| self.name(prefix));
        code.line(format!("%{zero} = arith.constant 0 : index"));
        code.line(format!("%{one} = arith.constant 1 : index"));
        let first = code.use_name(&start.name);
        code.line(format!(
            "%{} = scf.for %{index} = %{zero} to {bound} step %{one} iter_args(%{} = {first}) -> \
             ({ty}) {{",
            result.name, carried.name
        ));
        let mut updated = carried.clone();
        let (mut body, _) = self.nested(vec![], |this| updated = step(this, &carried));
        body.uses.remove(&carried.name);
        code.lines += &body.lines;
        code.uses.extend(body.uses);
        code.line(format!("  scf.yield %{} : {ty}", updated.name));
        code.line("}");
        self.define("scf.for of a stencil", code, std::slice::from_ref(&result));
        result
    }
}
