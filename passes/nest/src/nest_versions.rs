//! What passes that change nests share: loop versioning, that is a kernel twice, of which one is changed;
//! computations of indices elsewhere; and the form that kernels have to have.
//!
//! Cost: the code of a kernel once more.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::{constant, key},
    pass_error::PassError,
    walk::operations,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use nest_dialect::schedule::SCHEDULE;
use soac_dialect::{
    builder::Builder,
    view::{definition, remove_attribute},
};

type Made<'c, T> = Result<T, PassError<'c>>;

/// Makes sure that a kernel is in memory form, as what is `done` in it needs.
///
/// # Errors
///
/// If it is in value form.
pub fn require_memory_form<'c>(kernel: OperationRef<'c, '_>, done: &str) -> Made<'c, ()> {
    match kernel.result_count() {
        0 => Ok(()),
        _ => Err(PassError::Unsupported {
            location: kernel.location(),
            message: format!(
                "'nest.kernel' op is in value form, but {done} in memory form: \
                 'one-shot-bufferize' comes first"
            ),
        }),
    }
}

/// Replaces a kernel by what `changed` makes, or, if there is a condition that does not hold, by the kernel
/// as it was, whose schedules are chosen again.
///
/// # Errors
///
/// Those of `changed`, or if MLIR rejects what was built.
pub fn in_two_versions<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    condition: Option<Value<'c, 'a>>,
    changed: impl FnOnce(&Builder<'c, 'a>) -> Made<'c, ()>,
) -> Made<'c, ()> {
    match condition {
        None => changed(front)?,
        Some(condition) => {
            let changed = |builder: &Builder<'c, 'a>| changed(builder).map(|()| vec![]);
            front.if_else(condition, &[], changed, |builder| {
                for op in operations(builder.copy(kernel, &mut |value| value)) {
                    remove_attribute(op, SCHEDULE);
                }
                Made::Ok(vec![])
            })?;
        }
    }
    front.replace(kernel, &[]);
    Ok(())
}

/// A value that is there before a kernel, or the constant that it is.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn before_kernel<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
) -> Made<'c, Value<'c, 'a>> {
    match constant(value) {
        Some(constant) => Ok(builder.index(constant)?),
        None => Ok(value),
    }
}

/// What a value is elsewhere, where some others are known, if the ops that are to be computed again for it
/// are pure.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn computed<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    known: &mut HashMap<usize, Value<'c, 'a>>,
    is_again: &dyn Fn(OperationRef<'c, 'a>) -> bool,
) -> Made<'c, Value<'c, 'a>> {
    if let Some(&known) = known.get(&key(value)) {
        return Ok(known);
    }
    let Some(op) = definition(value).filter(|&op| is_again(op)) else {
        return Ok(value);
    };
    let mut operands = HashMap::new();
    for operand in op.operands() {
        operands.insert(key(operand), computed(builder, operand, known, is_again)?);
    }
    let copy = builder.copy(op, &mut |value| {
        operands.get(&key(value)).copied().unwrap_or(value)
    });
    let result = copy.result(0)?.into();
    known.insert(key(value), result);
    Ok(result)
}
