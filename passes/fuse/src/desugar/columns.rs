//! `soac.concat` of narrow rows, such as columns, as a `map` that chooses.
//!
//! Joined along the last dimension, rows of a few elements would be stored one element at a time,
//! part after part. Instead each part is read as if it were as wide as the whole, and a `map`
//! chooses among them by the place in the row, which is known when code is made:
//!
//! 1. Of each part a `backpermute` gives arrays of the whole's shape: outside of the part's place
//!    in the row, it reads the element that is nearest.
//! 2. A `generate` says the place in the row of each element.
//! 3. A `map` compares that with the places where the parts end.
//!
//! The whole is then stored in order, with vectors whose lanes are shuffled, and fuses with what
//! reads it. Two columns take a third to a quarter of the time. Wider rows are copied faster as
//! they are.
//!
//! Cost: linear in the number of parts.

use comb_machine::tuning::columns::{LARGE, WIDE, WIDEST, WIDEST_OF_SMALL};
use melior::ir::{
    Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::builder::{Builder, Predicate, Size, Values};

use super::structured::{Rewritten, Shape, backpermute, kept_attributes, named, sizes_of};
use comb_kit::{
    element_types::{bits_in_memory, element},
    pass_error::PassError,
    switches::Switches,
    target::Target,
    transformations::Transformation,
};

/// A part of a row: from a place on, up to another.
#[derive(Clone, Copy)]
struct Part<'c, 'a> {
    array: Value<'c, 'a>,
    start: i64,
    end: i64,
}

/// Rewrites a concatenation, if it is one of narrow rows.
pub(super) fn concat<'c, 'a>(target: &Target<'c, 'a>, switches: &Switches) -> Rewritten<'c, 'a> {
    let applies = || switches.applies(Transformation::Columns, target.op.location());
    let Some(parts) = narrow_parts(target)?.filter(|_| applies()) else {
        return Ok(None);
    };
    let types = &target.view.result_types;
    let builder = &target.builder;
    let sizes = sizes_of(target, types)?;
    let mut operands = stretched(target, &parts, &sizes)?;
    operands.extend(builder.generate(&sizes, |_, index| Ok(vec![index[index.len() - 1]]))?);
    let mut arguments = vec![element(types[0]); parts.len()];
    arguments.push(builder.index_type());
    let region = builder.region::<PassError>(&arguments, "soac.yield", |builder, values| {
        Ok(vec![choose(builder, &parts, values)?])
    })?;
    let kept = kept_attributes(target.op);
    let mut attributes = named(&kept);
    let segments = builder.segments(&[operands.len() as i32, 0]);
    attributes.push(("operandSegmentSizes", segments));
    let map = builder.op("soac.map", &operands, types, &attributes, vec![region])?;
    Ok(Some(map.results().map(Into::into).collect()))
}

/// The parts that have elements, if the concatenation is one of narrow rows.
fn narrow_parts<'c, 'a>(
    target: &Target<'c, 'a>,
) -> Result<Option<Vec<Part<'c, 'a>>>, PassError<'c>> {
    let whole = RankedTensorType::try_from(target.view.result_types[0])?;
    let last = whole.rank().saturating_sub(1);
    if last == 0 || target.view.integer("dim") != i64::try_from(last).ok() {
        return Ok(None);
    }
    let widest = match bits_in_memory(whole.element()) >= LARGE {
        true => WIDEST,
        false => WIDEST_OF_SMALL,
    };
    let mut parts = vec![];
    let mut start = 0;
    for array in target.group(0) {
        let width = match RankedTensorType::try_from(array.r#type())?.dim_size(last)? {
            DimSize::Static(width) => i64::try_from(width).unwrap_or(i64::MAX),
            DimSize::Dynamic => return Ok(None),
        };
        let end = start + width.min(widest + 1);
        if end > widest {
            return Ok(None);
        }
        if width > 0 {
            parts.push(Part { array, start, end });
        }
        start = end;
    }
    let is_narrow = parts.iter().any(|part| part.end - part.start < WIDE);
    Ok((parts.len() > 1 && is_narrow).then_some(parts))
}

/// Each part, read as if its rows were as wide as the whole's.
fn stretched<'c, 'a>(
    target: &Target<'c, 'a>,
    parts: &[Part<'c, 'a>],
    sizes: &[Size<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let shape = Shape {
        sizes,
        types: &target.view.result_types,
        attributes: &[],
    };
    let width = parts.last().map_or(0, |part| part.end);
    let mut arrays = vec![];
    for &part in parts {
        let inputs = [part.array];
        arrays.extend(backpermute(
            &target.builder,
            &inputs,
            &shape,
            |builder, index| nearest(builder, part, width, index),
        )?);
    }
    Ok(arrays)
}

/// Where an element of the whole, whose rows are so wide, is in a part, or else the part's nearest
/// element.
fn nearest<'c, 'a>(
    builder: &Builder<'c, 'a>,
    part: Part<'c, 'a>,
    width: i64,
    index: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (&place, outer) = index.split_last().ok_or(melior::Error::OperationBuild)?;
    let last = part.end - part.start - 1;
    if last == 0 {
        return Ok([outer, &[builder.index(0)?]].concat());
    }
    let mut place = place;
    if part.start > 0 {
        place = builder.arithmetic("arith.subi", &[place, builder.index(part.start)?])?;
        place = builder.arithmetic("arith.maxsi", &[place, builder.index(0)?])?;
    }
    if part.end < width {
        place = builder.arithmetic("arith.minsi", &[place, builder.index(last)?])?;
    }
    Ok([outer, &[place]].concat())
}

/// The element of the part that a place in the row belongs to: the place comes after the elements.
fn choose<'c, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Part<'c, 'a>],
    values: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let place = values[parts.len()];
    let mut chosen = values[parts.len() - 1];
    for (part, &value) in parts.iter().zip(values).rev().skip(1) {
        let is_here = builder.compare(Predicate::Slt, place, builder.index(part.end)?)?;
        chosen = builder.select(is_here, value, chosen)?;
    }
    Ok(chosen)
}
