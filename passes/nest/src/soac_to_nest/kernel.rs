//! The kernel of a cluster or combinator: what it is given to write, and what it gives.
//!
//! What a filter keeps has room for all elements; how many there are is an output of its own,
//! and the result is that part. In a kernel there is no other: there, loops stand for
//! themselves, and write new arrays of the iteration.

use std::collections::BTreeMap;

use melior::{
    Error,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use nest_dialect::builder::NestBuilder;
use soac_dialect::{
    builder::{Builder, Size, Slice, Values, array_type},
    view::{op_name, uses},
};

use super::{
    loops::{Built, Nests, Now, Part, all_parts},
    storage::{Storage, storage},
};
use comb_kit::{checks::facts::key, walk::ancestors};

use crate::cluster_loops::plan::{ArrayId, Kind, LeafId, Plan, Source};

/// What a kernel writes.
struct Outputs<'c, 'a> {
    /// The arrays, each with what is there before.
    arrays: Vec<(ArrayId, Value<'c, 'a>)>,
    /// The filters of which it is asked how many elements they keep.
    counts: Vec<LeafId>,
}

/// Makes a kernel of a cluster or combinator.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn lower<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    plan: &Plan<'c, 'a>,
    front: Builder<'c, 'a>,
    unchecked: bool,
) -> Built<'c, ()> {
    let is_inside = is_in_kernel(op);
    let mut storage = storage(plan);
    if is_inside {
        for (array, storage) in storage.iter_mut().enumerate() {
            if plan.is_number_outside(array) {
                *storage = Storage::Element;
            }
        }
    }
    let mut nests = Nests {
        plan,
        storage,
        unchecked,
        now: Now::default(),
        states: BTreeMap::new(),
        arrays: BTreeMap::new(),
    };
    let parts = all_parts(plan);
    let made = match is_inside {
        true => nests.inside_kernel(&front, &parts)?,
        false => nests.kernel(&front, &parts)?,
    };
    let results = nests.results(op, &front, &made)?;
    front.replace(op, &results);
    Ok(())
}

/// Whether an op is in a kernel.
pub(super) fn is_in_kernel(op: OperationRef) -> bool {
    ancestors(op).any(|op| op_name(op) == "nest.kernel")
}

/// What is there when the loops are over.
#[derive(Default)]
struct Made<'c, 'a> {
    arrays: BTreeMap<ArrayId, Value<'c, 'a>>,
    /// How many elements filters kept.
    counts: BTreeMap<LeafId, Value<'c, 'a>>,
}

impl<'p, 'c: 'a, 'a> Nests<'p, 'c, 'a> {
    fn kernel(
        &mut self,
        front: &Builder<'c, 'a>,
        parts: &[Part<'p, 'c, 'a>],
    ) -> Built<'c, Made<'c, 'a>> {
        let outputs = Outputs {
            arrays: self.outputs(|sizes, element| front.empty(sizes, element), front)?,
            counts: self.asked_counts()?,
        };
        let mut given: Values = outputs.arrays.iter().map(|&(_, value)| value).collect();
        for _ in &outputs.counts {
            given.push(front.empty(&[], front.index_type())?);
        }
        let after = front.kernel(&given, |builder, given| {
            self.run(builder, parts, &outputs, given)?;
            let mut made: Values = vec![];
            made.extend(outputs.arrays.iter().map(|(array, _)| self.arrays[array]));
            for (filter, &count) in outputs.counts.iter().zip(&given[made.len()..]) {
                let kept = self.states[filter][0];
                made.extend(builder.write(kept, count, &[])?);
            }
            Built::Ok(made)
        })?;
        let (arrays, counts) = after.split_at(outputs.arrays.len());
        let mut made = Made::default();
        for ((array, _), &value) in outputs.arrays.iter().zip(arrays) {
            made.arrays.insert(*array, value);
        }
        for (&filter, &count) in outputs.counts.iter().zip(counts) {
            made.counts.insert(filter, front.extract(count, &[])?);
        }
        Ok(made)
    }

    /// The loops alone.
    fn inside_kernel(
        &mut self,
        front: &Builder<'c, 'a>,
        parts: &[Part<'p, 'c, 'a>],
    ) -> Built<'c, Made<'c, 'a>> {
        let outputs = Outputs {
            arrays: self.outputs(|sizes, element| front.local(sizes, element), front)?,
            counts: vec![],
        };
        let given: Values = outputs.arrays.iter().map(|&(_, value)| value).collect();
        self.run(front, parts, &outputs, &given)?;
        let counts = self.asked_counts()?;
        Ok(Made {
            arrays: self.arrays.clone(),
            counts: counts
                .into_iter()
                .map(|filter| (filter, self.states[&filter][0]))
                .collect(),
        })
    }

    fn run(
        &mut self,
        builder: &Builder<'c, 'a>,
        parts: &[Part<'p, 'c, 'a>],
        outputs: &Outputs<'c, 'a>,
        given: &[Value<'c, 'a>],
    ) -> Built<'c, ()> {
        for (&(array, _), &value) in outputs.arrays.iter().zip(given) {
            self.arrays.insert(array, value);
        }
        let all = (0..self.plan.leaves.len()).collect();
        self.open_locals(builder, 0, &all)?;
        self.parts(builder, parts)
    }

    /// The arrays that are written, with what is there before: what a scatter updates, or a new
    /// array.
    fn outputs(
        &self,
        new: impl Fn(&[Size<'c, 'a>], Type<'c>) -> Result<Value<'c, 'a>, Error>,
        front: &Builder<'c, 'a>,
    ) -> Built<'c, Vec<(ArrayId, Value<'c, 'a>)>> {
        let mut found = vec![];
        for (array, computed) in self.plan.arrays.iter().enumerate() {
            if self.storage[array] != Storage::Output {
                continue;
            }
            let leaf = &self.plan.leaves[computed.leaf];
            let before = match leaf.kind {
                Kind::Scatter => {
                    let operand = leaf.view.group(1).start + array - leaf.first_result;
                    let dest = match leaf.operands[operand] {
                        Some(Source::Given(dest)) => dest,
                        _ => {
                            let problem = "the destination of a scatter is computed";
                            return Err(self.internal(computed.leaf, problem));
                        }
                    };
                    front.cast(dest, computed.r#type)?
                }
                _ => new(&computed.shape, computed.element)?,
            };
            found.push((array, before));
        }
        Ok(found)
    }

    /// The filters of which it is asked how many elements they keep: for the size of a result, or
    /// for an op behind the loops.
    fn asked_counts(&self) -> Built<'c, Vec<LeafId>> {
        let mut filters = vec![];
        for source in &self.plan.yielded {
            if let Source::Computed(array) = *source {
                filters.extend(self.plan.arrays[array].clock);
            }
        }
        for &late in &self.plan.late {
            filters.extend(self.asked_count(late)?);
        }
        filters.sort_unstable();
        filters.dedup();
        Ok(filters)
    }

    /// The filter whose count an op asks for, if it does.
    fn asked_count(&self, op: OperationRef<'c, 'a>) -> Built<'c, Option<LeafId>> {
        if op_name(op) != "tensor.dim" {
            return Ok(None);
        }
        match self.plan.names.get(&key(op.operand(0)?)) {
            Some(&Source::Computed(array)) => Ok(self.plan.arrays[array].clock),
            _ => Ok(None),
        }
    }

    /// What replaces the results of the op.
    fn results(
        &self,
        op: OperationRef<'c, 'a>,
        front: &Builder<'c, 'a>,
        made: &Made<'c, 'a>,
    ) -> Built<'c, Values<'c, 'a>> {
        for &late in &self.plan.late {
            match self.asked_count(late)? {
                Some(filter) => {
                    front.replace_uses(late.result(0)?.into(), made.counts[&filter], None)
                }
                None => front.move_here(late),
            }
        }
        let mut results = vec![];
        for (number, &source) in self.plan.yielded.iter().enumerate() {
            let r#type = op.result(number)?.r#type();
            let value = match source {
                Source::Given(array) => array,
                Source::Computed(array) => match made.arrays.get(&array) {
                    Some(&value) => self.part_kept(front, array, value, made)?,
                    None => self.number(op, front, number, array)?,
                },
            };
            results.push(front.cast(value, r#type)?);
        }
        Ok(results)
    }

    /// An array, or the part of it that a filter kept.
    fn part_kept(
        &self,
        front: &Builder<'c, 'a>,
        array: ArrayId,
        value: Value<'c, 'a>,
        made: &Made<'c, 'a>,
    ) -> Built<'c, Value<'c, 'a>> {
        let computed = &self.plan.arrays[array];
        let Some(filter) = computed.clock else {
            return Ok(value);
        };
        // MLIR rejects slices of what is known to be empty.
        if computed.shape.contains(&Size::Static(0)) {
            return Ok(front.empty(&computed.shape, computed.element)?);
        }
        let sizes = vec![Size::Dynamic(made.counts[&filter])];
        let part = Slice::contiguous(vec![Size::Static(0)], sizes);
        let r#type = array_type(&[None], computed.element);
        Ok(front.extract_slice(value, &part, r#type)?)
    }

    /// A result that is one number, for what reads it, and as an array for other uses.
    fn number(
        &self,
        op: OperationRef<'c, 'a>,
        front: &Builder<'c, 'a>,
        result: usize,
        array: ArrayId,
    ) -> Built<'c, Value<'c, 'a>> {
        let computed = &self.plan.arrays[array];
        let element = self.now.elements.get(&array).copied();
        let element =
            element.ok_or_else(|| self.internal(computed.leaf, "a result is not there"))?;
        let users = uses(op.result(result)?.into());
        let (reads, others): (Vec<_>, Vec<_>) = users
            .into_iter()
            .partition(|&(user, _)| op_name(user) == "tensor.extract");
        for (read, _) in reads {
            front.replace(read, &[element]);
        }
        let r#type = array_type(&[], computed.element);
        match others.is_empty() {
            // Nothing uses it: it goes with the next simplification.
            true => Ok(front.empty(&[], computed.element)?),
            false => Ok(front.value("tensor.from_elements", &[element], r#type, &[])?),
        }
    }
}
