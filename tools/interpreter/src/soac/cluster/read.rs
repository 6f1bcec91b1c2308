//! Reading elements, and the checks that they may be read: that they are
//! computed, that they are those of this iteration of the loops that reader and
//! array share, and that every cluster in between has said so.

use super::loops::Component;
use super::nest::Leaf;
use super::run::Run;
use super::source::{Input, Origin, Source};
use crate::failure::Failure;
use crate::shape;
use crate::value::{Array, Scalar, Value};

impl Run<'_, '_, '_> {
    /// The element of an operand at an index.
    pub(super) fn element(
        &mut self,
        leaf: usize,
        operand: usize,
        index: &[usize],
    ) -> Result<Scalar, Failure> {
        let plan = self.plan;
        let reader = &plan.leaves[leaf];
        let source = reader.array(operand)?;
        for input in &source.inputs {
            self.check_order(leaf, source, input, index)?;
        }
        match &source.origin {
            Origin::Given(array) => given_element(reader, operand, array, index),
            Origin::Computed(array) => self.computed_element(leaf, *array, index),
        }
    }

    /// What remains of an operand when its outer dimensions are fixed.
    pub(super) fn inner(
        &mut self,
        leaf: usize,
        operand: usize,
        outer: &[usize],
    ) -> Result<Value, Failure> {
        let plan = self.plan;
        let (element, inner) = match &plan.leaves[leaf].array(operand)?.origin {
            Origin::Given(array) => (array.element(), &array.shape()[outer.len()..]),
            Origin::Computed(array) => {
                let array = &plan.arrays[*array];
                (array.element, &array.shape[outer.len()..])
            }
        };
        if inner.is_empty() {
            return self.element(leaf, operand, outer).map(Value::Scalar);
        }
        let bits = shape::indices(inner)
            .map(|index| {
                let element = self.element(leaf, operand, &[outer, &index].concat())?;
                Ok(element.bits())
            })
            .collect::<Result<_, _>>()?;
        Array::new(element, inner.to_vec(), bits)
            .map(Value::Array)
            .ok_or_else(|| plan.leaves[leaf].bug("reads an array of a wrong size"))
    }

    /// That an index is the one that comes in the order in which a cluster says
    /// that an input of it is read.
    fn check_order(
        &mut self,
        leaf: usize,
        source: &Source,
        input: &Input,
        index: &[usize],
    ) -> Result<(), Failure> {
        let Some(order) = input.order else {
            return Ok(());
        };
        let plan = self.plan;
        let position = input.level - 1;
        let follows = if order > 1 {
            let wanted = self.read_by_label(leaf, order)?;
            let dimensions = plan.loops[leaf].components.len();
            let mut covered = wanted.iter().zip(index).take(dimensions).skip(position);
            covered.all(|(wanted, component)| wanted == component)
        } else {
            match plan.loops[leaf].dimension(position) {
                Some(dimension) if dimension < index.len() => {
                    let forwards = self.forwards(leaf, dimension);
                    let size = self.size(source, dimension);
                    let backwards = size.checked_sub(1 + forwards);
                    let wanted = if order == 1 {
                        backwards
                    } else {
                        Some(forwards)
                    };
                    wanted == Some(index[dimension])
                }
                _ => false,
            }
        };
        if follows {
            return Ok(());
        }
        Err(plan.leaves[leaf].error(&format!(
            "reads element {index:?} of input {} of {}, which is not the next one in order {order}",
            input.position, input.cluster
        )))
    }

    /// How far a leaf has come in a dimension that has a loop of its own.
    fn forwards(&self, leaf: usize, dimension: usize) -> usize {
        match self.plan.loops[leaf].components[dimension] {
            Component::Loop {
                position,
                backwards: true,
            } => self.iteration[position],
            _ => self.component(leaf, dimension),
        }
    }

    fn size(&self, source: &Source, dimension: usize) -> usize {
        match &source.origin {
            Origin::Given(array) => array.shape()[dimension],
            Origin::Computed(array) => self.plan.arrays[*array].shape[dimension],
        }
    }

    fn computed_element(
        &self,
        leaf: usize,
        number: usize,
        index: &[usize],
    ) -> Result<Scalar, Failure> {
        let (array, cells) = (&self.plan.arrays[number], &self.cells[number]);
        let misplaced = || {
            self.plan.leaves[leaf].error(&format!(
                "reads element {index:?} of {} at an iteration that is for another one",
                self.plan.described(number)
            ))
        };
        let bits = if cells.are_for_iterations() {
            let dimensions = self.plan.leaves[array.leaf].form.ordered.len();
            let (position, inner) = index.split_at(dimensions);
            let iteration = self.iteration_of(leaf, number, position);
            let iteration = iteration.ok_or_else(misplaced)?;
            let bits = cells.get(&iteration, inner);
            let position = shape::ravel(position, &array.shape[..dimensions]);
            if bits.is_some() && cells.position(&iteration) != Some(position) {
                return Err(misplaced());
            }
            bits
        } else {
            let (outer, inner) = index.split_at(cells.outer().len());
            cells.get(outer, inner)
        };
        let Some(bits) = bits else {
            return Err(self.plan.leaves[leaf].error(&format!(
                "reads element {index:?} of {} before it is computed",
                self.plan.described(number)
            )));
        };
        if !cells.are_for_iterations() && !self.is_current(leaf, number, index) {
            return Err(misplaced());
        }
        Ok(Scalar::from_bits(array.element, bits))
    }

    /// The iteration of the loops that cells are for at which an element is
    /// computed that a leaf reads now: the current one; but for loops that go over
    /// a dimension, and that the leaf does not share, the one of the index.
    fn iteration_of(&self, leaf: usize, number: usize, index: &[usize]) -> Option<Vec<usize>> {
        let computing = self.plan.arrays[number].leaf;
        let shared = self.shared_loops(leaf, computing);
        let loops = &self.plan.loops[computing];
        let lengths = self.cells[number].outer().iter().enumerate();
        lengths
            .map(|(position, &length)| {
                let at = match loops.dimension(position) {
                    Some(dimension) if position >= shared => match loops.components[dimension] {
                        Component::Loop {
                            backwards: true, ..
                        } => length.checked_sub(1 + index[dimension])?,
                        _ => index[dimension],
                    },
                    _ => *self.iteration.get(position)?,
                };
                (at < length).then_some(at)
            })
            .collect()
    }

    /// How many clusters two leaves are both in.
    fn shared_loops(&self, one: usize, other: usize) -> usize {
        let path = |leaf: usize| self.plan.leaves[leaf].path.iter();
        let pairs = path(one).zip(path(other));
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// Whether an element is one that belongs to this iteration of the loops
    /// that a reader shares with the array.
    fn is_current(&self, leaf: usize, number: usize, index: &[usize]) -> bool {
        let array = &self.plan.arrays[number];
        let shared = self.shared_loops(leaf, array.leaf);
        (0..shared.min(index.len())).all(|dimension| {
            let current = match array.clock {
                Some(filter) if dimension == 0 => self.latest(filter),
                _ => self.component(array.leaf, dimension),
            };
            index[dimension] == current
        })
    }
}

impl Leaf<'_> {
    fn array(&self, operand: usize) -> Result<&Source, Failure> {
        self.operands
            .get(operand)
            .and_then(Option::as_ref)
            .ok_or_else(|| self.bug(&format!("operand {operand} is no array")))
    }
}

/// An element of a complete array. Only if a filter chooses the elements of
/// others may there be none.
fn given_element(
    reader: &Leaf,
    operand: usize,
    array: &Array,
    index: &[usize],
) -> Result<Scalar, Failure> {
    if index
        .first()
        .is_some_and(|first| *first >= array.shape()[0])
    {
        return Err(reader.error(&format!(
            "reads operand {operand} with the results of a filter that keeps more than its {} \
             elements",
            array.shape()[0]
        )));
    }
    Ok(Scalar::from_bits(array.element(), array.bits_at(index)))
}
