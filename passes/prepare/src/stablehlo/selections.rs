//! `stablehlo.select_and_scatter`: the gradient of pooling by a maximum.
//!
//! A fold of the places of each window chooses one, where the source's element is scattered.

use melior::{
    Error,
    ir::{OperationRef, Value},
};
use soac_dialect::builder::{Builder, Predicate, Size, Values, combinators::Bounds};

use super::{
    Scope,
    attributes::{integers, missing},
    body::Body,
    element::{self, Array, extents},
    reduce::zero,
    unsupported,
    windows::{Window, padded_by, place_in, places, windows},
};
use comb_kit::pass_error::PassError;

/// `stablehlo.select_and_scatter`.
pub(super) fn select_and_scatter<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let &[input, source, initial] = operands else {
        return Err(unsupported(op, "needs 3 operands"));
    };
    let (array, to) = (element::operand(op, 0)?, element::operand(op, 1)?);
    let form = element::open_operand(op, 0)?;
    let sizes = integers(op, "window_dimensions")?;
    let windows = windows(op, &sizes, "base_dilations", "window_dilations")?;
    if windows.is_empty() || windows.len() != array.rank() || to.rank() != array.rank() {
        return Err(missing(
            op,
            "window_dimensions",
            "a number for each dimension",
        ));
    }
    if element::operand(op, 2)?.rank() != 0 {
        return Err(unsupported(op, "needs a number to begin with"));
    }
    let select = Body::of_region(op, 0, builder, scope)?.with(op, 2, 1)?;
    let combine = Body::of_region(op, 1, builder, scope)?.with(op, 2, 1)?;
    let initial = builder.extract(initial, &[])?;
    let updates = element::open_operand(op, 1)?;
    places(op, builder, &array.extents(), &updates, &windows)?;
    let all = [
        &to.sizes[..],
        &sizes.iter().map(|&size| size as u64).collect::<Vec<_>>(),
    ]
    .concat();
    let padding = zero(builder, array.element)?;
    let whole = padded_by(op, builder, (input, &form), &windows, padding)?;
    let values = builder.backpermute(
        &[whole],
        &extents(&all),
        Bounds::Unchecked,
        |builder, at| place_of(builder, &windows, at),
    )?;
    let places = builder.generate(&extents(&all), |builder, at| {
        let place = place_of(builder, &windows, at)?;
        Ok(vec![number_of(builder, &place, &windows, &array)?])
    })?;
    let nowhere = builder.index(-1)?;
    let chosen = builder.fold_inner(
        &[values[0], places[0]],
        &[padding, nowhere],
        windows.len(),
        |builder, values| choice(builder, &select, values),
    )?;
    let count = [Size::Static(to.sizes.iter().product::<u64>() as i64)];
    let updates = builder.reshape(&[source, chosen[1]], &count)?;
    let updates = match all_have_elements(&windows, &array) {
        true => updates,
        false => builder.filter(&updates, |builder, values| {
            let zero = builder.index(0)?;
            Ok(vec![builder.compare(Predicate::Sge, values[1], zero)?])
        })?,
    };
    let elements = [Size::Static(array.sizes.iter().product::<u64>() as i64)];
    let filled = builder.fill(&[initial], &elements)?;
    let scattered = builder.scatter_combining(
        &updates[..1],
        &filled,
        &updates[1..],
        Bounds::Unchecked,
        |builder, values| combine.build(builder, values),
    )?;
    Ok(builder.reshape(&scattered, &array.extents())?)
}

/// Of two elements, each behind its value with its place, the one that is selected; places that
/// are negative are outside the array.
fn choice<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    select: &Body<'c, 'a>,
    values: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let &[one, place, other, other_place] = values else {
        return Ok(vec![]);
    };
    let zero = builder.index(0)?;
    let is_inside = builder.compare(Predicate::Sge, place, zero)?;
    let is_alone = builder.compare(Predicate::Slt, other_place, zero)?;
    let is_selected = select.build(builder, &[one, other])?[0];
    let stays = builder.arithmetic("arith.andi", &[is_inside, is_selected])?;
    let stays = builder.arithmetic("arith.ori", &[is_alone, stays])?;
    Ok(vec![
        builder.select(stays, one, other)?,
        builder.select(stays, place, other_place)?,
    ])
}

/// The place in the padded array of an element of a window.
fn place_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    windows: &[Window],
    at: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let (outer, inner) = at.split_at(windows.len());
    (windows.iter().zip(outer).zip(inner))
        .map(|((&window, &place), &within)| place_in(builder, window, place, Some(within)))
        .collect()
}

/// The number of a place of the padded array in the array itself, row by row; -1 if it is outside.
fn number_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    place: &[Value<'c, 'a>],
    windows: &[Window],
    array: &Array<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let mut number = builder.index(0)?;
    let mut all_inside = builder.integer(1, builder.integer_type(1))?;
    for ((&place, window), &size) in place.iter().zip(windows).zip(&array.sizes) {
        let (low, size) = (builder.index(window.low)?, builder.index(size as i64)?);
        let own = builder.arithmetic("arith.subi", &[place, low])?;
        let is_inside = builder.compare(Predicate::Ult, own, size)?;
        all_inside = builder.arithmetic("arith.andi", &[all_inside, is_inside])?;
        let row = builder.arithmetic("arith.muli", &[number, size])?;
        number = builder.arithmetic("arith.addi", &[row, own])?;
    }
    builder.select(all_inside, number, builder.index(-1)?)
}

/// Whether every window has an element of the array.
fn all_have_elements(windows: &[Window], array: &Array) -> bool {
    let mut each = windows.iter().zip(&array.sizes);
    each.all(|(window, &size)| window.low < window.size && window.high < window.size && size > 0)
}
