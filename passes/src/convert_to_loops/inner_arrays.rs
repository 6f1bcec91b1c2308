//! Maps whose function takes or gives arrays, such as rows of a matrix.
//!
//! At each iteration the function is copied into the loop. An array that it takes is a
//! *view*: the inner array, where it is in memory. For one that it gives, its place in
//! the result is found first, and a `bufferization.materialize_in_destination` puts it
//! there. The combinators in the copy are then lowered in their turn: they read views
//! in memory ([`Emitter::input`]), and the last of them computes in that place
//! ([`Emitter::place_in_rows`]), so that nothing is copied.
//!
//! Cost: linear in the number of arrays.

use std::collections::HashMap;

use melior::ir::{
    BlockLike, OperationRef, Type, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice},
    description::array_type,
    view::{op_name, uses},
};

use super::{
    emitter::{Emitted, Emitter, Place, Values, internal},
    lanes::{Lanes, Scope, lambda::InLanes},
    layouts::{known, part_type, row_strides},
    plan::{ArrayId, LeafId},
};
use crate::{checks::facts::key, vectors::zero};

/// Where inner arrays are in memory, by the view or memory that stands for them.
pub(super) type Views<'c, 'a> = HashMap<usize, Place<'c, 'a>>;

/// Puts an array into memory.
const MATERIALIZE: &str = "bufferization.materialize_in_destination";

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// An iteration of a map whose function takes or gives arrays. It is one of a loop
    /// without vectors, and runs only if it counts.
    pub fn map_of_arrays(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Emitted<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let index = self.index(builder, number, leaf.components.len())?;
        let numbers: Vec<ArrayId> = leaf
            .results()
            .filter(|&array| self.plan.arrays[array].shape.len() == index.len())
            .collect();
        let types: Vec<Type> = numbers
            .iter()
            .map(|&array| self.plan.arrays[array].element)
            .collect();
        let scope = self.now.scope;
        let given = match scope.mask {
            None => self.call_with_arrays(builder, number, &index)?,
            Some(mask) => builder.if_else(
                mask,
                &types,
                |builder| {
                    let outer = std::mem::replace(&mut self.now.scope, Scope::single());
                    let given = self.call_with_arrays(builder, number, &index);
                    self.now.scope = outer;
                    given
                },
                |builder| {
                    types
                        .iter()
                        .map(|&number| Ok(zero(builder, number)?))
                        .collect()
                },
            )?,
        };
        for (array, value) in numbers.into_iter().zip(given) {
            self.give_element(builder, number, array, Lanes::Uniform(value))?;
        }
        Ok(())
    }

    /// The numbers that a function gives at an iteration; the arrays are put into their
    /// places.
    fn call_with_arrays(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let leaf = &self.plan.leaves[number];
        let block = leaf.view.block();
        let block = block.ok_or_else(|| internal(leaf.view.location, "there is no lambda"))?;
        let mut arguments = vec![];
        for (position, operand) in leaf.view.group(0).enumerate() {
            let r#type = block.argument(position)?.r#type();
            arguments.push(match RankedTensorType::try_from(r#type) {
                Ok(_) => {
                    let place = self.place_of(number, operand)?;
                    self.view(builder, &place, index, r#type)?
                }
                Err(_) => self.element(builder, number, operand, index)?,
            });
        }
        let places = leaf
            .results()
            .map(|array| {
                let place = self.places[array].clone();
                let has_rows = self.plan.arrays[array].shape.len() > index.len();
                let place = place.filter(|_| has_rows);
                place
                    .map(|place| inner_place(builder, &place, index))
                    .transpose()
            })
            .collect::<Emitted<Vec<_>>>()?;
        let given = self.lambda(builder, &leaf.view, &arguments)?;
        let mut numbers = vec![];
        for ((array, place), value) in leaf.results().zip(places).zip(given) {
            let value = Scope::single().whole(builder, value)?;
            if let Some(place) = place {
                let attributes = [("restrict", builder.unit()), ("writable", builder.unit())];
                builder.op(
                    MATERIALIZE,
                    &[value, place.memory],
                    &[],
                    &attributes,
                    vec![],
                )?;
                self.views.insert(key(place.memory), place);
            } else if self.plan.arrays[array].shape.len() == index.len() {
                numbers.push(value);
            }
        }
        Ok(numbers)
    }

    /// The inner array at an index, as an array that is only read.
    fn view(
        &mut self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Lanes<'c, 'a>],
        r#type: Type<'c>,
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        let inner = inner_place(builder, place, index)?;
        let sizes: Vec<Option<i64>> = inner.sizes.iter().map(known).collect();
        let element = MemRefType::try_from(inner.memory.r#type())?.element();
        let view = builder.array_in(inner.memory, array_type(&sizes, element), false)?;
        let view = builder.cast(view, r#type)?;
        self.views.insert(key(view), inner);
        Ok(Lanes::Uniform(view))
    }

    /// Places results that are only put into the place of an inner array.
    pub fn place_in_rows(&mut self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        for result in 0..self.plan.yielded.len() {
            let Some(array) = self.movable_result(result) else {
                continue;
            };
            let &[(user, 0)] = uses(op.result(result)?.into()).as_slice() else {
                continue;
            };
            if op_name(user) != MATERIALIZE || user.block() != op.block() {
                continue;
            }
            let Some(place) = self.views.get(&key(user.operand(1)?)).cloned() else {
                continue;
            };
            self.places[array] = Some(Place {
                sizes: self.plan.arrays[array].shape.clone(),
                is_read: self.plan.shared_loops(array).is_some(),
                ..place
            });
            self.elsewhere.insert(result);
            self.front.replace(user, &[]);
        }
        Ok(())
    }
}

/// The place of the inner array at an index.
fn inner_place<'c, 'a>(
    builder: &Builder<'c, 'a>,
    place: &Place<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Emitted<'c, Place<'c, 'a>> {
    if index.len() == place.skipped {
        return Ok(Place {
            skipped: 0,
            is_read: false,
            is_aligned: false,
            ..place.clone()
        });
    }
    let mut offsets = vec![];
    for &component in &index[place.skipped..] {
        offsets.push(Size::Dynamic(Scope::single().whole(builder, component)?));
    }
    let outer = offsets.len();
    let sizes = place.sizes[outer..].to_vec();
    let pitches = place.pitches[outer..].to_vec();
    let element = MemRefType::try_from(place.memory.r#type())?.element();
    let strides = row_strides(pitches.iter().map(known));
    let r#type = part_type(builder, element, &sizes, &strides, None)?;
    offsets.resize(place.sizes.len(), Size::Static(0));
    let mut lengths = vec![Size::Static(1); outer];
    lengths.extend_from_slice(&sizes);
    let slice = Slice::contiguous(offsets, lengths);
    Ok(Place {
        memory: builder.part_of_memory(place.memory, &slice, r#type)?,
        sizes,
        pitches,
        skipped: 0,
        is_read: false,
        is_aligned: false,
    })
}
