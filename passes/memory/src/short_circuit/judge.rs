//! Whether ops that are executed while an array is needed leave the elements alone that it is to have, or only read them in
//! time.
//!
//! Cost: for each pair of accesses, that of [`are_disjoint`](comb_lmad::are_disjoint).

use comb_lmad::{Dimension, Lmad, Polynomial};
use melior::ir::{OperationRef, Value};
use soac_dialect::view::op_name;

use super::{
    aliases::{Aliases, base},
    candidates::Candidate,
    refusal::Refusal,
};
use comb_kit::checks::facts::key;
use comb_nest::{
    elements::{
        accesses::{Access, Elements, Kind, Scope, accesses},
        layouts::{Component, Layout, layout},
        numbers::Numbers,
        order::is_read_first,
        shown,
    },
    index_sets::is_injective,
};

/// Where the array is to be.
pub(super) struct Place<'c, 'a> {
    /// The memory that it is a part of.
    pub memory: Value<'c, 'a>,
    /// Its layout in that.
    pub layout: Layout,
    /// All its elements.
    pub all: Elements,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// That of an array that is copied.
    pub fn of(
        candidate: &Candidate<'c, 'a>,
        numbers: &mut Numbers<'c, 'a>,
    ) -> Result<Self, Refusal> {
        let (memory, around) = layout(numbers, candidate.dest);
        let inside = match (&candidate.layout, &around) {
            (Layout::Index(index), _) => around.of_part(index),
            (Layout::Place(place), Layout::Index(_)) if memory == candidate.dest => {
                Some(Layout::Place(place.clone()))
            }
            _ => None,
        };
        let inside = inside.ok_or(Refusal::NoView)?;
        let rank = match &inside {
            Layout::Index(components) => components.first().map_or(0, |one| one.strides.len()),
            Layout::Place(place) => place.strides.len(),
            Layout::Any => 0,
        };
        let sizes: Vec<Polynomial> = (0..rank)
            .map(|dimension| numbers.bounded_size(candidate.source, dimension))
            .collect();
        let set = |component: &Component| Lmad {
            offset: component.offset.clone(),
            dimensions: component
                .strides
                .iter()
                .zip(&sizes)
                .filter(|(stride, _)| stride.as_constant() != Some(0))
                .map(|(stride, count)| Dimension {
                    count: count.clone(),
                    stride: stride.clone(),
                })
                .collect(),
        };
        let all = match &inside {
            Layout::Index(components) => {
                Elements::Index(components.iter().map(|one| Some(set(one))).collect())
            }
            Layout::Place(place) => Elements::Places(Some(set(place))),
            Layout::Any => Elements::Any,
        };
        let place = Self {
            memory,
            layout: inside,
            all,
        };
        match candidate.is_injective || place.is_injective(rank, numbers) {
            true => Ok(place),
            false => Err(Refusal::Twice),
        }
    }

    /// Whether different elements of the array have different places.
    fn is_injective(&self, rank: usize, numbers: &mut Numbers<'c, 'a>) -> bool {
        let own = |component: &Component, dimension: usize| {
            let strides = component.strides.iter().enumerate();
            let mut moving = strides.filter(|(_, stride)| stride.as_constant() != Some(0));
            let is_own = moving.next().is_some_and(|(other, stride)| {
                let is_known = stride.as_constant().is_some();
                other == dimension && (is_known || numbers.bounds.is_less(&0.into(), stride))
            });
            is_own && moving.next().is_none()
        };
        // One component goes along all dimensions.
        let goes_along_all = |component: &Component| {
            let mut strides = component.strides.iter();
            strides.all(|stride| stride.as_constant() != Some(0))
        };
        match (&self.layout, &self.all) {
            (Layout::Index(components), Elements::Index(sets)) => {
                (0..rank)
                    .all(|dimension| components.iter().any(|component| own(component, dimension)))
                    || components.iter().zip(sets).any(|(component, set)| {
                        let set = set.as_ref().filter(|_| goes_along_all(component));
                        set.is_some_and(|set| is_injective(set, numbers))
                    })
            }
            (_, Elements::Places(Some(places))) => is_injective(places, numbers),
            _ => false,
        }
    }
}

/// Judges ops that are executed while the array is needed.
pub(super) struct Judge<'s, 'c, 'a> {
    pub candidate: &'s Candidate<'c, 'a>,
    pub numbers: &'s mut Numbers<'c, 'a>,
    pub aliases: &'s Aliases,
    pub place: Place<'c, 'a>,
    /// What writes to the array, and the op between that it is in.
    pub writes: Vec<(OperationRef<'c, 'a>, Access<'c, 'a>)>,
}

impl<'c: 'a, 'a> Judge<'_, 'c, 'a> {
    /// Makes sure that an op in front of the copy does not mind.
    pub fn before(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Refusal> {
        let all = accesses(op);
        let is_own = |access: &&Access<'c, 'a>| base(access.name) == self.candidate.source;
        let own: Vec<Access> = all.iter().filter(is_own).cloned().collect();
        let writes = own.into_iter().filter(Access::may_write);
        self.writes.extend(writes.map(|write| (op, write)));
        for access in all {
            let overlaps = self.overlaps(op, &access);
            if overlaps && !(access.kind == Kind::Read && self.is_read_before_written(op, &access))
            {
                return Err(self.overlap(op, &access));
            }
        }
        Ok(())
    }

    /// Why an access of an op between cannot be told from the place.
    fn overlap(&mut self, op: OperationRef<'c, 'a>, access: &Access<'c, 'a>) -> Refusal {
        let mut scope = Scope {
            numbers: self.numbers,
            op,
        };
        let element = scope.element(access);
        let used = scope.elements(access.op, &element);
        Refusal::Overlap {
            op: op_name(access.op).to_owned(),
            used: shown::elements(self.numbers, &used),
            overwritten: shown::elements(self.numbers, &self.place.all),
        }
    }

    /// Whether an op writes nothing to what the array is copied into.
    pub fn keeps_the_old(&self, op: OperationRef<'c, 'a>) -> bool {
        let dest = self.candidate.dest;
        let all = accesses(op).into_iter();
        let mut writes =
            all.filter(|access| access.may_write() && base(access.name) != self.candidate.source);
        !writes.any(|write| self.aliases.may_be_same(write.name, dest))
    }

    /// The same behind the copy.
    pub fn after(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Refusal> {
        for access in accesses(op).into_iter().filter(Access::may_write) {
            let name = op_name(access.op).to_owned();
            if base(access.name) == self.candidate.source {
                return Err(Refusal::WrittenLater(name));
            }
            if self.overlaps(op, &access) {
                return Err(Refusal::Overwritten(name));
            }
        }
        Ok(())
    }

    /// Whether an access, which is not to the array itself, may be to an element of its place.
    fn overlaps(&mut self, op: OperationRef<'c, 'a>, access: &Access<'c, 'a>) -> bool {
        let memory = base(access.name);
        if memory == self.candidate.source
            || !self.aliases.may_be_same(access.name, self.candidate.dest)
        {
            return false;
        }
        if key(memory) != key(self.place.memory) {
            return true;
        }
        let mut scope = Scope {
            numbers: self.numbers,
            op,
        };
        let element = scope.element(access);
        let elements = scope.elements(access.op, &element);
        !scope.are_disjoint(memory, &elements, &self.place.all)
    }

    /// Whether all that is written to the array by then is known to be other elements than those
    /// that an op reads, or to be written behind that.
    fn is_read_before_written(&mut self, op: OperationRef<'c, 'a>, read: &Access<'c, 'a>) -> bool {
        if base(read.name) != self.place.memory {
            return false;
        }
        let mut scope = Scope {
            numbers: self.numbers,
            op,
        };
        let element = scope.element(read);
        let elements = scope.elements(read.op, &element);
        self.writes.clone().into_iter().all(|(around, write)| {
            let mut scope = Scope {
                numbers: self.numbers,
                op: around,
            };
            let written = scope.element_in(&write, &self.place.layout);
            let all_written = scope.elements(write.op, &written);
            scope.are_disjoint(self.place.memory, &elements, &all_written)
                || around == op
                    && is_read_first(
                        &mut scope,
                        self.place.memory,
                        (read, &element),
                        (&write, &written),
                    )
        })
    }
}
