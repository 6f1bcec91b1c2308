//! What is computed again of what chunks keep of elements that they scatter ([`Record`]).
//!
//! Cost: linear in the ops that are computed again.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{builder::Builder, view::OpView};

use super::{Emitted, Values, uniform};
use crate::{
    checks::facts::key,
    lanes::{
        Lanes,
        lambda::{Local, lookup},
    },
    nest_schedule::records::Record,
};

/// Puts the fields of a record among the values of a loop, and what is computed of them again.
pub(super) fn compute_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    record: &Record<'c, 'a>,
    fields: Values<'c, 'a>,
    values: &mut Local<'c, 'a>,
) {
    for (field, &value) in record.fields.iter().zip(&fields) {
        values.insert(key(field.value), Lanes::Uniform(value));
    }
    for &(value, position) in &record.same {
        values.insert(key(value), Lanes::Uniform(fields[position]));
    }
    for &op in &record.again {
        let copy = builder.copy(op, &mut |value| {
            lookup(values, value).uniform().unwrap_or(value)
        });
        for (old, new) in op.results().zip(copy.results()) {
            values.insert(key(old.into()), Lanes::Uniform(new.into()));
        }
    }
}

/// Reads a field again, at an iteration of the loop with an index.
pub(super) fn read_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    read: OperationRef<'c, 'a>,
    [index, iteration]: [Value<'c, 'a>; 2],
    values: &Local<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let operands = read.operands().map(|operand| match operand == index {
        true => Ok(iteration),
        false => uniform(read, lookup(values, operand)),
    });
    let operands = operands.collect::<Emitted<Values>>()?;
    Ok(builder.load(operands[0], &operands[1..])?)
}

/// The operands of an op in a group, each of which is one number.
pub(super) fn operands_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    group: usize,
    values: &Local<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    let view = OpView::of(op);
    let operands = view.operands[view.group(group)].iter();
    operands
        .map(|&operand| uniform(op, lookup(values, operand)))
        .collect()
}
