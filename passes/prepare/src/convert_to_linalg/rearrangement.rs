//! Ops that give the elements of their inputs at other places, in a way that is
//! affine in the index.
//!
//! Slices with positive strides are views. Reversed dimensions are read one
//! element at a time and not viewed with a negative stride: MLIR 22 lowers
//! negative strides to multiplications without wrap-around, which LLVM then
//! folds wrongly.

use melior::ir::Value;
use soac_dialect::builder::{Generic, Iterator, Size, Slice, Values};

use super::{
    indexing::{backpermuted, reshaped},
    lambda::{identity, map},
    slices,
};
use comb_kit::{
    pass_error::PassError,
    target::{Target, array_type_of, rank_of},
};

use crate::index_function::{self, IndexFunction, position};

/// Copies each input to its result through an indexing map of the result's
/// dimensions.
fn copied<'c, 'a>(
    target: &Target<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    maps: &[String],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let outputs = target.empty_results()?;
    let dimensions = target.description.results[0].sizes.len();
    let mut all_maps = maps.to_vec();
    all_maps.extend(vec![identity(dimensions); outputs.len()]);
    let parts = Generic {
        inputs,
        outputs: &outputs,
        maps: &all_maps,
        iterators: &vec![Iterator::Parallel; dimensions],
    };
    target
        .builder
        .generic(&parts, |_, elements| Ok(elements[..inputs.len()].to_vec()))
}

pub(super) fn cross<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (lefts, rights) = (target.group(0), target.group(1));
    let left_rank = rank_of(lefts[0])?;
    let dimensions = left_rank + rank_of(rights[0])?;
    let mut maps = vec![map(dimensions, 0..left_rank); lefts.len()];
    maps.extend(vec![map(dimensions, left_rank..dimensions); rights.len()]);
    copied(target, &[lefts, rights].concat(), &maps)
}

pub(super) fn replicate<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let dimensions = target.description.results[0].sizes.len();
    let outer = dimensions - rank_of(inputs[0])?;
    let maps = vec![map(dimensions, outer..dimensions); inputs.len()];
    copied(target, &inputs, &maps)
}

pub(super) fn transpose<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let permutation = target.view.integers("permutation");
    // Dimension d of the input is the result's dimension at which d stands.
    let positions = (0..permutation.len()).map(|dimension| {
        permutation
            .iter()
            .position(|&entry| entry as usize == dimension)
            .unwrap_or(dimension)
    });
    let positions: Vec<usize> = positions.collect();
    let maps = vec![map(permutation.len(), positions); inputs.len()];
    copied(target, &inputs, &maps)
}

pub(super) fn reverse<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    read_at(target, &index_function::reverse(target)?)
}

pub(super) fn rotate<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    read_at(target, &index_function::rotate(target)?)
}

/// Reads the inputs at a function of the result's index.
fn read_at<'c, 'a>(
    target: &Target<'c, 'a>,
    function: &IndexFunction<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    backpermuted(target, &target.group(0), |builder, index| {
        position(builder, function, index)
    })
}

pub(super) fn slice<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let strides = target.mixed("static_strides", 3)?;
    let forwards = strides
        .iter()
        .all(|stride| matches!(stride, Size::Static(stride) if *stride > 0));
    if !forwards {
        return read_at(target, &index_function::slice(target)?);
    }
    let offsets = target.mixed("static_offsets", 1)?;
    sliced(target, &target.group(0), offsets, strides)
}

/// Slices with the sizes of the results, as views.
fn sliced<'c, 'a>(
    target: &Target<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    offsets: Vec<Size<'c, 'a>>,
    strides: Vec<Size<'c, 'a>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let sizes = target.result_sizes(&target.description.results[0])?;
    let slice = Slice {
        offsets,
        sizes,
        strides,
    };
    inputs
        .iter()
        .map(|&input| slices::read(&target.builder, input, &slice, slice.sizes.len()))
        .collect()
}

pub(super) fn take<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let rank = rank_of(inputs[0])?;
    sliced(
        target,
        &inputs,
        vec![Size::Static(0); rank],
        vec![Size::Static(1); rank],
    )
}

pub(super) fn drop_outer<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let rank = rank_of(inputs[0])?;
    let mut offsets = target.mixed("static_counts", 1)?;
    offsets.resize(rank, Size::Static(0));
    sliced(target, &inputs, offsets, vec![Size::Static(1); rank])
}

pub(super) fn reshape<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let sizes = target.mixed("static_sizes", 1)?;
    target
        .group(0)
        .into_iter()
        .map(|input| {
            array_type_of(input)?;
            reshaped(target, input, &sizes)
        })
        .collect()
}
