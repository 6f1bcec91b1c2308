//! What the host knows before a loop begins.

use comb_kit::walk::ancestors;
use comb_nest::nests::Nest;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{argument_of, definition, op_name};

/// Ops without effects that are of the host where all that they use is.
const SIZES: &[&str] = &["memref.cast", "memref.dim", "memref.subview"];

/// The ops, in order, that the host has to compute for a value that is used in a loop: those in the
/// loop that it depends on. Nothing if it depends on iterations or on elements.
pub fn computed_before<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let mut found = vec![];
    add(value, nest, &mut found)?;
    Some(found)
}

fn add<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    nest: &Nest<'c, 'a>,
    found: &mut Vec<OperationRef<'c, 'a>>,
) -> Option<()> {
    if !nest.defines(value) {
        return is_of_host(value).then_some(());
    }
    let op = definition(value)?;
    if found.contains(&op) {
        return Some(());
    }
    if !is_of_sizes(op) {
        return None;
    }
    for operand in op.operands() {
        add(operand, nest, found)?;
    }
    found.push(op);
    Some(())
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
