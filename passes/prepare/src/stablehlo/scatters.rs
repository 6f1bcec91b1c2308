//! `stablehlo.scatter`: elements at places that are computed. What is outside is left out.

use melior::{
    Error,
    ir::{OperationRef, Value, operation::OperationLike},
};
use soac_dialect::builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds};

use super::{
    Scope,
    body::Body,
    element::{self, Array, Open},
    gathers::{Places, all_numbers, index},
    reduce::{neutral_of, zero},
    single_windows::SingleWindow,
    slices::padded,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// `stablehlo.scatter`: the updates whose places are inside are filtered out, and scattered. If
/// the function has a neutral element, the others are scattered, too, as such elements; but not into arrays of unknown
/// sizes, which may have no place for them.
pub(super) fn scatter<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let count = op.result_count();
    if operands.len() != 2 * count + 1 {
        return Err(unsupported(op, "needs updates for each array"));
    }
    let open = element::open_operand(op, 0)?;
    let (array, sizes) = (open.known(), builder.sizes(operands[0])?);
    let indices = element::open_operand(op, count)?;
    let updates = element::open_operand(op, count + 1)?;
    let extents = builder.sizes(operands[count + 1])?;
    let names = [
        "update_window_dims",
        "inserted_window_dims",
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims",
    ];
    let attribute = ("scatter_dimension_numbers", names);
    let places = Places::of(op, attribute, &open, &indices, updates.rank())?;
    let (indices_given, spread) = (operands[count], operands[count + 1]);
    places.check_sizes(op, builder, (operands[0], indices_given), Some(spread))?;
    let body = Body::of(op, builder, scope)?.with(op, 2 * count, count)?;
    let elements = builder.product(extents.iter().copied())?;
    if updates.rank() == 0
        && let Some(array) = &array
    {
        return single(op, builder, operands, array, (&places, &body));
    }
    if open.rank() == 0 {
        let (destinations, updates) = (&operands[..count], &operands[count + 1..]);
        return into_one(builder, destinations, (updates, elements), &body);
    }
    let numbers = (count, operands[count]);
    if let Some(array) = &array {
        let window = SingleWindow::of(op, builder, &places, numbers, &places.sizes(&extents))?;
        if let Some(window) = window.filter(|window| window.fits(&places, array)) {
            let (destinations, updates) = (&operands[..count], &operands[count + 1..]);
            return window.update(builder, (&places, array), (destinations, updates), &body);
        }
    }
    let placed = match places.are_of_elements() {
        true => places_of_elements(builder, operands[count], &places, (&indices, &sizes))?,
        false => builder.generate(&extents, |builder, place| {
            let (starts, offsets) = places.at(builder, operands[count], place)?;
            inside(builder, &starts, &offsets, &sizes)
        })?,
    };
    if let Some(array) = array.filter(|array| !array.sizes.contains(&0)) {
        let neutral = match count {
            1 => neutral_of(builder, &body, array.element)?,
            _ => None,
        };
        if let Some(neutral) = neutral {
            return Ok(neutralised(builder, operands, &placed, neutral, &body)?);
        }
        let are_many = |updates: Array| updates.count() >= array.count();
        if body.is_last(1) && updates.known().is_some_and(are_many) {
            return Ok(with_room_outside(builder, operands, &placed, &array)?);
        }
    }
    let all = [&operands[count + 1..], &placed].concat();
    let flat = builder.reshape(&all, &[elements])?;
    let kept = builder.filter(&flat, |_, values| Ok(values[values.len() - 1..].to_vec()))?;
    let (sources, rest) = kept.split_at(count);
    let at = &rest[..open.rank()];
    scattered(builder, sources, &operands[..count], at, &body)
}

/// Elements written to their places, or combined with what is there.
fn scattered<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sources: &[Value<'c, 'a>],
    destinations: &[Value<'c, 'a>],
    at: &[Value<'c, 'a>],
    body: &Body<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    Ok(match body.is_last(destinations.len()) {
        true => builder.scatter(sources, destinations, at, Bounds::Unchecked)?,
        false => builder.scatter_combining(
            sources,
            destinations,
            at,
            Bounds::Unchecked,
            |builder, values| body.build(builder, values),
        )?,
    })
}

/// A scatter of one array that changes the first place by a neutral element for each place outside:
/// threads can share that, but no scatter of what a filter keeps.
fn neutralised<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    placed: &[Value<'c, 'a>],
    neutral: Value<'c, 'a>,
    body: &Body<'c, 'a>,
) -> Result<Values<'c, 'a>, Error> {
    let all = [&operands[2..], placed].concat();
    let safe = builder.map(&all, |builder, values| {
        let zero = builder.index(0)?;
        let [update, places @ .., is_inside] = values else {
            return Ok(vec![]);
        };
        let mut safe = vec![builder.select(*is_inside, *update, neutral)?];
        for &place in places {
            safe.push(builder.select(*is_inside, place, zero)?);
        }
        Ok(safe)
    })?;
    builder.scatter_combining(
        &safe[..1],
        &operands[..1],
        &safe[1..],
        Bounds::Unchecked,
        |builder, values| body.build(builder, values),
    )
}

/// A scatter that replaces elements, into an array that is a place larger in the first dimension:
/// all that is outside goes there. A filter has a branch for each element; this moves the array
/// twice, so there must be many updates.
fn with_room_outside<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    placed: &[Value<'c, 'a>],
    array: &Array<'c>,
) -> Result<Values<'c, 'a>, Error> {
    let at = builder.map(placed, |builder, values| {
        let [places @ .., is_inside] = values else {
            return Ok(vec![]);
        };
        (places.iter().enumerate())
            .map(|(axis, &place)| {
                let outside = if axis == 0 { array.sizes[0] } else { 0 };
                builder.select(*is_inside, place, builder.index(outside as i64)?)
            })
            .collect()
    })?;
    let (zeros, ones) = (vec![0; array.rank()], vec![1; array.rank()]);
    let mut larger = array.sizes.clone();
    larger[0] += 1;
    let number = zero(builder, array.element)?;
    let sizes = (&array.sizes[..], &larger[..]);
    let destination = padded(builder, operands[0], sizes, (&zeros, &ones), number)?;
    let all = builder.scatter(&operands[2..], &[destination], &at, Bounds::Unchecked)?;
    let whole = Slice::contiguous(vec![Size::Static(0); array.rank()], array.extents());
    builder.slice(&all, &whole, Bounds::Unchecked)
}

/// The places of updates that are single elements, and whether they are inside: maps of the
/// indices, which share loops with what computes these.
fn places_of_elements<'c, 'a>(
    builder: &Builder<'c, 'a>,
    numbers: Value<'c, 'a>,
    places: &Places,
    (indices, sizes): (&Open<'c>, &[Size<'c, 'a>]),
) -> Result<Values<'c, 'a>, Error> {
    let numbers = all_numbers(builder, numbers, places, indices)?;
    builder.map(&numbers, |builder, numbers| {
        let zeros = vec![builder.index(0)?; places.rank];
        let mut starts = zeros.clone();
        for (&axis, &number) in places.indexed.iter().zip(numbers) {
            starts[axis] = index(builder, number, places.is_unsigned)?;
        }
        inside(builder, &starts, &zeros, sizes)
    })
}

/// A scatter of elements into arrays of one element, without dimensions.
fn into_one<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    destinations: &[Value<'c, 'a>],
    (updates, elements): (&[Value<'c, 'a>], Size<'c, 'a>),
    body: &Body<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let sources = builder.reshape(updates, &[elements])?;
    let places = builder.fill(&[builder.index(0)?], &[elements])?;
    let rows = builder.reshape(destinations, &[Size::Static(1)])?;
    let rows = scattered(builder, &sources, &rows, &places, body)?;
    Ok(builder.reshape(&rows, &[])?)
}

/// A scatter of one element.
fn single<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    array: &Array<'c>,
    (places, body): (&Places, &Body<'c, 'a>),
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let count = op.result_count();
    let (starts, offsets) = places.at(builder, operands[count], &[])?;
    let mut at = inside(builder, &starts, &offsets, &array.extents())?;
    let is_inside = at.pop();
    let mut results = vec![];
    let zero = builder.index(0)?;
    let mut safe = vec![];
    for &place in &at {
        safe.push(match is_inside {
            Some(is_inside) => builder.select(is_inside, place, zero)?,
            None => place,
        });
    }
    if array.sizes.contains(&0) {
        return Ok(operands[..count].to_vec());
    }
    let old: Values = operands[..count]
        .iter()
        .map(|&array| builder.extract(array, &safe))
        .collect::<Result<_, _>>()?;
    let given: Values = operands[count + 1..]
        .iter()
        .map(|&update| builder.extract(update, &[]))
        .collect::<Result<_, _>>()?;
    let new = body.build(builder, &[&old[..], &given].concat())?;
    for (index, &destination) in operands[..count].iter().enumerate() {
        let value = match is_inside {
            Some(is_inside) => builder.select(is_inside, new[index], old[index])?,
            None => new[index],
        };
        results.push(builder.insert_element(value, destination, &safe)?);
    }
    Ok(results)
}

/// The places in the array, and whether all are inside.
fn inside<'c, 'a>(
    builder: &Builder<'c, 'a>,
    starts: &[Value<'c, 'a>],
    offsets: &[Value<'c, 'a>],
    sizes: &[Size<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let mut places = vec![];
    let mut all = builder.integer(1, builder.integer_type(1))?;
    for (axis, &size) in sizes.iter().enumerate() {
        let place = builder.arithmetic("arith.addi", &[starts[axis], offsets[axis]])?;
        let is_inside = builder.compare(Predicate::Ult, place, builder.size_value(size)?)?;
        all = builder.arithmetic("arith.andi", &[all, is_inside])?;
        places.push(place);
    }
    places.push(all);
    Ok(places)
}
