//! Folds and scans along the innermost dimensions.

use melior::ir::{BlockRef, Value};
use soac_dialect::builder::{Builder, Generic, Iterator, Values};

use super::{
    lambda::{identity, is_scalar, map},
    mapnest::store,
    pointwise::filled,
};
use comb_kit::{
    pass_error::PassError,
    target::{Target, rank_of},
};

pub(super) fn fold<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let lambda = target.lambda()?;
    let (inputs, neutrals) = (target.group(0), target.group(1));
    let dimensions = rank_of(inputs[0])?;
    let kept = target.description.results[0].sizes.len();
    if !is_scalar(lambda) {
        return fold_by_loops(target, lambda, kept);
    }
    let outputs = target
        .empty_results()?
        .into_iter()
        .zip(&neutrals)
        .map(|(output, &neutral)| filled(&target.builder, neutral, output))
        .collect::<Result<Values, PassError>>()?;
    let mut maps = vec![identity(dimensions); inputs.len()];
    maps.extend(vec![map(dimensions, 0..kept); outputs.len()]);
    let mut iterators = vec![Iterator::Parallel; kept];
    iterators.resize(dimensions, Iterator::Reduction);
    let parts = Generic {
        inputs: &inputs,
        outputs: &outputs,
        maps: &maps,
        iterators: &iterators,
    };
    target.builder.generic(&parts, |builder, values| {
        let (elements, accumulators) = values.split_at(inputs.len());
        Ok(builder.inline(lambda, &[accumulators, elements].concat())?)
    })
}

/// A fold whose lambda computes arrays.
fn fold_by_loops<'c, 'a>(
    target: &Target<'c, 'a>,
    lambda: BlockRef<'c, 'a>,
    kept: usize,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (inputs, neutrals) = (target.group(0), target.group(1));
    let sizes = target.values(&target.builder.sizes(inputs[0])?)?;
    let results = target.empty_results()?;
    target
        .builder
        .loop_nest(&sizes[..kept], &results, &mut |builder, outer, carried| {
            let folded = builder.loop_nest(
                &sizes[kept..],
                &neutrals,
                &mut |builder, inner, accumulators| {
                    let indices = [outer, inner].concat();
                    let elements = elements(builder, &inputs, &indices)?;
                    let arguments = [accumulators, elements.as_slice()].concat();
                    Ok::<_, PassError>(builder.inline(lambda, &arguments)?)
                },
            )?;
            store(builder, &folded, carried, outer)
        })
}

fn elements<'c, 'a>(
    builder: &Builder<'c, 'a>,
    arrays: &[Value<'c, 'a>],
    indices: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    arrays
        .iter()
        .map(|&array| Ok(builder.extract(array, indices)?))
        .collect()
}

pub(super) fn scan<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let lambda = target.lambda()?;
    let (inputs, neutrals) = (target.group(0), target.group(1));
    let sizes = target.values(&target.builder.sizes(inputs[0])?)?;
    let Some((&length, outer_sizes)) = sizes.split_last() else {
        return Err(target.unsupported("scans an array of 0 dimensions"));
    };
    let results = target.empty_results()?;
    let count = results.len();
    target
        .builder
        .loop_nest(outer_sizes, &results, &mut |builder, outer, carried| {
            let state = [carried, neutrals.as_slice()].concat();
            let state = builder.for_loop(length, &state, |builder, step, state| {
                let (results, accumulators) = state.split_at(count);
                let position = scan_position(target, builder, step, length)?;
                let indices = [outer, &[position]].concat();
                let row = Row {
                    inputs: &inputs,
                    lambda,
                };
                scan_step(target, builder, &row, &indices, results, accumulators)
            })?;
            Ok::<_, PassError>(state[..count].to_vec())
        })
}

/// What a scan goes over, and how.
struct Row<'s, 'c, 'a> {
    inputs: &'s [Value<'c, 'a>],
    lambda: BlockRef<'c, 'a>,
}

/// Where a step of a scan is: from the right for `scanr`.
fn scan_position<'c, 'a>(
    target: &Target<'c, 'a>,
    builder: &Builder<'c, 'a>,
    step: Value<'c, 'a>,
    length: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    if target.view.mnemonic() == "scanl" {
        return Ok(step);
    }
    let one = builder.index(1)?;
    let last = builder.arithmetic("arith.subi", &[length, one])?;
    Ok(builder.arithmetic("arith.subi", &[last, step])?)
}

/// Combines the elements at a position and stores the accumulators: those
/// before the step if the scan is exclusive. Gives results and accumulators.
fn scan_step<'c, 'a>(
    target: &Target<'c, 'a>,
    builder: &Builder<'c, 'a>,
    row: &Row<'_, 'c, 'a>,
    indices: &[Value<'c, 'a>],
    results: &[Value<'c, 'a>],
    accumulators: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let elements = elements(builder, row.inputs, indices)?;
    let arguments = if target.view.mnemonic() == "scanl" {
        [accumulators, elements.as_slice()].concat()
    } else {
        [elements.as_slice(), accumulators].concat()
    };
    let combined = builder.inline(row.lambda, &arguments)?;
    let stored = if target.view.flag("exclusive") {
        accumulators
    } else {
        &combined
    };
    let results = store(builder, stored, results, indices)?;
    Ok([results, combined].concat())
}
