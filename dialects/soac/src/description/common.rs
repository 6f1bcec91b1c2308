//! What the descriptions of several ops have in common.

use std::ops::Range;

use melior::ir::{Type, ValueLike, r#type::ShapedTypeLike};

use super::{Described, Description, LambdaSignature, Violation, violation};
use crate::{extent::Extent, view::OpView};

pub(super) fn at_least_one(view: &OpView, group: usize, what: &str) -> Result<(), Violation> {
    if view.group(group).is_empty() {
        return violation(format!("needs at least one {what}"));
    }
    Ok(())
}

pub(super) fn elements<'c>(
    view: &OpView<'c, '_>,
    operands: Range<usize>,
) -> Result<Vec<Type<'c>>, Violation> {
    operands
        .map(|operand| match view.array(operand) {
            Some(array) => Ok(array.element()),
            None => violation(format!(
                "operand {operand} is not an array: {}",
                view.operand_type(operand)
            )),
        })
        .collect()
}

pub(super) fn require_same_types<'c>(
    left: &[Type<'c>],
    right: &[Type<'c>],
    what: &str,
) -> Result<(), Violation> {
    if left == right {
        return Ok(());
    }
    violation(format!(
        "{what}: expected ({}), got ({})",
        type_list(left),
        type_list(right)
    ))
}

/// Types, separated by commas.
pub(crate) fn type_list(types: &[Type]) -> String {
    types
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// A mixed list, once it is certain that every entry left open has an operand.
pub(super) fn mixed(
    view: &OpView,
    attribute: &str,
    group: usize,
) -> Result<Vec<Extent>, Violation> {
    let (open, given) = (view.dynamic_entries(attribute), view.group(group).len());
    if open != given {
        return violation(format!(
            "'{attribute}' leaves {open} entries to operands, but {given} are given"
        ));
    }
    Ok(view.mixed(attribute, group))
}

pub(super) fn one_for_each_dimension(
    list: &[Extent],
    rank: usize,
    what: &str,
) -> Result<(), Violation> {
    if list.len() == rank {
        return Ok(());
    }
    violation(format!(
        "needs one {what} for each of {rank} dimensions, got {}",
        list.len()
    ))
}

pub(super) fn at_most_one_for_each_dimension(
    list: &[Extent],
    rank: usize,
    what: &str,
) -> Result<(), Violation> {
    if list.len() <= rank {
        return Ok(());
    }
    violation(format!(
        "has {} {what}s for an array of {rank} dimensions",
        list.len()
    ))
}

pub(super) fn dimension(dim: i64, rank: usize) -> Result<usize, Violation> {
    usize::try_from(dim)
        .ok()
        .filter(|&dim| dim < rank)
        .ok_or_else(|| {
            Violation(format!(
                "names dimension {dim} of an array of {rank} dimensions"
            ))
        })
}

pub(super) fn index_types<'c>(view: &OpView<'c, '_>, count: usize) -> Vec<Type<'c>> {
    let context = view.location.context();
    // SAFETY: the reference, which is to the local handle, is used here only;
    // the type lives as long as the context.
    let index = Type::index(unsafe { context.to_ref() });
    vec![index; count]
}

/// Inputs (all operands of group 0) of one shape, and results of another shape
/// with the same elements.
pub(super) fn rearranged<'c>(
    view: &OpView<'c, '_>,
    sizes: impl FnOnce(&[Extent], &mut Description<'c>) -> Result<Vec<Extent>, Violation>,
) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let mut description = Description::default();
    description.require_same_shapes(view, inputs.clone(), "operands");
    let sizes = sizes(&view.sizes(inputs.start), &mut description)?;
    for element in elements(view, inputs)? {
        description.give(element, &sizes);
    }
    Ok(description)
}

pub(super) fn yielded_types<'c>(view: &OpView<'c, '_>) -> Result<Vec<Type<'c>>, Violation> {
    match view.yielded() {
        Some(values) => Ok(values.iter().map(|value| value.r#type()).collect()),
        None => violation("needs a lambda that ends with 'soac.yield'"),
    }
}

/// A function of two sets of elements to one.
pub(super) fn operator<'c>(elements: &[Type<'c>]) -> LambdaSignature<'c> {
    LambdaSignature {
        arguments: [elements, elements].concat(),
        yields: Some(elements.to_vec()),
    }
}
