//! Memory that an `scf.for` hands on as it was given: inside and behind the loop, it is what the loop was
//! given first.
//!
//! Cost: linear in what the loop carries.

use melior::ir::{
    BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::{Arguments, Parts},
};

use super::own::BOUNDS;
use comb_kit::{pass_error::PassError, walk::first_block};

/// What a loop carries, in order: whether it is memory that is handed on as it was. Nothing if none is.
pub(super) fn unchanged<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Option<Vec<bool>> {
    let body = first_block(r#loop)?;
    let end = body.terminator()?;
    let is_unchanged = |number: usize| {
        let carried: Value = body.argument_at(number + 1)?.into();
        Some(carried.r#type().is_mem_ref() && end.operand_at(number)? == carried)
    };
    let count = r#loop.operand_count() - BOUNDS;
    let all: Option<Vec<bool>> = (0..count).map(is_unchanged).collect();
    all.filter(|all| all.contains(&true))
}

/// Makes a loop that does not carry what is handed on as it was.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn take_out<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    unchanged: &[bool],
) -> Result<(), PassError<'c>> {
    let (Some(builder), Some(body)) = (Builder::before(r#loop), first_block(r#loop)) else {
        return Ok(());
    };
    let operands: Values = r#loop.operands().collect();
    let (bounds, inits) = operands.split_at(BOUNDS);
    let kept = changed(inits, unchanged);
    let types: Vec<Type> = kept.iter().map(|value| value.r#type()).collect();
    let arguments = [&[bounds[0].r#type()], types.as_slice()].concat();
    let region = builder.region(&arguments, "scf.yield", |builder, arguments| {
        let carried = merged(inits, &arguments[1..], unchanged);
        let yielded = builder.inline(body, &[&arguments[..1], &carried].concat())?;
        Ok::<_, PassError>(changed(&yielded, unchanged))
    })?;
    let operands = [bounds, &kept].concat();
    let new = builder.op_like(r#loop, &operands, &types, vec![region])?;
    let results: Values = new.results().map(Into::into).collect();
    builder.replace(r#loop, &merged(inits, &results, unchanged));
    Ok(())
}

/// Those of some values that change.
fn changed<'c, 'a>(values: &[Value<'c, 'a>], unchanged: &[bool]) -> Values<'c, 'a> {
    let values = values.iter().zip(unchanged);
    values
        .filter(|(_, unchanged)| !**unchanged)
        .map(|(&value, _)| value)
        .collect()
}

/// All that is carried: what does not change, and what does.
fn merged<'c, 'a>(
    inits: &[Value<'c, 'a>],
    changed: &[Value<'c, 'a>],
    unchanged: &[bool],
) -> Values<'c, 'a> {
    let mut changed = changed.iter();
    let value = |(&init, &unchanged): (&Value<'c, 'a>, &bool)| match unchanged {
        true => Some(init),
        false => changed.next().copied(),
    };
    inits.iter().zip(unchanged).filter_map(value).collect()
}
