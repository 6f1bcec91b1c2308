//! Whether an array can be computed where it is copied to.
//!
//! A pure function of the program. Ops that stand between the first use of the array and its copy
//! must not use the elements that it is to have there, as a [judge](Judge) says: but what they read may be
//! other elements; or the iteration that reads an element is the one that writes it, later. If they do, the place may be in
//! a [new array](Border).

use std::collections::HashSet;

use comb_lmad::Polynomial;
use melior::ir::{
    OperationRef, Value, ValueLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    cast::cast,
    view::{definition, op_name, uses},
};

use super::{
    ahead::Between,
    aliases::Aliases,
    assumed::bound,
    borders::Border,
    candidates::Candidate,
    judge::{Judge, Place},
    life::Life,
    refusal::Refusal,
};
use comb_kit::walk::{ancestors, is_there_before, op_key};
use comb_nest::elements::{
    layouts::{Component, Layout, TAKE_STRIDED, is_filled_by_rows},
    numbers::Numbers,
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
        let needed = leaves(&filling.layout, numbers).into_iter();
        for value in needed.chain([filling.dest]) {
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
