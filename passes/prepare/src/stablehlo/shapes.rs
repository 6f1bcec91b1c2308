//! Ops that only move elements: broadcasts, reshapes, permutations, joined arrays.

use melior::ir::{OperationRef, Value};
use soac_dialect::builder::{Builder, Values, combinators::Bounds};

use super::{
    attributes::{integer, integers, missing},
    element::{self, extents},
    open_shapes, unsupported,
};
use comb_kit::pass_error::PassError;

/// `stablehlo.broadcast_in_dim`: a fill of a number, a reshape if no element is repeated, a
/// replicate if there are only new outer dimensions, and otherwise a gather by affine indices.
/// Sizes that the result's type has are not asked of the operand that gives them.
pub(super) fn broadcast_in_dim<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let open = (element::open_operand(op, 0)?, element::open_result(op, 0)?);
    let dimensions = dimensions(op, "broadcast_dimensions", open.1.rank())?;
    let (Some(from), Some(to)) = (open.0.known(), open.1.known()) else {
        return open_shapes::broadcast(op, builder, operands, &open, &dimensions);
    };
    let operands = &operands[..1];
    let fits = |(&dimension, &size): (&usize, &u64)| size == 1 || size == to.sizes[dimension];
    if dimensions.len() != from.rank() || !dimensions.iter().zip(&from.sizes).all(fits) {
        return Err(unsupported(op, "has dimensions that do not fit"));
    }
    if from.rank() == 0 && to.rank() > 0 {
        let number = builder.extract(operands[0], &[])?;
        return Ok(builder.fill(&[number], &to.extents())?);
    }
    let in_order = dimensions.windows(2).all(|pair| pair[0] < pair[1]);
    if in_order && from.sizes.iter().product::<u64>() == to.sizes.iter().product::<u64>() {
        return Ok(builder.reshape(operands, &to.extents())?);
    }
    let outer = to.rank() - from.rank();
    if in_order && to.sizes[outer..] == from.sizes[..] && dimensions.first() == Some(&outer) {
        return Ok(builder.replicate(operands, &to.extents()[..outer])?);
    }
    Ok(builder.backpermute(
        operands,
        &to.extents(),
        Bounds::Unchecked,
        |builder, indices| {
            dimensions
                .iter()
                .zip(&from.sizes)
                .map(|(&dimension, &size)| match size == to.sizes[dimension] {
                    true => Ok(indices[dimension]),
                    false => builder.index(0),
                })
                .collect()
        },
    )?)
}

/// `stablehlo.reshape`, to the sizes of the result's type, or those that are given.
pub(super) fn reshape<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let open = (element::open_operand(op, 0)?, element::open_result(op, 0)?);
    let (Some(from), Some(to)) = (open.0.known(), open.1.known()) else {
        return open_shapes::reshape(op, builder, operands, &open);
    };
    Ok(vec![reshaped(
        builder,
        operands[0],
        &from.sizes,
        &to.sizes,
    )?])
}

/// An array of as many elements in another shape.
pub(super) fn reshaped<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    from: &[u64],
    to: &[u64],
) -> Result<Value<'c, 'a>, melior::Error> {
    let new = match from.is_empty() {
        _ if from == to => return Ok(array),
        true => builder.fill(&[builder.extract(array, &[])?], &extents(to))?,
        false => builder.reshape(&[array], &extents(to))?,
    };
    Ok(new[0])
}

/// `stablehlo.transpose`.
pub(super) fn transpose<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let rank = element::open_operand(op, 0)?.rank();
    let permutation = dimensions(op, "permutation", rank)?;
    if permutation.len() != rank {
        return Err(missing(op, "permutation", "all dimensions of the operand"));
    }
    transposed(builder, operands, &permutation).map_err(PassError::from)
}

/// Arrays with their dimensions in another order.
pub(super) fn transposed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    arrays: &[Value<'c, 'a>],
    permutation: &[usize],
) -> Result<Values<'c, 'a>, melior::Error> {
    if permutation.is_sorted() {
        return Ok(arrays.to_vec());
    }
    let permutation: Vec<i64> = permutation.iter().map(|&axis| axis as i64).collect();
    builder.transpose(arrays, &permutation)
}

/// What is made of arrays of some rank with one of their dimensions moved inside, and back.
pub(super) fn moved_inside<'c, 'a>(
    builder: &Builder<'c, 'a>,
    arrays: &[Value<'c, 'a>],
    (rank, axis): (usize, usize),
    make: impl FnOnce(&[Value<'c, 'a>]) -> Result<Values<'c, 'a>, melior::Error>,
) -> Result<Values<'c, 'a>, melior::Error> {
    let others = (0..rank).filter(|&other| other != axis);
    let order: Vec<usize> = others.chain([axis]).collect();
    let mut back = vec![0; rank];
    for (place, &axis) in order.iter().enumerate() {
        back[axis] = place;
    }
    let made = make(&transposed(builder, arrays, &order)?)?;
    transposed(builder, &made, &back)
}

/// `stablehlo.reverse`.
pub(super) fn reverse<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let rank = element::open_operand(op, 0)?.rank();
    let dimensions = dimensions(op, "dimensions", rank)?;
    if dimensions.is_empty() {
        return Ok(operands.to_vec());
    }
    let dimensions: Vec<i64> = dimensions.iter().map(|&axis| axis as i64).collect();
    Ok(builder.reverse(operands, &dimensions)?)
}

/// `stablehlo.concatenate`.
pub(super) fn concatenate<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let rank = element::open_result(op, 0)?.rank();
    let dimension = usize::try_from(integer(op, "dimension")?).ok();
    let dimension = dimension.filter(|&dimension| dimension < rank);
    let dimension = dimension.ok_or_else(|| missing(op, "dimension", "one of the result"))?;
    Ok(builder.concat(operands, dimension)?)
}

/// Different dimensions of an array of some rank.
pub(super) fn dimensions<'c>(
    op: OperationRef<'c, '_>,
    name: &str,
    rank: usize,
) -> Result<Vec<usize>, PassError<'c>> {
    let given = integers(op, name)?;
    let dimensions: Option<Vec<usize>> = given
        .iter()
        .map(|&axis| usize::try_from(axis).ok().filter(|&axis| axis < rank))
        .collect();
    let dimensions = dimensions.filter(|dimensions| {
        let mut sorted = dimensions.clone();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] < pair[1])
    });
    dimensions.ok_or_else(|| missing(op, name, "different dimensions"))
}
