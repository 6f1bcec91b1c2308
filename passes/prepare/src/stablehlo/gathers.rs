//! `stablehlo.gather`: places that are computed, also those of a scatter.
//!
//! A place that is outside moves as far as it has to be inside. Whole rows are gathered as rows.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds},
    cast::cast,
};

use super::{
    attributes::{dimensions_in, integers, missing, number_in},
    constants::known,
    element::{self, Kind, Open},
    open_shapes::{check, extents, same_size},
    reduce::zero,
    single_windows::SingleWindow,
    unsupported,
};
use comb_kit::pass_error::PassError;

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
    /// Whether a place behind a start may wrap around.
    wraps: bool,
    /// The number of dimensions of the array of indices.
    pub(super) index_rank: usize,
    /// That of the gather's result, or the scatter's updates.
    spread: usize,
    pub(super) rank: usize,
}

impl Places {
    pub(super) fn of<'c>(
        op: OperationRef<'c, '_>,
        (attribute, names): (&str, [&str; 5]),
        array: &Open<'c>,
        indices: &Open<'c>,
        spread: usize,
    ) -> Result<Self, PassError<'c>> {
        let list = |field: &str, rank: usize| dimensions_in(op, attribute, field, rank);
        let [windows, inserted, array_batch, index_batch, indexed] = names;
        let of_array = list(array_batch, array.rank())?;
        let of_indices = list(index_batch, indices.rank())?;
        let is_paired = of_array.len() == of_indices.len();
        let places = Self {
            windows: list(windows, spread)?,
            inserted: list(inserted, array.rank())?,
            batch: of_array.into_iter().zip(of_indices).collect(),
            indexed: list(indexed, array.rank())?,
            vector: number_in(op, attribute, "index_vector_dim").unwrap_or(0),
            is_unsigned: indices.element.kind == Kind::Unsigned,
            wraps: indices.element.kind == Kind::Unsigned && indices.element.bits == 64,
            index_rank: indices.rank(),
            spread,
            rank: array.rank(),
        };
        match is_paired && places.fit(indices) {
            true => Ok(places),
            false => Err(unsupported(op, "has dimensions that do not fit")),
        }
    }

    /// Whether each dimension has one part, and there are as many as arrays have.
    fn fit(&self, indices: &Open) -> bool {
        let per_index = indices.sizes.get(self.vector).copied().unwrap_or(Some(1));
        let of_places = self.index_rank - usize::from(self.vector < self.index_rank);
        let batch = |of: fn(&(usize, usize)) -> usize| self.batch.iter().map(of);
        let own: Vec<usize> = batch(|pair| pair.0)
            .chain(self.inserted.iter().copied())
            .collect();
        let indexed: Vec<usize> = batch(|pair| pair.0)
            .chain(self.indexed.iter().copied())
            .collect();
        let of_indices: Vec<usize> = batch(|pair| pair.1).chain([self.vector]).collect();
        [&own, &indexed, &of_indices, &self.windows]
            .into_iter()
            .all(|list| are_different(list))
            && per_index == Some(self.indexed.len() as u64)
            && own.len() + self.windows.len() == self.rank
            && self.vector <= self.index_rank
            && self.spread == self.windows.len() + of_places
    }

    /// Checks that dimensions which go with each other have one size: those of batches in the array and the indices, and
    /// those of the indices in what is spread, if that is an operand.
    pub(super) fn check_sizes<'c: 'a, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        (array, indices): (Value<'c, 'a>, Value<'c, 'a>),
        spread: Option<Value<'c, 'a>>,
    ) -> Result<(), PassError<'c>> {
        let what = "has sizes that do not fit";
        for &(axis, of_indices) in &self.batch {
            let sizes = [
                builder.size(array, axis)?,
                builder.size(indices, of_indices)?,
            ];
            same_size(op, builder, sizes[0], sizes[1], what)?;
        }
        let Some(spread) = spread else {
            return Ok(());
        };
        let of_places = (0..self.spread).filter(|axis| !self.windows.contains(axis));
        let of_indices = (0..self.index_rank).filter(|&axis| axis != self.vector);
        for (axis, of_indices) in of_places.zip(of_indices) {
            let sizes = [
                builder.size(spread, axis)?,
                builder.size(indices, of_indices)?,
            ];
            same_size(op, builder, sizes[0], sizes[1], what)?;
        }
        Ok(())
    }

    /// Checks that windows are no larger than one element where they have no dimension.
    fn check_windows<'c: 'a, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        sizes: &[Size<'c, 'a>],
    ) -> Result<(), PassError<'c>> {
        let without = self.inserted.iter().copied();
        for axis in without.chain(self.batch.iter().map(|pair| pair.0)) {
            let what = "has windows of several elements in a dimension that they do not have";
            same_size(op, builder, sizes[axis], Size::Static(1), what)?;
        }
        Ok(())
    }

    /// The dimensions of the array that windows have, in order.
    fn window_axes(&self) -> Vec<usize> {
        let is_batch = |axis: usize| self.batch.iter().any(|&(own, _)| own == axis);
        (0..self.rank)
            .filter(|&axis| !self.inserted.contains(&axis) && !is_batch(axis))
            .collect()
    }

    /// The sizes of windows in all dimensions of the array, as the updates have them.
    pub(super) fn sizes<'c, 'a>(&self, updates: &[Size<'c, 'a>]) -> Vec<Size<'c, 'a>> {
        let mut sizes = vec![Size::Static(1); self.rank];
        for (&axis, &window) in self.window_axes().iter().zip(&self.windows) {
            sizes[axis] = updates[window];
        }
        sizes
    }

    /// The sizes of a gather's result, of indices and windows of some sizes.
    fn spread<'c, 'a>(
        &self,
        indices: &[Size<'c, 'a>],
        windows: &[Size<'c, 'a>],
    ) -> Vec<Size<'c, 'a>> {
        let is_of_place = |&(axis, _): &(usize, &Size<'c, 'a>)| axis != self.vector;
        let mut of_places = indices.iter().enumerate().filter(is_of_place);
        let axes = self.window_axes();
        (0..self.spread)
            .map(
                |axis| match self.windows.iter().position(|&window| window == axis) {
                    Some(window) => axes.get(window).map(|&axis| windows[axis]),
                    None => of_places.next().map(|(_, &size)| size),
                },
            )
            .map(|size| size.unwrap_or(Size::Static(1)))
            .collect()
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
    pub(super) fn are_of_elements(&self) -> bool {
        self.windows.is_empty() && self.batch.is_empty() && !self.indexed.is_empty()
    }

    /// Where the window of a place of the result or the updates begins, and the place in it; for
    /// each dimension of the array.
    pub(super) fn at<'c, 'a>(
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
            let start = index(builder, builder.extract(indices, &at)?, self.is_unsigned)?;
            starts[axis] = match self.wraps {
                true => builder.arithmetic("arith.minui", &[start, builder.index(i64::MAX)?])?,
                false => start,
            };
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
    let open = [element::open_operand(op, 0)?, element::open_operand(op, 1)?];
    let [array, indices] = &open;
    let to = element::open_result(op, 0)?;
    let names = [
        "offset_dims",
        "collapsed_slice_dims",
        "operand_batching_dims",
        "start_indices_batching_dims",
        "start_index_map",
    ];
    let places = Places::of(op, ("dimension_numbers", names), array, indices, to.rank())?;
    if array.rank() == 0 || to.sizes.contains(&Some(0)) {
        return empty_or_same(op, builder, operands, &to);
    }
    places.check_sizes(op, builder, (operands[0], operands[1]), None)?;
    let sizes = window_sizes(op, builder, operands, array)?;
    places.check_windows(op, builder, &sizes)?;
    let room = rooms(op, builder, operands[0], &sizes)?;
    if to.rank() > 0
        && let Some(window) = SingleWindow::of(op, builder, &places, (1, operands[1]), &sizes)?
    {
        let extents = places.spread(&builder.sizes(operands[1])?, &sizes);
        return window.slice(builder, &places, (operands[0], &room), &extents);
    }
    if takes_rows(&places, array, &sizes, to.rank()) {
        return rows(builder, operands, &places, indices, &room);
    }
    let extents = places.spread(&builder.sizes(operands[1])?, &sizes);
    Ok(builder.backpermute(
        &operands[..1],
        &extents,
        Bounds::Unchecked,
        |builder, place| {
            let (starts, offsets) = places.at(builder, operands[1], place)?;
            (0..places.rank)
                .map(|axis| {
                    let is_indexed = places.indexed.contains(&axis);
                    let start = match is_indexed {
                        true => clamped(builder, starts[axis], room[axis], places.is_unsigned)?,
                        false => starts[axis],
                    };
                    builder.arithmetic("arith.addi", &[start, offsets[axis]])
                })
                .collect()
        },
    )?)
}

/// Whether no number is there twice.
fn are_different(numbers: &[usize]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// The sizes of a gather's windows, which an operand gives if there is no attribute.
fn window_sizes<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    array: &Open<'c>,
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    if let Some(&given) = operands.get(2) {
        let all = Open {
            element: array.element,
            sizes: match known(op.operand(2)?) {
                Some(sizes) => sizes
                    .into_iter()
                    .map(|size| u64::try_from(size).ok())
                    .collect(),
                None => vec![None; array.rank()],
            },
        };
        return extents(op, builder, &all, Some(given));
    }
    let sizes = integers(op, "slice_sizes")?;
    let is_size = sizes.len() == array.rank() && sizes.iter().all(|&size| size >= 0);
    match is_size {
        true => Ok(sizes.into_iter().map(Size::Static).collect()),
        false => Err(missing(op, "slice_sizes", "a number for each dimension")),
    }
}

/// How far windows of some sizes can move in each dimension of an array.
fn rooms<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    windows: &[Size<'c, 'a>],
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    let all = builder.sizes(array)?;
    all.iter()
        .zip(windows)
        .map(|(&whole, &part)| room(op, builder, whole, part))
        .collect()
}

/// How far a part can move in a whole that is at least as large, which is checked.
pub(super) fn room<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    whole: Size<'c, 'a>,
    part: Size<'c, 'a>,
) -> Result<Size<'c, 'a>, PassError<'c>> {
    const TOO_LARGE: &str = "has a part that is larger than the whole";
    if let (Some(whole), Some(part)) = (whole.known(), part.known()) {
        let room = whole.checked_sub(part);
        let room = room.ok_or_else(|| unsupported(op, TOO_LARGE))?;
        return Ok(Size::Static(room as i64));
    }
    let sizes = [builder.size_value(whole)?, builder.size_value(part)?];
    let is_inside = builder.compare(Predicate::Uge, sizes[0], sizes[1])?;
    check(op, builder, is_inside, TOO_LARGE)?;
    Ok(Size::Dynamic(builder.arithmetic("arith.subi", &sizes)?))
}

/// Without elements, or of one.
fn empty_or_same<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    to: &Open<'c>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let extents = extents(op, builder, to, None)?;
    let number = match to.sizes.contains(&Some(0)) {
        true => zero(builder, to.element)?,
        false => builder.extract(operands[0], &[])?,
    };
    Ok(builder.fill(&[number], &extents)?)
}

/// Whether the indices name outer dimensions, and of these whole rows are taken, which are the
/// inner dimensions of the result.
fn takes_rows(places: &Places, array: &Open, sizes: &[Size], rank: usize) -> bool {
    let outer = places.indexed.len();
    let in_order = |axes: &[usize], first: usize| {
        axes.iter()
            .enumerate()
            .all(|(index, &axis)| axis == first + index)
    };
    let inner = rank - places.windows.len();
    outer > 0
        && places.batch.is_empty()
        && in_order(&places.indexed, 0)
        && in_order(&places.inserted, 0)
        && places.inserted.len() == outer
        && in_order(&places.windows, inner)
        && inner > 0
        && (outer..array.rank()).all(|axis| {
            let size = sizes[axis].known();
            size.is_some() && size == array.sizes[axis]
        })
}

/// Gathers rows, with an array of indices for each outer dimension.
fn rows<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    places: &Places,
    indices: &Open<'c>,
    room: &[Size<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let mut each = vec![];
    for (number, numbers) in all_numbers(builder, operands[1], places, indices)?
        .into_iter()
        .enumerate()
    {
        each.extend(builder.map(&[numbers], |builder, number_of| {
            let index = index(builder, number_of[0], places.is_unsigned)?;
            let last = room[places.indexed[number]];
            Ok(vec![clamped(builder, index, last, places.is_unsigned)?])
        })?);
    }
    Ok(builder.gather(&operands[..1], &each, Bounds::Unchecked)?)
}

/// For each dimension that is indexed, the numbers of all indices.
pub(super) fn all_numbers<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    places: &Places,
    indices: &Open<'c>,
) -> Result<Values<'c, 'a>, Error> {
    (0..places.indexed.len())
        .map(|number| match places.vector < indices.rank() {
            true => numbers(builder, array, places.vector, number),
            false => Ok(array),
        })
        .collect()
}

/// The numbers at one place of all indices.
fn numbers<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    vector: usize,
    number: usize,
) -> Result<Value<'c, 'a>, Error> {
    let mut sizes = builder.sizes(array)?;
    let mut offsets = vec![Size::Static(0); sizes.len()];
    offsets[vector] = Size::Static(number as i64);
    sizes[vector] = Size::Static(1);
    let part = builder.slice(
        &[array],
        &Slice::contiguous(offsets, sizes.clone()),
        Bounds::Checked,
    )?;
    sizes.remove(vector);
    Ok(builder.reshape(&part, &sizes)?[0])
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
    last: Size<'c, 'a>,
    is_unsigned: bool,
) -> Result<Value<'c, 'a>, Error> {
    let (zero, last) = (builder.index(0)?, builder.size_value(last)?);
    if is_unsigned {
        return builder.arithmetic("arith.minui", &[index, last]);
    }
    let not_before = builder.arithmetic("arith.maxsi", &[index, zero])?;
    builder.arithmetic("arith.minsi", &[not_before, last])
}

fn rank_of(array: Value) -> usize {
    cast::<RankedTensorType>(array.r#type()).map_or(0, |array| array.rank())
}
