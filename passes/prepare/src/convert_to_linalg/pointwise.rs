//! Ops whose results are computed element by element: generate, map, iota and
//! fill.

use melior::ir::Value;
use soac_dialect::builder::{Builder, Generic, Iterator, Values};

use super::{
    lambda::{identity, is_scalar},
    mapnest,
};
use comb_kit::{pass_error::PassError, target::Target};

use crate::index_function::convert_index;

/// Computes every element of the results from its index, and the elements of
/// `inputs` there.
pub(super) fn elementwise<'c, 'a>(
    target: &Target<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, PassError<'c>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let outputs = target.empty_results()?;
    let dimensions = target.description.results[0].sizes.len();
    let maps = vec![identity(dimensions); inputs.len() + outputs.len()];
    let parts = Generic {
        inputs,
        outputs: &outputs,
        maps: &maps,
        iterators: &vec![Iterator::Parallel; dimensions],
    };
    target.builder.generic(&parts, body)
}

/// The index of the element that is being computed.
pub(super) fn element_index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    dimensions: usize,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    (0..dimensions)
        .map(|dimension| Ok(builder.iteration_index(dimension)?))
        .collect()
}

pub(super) fn generate<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let lambda = target.lambda()?;
    let dimensions = target.description.results[0].sizes.len();
    if !is_scalar(lambda) {
        return mapnest::generate(target, lambda);
    }
    elementwise(target, &[], |builder, _| {
        let index = element_index(builder, dimensions)?;
        Ok(builder.inline(lambda, &index)?)
    })
}

pub(super) fn map<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let lambda = target.lambda()?;
    let inputs = target.group(0);
    if !is_scalar(lambda) || mapnest::has_inner_arrays(target)? {
        return mapnest::map(target, lambda);
    }
    elementwise(target, &inputs, |builder, elements| {
        Ok(builder.inline(lambda, &elements[..inputs.len()])?)
    })
}

pub(super) fn iota<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let element = target.description.results[0].element;
    let dim = target.view.integer("dim").unwrap_or(0) as usize;
    elementwise(target, &[], |builder, _| {
        let index = builder.iteration_index(dim)?;
        Ok(vec![convert_index(builder, index, element)?])
    })
}

pub(super) fn fill<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let outputs = target.empty_results()?;
    target
        .group(0)
        .into_iter()
        .zip(outputs)
        .map(|(value, output)| filled(&target.builder, value, output))
        .collect()
}

/// The array with all elements replaced by a value.
pub(super) fn filled<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    output: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let dimensions = comb_kit::target::rank_of(output)?;
    let parts = Generic {
        inputs: &[],
        outputs: &[output],
        maps: &[identity(dimensions)],
        iterators: &vec![Iterator::Parallel; dimensions],
    };
    let result = builder.generic::<PassError>(&parts, |_, _| Ok(vec![value]))?;
    Ok(result[0])
}
