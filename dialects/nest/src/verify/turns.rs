//! That what is carried is used in turn: from a block argument to the terminator, each value is
//! changed by one op, and read only before.
//!
//! Cost: linear in the uses of what is carried.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use soac_dialect::{
    cast::{Parts, is_a},
    view::{argument_of, definition, op_name, stands_before, uses},
};
use thiserror::Error;

use super::{Verified, Violation, ancestors};
use crate::carried::{arguments, changes};

/// What is wrong with how a carried value is used.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    #[error("is not handed on: nothing changes or yields it")]
    Lost,
    #[error("several ops change or yield")]
    Several,
    #[error("'{0}' uses, which does not change it")]
    Misused(String),
    #[error("'{0}' reads after it was changed")]
    ReadLate(String),
    #[error("'{0}' changes in a body that does not carry it")]
    ChangedInside(String),
    #[error("is yielded in place of value {0}")]
    Swapped(usize),
}

/// Follows a carried value from a block argument to the terminator.
pub(super) fn verify_chain<'c: 'a, 'a>(
    argument: Value<'c, 'a>,
    last: OperationRef<'c, 'a>,
    position: usize,
) -> Result<(), Problem> {
    let mut value = argument;
    loop {
        let (user, operand) = only_change(value, last)?;
        verify_reads(value, user)?;
        if op_name(user) == "nest.yield" {
            return match operand == position {
                true => Ok(()),
                false => Err(Problem::Swapped(operand)),
            };
        }
        let result = changes(user).and_then(|changes| changes.result_of(operand));
        let result = result.and_then(|result| user.result_at(result));
        value = result.ok_or(Problem::Lost)?.into();
    }
}

/// The one op that changes or yields a carried value, and by which operand.
fn only_change<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    last: OperationRef<'c, 'a>,
) -> Result<(OperationRef<'c, 'a>, usize), Problem> {
    let mut found = None;
    for (user, operand) in uses(value) {
        let yields = op_name(user) == "nest.yield";
        let is_change =
            yields || changes(user).is_some_and(|changes| changes.result_of(operand).is_some());
        if !is_change {
            continue;
        }
        if user.block() != last.block() {
            return Err(Problem::ChangedInside(op_name(user).to_owned()));
        }
        if found.replace((user, operand)).is_some() {
            return Err(Problem::Several);
        }
    }
    found.ok_or(Problem::Lost)
}

/// That a carried value is only read otherwise, and before it is changed.
fn verify_reads<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    change: OperationRef<'c, 'a>,
) -> Result<(), Problem> {
    for (user, operand) in uses(value) {
        let is_the_change = user == change
            && (op_name(user) == "nest.yield"
                || changes(user).is_some_and(|changes| changes.result_of(operand).is_some()));
        if is_the_change {
            continue;
        }
        let name = op_name(user).to_owned();
        let reads = matches!(
            op_name(user),
            "nest.read" | "tensor.dim" | "tensor.extract" | "tensor.extract_slice" | "tensor.cast"
        );
        if !reads || operand != 0 {
            return Err(Problem::Misused(name));
        }
        let mut around = std::iter::once(user).chain(ancestors(user));
        let here = around.find(|op| op.block() == change.block());
        if !here.is_some_and(|here| stands_before(here, change)) {
            return Err(Problem::ReadLate(name));
        }
    }
    Ok(())
}

/// That what an op combines or writes to is carried, if it is no array in memory. A write to an
/// array that is in no chain would make a copy of it.
pub(super) fn verify_changed<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let combines = matches!(
        op_name(op),
        "nest.fold" | "nest.scan" | "nest.keep" | "nest.write" | "nest.scatter"
    );
    let Some(changes) = changes(op).filter(|_| combines) else {
        return Ok(());
    };
    let counts = op_name(op) == "nest.keep";
    let operands = match counts {
        true => changes.operands.start..changes.operands.start + 1,
        false => changes.operands,
    };
    for operand in operands {
        let value = op.operand(operand).map_err(|_| Violation::NoValues)?;
        if !is_a::<MemRefType>(value.r#type()) && !is_carried(value) {
            return Err(Violation::NotCarried(operand));
        }
    }
    Ok(())
}

/// Whether a value is a carried block argument, or made of one, or a new array.
pub(crate) fn is_carried<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let mut value = value;
    loop {
        let Some(op) = definition(value) else {
            return argument_of(value).is_some_and(|(op, _)| arguments(op).contains(&value));
        };
        if op_name(op) == "nest.local" {
            return true;
        }
        let Some(changes) = changes(op) else {
            return false;
        };
        let made_of = changes
            .operands
            .clone()
            .find(|&operand| {
                let result = changes.result_of(operand);
                let result = result.and_then(|result| op.result_at(result));
                result.is_some_and(|result| Value::from(result) == value)
            })
            .and_then(|operand| op.operand_at(operand));
        // A loop or `nest.keep` may begin with any value.
        match made_of {
            Some(_) if !arguments(op).is_empty() => return true,
            Some(before) => value = before,
            None => return false,
        }
    }
}
