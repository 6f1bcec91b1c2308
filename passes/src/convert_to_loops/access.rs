//! Reading and writing memory in all lanes.
//!
//! Neighbouring elements are read and written as a vector, backwards ones
//! reversed; others are gathered ([`gathers`](super::gathers)).

use melior::ir::{Type, Value, ValueLike, r#type::MemRefType, r#type::ShapedTypeLike};
use soac_dialect::{
    builder::{ALIGNMENT, Builder, Predicate},
    view::{definition, op_name},
};

use super::{
    emitter::{Emitted, Emitter, Place, Values},
    lanes::{Lanes, Scope},
    streaming::{Stores, fills_lines},
    widths::bits_in_memory,
};
use crate::vectors::{self, zero};

/// How lanes are laid out in memory.
enum Layout<'c, 'a> {
    /// All at one index.
    Point(Values<'c, 'a>),
    /// Next to each other, from this index on.
    Forwards(Values<'c, 'a>),
    /// Next to each other, the last lane first, from this index on.
    Backwards(Values<'c, 'a>),
    /// Anywhere.
    Scattered,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The elements in memory at an index.
    pub fn read(
        &mut self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        let scope = self.now.scope;
        let element = element_type(place.memory)?;
        match layout(builder, &scope, index)? {
            Layout::Point(index) => self.read_point(builder, place, &index),
            Layout::Forwards(index) => {
                let value = load_vector(builder, &scope, place.memory, &index)?;
                Ok(scope.lanes(value, false))
            }
            Layout::Backwards(index) => {
                let turned = reversed_mask(builder, &scope)?;
                let value = load_vector(builder, &turned, place.memory, &index)?;
                let value = reversed(builder, value, scope.width, element)?;
                Ok(scope.lanes(value, false))
            }
            Layout::Scattered => self.gather(builder, place, index),
        }
    }

    fn read_point(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Value<'c, 'a>],
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        let scope = self.now.scope;
        let Some(mask) = scope.mask.filter(|&mask| !is_left_over(mask)) else {
            return Ok(Lanes::Uniform(builder.load(place.memory, index)?));
        };
        let counts = match scope.is_vector() {
            true => builder.any_lane(mask)?,
            false => mask,
        };
        let element = element_type(place.memory)?;
        let value = builder.if_else(
            counts,
            &[element],
            |builder| Ok(vec![builder.load(place.memory, index)?]),
            |builder| Emitted::Ok(vec![zero(builder, element)?]),
        )?;
        Ok(Lanes::Uniform(value[0]))
    }

    /// Writes elements to memory at an index, which goes up or down by one from
    /// lane to lane.
    pub fn write(
        &mut self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Lanes<'c, 'a>],
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let value = scope.whole(builder, element)?;
        match layout(builder, &scope, index)? {
            Layout::Forwards(index) => self.write_forwards(builder, place, &index, value),
            Layout::Backwards(index) => {
                let turned = reversed_mask(builder, &scope)?;
                let r#type = element_type(place.memory)?;
                let value = reversed(builder, value, scope.width, r#type)?;
                store_vector(builder, &turned, place.memory, &index, value)
            }
            Layout::Point(index) if !scope.is_vector() => masked(builder, &scope, |builder| {
                Ok(builder.store(value, place.memory, &index)?)
            }),
            Layout::Point(_) | Layout::Scattered => self.write_lanes(builder, place, index, value),
        }
    }

    /// Writes a vector whose lanes are adjacent, into the caches or past them.
    fn write_forwards(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Value<'c, 'a>],
        value: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let bits = bits_in_memory(element_type(place.memory)?);
        let is_in_lines =
            scope.mask.is_none() && place.is_aligned && fills_lines(scope.width, bits);
        let cached = |builder: &_| store_vector(builder, &scope, place.memory, index, value);
        let streaming = |builder: &_| store_streaming(builder, place.memory, index, value);
        match self.stores {
            Stores::PastCaches if is_in_lines => streaming(builder),
            Stores::Either(streams) if is_in_lines => {
                let none = |done: Emitted<'c, ()>| done.map(|()| vec![]);
                builder.if_else(
                    streams,
                    &[],
                    |builder| none(streaming(builder)),
                    |builder| none(cached(builder)),
                )?;
                Ok(())
            }
            _ => cached(builder),
        }
    }

    /// Writes one lane after the other.
    fn write_lanes(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Lanes<'c, 'a>],
        value: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let element = element_type(place.memory)?;
        let index = index
            .iter()
            .map(|&component| scope.whole(builder, component))
            .collect::<Emitted<Values>>()?;
        each_lane(builder, &scope, |builder, lane| {
            let point = index
                .iter()
                .map(|&component| Ok(builder.lane_at(component, lane, builder.index_type())?))
                .collect::<Emitted<Values>>()?;
            let value = builder.lane_at(value, lane, element)?;
            Ok(builder.store(value, place.memory, &point)?)
        })
    }
}

fn layout<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Emitted<'c, Layout<'c, 'a>> {
    let uniform: Option<Values> = index.iter().map(|component| component.uniform()).collect();
    if let Some(index) = uniform {
        return Ok(Layout::Point(index));
    }
    let (last, outer) = index.split_last().expect("a point has no lanes");
    let outer: Option<Values> = outer.iter().map(|component| component.uniform()).collect();
    let (Some(mut index), &Lanes::Steps { first, step }) = (outer, last) else {
        return Ok(Layout::Scattered);
    };
    match step {
        1 => {
            index.push(first);
            Ok(Layout::Forwards(index))
        }
        -1 => {
            let back = builder.index(1 - scope.width as i64)?;
            index.push(builder.arithmetic("arith.addi", &[first, back])?);
            Ok(Layout::Backwards(index))
        }
        _ => Ok(Layout::Scattered),
    }
}

pub(super) fn load_vector<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Emitted<'c, Value<'c, 'a>> {
    Ok(vectors::load(
        builder,
        memory,
        index,
        scope.width,
        scope.mask,
    )?)
}

pub(super) fn store_vector<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    value: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    Ok(vectors::store(builder, value, memory, index, scope.mask)?)
}

/// Writes whole vectors past the caches.
pub(super) fn store_streaming<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    value: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    let operands = [&[value, memory], index].concat();
    let attributes = [
        ("nontemporal", builder.attribute("true")?),
        ("alignment", builder.number(ALIGNMENT)),
    ];
    builder.op("vector.store", &operands, &[], &attributes, vec![])?;
    Ok(())
}

/// Whether a mask is that of the lanes that are left over at the end of a loop. There is
/// no code for it to run if there are none.
fn is_left_over(mask: Value) -> bool {
    definition(mask).is_some_and(|op| op_name(op) == "vector.create_mask")
}

/// Runs code for each lane that counts, in order.
pub(super) fn each_lane<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    code: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    let width = builder.index(scope.width as i64)?;
    builder.for_loop(width, &[], |builder, lane, _| {
        let counts = match scope.mask {
            Some(mask) => Some(builder.lane_at(mask, lane, builder.integer_type(1))?),
            None => None,
        };
        let single = Scope {
            width: 1,
            mask: counts,
        };
        masked(builder, &single, |builder| code(builder, lane))?;
        Emitted::Ok(vec![])
    })?;
    Ok(())
}

/// Runs code for one lane, if it counts.
pub(super) fn masked<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    code: impl FnOnce(&Builder<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    let Some(mask) = scope.mask else {
        return code(builder);
    };
    builder.if_else(
        mask,
        &[],
        |builder| {
            code(builder)?;
            Emitted::Ok(vec![])
        },
        |_| Ok(vec![]),
    )?;
    Ok(())
}

/// The lanes from the last to the first.
fn reversed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    vector: Value<'c, 'a>,
    width: u64,
    element: Type<'c>,
) -> Emitted<'c, Value<'c, 'a>> {
    let positions: Vec<i64> = (0..width as i64).rev().collect();
    Ok(builder.shuffle(vector, vector, &positions, element)?)
}

fn reversed_mask<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
) -> Emitted<'c, Scope<'c, 'a>> {
    let mask = match scope.mask {
        Some(mask) => Some(reversed(
            builder,
            mask,
            scope.width,
            builder.integer_type(1),
        )?),
        None => None,
    };
    Ok(Scope {
        width: scope.width,
        mask,
    })
}

/// Compares vectors of indices.
pub(super) fn compare<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    predicate: Predicate,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let truth = scope.r#type(builder, builder.integer_type(1));
    let predicate = builder.number(predicate as i64);
    Ok(builder.value(
        "arith.cmpi",
        &[left, right],
        truth,
        &[("predicate", predicate)],
    )?)
}

pub(super) fn element_type<'c>(memory: Value<'c, '_>) -> Emitted<'c, Type<'c>> {
    Ok(MemRefType::try_from(memory.r#type())?.element())
}
