//! Computes an array where it goes: what uses it uses a part of another one, and the copy goes.
//!
//! Cost: linear in the number of uses of the array.

use comb_lmad::Polynomial;
use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use nest_dialect::builder::NestBuilder;
use soac_dialect::{
    builder::{Builder, Size, Slice},
    view::{DYNAMIC, definition, op_name, strides_and_offset, uses},
};

use super::{
    assumed,
    candidates::{Candidate, size_of_view},
    decide::{Form, Plan},
};
use comb_kit::{
    memory_parts::{Known, known, part_type},
    pass_error::PassError,
    walk::{ancestors, is_there_before},
};
use comb_nest::elements::{
    layouts::{Component, Layout},
    numbers::Numbers,
};

type Placed<'c, T> = Result<T, PassError<'c>>;

/// Does what was decided.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn place<'c: 'a, 'a>(
    candidate: &Candidate<'c, 'a>,
    plan: &Plan<'c, 'a>,
    numbers: &Numbers<'c, 'a>,
) -> Placed<'c, ()> {
    let Some(front) = Builder::before(plan.first) else {
        return Ok(());
    };
    for &op in &plan.ahead {
        front.move_here(op);
    }
    if !plan.small.is_empty() {
        let is_known = |value| is_there_before(value, plan.first);
        assumed::check(&front, numbers, &plan.small, &is_known)?;
    }
    let mut candidate = candidate.clone();
    if let Some(border) = &plan.border {
        let part = sizes_of(candidate.source)?;
        candidate.dest = border.copied(&front, &candidate, &part)?;
    }
    let candidate = &candidate;
    let around = ancestors(candidate.copy).next();
    let is_whole = is_all(candidate);
    let views = candidate.views();
    front.erase(candidate.copy);
    for view in views {
        for (user, _) in uses(view.result(0)?.into()) {
            if let Some(size) = size_of_view(user) {
                front.replace(user, &[size]);
            }
        }
        front.erase(view);
    }
    match (plan.form, &candidate.layout) {
        (Form::Indices, Layout::Index(components)) => {
            let components = components
                .iter()
                .map(|component| computed(&front, numbers, component));
            let components = components.collect::<Placed<Vec<_>>>()?;
            for (user, _) in uses(candidate.source) {
                by_index(user, candidate, &components)?;
            }
        }
        _ => {
            for (user, _) in uses(candidate.source) {
                if let Some(builder) = Builder::before(user)
                    && op_name(user) == "memref.dim"
                {
                    replace_size(&builder, user, candidate.source)?;
                }
            }
            let view = match is_whole {
                true => candidate.dest,
                false => view(&front, candidate, numbers)?,
            };
            front.replace_uses(candidate.source, view, None);
        }
    }
    erase_array(&front, candidate.source, around);
    Ok(())
}

/// Erases an array that nobody uses any more, and the kernel that its copy was in, if that does nothing else.
fn erase_array<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    around: Option<OperationRef<'c, 'a>>,
) {
    if let Some(allocation) = definition(array) {
        front.erase(allocation);
    }
    if let Some(kernel) = around.filter(|&op| op_name(op) == "nest.kernel")
        && is_empty(kernel)
    {
        front.erase(kernel);
    }
}

/// Whether nothing but numbers is computed in a kernel without results.
fn is_empty(kernel: OperationRef) -> bool {
    let inside = comb_kit::walk::operations(kernel);
    inside.into_iter().all(|op| {
        op_name(op) == "nest.yield"
            || op.regions().next().is_none() && !comb_fuse::fuse::effects::has_effects(op)
    })
}

/// A component, with the numbers in it computed.
struct Computed<'c, 'a> {
    offset: Size<'c, 'a>,
    strides: Vec<Size<'c, 'a>>,
}

fn computed<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    numbers: &Numbers<'c, 'a>,
    component: &Component,
) -> Placed<'c, Computed<'c, 'a>> {
    let number = |number: &Polynomial| numbers.emit(front, number);
    Ok(Computed {
        offset: number(&component.offset)?,
        strides: component
            .strides
            .iter()
            .map(number)
            .collect::<Placed<_>>()?,
    })
}

/// What uses an element uses that at its index in the whole.
fn by_index<'c: 'a, 'a>(
    user: OperationRef<'c, 'a>,
    candidate: &Candidate<'c, 'a>,
    components: &[Computed<'c, 'a>],
) -> Placed<'c, ()> {
    let &Candidate { source, dest, .. } = candidate;
    let Some(builder) = Builder::before(user) else {
        return Ok(());
    };
    let operands: Vec<Value> = user.operands().collect();
    let index = |first: usize| in_whole(&builder, components, &operands[first..]);
    match op_name(user) {
        "nest.read" => {
            let element = builder.read(dest, &index(1)?)?;
            builder.replace(user, &[element]);
        }
        "memref.load" => {
            let element = builder.load(dest, &index(1)?)?;
            builder.replace(user, &[element]);
        }
        "nest.write" => {
            builder.write(operands[0], dest, &index(2)?)?;
            builder.replace(user, &[]);
        }
        "memref.store" => {
            builder.store(operands[0], dest, &index(2)?)?;
            builder.replace(user, &[]);
        }
        _ => replace_size(&builder, user, source)?,
    }
    Ok(())
}

/// What reads an array reads what that is filled from; the array and its filling go.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn read_there<'c: 'a, 'a>(
    filling: &Candidate<'c, 'a>,
    readers: &[OperationRef<'c, 'a>],
    numbers: &Numbers<'c, 'a>,
) -> Placed<'c, ()> {
    let Layout::Index(components) = &filling.layout else {
        return Ok(());
    };
    let Some(front) = Builder::before(filling.copy) else {
        return Ok(());
    };
    for &reader in readers {
        let Some(builder) = Builder::before(reader) else {
            continue;
        };
        let components = components
            .iter()
            .map(|component| computed(&builder, numbers, component));
        by_index(reader, filling, &components.collect::<Placed<Vec<_>>>()?)?;
    }
    let around = ancestors(filling.copy).next();
    for (user, _) in uses(filling.source) {
        if op_name(user) == "memref.dim" {
            by_index(user, filling, &[])?;
        }
    }
    front.erase(filling.copy);
    erase_array(&front, filling.source, around);
    Ok(())
}

/// The index in the whole of an element of the part.
fn in_whole<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    components: &[Computed<'c, 'a>],
    index: &[Value<'c, 'a>],
) -> Placed<'c, Vec<Value<'c, 'a>>> {
    let whole = components.iter().map(|component| {
        let mut sum = component.offset;
        for (&stride, &own) in component.strides.iter().zip(index) {
            if stride != Size::Static(0) {
                let term = builder.product([stride, Size::Dynamic(own)])?;
                sum = builder.sum([sum, term])?;
            }
        }
        Ok(builder.size_value(sum)?)
    });
    whole.collect()
}

/// How large the array was, where an op asks for that.
fn replace_size<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
) -> Placed<'c, ()> {
    let dimension = op.operand(1)?;
    let dimension = comb_kit::checks::facts::constant(dimension).unwrap_or(0);
    let sizes = sizes_of(source)?;
    let size = usize::try_from(dimension)
        .ok()
        .and_then(|dimension| sizes.get(dimension).copied());
    let size = builder.size_value(size.unwrap_or(Size::Static(0)))?;
    builder.replace(op, &[size]);
    Ok(())
}

/// How large an allocation is.
fn sizes_of<'c: 'a, 'a>(source: Value<'c, 'a>) -> Placed<'c, Vec<Size<'c, 'a>>> {
    let r#type = MemRefType::try_from(source.r#type())?;
    let mut dynamic = definition(source).into_iter().flat_map(|op| {
        let operands: Vec<Value> = op.operands().collect();
        operands
    });
    (0..r#type.rank())
        .map(|dimension| {
            Ok(match r#type.dim_size(dimension)? {
                melior::ir::r#type::DimSize::Static(size) => Size::Static(size as i64),
                melior::ir::r#type::DimSize::Dynamic => {
                    Size::Dynamic(dynamic.next().ok_or(melior::Error::OperationBuild)?)
                }
            })
        })
        .collect()
}

/// The part, as a view.
fn view<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    candidate: &Candidate<'c, 'a>,
    numbers: &Numbers<'c, 'a>,
) -> Placed<'c, Value<'c, 'a>> {
    let &Candidate { source, dest, .. } = candidate;
    let sizes = sizes_of(source)?;
    match &candidate.layout {
        Layout::Place(place) => {
            let Computed { offset, strides } = computed(front, numbers, place)?;
            let element = MemRefType::try_from(source.r#type())?.element();
            let distances: Vec<Option<i64>> = strides.iter().map(known).collect();
            let r#type = part_type(front, element, &sizes, &distances, known(&offset))?;
            let layout = Slice {
                offsets: vec![offset],
                sizes,
                strides,
            };
            Ok(front.memory_seen_as(dest, &layout, r#type)?)
        }
        Layout::Index(components) => {
            let components = components
                .iter()
                .map(|component| computed(front, numbers, component));
            part(
                front,
                dest,
                &sizes,
                &components.collect::<Placed<Vec<_>>>()?,
            )
        }
        Layout::Any => Ok(dest),
    }
}

/// Whether an array goes to all of another one of the same type.
fn is_all(candidate: &Candidate) -> bool {
    let Layout::Index(components) = &candidate.layout else {
        return false;
    };
    let is_own =
        |(dimension, component): (usize, &Component)| {
            component.offset.as_constant() == Some(0)
                && component.strides.iter().enumerate().all(|(other, stride)| {
                    stride.as_constant() == Some(i128::from(other == dimension))
                })
        };
    op_name(candidate.copy) == "memref.copy" && components.iter().enumerate().all(is_own)
}

/// A product, as MLIR knows it.
fn times(one: Known, other: Known) -> Known {
    match (one, other) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        (one, other) => one?.checked_mul(other?),
    }
}

/// A `memref.subview`.
fn part<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    components: &[Computed<'c, 'a>],
) -> Placed<'c, Value<'c, 'a>> {
    let mut slice = Slice::contiguous(vec![], vec![]);
    let (around, start) =
        strides_and_offset(memory.r#type()).ok_or(melior::Error::OperationBuild)?;
    let of_type = |number: i64| (number != DYNAMIC).then_some(number);
    let mut start = of_type(start);
    let around = around.into_iter().map(of_type);
    let mut distances = vec![];
    for (component, around) in components.iter().zip(around) {
        slice.offsets.push(component.offset);
        let skipped = times(known(&component.offset), around);
        start = start
            .zip(skipped)
            .and_then(|(start, skipped)| start.checked_add(skipped));
        let strides = component.strides.iter().enumerate();
        let mut moving = strides.filter(|(_, stride)| **stride != Size::Static(0));
        let (size, stride) = match moving.next_back() {
            Some((dimension, &stride)) => {
                distances.push(times(around, known(&stride)));
                (sizes[dimension], stride)
            }
            None => (Size::Static(1), Size::Static(1)),
        };
        slice.sizes.push(size);
        slice.strides.push(stride);
    }
    let element = MemRefType::try_from(memory.r#type())?.element();
    let r#type: Type = part_type(front, element, sizes, &distances, start)?;
    Ok(front.part_of_memory(memory, &slice, r#type)?)
}
