//! `fold`, `scanl`, `scanr`, `filter` and `sort`: ops that go along a dimension.

use melior::ir::{Type, r#type::IntegerType};

use super::{
    Described, Description, LambdaSignature, ResultArray, Violation,
    common::{at_least_one, count, elements, operator, require_same_types},
    violation,
};
use crate::view::OpView;

/// Checks that there is a neutral element for each input, and gives their
/// types.
fn reduced_elements<'c>(view: &OpView<'c, '_>) -> Result<Vec<Type<'c>>, Violation> {
    at_least_one(view, 0, "array")?;
    let types = elements(view, view.group(0))?;
    let neutrals: Vec<Type> = view
        .group(1)
        .map(|neutral| view.operand_type(neutral))
        .collect();
    require_same_types(&types, &neutrals, "needs a neutral element for each array")?;
    Ok(types)
}

pub(super) fn fold<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let types = reduced_elements(view)?;
    let inputs = view.group(0);
    let inner = view.integer("inner").unwrap_or(1);
    let sizes = view.sizes(inputs.start);
    let Some(kept) = usize::try_from(inner)
        .ok()
        .filter(|&inner| inner >= 1)
        .and_then(|inner| sizes.len().checked_sub(inner))
    else {
        return violation(format!(
            "folds {inner} inner dimensions of an array of {}",
            count(sizes.len(), "dimension")
        ));
    };
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    for element in &types {
        description.give(*element, &sizes[..kept]);
    }
    description.lambda = Some(operator(&types));
    Ok(description)
}

pub(super) fn scan<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let types = reduced_elements(view)?;
    let inputs = view.group(0);
    let sizes = view.sizes(inputs.start);
    if sizes.is_empty() {
        return violation("scans an array of 0 dimensions");
    }
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    for element in &types {
        description.give(*element, &sizes);
    }
    description.lambda = Some(operator(&types));
    Ok(description)
}

pub(super) fn filter<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let types = elements(view, inputs.clone())?;
    let rank = view.sizes(inputs.start).len();
    if rank != 1 {
        return violation(format!("filters arrays of 1 dimension, not of {rank}"));
    }
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    description.results = types
        .iter()
        .map(|&element| ResultArray {
            element,
            sizes: vec![None],
        })
        .collect();
    description.lambda = Some(LambdaSignature {
        arguments: types,
        yields: Some(vec![bit(view)]),
    });
    Ok(description)
}

pub(super) fn sort<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let types = elements(view, inputs.clone())?;
    let sizes = view.sizes(inputs.start);
    if sizes.is_empty() {
        return violation("sorts an array of 0 dimensions");
    }
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    for element in &types {
        description.give(*element, &sizes);
    }
    description.lambda = Some(LambdaSignature {
        arguments: [types.as_slice(), types.as_slice()].concat(),
        yields: Some(vec![bit(view)]),
    });
    Ok(description)
}

/// The type `i1`, which predicates yield.
fn bit<'c>(view: &OpView<'c, '_>) -> Type<'c> {
    let context = view.location.context();
    // SAFETY: the reference, which is to the local handle, is used here only;
    // the type lives as long as the context.
    IntegerType::new(unsafe { context.to_ref() }, 1).into()
}
