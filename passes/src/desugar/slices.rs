//! `tensor.extract_slice`, where combinators read it, as `backpermute`: then they read the array
//! that it is a part of, and nothing is copied. Others go on reading the slice.
//!
//! Slices are looked at from the last to the first, so that a slice of a slice is one, too.
//!
//! Cost: linear in the number of slices and of their uses.

use melior::ir::{
    OperationRef, Type, Value,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    view::{DYNAMIC, OpView, op_name, set_operand, uses},
};

use super::{
    is_in_cluster,
    structured::{Shape, backpermute, lmad_point},
};
use crate::{bridge::PassError, walk::operations};

/// Rewrites the slices of a module that are outside of clusters.
pub(super) fn rewrite<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module).into_iter().rev() {
        if op_name(op) == "tensor.extract_slice" && !is_in_cluster(op) {
            give_to_combinators(op)?;
        }
    }
    Ok(())
}

/// Gives the combinators that read a slice a `backpermute` instead.
fn give_to_combinators<'c: 'a, 'a>(slice: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let result: Value = slice.result(0)?.into();
    let mut readers = uses(result);
    readers
        .retain(|&(user, _)| op_name(user).starts_with("soac.") && op_name(user) != "soac.yield");
    if readers.is_empty() {
        return Ok(());
    }
    let Some(array) = read_in_place(slice)? else {
        return Ok(());
    };
    for (reader, operand) in readers {
        set_operand(reader, operand, array);
    }
    Ok(())
}

/// The `backpermute` that reads what a slice is of.
fn read_in_place<'c: 'a, 'a>(
    slice: OperationRef<'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, PassError<'c>> {
    let Some(builder) = Builder::before(slice) else {
        return Ok(None);
    };
    let view = OpView::of(slice);
    let [offsets, sizes, strides] = [("offsets", 1), ("sizes", 2), ("strides", 3)]
        .map(|(name, group)| mixed(&view, &format!("static_{name}"), group));
    let Some(kept) = kept_dimensions(&sizes, view.result_types[0])? else {
        return Ok(None);
    };
    let shape = Shape {
        sizes: &kept
            .iter()
            .map(|&dimension| sizes[dimension])
            .collect::<Vec<_>>(),
        types: &view.result_types,
        attributes: &[],
    };
    let arrays = backpermute(&builder, &view.operands[..1], &shape, |builder, index| {
        (0..sizes.len())
            .map(|dimension| {
                let place = kept.iter().position(|&other| other == dimension);
                let index: Vec<Value> = place.map(|place| index[place]).into_iter().collect();
                lmad_point(builder, offsets[dimension], &index, &[strides[dimension]])
            })
            .collect()
    })?;
    Ok(arrays.first().copied())
}

/// A list of constants and operands.
fn mixed<'c, 'a>(view: &OpView<'c, 'a>, attribute: &str, group: usize) -> Vec<Size<'c, 'a>> {
    let mut values = view.operands[view.group(group)].iter();
    let entries = view.integers(attribute).into_iter();
    entries
        .filter_map(|entry| match entry {
            DYNAMIC => values.next().map(|&value| Size::Dynamic(value)),
            _ => Some(Size::Static(entry)),
        })
        .collect()
}

/// The dimensions of a slice that its type has; those that it leaves out have size 1. Where there
/// is a choice, the first are kept, as MLIR does.
fn kept_dimensions<'c>(
    sizes: &[Size],
    r#type: Type<'c>,
) -> Result<Option<Vec<usize>>, PassError<'c>> {
    let array = RankedTensorType::try_from(r#type)?;
    let mut kept = vec![];
    for (dimension, size) in sizes.iter().enumerate() {
        let is_kept = kept.len() < array.rank()
            && match (size, array.dim_size(kept.len())?) {
                (Size::Static(size), DimSize::Static(claimed)) => {
                    u64::try_from(*size) == Ok(claimed)
                }
                (Size::Dynamic(_), DimSize::Dynamic) => true,
                _ => false,
            };
        match (is_kept, size) {
            (true, _) => kept.push(dimension),
            (false, Size::Static(1)) => {}
            (false, _) => return Ok(None),
        }
    }
    Ok((kept.len() == array.rank()).then_some(kept))
}
