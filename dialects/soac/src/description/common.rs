//! What the descriptions of several ops have in common.

use std::ops::Range;

use melior::ir::{
    Type, TypeLike, ValueLike,
    r#type::{IntegerType, ShapedTypeLike},
};

use super::{Described, Description, LambdaSignature, Violation, violation};
use crate::{cast::cast, extent::Extent, view::OpView};

pub(super) fn at_least_one(view: &OpView, group: usize, what: &str) -> Result<(), Violation> {
    if view.group(group).is_empty() {
        return violation(format!("needs at least one {what}"));
    }
    Ok(())
}

/// A group that has one operand by definition: segment sizes may say otherwise.
pub(super) fn exactly_one(view: &OpView, group: usize, what: &str) -> Result<usize, Violation> {
    let operands = view.group(group);
    if operands.len() != 1 {
        return violation(format!("needs one {what}, got {}", operands.len()));
    }
    Ok(operands.start)
}

/// The element types of arrays.
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
pub fn type_list(types: &[Type]) -> String {
    types
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// "1 dimension", "2 dimensions".
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Whether a type is one that arrays have as elements.
fn is_element(r#type: Type) -> bool {
    match cast::<IntegerType>(r#type) {
        Some(integer) => integer.is_signless() && (1..=64).contains(&integer.width()),
        None => {
            r#type.is_index()
                || r#type.is_f16()
                || r#type.is_bf16()
                || r#type.is_f32()
                || r#type.is_f64()
        }
    }
}

/// A lambda yields elements.
pub(super) fn require_element(yielded: Type) -> Result<(), Violation> {
    if is_element(yielded) {
        return Ok(());
    }
    violation(format!(
        "yields {yielded}; elements are i1 to i64, index, f16, bf16, f32 or f64"
    ))
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
            "'{attribute}' needs {} for its dynamic entries, got {given}",
            count(open, "operand")
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
        "needs one {what} for each of {}, got {}",
        count(rank, "dimension"),
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
        "has {} for an array of {}",
        count(list.len(), what),
        count(rank, "dimension")
    ))
}

pub(super) fn dimension(dim: i64, rank: usize) -> Result<usize, Violation> {
    usize::try_from(dim)
        .ok()
        .filter(|&dim| dim < rank)
        .ok_or_else(|| {
            Violation(format!(
                "names dimension {dim} of an array of {}",
                count(rank, "dimension")
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
