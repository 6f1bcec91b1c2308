//! Arrays whose results nobody uses are left out of filters, sorts, scans, folds and scatters, if the others do
//! without them, so that they are neither read nor stored. Of a filter's results of which
//! only the size is asked for, another one's is as good.
//!
//! Ops are looked at from the last to the first, so that what only such arrays need goes, too.
//!
//! Cost: linear in the size of the program.

use melior::ir::{OperationRef, Region, Type, TypeLike, Value, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Values},
    needed::{needed_arrays, yields_truth},
    view::{OpView, named_attributes, op_name, set_operand, uses},
};

use super::is_in_cluster;
use comb_kit::{inline_copy::inline_copy, pass_error::PassError, walk::operations};

/// A scatter's group of index arrays, all of which are needed.
const INDICES: usize = 2;

/// Rewrites the filters, sorts, scans, folds and scatters of a module.
pub(super) fn rewrite<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module).into_iter().rev() {
        let is_candidate = matches!(
            op_name(op),
            "soac.filter"
                | "soac.sort"
                | "soac.scanl"
                | "soac.scanr"
                | "soac.fold"
                | "soac.scatter"
        );
        if is_candidate && op.result_count() > 1 && !is_in_cluster(op) {
            ask_for_one_size(op);
            leave_out(op)?;
        }
    }
    Ok(())
}

/// Has the sizes of results that are used for nothing else asked of one that is.
fn ask_for_one_size<'c: 'a, 'a>(op: OperationRef<'c, 'a>) {
    if op_name(op) != "soac.filter" {
        return;
    }
    let results: Values = op.results().map(Value::from).collect();
    let is_measured = |&(user, _): &(OperationRef, usize)| op_name(user) == "tensor.dim";
    let read = results
        .iter()
        .find(|&&result| !uses(result).iter().all(is_measured));
    let measured = read.copied().unwrap_or(results[0]);
    for result in results {
        for (user, position) in uses(result) {
            if op_name(user) == "tensor.dim" {
                set_operand(user, position, measured);
            }
        }
    }
}

/// Builds an op again with what is needed of it.
fn leave_out<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let results: Values = op.results().map(Value::from).collect();
    let needed = needed_arrays(&view, |result| !uses(results[result]).is_empty());
    let needed: Vec<usize> = needed.into_iter().collect();
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    if needed.is_empty() || needed.len() == results.len() {
        return Ok(());
    }
    let groups: Vec<Values> = (0..groups_of(view.name))
        .map(|group| {
            let arrays = &view.operands[view.group(group)];
            match group {
                INDICES => arrays.to_vec(),
                _ => needed.iter().map(|&array| arrays[array]).collect(),
            }
        })
        .collect();
    let mut attributes = named_attributes(op);
    if groups.len() > 1 {
        let segments: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
        attributes.retain(|&(name, _)| name != "operandSegmentSizes");
        attributes.push(("operandSegmentSizes", builder.segments(&segments)));
    }
    let region = match view.lambda_arguments() {
        Some(arguments) => smaller_lambda(&builder, op, &arguments, &needed)?,
        None => Region::new(),
    };
    let types: Vec<_> = needed
        .iter()
        .map(|&array| view.result_types[array])
        .collect();
    let new = builder.op(
        view.name,
        &groups.concat(),
        &types,
        &attributes,
        vec![region],
    )?;
    for (&array, result) in needed.iter().zip(new.results()) {
        builder.replace_uses(results[array], result.into(), None);
    }
    builder.erase(op);
    Ok(())
}

/// How many groups of operands an op has.
fn groups_of(name: &str) -> usize {
    match name {
        "soac.filter" | "soac.sort" => 1,
        "soac.scatter" => 3,
        _ => 2,
    }
}

/// An op's lambda, for the arrays that are needed.
fn smaller_lambda<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    arguments: &[Type<'c>],
    needed: &[usize],
) -> Result<Region<'c>, PassError<'c>> {
    let is_needed = |argument: usize| needed.contains(&(argument % op.result_count()));
    let types: Vec<_> = (0..arguments.len())
        .filter(|&argument| is_needed(argument))
        .map(|argument| arguments[argument])
        .collect();
    builder.region::<PassError>(&types, "soac.yield", |builder, values| {
        let mut values = values.iter().copied();
        let all: Values = arguments
            .iter()
            .enumerate()
            .map(
                |(argument, &r#type)| match is_needed(argument).then(|| values.next()) {
                    Some(Some(value)) => Ok(value),
                    _ => any_element(builder, r#type),
                },
            )
            .collect::<Result<_, PassError>>()?;
        let yielded = inline_copy(builder, op, &all)?;
        Ok(match yields_truth(OpView::of(op).mnemonic()) {
            true => yielded,
            false => needed.iter().map(|&array| yielded[array]).collect(),
        })
    })
}

/// An element in place of one that is not needed.
fn any_element<'c, 'a>(
    builder: &Builder<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    Ok(match r#type.is_float() {
        true => builder.float(0.0, r#type)?,
        false => builder.integer(0, r#type)?,
    })
}
