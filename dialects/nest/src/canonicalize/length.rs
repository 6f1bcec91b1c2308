//! Loops that are known not to run, or to run once.

use melior::{
    RewriterBase,
    ir::{
        BlockLike, OperationRef, RegionLike, Type, Value, ValueLike,
        attribute::IntegerAttribute,
        operation::{OperationBuilder, OperationLike},
    },
};
use soac_dialect::{
    cast::{Arguments, Parts},
    view::{definition, integer_constant, op_name, uses},
};

use crate::{
    carried::{arguments, changes},
    verify::is_carried,
};

fn length(op: OperationRef) -> Option<i64> {
    integer_constant(op.operand_at(0)?)
}

fn inits<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.operands().skip(1).collect()
}

/// A loop that never runs gives what it is given.
pub(super) fn never<'c, 'a>(
    op: OperationRef<'c, 'a>,
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    if length(op)? > 0 {
        return None;
    }
    rewriter.replace_op_with_values(op, &inits(op));
    Some(())
}

/// The body of a loop that runs once takes its place, if all that it changes is carried there, too.
pub(super) fn once<'c, 'a>(
    op: OperationRef<'c, 'a>,
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    let inits = inits(op);
    let arguments = arguments(op);
    let mut carried = arguments.iter().zip(&inits);
    if length(op)? != 1 || !carried.all(|(&argument, &init)| may_begin(argument, init)) {
        return None;
    }
    let block = op.region_at(0)?.first_block()?;
    let last = block.terminator()?;
    rewriter.replace_all_uses_with(block.argument_at(0)?.into(), zero(op, rewriter)?);
    for (&argument, &init) in arguments.iter().zip(&inits) {
        rewriter.replace_all_uses_with(argument, init);
    }
    while let Some(first) = block.first_operation().filter(|&first| first != last) {
        rewriter.move_op_before(first, op);
    }
    let yielded: Vec<Value> = last.operands().collect();
    rewriter.replace_op_with_values(op, &yielded);
    Some(())
}

/// Whether what changes an argument may change a value in place of it. Loops, and what a filter
/// writes, may begin with any value; else it must be carried itself.
fn may_begin(argument: Value, init: Value) -> bool {
    let change = uses(argument).into_iter().find(|&(user, operand)| {
        changes(user).is_some_and(|changes| changes.result_of(operand).is_some())
    });
    match change {
        None => true,
        Some((user, _)) if op_name(user) == "nest.loop" => true,
        Some((user, operand)) if op_name(user) == "nest.keep" && operand > 1 => true,
        Some(_) => is_carried(init),
    }
}

/// The index of the only iteration.
fn zero<'c, 'a>(
    op: OperationRef<'c, 'a>,
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let length = definition(op.operand_at(0)?)?;
    let index: Type = op.operand_at(0)?.r#type();
    let value = IntegerAttribute::new(index, 0).into();
    let context = length.context();
    // SAFETY: the reference is to the local handle, which outlives the identifier's creation.
    let name = melior::ir::Identifier::new(unsafe { context.to_ref() }, "value");
    let made = OperationBuilder::new("arith.constant", op.location())
        .add_results(&[index])
        .add_attributes(&[(name, value)])
        .build()
        .ok()?;
    rewriter.set_insertion_point_before(op);
    let result = rewriter.insert(made).result_at(0)?;
    // SAFETY: the op lives as long as the block that it stands in.
    Some(unsafe { Value::from_raw(result.to_raw()) })
}
