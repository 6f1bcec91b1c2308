//! Reading memory at any positions in all lanes.
//!
//! A position that was computed from the index of the iteration alone, such as
//! `(i + k) mod n`, is nearly always one of neighbours: whether it is, is asked when
//! the program runs. Where it goes up by at most one from lane to lane, the first and
//! the last lane tell ([`ends`](super::ends)); elsewhere all lanes are asked, register by
//! register.

use comb_machine::tuning::VECTOR_BITS;
use melior::ir::{Type, Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    cast::Parts,
    view::{definition, op_name, vector_element},
};

use super::{
    Emitted, Lanes, Scope,
    ends::Ends,
    gathers_by_lane::Run,
    memory::{compare, element_type, load_vector},
    stepping,
};
use comb_kit::{
    element_types::{bits, bits_in_memory},
    transformations::Transformation,
    vectors::{joined, zero},
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Memory whose elements are on one line, in the order of their index.
pub struct Line<'c, 'a> {
    /// The array in memory.
    pub memory: Value<'c, 'a>,
    /// The sizes of the array that says how far elements are apart, one for each dimension.
    pub pitches: Vec<Size<'c, 'a>>,
}

/// Whether a transformation is applied. To be asked when all else speaks for it.
pub type Applies<'s> = dyn Fn(Transformation) -> bool + 's;

/// The elements in memory at an index that differs from lane to lane.
pub fn gather<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    line: &Line<'c, 'a>,
    index: &[Lanes<'c, 'a>],
    applies: &Applies,
) -> Emitted<'c, Lanes<'c, 'a>> {
    let lanes = linear(builder, scope, line, index)?;
    let offsets = scope.whole(builder, lanes)?;
    let value = match lanes {
        Lanes::Vector {
            ends: Some(ends), ..
        } if applies(Transformation::GuidedReads) => {
            read_between(builder, scope, line, (offsets, ends), applies)?
        }
        _ if lanes.is_guided() && applies(Transformation::GuidedReads) => {
            guided_read(builder, scope, line, offsets, applies)?
        }
        _ => gathered(builder, scope, line, offsets, applies)?,
    };
    Ok(scope.lanes(value, false))
}

/// Elements at offsets whose first and last lane tell whether they are neighbours.
fn read_between<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    line: &Line<'c, 'a>,
    (offsets, ends): (Value<'c, 'a>, Ends<'c, 'a>),
    applies: &Applies,
) -> Emitted<'c, Value<'c, 'a>> {
    let element = element_type(line.memory)?;
    let neighbours = ends.neighbours(builder, scope)?;
    read_if_neighbours(builder, scope, line, neighbours, |builder| {
        match scope.width > registers_lanes(element) {
            true => guided_read(builder, scope, line, offsets, applies),
            false => gathered(builder, scope, line, offsets, applies),
        }
    })
}

/// Elements that are next to each other if a condition holds, from the first offset on; else as
/// other code reads them.
fn read_if_neighbours<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    line: &Line<'c, 'a>,
    (are_neighbours, first): (Value<'c, 'a>, Value<'c, 'a>),
    other: impl FnOnce(&Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>,
) -> Emitted<'c, Value<'c, 'a>> {
    let element = element_type(line.memory)?;
    let value = builder.if_else(
        are_neighbours,
        &[scope.r#type(builder, element)],
        |builder| {
            let index = unravelled(builder, line, first)?;
            Ok(vec![load_vector(builder, scope, line.memory, &index)?])
        },
        |builder| Emitted::Ok(vec![other(builder)?]),
    )?;
    Ok(value[0])
}

/// Elements at any offsets.
fn gathered<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    line: &Line<'c, 'a>,
    offsets: Value<'c, 'a>,
    applies: &Applies,
) -> Emitted<'c, Value<'c, 'a>> {
    let run = Run::of(builder, scope, line, offsets)?;
    if let Some(run) = run.filter(|_| applies(Transformation::GathersByLane)) {
        return run.gathered(builder, scope, line);
    }
    let element = element_type(line.memory)?;
    let origin = vec![builder.index(0)?; line.pitches.len()];
    let offsets = before_widening(offsets).map_or(offsets, |(narrow, _)| narrow);
    let mask = scope.mask_value(builder)?;
    let other = scope.whole(builder, Lanes::Uniform(zero(builder, element)?))?;
    let operands = [&[line.memory], origin.as_slice(), &[offsets, mask, other]].concat();
    let r#type = scope.r#type(builder, element);
    Ok(builder.value("vector.gather", &operands, r#type, &[])?)
}

/// The vector of narrower numbers that a vector of indices was made of, and the type
/// of these numbers. CPUs compare and gather twice as many indices of 32 bits at once
/// as of 64.
pub fn before_widening<'c: 'a, 'a>(indices: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Type<'c>)> {
    let cast = definition(indices).filter(|&op| op_name(op) == "arith.index_cast")?;
    let narrow = cast.operand_at(0)?;
    let number = vector_element(narrow.r#type()).filter(|&number| bits(number) < 64)?;
    Some((narrow, number))
}

/// Elements at offsets that may be neighbours: each part that fits a register is
/// asked for itself.
fn guided_read<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    line: &Line<'c, 'a>,
    offsets: Value<'c, 'a>,
    applies: &Applies,
) -> Emitted<'c, Value<'c, 'a>> {
    let element = element_type(line.memory)?;
    if scope.width > registers_lanes(element) {
        let half = scope.width as i64 / 2;
        let read_half = |first: i64| {
            let lanes: Vec<i64> = (first..first + half).collect();
            let index = builder.index_type();
            let offsets = builder.shuffle(offsets, offsets, &lanes, index)?;
            let mask = match scope.mask {
                Some(mask) => {
                    let truth = builder.integer_type(1);
                    Some(builder.shuffle(mask, mask, &lanes, truth)?)
                }
                None => None,
            };
            let width = half as u64;
            guided_read(builder, &Scope { width, mask }, line, offsets, applies)
        };
        let (low, high) = (read_half(0)?, read_half(half)?);
        return Ok(joined(builder, low, high, element)?);
    }
    let first = builder.lane(offsets, 0, builder.index_type())?;
    let neighbours = scope.whole(builder, Lanes::Steps { first, step: 1 })?;
    let are_neighbours = compare(builder, scope, Predicate::Eq, offsets, neighbours)?;
    let are_neighbours = builder.all_lanes(are_neighbours)?;
    let neighbours = (are_neighbours, first);
    read_if_neighbours(builder, scope, line, neighbours, |builder| {
        gathered(builder, scope, line, offsets, applies)
    })
}

/// How many elements fit the widest registers.
fn registers_lanes(element: Type) -> u64 {
    VECTOR_BITS / bits_in_memory(element)
}

/// Where an index is in memory, in elements from its start.
pub fn linear<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    line: &Line<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Emitted<'c, Lanes<'c, 'a>> {
    let mut sum: Option<Lanes> = None;
    for (&component, &size) in index.iter().zip(&line.pitches) {
        let scaled = match sum {
            None => None,
            Some(sum) => {
                let size = Lanes::Uniform(builder.size_value(size)?);
                Some(combine(builder, scope, "arith.muli", sum, size)?)
            }
        };
        sum = Some(match scaled {
            None => component,
            Some(scaled) => combine(builder, scope, "arith.addi", scaled, component)?,
        });
    }
    match sum {
        Some(sum) => Ok(sum),
        None => Ok(Lanes::Uniform(builder.index(0)?)),
    }
}

/// Arithmetic on indices in all lanes.
pub fn combine<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    name: &str,
    left: Lanes<'c, 'a>,
    right: Lanes<'c, 'a>,
) -> Emitted<'c, Lanes<'c, 'a>> {
    if let (Some(left), Some(right)) = (left.uniform(), right.uniform()) {
        return Ok(Lanes::Uniform(builder.arithmetic(name, &[left, right])?));
    }
    if let Some(steps) = stepping(builder, name, &[left, right])? {
        return Ok(steps);
    }
    let operands = [scope.whole(builder, left)?, scope.whole(builder, right)?];
    let value = builder.arithmetic(name, &operands)?;
    let guided = left.is_guided() && right.is_guided();
    let ends = match guided {
        true => Ends::of_arithmetic(builder, scope, name, &[left, right])?,
        false => None,
    };
    Ok(scope.lanes(value, guided).with_ends(ends))
}

/// The index of the element at an offset.
pub fn unravelled<'c, 'a>(
    builder: &Builder<'c, 'a>,
    line: &Line<'c, 'a>,
    offset: Value<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    // The other components are zero: only the address matters.
    let mut index = vec![builder.index(0)?; line.pitches.len() - 1];
    index.push(offset);
    Ok(index)
}
