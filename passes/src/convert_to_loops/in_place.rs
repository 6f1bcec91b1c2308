//! Results that go straight into the memory of the array that they update.
//!
//! A loop that computes one row of an array from the row before can write it where it
//! belongs, though it reads the same array: what it writes, nobody reads. Then there is
//! neither memory for the row nor a second pass. That is so if
//!
//! * the old array is not needed behind the update;
//! * each part of it that is read is known to be [disjoint](super::regions) from the one
//!   that is written; or the element that an iteration reads is the one that it writes.
//!
//! If one cluster gives several parts of the same array, each put into the result of the
//! update before, all can be written in place, if they are disjoint too.
//!
//! This is short-circuiting with index analysis (Munksgaard et al., Memory Optimizations in
//! an Array Language, SC 2022, section V-B).
//!
//! Cost: linear in the size of the cluster, and in the number of ops between it and the
//! update; quadratic in the number of parts.

use std::collections::{HashMap, HashSet};

use melior::ir::{
    OperationRef, Value,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Size,
    view::{DYNAMIC, as_argument, definition, op_name, stands_before, uses},
};

use super::{
    applications::Site,
    destinations::executable_before,
    emitter::{Emitted, Emitter},
    op_key,
    plan::{ArrayId, Component, Kind, Leaf, LeafId, Source},
    regions::{Read, Region, Regions},
    updates::{OnlyUse, Update, is_before},
};
use crate::{checks::facts::key, transformations::Transformation, walk::operations};

/// A result that may be written in place, into a part of an old array.
pub(super) struct Part<'c, 'a> {
    /// The number of the result.
    pub result: usize,
    pub array: ArrayId,
    /// The array before all updates.
    pub old: Value<'c, 'a>,
    pub update: OperationRef<'c, 'a>,
    /// Where the part begins.
    pub offsets: Vec<Size<'c, 'a>>,
    region: Region,
    /// Whether the loops read the old array.
    is_read: bool,
    /// What has to be executed in front of the loops.
    ahead: Vec<OperationRef<'c, 'a>>,
}

/// An update that may be done in place.
struct Candidate<'c, 'a> {
    update: OperationRef<'c, 'a>,
    /// What it updates.
    dest: Value<'c, 'a>,
    offsets: Vec<Size<'c, 'a>>,
    /// What can be executed in front of the loops, and has to be.
    ahead: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Places results in the memory of the arrays that they update. That has to be found
    /// before the memory of what is read, but for the old arrays themselves, so that
    /// bufferization sees whatever else is read of it.
    pub fn place_in_old_arrays(&mut self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let parts = self.parts_of_old_arrays(op)?;
        let mut moved: HashSet<usize> = HashSet::new();
        for &other in parts.iter().flat_map(|part| &part.ahead) {
            if moved.insert(op_key(other)) {
                self.front.move_here(other);
            }
        }
        let mut memories: HashMap<usize, Value> = HashMap::new();
        for part in parts {
            if part.is_read {
                self.find_old(part.old)?;
            }
            let memory = match memories.get(&key(part.old)) {
                Some(&memory) => memory,
                None => self.front.buffer_to_write(part.old)?,
            };
            memories.insert(key(part.old), memory);
            let all = self.front.sizes(part.old)?;
            self.place_in_old(part.array, memory, all, part.offsets)?;
            let update = Update::in_place(part.update, memory);
            self.updates.insert(part.result, update);
        }
        Ok(())
    }

    /// Places an array in the memory of an old one.
    pub fn place_in_old(
        &mut self,
        array: ArrayId,
        memory: Value<'c, 'a>,
        all: Vec<Size<'c, 'a>>,
        offsets: Vec<Size<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        self.place_part(array, memory, all, offsets)?;
        self.in_old.insert(array);
        if let Some(place) = &mut self.places[array] {
            // Nobody knows where the rows of an old array begin.
            place.is_aligned = false;
        }
        Ok(())
    }

    /// The results that may be written where they belong in old arrays, in the order of the
    /// updates of each array.
    pub fn parts_of_old_arrays(&self, op: OperationRef<'c, 'a>) -> Emitted<'c, Vec<Part<'c, 'a>>> {
        let mut regions = Regions::of(self.plan);
        let mut parts: Vec<Part> = vec![];
        // An update that is behind another one has to be done after it.
        loop {
            let before = parts.len();
            for result in 0..self.plan.yielded.len() {
                if parts.iter().any(|part| part.result == result) {
                    continue;
                }
                let Some(array) = self.movable_result(result) else {
                    continue;
                };
                let Some(candidate) = candidate(op, op.result(result)?.into()) else {
                    continue;
                };
                let found = self.part(op, result, array, candidate, &mut regions, &parts);
                parts.extend(found);
            }
            if parts.len() == before {
                return Ok(parts);
            }
        }
    }

    /// The part that a result is, if it may be in the memory of what it updates.
    fn part(
        &self,
        op: OperationRef<'c, 'a>,
        result: usize,
        array: ArrayId,
        candidate: Candidate<'c, 'a>,
        regions: &mut Regions<'_, 'c, 'a>,
        parts: &[Part<'c, 'a>],
    ) -> Option<Part<'c, 'a>> {
        let old = self.old_array(op, &candidate, parts)?;
        let region = regions.part(array, &candidate.offsets);
        let reads = regions.reads(old);
        let place = regions.written_at(array, &candidate.offsets);
        let mut same_array = parts.iter().filter(|part| key(part.old) == key(old));
        let is_free = same_array.all(|part| regions.are_disjoint(&region, &part.region))
            && reads.iter().all(|read| {
                let is_own = read.index.iter().all(Option::is_some) && read.index == place;
                let is_read = regions.all_iterations(&read.index);
                regions.are_disjoint(&region, &is_read)
                    || is_own && self.is_read_before_written(read, array)
            });
        let applies = || self.applies(Transformation::UpdatesInPlace, Site::Array(array));
        (is_free && applies()).then_some(Part {
            result,
            array,
            old,
            update: candidate.update,
            offsets: candidate.offsets,
            region,
            is_read: !reads.is_empty(),
            ahead: candidate.ahead,
        })
    }

    /// The array before all updates, if its elements are not needed later.
    fn old_array(
        &self,
        op: OperationRef<'c, 'a>,
        candidate: &Candidate<'c, 'a>,
        parts: &[Part<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let &Candidate { dest, update, .. } = candidate;
        let before = definition(dest).map(op_key);
        let mut parts = parts.iter();
        match parts.find(|part| before == Some(op_key(part.update))) {
            Some(part) => (uses(dest).len() == 1).then_some(part.old),
            None => (is_before(dest, op) && self.is_last_used(dest, op, update)).then_some(dest),
        }
    }

    /// Whether an array is only used by a cluster or combinator and what it updates, or
    /// before: so that its memory can be overwritten.
    fn is_last_used(
        &self,
        array: Value<'c, 'a>,
        op: OperationRef<'c, 'a>,
        update: OperationRef<'c, 'a>,
    ) -> bool {
        let is_here = match (definition(array), as_argument(array)) {
            (Some(defining), _) => defining.block() == op.block(),
            (_, Some(argument)) => {
                op.block() == Some(argument.owner())
                    && op
                        .parent_operation()
                        .is_some_and(|parent| op_name(parent) != "func.func")
            }
            _ => false,
        };
        let is_over = |(user, _): (OperationRef<'c, 'a>, usize)| {
            let ancestors = std::iter::successors(Some(user), |user| user.parent_operation());
            let mut here = ancestors.filter(|user| user.block() == op.block());
            op_name(user) == "tensor.dim"
                || op_key(user) == op_key(update)
                || here.any(|user| user == op || stands_before(user, op))
        };
        is_here
            && !self.views.contains_key(&key(array))
            && uses(array).into_iter().all(is_over)
            && self.is_only_read_by_leaves(array, op)
    }

    /// Whether no function of a cluster uses an array.
    fn is_only_read_by_leaves(&self, array: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
        let names = self.plan.names.iter();
        let mut aliases: HashSet<usize> = names
            .filter(|(_, source)| **source == Source::Given(array))
            .map(|(&name, _)| name)
            .collect();
        aliases.insert(key(array));
        let leaves = self.plan.leaves.iter();
        let leaves: HashSet<usize> = leaves.map(|leaf| op_key(leaf.op)).collect();
        operations(op).into_iter().all(|inner| {
            leaves.contains(&op_key(inner))
                || matches!(op_name(inner), "soac.cluster" | "tensor.dim")
                || inner
                    .operands()
                    .all(|operand| !aliases.contains(&key(operand)))
        })
    }

    /// Whether the iteration that writes an element of a result reads what was there
    /// before it does so; and no other iteration reads it.
    fn is_read_before_written(&self, read: &Read, array: ArrayId) -> bool {
        let leaves = &self.plan.leaves;
        let (reader, number) = (&leaves[read.leaf], self.plan.arrays[array].leaf);
        let writer = &leaves[number];
        let order = self.plan.order();
        let place = |leaf: LeafId| order.iter().position(|&other| other == leaf);
        let has_scatters = leaves.iter().any(|leaf| leaf.kind == Kind::Scatter);
        !has_scatters
            && writer.kind != Kind::Fold
            && writes_once(writer)
            && reader.path == writer.path
            && place(read.leaf) <= place(number)
    }
}

/// Whether each iteration of a combinator has an element of its own.
fn writes_once(writer: &Leaf) -> bool {
    let has_own_loop = |number: usize| {
        writer.components.iter().any(
            |&component| matches!(component, Component::Loop { position, .. } if position == number),
        )
    };
    (0..writer.path.len()).all(has_own_loop)
}

/// The update that is all that a result of an op is used for, if it may be done in place
/// wherever the part begins.
fn candidate<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    result: Value<'c, 'a>,
) -> Option<Candidate<'c, 'a>> {
    let OnlyUse {
        op: update,
        view,
        part,
        offsets: known_offsets,
        ..
    } = OnlyUse::of(op, result)?;
    let mut computed_offsets = view.group(2).map(|operand| view.operands[operand]);
    let offsets: Option<Vec<Size>> = known_offsets
        .into_iter()
        .map(|offset| match offset {
            DYNAMIC => computed_offsets.next().map(Size::Dynamic),
            _ => Some(Size::Static(offset)),
        })
        .collect();
    let offsets = offsets?;
    let ahead = executable_before(op, update)?;
    let is_ahead = |offset: &Size<'c, 'a>| match offset {
        Size::Static(_) => true,
        Size::Dynamic(value) => {
            is_before(*value, op) || definition(*value).is_some_and(|op| ahead.contains(&op))
        }
    };
    (!is_known_to_be_empty(&part) && offsets.iter().all(is_ahead)).then(|| Candidate {
        update,
        dest: view.operands[1],
        offsets,
        ahead,
    })
}

/// MLIR has no view of a part that is known to be empty.
fn is_known_to_be_empty(part: &RankedTensorType) -> bool {
    (0..part.rank()).any(|axis| matches!(part.dim_size(axis), Ok(DimSize::Static(0))))
}
