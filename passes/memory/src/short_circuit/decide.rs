//! Whether an array can be computed where it is copied to.
//!
//! A pure function of the program. Ops that stand between the first use of the array and its copy
//! must not use the elements that it is to have there, but for two cases: what they read is known to
//! be [other elements](Scope::are_disjoint); or the iteration that reads an element is the one that
//! writes it, later ([`is_read_first`]). If they do, the place may be in a [new array](Border).

use std::collections::HashSet;

use comb_lmad::{Dimension, Lmad, Polynomial};
use melior::ir::{
    BlockLike, OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    cast::cast,
    view::{defining_block, definition, op_name, stands_before, uses},
};

use super::{
    ahead::Between,
    aliases::{Aliases, base},
    assumed::bound,
    borders::Border,
    candidates::Candidate,
    refusal::Refusal,
};
use comb_kit::{
    checks::facts::key,
    walk::{ancestors, first_block, in_block_from, is_there_before, op_key},
};
use comb_nest::{
    elements::{
        accesses::{Access, Elements, Kind, Scope, accesses},
        layouts::{Component, Layout, TAKE_STRIDED, is_filled_by_rows, layout},
        numbers::Numbers,
        order::is_read_first,
    },
    index_sets::is_injective,
    nests::length_of,
};

/// What has to be done.
pub(super) struct Plan<'c, 'a> {
    /// In front of which the array's place has to be known.
    pub first: OperationRef<'c, 'a>,
    /// What is to be moved there, in order.
    pub ahead: Vec<OperationRef<'c, 'a>>,
    /// How what uses the array uses the part.
    pub form: Form,
    /// What is copied to a new array, if the part is one of that.
    pub border: Option<Border<'c, 'a>>,
    /// Numbers that have to be found to be not large before.
    pub small: Vec<Polynomial>,
    /// What uses the array until then, if there are such numbers.
    pub kernels: Vec<OperationRef<'c, 'a>>,
}

/// How a part of an array is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// At its indices in the whole.
    Indices,
    /// By a view that is as the array was.
    View,
}

/// Ops whose index can be another one.
const INDEXED: &[&str] = &[
    "memref.dim",
    "memref.load",
    "memref.store",
    "nest.read",
    "nest.write",
];

/// Says what has to be done, or why nothing can be: if nothing need be assumed of numbers, and else if they are
/// taken not to be large.
pub(super) fn decide<'c: 'a, 'a>(
    candidate: &Candidate<'c, 'a>,
    numbers: &mut Numbers<'c, 'a>,
    aliases: &Aliases,
) -> Result<Plan<'c, 'a>, Refusal> {
    let life = Life::of(candidate)?;
    numbers.assumptions = None;
    decide_for(candidate, numbers, aliases, &life).or_else(|refusal| {
        numbers.assume_from(life.first);
        decide_for(candidate, numbers, aliases, &life).map_err(|_| refusal)
    })
}

fn decide_for<'c: 'a, 'a>(
    candidate: &Candidate<'c, 'a>,
    numbers: &mut Numbers<'c, 'a>,
    aliases: &Aliases,
    life: &Life<'c, 'a>,
) -> Result<Plan<'c, 'a>, Refusal> {
    let place = Place::of(candidate, numbers)?;
    let form = form(candidate)?;
    let leaves = leaves(&candidate.layout, numbers);
    let keys: HashSet<usize> = life.before.iter().map(|&op| op_key(op)).collect();
    let between = Between {
        first: life.first,
        ops: &life.before,
        keys: &keys,
        aliases,
    };
    let ahead = between.ahead(candidate.dest, &leaves)?;
    let mut judge = Judge {
        candidate,
        numbers,
        aliases,
        place,
        writes: vec![],
    };
    let mut before = life.before.clone();
    let needed_before = judge.numbers.assumptions.clone();
    let moved: HashSet<usize> = ahead.iter().map(|&op| op_key(op)).collect();
    before.retain(|&op| !moved.contains(&op_key(op)));
    let in_place = before.iter().try_for_each(|&op| judge.before(op));
    let border = match in_place {
        Ok(()) => None,
        Err(refusal) => {
            let is_kept = before.iter().all(|&op| judge.keeps_the_old(op));
            let border = is_kept.then(|| Border::of(candidate)).flatten();
            judge.numbers.assumptions = needed_before;
            Some(border.ok_or(refusal)?)
        }
    };
    life.after.iter().try_for_each(|&op| judge.after(op))?;
    let small = numbers.assumptions.take().map_or(vec![], |all| all.small);
    for symbol in small.iter().flat_map(Polynomial::symbols) {
        let value = numbers.leaf(symbol).value();
        let is_known = |value| {
            let is_moved = definition(value).is_some_and(|op| moved.contains(&op_key(op)));
            is_moved || is_there_before(value, life.first)
        };
        if bound(value, &is_known).is_none() {
            return Err(Refusal::Late(
                definition(value).map_or("a loop", op_name).to_owned(),
            ));
        }
    }
    let is_kernel = |op: &OperationRef| !small.is_empty() && op_name(*op) == "nest.kernel";
    before.retain(is_kernel);
    Ok(Plan {
        first: life.first,
        ahead,
        form,
        border,
        small,
        kernels: before,
    })
}

/// Makes sure that what reads an array that is [filled](super::candidates::filling) may read what it is filled from: that it
/// is only read, and that nobody writes there until then. Gives what reads it.
pub(super) fn may_read_there<'c: 'a, 'a>(
    filling: &Candidate<'c, 'a>,
    numbers: &mut Numbers<'c, 'a>,
    aliases: &Aliases,
) -> Result<Vec<OperationRef<'c, 'a>>, Refusal> {
    let life = Life::of(filling)?;
    let place = Place::of(filling, numbers)?;
    let is_in_copy = |op: OperationRef| {
        let mut around = std::iter::once(op).chain(ancestors(op));
        around.any(|op| op == filling.copy)
    };
    let users = uses(filling.source).into_iter().map(|(user, _)| user);
    let readers: Vec<OperationRef> = users
        .filter(|&user| op_name(user) != "memref.dim" && !is_in_copy(user))
        .collect();
    for &reader in &readers {
        if !READS.contains(&op_name(reader)) {
            return Err(Refusal::Use(op_name(reader).to_owned()));
        }
        for value in leaves(&filling.layout, numbers) {
            if !is_there_before(value, reader) {
                let name = definition(value).map_or("a loop", op_name);
                return Err(Refusal::Late(name.to_owned()));
            }
        }
    }
    let is_before = |reader: &OperationRef<'c, 'a>| {
        let mut around = std::iter::once(*reader).chain(ancestors(*reader));
        around.any(|op| life.before.contains(&op))
    };
    if readers.iter().any(is_before) {
        return Err(Refusal::Sometimes(op_name(filling.copy).to_owned()));
    }
    let mut judge = Judge {
        candidate: filling,
        numbers,
        aliases,
        place,
        writes: vec![],
    };
    life.after.iter().try_for_each(|&op| judge.after(op))?;
    Ok(readers)
}

/// Ops that read an element.
const READS: &[&str] = &["memref.load", "nest.read"];

/// The ops that are executed while the array, or its copy, is needed.
struct Life<'c, 'a> {
    first: OperationRef<'c, 'a>,
    /// From the first one that uses the array to the copy, without that.
    before: Vec<OperationRef<'c, 'a>>,
    /// From the copy to the last one that uses the array.
    after: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Life<'c, 'a> {
    fn of(candidate: &Candidate<'c, 'a>) -> Result<Self, Refusal> {
        let &Candidate { copy, source, .. } = candidate;
        let block = defining_block(source);
        let in_block = |op: OperationRef<'c, 'a>| {
            let mut around = std::iter::once(op).chain(ancestors(op));
            around.find(|op| op.block() == block)
        };
        let nowhere = || Refusal::Sometimes(op_name(copy).to_owned());
        let here = in_block(copy).ok_or_else(nowhere)?;
        // The copy is made once each time that the array is.
        let around: Vec<OperationRef> = match here == copy {
            true => vec![],
            false => ancestors(copy)
                .take_while(|&op| op != here)
                .chain([here])
                .collect(),
        };
        if let Some(&op) = around.iter().find(|&&op| !runs_once(op)) {
            return Err(Refusal::Sometimes(op_name(op).to_owned()));
        }
        let (mut first, mut last) = (here, here);
        for (user, _) in uses(source) {
            let user = in_block(user).ok_or_else(nowhere)?;
            if op_name(user) == "memref.dim" {
                continue;
            }
            if stands_before(user, first) {
                first = user;
            }
            if stands_before(last, user) {
                last = user;
            }
        }
        let until = |first: OperationRef<'c, 'a>, end: OperationRef<'c, 'a>| {
            in_block_from(Some(first)).take_while(move |&op| op != end)
        };
        let mut before: Vec<OperationRef> = until(first, here).collect();
        let mut after = vec![];
        let mut inner = copy;
        let mut inside = vec![];
        for op in around {
            if let Some(first) = first_op(op) {
                inside.push(until(first, inner).collect::<Vec<_>>());
            }
            after.extend(in_block_from(inner.next_in_block()));
            inner = op;
        }
        before.extend(inside.into_iter().rev().flatten());
        if last != here {
            after.extend(until(here, last).skip(1));
            after.push(last);
        }
        Ok(Self {
            first,
            before,
            after,
        })
    }
}

/// Whether what is in an op runs once, each time that the op does.
fn runs_once(op: OperationRef) -> bool {
    match op_name(op) {
        "nest.kernel" => true,
        "nest.loop" => length_of(op) == Some(1),
        _ => false,
    }
}

/// The first op in another one.
fn first_op<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let first = first_block(op)?.first_operation()?;
    // SAFETY: what is in a live op is alive as long.
    Some(unsafe { OperationRef::from_raw(first.to_raw()) })
}

/// Where the array is to be.
struct Place<'c, 'a> {
    /// The memory that it is a part of.
    memory: Value<'c, 'a>,
    /// Its layout in that.
    layout: Layout,
    /// All its elements.
    all: Elements,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    fn of(candidate: &Candidate<'c, 'a>, numbers: &mut Numbers<'c, 'a>) -> Result<Self, Refusal> {
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

/// What the numbers of a layout depend on.
fn leaves<'c: 'a, 'a>(layout: &Layout, numbers: &Numbers<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let components = match layout {
        Layout::Index(components) => components.as_slice(),
        Layout::Place(place) => std::slice::from_ref(place),
        Layout::Any => &[],
    };
    let all = components
        .iter()
        .flat_map(|component| component.strides.iter().chain([&component.offset]));
    let symbols = all.flat_map(Polynomial::symbols);
    symbols.map(|symbol| numbers.leaf(symbol).value()).collect()
}

/// How the part is used.
fn form(candidate: &Candidate) -> Result<Form, Refusal> {
    let views = candidate.views();
    let users = uses(candidate.source).into_iter().map(|(user, _)| user);
    let users: Vec<OperationRef> = users.filter(|user| !views.contains(user)).collect();
    for &user in &users {
        let is_user = TAKE_STRIDED.contains(&op_name(user)) || op_name(user).starts_with("linalg.");
        if !is_user {
            return Err(Refusal::Use(op_name(user).to_owned()));
        }
    }
    let is_indexed = |&user: &OperationRef| {
        let is_copy = op_key(user) == op_key(candidate.copy);
        is_copy || INDEXED.contains(&op_name(user))
    };
    match &candidate.layout {
        Layout::Index(_) if users.iter().all(is_indexed) => Ok(Form::Indices),
        Layout::Index(components)
            if are_in_order(components, candidate.source)
                && begins_inside(candidate.dest, components) =>
        {
            Ok(Form::View)
        }
        Layout::Place(_) if is_filled_by_rows(candidate.dest) => Ok(Form::View),
        _ => Err(Refusal::NoView),
    }
}

/// Whether components are those of a `memref.subview`: each goes along one dimension of the part at
/// most, and all do so in order. A view adds no dimensions.
fn are_in_order(components: &[Component], part: Value) -> bool {
    let mut next = 0;
    for component in components {
        let strides = component.strides.iter().enumerate();
        let mut moving = strides.filter(|(_, stride)| stride.as_constant() != Some(0));
        match (moving.next(), moving.next()) {
            (None, _) => {}
            (Some((dimension, stride)), None) => {
                let is_positive = stride.as_constant().is_none_or(|stride| stride > 0);
                if dimension != next || !is_positive {
                    return false;
                }
                next += 1;
            }
            _ => return false,
        }
    }
    cast::<MemRefType>(part.r#type()).is_some_and(|part| part.rank() == next)
}

/// Whether a part is not known to begin where there is nothing, as one without elements may, and as
/// MLIR does not allow.
fn begins_inside(dest: Value, components: &[Component]) -> bool {
    let Some(whole) = cast::<MemRefType>(dest.r#type()) else {
        return false;
    };
    let mut offsets = components.iter().enumerate();
    offsets.all(|(dimension, component)| {
        let offset = component.offset.as_constant();
        match (offset, whole.dim_size(dimension)) {
            (Some(offset), Ok(DimSize::Static(size))) => (0..i128::from(size)).contains(&offset),
            (Some(offset), _) => offset >= 0,
            (None, _) => true,
        }
    })
}

/// Judges ops that are executed while the array is needed.
struct Judge<'s, 'c, 'a> {
    candidate: &'s Candidate<'c, 'a>,
    numbers: &'s mut Numbers<'c, 'a>,
    aliases: &'s Aliases,
    place: Place<'c, 'a>,
    /// What writes to the array, and the op between that it is in.
    writes: Vec<(OperationRef<'c, 'a>, Access<'c, 'a>)>,
}

impl<'c: 'a, 'a> Judge<'_, 'c, 'a> {
    /// Makes sure that an op in front of the copy does not mind.
    fn before(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Refusal> {
        let all = accesses(op);
        let is_own = |access: &&Access<'c, 'a>| base(access.name) == self.candidate.source;
        let own: Vec<Access> = all.iter().filter(is_own).cloned().collect();
        let writes = own.into_iter().filter(Access::may_write);
        self.writes.extend(writes.map(|write| (op, write)));
        for access in all {
            let overlaps = self.overlaps(op, &access);
            if overlaps && !(access.kind == Kind::Read && self.is_read_before_written(op, &access))
            {
                let name = op_name(access.op).to_owned();
                return Err(Refusal::Overlap(name));
            }
        }
        Ok(())
    }

    /// Whether an op writes nothing to what the array is copied into.
    fn keeps_the_old(&self, op: OperationRef<'c, 'a>) -> bool {
        let dest = self.candidate.dest;
        let all = accesses(op).into_iter();
        let mut writes =
            all.filter(|access| access.may_write() && base(access.name) != self.candidate.source);
        !writes.any(|write| self.aliases.may_be_same(write.name, dest))
    }

    /// The same behind the copy.
    fn after(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Refusal> {
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
