//! What a partitioned scatter keeps of each element until its part's turn has come.
//!
//! Kept are the place within the part, and the new elements. But if place and new
//! elements are computed from a few elements of input arrays by a little arithmetic,
//! these are kept instead, if they are smaller, and the rest is computed again. What is
//! the same for all elements is computed again in any case.
//!
//! Other scatters compute again, too, when the elements of a vector go to their places one
//! by one: a few instructions take less time than to take numbers out of vectors.

use std::collections::{BTreeMap, BTreeSet};

use comb_machine::tuning::record::{LITTLE, LITTLE_FOR_LANES};
use melior::ir::{BlockLike, Type, Value, ValueLike};
use soac_dialect::{
    builder::Builder,
    view::{op_name, uses},
};

use super::{element::Spot, strategy::bytes_of};
use crate::{
    checks::facts::key,
    convert_to_loops::{
        applications::Site,
        emitter::{Emitted, Emitter, Values},
        lanes::gathers::linear,
        lanes::{Lanes, Scope, lambda::InLanes},
        plan::{Component, Kind, Leaf, LeafId, Source},
        widths::element,
    },
    transformations::Transformation,
    walk::operations,
};

/// The bytes of a place within a part.
const BYTES_OF_OFFSET: i64 = 2;

/// A part of a record.
#[derive(Clone, Copy)]
pub(super) enum Field<'c, 'a> {
    /// The place, counted from the first of its part.
    Offset,
    /// A new element; which one.
    New(usize),
    /// The element of an input array that is at the same index as the scatter's.
    Input(Value<'c, 'a>),
}

/// What is kept of an element.
#[derive(Clone)]
pub(super) struct Record<'c, 'a> {
    pub fields: Vec<Field<'c, 'a>>,
    /// The combinators that are computed again, in order.
    pub again: Vec<LeafId>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// What is kept of each element of a scatter.
    pub(super) fn record(&self, number: LeafId) -> Record<'c, 'a> {
        let stored = self.stored_record(number);
        match self.computed_again(number) {
            Some(again)
                if self.bytes(number, &again) <= self.bytes(number, &stored)
                    && self.applies(Transformation::ComputedAgain, Site::Leaf(number)) =>
            {
                again
            }
            _ => stored,
        }
    }

    /// The type of a field.
    pub(super) fn field_type(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        field: Field<'c, 'a>,
    ) -> Type<'c> {
        let view = &self.plan.leaves[number].view;
        let array = match field {
            Field::Offset => return builder.integer_type(8 * BYTES_OF_OFFSET as u32),
            Field::New(position) => view.operands[view.group(0).start + position],
            Field::Input(array) => array,
        };
        element(array.r#type())
    }

    fn bytes(&self, number: LeafId, record: &Record<'c, 'a>) -> i64 {
        let view = &self.plan.leaves[number].view;
        let bytes = record.fields.iter().map(|field| match *field {
            Field::Offset => BYTES_OF_OFFSET,
            Field::New(position) => {
                bytes_of(element(view.operand_type(view.group(0).start + position)))
            }
            Field::Input(array) => bytes_of(element(array.r#type())),
        });
        bytes.sum()
    }

    /// The place, and all new elements that are not the same everywhere.
    fn stored_record(&self, number: LeafId) -> Record<'c, 'a> {
        let needed = self.plan.needed(&BTreeSet::from([number]));
        let mut again: Vec<LeafId> = vec![];
        for leaf in needed {
            let reads_the_same = self.plan.leaves[leaf].operands.iter().all(|operand| {
                matches!(operand, Some(Source::Computed(array))
                    if again.contains(&self.plan.arrays[*array].leaf))
            });
            let is_same = match self.plan.leaves[leaf].kind {
                Kind::Generate => ignores_index(&self.plan.leaves[leaf]),
                Kind::Map => reads_the_same,
                _ => false,
            };
            if is_same && is_plain(&self.plan.leaves[leaf]) {
                again.push(leaf);
            }
        }
        let leaf = &self.plan.leaves[number];
        let is_same = |source: &Option<Source>| match source {
            Some(Source::Computed(array)) => again.contains(&self.plan.arrays[*array].leaf),
            _ => false,
        };
        let new = leaf.view.group(0).enumerate();
        let kept = new.filter(|&(_, operand)| !is_same(&leaf.operands[operand]));
        let fields = std::iter::once(Field::Offset)
            .chain(kept.map(|(position, _)| Field::New(position)))
            .collect();
        Record { fields, again }
    }

    /// What each lane of a vector is computed from again, if that takes less time than to take
    /// it out of the vector.
    pub(super) fn record_of_lane(&self, number: LeafId) -> Option<Record<'c, 'a>> {
        let record = self.computed_again(number)?;
        let again = record.again.iter();
        let ops = again.flat_map(|&leaf| operations(self.plan.leaves[leaf].op));
        let takes: f64 = ops.map(crate::fuse::work::instructions).sum();
        let applies = || self.applies(Transformation::ComputedAgain, Site::Leaf(number));
        (takes <= LITTLE_FOR_LANES && applies()).then_some(record)
    }

    /// The elements of input arrays that all is computed from, if that is simple.
    fn computed_again(&self, number: LeafId) -> Option<Record<'c, 'a>> {
        let scatter = &self.plan.leaves[number];
        let mut needed = self.plan.needed(&BTreeSet::from([number]));
        needed.remove(&number);
        let mut inputs: Vec<Value<'c, 'a>> = vec![];
        let mut ops = 0;
        let mut add = |leaf: &Leaf<'c, 'a>, operands: &mut dyn Iterator<Item = usize>| {
            for operand in operands {
                if let Some(Source::Given(array)) = leaf.operands[operand]
                    && !inputs.iter().any(|&input| key(input) == key(array))
                {
                    inputs.push(array);
                }
            }
        };
        if !goes_forwards(scatter) {
            return None;
        }
        for &needed in &needed {
            let leaf = &self.plan.leaves[needed];
            let is_simple = match leaf.kind {
                Kind::Generate => ignores_index(leaf),
                Kind::Map => leaf.path == scatter.path && goes_forwards(leaf),
                _ => false,
            };
            if !is_simple || !is_plain(leaf) || leaf.clock.is_some() {
                return None;
            }
            ops += operations(leaf.op).len() - 1;
            if leaf.kind == Kind::Map {
                add(leaf, &mut (0..leaf.operands.len()));
            }
        }
        let view = &scatter.view;
        add(scatter, &mut view.group(0).chain(view.group(2)));
        (ops <= LITTLE).then(|| Record {
            fields: inputs.into_iter().map(Field::Input).collect(),
            again: needed.into_iter().collect(),
        })
    }

    /// Computes again what a record leaves out, and puts the element to its place. What the
    /// record keeps of inputs is given in the present iteration; of the rest, what is known is
    /// the place, and some new elements by their numbers.
    pub(super) fn put_computed_again(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        record: &Record<'c, 'a>,
        offset: Option<Value<'c, 'a>>,
        stored: &BTreeMap<usize, Value<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        self.compute_again(builder, record)?;
        let leaf = &self.plan.leaves[number];
        let single = Scope::single();
        // What is read at the index is given already.
        let index = vec![Lanes::Uniform(builder.index(0)?); leaf.components.len()];
        let offset = match offset {
            Some(offset) => offset,
            None => {
                let indices = self.elements(builder, number, 2, &index)?;
                let target = self.as_indices(builder, &indices)?;
                let dest = self.destination(number)?.remove(0);
                single.whole(builder, linear(builder, &single, &dest.line(), &target)?)?
            }
        };
        let mut new: Values = vec![];
        for (position, operand) in leaf.view.group(0).enumerate() {
            new.push(match stored.get(&position) {
                Some(&value) => value,
                None => {
                    let value = self.element(builder, number, operand, &index)?;
                    single.whole(builder, value)?
                }
            });
        }
        self.put(builder, number, &Spot::Offset(offset), &new)
    }

    /// Computes again what a record leaves out.
    fn compute_again(
        &mut self,
        builder: &Builder<'c, 'a>,
        record: &Record<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for &number in &record.again {
            let leaf = &self.plan.leaves[number];
            // Nothing depends on the index.
            let index = vec![Lanes::Uniform(builder.index(0)?); leaf.components.len()];
            let arguments = match leaf.kind {
                Kind::Generate => index,
                _ => self.elements(builder, number, 0, &index)?,
            };
            let values = self.lambda(builder, &leaf.view, &arguments)?;
            for (array, value) in leaf.results().zip(values) {
                self.now.elements.insert(array, value);
            }
        }
        Ok(())
    }
}

/// Whether a lambda is nothing but arithmetic.
fn is_plain(leaf: &Leaf) -> bool {
    let mut ops = operations(leaf.op).into_iter().map(op_name);
    ops.all(|name| name.starts_with("arith.") || name == "soac.yield")
}

/// Whether a lambda does not use its arguments.
fn ignores_index<'c: 'a, 'a>(leaf: &Leaf<'c, 'a>) -> bool {
    let Some(block) = leaf.view.block() else {
        return false;
    };
    let mut arguments =
        (0..block.argument_count()).filter_map(|number| block.argument(number).ok());
    arguments.all(|argument| uses::<'c, 'a>(argument.into()).is_empty())
}

/// Whether a combinator's index is that of its loops.
fn goes_forwards(leaf: &Leaf) -> bool {
    let loops = leaf.components.iter().enumerate();
    leaf.components.len() == leaf.path.len()
        && loops.into_iter().all(|(dimension, &component)| {
            component
                == Component::Loop {
                    position: dimension,
                    backwards: false,
                }
        })
}
