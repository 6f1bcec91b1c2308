//! `linalg.softmax`: the folds and maps that it stands for, with arithmetic in the type of the elements.

use melior::{
    Error,
    ir::{Value, ValueLike},
};
use soac_dialect::{
    builder::{Builder, Size, combinators::Bounds},
    view::OpView,
};

use super::{
    Raised,
    arrays::{require_arrays, transposed},
    reason::Reason,
};
use comb_kit::{element_types::element, neutral::Neutral, target::rank_of};

/// The exponential functions of the distances to the greatest number along a dimension, by their sum.
pub(super) fn raise<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_arrays(view, &[0]) {
        return Ok(Err(reason));
    }
    let array = view.operands[0];
    let rank = rank_of(array)?;
    let dimension = view
        .integer("dimension")
        .and_then(|axis| usize::try_from(axis).ok());
    let Some(axis) = dimension.filter(|&axis| axis < rank) else {
        return Ok(Err(Reason::Dimensions));
    };
    let others = (0..rank).filter(|&other| other != axis);
    let inside: Vec<usize> = others.chain([axis]).collect();
    let mut outside = vec![0; rank];
    for (place, &axis) in inside.iter().enumerate() {
        outside[axis] = place as i64;
    }
    let places: Vec<i64> = inside.iter().map(|&axis| axis as i64).collect();
    let rows = transposed(builder, array, &places)?;
    let sizes = builder.sizes(rows)?;
    let greatest = folded(builder, rows, "arith.maximumf", &sizes)?;
    let exponentials = builder.map(&[rows, greatest], |builder, pair| {
        let distance = builder.arithmetic("arith.subf", pair)?;
        Ok(vec![builder.arithmetic("math.exp", &[distance])?])
    })?[0];
    let sum = folded(builder, exponentials, "arith.addf", &sizes)?;
    let shares = builder.map(&[exponentials, sum], |builder, pair| {
        Ok(vec![builder.arithmetic("arith.divf", pair)?])
    })?[0];
    Ok(Ok(vec![transposed(builder, shares, &outside)?]))
}

/// The fold of each row, for each of its elements.
fn folded<'c, 'a>(
    builder: &Builder<'c, 'a>,
    rows: Value<'c, 'a>,
    op: &str,
    sizes: &[Size<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let number = element(rows.r#type());
    let neutral = Neutral::of(op, number).ok_or(Error::OperationBuild)?;
    let neutral = neutral.build(builder, number)?;
    let folds = builder.fold(&[rows], &[neutral], |builder, pair| {
        Ok(vec![builder.arithmetic(op, pair)?])
    })?;
    let spread = builder.backpermute(&folds, sizes, Bounds::Unchecked, |_, index| {
        Ok(index[..index.len() - 1].to_vec())
    })?;
    Ok(spread[0])
}
