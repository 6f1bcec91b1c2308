//! Slices of arrays: what is constant, which dimensions of size 1 are left out, and where
//! combinators read them.
//!
//! * Offsets, sizes and strides that are constant are written into the op, so that types say them.
//!   MLIR's own patterns for it get slices wrong that leave dimensions out, and take −2^63 for "not
//!   constant" (see `comb-canonicalize`).
//! * A slice may leave out some of its dimensions of size 1 and keep others. In memory, MLIR 22 finds
//!   out which by strides, and crashes if these do not tell. So such a slice keeps all dimensions,
//!   and is reshaped ([`keep_all_dimensions`]).
//! * `tensor.extract_slice`, where combinators read it, becomes a `backpermute`: then they read the
//!   array that it is a part of, and nothing is copied. Others go on reading the slice.
//!
//! Slices are looked at from the last to the first, so that a slice of a slice is a `backpermute`, too.
//!
//! Cost: linear in the number of slices and of their uses.

use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice, array_type, mixed_list},
    description::static_sizes,
    slice::kept_dimensions,
    view::{DYNAMIC, OpView, op_name, set_operand, uses},
};

use super::{
    is_in_cluster,
    structured::{Shape, backpermute, lmad_point},
};
use comb_kit::{checks::facts::constant, pass_error::PassError, walk::operations};

/// The op that reads a slice, and those that write one.
const READ: &str = "tensor.extract_slice";
const WRITTEN: &str = "tensor.insert_slice";
const WRITTEN_IN_PARALLEL: &str = "tensor.parallel_insert_slice";

/// Rewrites the slices of a module. What clusters read stays as it is.
pub(super) fn rewrite<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module).into_iter().rev() {
        let Some(part) = Part::of(op)? else {
            continue;
        };
        if op_name(op) == READ && !is_in_cluster(op) {
            give_to_combinators(op, &part)?;
        }
        make_plain(op, &part)?;
    }
    Ok(())
}

/// Has slices of a module say what they leave out, also those that simplification has made ambiguous.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn keep_all_dimensions<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module).into_iter().rev() {
        if let Some(part) = Part::of(op)? {
            make_plain(op, &part)?;
        }
    }
    Ok(())
}

/// Has an op say all of what it reads or writes, if it does not.
fn make_plain<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    part: &Part<'c, 'a>,
) -> Result<(), PassError<'c>> {
    match op_name(op) {
        _ if part.is_plain => Ok(()),
        READ => read_again(op, part),
        _ => write_again(op, part),
    }
}

/// What an op reads or writes, with the constants in it.
struct Part<'c, 'a> {
    slice: Slice<'c, 'a>,
    /// Which of the slice's dimensions the array that was read or is written has.
    kept: Vec<usize>,
    /// The type of that array.
    array: RankedTensorType<'c>,
    /// Whether the op says all this, and leaves out no dimensions of size 1 while it keeps others.
    is_plain: bool,
}

impl<'c: 'a, 'a> Part<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Result<Option<Self>, PassError<'c>> {
        let view = OpView::of(op);
        let (array, of, first) = match view.name {
            READ => (view.result_types[0], view.operands[0], 1),
            WRITTEN | WRITTEN_IN_PARALLEL => (view.operands[0].r#type(), view.operands[1], 2),
            _ => return Ok(None),
        };
        let array = RankedTensorType::try_from(array)?;
        let Some(kept) = kept_dimensions(&view, &array) else {
            return Ok(None);
        };
        let written = extent(&view, first);
        let bounds = static_sizes(&RankedTensorType::try_from(of.r#type())?);
        let slice = with_constants(&written, &bounds);
        let says_all = slice.offsets == written.offsets
            && slice.sizes == written.sizes
            && slice.strides == written.strides;
        let is_plain = says_all && !is_ambiguous(&slice, kept.len());
        Ok(Some(Self {
            slice,
            kept,
            array,
            is_plain,
        }))
    }

    /// The type of the array, with the sizes that are constant.
    fn array_type(&self) -> Type<'c> {
        let sizes: Vec<Option<u64>> = self
            .kept
            .iter()
            .map(|&dimension| self.slice.sizes[dimension].known())
            .collect();
        array_type(&sizes, self.array.element())
    }

    /// The type of the slice with all its dimensions.
    fn whole_type(&self) -> Type<'c> {
        let sizes: Vec<Option<u64>> = self.slice.sizes.iter().map(|size| size.known()).collect();
        array_type(&sizes, self.array.element())
    }

    /// Which dimensions of the slice make up each of the array's, as an attribute.
    fn groups(&self) -> String {
        let starts = std::iter::once(0).chain(self.kept.iter().skip(1).copied());
        let ends = self.kept.iter().skip(1).copied();
        let groups = starts
            .zip(ends.chain([self.slice.sizes.len()]))
            .map(|(start, end)| {
                let group: Vec<String> = (start..end).map(|axis| format!("{axis} : i64")).collect();
                format!("[{}]", group.join(", "))
            });
        // An array of no dimensions is made of no groups.
        let groups: Vec<String> = groups.take(self.kept.len()).collect();
        format!("[{}]", groups.join(", "))
    }
}

/// Whether a slice has more dimensions of size 1 than it leaves out, and leaves out some.
fn is_ambiguous(slice: &Slice, kept: usize) -> bool {
    let left_out = slice.sizes.len() - kept;
    let ones = slice.sizes.iter().filter(|&&size| size == Size::Static(1));
    left_out > 0 && ones.count() > left_out
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The slice with its constants as constants. A program that gets to the op has passed the checks in
/// front of it: a negative offset belongs to a slice without elements, and may be any other; sizes are
/// not negative, and the least stride belongs to one element at most. What MLIR would reject as
/// being outside of the array stays a value.
fn with_constants<'c, 'a>(slice: &Slice<'c, 'a>, bounds: &[Option<i64>]) -> Slice<'c, 'a> {
    let mut new = Slice {
        offsets: slice
            .offsets
            .iter()
            .map(|&offset| at_least(offset, 0))
            .collect(),
        sizes: slice.sizes.iter().map(|&size| at_least(size, 0)).collect(),
        strides: slice
            .strides
            .iter()
            .map(|&stride| match known(stride) {
                Some(DYNAMIC) => Size::Static(1),
                Some(stride) => Size::Static(stride),
                None => stride,
            })
            .collect(),
    };
    for (dimension, bound) in bounds.iter().enumerate() {
        let constants =
            [&new.offsets, &new.sizes, &new.strides].map(|list| match list[dimension] {
                Size::Static(constant) => Some(constant),
                Size::Dynamic(_) => None,
            });
        if !is_accepted(constants, *bound) {
            new.offsets[dimension] = slice.offsets[dimension];
            new.sizes[dimension] = slice.sizes[dimension];
            new.strides[dimension] = slice.strides[dimension];
        }
    }
    new
}

fn known(size: Size) -> Option<i64> {
    match size {
        Size::Static(constant) => Some(constant),
        Size::Dynamic(value) => constant(value),
    }
}

/// A constant, of which a lower one is replaced by the least.
fn at_least<'c, 'a>(size: Size<'c, 'a>, least: i64) -> Size<'c, 'a> {
    known(size).map_or(size, |constant| Size::Static(constant.max(least)))
}

/// Whether MLIR accepts an offset, a size and a stride where an array has a size.
fn is_accepted([offset, size, stride]: [Option<i64>; 3], bound: Option<i64>) -> bool {
    let (Some(offset), Some(bound)) = (offset, bound) else {
        return true;
    };
    let (Some(size), Some(stride)) = (size, stride) else {
        return offset < bound;
    };
    let last = i128::from(offset) + (i128::from(size) - 1) * i128::from(stride);
    offset < bound && last < i128::from(bound)
}

//===----------------------------------------------------------------------===//
// Slices that stay
//===----------------------------------------------------------------------===//

/// Builds an op that reads a slice again.
fn read_again<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    part: &Part<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let source = op.operand(0)?;
    let array = if is_ambiguous(&part.slice, part.kept.len()) {
        let whole = builder.extract_slice(source, &part.slice, part.whole_type())?;
        let groups = [("reassociation", builder.attribute(&part.groups())?)];
        builder.value(
            "tensor.collapse_shape",
            &[whole],
            part.array_type(),
            &groups,
        )?
    } else {
        builder.extract_slice(source, &part.slice, part.array_type())?
    };
    builder.replace(op, &[builder.cast(array, part.array.into())?]);
    Ok(())
}

/// Builds an op that writes a slice again.
fn write_again<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    part: &Part<'c, 'a>,
) -> Result<(), PassError<'c>> {
    // Only ops that write slices may stand beside one that does so in parallel.
    let place = match op_name(op) {
        WRITTEN => Some(op),
        _ => op.parent_operation(),
    };
    let (Some(builder), Some(array)) = (Builder::before(op), place.and_then(Builder::before))
    else {
        return Ok(());
    };
    let mut source = array.cast(op.operand(0)?, part.array_type())?;
    if is_ambiguous(&part.slice, part.kept.len()) {
        let (list, values) = mixed_list(&part.slice.sizes);
        let attributes = [
            ("reassociation", array.attribute(&part.groups())?),
            ("static_output_shape", array.integers(&list)),
        ];
        let operands = [&[source], &values[..]].concat();
        source = array.value(
            "tensor.expand_shape",
            &operands,
            part.whole_type(),
            &attributes,
        )?;
    }
    let into = op.operand(1)?;
    if op_name(op) == WRITTEN {
        builder.replace(op, &[builder.insert_slice(source, into, &part.slice)?]);
    } else {
        builder.insert_slice_in_parallel(source, into, &part.slice)?;
        builder.erase(op);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Slices that combinators read
//===----------------------------------------------------------------------===//

/// Gives the combinators that read a slice a `backpermute` instead.
fn give_to_combinators<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    part: &Part<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let result: Value = op.result(0)?.into();
    let mut readers = uses(result);
    readers.retain(|&(user, _)| {
        let name = op_name(user);
        name.starts_with("soac.") && !matches!(name, "soac.cluster" | "soac.yield")
    });
    if readers.is_empty() {
        return Ok(());
    }
    let Some(array) = read_in_place(op, part)? else {
        return Ok(());
    };
    for (reader, operand) in readers {
        set_operand(reader, operand, array);
    }
    Ok(())
}

/// The `backpermute` that reads what a slice is of.
fn read_in_place<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    part: &Part<'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(None);
    };
    let (
        Slice {
            offsets,
            sizes,
            strides,
        },
        kept,
    ) = (&part.slice, &part.kept);
    let shape = Shape {
        sizes: &kept
            .iter()
            .map(|&dimension| sizes[dimension])
            .collect::<Vec<_>>(),
        types: &[part.array_type()],
        attributes: &[],
    };
    let arrays = backpermute(&builder, &[op.operand(0)?], &shape, |builder, index| {
        (0..sizes.len())
            .map(|dimension| {
                let place = kept.iter().position(|&other| other == dimension);
                let index: Vec<Value> = place.map(|place| index[place]).into_iter().collect();
                lmad_point(builder, offsets[dimension], &index, &[strides[dimension]])
            })
            .collect()
    })?;
    match arrays.first() {
        Some(&array) => Ok(Some(builder.cast(array, part.array.into())?)),
        None => Ok(None),
    }
}

/// What a slice is of: its lists begin with a group of operands.
fn extent<'c, 'a>(view: &OpView<'c, 'a>, first: usize) -> Slice<'c, 'a> {
    Slice {
        offsets: view.mixed_values("static_offsets", first),
        sizes: view.mixed_values("static_sizes", first + 1),
        strides: view.mixed_values("static_strides", first + 2),
    }
}
