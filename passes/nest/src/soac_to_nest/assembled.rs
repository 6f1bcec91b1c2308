//! Arrays that are put together from others, or into which one is put: kernels without a plan.
//!
//! Where strides do not say that every element goes to another place, the last one wins: that is a
//! scatter.

use melior::ir::{OperationRef, Region, Value, ValueLike};
use nest_dialect::builder::NestBuilder;
use soac_dialect::{
    builder::{Builder, Size, Values},
    view::OpView,
};

use super::{kernel::is_in_kernel, loops::Built};
use comb_kit::{row_major::indices_of, target::Target};

/// Where an element of a source goes.
type PlaceOf<'s, 'c, 'a> =
    dyn Fn(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Built<'c, Values<'c, 'a>> + 's;

/// Writes an element at an index of the source; gives the array then.
type WriteAt<'s, 'c, 'a> =
    dyn Fn(&Builder<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Built<'c, Value<'c, 'a>> + 's;

/// Whether elements go to different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// Each to another one.
    Distinct,
    /// Several may go to the same.
    Any,
}

/// Lowers an op that assembles an array.
pub(super) fn lower<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    front: &Builder<'c, 'a>,
) -> Built<'c, ()> {
    let Some(target) = Target::new(op, OpView::of(op), false)? else {
        return Ok(());
    };
    let made = match target.view.mnemonic() {
        "concat" => concat(&target, front)?,
        "update" => update(&target, front)?,
        _ => lmad_update(&target, front)?,
    };
    let r#type = op.result(0)?.r#type();
    front.replace(op, &[front.cast(made, r#type)?]);
    Ok(())
}

/// `soac.concat`: a loop nest for each part.
fn concat<'c: 'a, 'a>(
    target: &Target<'c, 'a>,
    front: &Builder<'c, 'a>,
) -> Built<'c, Value<'c, 'a>> {
    let dim = target.view.integer("dim").unwrap_or(0) as usize;
    let result = target.empty_results()?[0];
    let mut offset = Size::Static(0);
    let mut parts = vec![];
    for input in target.group(0) {
        parts.push((input, front.size_value(offset)?));
        offset = front.sum([offset, front.size(input, dim)?])?;
    }
    in_kernel(target.op, front, result, |builder, mut made| {
        for &(input, offset) in &parts {
            let place = |builder: &Builder<'c, 'a>, index: &[Value<'c, 'a>]| {
                let mut place = index.to_vec();
                place[dim] = builder.arithmetic("arith.addi", &[index[dim], offset])?;
                Ok(place)
            };
            made = write_each(builder, input, made, Places::Distinct, &place)?;
        }
        Ok(made)
    })
}

/// `soac.update`: a loop nest over what is put in.
fn update<'c: 'a, 'a>(
    target: &Target<'c, 'a>,
    front: &Builder<'c, 'a>,
) -> Built<'c, Value<'c, 'a>> {
    let (source, dest) = (target.view.operands[0], target.view.operands[1]);
    let offsets = target.values(&target.mixed("static_offsets", 2)?)?;
    let strides = target.mixed("static_strides", 3)?;
    let places = match strides.iter().all(|&stride| is_positive(stride)) {
        true => Places::Distinct,
        false => Places::Any,
    };
    let strides = target.values(&strides)?;
    in_kernel(target.op, front, dest, |builder, dest| {
        let place = |builder: &Builder<'c, 'a>, index: &[Value<'c, 'a>]| {
            let components = index.iter().zip(&strides).zip(&offsets);
            components
                .map(|((&index, &stride), &offset)| point(builder, offset, &[index], &[stride]))
                .collect()
        };
        write_each(builder, source, dest, places, &place)
    })
}

/// `soac.lmad_update`: the same, with places in the flat array.
fn lmad_update<'c: 'a, 'a>(
    target: &Target<'c, 'a>,
    front: &Builder<'c, 'a>,
) -> Built<'c, Value<'c, 'a>> {
    let (source, dest) = (target.view.operands[0], target.view.operands[1]);
    let offset = target.values(&target.mixed("static_offset", 2)?)?[0];
    let strides = target.mixed("static_strides", 3)?;
    let places = places_of(&front.sizes(source)?, &strides);
    let strides = target.values(&strides)?;
    let sizes = target.values(&front.sizes(dest)?)?;
    in_kernel(target.op, front, dest, |builder, dest| {
        let place = |builder: &Builder<'c, 'a>, index: &[Value<'c, 'a>]| {
            let flat = point(builder, offset, index, &strides)?;
            Ok(indices_of(builder, flat, &sizes)?)
        };
        write_each(builder, source, dest, places, &place)
    })
}

/// Runs code that writes an array, in a kernel, or in a loop that runs once if it is in one
/// already.
fn in_kernel<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    front: &Builder<'c, 'a>,
    given: Value<'c, 'a>,
    code: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Built<'c, Value<'c, 'a>>,
) -> Built<'c, Value<'c, 'a>> {
    let made = match is_in_kernel(op) {
        true => front.nest_loop(front.index(1)?, &[given], |builder, _, given| {
            Built::Ok(vec![code(builder, given[0])?])
        })?,
        false => front.kernel(&[given], |builder, given| {
            Built::Ok(vec![code(builder, given[0])?])
        })?,
    };
    Ok(made[0])
}

/// Writes each element of an array to its place in another one.
pub(super) fn write_each<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    from: Value<'c, 'a>,
    into: Value<'c, 'a>,
    places: Places,
    place: &PlaceOf<'_, 'c, 'a>,
) -> Built<'c, Value<'c, 'a>> {
    let sizes = builder.sizes(from)?;
    let sizes = sizes
        .into_iter()
        .map(|size| Ok(builder.size_value(size)?))
        .collect::<Built<Values>>()?;
    let write = |builder: &Builder<'c, 'a>, into, index: &[Value<'c, 'a>]| {
        let element = builder.read(from, index)?;
        let place = place(builder, index)?;
        match places {
            Places::Distinct => Ok(builder.write(element, into, &place)?.unwrap_or(into)),
            Places::Any => {
                let none = Region::new();
                Ok(builder.nest_scatter(&[element], &[into], &place, false, none)?[0])
            }
        }
    };
    write_from(builder, into, &sizes, &[], &write)
}

fn write_from<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    into: Value<'c, 'a>,
    sizes: &[Value<'c, 'a>],
    index: &[Value<'c, 'a>],
    write: &WriteAt<'_, 'c, 'a>,
) -> Built<'c, Value<'c, 'a>> {
    let Some((&size, inner)) = sizes.split_first() else {
        return write(builder, into, index);
    };
    let written = builder.nest_loop(size, &[into], |builder, component, carried| {
        let index = [index, &[component]].concat();
        Built::Ok(vec![write_from(builder, carried[0], inner, &index, write)?])
    })?;
    Ok(written[0])
}

/// Whether elements in strides all go to different places, as far as is known.
fn places_of(sizes: &[Size], strides: &[Size]) -> Places {
    let mut axes: Vec<(i64, Option<i64>)> = vec![];
    for (size, stride) in sizes.iter().zip(strides) {
        match (stride, size) {
            (_, Size::Static(0 | 1)) => {}
            (Size::Static(stride), Size::Static(size)) => {
                axes.push((stride.saturating_abs(), Some(*size)))
            }
            (Size::Static(stride), Size::Dynamic(_)) => axes.push((stride.saturating_abs(), None)),
            (Size::Dynamic(_), _) => return Places::Any,
        }
    }
    axes.sort_unstable();
    let mut reach = Some(0_i64);
    for (stride, size) in axes {
        if reach.is_none_or(|reach| stride <= reach) {
            return Places::Any;
        }
        reach = reach
            .zip(size)
            .and_then(|(reach, size)| reach.checked_add(stride.checked_mul(size - 1)?));
    }
    Places::Distinct
}

fn is_positive(stride: Size) -> bool {
    matches!(stride, Size::Static(1..))
}

/// `offset + i * stride + …`
fn point<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    offset: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    strides: &[Value<'c, 'a>],
) -> Built<'c, Value<'c, 'a>> {
    let mut sum = offset;
    for (&index, &stride) in index.iter().zip(strides) {
        let part = builder.arithmetic("arith.muli", &[index, stride])?;
        sum = builder.arithmetic("arith.addi", &[sum, part])?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_tell_whether_places_differ() {
        let known = |numbers: &[i64]| {
            numbers
                .iter()
                .map(|&size| Size::Static(size))
                .collect::<Vec<_>>()
        };
        let places = |sizes: &[i64], strides: &[i64]| places_of(&known(sizes), &known(strides));
        assert_eq!(places(&[4], &[1]), Places::Distinct);
        assert_eq!(places(&[4], &[-3]), Places::Distinct);
        assert_eq!(places(&[4], &[0]), Places::Any);
        assert_eq!(places(&[1], &[0]), Places::Distinct);
        assert_eq!(places(&[4, 5], &[5, 1]), Places::Distinct);
        assert_eq!(places(&[4, 5], &[4, 1]), Places::Any);
        assert_eq!(places(&[4, 5], &[1, 4]), Places::Distinct);
    }
}
