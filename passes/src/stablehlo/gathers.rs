//! `stablehlo.gather`: places that are computed, also those of a scatter.
//!
//! A place that is outside moves as far as it has to be inside. Whole rows are gathered as rows.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::builder::{Builder, Size, Slice, Values, combinators::Bounds};

use super::{
    attributes::{dimensions_in, integers, missing, number_in},
    element::{self, Array, Kind},
    reduce::zero,
    single_windows::SingleWindow,
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
    pub(super) rank: usize,
}

impl Places {
    pub(super) fn of<'c>(
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
    pub(super) fn sizes(&self, updates: &Array) -> Vec<u64> {
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
pub(super) fn all_numbers<'c, 'a>(
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
