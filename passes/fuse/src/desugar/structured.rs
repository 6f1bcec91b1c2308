//! Structured ops as `generate` and `backpermute`.
//!
//! The new ops have the old results' types, so that no cast comes between
//! combinators. Sizes that these types know are constants.

use melior::ir::{
    Attribute, OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Values, mixed_list},
    cast::cast,
    view::{OpView, as_argument, as_result, definition, named_attributes, op_name, uses},
};

use super::columns;
use comb_kit::{
    checks::elementwise::is_array,
    pass_error::PassError,
    switches::Switches,
    target::{Target, rank_of},
};
use comb_prepare::{
    convert_to_linalg::indexing::count,
    index_function::{self, IndexFunction, convert_index, position},
};

/// What an op becomes; nothing if it stays.
pub(super) type Rewritten<'c, 'a> = Result<Option<Values<'c, 'a>>, PassError<'c>>;

/// Rewrites an op, unless it is of the core.
pub(super) fn rewrite<'c, 'a>(
    op: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let Some(target) = Target::new(op, OpView::of(op), true)? else {
        return Ok(());
    };
    let results = target.view.result_types.len();
    match target.view.mnemonic() {
        "map" => return generate_captured(&target),
        "generate" if results > 1 => return generate_captured(&target),
        _ => (),
    }
    if let Some(results) = in_the_core(&target, switches)? {
        target.replace(&results)?;
    }
    Ok(())
}

fn in_the_core<'c, 'a>(target: &Target<'c, 'a>, switches: &Switches) -> Rewritten<'c, 'a> {
    let function = match target.view.mnemonic() {
        "iota" => return iota(target).map(Some),
        "fill" => return fill(target).map(Some),
        "zip" => return Ok(Some(target.view.operands.clone())),
        "cross" => return cross(target).map(Some),
        "concat" => return columns::concat(target, switches),
        "lmad_slice" => return lmad_slice(target).map(Some),
        "replicate" => index_function::replicate(target)?,
        "reverse" => index_function::reverse(target)?,
        "rotate" => index_function::rotate(target)?,
        "slice" => index_function::slice(target)?,
        "take" => index_function::take(target)?,
        "drop" => index_function::drop_outer(target)?,
        "transpose" => index_function::transpose(target),
        "reshape" => {
            if let Some(elements) = equal_elements(target) {
                return generate(target, |_, _| Ok(elements)).map(Some);
            }
            match index_function::unit_dimensions(target) {
                Some(function) if has_combinators_behind(target.op) => function,
                _ => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    let types = &target.view.result_types;
    read_at(target, &target.group(0), types, &function).map(Some)
}

/// Whether a combinator reads what an op gives.
fn has_combinators_behind(op: OperationRef) -> bool {
    let mut readers = op.results().flat_map(|result| uses(result.into()));
    readers.any(|(user, _)| op_name(user).starts_with("soac.") && op_name(user) != "soac.yield")
}

fn iota<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let element = target.description.results[0].element;
    let dim = target.view.integer("dim").unwrap_or(0) as usize;
    generate(target, |builder, index| {
        Ok(vec![convert_index(builder, index[dim], element)?])
    })
}

/// One `generate` for each value.
fn fill<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let values = target.group(0).into_iter().zip(&target.view.result_types);
    let arrays = values
        .map(|(value, r#type)| Ok(generate_as(target, &[*r#type], |_, _| Ok(vec![value]))?[0]));
    arrays.collect()
}

/// The elements of the inputs, if each input is a `generate` all of whose elements are equal.
fn equal_elements<'c, 'a>(target: &Target<'c, 'a>) -> Option<Values<'c, 'a>> {
    let inputs = target.group(0).into_iter();
    let elements = inputs.map(|input| {
        let array = as_result(input)?;
        let view = OpView::of(array.owner());
        let mut elements = captured_elements(&view).into_iter();
        let element = elements.nth(array.result_number())??;
        (view.mnemonic() == "generate").then_some(element)
    });
    elements.collect()
}

/// What a lambda yields, where it does not compute it, but captures it: equal elements.
fn captured_elements<'c, 'a>(view: &OpView<'c, 'a>) -> Vec<Option<Value<'c, 'a>>> {
    let lambda = view.block();
    let yielded = view.yielded().unwrap_or_default().into_iter();
    let captured = yielded.map(|element| {
        let is_computed = match as_argument(element) {
            Some(argument) => Some(argument.owner()) == lambda,
            None => definition(element).and_then(|op| op.block()) == lambda,
        };
        (!is_computed && !is_array(element.r#type())).then_some(element)
    });
    captured.collect()
}

/// Replaces results whose elements a lambda captures by those of a `generate` each.
fn generate_captured<'c>(target: &Target<'c, '_>) -> Result<(), PassError<'c>> {
    let captured = captured_elements(&target.view);
    for (number, (result, element)) in target.op.results().zip(captured).enumerate() {
        let Some(element) = element.filter(|_| !uses(result.into()).is_empty()) else {
            continue;
        };
        let sizes = sizes_of_result(target, number, &[result.r#type()])?;
        let array = target.builder.generate(&sizes, |_, _| Ok(vec![element]))?[0];
        let array = target.builder.cast(array, result.r#type())?;
        target.builder.replace_uses(result.into(), array, None);
    }
    Ok(())
}

fn generate<'c, 'a>(
    target: &Target<'c, 'a>,
    lambda: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, PassError<'c>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    generate_as(target, &target.view.result_types, lambda)
}

/// A `generate` that gives arrays of some of the op's types.
fn generate_as<'c, 'a>(
    target: &Target<'c, 'a>,
    types: &[Type<'c>],
    lambda: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, PassError<'c>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let builder = &target.builder;
    let (list, sizes) = mixed_list(&sizes_of(target, types)?);
    let index = vec![builder.index_type(); list.len()];
    let region = builder.region(&index, "soac.yield", lambda)?;
    let kept = kept_attributes(target.op);
    let mut attributes = named(&kept);
    attributes.push(("static_sizes", builder.integers(&list)));
    let op = builder.op("soac.generate", &sizes, types, &attributes, vec![region])?;
    Ok(op.results().map(Into::into).collect())
}

/// The left arrays at the leading indices, the right ones at the others.
fn cross<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (lefts, rights) = (target.group(0), target.group(1));
    let left_rank = rank_of(lefts[0])?;
    let dimensions = left_rank + rank_of(rights[0])?;
    let (left_types, right_types) = target.view.result_types.split_at(lefts.len());
    let leading = index_function::projection(0..left_rank);
    let trailing = index_function::projection(left_rank..dimensions);
    let mut results = read_at(target, &lefts, left_types, &leading)?;
    results.extend(read_at(target, &rights, right_types, &trailing)?);
    Ok(results)
}

/// The points of an LMAD in an array, which is reshaped to one dimension before.
fn lmad_slice<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let mut sources = target.group(0);
    if rank_of(sources[0])? != 1 {
        let count = count(target, &target.builder.sizes(sources[0])?)?;
        sources = target.builder.reshape(&sources, &[count])?;
    }
    let offset = target.mixed("static_offset", 1)?[0];
    let strides = target.mixed("static_strides", 3)?;
    let types = &target.view.result_types;
    let shape = Shape {
        sizes: &sizes_of(target, types)?,
        types,
        attributes: &kept_attributes(target.op),
    };
    backpermute(&target.builder, &sources, &shape, |builder, index| {
        Ok(vec![lmad_point(builder, offset, index, &strides)?])
    })
}

/// `offset + Σ index_k · stride_k`, without what is known to be zero or one.
pub(super) fn lmad_point<'c, 'a>(
    builder: &Builder<'c, 'a>,
    offset: Size<'c, 'a>,
    index: &[Value<'c, 'a>],
    strides: &[Size<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let mut sum = match offset {
        Size::Static(0) => None,
        offset => Some(builder.size_value(offset)?),
    };
    for (&index, &stride) in index.iter().zip(strides) {
        let term = match stride {
            Size::Static(0) => continue,
            Size::Static(1) => index,
            stride => builder.arithmetic("arith.muli", &[index, builder.size_value(stride)?])?,
        };
        sum = Some(match sum {
            None => term,
            Some(sum) => builder.arithmetic("arith.addi", &[sum, term])?,
        });
    }
    match sum {
        Some(sum) => Ok(sum),
        None => Ok(builder.index(0)?),
    }
}

/// The inputs at a function of the index, which is in range.
fn read_at<'c, 'a>(
    target: &Target<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    types: &[Type<'c>],
    function: &IndexFunction<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let sizes = sizes_of(target, types)?;
    let shape = Shape {
        sizes: &sizes,
        types,
        attributes: &kept_attributes(target.op),
    };
    backpermute(&target.builder, inputs, &shape, |builder, index| {
        position(builder, function, index)
    })
}

/// What a new `backpermute` gives.
pub(super) struct Shape<'s, 'c, 'a> {
    pub sizes: &'s [Size<'c, 'a>],
    pub types: &'s [Type<'c>],
    /// Attributes that it keeps.
    pub attributes: &'s [(String, Attribute<'c>)],
}

/// An unchecked `backpermute`.
pub(super) fn backpermute<'c, 'a>(
    builder: &Builder<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    shape: &Shape<'_, 'c, 'a>,
    lambda: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, PassError<'c>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let index = vec![builder.index_type(); shape.sizes.len()];
    let region = builder.region(&index, "soac.yield", lambda)?;
    let (list, values) = mixed_list(shape.sizes);
    let segments = [inputs.len() as i32, values.len() as i32];
    let mut attributes = named(shape.attributes);
    attributes.extend([
        ("static_sizes", builder.integers(&list)),
        ("operandSegmentSizes", builder.segments(&segments)),
        ("unchecked", builder.unit()),
    ]);
    let operands = [inputs, &values].concat();
    let regions = vec![region];
    let op = builder.op(
        "soac.backpermute",
        &operands,
        shape.types,
        &attributes,
        regions,
    )?;
    Ok(op.results().map(Into::into).collect())
}

pub(super) fn named<'s, 'c>(
    attributes: &'s [(String, Attribute<'c>)],
) -> Vec<(&'s str, Attribute<'c>)> {
    attributes
        .iter()
        .map(|(name, attribute)| (name.as_str(), *attribute))
        .collect()
}

/// The sizes of the results: constants where the types of some of them say so.
pub(super) fn sizes_of<'c, 'a>(
    target: &Target<'c, 'a>,
    types: &[Type<'c>],
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    sizes_of_result(target, 0, types)
}

/// The sizes of one result, which one of the types may know.
fn sizes_of_result<'c, 'a>(
    target: &Target<'c, 'a>,
    number: usize,
    types: &[Type<'c>],
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    let sizes = &target.description.results[number].sizes;
    sizes
        .iter()
        .enumerate()
        .map(|(axis, size)| match (claimed_size(types, axis), size) {
            (Some(claimed), _) => Ok(Size::Static(claimed)),
            (None, Some(size)) => target.size(size),
            (None, None) => Err(target.unsupported("has a result whose size is not known")),
        })
        .collect()
}

fn claimed_size(types: &[Type], axis: usize) -> Option<i64> {
    types.iter().find_map(
        |&array| match cast::<RankedTensorType>(array)?.dim_size(axis).ok()? {
            DimSize::Static(size) => Some(size as i64),
            DimSize::Dynamic => None,
        },
    )
}

/// The attributes that say nothing of how the op is defined: the label, and those
/// of other dialects.
pub(super) fn kept_attributes<'c>(op: OperationRef<'c, '_>) -> Vec<(String, Attribute<'c>)> {
    named_attributes(op)
        .into_iter()
        .filter(|(name, _)| *name == "label" || name.contains('.'))
        .map(|(name, attribute)| (name.to_owned(), attribute))
        .collect()
}
