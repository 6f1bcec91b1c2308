//! Folds of nothing, and filters that keep all or nothing.

use melior::ir::r#type::{RankedTensorType, ShapedTypeLike};

use super::rewrite::{Rewrite, integer_constant, requirements_hold};
use crate::{
    builder::{Values, mixed_list},
    description::describe,
    extent::Extent,
};

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

/// A predicate that is always true keeps all, one that is always false nothing.
pub(super) fn filter_by_constant(rewrite: &Rewrite) -> Option<()> {
    let [predicate] = rewrite.view.yielded()?[..] else {
        return None;
    };
    let keeps = integer_constant(predicate)? != 0;
    if !requirements_hold(&rewrite.view) {
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
