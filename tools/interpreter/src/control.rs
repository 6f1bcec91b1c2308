//! The `cf` dialect: branches and assertions.

use std::ops::Range;

use crate::call::Call;
use crate::failure::Failure;
use crate::program::Attribute;
use crate::value::Value;

/// Which block a branch goes to, and with which arguments.
pub(crate) fn branch(call: &Call) -> Result<(usize, Vec<Value>), Failure> {
    let (successor, operands) = match call.op.name.as_str() {
        "cf.br" => (0, 0..call.op.operands.len()),
        "cf.cond_br" => {
            let successor = if call.scalar(0)?.is_true() { 0 } else { 1 };
            (successor, call.group(1 + successor))
        }
        "cf.switch" => switch(call)?,
        _ => return Err(call.unknown_op()),
    };
    let block = call
        .op
        .successors
        .get(successor)
        .ok_or_else(|| call.bug("a successor is missing"))?;
    Ok((*block, call.values(operands)?))
}

fn switch(call: &Call) -> Result<(usize, Range<usize>), Failure> {
    let flag = call.scalar(0)?;
    let case = match call.op.attributes.get("case_values") {
        Some(Attribute::Elements(Value::Array(cases))) => {
            cases.scalars().position(|case| case == flag)
        }
        _ => None,
    };
    let Some(case) = case else {
        return Ok((0, call.group(1)));
    };
    let segments = call.op.integers("case_operand_segments");
    let size = |case: usize| segments.get(case).copied().unwrap_or(0) as usize;
    let start = call.group(2).start + (0..case).map(size).sum::<usize>();
    Ok((1 + case, start..start + size(case)))
}

/// Executes `cf.assert`.
pub(crate) fn assert(call: &Call) -> Result<Vec<Value>, Failure> {
    if call.scalar(0)?.is_true() {
        return Ok(vec![]);
    }
    match call.op.attributes.get("msg") {
        Some(Attribute::String(message)) => Err(Failure::Program {
            location: call.op.location.clone(),
            message: match message.as_str() {
                "" => "'cf.assert' op does not hold".to_owned(),
                message => message.to_owned(),
            },
        }),
        _ => Err(call.bug("has no message")),
    }
}
