//! What the host knows before a loop begins.

use comb_kit::{checks::facts::constant, walk::ancestors};
use comb_nest::nests::Nest;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Size,
    view::{OpView, argument_of, definition, op_name},
};

/// Ops without effects that are of the host where all that they use is.
const SIZES: &[&str] = &["memref.cast", "memref.dim", "memref.subview"];

/// What the host does to know a value that is used in a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step<'c, 'a> {
    /// It computes what an op in the loop does.
    Computes(OperationRef<'c, 'a>),
    /// It takes a value for another one that is the same: the size of an array of an iteration for what asks for it.
    Takes(Value<'c, 'a>, Value<'c, 'a>),
}

/// What the host has to do, in order, to know a value that is used in a loop. Nothing if it depends on iterations or on
/// elements.
pub fn computed_before<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Option<Vec<Step<'c, 'a>>> {
    let mut found = vec![];
    add(value, nest, &mut found)?;
    Some(found)
}

fn add<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    nest: &Nest<'c, 'a>,
    found: &mut Vec<Step<'c, 'a>>,
) -> Option<()> {
    if !nest.defines(value) {
        return is_of_host(value).then_some(());
    }
    let op = definition(value)?;
    if found.contains(&Step::Computes(op)) {
        return Some(());
    }
    if let Some(size) = size_of_local(op) {
        add(size, nest, found)?;
        found.push(Step::Takes(value, size));
        return Some(());
    }
    if !is_of_sizes(op) {
        return None;
    }
    for operand in op.operands() {
        add(operand, nest, found)?;
    }
    found.push(Step::Computes(op));
    Some(())
}

/// What an op is that asks for the size of an array of an iteration, which is not known.
fn size_of_local<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let local = definition(op.operand(0).ok()?)?;
    if op_name(op) != "memref.dim" || op_name(local) != "nest.local" {
        return None;
    }
    let axis = usize::try_from(constant(op.operand(1).ok()?)?).ok()?;
    let view = OpView::of(local);
    let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
    match sizes.get(axis)? {
        Size::Dynamic(size) => Some(*size),
        Size::Static(_) => None,
    }
}

/// Whether a value from outside a loop is one that no kernel computes.
fn is_of_host<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let Some(op) = definition(value) else {
        return argument_of(value).is_some();
    };
    let is_in_kernel = ancestors(op).any(|around| op_name(around) == "nest.kernel");
    if !is_in_kernel {
        return true;
    }
    is_of_sizes(op) && op.operands().all(is_of_host)
}

/// Whether an op computes sizes and other numbers without looking at elements.
pub fn is_of_sizes(op: OperationRef) -> bool {
    let name = op_name(op);
    SIZES.contains(&name) || name.starts_with("arith.")
}
