//! What a scatter does at an iteration: it checks the places of the elements, and
//! puts the elements there, or wherever its strategy has them for now.
//!
//! Places and new elements are computed in all lanes, and places checked. Then the lanes come
//! one after the other, in order. What a little arithmetic makes of elements of inputs is
//! computed [again](super::record), from these; anything else comes from *lines* of memory, or
//! from that of inputs. To take it out of a vector one by one takes longer.

use std::collections::BTreeMap;

use melior::ir::{
    Type, Value,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::builder::{Builder, Size};

use super::{
    Sink,
    record::{Field, Record},
};
use crate::{
    checks::facts::key,
    convert_to_loops::{
        emitter::{Emitted, Emitter, Iteration, Place, Values, internal},
        lanes::gathers::{linear, unravelled},
        lanes::memory::{each_lane, masked},
        lanes::{Lanes, Scope, lambda::InLanes},
        plan::{Item, Kind, LeafId, Loop, Source},
        widths::width,
    },
};

/// Where one element goes.
#[derive(Clone)]
pub(super) enum Spot<'c, 'a> {
    /// An index of the destination.
    Index(Values<'c, 'a>),
    /// How far it is from the destination's first element, in row-major order.
    Offset(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// One iteration of a scatter.
    pub fn scatter(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Emitted<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let index = self.index(builder, number, leaf.components.len())?;
        let indices = self.elements(builder, number, 2, &index)?;
        let target = self.as_indices(builder, &indices)?;
        let new = self.elements(builder, number, 0, &index)?;
        let dest = self.destination(number)?.remove(0);
        if !self.options.unchecked && !leaf.view.flag("unchecked") {
            for (dimension, &component) in target.iter().enumerate() {
                let size = builder.size_value(dest.sizes[dimension])?;
                self.check_index(builder, leaf.view.name, component, size, dimension)?;
            }
        }
        if let Some(Sink::Log(log)) = self.scatters.get(&number).cloned() {
            let place = linear(builder, &self.now.scope, &dest.line(), &target)?;
            return self.log(builder, &log, place, &new);
        }
        match self.now.scope.is_vector() {
            true => {
                let place = match indices.as_slice() {
                    // As it is in memory, which may be narrower.
                    &[place] => place,
                    _ => linear(builder, &self.now.scope, &dest.line(), &target)?,
                };
                self.put_lanes(builder, number, place, &index, &new)
            }
            false => {
                let scope = self.now.scope;
                let whole = |lanes: &[Lanes<'c, 'a>]| {
                    let values = lanes.iter().map(|&lanes| scope.whole(builder, lanes));
                    values.collect::<Emitted<Values>>()
                };
                let (spot, new) = (Spot::Index(whole(&target)?), whole(&new)?);
                masked(builder, &scope, |builder| {
                    self.put(builder, number, &spot, &new)
                })
            }
        }
    }

    /// Lines for the scatters in a loop: one for places, and one for each new element.
    pub(super) fn allocate_lines(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for item in &r#loop.items {
            let number = match item {
                Item::Loop(inner) => {
                    self.allocate_lines(builder, inner)?;
                    continue;
                }
                Item::Leaf(number) => *number,
            };
            let leaf = &self.plan.leaves[number];
            let lanes = width(&self.applications, r#loop);
            if leaf.kind != Kind::Scatter || lanes == 1 {
                continue;
            }
            let element = |operand: usize| -> Emitted<'c, Type<'c>> {
                let array = leaf.view.operand_type(operand);
                Ok(RankedTensorType::try_from(array)?.element())
            };
            let components = leaf.view.group(2);
            let mut types = vec![match components.len() {
                1 => element(components.start)?,
                _ => builder.index_type(),
            }];
            for operand in leaf.view.group(0) {
                types.push(element(operand)?);
            }
            let lines = types
                .into_iter()
                .map(|r#type| Ok(builder.allocate(&[Size::Static(lanes as i64)], r#type)?))
                .collect::<Emitted<Values>>()?;
            self.lines.insert(number, lines);
        }
        Ok(())
    }

    /// The memory of a scatter's destinations.
    pub(super) fn destination(&self, number: LeafId) -> Emitted<'c, Vec<Place<'c, 'a>>> {
        let leaf = &self.plan.leaves[number];
        leaf.results()
            .map(|array| self.places[array].clone())
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| internal(leaf.view.location, "there is no destination"))
    }

    /// Puts the lanes' elements to their places, in order.
    fn put_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        place: Lanes<'c, 'a>,
        index: &[Lanes<'c, 'a>],
        new: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        if let (Some(record), Some(at)) = (self.record_of_lane(number), forwards(index)) {
            return self.put_lanes_again(builder, number, &record, &at);
        }
        let scope = self.now.scope;
        let leaf = &self.plan.leaves[number];
        let memory = self.lines.get(&number).cloned().unwrap_or_default();
        let place = Line::stored(builder, &scope, place, memory.first())?;
        let mut lines = vec![];
        for ((&lanes, operand), memory) in new
            .iter()
            .zip(leaf.view.group(0))
            .zip(memory.get(1..).unwrap_or_default())
        {
            lines.push(match (leaf.operands[operand], forwards(index)) {
                (Some(Source::Given(array)), Some((outer, first))) => Line::Input {
                    memory: self.input(array)?.memory,
                    outer,
                    first,
                },
                _ => Line::stored(builder, &scope, lanes, Some(memory))?,
            });
        }
        each_lane(builder, &scope, |builder, lane| {
            let place = place.at(builder, lane)?;
            let place = self
                .as_indices(builder, &[Lanes::Uniform(place)])?
                .remove(0);
            let spot = Spot::Offset(Scope::single().whole(builder, place)?);
            let new = lines
                .iter()
                .map(|line| line.at(builder, lane))
                .collect::<Emitted<Values>>()?;
            self.put(builder, number, &spot, &new)
        })
    }

    /// Puts the lanes' elements to their places, in order, each computed again from inputs.
    fn put_lanes_again(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        record: &Record<'c, 'a>,
        (outer, first): &(Values<'c, 'a>, Value<'c, 'a>),
    ) -> Emitted<'c, ()> {
        let mut inputs = vec![];
        for field in &record.fields {
            if let Field::Input(array) = *field {
                inputs.push((key(array), self.input(array)?.memory));
            }
        }
        let scope = self.now.scope;
        each_lane(builder, &scope, |builder, lane| {
            let last = builder.arithmetic("arith.addi", &[*first, lane])?;
            let index = [outer.as_slice(), &[last]].concat();
            let vector = std::mem::replace(&mut self.now, Iteration::single());
            for &(array, memory) in &inputs {
                let value = Lanes::Uniform(builder.load(memory, &index)?);
                self.now.given.insert(array, value);
            }
            self.put_computed_again(builder, number, record, None, &BTreeMap::new())?;
            self.now = vector;
            Ok(())
        })
    }

    /// Puts one element to its place.
    pub(super) fn put(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        spot: &Spot<'c, 'a>,
        new: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let dests = self.destination(number)?;
        let (memories, index) = match self.scatters.get(&number).cloned() {
            Some(Sink::Table(table)) => {
                let offset = offset(builder, &dests[0], spot)?;
                let position = builder.arithmetic("arith.addi", &[table.first, offset])?;
                (table.memories, vec![position])
            }
            _ => {
                let memories = dests.iter().map(|dest| dest.memory).collect();
                (memories, index(builder, &dests[0], spot)?)
            }
        };
        self.combine_in(builder, number, &memories, &index, new)
    }

    /// Combines new elements with those in memory, or replaces these.
    pub(super) fn combine_in(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        memories: &[Value<'c, 'a>],
        index: &[Value<'c, 'a>],
        new: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let view = self.plan.leaves[number].view.clone();
        let mut written = new.to_vec();
        if view.yielded().is_some() {
            let old = memories
                .iter()
                .map(|&memory| Ok(builder.load(memory, index)?))
                .collect::<Emitted<Values>>()?;
            let arguments: Vec<Lanes> = old
                .into_iter()
                .chain(new.iter().copied())
                .map(Lanes::Uniform)
                .collect();
            let single = Scope::single();
            written = self
                .lambda_in(single, builder, &view, &arguments)?
                .into_iter()
                .map(|lanes| single.whole(builder, lanes))
                .collect::<Emitted<Values>>()?;
        }
        for (&memory, value) in memories.iter().zip(written) {
            builder.store(value, memory, index)?;
        }
        Ok(())
    }
}

/// How far a spot is from the destination's first element.
fn offset<'c, 'a>(
    builder: &Builder<'c, 'a>,
    dest: &Place<'c, 'a>,
    spot: &Spot<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    match spot {
        Spot::Offset(offset) => Ok(*offset),
        Spot::Index(index) => {
            let index: Vec<Lanes> = index.iter().map(|&value| Lanes::Uniform(value)).collect();
            let single = Scope::single();
            single.whole(builder, linear(builder, &single, &dest.line(), &index)?)
        }
    }
}

/// An index at which a spot is in the destination's memory.
fn index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    dest: &Place<'c, 'a>,
    spot: &Spot<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    match spot {
        Spot::Index(index) => Ok(index.clone()),
        Spot::Offset(_) if dest.sizes.is_empty() => Ok(vec![]),
        Spot::Offset(offset) => unravelled(builder, &dest.line(), *offset),
    }
}

/// A value of each lane, to be had one by one.
enum Line<'c, 'a> {
    Same(Value<'c, 'a>),
    Stored(Value<'c, 'a>),
    /// Neighbours in the memory of an input, from an index on.
    Input {
        memory: Value<'c, 'a>,
        outer: Values<'c, 'a>,
        first: Value<'c, 'a>,
    },
}

impl<'c, 'a> Line<'c, 'a> {
    /// Stores a vector.
    fn stored(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        lanes: Lanes<'c, 'a>,
        memory: Option<&Value<'c, 'a>>,
    ) -> Emitted<'c, Self> {
        if let Some(value) = lanes.uniform() {
            return Ok(Self::Same(value));
        }
        let memory =
            *memory.ok_or_else(|| internal(builder.location(), "a scatter has no lines"))?;
        let vector = scope.whole(builder, lanes)?;
        let zero = builder.index(0)?;
        builder.op("vector.store", &[vector, memory, zero], &[], &[], vec![])?;
        Ok(Self::Stored(memory))
    }

    fn at(&self, builder: &Builder<'c, 'a>, lane: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(match self {
            Self::Same(value) => *value,
            Self::Stored(memory) => builder.load(*memory, &[lane])?,
            Self::Input {
                memory,
                outer,
                first,
            } => {
                let last = builder.arithmetic("arith.addi", &[*first, lane])?;
                builder.load(*memory, &[outer.as_slice(), &[last]].concat())?
            }
        })
    }
}

/// The parts of an index whose last component goes up by one from lane to lane.
fn forwards<'c, 'a>(index: &[Lanes<'c, 'a>]) -> Option<(Values<'c, 'a>, Value<'c, 'a>)> {
    let (&last, outer) = index.split_last()?;
    let outer: Option<Values> = outer.iter().map(|component| component.uniform()).collect();
    match last {
        Lanes::Steps { first, step: 1 } => Some((outer?, first)),
        _ => None,
    }
}
