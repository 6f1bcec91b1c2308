//! Folds of nothing, filters that keep all or nothing, sorts of short rows, and arrays whose results nobody uses.

use melior::ir::{
    BlockLike, BlockRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};

use super::rewrite::{Rewrite, is_used, requirements_hold};
use crate::{
    builder::{Values, mixed_list},
    description::describe,
    extent::Extent,
    needed::{needed_arrays, yields_truth},
    view::{integer_constant, op_name},
};

/// Arrays whose results nobody uses are left out of a filter, a sort, a scan or a fold, if the others do
/// without them and the shapes are known to agree.
pub(super) fn unused_results(rewrite: &Rewrite) -> Option<()> {
    let results = rewrite.results();
    let kept: Vec<usize> = needed_arrays(&rewrite.view, |result| is_used(results[result]))
        .into_iter()
        .collect();
    if kept.is_empty() || kept.len() == results.len() || !requirements_hold(&rewrite.view) {
        return None;
    }
    let lambda = rewrite.lambda()?;
    let is_kept = |argument: &usize| kept.contains(&(argument % results.len()));
    let left_out: Vec<usize> = (0..lambda.argument_count())
        .filter(|argument| !is_kept(argument))
        .collect();
    let arguments: Values = left_out
        .iter()
        .map(|&argument| lambda.argument(argument).map(Value::from))
        .collect::<Result<_, _>>()
        .ok()?;
    let zeros: Values = arguments
        .iter()
        .map(|argument| rewrite.zero(argument.r#type()))
        .collect::<Option<_>>()?;
    for (argument, zero) in arguments.into_iter().zip(zeros) {
        rewrite.replace_uses(argument, zero);
    }
    if !yields_truth(rewrite.view.mnemonic()) {
        rewrite.yield_only(&kept)?;
    }
    rewrite.erase_arguments(lambda, &left_out);
    let groups: Vec<Values> = rewrite
        .groups()
        .into_iter()
        .map(|group| kept.iter().map(|&array| group[array]).collect())
        .collect();
    rewrite.with_results(&kept, &groups, vec![]);
    Some(())
}

/// A fold of no elements is the neutral element.
pub(super) fn fold_of_nothing(rewrite: &Rewrite) -> Option<()> {
    let sizes = describe(&rewrite.view).ok()?.result_sizes()?;
    let kept = sizes.first()?;
    let nothing = rewrite.view.sizes(0)[kept.len()..]
        .iter()
        .any(|size| size.as_constant() == Some(0));
    if !nothing || !requirements_hold(&rewrite.view) || !kept.iter().all(Rewrite::is_simple) {
        return None;
    }
    let kept: Vec<_> = kept.iter().map(|size| rewrite.materialize(size)).collect();
    let (list, values) = mixed_list(&kept);
    let groups = [rewrite.group(1), values];
    let attributes = vec![("static_sizes", rewrite.integers(&list))];
    let results = rewrite.build("fill", &groups, attributes, None)?;
    rewrite.replace(&results);
    Some(())
}

/// A predicate that is always true keeps all, one that is always false nothing. One
/// that does something besides, such as a check, still has to be computed.
pub(super) fn filter_by_constant(rewrite: &Rewrite) -> Option<()> {
    let [predicate] = rewrite.view.yielded()?[..] else {
        return None;
    };
    let keeps = integer_constant(predicate)? != 0;
    if !requirements_hold(&rewrite.view) || !only_computes(rewrite.lambda()?) {
        return None;
    }
    if keeps {
        return rewrite.replace_with_casts(&rewrite.group(0));
    }
    let zeros: Values = rewrite
        .view
        .group(0)
        .map(|input| rewrite.zero(RankedTensorType::element(&rewrite.view.array(input)?)))
        .collect::<Option<_>>()?;
    let attributes = vec![("static_sizes", rewrite.integers(&[0]))];
    let results = rewrite.build("fill", &[zeros, vec![]], attributes, None)?;
    rewrite.replace(&results);
    Some(())
}

/// Whether all ops of a lambda are arithmetic.
fn only_computes(lambda: BlockRef) -> bool {
    let mut next = lambda.first_operation();
    while let Some(op) = next {
        let (dialect, _) = op_name(op).split_once('.').unwrap_or_default();
        let computes = matches!(dialect, "arith" | "math" | "index");
        if !computes && op_name(op) != "soac.yield" {
            return false;
        }
        next = op.next_in_block();
    }
    true
}

/// Filtering an empty array gives an empty array.
pub(super) fn filter_of_nothing(rewrite: &Rewrite) -> Option<()> {
    let empty = rewrite.view.sizes(0).first().and_then(Extent::as_constant) == Some(0);
    if !empty || !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.replace_with_casts(&rewrite.group(0))
}

/// A scan of an array without elements gives it back.
pub(super) fn scan_of_nothing(rewrite: &Rewrite) -> Option<()> {
    let empty = rewrite
        .view
        .sizes(0)
        .iter()
        .any(|size| size.as_constant() == Some(0));
    if !empty || !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.replace_with_casts(&rewrite.group(0))
}

/// A sort of rows of at most one element gives its inputs back.
pub(super) fn sort_of_short_rows(rewrite: &Rewrite) -> Option<()> {
    let sizes = rewrite.view.sizes(0);
    let row = sizes.last().and_then(Extent::as_constant);
    let is_sorted =
        matches!(row, Some(0 | 1)) || sizes.iter().any(|size| size.as_constant() == Some(0));
    if !is_sorted || !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.replace_with_casts(&rewrite.group(0))
}
