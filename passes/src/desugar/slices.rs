//! `tensor.extract_slice`, where combinators read it, as `backpermute`: then they read the array
//! that it is a part of, and nothing is copied. Others go on reading the slice.
//!
//! Slices are looked at from the last to the first, so that a slice of a slice is one, too.
//!
//! A slice may leave out some of its dimensions of size 1 and keep others. In memory, MLIR 22 finds
//! out which by strides, and crashes if these do not tell ([`keep_all_dimensions`]). So where there
//! are strides, such a slice keeps all dimensions, and is reshaped.
//!
//! Cost: linear in the number of slices and of their uses.

use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice, array_type, mixed_list},
    view::{DYNAMIC, OpView, op_name, set_operand, uses},
};

use super::{
    is_in_cluster,
    structured::{Shape, backpermute, lmad_point},
};
use crate::{bridge::PassError, walk::operations};

/// The op that reads a slice, and all that read or write one.
const READ: &str = "tensor.extract_slice";
const SLICES: &[&str] = &[READ, "tensor.insert_slice"];

/// Rewrites the slices of a module. What clusters read stays as it is.
pub(super) fn rewrite<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module).into_iter().rev() {
        if !SLICES.contains(&op_name(op)) {
            continue;
        }
        if op_name(op) == READ && !is_in_cluster(op) {
            give_to_combinators(op)?;
        }
        keep_all_dimensions(op)?;
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
    let Slice {
        offsets,
        sizes,
        strides,
    } = extent(&view, 1);
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

/// Has a slice that leaves out some of its dimensions of size 1 keep all.
fn keep_all_dimensions<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let is_read = op_name(op) == READ;
    let (slice, part) = match is_read {
        true => (extent(&view, 1), view.result_types[0]),
        false => (extent(&view, 2), view.operands[0].r#type()),
    };
    let Some(groups) = ambiguous_groups(&slice, part)? else {
        return Ok(());
    };
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let constants: Vec<Option<u64>> = slice.sizes.iter().map(|size| size.known()).collect();
    let whole = array_type(&constants, RankedTensorType::try_from(part)?.element());
    let groups = builder.attribute(&groups)?;
    let result = if is_read {
        let array = builder.extract_slice(view.operands[0], &slice, whole)?;
        builder.value(
            "tensor.collapse_shape",
            &[array],
            part,
            &[("reassociation", groups)],
        )?
    } else {
        let (list, values) = mixed_list(&slice.sizes);
        let operands = [&view.operands[..1], &values].concat();
        let attributes = [
            ("reassociation", groups),
            ("static_output_shape", builder.integers(&list)),
        ];
        let array = builder.value("tensor.expand_shape", &operands, whole, &attributes)?;
        builder.insert_slice(array, view.operands[1], &slice)?
    };
    builder.replace(op, &[result]);
    Ok(())
}

/// Which dimensions of a slice make up each of the part's, as an attribute, if the slice has
/// strides, and more dimensions of size 1 than it leaves out.
fn ambiguous_groups<'c>(slice: &Slice, part: Type<'c>) -> Result<Option<String>, PassError<'c>> {
    let dimensions = slice.sizes.len();
    let left_out = dimensions - RankedTensorType::try_from(part)?.rank();
    let is_one = |&&size: &&Size| size == Size::Static(1);
    let has_strides = slice.strides.iter().filter(is_one).count() < dimensions;
    let may_be_left_out = slice.sizes.iter().filter(is_one).count();
    if left_out == 0 || !has_strides || may_be_left_out == left_out {
        return Ok(None);
    }
    let Some(kept) = kept_dimensions(&slice.sizes, part)? else {
        return Ok(None);
    };
    let starts = std::iter::once(0).chain(kept.iter().skip(1).copied());
    let ends = kept.iter().skip(1).copied().chain([dimensions]);
    let groups = starts.zip(ends).map(|(start, end)| {
        let group: Vec<String> = (start..end).map(|axis| format!("{axis} : i64")).collect();
        format!("[{}]", group.join(", "))
    });
    Ok(Some(format!("[{}]", groups.collect::<Vec<_>>().join(", "))))
}

/// What a slice is of: its lists begin with a group of operands.
fn extent<'c, 'a>(view: &OpView<'c, 'a>, first: usize) -> Slice<'c, 'a> {
    Slice {
        offsets: mixed(view, "static_offsets", first),
        sizes: mixed(view, "static_sizes", first + 1),
        strides: mixed(view, "static_strides", first + 2),
    }
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
