//! Ops that give the elements of their inputs at other places, in a way that is
//! affine in the index.
//!
//! Slices with positive strides are views. Reversed dimensions are read one
//! element at a time and not viewed with a negative stride: MLIR 22 lowers
//! negative strides to multiplications without wrap-around, which LLVM then
//! folds wrongly.

use melior::ir::Value;
use soac_dialect::builder::{Builder, Generic, Iterator, Predicate, Size, Slice, Values};

use super::{
    indexing::{backpermuted, lmad_point, reshaped},
    lambda::{identity, map},
    slices,
    target::{Target, array_type_of, rank_of},
};
use crate::bridge::PassError;

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
    let inputs = target.group(0);
    let dims = target.view.integers("dims");
    let sizes = target.first_result_sizes()?;
    backpermuted(target, &inputs, |builder, index| {
        let one = builder.index(1)?;
        let mut position = index.to_vec();
        for &dim in &dims {
            let dim = dim as usize;
            let last = builder.arithmetic("arith.subi", &[sizes[dim], one])?;
            position[dim] = builder.arithmetic("arith.subi", &[last, index[dim]])?;
        }
        Ok(position)
    })
}

pub(super) fn rotate<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let sizes = target.first_result_sizes()?;
    let amounts = target
        .values(&target.mixed("static_amounts", 1)?)?
        .into_iter()
        .zip(&sizes)
        .map(|(amount, &size)| floor_modulo(&target.builder, amount, size))
        .collect::<Result<Values, PassError>>()?;
    backpermuted(target, &inputs, |builder, index| {
        let mut position = index.to_vec();
        for (dim, &amount) in amounts.iter().enumerate() {
            let moved = builder.arithmetic("arith.addi", &[index[dim], amount])?;
            let wrapped = builder.arithmetic("arith.subi", &[moved, sizes[dim]])?;
            let inside = builder.compare(Predicate::Ult, moved, sizes[dim])?;
            position[dim] = builder.value(
                "arith.select",
                &[inside, moved, wrapped],
                builder.index_type(),
                &[],
            )?;
        }
        Ok(position)
    })
}

/// The amount modulo the size, from 0 to the size; 0 for an empty dimension.
fn floor_modulo<'c, 'a>(
    builder: &Builder<'c, 'a>,
    amount: Value<'c, 'a>,
    size: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let (zero, one) = (builder.index(0)?, builder.index(1)?);
    let divisor = builder.arithmetic("arith.maxsi", &[size, one])?;
    let remainder = builder.arithmetic("arith.remsi", &[amount, divisor])?;
    let moved = builder.arithmetic("arith.addi", &[remainder, divisor])?;
    let negative = builder.compare(Predicate::Slt, remainder, zero)?;
    Ok(builder.value(
        "arith.select",
        &[negative, moved, remainder],
        builder.index_type(),
        &[],
    )?)
}

pub(super) fn slice<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let inputs = target.group(0);
    let offsets = target.mixed("static_offsets", 1)?;
    let strides = target.mixed("static_strides", 3)?;
    let forwards = strides
        .iter()
        .all(|stride| matches!(stride, Size::Static(stride) if *stride > 0));
    if forwards {
        return sliced(target, &inputs, offsets, strides);
    }
    let (offsets, strides) = (target.values(&offsets)?, target.values(&strides)?);
    backpermuted(target, &inputs, |builder, index| {
        (0..index.len())
            .map(|dim| {
                lmad_point(
                    builder,
                    offsets[dim],
                    &index[dim..=dim],
                    &strides[dim..=dim],
                )
            })
            .collect()
    })
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
