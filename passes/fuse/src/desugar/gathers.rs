//! Gathers from cheap maps: what a map computes is computed again for the elements that a gather
//! reads, from the array that the map reads, if the map's result is needed besides.
//!
//! Then the gather need not wait until the map is through, and need not fetch what other threads
//! have just written from their caches, which takes longer than to compute it. If nothing but the
//! gather reads a map's result, fusion sees to it that it is not stored.
//!
//! 1. The cheap maps behind a source ([`Computation`]) are followed up to the one array that they
//!    all read, which is a function's or loop's argument: so it is in memory in any case.
//! 2. The gather reads that array, and copies of the maps follow.
//!
//! A gather whose `label` something refers to stays as it is, and so does one that the user says is
//! to share a loop with others, or not to.
//!
//! Elements of that array must not be larger than those of the source, lest more memory be read;
//! and nobody may write to it in place, which would need a copy of it for the gather.
//!
//! Cost: linear in the number of gathers, times the size of the maps.

use std::collections::HashMap;

use comb_machine::tuning::computable::CHEAP;
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Values, combinators::Bounds},
    view::{OpView, argument_of, definition, op_name, uses},
};

use super::{is_in_cluster, points::cheap_map};
use comb_kit::{
    checks::facts::key,
    element_types::{bits_in_memory, element},
    inline_copy::inline_copy,
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::operations,
};

use crate::fuse::{wishes::is_bound, work::instructions};

/// Ops that write to none of their operands, and need no memory of their own for them.
const READING: &[&str] = &[
    "func.return",
    "soac.backpermute",
    "soac.filter",
    "soac.fold",
    "soac.gather",
    "soac.map",
    "soac.scanl",
    "soac.scanr",
    "tensor.dim",
    "tensor.extract",
];

/// Rewrites the gathers of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        if op_name(op) == "soac.gather" && !is_in_cluster(op) {
            read_through_maps(op, switches)?;
        }
    }
    Ok(())
}

/// How an array is computed from another one by cheap maps.
struct Computation<'c, 'a> {
    /// The array that the maps read.
    input: Value<'c, 'a>,
    /// The maps, each after those whose results it reads.
    maps: Vec<OperationRef<'c, 'a>>,
}

fn read_through_maps<'c: 'a, 'a>(
    gather: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let view = OpView::of(gather);
    let Some(builder) = Builder::before(gather) else {
        return Ok(());
    };
    let sources = &view.operands[view.group(0)];
    let computations: Vec<_> = sources
        .iter()
        .map(|&source| computation(source, gather))
        .collect();
    let is_possible = !is_bound(gather) && computations.iter().any(Option::is_some);
    if !is_possible || !switches.applies(Transformation::MapsAgain, gather.location()) {
        return Ok(());
    }
    let inputs = sources.iter().zip(&computations);
    let inputs = inputs.map(|(&source, known)| known.as_ref().map_or(source, |known| known.input));
    let bounds = match view.flag("unchecked") {
        true => Bounds::Unchecked,
        false => Bounds::Checked,
    };
    let inputs: Values = inputs.collect();
    let mut results = builder.gather(&inputs, &view.operands[view.group(1)], bounds)?;
    for (number, computation) in computations.iter().enumerate() {
        if let Some(computation) = computation {
            results[number] = computed(&builder, computation, sources[number], results[number])?;
        }
        results[number] = builder.cast(results[number], view.result_types[number])?;
    }
    builder.replace(gather, &results);
    Ok(())
}

/// How a gather's source is computed, if it is to be computed again.
fn computation<'c: 'a, 'a>(
    source: Value<'c, 'a>,
    gather: OperationRef<'c, 'a>,
) -> Option<Computation<'c, 'a>> {
    let is_needed_besides = uses(source).into_iter().any(|(user, _)| user != gather);
    let is_beside = definition(source).is_some_and(|map| map.block() == gather.block());
    if !is_needed_besides || !is_beside {
        return None;
    }
    let mut inputs = vec![];
    let mut maps = vec![];
    follow(source, &mut inputs, &mut maps)?;
    let work: f64 = maps
        .iter()
        .flat_map(|&map| operations(map))
        .map(instructions)
        .sum();
    let [input] = *inputs.as_slice() else {
        return None;
    };
    let bits = |array: Value| bits_in_memory(element(array.r#type()));
    let is_only_read = || {
        uses(input)
            .into_iter()
            .all(|(user, _)| READING.contains(&op_name(user)))
    };
    (work <= CHEAP && bits(input) <= bits(source) && is_only_read())
        .then_some(Computation { input, maps })
}

/// Collects the maps that compute an array, and the arguments that they read.
fn follow<'c: 'a, 'a>(
    array: Value<'c, 'a>,
    inputs: &mut Values<'c, 'a>,
    maps: &mut Vec<OperationRef<'c, 'a>>,
) -> Option<()> {
    if argument_of(array).is_some() {
        if !inputs.contains(&array) {
            inputs.push(array);
        }
        return Some(());
    }
    let map = cheap_map(array).filter(|&map| !is_bound(map))?;
    if maps.contains(&map) {
        return Some(());
    }
    for &operand in &OpView::of(map).operands {
        follow(operand, inputs, maps)?;
    }
    // So that no more is followed than may be copied.
    (maps.len() < CHEAP as usize).then(|| maps.push(map))
}

/// What the maps of a computation make of elements of its input.
fn computed<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    computation: &Computation<'c, 'a>,
    source: Value<'c, 'a>,
    elements: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let mut copies = HashMap::from([(key(computation.input), elements)]);
    for &map in &computation.maps {
        let builder = builder.located(map.location());
        let view = OpView::of(map);
        let operands: Values = view
            .operands
            .iter()
            .map(|&array| copies[&key(array)])
            .collect();
        let results = builder.map(&operands, |builder, arguments| {
            inline_copy(builder, map, arguments)
        })?;
        for (old, new) in map.results().zip(results) {
            copies.insert(key(old.into()), new);
        }
    }
    Ok(copies[&key(source)])
}
