//! `tensor.gather` and `tensor.scatter`: the combinators of these names, of arrays whose dimensions that are
//! indexed come first. What is outside of the array is found where it is read or written.

use melior::{
    Error,
    ir::{TypeLike, Value, ValueLike, r#type::RankedTensorType},
};
use soac_dialect::{
    builder::{Builder, Size, Values, combinators::Bounds},
    description::static_sizes,
    view::OpView,
};

use super::{
    Raised,
    arrays::{require_arrays, reshaped, transposed},
    reason::Reason,
};
use comb_kit::{element_types::element, target::rank_of};

/// Which dimensions of an array are indexed.
struct Axes {
    indexed: Vec<usize>,
    others: Vec<usize>,
}

impl Axes {
    fn of(view: &OpView, list: &str, rank: usize) -> Option<Self> {
        let indexed = view.integers(list).into_iter().map(|axis| axis as usize);
        let indexed: Vec<usize> = indexed.collect();
        let is_any = !indexed.is_empty() && indexed.iter().all(|&axis| axis < rank);
        let others = (0..rank).filter(|axis| !indexed.contains(axis)).collect();
        is_any.then_some(Self { indexed, others })
    }

    /// All dimensions, those that are indexed first.
    fn order(&self) -> Vec<i64> {
        let axes = self.indexed.iter().chain(&self.others);
        axes.map(|&axis| axis as i64).collect()
    }
}

/// What is gathered.
pub(super) fn gather<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
    bounds: Bounds,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_arrays(view, &[0, 1]) {
        return Ok(Err(reason));
    }
    let (array, indices) = (view.operands[0], view.operands[1]);
    let rank = rank_of(array)?;
    let Some(axes) = Axes::of(view, "gather_dims", rank) else {
        return Ok(Err(Reason::Dimensions));
    };
    let places = places(builder, indices, axes.indexed.len())?;
    let array = transposed(builder, array, &axes.order())?;
    let gathered = builder.gather(&[array], &places, bounds)?[0];
    let to = RankedTensorType::try_from(view.result_types[0])?;
    if rank_of(gathered)? == static_sizes(&to).len() {
        return Ok(Ok(vec![gathered]));
    }
    let mut sizes = builder.sizes(places[0])?;
    for axis in 0..rank {
        sizes.push(match axes.indexed.contains(&axis) {
            true => Size::Static(1),
            false => builder.size(view.operands[0], axis)?,
        });
    }
    Ok(Ok(vec![reshaped(builder, gathered, &sizes)?]))
}

/// What is scattered, element by element.
pub(super) fn scatter<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
    bounds: Bounds,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_arrays(view, &[0, 1, 2]) {
        return Ok(Err(reason));
    }
    let (source, destination) = (view.operands[0], view.operands[1]);
    let Some(axes) = Axes::of(view, "scatter_dims", rank_of(destination)?) else {
        return Ok(Err(Reason::Dimensions));
    };
    let places = places(builder, view.operands[2], axes.indexed.len())?;
    let leading = builder.sizes(places[0])?;
    let others = axes
        .others
        .iter()
        .map(|&axis| builder.size(destination, axis));
    let others: Vec<Size> = others.collect::<Result<_, Error>>()?;
    let sizes = [&leading[..], &others].concat();
    let source = match rank_of(source)? == sizes.len() {
        true => source,
        false => reshaped(builder, source, &sizes)?,
    };
    let mut index: Vec<Option<Value>> = vec![None; axes.indexed.len() + axes.others.len()];
    for (&axis, &place) in axes.indexed.iter().zip(&places) {
        let spread = builder.backpermute(&[place], &sizes, Bounds::Unchecked, |_, at| {
            Ok(at[..leading.len()].to_vec())
        })?;
        index[axis] = Some(spread[0]);
    }
    for (number, &axis) in axes.others.iter().enumerate() {
        let iota = builder.iota(&sizes, leading.len() + number, builder.index_type())?;
        index[axis] = Some(iota);
    }
    let index: Values = index.into_iter().flatten().collect();
    Ok(Ok(builder.scatter(
        &[source],
        &[destination],
        &index,
        bounds,
    )?))
}

/// The array of indices for each dimension that is indexed.
fn places<'c, 'a>(
    builder: &Builder<'c, 'a>,
    indices: Value<'c, 'a>,
    count: usize,
) -> Result<Values<'c, 'a>, Error> {
    let mut sizes = builder.sizes(indices)?;
    sizes.pop();
    let is_index = element(indices.r#type()).is_index();
    (0..count)
        .map(|number| {
            let place =
                builder.backpermute(&[indices], &sizes, Bounds::Unchecked, |builder, at| {
                    Ok([at, &[builder.index(number as i64)?]].concat())
                })?[0];
            if is_index {
                return Ok(place);
            }
            let cast = builder.map(&[place], |builder, number| {
                Ok(vec![builder.value(
                    "arith.index_cast",
                    number,
                    builder.index_type(),
                    &[],
                )?])
            })?;
            Ok(cast[0])
        })
        .collect()
}
