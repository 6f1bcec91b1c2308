//! `stablehlo.gather` and `stablehlo.scatter`: places that are computed.
//!
//! A gather moves a place that is outside as far as it has to be inside; a scatter leaves out
//! what is outside. Whole rows are gathered as rows.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds};

use super::{
    Scope,
    attributes::{dimensions_in, integers, missing, number_in},
    body::Body,
    element::{self, Array, Kind},
    reduce::{neutral_of, zero},
    single_windows::SingleWindow,
    slices::padded,
    unsupported,
};
use crate::bridge::PassError;

/// How the indices of an op name places of an array.
pub(super) struct Places {
    /// The dimension of the array that each number of an index is for.
    pub(super) indexed: Vec<usize>,
    /// The dimensions of the array that windows do not have.
    inserted: Vec<usize>,
    /// Dimensions of the array, and those of the indices that go with them.
    batch: Vec<(usize, usize)>,
    /// The dimensions of windows, in the gather's result or the scatter's updates.
    windows: Vec<usize>,
    /// The dimension of the array of indices that numbers of one index are along.
    vector: usize,
    pub(super) is_unsigned: bool,
    /// The number of dimensions of the array of indices.
    pub(super) index_rank: usize,
    /// That of the gather's result, or the scatter's updates.
    spread: usize,
    rank: usize,
}

impl Places {
    fn of<'c>(
        op: OperationRef<'c, '_>,
        (attribute, names): (&str, [&str; 5]),
        array: &Array<'c>,
        indices: &Array<'c>,
        spread: usize,
    ) -> Result<Self, PassError<'c>> {
        let list = |field: &str, rank: usize| dimensions_in(op, attribute, field, rank);
        let [windows, inserted, array_batch, index_batch, indexed] = names;
        let places = Self {
            windows: list(windows, spread)?,
            inserted: list(inserted, array.rank())?,
            batch: list(array_batch, array.rank())?
                .into_iter()
                .zip(list(index_batch, indices.rank())?)
                .collect(),
            indexed: list(indexed, array.rank())?,
            vector: number_in(op, attribute, "index_vector_dim").unwrap_or(0),
            is_unsigned: indices.element.kind == Kind::Unsigned,
            index_rank: indices.rank(),
            spread,
            rank: array.rank(),
        };
        let per_index = indices.sizes.get(places.vector).copied().unwrap_or(1);
        let own = places.inserted.len() + places.batch.len() + places.windows.len();
        match per_index == places.indexed.len() as u64 && own == array.rank() {
            true => Ok(places),
            false => Err(unsupported(op, "has dimensions that do not fit")),
        }
    }

    /// The dimensions of the array that windows have, in order.
    fn window_axes(&self) -> Vec<usize> {
        let is_batch = |axis: usize| self.batch.iter().any(|&(own, _)| own == axis);
        (0..self.rank)
            .filter(|&axis| !self.inserted.contains(&axis) && !is_batch(axis))
            .collect()
    }

    /// The sizes of windows in all dimensions of the array, as the updates have them.
    fn sizes(&self, updates: &Array) -> Vec<u64> {
        let mut sizes = vec![1; self.rank];
        for (&axis, &window) in self.window_axes().iter().zip(&self.windows) {
            sizes[axis] = updates.sizes[window];
        }
        sizes
    }

    /// Whether there is one window, with its dimensions in order.
    pub(super) fn is_single(&self) -> bool {
        self.rank > 0
            && self.batch.is_empty()
            && self.spread == self.windows.len()
            && self.windows.is_sorted()
            && self.index_rank <= 1
    }

    /// Whether there is an index for each element of the updates.
    fn are_of_elements(&self) -> bool {
        self.windows.is_empty() && self.batch.is_empty() && !self.indexed.is_empty()
    }

    /// Where the window of a place of the result or the updates begins, and the place in it; for
    /// each dimension of the array.
    fn at<'c, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        indices: Value<'c, 'a>,
        place: &[Value<'c, 'a>],
    ) -> Result<(Values<'c, 'a>, Values<'c, 'a>), Error> {
        let outer: Values = (0..place.len())
            .filter(|axis| !self.windows.contains(axis))
            .map(|axis| place[axis])
            .collect();
        let zero = builder.index(0)?;
        let (mut starts, mut offsets) = (vec![zero; self.rank], vec![zero; self.rank]);
        for (number, &axis) in self.indexed.iter().enumerate() {
            let mut at = outer.clone();
            if at.len() < rank_of(indices) {
                at.insert(self.vector, builder.index(number as i64)?);
            }
            starts[axis] = index(builder, builder.extract(indices, &at)?, self.is_unsigned)?;
        }
        for &(axis, of_indices) in &self.batch {
            // The dimension of numbers is none of the outer ones.
            let position = of_indices - usize::from(of_indices > self.vector);
            starts[axis] = outer[position];
        }
        for (&axis, &window) in self.window_axes().iter().zip(&self.windows) {
            offsets[axis] = place[window];
        }
        Ok((starts, offsets))
    }
}

/// `stablehlo.gather`.
pub(super) fn gather<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (array, indices) = (element::operand(op, 0)?, element::operand(op, 1)?);
    let to = element::result(op, 0)?;
    let names = [
        "offset_dims",
        "collapsed_slice_dims",
        "operand_batching_dims",
        "start_indices_batching_dims",
        "start_index_map",
    ];
    let places = Places::of(
        op,
        ("dimension_numbers", names),
        &array,
        &indices,
        to.rank(),
    )?;
    let sizes = integers(op, "slice_sizes")?;
    let fits = sizes.len() == array.rank()
        && (sizes.iter().zip(&array.sizes))
            .all(|(&part, &whole)| part >= 0 && part as u64 <= whole);
    if !fits {
        return Err(missing(op, "slice_sizes", "a number for each dimension"));
    }
    let room = |axis: usize| array.sizes[axis] as i64 - sizes[axis];
    if array.rank() == 0 || to.sizes.contains(&0) {
        return empty_or_same(builder, operands, &to);
    }
    let numbers = (1, operands[1]);
    let window = sizes.iter().map(|&size| size as u64).collect();
    if to.rank() > 0
        && let Some(window) = SingleWindow::of(op, builder, &places, numbers, window)?
    {
        return window.slice(builder, &places, (operands[0], &array), &to);
    }
    if takes_rows(&places, &array, &sizes, &to) {
        return rows(builder, operands, &places, &indices, &room);
    }
    Ok(builder.backpermute(
        &operands[..1],
        &to.extents(),
        Bounds::Unchecked,
        |builder, place| {
            let (starts, offsets) = places.at(builder, operands[1], place)?;
            (0..array.rank())
                .map(|axis| {
                    let is_indexed = places.indexed.contains(&axis);
                    let start = match is_indexed {
                        true => clamped(builder, starts[axis], room(axis), places.is_unsigned)?,
                        false => starts[axis],
                    };
                    builder.arithmetic("arith.addi", &[start, offsets[axis]])
                })
                .collect()
        },
    )?)
}

/// Without elements, or of one.
fn empty_or_same<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    to: &Array<'c>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let number = match to.sizes.contains(&0) {
        true => zero(builder, to.element)?,
        false => builder.extract(operands[0], &[])?,
    };
    Ok(builder.fill(&[number], &to.extents())?)
}

/// Whether the indices name outer dimensions, and of these whole rows are taken, which are the
/// inner dimensions of the result.
fn takes_rows(places: &Places, array: &Array, sizes: &[i64], to: &Array) -> bool {
    let outer = places.indexed.len();
    let in_order = |axes: &[usize], first: usize| {
        axes.iter()
            .enumerate()
            .all(|(index, &axis)| axis == first + index)
    };
    let inner = to.rank() - places.windows.len();
    outer > 0
        && places.batch.is_empty()
        && in_order(&places.indexed, 0)
        && in_order(&places.inserted, 0)
        && places.inserted.len() == outer
        && in_order(&places.windows, inner)
        && inner > 0
        && (outer..array.rank()).all(|axis| sizes[axis] as u64 == array.sizes[axis])
}

/// Gathers rows, with an array of indices for each outer dimension.
fn rows<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    places: &Places,
    indices: &Array<'c>,
    room: &dyn Fn(usize) -> i64,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let mut each = vec![];
    for (number, numbers) in all_numbers(builder, operands[1], places, indices)?
        .into_iter()
        .enumerate()
    {
        each.extend(builder.map(&[numbers], |builder, number_of| {
            let index = index(builder, number_of[0], places.is_unsigned)?;
            let last = room(places.indexed[number]);
            Ok(vec![clamped(builder, index, last, places.is_unsigned)?])
        })?);
    }
    Ok(builder.gather(&operands[..1], &each, Bounds::Unchecked)?)
}

/// For each dimension that is indexed, the numbers of all indices.
fn all_numbers<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    places: &Places,
    indices: &Array<'c>,
) -> Result<Values<'c, 'a>, Error> {
    (0..places.indexed.len())
        .map(|number| match places.vector < indices.rank() {
            true => numbers(builder, array, indices, places.vector, number),
            false => Ok(array),
        })
        .collect()
}

/// The numbers at one place of all indices.
fn numbers<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    indices: &Array<'c>,
    vector: usize,
    number: usize,
) -> Result<Value<'c, 'a>, Error> {
    let mut offsets = vec![Size::Static(0); indices.rank()];
    offsets[vector] = Size::Static(number as i64);
    let mut sizes = indices.extents();
    sizes[vector] = Size::Static(1);
    let part = builder.slice(
        &[array],
        &Slice::contiguous(offsets, sizes.clone()),
        Bounds::Checked,
    )?;
    sizes.remove(vector);
    Ok(builder.reshape(&part, &sizes)?[0])
}

/// `stablehlo.scatter`: the updates whose places are inside are filtered out, and scattered. If
/// the function has a neutral element, the others are scattered, too, as such elements.
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
    let (array, indices) = (element::operand(op, 0)?, element::operand(op, count)?);
    let updates = element::operand(op, count + 1)?;
    let names = [
        "update_window_dims",
        "inserted_window_dims",
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims",
    ];
    let attribute = ("scatter_dimension_numbers", names);
    let places = Places::of(op, attribute, &array, &indices, updates.rank())?;
    let body = Body::of(op, builder, scope)?;
    let elements = Size::Static(updates.count() as i64);
    if updates.rank() == 0 {
        return single(op, builder, operands, &array, (&places, &body));
    }
    if array.rank() == 0 {
        let (destinations, updates) = (&operands[..count], &operands[count + 1..]);
        return into_one(builder, destinations, (updates, elements), &body);
    }
    let numbers = (count, operands[count]);
    let window = SingleWindow::of(op, builder, &places, numbers, places.sizes(&updates))?;
    if let Some(window) = window.filter(|window| window.fits(&places, &array)) {
        let (destinations, updates) = (&operands[..count], &operands[count + 1..]);
        return window.update(builder, (&places, &array), (destinations, updates), &body);
    }
    let placed = match places.are_of_elements() {
        true => places_of_elements(builder, operands[count], &places, (&indices, &array))?,
        false => builder.generate(&updates.extents(), |builder, place| {
            let (starts, offsets) = places.at(builder, operands[count], place)?;
            inside(builder, &starts, &offsets, &array.sizes)
        })?,
    };
    let neutral = match count == 1 && !array.sizes.contains(&0) {
        true => neutral_of(builder, &body, array.element)?,
        false => None,
    };
    if let Some(neutral) = neutral {
        return Ok(neutralised(builder, operands, &placed, neutral, &body)?);
    }
    if body.is_last(1) && !array.sizes.contains(&0) && updates.count() >= array.count() {
        return Ok(with_room_outside(builder, operands, &placed, &array)?);
    }
    let all = [&operands[count + 1..], &placed].concat();
    let flat = builder.reshape(&all, &[elements])?;
    let kept = builder.filter(&flat, |_, values| Ok(values[values.len() - 1..].to_vec()))?;
    let (sources, rest) = kept.split_at(count);
    let at = &rest[..array.rank()];
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
    (indices, array): (&Array<'c>, &Array<'c>),
) -> Result<Values<'c, 'a>, Error> {
    let numbers = all_numbers(builder, numbers, places, indices)?;
    builder.map(&numbers, |builder, numbers| {
        let zeros = vec![builder.index(0)?; places.rank];
        let mut starts = zeros.clone();
        for (&axis, &number) in places.indexed.iter().zip(numbers) {
            starts[axis] = index(builder, number, places.is_unsigned)?;
        }
        inside(builder, &starts, &zeros, &array.sizes)
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
    let mut at = inside(builder, &starts, &offsets, &array.sizes)?;
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
    sizes: &[u64],
) -> Result<Values<'c, 'a>, Error> {
    let mut places = vec![];
    let mut all = builder.integer(1, builder.integer_type(1))?;
    for (axis, &size) in sizes.iter().enumerate() {
        let place = builder.arithmetic("arith.addi", &[starts[axis], offsets[axis]])?;
        let is_inside = builder.compare(Predicate::Ult, place, builder.index(size as i64)?)?;
        all = builder.arithmetic("arith.andi", &[all, is_inside])?;
        places.push(place);
    }
    places.push(all);
    Ok(places)
}

pub(super) fn index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    is_unsigned: bool,
) -> Result<Value<'c, 'a>, Error> {
    let cast = match is_unsigned {
        true => "arith.index_castui",
        false => "arith.index_cast",
    };
    builder.value(cast, &[number], builder.index_type(), &[])
}

/// A place moved inside.
pub(super) fn clamped<'c, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    last: i64,
    is_unsigned: bool,
) -> Result<Value<'c, 'a>, Error> {
    let (zero, last) = (builder.index(0)?, builder.index(last)?);
    if is_unsigned {
        return builder.arithmetic("arith.minui", &[index, last]);
    }
    let not_before = builder.arithmetic("arith.maxsi", &[index, zero])?;
    builder.arithmetic("arith.minsi", &[not_before, last])
}

fn rank_of(array: Value) -> usize {
    RankedTensorType::try_from(array.r#type()).map_or(0, |array| array.rank())
}
