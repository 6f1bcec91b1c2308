//! Arrays that loops carry: which of their sizes do not change.
//!
//! What an `scf.for` gives is what it was given, if it never runs, or else what its last
//! iteration yields. If that has, along an axis, the size of what the iteration was
//! given, as an update of an array or a map over it has, then the size is the same in
//! all iterations: that of the array that the loop begins with.
//!
//! Cost: linear in the number of ops from one iteration to the next.

use melior::ir::{BlockLike, OperationRef, Value};
use soac_dialect::{
    cast::{Arguments, Parts},
    description::describe,
    extent::Term,
    view::{OpView, argument_of, as_result, definition, op_name},
};

use crate::walk::first_block;

/// The operands of a loop before the arrays that it carries.
const BOUNDS: usize = 3;

/// The array that a loop begins with, if another one that the loop carries, or gives in
/// the end, has its size along an axis.
pub fn before_loop<'c: 'a, 'a>(array: Value<'c, 'a>, axis: usize) -> Option<Value<'c, 'a>> {
    let (r#loop, number) = carried(array)?;
    keeps_size(r#loop, number, axis)?;
    r#loop.operand_at(BOUNDS + number)
}

/// The loop that carries an array, or gives it in the end, and the array's number there.
fn carried<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<(OperationRef<'c, 'a>, usize)> {
    let (op, number) = match as_result(array) {
        Some(result) => (definition(array)?, result.result_number()),
        None => {
            let (op, argument) = argument_of(array)?;
            (op, argument.checked_sub(1)?)
        }
    };
    (op_name(op) == "scf.for").then_some((op, number))
}

/// Something, if an iteration yields an array of the size that it was given.
fn keeps_size<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>, number: usize, axis: usize) -> Option<()> {
    let body = first_block(r#loop)?;
    let given: Value = body.argument_at(1 + number)?.into();
    let mut now = (body.terminator()?.operand_at(number)?, axis);
    while now.0 != given {
        now = same_size(now.0, now.1)?;
    }
    (now.1 == axis).then_some(())
}

/// An array that has the size of another one along some axis, because of what the op does
/// that gives the other one.
fn same_size<'c: 'a, 'a>(array: Value<'c, 'a>, axis: usize) -> Option<(Value<'c, 'a>, usize)> {
    let view = OpView::of(definition(array)?);
    match view.name {
        "scf.for" => Some((before_loop(array, axis)?, axis)),
        "tensor.cast" => Some((view.operands[0], axis)),
        "tensor.insert" | "tensor.insert_slice" => Some((view.operands[1], axis)),
        name if name.starts_with("soac.") => {
            let description = describe(&view).ok()?;
            let result = as_result(array)?.result_number();
            let size = description.results.get(result)?.sizes.get(axis)?.as_ref()?;
            match size.terms[..] {
                [(1, Term::Size { operand, axis })] if size.constant == 0 => {
                    Some((view.operands[operand], axis))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
