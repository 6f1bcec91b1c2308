//! Maps over outer dimensions, and lambdas that compute arrays: loops that
//! carry the results.

use melior::ir::{
    BlockRef, Value, ValueLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice, Values},
    cast::is_a,
};

use super::slices;
use comb_kit::{
    pass_error::PassError,
    target::{Target, array_type_of, rank_of},
};

/// How many dimensions a map goes over.
fn outer_dimensions(target: &Target) -> Result<usize, PassError<'static>> {
    match target.view.integer("outer") {
        Some(outer) => Ok(outer as usize),
        None => Ok(rank_of(target.view.operands[0])?),
    }
}

/// Whether the lambda of a map takes or yields arrays.
pub(super) fn has_inner_arrays<'c>(target: &Target<'c, '_>) -> Result<bool, PassError<'c>> {
    let Some(outer) = target.view.integer("outer") else {
        return Ok(false);
    };
    let outer = outer as usize;
    let takes = target
        .group(0)
        .into_iter()
        .map(|input| Ok(rank_of(input)? > outer))
        .collect::<Result<Vec<_>, PassError>>()?;
    let yields = target
        .description
        .results
        .iter()
        .any(|result| result.sizes.len() > outer);
    Ok(yields || takes.contains(&true))
}

/// A map as a loop nest over its outer dimensions.
pub(super) fn map<'c, 'a>(
    target: &Target<'c, 'a>,
    lambda: BlockRef<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let outer = outer_dimensions(target)?;
    let sizes = target.first_result_sizes()?[..outer].to_vec();
    let results = target.empty_results()?;
    target
        .builder
        .loop_nest(&sizes, &results, &mut |builder, indices, carried| {
            let arguments = inputs
                .iter()
                .map(|&input| inner_array(builder, input, indices))
                .collect::<Result<Values, PassError>>()?;
            let yielded = builder.inline(lambda, &arguments)?;
            store(builder, &yielded, carried, indices)
        })
}

/// A generate as a loop nest.
pub(super) fn generate<'c, 'a>(
    target: &Target<'c, 'a>,
    lambda: BlockRef<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let sizes = target.first_result_sizes()?;
    let results = target.empty_results()?;
    target
        .builder
        .loop_nest(&sizes, &results, &mut |builder, indices, carried| {
            let yielded = builder.inline(lambda, indices)?;
            store(builder, &yielded, carried, indices)
        })
}

/// The part of an array at an index of its outer dimensions: an element if
/// these are all.
pub(super) fn inner_array<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let r#type = array_type_of(array)?;
    if r#type.rank() == indices.len() {
        return Ok(builder.extract(array, indices)?);
    }
    let sizes = &builder.sizes(array)?[indices.len()..];
    slices::read(builder, array, &inner_slice(indices, sizes), sizes.len())
}

/// The slice of size 1 at an index of the outer dimensions, and of the given
/// sizes in the others.
fn inner_slice<'c, 'a>(indices: &[Value<'c, 'a>], sizes: &[Size<'c, 'a>]) -> Slice<'c, 'a> {
    let mut offsets: Vec<Size> = indices.iter().map(|&index| Size::Dynamic(index)).collect();
    offsets.resize(indices.len() + sizes.len(), Size::Static(0));
    let mut all_sizes = vec![Size::Static(1); indices.len()];
    all_sizes.extend_from_slice(sizes);
    Slice::contiguous(offsets, all_sizes)
}

/// The results with elements, or inner arrays, replaced at an index.
pub(super) fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    yielded: &[Value<'c, 'a>],
    results: &[Value<'c, 'a>],
    indices: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    yielded
        .iter()
        .zip(results)
        .map(|(&value, &result)| {
            if !is_a::<RankedTensorType>(value.r#type()) {
                return Ok(builder.insert_element(value, result, indices)?);
            }
            let slice = inner_slice(indices, &builder.sizes(value)?);
            slices::write(builder, value, result, &slice)
        })
        .collect()
}
