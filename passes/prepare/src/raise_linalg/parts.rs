//! `tensor.insert_slice` and `tensor.generate`.

use melior::ir::{OperationRef, r#type::RankedTensorType};
use soac_dialect::{
    builder::{Builder, Size, combinators::Bounds},
    description::static_sizes,
    slice::kept_dimensions,
    view::OpView,
};

use super::{
    Raised,
    arrays::{require_arrays, require_results, reshaped},
    reason::Reason,
};
use comb_kit::{inline_copy::inline_copy, walk::blocks};

/// An update. What is inserted gets the slice's dimensions of size 1 that it lacks.
pub(super) fn insert_slice<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_arrays(view, &[0, 1]) {
        return Ok(Err(reason));
    }
    let (source, destination) = (view.operands[0], view.operands[1]);
    let [offsets, sizes, strides] = [
        ("static_offsets", 2),
        ("static_sizes", 3),
        ("static_strides", 4),
    ]
    .map(|(list, group)| view.mixed_values(list, group));
    let is_stride = |stride: &Size| matches!(stride, Size::Static(stride) if *stride != 0);
    if !strides.iter().all(is_stride) {
        return Ok(Err(Reason::Stride));
    }
    let array = RankedTensorType::try_from(view.operand_type(0))?;
    let Some(kept) = kept_dimensions(view, &array) else {
        return Ok(Err(Reason::Dimensions));
    };
    if sizes.is_empty() {
        return Ok(Ok(vec![source]));
    }
    let source = match kept.len() == sizes.len() {
        true => source,
        false => reshaped(builder, source, &sizes)?,
    };
    Ok(Ok(builder.update(
        source,
        destination,
        &offsets,
        &strides,
        Bounds::Unchecked,
    )?))
}

/// The combinator of that name.
pub(super) fn generate<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_results(view) {
        return Ok(Err(reason));
    }
    let shape = static_sizes(&RankedTensorType::try_from(view.result_types[0])?);
    if blocks(op).len() != 1 || shape.is_empty() {
        return Ok(Err(Reason::Region));
    }
    let mut values = view.operands.iter();
    let sizes: Option<Vec<Size>> = shape
        .into_iter()
        .map(|size| match size {
            Some(size) => Some(Size::Static(size)),
            None => values.next().copied().map(Size::Dynamic),
        })
        .collect();
    let Some(sizes) = sizes else {
        return Ok(Err(Reason::Dimensions));
    };
    let array = builder.generate(&sizes, |builder, index| inline_copy(builder, op, index))?;
    Ok(Ok(array))
}
