//! Copies of whole arrays into parts of others.
//!
//! A copy is a `memref.copy`, or loops of a kernel that read an array, element by element, and write
//! what they read.
//!
//! Cost: linear in the ops of the copy.

use comb_lmad::{Polynomial, Symbol};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    cast::{Parts, cast},
    view::{OpView, argument_of, definition, op_name, uses},
};

use super::aliases::is_allocated;
use comb_fuse::fuse::effects::has_effects;
use comb_kit::{
    checks::facts::constant,
    views::is_view,
    walk::{ancestors, operations},
};
use comb_nest::{
    elements::{
        layouts::{Component, Element, Layout, is_filled_by_rows, layout, shape_of},
        numbers::Numbers,
    },
    nests::{Nest, length_of},
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

impl<'c: 'a, 'a> Candidate<'c, 'a> {
    /// The views of the array that only its copy uses.
    pub fn views(&self) -> Vec<OperationRef<'c, 'a>> {
        let views = uses(self.source).into_iter().map(|(user, _)| user);
        views
            .filter(|&user| is_view(user) && self.is_only_copied(user))
            .collect()
    }

    /// Whether nobody but the copy uses what an op gives, but for its sizes.
    fn is_only_copied(&self, view: OperationRef<'c, 'a>) -> bool {
        let Some(name) = view.result_at(0) else {
            return false;
        };
        uses(name.into()).into_iter().all(|(user, _)| {
            let mut around = std::iter::once(user).chain(ancestors(user));
            around.any(|op| op == self.copy) || size_of_view(user).is_some()
        })
    }
}

/// The size of a view that an op asks for, if it is given where the view is made.
pub(super) fn size_of_view<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let dimension = constant(op.operand_at(1).filter(|_| op_name(op) == "memref.dim")?)?;
    let view = definition(op.operand_at(0)?).filter(|&view| op_name(view) == "memref.reshape")?;
    let sizes = shape_of(view)?;
    sizes.get(usize::try_from(dimension).ok()?).copied()
}

/// The copy that an op is, or is the write of.
pub(super) fn candidate<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<Candidate<'c, 'a>> {
    match op_name(op) {
        "memref.copy" => {
            let (source, dest) = (op.operand_at(0)?, op.operand_at(1)?);
            let rank = cast::<MemRefType>(dest.r#type())?.rank();
            is_allocated(source).then(|| Candidate {
                copy: op,
                source,
                dest,
                layout: Layout::of_all(rank),
                is_injective: true,
            })
        }
        "nest.write" | "memref.store" => by_elements(numbers, op, 1, 2),
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
    let is_read = |op: &OperationRef| matches!(op_name(*op), "nest.read" | "memref.load");
    let read = definition(write.operand_at(0)?).filter(is_read)?;
    let (name, dest) = (read.operand_at(0)?, write.operand_at(dest)?);
    let (source, around) = layout(numbers, name);
    if !is_allocated(source) || read.block() != write.block() || source == dest {
        return None;
    }
    let own: Vec<Value> = read.operands().skip(1).collect();
    let own = own.iter().map(|&value| Some(in_loops(numbers, value)));
    let element = around.at(&own.collect::<Vec<_>>());
    let (copy, axes) = only_copies(numbers, source, [read, write], &element)?;
    let place: Vec<Value> = write.operands().skip(index).collect();
    let layout = layout_of(numbers, copy, dest, &place, &axes)?;
    Some(Candidate {
        copy,
        source,
        dest,
        layout,
        is_injective: op_name(write) != "nest.scatter",
    })
}

/// The copy that an op is, or is the write of, as one that fills all of another array: what it fills is the
/// source here, and what that is filled from the destination.
pub(super) fn filling<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<Candidate<'c, 'a>> {
    match op_name(op) {
        "memref.copy" => {
            let (from, filled) = (op.operand_at(0)?, op.operand_at(1)?);
            let rank = cast::<MemRefType>(from.r#type())?.rank();
            is_allocated(filled).then(|| Candidate {
                copy: op,
                source: filled,
                dest: from,
                layout: Layout::of_all(rank),
                is_injective: true,
            })
        }
        "nest.write" => {
            let read = definition(op.operand_at(0)?).filter(|&op| op_name(op) == "nest.read")?;
            let (from, filled) = (read.operand_at(0)?, op.operand_at(1)?);
            if !is_allocated(filled) || read.block() != op.block() || from == filled {
                return None;
            }
            let index = op.operands().skip(2).collect::<Vec<Value>>();
            let index = index.iter().map(|&value| Some(in_loops(numbers, value)));
            let element = Element::Index(index.collect());
            let (copy, axes) = only_copies(numbers, filled, [read, op], &element)?;
            let place: Vec<Value> = read.operands().skip(1).collect();
            Some(Candidate {
                copy,
                source: filled,
                dest: from,
                layout: layout_of(numbers, copy, from, &place, &axes)?,
                is_injective: true,
            })
        }
        _ => None,
    }
}

/// The loops around a read and its write, if they go over all elements of an array, one of which is given, and do
/// nothing else; and that of each dimension.
fn only_copies<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    array: Value<'c, 'a>,
    [read, write]: [OperationRef<'c, 'a>; 2],
    element: &Element,
) -> Option<(OperationRef<'c, 'a>, Vec<Option<Axis>>)> {
    let (loops, axes) = loops_of(numbers, array, write, element)?;
    let copy = loops.last().map_or(write, |nest| nest.op);
    let is_other = |op: &OperationRef<'c, 'a>| {
        let op = *op;
        op != read
            && op != write
            && !matches!(op_name(op), "nest.loop" | "nest.yield")
            && (has_effects(op) || op.regions().next().is_some())
    };
    let does_more = operations(copy).iter().any(is_other);
    (!does_more).then_some((copy, axes))
}

/// A number, where the index of a loop that runs once is 0.
fn in_loops<'c: 'a, 'a>(numbers: &mut Numbers<'c, 'a>, value: Value<'c, 'a>) -> Polynomial {
    let number = numbers.of(value);
    let is_single = |&symbol: &Symbol| {
        let of_loop = argument_of(numbers.leaf(symbol).value());
        let of_loop = of_loop.filter(|&(op, number)| op_name(op) == "nest.loop" && number == 0);
        of_loop.is_some_and(|(op, _)| length_of(op) == Some(1))
    };
    let single: Vec<Symbol> = number.symbols().filter(is_single).collect();
    let replaced = single
        .into_iter()
        .try_fold(number.clone(), |number, symbol| {
            number.checked_replace(symbol, &0.into())
        });
    replaced.unwrap_or(number)
}

/// How a loop goes along a dimension of an array.
#[derive(Clone)]
struct Axis {
    index: Symbol,
    /// The size of the dimension, if it goes backwards.
    backwards: Option<Polynomial>,
}

/// The loops around a write that go over all elements of an array, the innermost first, in whatever order; and that
/// of each dimension that has more than one element.
fn loops_of<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    source: Value<'c, 'a>,
    write: OperationRef<'c, 'a>,
    element: &Element,
) -> Option<(Vec<Nest<'c, 'a>>, Vec<Option<Axis>>)> {
    let rank = cast::<MemRefType>(source.r#type())?.rank();
    let sizes: Vec<Polynomial> = (0..rank).map(|axis| numbers.size(source, axis)).collect();
    let mut rest = Rest::of(element, &sizes)?;
    let mut axes = vec![None; rank];
    let is_open = |axes: &[Option<Axis>]| {
        let mut dimensions = axes.iter().zip(&sizes);
        dimensions.any(|(axis, size)| axis.is_none() && size.as_constant() != Some(1))
    };
    let mut loops = vec![];
    for op in ancestors(write) {
        if !is_open(&axes) {
            break;
        }
        if op_name(op) != "nest.loop" || op.result_count() > 0 {
            return None;
        }
        let nest = Nest::of(op);
        let (count, index) = (numbers.of(nest.length()?), nest.index()?);
        loops.push(nest);
        if count.as_constant() == Some(1) {
            continue;
        }
        let index = numbers.index(index);
        let open: Vec<usize> = (0..rank)
            .filter(|&axis| axes[axis].is_none() && sizes[axis] == count)
            .collect();
        let (dimension, is_backwards) = rest.take(index, &open)?;
        let backwards = is_backwards.then(|| sizes[dimension].clone());
        axes[dimension] = Some(Axis { index, backwards });
    }
    let is_done = !is_open(&axes) && rest.is_start(&axes, &sizes);
    is_done.then_some((loops, axes))
}

/// What is read in terms of the indices of loops that are not yet known to go along a dimension.
struct Rest {
    /// A number for each dimension, or a place in memory.
    numbers: Vec<Polynomial>,
    /// What each dimension is multiplied by in a place.
    pitches: Option<Vec<Polynomial>>,
}

impl Rest {
    fn of(element: &Element, sizes: &[Polynomial]) -> Option<Self> {
        Some(match element {
            Element::Index(index) => Self {
                numbers: index.iter().cloned().collect::<Option<_>>()?,
                pitches: None,
            },
            Element::Place(place) => {
                let (mut pitch, mut pitches) = (Polynomial::from(1), vec![]);
                for size in sizes.iter().rev() {
                    pitches.push(pitch.clone());
                    pitch = pitch.checked_mul(size)?;
                }
                pitches.reverse();
                Self {
                    numbers: vec![place.clone()?],
                    pitches: Some(pitches),
                }
            }
            Element::Any => return None,
        })
    }

    /// The dimension, of some, along which a loop goes with its index, one element after the other; and whether it
    /// does so backwards.
    fn take(&mut self, index: Symbol, open: &[usize]) -> Option<(usize, bool)> {
        let minus = |number: &Polynomial| Polynomial::default().checked_sub(number);
        let mut found = None;
        for (position, number) in self.numbers.iter_mut().enumerate() {
            let (stride, rest) = number.split(index)?;
            if stride.as_constant() == Some(0) {
                continue;
            }
            let is_along = |&axis: &usize| match &self.pitches {
                Some(pitches) => {
                    stride == pitches[axis] || minus(&stride) == Some(pitches[axis].clone())
                }
                None => axis == position && matches!(stride.as_constant(), Some(1 | -1)),
            };
            let axis = open.iter().copied().find(is_along)?;
            let is_forwards = match &self.pitches {
                Some(pitches) => stride == pitches[axis],
                None => stride.as_constant() == Some(1),
            };
            if found.replace((axis, !is_forwards)).is_some() {
                return None;
            }
            *number = rest;
        }
        found
    }

    /// Whether what is left is where loops begin: at the first element of each dimension, or at the last one.
    fn is_start(&self, axes: &[Option<Axis>], sizes: &[Polynomial]) -> bool {
        let first = |dimension: usize| {
            let axis = axes[dimension].as_ref();
            match axis.is_some_and(|axis| axis.backwards.is_some()) {
                true => sizes[dimension].checked_sub(&1.into()),
                false => Some(0.into()),
            }
        };
        let start: Option<Vec<Polynomial>> = (0..axes.len()).map(first).collect();
        let Some(start) = start else {
            return false;
        };
        match &self.pitches {
            None => self.numbers == start,
            Some(pitches) => {
                let mut terms = start.iter().zip(pitches);
                let sum = terms.try_fold(Polynomial::default(), |sum, (start, pitch)| {
                    sum.checked_add(&start.checked_mul(pitch)?)
                });
                sum.as_ref() == self.numbers.first()
            }
        }
    }
}

/// Where elements go, in terms of their index.
fn layout_of<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    copy: OperationRef<'c, 'a>,
    dest: Value<'c, 'a>,
    place: &[Value<'c, 'a>],
    axes: &[Option<Axis>],
) -> Option<Layout> {
    let components = place.iter().map(|&component| {
        let number = in_loops(numbers, component);
        linear(numbers, copy, &number, axes)
    });
    if let Some(components) = components.collect::<Option<Vec<_>>>() {
        return Some(Layout::Index(components));
    }
    let flat = flattened(numbers, dest, place)?;
    Some(Layout::Place(linear(numbers, copy, &flat, axes)?))
}

/// A number that is computed in a copy, as linear in the index of what is copied.
fn linear<'c: 'a, 'a>(
    numbers: &Numbers<'c, 'a>,
    copy: OperationRef<'c, 'a>,
    number: &Polynomial,
    axes: &[Option<Axis>],
) -> Option<Component> {
    let (mut offset, mut strides) = (number.clone(), vec![]);
    for axis in axes {
        let Some(axis) = axis else {
            strides.push(0.into());
            continue;
        };
        let (stride, rest) = offset.split(axis.index)?;
        offset = rest;
        strides.push(match &axis.backwards {
            None => stride,
            Some(size) => {
                let last = size.checked_sub(&1.into())?;
                offset = offset.checked_add(&stride.checked_mul(&last)?)?;
                Polynomial::default().checked_sub(&stride)?
            }
        });
    }
    let component = Component { offset, strides };
    let all = component.strides.iter().chain([&component.offset]);
    let is_known = all.flat_map(Polynomial::symbols).all(|symbol| {
        let value = numbers.leaf(symbol).value();
        let owner = definition(value).or_else(|| argument_of(value).map(|(op, _)| op));
        owner.is_none_or(|owner| owner != copy && !ancestors(owner).any(|op| op == copy))
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
    let flat = numbers.of(flat.operand_at(0)?);
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
            _ => definition(next)?.operand_at(0)?,
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
    Some([numbers.of(op.operand_at(0)?), numbers.of(op.operand_at(1)?)])
}
