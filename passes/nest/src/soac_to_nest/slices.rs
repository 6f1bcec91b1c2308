//! Elements of slices of arrays, read from the arrays themselves.
//!
//! The lambda of a map over rows takes a slice. Only ops that read elements of it are left when all in the
//! lambda has become loops; so nothing need be known of slices where loops are scheduled.
//!
//! Cost: linear in the size of the kernels, and in the number of slices of slices.

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use nest_dialect::builder::NestBuilder;
use soac_dialect::{
    builder::{Builder, Size},
    cast::{cast, is_a},
    view::{OpView, definition, op_name, uses},
};

type Made<'c, T> = Result<T, PassError<'c>>;
type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Reads elements of arrays, in a kernel, where they are read of slices that are made in it.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn read_through<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>) -> Made<'c, ()> {
    let ops = operations(kernel);
    let is_read = |op: &&OperationRef| matches!(op_name(**op), "nest.read" | "tensor.extract");
    for &read in ops.iter().filter(is_read) {
        let operands: Values = read.operands().collect();
        let (mut array, mut index) = (operands[0], operands[1..].to_vec());
        let Some(builder) = Builder::before(read) else {
            continue;
        };
        while let Some(view) = definition(array).filter(|view| ops.contains(view))
            && let Some(of_whole) = in_whole(&builder, view, &index)?
        {
            (array, index) = (view.operand(0)?, of_whole);
        }
        if array != operands[0] {
            let element = match op_name(read) {
                "nest.read" => builder.read(array, &index)?,
                _ => builder.value(
                    "tensor.extract",
                    &[&[array], index.as_slice()].concat(),
                    read.result(0)?.r#type(),
                    &[],
                )?,
            };
            builder.replace(read, &[element]);
        }
    }
    for &view in ops.iter().rev().filter(|op| is_view(**op)) {
        let is_used = view.results().any(|result| !uses(result.into()).is_empty());
        if let Some(builder) = Builder::before(view).filter(|_| !is_used) {
            builder.erase(view);
        }
    }
    Ok(())
}

fn is_view(op: OperationRef) -> bool {
    matches!(op_name(op), "tensor.cast" | "tensor.extract_slice")
}

/// The index in an array of what is at an index of a view of it; nothing if that is no view.
fn in_whole<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: OperationRef<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Made<'c, Option<Values<'c, 'a>>> {
    match op_name(view) {
        "tensor.cast" => {
            let is_ranked = is_a::<RankedTensorType>(view.operand(0)?.r#type());
            Ok(is_ranked.then(|| index.to_vec()))
        }
        "tensor.extract_slice" => of_slice(builder, view, index),
        _ => Ok(None),
    }
}

fn of_slice<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    slice: OperationRef<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Made<'c, Option<Values<'c, 'a>>> {
    let view = OpView::of(slice);
    let Some(kept) = kept_dimensions(&view) else {
        return Ok(None);
    };
    let offsets = view.mixed_values_of("static_offsets", view.group(1));
    let strides = view.mixed_values_of("static_strides", view.group(3));
    let mut whole = vec![];
    for (dimension, (&offset, &stride)) in offsets.iter().zip(&strides).enumerate() {
        let place = kept.iter().position(|&kept| kept == dimension);
        let moved = match place {
            Some(place) => scaled(builder, index[place], stride)?,
            None => builder.index(0)?,
        };
        whole.push(match offset {
            Size::Static(0) => moved,
            offset => {
                let offset = builder.size_value(offset)?;
                match place {
                    Some(_) => builder.arithmetic("arith.addi", &[offset, moved])?,
                    None => offset,
                }
            }
        });
    }
    Ok(Some(whole))
}

fn scaled<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    stride: Size<'c, 'a>,
) -> Made<'c, Value<'c, 'a>> {
    match stride {
        Size::Static(1) => Ok(index),
        stride => Ok(builder.arithmetic("arith.muli", &[index, builder.size_value(stride)?])?),
    }
}

/// The dimensions of the whole that a slice has, the last ones where others of one element might be meant as
/// well: these have the same elements.
fn kept_dimensions(view: &OpView) -> Option<Vec<usize>> {
    let sizes = view.integers("static_sizes");
    let result = cast::<RankedTensorType>(*view.result_types.first()?)?;
    let mut left = result.rank();
    let mut kept = vec![];
    for dimension in (0..sizes.len()).rev() {
        let is_one = |place: usize| result.dim_size(place) == Ok(DimSize::Static(1));
        let is_kept = sizes[dimension] != 1 || left > 0 && is_one(left - 1);
        if is_kept {
            left = left.checked_sub(1)?;
            kept.push(dimension);
        }
    }
    kept.reverse();
    (left == 0).then_some(kept)
}
