//! `tensor.insert_slice`, `tensor.generate` and `tensor.splat`.

use melior::ir::{OperationRef, Value, r#type::RankedTensorType};
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

/// The combinator of that name. An array without dimensions is the only element of one with a dimension.
pub(super) fn generate<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_results(view) {
        return Ok(Err(reason));
    }
    if blocks(op).len() != 1 {
        return Ok(Err(Reason::Region));
    }
    let Some(sizes) = sizes_of(view, &view.operands)? else {
        return Ok(Err(Reason::Dimensions));
    };
    if sizes.is_empty() {
        let array = builder.generate(&[Size::Static(1)], |builder, _| {
            inline_copy(builder, op, &[])
        })?;
        return Ok(Ok(vec![reshaped(builder, array[0], &sizes)?]));
    }
    let array = builder.generate(&sizes, |builder, index| inline_copy(builder, op, index))?;
    Ok(Ok(array))
}

/// A fill.
pub(super) fn splat<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_results(view) {
        return Ok(Err(reason));
    }
    let Some(sizes) = sizes_of(view, &view.operands[1..])? else {
        return Ok(Err(Reason::Dimensions));
    };
    if sizes.is_empty() {
        let array = builder.fill(&view.operands[..1], &[Size::Static(1)])?;
        return Ok(Ok(vec![reshaped(builder, array[0], &sizes)?]));
    }
    Ok(Ok(builder.fill(&view.operands[..1], &sizes)?))
}

/// The sizes of the result, if there is a value for each that is not known.
fn sizes_of<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    dynamic: &[Value<'c, 'a>],
) -> Result<Option<Vec<Size<'c, 'a>>>, melior::Error> {
    let shape = static_sizes(&RankedTensorType::try_from(view.result_types[0])?);
    let mut values = dynamic.iter();
    let sizes = shape.into_iter().map(|size| match size {
        Some(size) => Some(Size::Static(size)),
        None => values.next().copied().map(Size::Dynamic),
    });
    Ok(sizes.collect())
}
