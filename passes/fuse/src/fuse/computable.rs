//! Arrays that need not be stored, since what an element costs is less than reading it: a
//! `generate` with a cheap lambda, such as an array of indices or of one value; what a
//! `backpermute` or a cheap map makes of such arrays alone; and arrays of one value that are made by
//! others than combinators ([`is_of_one_value`]).
//!
//! 1. Before anything is fused ([`give_to_readers`]): combinators in another block than such an array, as in
//!    a loop behind it, get one of their own in their block (in any block, if no combinator makes it). So do those in
//!    clusters, whose own one `cse` may have replaced by an equal one outside. A
//!    `tensor.extract` becomes the element, and a `backpermute` a `generate`. What nobody reads any more is erased.
//! 2. When a block is solved ([`split`]), and such an array has readers in several clusters:
//!    each cluster gets one of its own. The block is then solved again.
//!
//! Cost: linear in the number of uses of such arrays, times their cost.

use std::{
    cell::LazyCell,
    collections::{BTreeMap, HashMap},
};

use comb_fusion::clustering::Clustering;
use comb_machine::tuning::computable::{CHEAP, TRIVIAL};
use melior::ir::{
    OperationRef, Type, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType,
};
use soac_dialect::{
    builder::{Builder, Size, Values, mixed_list},
    cast::Parts,
    description::static_sizes,
    view::{
        OpView, as_result, definition, is_in_cluster, op_name, set_operand, stands_before, uses,
    },
};

use super::{problem::Problem, work::plain_instructions};
use comb_kit::{
    inline_copy::inline_copy,
    known_sizes::with_static,
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::{op_key, operations},
};

use crate::fuse::wishes::is_bound;

/// Combinators that read elements one by one.
const READERS: &[&str] = &[
    "soac.backpermute",
    "soac.filter",
    "soac.fold",
    "soac.gather",
    "soac.map",
    "soac.scanl",
    "soac.scanr",
    "soac.scatter",
];

/// Computes cheap arrays where they are read, in a function.
pub(super) fn give_to_readers<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let mut sources: Vec<_> = operations(function)
        .into_iter()
        .filter(|&op| work(op).is_some() && !is_in_cluster(op))
        .collect();
    for &source in &sources {
        for result in op_results(source) {
            give(source, result, switches)?;
        }
    }
    while let Some(source) = sources.pop() {
        let is_read = op_results(source)
            .into_iter()
            .any(|result| !uses(result).is_empty());
        if let Some(builder) = Builder::before(source).filter(|_| !is_read) {
            builder.erase(source);
        }
    }
    Ok(())
}

fn op_results<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Values<'c, 'a> {
    op.results().map(Value::from).collect()
}

/// Gives the readers of an array its elements.
fn give<'c: 'a, 'a>(
    source: OperationRef<'c, 'a>,
    array: Value<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let applies = || switches.applies(Transformation::CheapArrays, source.location());
    let applies = LazyCell::new(applies);
    let mut copies: Vec<(OperationRef<'c, 'a>, Value<'c, 'a>)> = vec![];
    let mut readers = uses(array);
    readers.reverse();
    for (reader, position) in readers {
        let Some(builder) = Builder::before(reader) else {
            continue;
        };
        if op_name(reader) == "tensor.extract" {
            if !*applies {
                continue;
            }
            let index: Values = reader.operands().skip(1).collect();
            let element = element_at(&builder, array, &index)?;
            builder.replace(reader, &[element]);
            continue;
        }
        let takes_copy = match is_of_one_value(source) {
            true => reads_elements(reader, position),
            false => reader.block() != source.block() && READERS.contains(&op_name(reader)),
        };
        if !takes_copy {
            continue;
        }
        if op_name(reader) == "soac.backpermute" && work(source).is_none_or(|work| work > TRIVIAL) {
            continue;
        }
        if !*applies {
            continue;
        }
        if op_name(reader) == "soac.backpermute" && work(reader).is_some() {
            for result in op_results(reader) {
                let copy = computed_again(&builder, result)?;
                builder.replace_uses(result, copy, None);
            }
            continue;
        }
        let known = copies
            .iter()
            .find(|(first, _)| first.block() == reader.block() && !stands_before(reader, *first));
        let copy = match known {
            Some(&(_, copy)) => copy,
            None => {
                let copy = computed_again(&builder.located(source.location()), array)?;
                copies.push((definition(copy).unwrap_or(reader), copy));
                copy
            }
        };
        set_operand(reader, position, copy);
    }
    Ok(())
}

/// Whether an op gives an array of one value, and is no combinator. Other such ops are fills already.
fn is_of_one_value(op: OperationRef) -> bool {
    op_name(op) == "tensor.splat"
}

/// Whether a combinator reads an operand element by element.
fn reads_elements(op: OperationRef, position: usize) -> bool {
    let groups: &[usize] = match op_name(op) {
        "soac.filter" | "soac.fold" | "soac.map" | "soac.scanl" | "soac.scanr" => &[0],
        "soac.gather" => &[1],
        "soac.scatter" => &[0, 2],
        _ => &[],
    };
    let view = OpView::of(op);
    view.integer("outer").is_none()
        && groups
            .iter()
            .any(|&group| view.group(group).contains(&position))
}

/// A `generate` of the same elements, here.
fn computed_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let sizes = sizes(builder, array)?;
    let index: Vec<Type> = vec![builder.index_type(); sizes.len()];
    let region = builder.region::<PassError>(&index, "soac.yield", |builder, index| {
        Ok(vec![element_at(builder, array, index)?])
    })?;
    let (list, values) = mixed_list(&sizes);
    let attributes = [("static_sizes", builder.integers(&list))];
    let types = [array.r#type()];
    let op = builder.op("soac.generate", &values, &types, &attributes, vec![region])?;
    Ok(op.result(0)?.into())
}

/// The sizes of a cheap array: what it is computed from need not be kept for them.
fn sizes<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    let Some(op) = definition(array) else {
        return Ok(builder.sizes(array)?);
    };
    let view = OpView::of(op);
    if let Some(sizes) = view.given_sizes() {
        return Ok(with_static(sizes, array)?);
    }
    let written = match view.name {
        "tensor.splat" => {
            let known = static_sizes(&RankedTensorType::try_from(array.r#type())?);
            let mut values = view.operands[1..].iter().copied();
            let size = |known: Option<i64>| match known {
                Some(size) => Some(Size::Static(size)),
                None => values.next().map(Size::Dynamic),
            };
            known.into_iter().filter_map(size).collect()
        }
        _ => sizes(builder, view.operands[0])?,
    };
    Ok(with_static(written, array)?)
}

/// The element of a cheap array at an index.
fn element_at<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let (Some(op), Some(result)) = (definition(array), as_result(array)) else {
        return Ok(builder.extract(array, index)?);
    };
    let view = OpView::of(op);
    let number = result.result_number();
    match view.mnemonic() {
        "tensor.cast" => element_at(builder, view.operands[0], index),
        "tensor.splat" => Ok(view.operands[0]),
        "backpermute" => {
            let place = inline_copy(builder, op, index)?;
            element_at(builder, view.operands[view.group(0)][number], &place)
        }
        "map" => {
            let elements: Values = view.operands[view.group(0)]
                .iter()
                .map(|&input| element_at(builder, input, index))
                .collect::<Result<_, _>>()?;
            Ok(inline_copy(builder, op, &elements)?[number])
        }
        _ => Ok(inline_copy(builder, op, index)?[number]),
    }
}

/// What an element costs of an op that gives cheap arrays only.
fn work(op: OperationRef) -> Option<f64> {
    let view = OpView::of(op);
    let inputs = match view.name {
        "tensor.cast" => return work(definition(view.operands[0])?),
        _ if is_of_one_value(op) => return Some(0.0),
        "soac.generate" => 0..0,
        "soac.backpermute" if view.flag("unchecked") => view.group(0),
        "soac.map" if view.integer("outer").is_none() => view.group(0),
        _ => return None,
    };
    let mut sum = plain_instructions(op).filter(|_| !is_bound(op))?;
    for &input in &view.operands[inputs] {
        sum += work(definition(input)?)?;
        if sum > CHEAP {
            return None;
        }
    }
    (sum <= CHEAP).then_some(sum)
}

/// Where there are cheap arrays that are stored, but need not be, gives each cluster of a block that
/// reads one its own copy; each reader, if they are in one cluster. Gives whether there are any.
pub(super) fn split(problem: &Problem, clustering: &Clustering, switches: &Switches) -> bool {
    let members = problem.members.iter();
    let members: HashMap<usize, usize> = members
        .map(|member| (op_key(member.op), member.node))
        .collect();
    let mut found = false;
    for member in &problem.members {
        let is_stored = |&node: &usize| !clustering.is_contracted(&problem.graph, 1, node);
        let is_candidate = op_name(member.op) == "soac.generate" && work(member.op).is_some();
        if !is_candidate || !member.results.iter().any(is_stored) {
            continue;
        }
        let mut readers: Vec<Reader> = vec![];
        for result in op_results(member.op) {
            let uses = uses(result).into_iter();
            readers.extend(uses.map(|(reader, position)| (reader, position, result)));
        }
        let nodes: Option<Vec<usize>> = readers
            .iter()
            .map(|(reader, _, _)| members.get(&op_key(*reader)).copied())
            .collect();
        let Some(nodes) = nodes else {
            continue;
        };
        let clusters: Vec<usize> = nodes
            .iter()
            .map(|&node| clustering.clusters[0][node])
            .collect();
        let several = clusters.iter().any(|&cluster| cluster != clusters[0]);
        let group = |number: usize| {
            if several {
                clusters[number]
            } else {
                nodes[number]
            }
        };
        let mut groups: BTreeMap<usize, Vec<Reader>> = BTreeMap::new();
        for (number, &reader) in readers.iter().enumerate() {
            groups.entry(group(number)).or_default().push(reader);
        }
        let location = member.op.location();
        if groups.len() < 2 || !switches.applies(Transformation::CheapArrays, location) {
            continue;
        }
        found = true;
        for readers in groups.into_values().skip(1) {
            move_to_copy(member.op, &readers);
        }
    }
    found
}

type Reader<'c, 'a> = (OperationRef<'c, 'a>, usize, Value<'c, 'a>);

/// Has readers read a copy of what an op gives.
fn move_to_copy<'c: 'a, 'a>(op: OperationRef<'c, 'a>, readers: &[Reader<'c, 'a>]) {
    let Some(builder) = Builder::after(op) else {
        return;
    };
    let copy = builder.copy(op, &mut |value| value);
    for &(reader, position, array) in readers {
        let number = as_result(array).map_or(0, |result| result.result_number());
        if let Some(result) = copy.result_at(number) {
            set_operand(reader, position, result.into());
        }
    }
}
