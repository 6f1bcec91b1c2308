//! Copies of whole arrays into parts of others.
//!
//! A copy is a `memref.copy`, or loops of a kernel that read an array, element by element, and write
//! what they read.
//!
//! Cost: linear in the ops of the copy.

use comb_lmad::Polynomial;
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::view::{OpView, definition, op_name};

use super::aliases::is_allocated;
use crate::{
    checks::facts::{constant, key},
    elements::{
        layouts::{Component, Layout, is_filled_by_rows},
        numbers::Numbers,
    },
    fuse::effects::has_effects,
    nest_schedule::nests::Nest,
    walk::{ancestors, operations},
};

/// A copy of an array.
#[derive(Clone)]
pub(super) struct Candidate<'c, 'a> {
    /// The op that copies, with all that is in it.
    pub copy: OperationRef<'c, 'a>,
    /// The array.
    pub source: Value<'c, 'a>,
    /// What it is copied into.
    pub dest: Value<'c, 'a>,
    /// Where its elements go in that.
    pub layout: Layout,
    /// Whether elements are known to go to different places.
    pub is_injective: bool,
}

/// The copy that an op is, or is the write of.
pub(super) fn candidate<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<Candidate<'c, 'a>> {
    match op_name(op) {
        "memref.copy" => {
            let (source, dest) = (op.operand(0).ok()?, op.operand(1).ok()?);
            let rank = MemRefType::try_from(dest.r#type()).ok()?.rank();
            is_allocated(source).then(|| Candidate {
                copy: op,
                source,
                dest,
                layout: Layout::of_all(rank),
                is_injective: true,
            })
        }
        "nest.write" => by_elements(numbers, op, 1, 2),
        "nest.scatter" => {
            let view = OpView::of(op);
            let is_plain = view.block().is_none() && view.group(1).len() == 1;
            is_plain.then(|| by_elements(numbers, op, 1, 2))?
        }
        _ => None,
    }
}

/// A copy by loops around a write.
fn by_elements<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    write: OperationRef<'c, 'a>,
    dest: usize,
    index: usize,
) -> Option<Candidate<'c, 'a>> {
    let read = definition(write.operand(0).ok()?).filter(|&op| op_name(op) == "nest.read")?;
    let (source, dest) = (read.operand(0).ok()?, write.operand(dest).ok()?);
    if !is_allocated(source) || read.block() != write.block() || source == dest {
        return None;
    }
    let own: Vec<Value> = read.operands().skip(1).collect();
    let loops = loops_of(numbers, source, write, &own)?;
    let copy = loops.last().map_or(write, |nest| nest.op);
    let is_other = |op: &OperationRef<'c, 'a>| {
        let op = *op;
        op != read
            && op != write
            && !matches!(op_name(op), "nest.loop" | "nest.yield")
            && (has_effects(op) || op.regions().next().is_some())
    };
    if operations(copy).iter().any(is_other) {
        return None;
    }
    let place: Vec<Value> = write.operands().skip(index).collect();
    let layout = layout_of(numbers, copy, dest, &place, &own)?;
    Some(Candidate {
        copy,
        source,
        dest,
        layout,
        is_injective: op_name(write) == "nest.write",
    })
}

/// The loops around a write that go over all elements of an array, the innermost first.
fn loops_of<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    source: Value<'c, 'a>,
    write: OperationRef<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Option<Vec<Nest<'c, 'a>>> {
    let r#type = MemRefType::try_from(source.r#type()).ok()?;
    let is_single = |dimension: usize| {
        let size = r#type.dim_size(dimension);
        size.is_ok_and(|size| size == DimSize::Static(1)) && constant(index[dimension]) == Some(0)
    };
    let count = (0..index.len()).filter(|&dimension| !is_single(dimension));
    let around = ancestors(write).take(count.count());
    let mut loops = vec![];
    for op in around.collect::<Vec<_>>() {
        if op_name(op) != "nest.loop" || op.result_count() > 0 {
            return None;
        }
        let nest = Nest::of(op);
        let dimension = index
            .iter()
            .position(|&component| Some(component) == nest.index())?;
        if numbers.of(nest.length()?) != numbers.size(source, dimension) {
            return None;
        }
        loops.push(nest);
    }
    Some(loops)
}

/// Where elements go whose index is given, in terms of it.
fn layout_of<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    copy: OperationRef<'c, 'a>,
    dest: Value<'c, 'a>,
    place: &[Value<'c, 'a>],
    index: &[Value<'c, 'a>],
) -> Option<Layout> {
    let components = place.iter().map(|&component| {
        let number = numbers.of(component);
        linear(numbers, copy, &number, index)
    });
    if let Some(components) = components.collect::<Option<Vec<_>>>() {
        return Some(Layout::Index(components));
    }
    let flat = flattened(numbers, dest, place)?;
    Some(Layout::Place(linear(numbers, copy, &flat, index)?))
}

/// A number that is computed in a copy, as linear in the index of what is copied.
fn linear<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    copy: OperationRef<'c, 'a>,
    number: &Polynomial,
    index: &[Value<'c, 'a>],
) -> Option<Component> {
    let (mut offset, mut strides) = (number.clone(), vec![]);
    for &component in index {
        let stride = match constant(component) {
            Some(_) => 0.into(),
            None => {
                let (stride, rest) = offset.split(numbers.index(component))?;
                offset = rest;
                stride
            }
        };
        strides.push(stride);
    }
    let component = Component { offset, strides };
    let all = component.strides.iter().chain([&component.offset]);
    let is_known = all.flat_map(Polynomial::symbols).all(|symbol| {
        let value = numbers.leaf(symbol).value();
        let around = definition(value).map(ancestors);
        let is_index = index.iter().any(|&other| key(other) == key(value));
        !is_index && !around.is_some_and(|mut around| around.any(|op| op == copy))
    });
    is_known.then_some(component)
}

/// The place in memory that is filled row by row whose index is given by remainders and quotients.
fn flattened<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    dest: Value<'c, 'a>,
    place: &[Value<'c, 'a>],
) -> Option<Polynomial> {
    let (&last, outer) = place.split_last()?;
    if outer.is_empty() || !is_filled_by_rows(dest) {
        return None;
    }
    let flat = definition(last).filter(|&op| op_name(op) == "arith.remui")?;
    let flat = numbers.of(flat.operand(0).ok()?);
    let mut rest = flat.clone();
    for (dimension, &component) in place.iter().enumerate().skip(1).rev() {
        let size = numbers.size(dest, dimension);
        let remainder = definition(component).filter(|&op| op_name(op) == "arith.remui")?;
        if operands_of(numbers, remainder)? != [rest.clone(), size.clone()] {
            return None;
        }
        let next = place[dimension - 1];
        let next = match dimension {
            1 => next,
            _ => definition(next)?.operand(0).ok()?,
        };
        let quotient = definition(next).filter(|&op| op_name(op) == "arith.divui")?;
        if operands_of(numbers, quotient)? != [rest, size] {
            return None;
        }
        rest = numbers.of(next);
    }
    Some(flat)
}

fn operands_of<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<[Polynomial; 2]> {
    Some([
        numbers.of(op.operand(0).ok()?),
        numbers.of(op.operand(1).ok()?),
    ])
}
