//! What each combinator does at an iteration: it reads the elements that belong to
//! the iteration, and computes one. docs/src/clusters.md says where its index is.

use melior::ir::{Type, Value, ValueLike};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    emitter::{Decision, Emitted, Emitter, internal},
    jam::Write,
    lanes::gathers::{before_widening, combine},
    lanes::memory::compare,
    lanes::{Lanes, Scope, lambda::InLanes},
    plan::{ArrayId, Component, Kind, LeafId, Source},
    read::rank,
    widths::bits,
};
use crate::{convert_to_linalg::indexing::out_of_range, vectors};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// One iteration of a combinator.
    pub fn step(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Emitted<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let builder = &builder.located(leaf.view.location);
        let outer = self.now.scope;
        if let Some(clock) = self.plan.clock(number) {
            self.now.scope = self.decision(clock)?.scope;
        }
        let done = match self.read_packed(builder, number) {
            Ok(false) => self.counting_step(builder, number),
            done => done.map(|_| ()),
        };
        self.now.scope = outer;
        done?;
        self.write_packed(builder, number)
    }

    fn counting_step(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Emitted<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let view = &leaf.view;
        let rank = leaf.components.len();
        match leaf.kind {
            Kind::Generate => {
                let index = self.index(builder, number, rank)?;
                let values = self.lambda(builder, view, &index)?;
                self.give(builder, number, &values)
            }
            Kind::Map if leaf.is_map_of_arrays() => self.map_of_arrays(builder, number),
            Kind::Map => {
                let index = self.index(builder, number, rank)?;
                let elements = self.elements(builder, number, 0, &index)?;
                let values = self.lambda(builder, view, &elements)?;
                self.give(builder, number, &values)
            }
            Kind::Gather | Kind::Backpermute => {
                let position = self.position(builder, number)?;
                let elements = self.elements(builder, number, 0, &position)?;
                self.give(builder, number, &elements)
            }
            Kind::ScanLeft | Kind::ScanRight if self.reducing.contains(&number) => {
                let index = self.index(builder, number, rank)?;
                let elements = self.elements(builder, number, 0, &index)?;
                self.fold(builder, number, &elements)
            }
            Kind::Fold => {
                let index = self.index(builder, number, rank)?;
                let elements = self.elements(builder, number, 0, &index)?;
                self.fold(builder, number, &elements)
            }
            Kind::ScanLeft | Kind::ScanRight => {
                let index = self.index(builder, number, rank)?;
                let elements = self.elements(builder, number, 0, &index)?;
                let scanned = self.scan(builder, number, &elements)?;
                self.give(builder, number, &scanned)
            }
            Kind::Filter => self.filter(builder, number),
            Kind::Scatter => self.scatter(builder, number),
        }
    }

    fn decision(&self, filter: LeafId) -> Emitted<'c, Decision<'c, 'a>> {
        let decision = self.now.decisions.get(&filter).copied();
        let location = self.plan.leaves[filter].view.location;
        decision.ok_or_else(|| internal(location, "a filter has not decided yet"))
    }

    /// The first components of a combinator's index at the current iteration.
    pub fn index(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        rank: usize,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let leaf = &self.plan.leaves[number];
        let mut index = vec![];
        for (dimension, &component) in leaf.components[..rank].iter().enumerate() {
            index.push(match (component, leaf.clock) {
                (Component::Label(label), _) => {
                    let gather = self.plan.labels.get(&label).copied();
                    let gather = gather
                        .ok_or_else(|| internal(leaf.view.location, "no gather has its label"))?;
                    self.position(builder, gather)?[dimension]
                }
                (Component::Loop { .. }, Some(filter)) if dimension == 0 => {
                    let decision = self.decision(filter)?;
                    kept_before(builder, &decision)?
                }
                (
                    Component::Loop {
                        position,
                        backwards: false,
                    },
                    _,
                ) => self.now.index[position],
                (Component::Loop { position, .. }, _) => {
                    let length = leaf.lengths[position].or(self.plan.length_at(position));
                    let length = length
                        .ok_or_else(|| internal(leaf.view.location, "its loop has no length"))?;
                    let one = builder.index(1)?;
                    let last = builder.size_value(length)?;
                    let last = builder.arithmetic("arith.subi", &[last, one])?;
                    combine(
                        builder,
                        &self.now.scope,
                        "arith.subi",
                        Lanes::Uniform(last),
                        self.now.index[position],
                    )?
                }
            });
        }
        Ok(index)
    }

    /// The index at which a gather reads at the current iteration. It is computed
    /// once for all in its order.
    pub fn position(
        &mut self,
        builder: &Builder<'c, 'a>,
        gather: LeafId,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        if let Some(position) = self.now.positions.get(&gather) {
            return Ok(position.clone());
        }
        if let Some(position) = self.position_ahead(builder, gather)? {
            self.now.positions.insert(gather, position.clone());
            return Ok(position);
        }
        let leaf = &self.plan.leaves[gather];
        let builder = &builder.located(leaf.view.location);
        let source = leaf.view.group(0).start;
        let source_rank = rank(leaf.view.operand_type(source));
        let result_rank = rank(leaf.view.result_types[0]);
        let index = self.index(builder, gather, result_rank)?;
        let (position, checked) = match leaf.kind {
            Kind::Backpermute => (self.lambda(builder, &leaf.view, &index)?, source_rank),
            _ => {
                let components = leaf.view.group(1).len();
                let outer = result_rank + components - source_rank;
                let indices = self.elements(builder, gather, 1, &index[..outer])?;
                let mut position = self.as_indices(builder, &indices)?;
                position.extend_from_slice(&index[outer..]);
                (position, components)
            }
        };
        let is_checked =
            self.options.unchecked || leaf.view.flag("unchecked") || self.is_checked_ahead(gather);
        if !is_checked {
            for (dimension, &index) in position[..checked].iter().enumerate() {
                let size = self.size_of_operand(builder, gather, source, dimension)?;
                self.check_index(builder, leaf.view.name, index, size, dimension)?;
            }
        }
        self.now.positions.insert(gather, position.clone());
        Ok(position)
    }

    /// Elements of index arrays as values of type `index`; they are signed.
    pub fn as_indices(
        &self,
        builder: &Builder<'c, 'a>,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let (scope, index) = (self.now.scope, builder.index_type());
        elements
            .iter()
            .map(|&element| match element {
                Lanes::Uniform(value) if value.r#type() != index => {
                    Ok(Lanes::Uniform(cast_indices(builder, value, index)?))
                }
                Lanes::Vector { value, guided, .. }
                    if value.r#type() != scope.r#type(builder, index) =>
                {
                    let value = cast_indices(builder, value, scope.r#type(builder, index))?;
                    Ok(scope.lanes(value, guided))
                }
                Lanes::Uniform(_) | Lanes::Vector { .. } | Lanes::Steps { .. } => Ok(element),
            })
            .collect()
    }

    fn size_of_operand(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        operand: usize,
        axis: usize,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let size = match self.plan.leaves[leaf].operands[operand] {
            Some(Source::Computed(array)) => self.plan.arrays[array].shape[axis],
            Some(Source::Given(array)) => self.input(array)?.sizes[axis],
            None => {
                let location = self.plan.leaves[leaf].view.location;
                return Err(internal(location, "an operand is no array"));
            }
        };
        Ok(builder.size_value(size)?)
    }

    /// Ends the program unless `0 <= index < size`.
    pub fn check_index(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: &str,
        index: Lanes<'c, 'a>,
        size: Value<'c, 'a>,
        dimension: usize,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let message = builder.string(&out_of_range(op, dimension));
        // A negative index is a large one.
        let inside = match index.uniform() {
            Some(index) => Lanes::Uniform(builder.compare(Predicate::Ult, index, size)?),
            None => {
                let index = scope.whole(builder, index)?;
                let (index, size) = narrowed(builder, index, size)?;
                let size = scope.whole(builder, Lanes::Uniform(size))?;
                let inside = compare(builder, &scope, Predicate::Ult, index, size)?;
                scope.lanes(inside, false)
            }
        };
        let size = Lanes::Uniform(size);
        self.check(builder, inside, &[index, size], message)
    }

    /// Makes values the elements of a combinator's results at the current
    /// iteration, and stores those that are kept in memory.
    pub fn give(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        values: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let leaf = &self.plan.leaves[number];
        for (array, &value) in leaf.results().zip(values) {
            self.give_element(builder, number, array, value)?;
        }
        Ok(())
    }

    /// The same for one of its results.
    pub fn give_element(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        array: ArrayId,
        value: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        self.now.elements.insert(array, value);
        let Some(place) = self.places[array].clone() else {
            return Ok(());
        };
        if !self.reducing.is_empty() && !place.is_read {
            return Ok(());
        }
        let computed = &self.plan.arrays[array];
        // A row has no dimension of what is kept.
        if let (Some(filter), 0) = (computed.clock, place.skipped) {
            let decision = self.decision(filter)?;
            return match self.buffers.get(&array) {
                Some(buffer) => self.write_to_buffer(builder, buffer, &decision, value),
                None => self.write_kept_to(builder, &place, filter, &decision, value),
            };
        }
        if let Some(burst) = self.bursts.get(&array) {
            return self.put_by(builder, burst, value);
        }
        let mut index = self.index(builder, number, computed.shape.len())?;
        index.drain(..place.skipped);
        match &mut self.writes {
            Some(writes) => {
                writes.push(Write {
                    place,
                    index,
                    element: value,
                });
                Ok(())
            }
            None => self.write(builder, &place, &index, value),
        }
    }

    fn filter(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Emitted<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let index = self.index(builder, number, leaf.components.len())?;
        let elements = self.elements(builder, number, 0, &index)?;
        let keeps = self.lambda(builder, &leaf.view, &elements)?[0];
        let scope = self.now.scope;
        let keeps = scope.whole(builder, keeps)?;
        let before = self.states[&number][0];
        let decision = Decision {
            scope: scope.and(builder, keeps)?,
            before,
        };
        self.now.decisions.insert(number, decision);
        let kept = count_lanes(builder, &decision.scope)?;
        let after = builder.arithmetic("arith.addi", &[before, kept])?;
        self.states.insert(number, vec![after]);
        self.give(builder, number, &elements)
    }
}

/// The same indices as numbers of another type; they are signed.
pub(super) fn cast_indices<'c, 'a>(
    builder: &Builder<'c, 'a>,
    indices: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Emitted<'c, Value<'c, 'a>> {
    match indices.r#type() == r#type {
        true => Ok(indices),
        false => Ok(builder.value("arith.index_cast", &[indices], r#type, &[])?),
    }
}

/// A vector of indices and a size that they are less than, both as numbers of as many
/// bits as the indices were in memory, if these are less than 64. Larger sizes than
/// such a signed number can reach are all the same.
fn narrowed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    indices: Value<'c, 'a>,
    size: Value<'c, 'a>,
) -> Emitted<'c, (Value<'c, 'a>, Value<'c, 'a>)> {
    let Some((indices, number)) = before_widening(indices) else {
        return Ok((indices, size));
    };
    let unreachable = builder.index(1 << (bits(number) - 1))?;
    let size = builder.arithmetic("arith.minui", &[size, unreachable])?;
    let size = builder.value("arith.index_castui", &[size], number, &[])?;
    Ok((indices, size))
}

/// How many lanes count.
pub(super) fn count_lanes<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let mask = scope.mask_value(builder)?;
    if !scope.is_vector() {
        return Ok(builder.value("arith.index_castui", &[mask], builder.index_type(), &[])?);
    }
    Ok(vectors::number_of(
        builder,
        mask,
        scope.width,
        "math.ctpop",
    )?)
}

/// How many elements a filter kept before each lane.
fn kept_before<'c, 'a>(
    builder: &Builder<'c, 'a>,
    decision: &Decision<'c, 'a>,
) -> Emitted<'c, Lanes<'c, 'a>> {
    let scope = decision.scope;
    if !scope.is_vector() {
        return Ok(Lanes::Uniform(decision.before));
    }
    let index = builder.index_type();
    let whole = |value: i64| -> Emitted<'c, Value<'c, 'a>> {
        scope.whole(builder, Lanes::Uniform(builder.index(value)?))
    };
    let (none, one) = (whole(0)?, whole(1)?);
    let mask = scope.mask_value(builder)?;
    let mut counts = builder.select(mask, one, none)?;
    let width = scope.width as i64;
    let shifted = |counts: Value<'c, 'a>, distance: i64| -> Emitted<'c, Value<'c, 'a>> {
        let positions: Vec<i64> = (0..width)
            .map(|lane| {
                if lane < distance {
                    lane
                } else {
                    width + lane - distance
                }
            })
            .collect();
        Ok(builder.shuffle(none, counts, &positions, index)?)
    };
    let mut distance = 1;
    while distance < width {
        counts = builder.arithmetic("arith.addi", &[counts, shifted(counts, distance)?])?;
        distance *= 2;
    }
    let earlier = shifted(counts, 1)?;
    let before = scope.whole(builder, Lanes::Uniform(decision.before))?;
    let value = builder.arithmetic("arith.addi", &[earlier, before])?;
    Ok(scope.lanes(value, false))
}
