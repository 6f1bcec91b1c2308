//! Folding: ops that give one of their operands back.
//!
//! Only what holds for every size is folded: an op that may fail when it runs
//! (its requirements are not known to hold) stays.

use melior::ir::{
    Attribute, OperationRef, Value, ValueLike, attribute::IntegerAttribute,
    operation::OperationLike,
};

use crate::{
    description::describe,
    extent::Extent,
    requirement::{Condition, Truth},
    view::{DYNAMIC, OpView},
};

/// What a result folds to.
pub(crate) enum Folded<'c, 'a> {
    /// A value that exists already.
    Value(Value<'c, 'a>),
}

/// The values that an op's results fold to, if they do.
pub(crate) fn fold<'c, 'a>(
    view: &OpView<'c, 'a>,
    op: &OperationRef<'c, 'a>,
    constants: &[Option<Attribute<'c>>],
) -> Option<Vec<Folded<'c, 'a>>> {
    let kept = match view.mnemonic() {
        "concat" => view.operands.len() == 1,
        "reverse" => reverses_nothing(view),
        "transpose" => is_identity(&view.integers("permutation")),
        "rotate" => all_zero(view, "static_amounts", 1, constants),
        "drop" => all_zero(view, "static_counts", 1, constants),
        "zip" => true,
        "replicate" => view.integers("static_sizes").is_empty(),
        "take" | "reshape" => keeps_sizes(view),
        "slice" => slices_everything(view, constants),
        "update" | "lmad_update" => return updates_nothing(view, op),
        _ => false,
    };
    (kept && requirements_hold(view)).then(|| inputs(view, op))?
}

/// The first group of operands, one for each result and of its type.
fn inputs<'c, 'a>(view: &OpView<'c, 'a>, op: &OperationRef<'c, 'a>) -> Option<Vec<Folded<'c, 'a>>> {
    let inputs = view.group(0);
    let same_types = inputs.len() == op.result_count()
        && inputs
            .clone()
            .zip(op.results())
            .all(|(input, result)| view.operand_type(input) == result.r#type());
    same_types.then(|| {
        inputs
            .map(|input| Folded::Value(view.operands[input]))
            .collect()
    })
}

fn requirements_hold(view: &OpView) -> bool {
    describe(view).is_ok_and(|description| {
        description
            .requirements
            .iter()
            .all(|requirement| requirement.condition.truth() == Truth::Holds)
    })
}

/// Reversing dimensions of size 0 or 1 changes nothing.
fn reverses_nothing(view: &OpView) -> bool {
    let sizes = view.sizes(0);
    view.integers("dims").iter().all(|&dim| {
        sizes
            .get(dim as usize)
            .and_then(Extent::as_constant)
            .is_some_and(|size| size <= 1)
    })
}

fn is_identity(permutation: &[i64]) -> bool {
    permutation.iter().copied().eq(0..permutation.len() as i64)
}

/// Whether all entries of a mixed list are zero, constant operands included.
fn all_zero(view: &OpView, attribute: &str, group: usize, constants: &[Option<Attribute>]) -> bool {
    known_entries(view, attribute, group, constants)
        .iter()
        .all(|&entry| entry == Some(0))
}

/// The entries of a mixed list that are known, constant operands included.
fn known_entries(
    view: &OpView,
    attribute: &str,
    group: usize,
    constants: &[Option<Attribute>],
) -> Vec<Option<i64>> {
    let mut operands = view.group(group);
    view.integers(attribute)
        .into_iter()
        .map(|entry| match entry {
            DYNAMIC => {
                let constant = (*constants.get(operands.next()?)?)?;
                Some(IntegerAttribute::try_from(constant).ok()?.signed_value())
            }
            _ => Some(entry),
        })
        .collect()
}

/// The result has the sizes of the input.
fn keeps_sizes(view: &OpView) -> bool {
    let Ok(description) = describe(view) else {
        return false;
    };
    let Some(sizes) = description.result_sizes() else {
        return false;
    };
    sizes.first().is_some_and(|sizes| {
        Condition::SameShape(sizes.clone(), view.sizes(0)).truth() == Truth::Holds
    })
}

fn slices_everything(view: &OpView, constants: &[Option<Attribute>]) -> bool {
    let offsets = known_entries(view, "static_offsets", 1, constants);
    let strides = known_entries(view, "static_strides", 3, constants);
    offsets.iter().all(|&offset| offset == Some(0))
        && strides.iter().all(|&stride| stride == Some(1))
        && keeps_sizes(view)
}

/// An update with no elements gives its destination back.
fn updates_nothing<'c, 'a>(
    view: &OpView<'c, 'a>,
    op: &OperationRef<'c, 'a>,
) -> Option<Vec<Folded<'c, 'a>>> {
    let empty = view
        .sizes(0)
        .iter()
        .any(|size| size.as_constant() == Some(0));
    let same_type = op
        .results()
        .all(|result| result.r#type() == view.operand_type(1));
    (empty && same_type && requirements_hold(view)).then(|| vec![Folded::Value(view.operands[1])])
}
