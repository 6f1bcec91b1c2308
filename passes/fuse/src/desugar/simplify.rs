//! `backpermute`s of which more is known than they say: checked ones whose
//! indices are in range anyway, and those that change nothing.

use melior::ir::{
    BlockLike, OperationRef, RegionLike, Value,
    operation::{OperationMutLike, OperationRefMut},
};
use soac_dialect::{
    builder::Builder,
    cast::Arguments,
    requirement::{Condition, Truth},
    view::{OpView, op_name},
};

use super::is_in_cluster;
use comb_kit::{
    checks::{bounds::is_inside, facts::Facts},
    pass_error::PassError,
    target::Target,
    walk::operations,
};

/// Marks as `unchecked` what is known to read inside its inputs, or all, if
/// `trusting`.
pub(super) fn mark_unchecked(module: OperationRef, trusting: bool) {
    for op in with_property(module, |facts, view| trusting || reads_inside(facts, view)) {
        if let Some(builder) = Builder::before(op) {
            // SAFETY: the op is alive; only an attribute is set.
            let mut op = unsafe { OperationRefMut::from_raw(op.to_raw()) };
            op.set_attribute("unchecked", builder.unit());
        }
    }
}

/// Replaces `backpermute`s that are the identity by their inputs.
pub(super) fn replace_identities<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in with_property(module, is_identity) {
        if let Some(target) = Target::new(op, OpView::of(op), true)? {
            target.replace(&target.group(0))?;
        }
    }
    Ok(())
}

/// The `backpermute`s outside of clusters that have a property.
fn with_property<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    property: impl Fn(&mut Facts<'c, 'a>, &OpView<'c, 'a>) -> bool,
) -> Vec<OperationRef<'c, 'a>> {
    let mut facts = Facts::new(false);
    let mut found = vec![];
    for op in operations(module) {
        facts.learn(op);
        let candidate = op_name(op) == "soac.backpermute" && !is_in_cluster(op);
        if candidate && property(&mut facts, &OpView::of(op)) {
            found.push(op);
        }
    }
    found
}

fn reads_inside<'c: 'a, 'a>(facts: &mut Facts<'c, 'a>, view: &OpView<'c, 'a>) -> bool {
    let sizes = facts.shape(view.operands[0]);
    let mut indices = view.yielded().unwrap_or_default().into_iter().zip(&sizes);
    indices.all(|(index, size)| is_inside(facts, index, size))
}

/// Whether the lambda yields its arguments, and the sizes are the inputs' own.
fn is_identity<'c: 'a, 'a>(facts: &mut Facts<'c, 'a>, view: &OpView<'c, 'a>) -> bool {
    let input = facts.shape(view.operands[0]);
    let sizes = view.mixed("static_sizes", 1);
    let result = sizes
        .iter()
        .map(|size| facts.resolve(size, &view.operands))
        .collect();
    view.integer("label").is_none()
        && yields_arguments(view)
        && Condition::SameShape(result, input).truth() == Truth::Holds
}

fn yields_arguments(view: &OpView) -> bool {
    let Some(lambda) = view.regions.first().and_then(|region| region.first_block()) else {
        return false;
    };
    let arguments = (0..lambda.argument_count())
        .filter_map(|dim| lambda.argument_at(dim))
        .map(Value::from);
    view.yielded().is_some_and(|yielded| arguments.eq(yielded))
}
