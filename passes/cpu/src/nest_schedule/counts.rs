//! Folds that count: they add up truth values that were made numbers for that. In lanes, the bits of a mask are
//! counted, so that there need not be a number for each lane.
//!
//! Such numbers are mostly wide, and all else that a loop computes with is not: a text is read in bytes, and what
//! is found in it is counted in 64 bits. Its lanes would be as few as those of the numbers, or several registers
//! for each of them. Where the numbers are no wider than others, they are added as they are.
//!
//! Cost: linear in the ops of a loop.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{OpView, definition, op_name, uses},
};

use super::widths::bits_of;
use comb_kit::{checks::emit::integer_width, commutativity::combining_ops, element_types::bits};

/// The truth values that a fold adds up, if it does nothing else.
pub fn conditions<'c: 'a, 'a>(fold: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    if op_name(fold) != "nest.fold" {
        return None;
    }
    let view = OpView::of(fold);
    let ops = combining_ops(&view)?;
    let elements = view.operands[view.group(0)].iter();
    let conditions = elements
        .zip(ops)
        .map(|(&element, op)| widened(element).filter(|_| op_name(op) == "arith.addi"));
    conditions.collect()
}

/// The truth value that was made a number, in one step or several.
fn widened<'c: 'a, 'a>(element: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(element).filter(|&op| op_name(op) == "arith.extui")?;
    let operand = op.operand_at(0)?;
    match integer_width(operand.r#type()) {
        Some(1) => Some(operand),
        _ => widened(operand),
    }
}

/// Whether bits of masks are counted for a fold of a loop with such ops.
pub fn is_counted<'c: 'a, 'a>(ops: &[OperationRef<'c, 'a>], fold: OperationRef<'c, 'a>) -> bool {
    if conditions(fold).is_none() {
        return false;
    }
    let others = ops.iter().filter(|&&op| !is_of_counts(op));
    let others = others.flat_map(|&op| bits_of(op));
    let widest = others.filter(|&bits| bits >= 8).max();
    let mut numbers = fold.results().map(|result| bits(result.r#type()));
    widest.is_some_and(|widest| numbers.all(|number| number > widest))
}

/// The ops of a loop whose numbers lanes are needed for: those that only counts are made of are left out.
pub fn without_counts<'c: 'a, 'a>(ops: &[OperationRef<'c, 'a>]) -> Vec<OperationRef<'c, 'a>> {
    let counted = |op: OperationRef<'c, 'a>| is_counted(ops, op);
    let is_needed = |op: OperationRef<'c, 'a>| match op_name(op) {
        "arith.extui" => !only_for(op, &counted),
        _ => !op.parent_operation().is_some_and(counted),
    };
    ops.iter().copied().filter(|&op| is_needed(op)).collect()
}

/// Whether an op is needed for nothing but folds that may be counts.
fn is_of_counts(op: OperationRef) -> bool {
    let may_be = |fold| conditions(fold).is_some();
    match op_name(op) {
        "arith.extui" => only_for(op, &may_be),
        _ => op.parent_operation().is_some_and(may_be),
    }
}

/// Whether a truth value is made a number for nothing but some folds.
fn only_for<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    are_right: &dyn Fn(OperationRef<'c, 'a>) -> bool,
) -> bool {
    let Some(result) = op.result_at(0) else {
        return false;
    };
    let mut users = uses(result.into()).into_iter();
    widened(result.into()).is_some() && users.all(|(user, _)| are_right(user))
}
