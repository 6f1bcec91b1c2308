//! Destinations of `linalg` that nobody reads, in memory that a combinator has written to.
//!
//! A `soac.claim` takes the memory of an array that is not read any more;
//! what is written there is an array of another name. Bufferization does not know that it is in the
//! same memory. So where an op overwrites the old array without reading it, which bufferization does in
//! place, it is given a new array.

use std::collections::HashSet;

use melior::{
    Error,
    ir::{
        BlockLike, OperationRef, TypeLike, Value, ValueLike,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::Builder,
    view::{argument_of, op_name, uses},
};

use super::origins::{Origin, origins_of_written};
use crate::{
    checks::facts::key,
    walk::{first_block, operations},
};

/// Gives ops of a module other destinations.
pub(super) fn renew(module: OperationRef) -> Result<(), Error> {
    let ops = operations(module);
    let writers = ops.iter().filter(|&&op| op_name(op) == "soac.claim");
    let arrays = writers.filter_map(|op| op.operand(0).ok());
    let written: HashSet<usize> = arrays.flat_map(memory).collect();
    if written.is_empty() {
        return Ok(());
    }
    for &op in &ops {
        for operand in overwritten(op) {
            let array = op.operand(operand)?;
            if !memory(array).is_disjoint(&written) {
                renew_operand(op, operand, array)?;
            }
        }
    }
    Ok(())
}

/// The memory that an array may be in, where loops and functions are given arrays, too: all parameters
/// of functions are one.
fn memory(array: Value) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut pending = vec![array];
    while let Some(array) = pending.pop() {
        for Origin { value } in origins_of_written(array) {
            match argument_of(value) {
                Some((parent, _)) if op_name(parent) == "func.func" => {
                    found.insert(PARAMETER);
                }
                Some((parent, _)) if found.insert(key(value)) => {
                    let arrays = parent.operands();
                    pending.extend(arrays.filter(|array| array.r#type().is_ranked_tensor()));
                }
                _ => {
                    found.insert(key(value));
                }
            }
        }
    }
    found
}

/// Stands for the memory of all parameters.
const PARAMETER: usize = 0;

/// The operands that an op of `linalg` writes to without reading them.
pub(super) fn overwritten(op: OperationRef) -> Vec<usize> {
    let body = first_block(op).filter(|_| op_name(op).starts_with("linalg."));
    let Some(body) = body.filter(|body| body.argument_count() == op.operand_count()) else {
        return vec![];
    };
    let first = op.operand_count().saturating_sub(op.result_count());
    let is_unread = |&operand: &usize| {
        let argument = body.argument(operand);
        argument.is_ok_and(|argument| uses(argument.into()).is_empty())
    };
    (first..op.operand_count()).filter(is_unread).collect()
}

fn renew_operand<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    operand: usize,
    array: Value<'c, 'a>,
) -> Result<(), Error> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let element = RankedTensorType::try_from(array.r#type())?.element();
    let sizes = builder.sizes(array)?;
    let new = builder.empty(&sizes, element)?;
    let new = builder.cast(new, array.r#type())?;
    builder.set_operand(op, operand, new);
    Ok(())
}
