//! Stencils whose rows read many of the same elements, so that several rows may be computed
//! together: with all numbers of rows around those of a group, and of columns around those
//! of a vector; into a new array, into a copy of one that is read, or in place.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Dim, Generator, Size, expression, types};

/// What a stencil reads lies at most so far behind its first element, by dimension.
const REACH: usize = 2;

/// Rows that are computed.
const ROWS: std::ops::RangeInclusive<usize> = 1..=9;

/// Bytes of a vector.
const VECTOR: usize = 64;

/// The most reads of one array.
const MOST_READS: usize = 9;

/// How many ops there are for each read where rows compute much.
const MUCH: std::ops::RangeInclusive<usize> = 8..=16;

impl Generator {
    /// A stencil that is computed once, or in each round of a loop.
    pub fn make_shared_rows(&mut self) -> Option<()> {
        let visible = self.arrays.len();
        let element = *types::ELEMENTS.choose(&mut self.rng)?;
        let dims = self.wide_dims(element);
        let field = self.input_array_of(element, dims.clone());
        let last = match self.rng.random_range(0..5) {
            0 => {
                let parts = self.parts_around(&field);
                self.combination_of(&parts, element)
            }
            1 => self.step_of_rows(&field, &field),
            2 if self.depth == 0 => {
                self.in_rounds(&field, |this, array| this.step_of_rows(array, array))
            }
            _ if self.depth == 0 => {
                let element = *types::ELEMENTS.choose(&mut self.rng)?;
                let updated = self.input_array_of(element, dims);
                self.in_rounds(&updated, |this, array| this.step_of_rows(&field, array))
            }
            _ => return None,
        };
        self.by_itself(vec![last], visible);
        Some(())
    }

    /// Dimensions of an array around whose elements there are others: rows that are about
    /// as long as some vectors, or short; in front of these, perhaps planes.
    fn wide_dims(&mut self, element: ElementType) -> Vec<Dim> {
        let lanes = VECTOR / element.byte_size();
        let columns = match self.rng.random_range(0..4) {
            0 => self.rng.random_range(1..=12),
            1 => lanes * self.rng.random_range(1..=3),
            _ => lanes * self.rng.random_range(1..=3) + self.rng.random_range(0..=4) - REACH,
        };
        let mut sizes = vec![self.rng.random_range(ROWS) + REACH, columns + REACH];
        if self.one_in(4) {
            sizes.insert(0, self.rng.random_range(1..=3) + REACH);
        }
        self.known_dims(sizes)
    }

    /// An array with new elements inside its border, computed from those of a field around them,
    /// and perhaps from the old ones.
    fn step_of_rows(&mut self, field: &ArrayVar, old: &ArrayVar) -> ArrayVar {
        let mut parts = self.parts_around(field);
        let place = vec![REACH / 2; old.rank()];
        if field.name != old.name && self.rng.random_bool(0.5) {
            let own = self.inner_part(old, &place, &parts[0].dims.clone());
            parts.push(own);
        }
        let computed = self.combination_of(&parts, old.element);
        self.update_at(&computed, old, &place)
    }

    /// Parts of an array that are moved by all pairs of some rows and some columns, but for a few.
    fn parts_around(&mut self, array: &ArrayVar) -> Vec<ArrayVar> {
        let sizes = array.sizes().unwrap_or_default();
        let dims = self.inner_dims(&sizes);
        let mut places: Vec<Vec<usize>> = vec![vec![]];
        for axis in 0..sizes.len() {
            let is_row = axis + 2 == sizes.len();
            let fewest = if is_row { 2 } else { 1 };
            let distances = self.distances(fewest);
            let longer = places.iter().flat_map(|place| {
                distances
                    .iter()
                    .map(move |&distance| [place.as_slice(), &[distance]].concat())
            });
            places = longer.collect();
        }
        places.truncate(MOST_READS);
        if places.len() > 3 && self.rng.random_bool(0.5) {
            let one = self.rng.random_range(0..places.len());
            places.remove(one);
        }
        let parts = places
            .iter()
            .map(|place| self.inner_part(array, place, &dims));
        parts.collect()
    }

    /// Some of the distances that are in reach, at least so many.
    fn distances(&mut self, fewest: usize) -> Vec<usize> {
        let count = self.rng.random_range(fewest..=REACH + 1);
        let mut some: Vec<usize> =
            rand::seq::index::sample(&mut self.rng, REACH + 1, count).into_vec();
        some.sort_unstable();
        some
    }

    /// The dimensions of what lies inside a border.
    fn inner_dims(&mut self, sizes: &[usize]) -> Vec<Dim> {
        let inner = sizes.iter().map(|size| size.saturating_sub(REACH));
        self.known_dims(inner.collect())
    }

    /// A part of an array that begins at a place.
    fn inner_part(&mut self, array: &ArrayVar, place: &[usize], dims: &[Dim]) -> ArrayVar {
        let mut code = Code::default();
        let sizes: Vec<String> = dims
            .iter()
            .map(|dim| match dim.size {
                Size::Known(size) if !dim.is_static => {
                    let name = self.index_parameter(size as i64);
                    code.use_name(&name)
                }
                Size::Known(size) => size.to_string(),
                Size::Symbol(_) => unreachable!("sizes of input arrays are known"),
            })
            .collect();
        let rest = format!("{place:?} [{}] {:?}", sizes.join(", "), vec![1; dims.len()]);
        let inputs = std::slice::from_ref(array);
        self.rearrange("soac.slice", code, inputs, &rest, dims.to_vec())
            .swap_remove(0)
    }

    /// An array that is computed from all the elements of others at the same place, one op
    /// for each, or much that depends on one of them alone, so that rows can share it; now and
    /// then, by any function.
    pub fn combination_of(&mut self, parts: &[ArrayVar], element: ElementType) -> ArrayVar {
        if self.one_in(5) {
            return self.map_to(parts, &[element]).swap_remove(0);
        }
        let (list, variables) = self.lambda_arguments(&Self::elements(parts));
        let mut body = Code::default();
        body.lines += &format!(" {list} {{\n");
        let much = match self.one_in(3) {
            true => {
                let count = self.rng.random_range(MUCH);
                (0..count).map(|_| self.op(element)).collect()
            }
            false => vec![],
        };
        let mut sum: Option<String> = None;
        for variable in variables {
            let value = format!("%{}", variable.name);
            let value = self.convert(&mut body, value, variable.element, element);
            let value = much.iter().fold(value.clone(), |result, op| {
                self.operation(&mut body, &format!("{op} {result}, {value} : {element}"))
            });
            sum = Some(match sum {
                None => value,
                Some(sum) => {
                    let op = self.op(element);
                    self.operation(&mut body, &format!("{op} {sum}, {value} : {element}"))
                }
            });
        }
        self.yield_values(&mut body, &[sum.unwrap_or_default()], &[element]);
        self.map_with(parts, &[element], body).swap_remove(0)
    }

    /// The name of an op with two operands.
    fn op(&mut self, element: ElementType) -> &'static str {
        let all = expression::safe_ops(element);
        all.choose(&mut self.rng).expect("not empty")
    }
}
