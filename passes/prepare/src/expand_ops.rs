//! `comb-expand-ops`: ops of other compilers that say by an interface how they are made of combinators are
//! replaced by them, so that they are fused like everything else.
//!
//! What an op builds may have such ops, too. They are replaced in turn, up to a number of times that no
//! sensible op needs, since one may build itself.
//!
//! Cost: linear in the number of ops, for each time.

use std::ffi::c_void;

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{
    OperationRef, Type, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType,
};
use mlir_sys::{MlirOperation, MlirValue};
use soac_dialect::{
    builder::{Builder, Values},
    description::are_compatible,
    view::op_name,
};
use thiserror::Error;

unsafe extern "C" {
    /// Whether an op has the interface.
    fn combExpandsToSoac(op: MlirOperation) -> bool;

    /// Has an op with the interface build its results in front of it, and gives them one by one. Whether it did.
    fn combExpandToSoac(
        op: MlirOperation,
        push: extern "C" fn(MlirValue, *mut c_void),
        values: *mut c_void,
    ) -> bool;
}

/// How often what was built is looked at for such ops, before one is taken to build itself.
const MOST_ROUNDS: usize = 20;

/// What is wrong with what an op built.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
enum Wrong {
    #[error("did not expand to combinators")]
    Failed,
    #[error("expands to {found} values, but has {expected} results")]
    Number { found: usize, expected: usize },
    #[error("expands to a value of type {found} for result {result}, which is of type {expected}")]
    Type {
        result: usize,
        found: String,
        expected: String,
    },
    #[error("expands to itself, or to ops that do")]
    Endless,
}

/// Runs the pass on a module, and gives how many ops were replaced.
///
/// # Errors
///
/// What is wrong with what an op built, at its place.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<i64, PassError<'c>> {
    let mut count = 0;
    for _ in 0..MOST_ROUNDS {
        let ops = expandable(module);
        if ops.is_empty() {
            return Ok(count);
        }
        // Inner ops first: an op may take what is in its regions into what it builds.
        for &op in ops.iter().rev() {
            expand(op)?;
            count += 1;
        }
    }
    match expandable(module).first() {
        Some(&op) => Err(error(op, &Wrong::Endless)),
        None => Ok(count),
    }
}

fn expandable<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut ops = operations(module);
    // SAFETY: the ops are alive.
    ops.retain(|op| unsafe { combExpandsToSoac(op.to_raw()) });
    ops
}

/// Replaces an op by what it builds.
fn expand<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let values = built(op).ok_or_else(|| error(op, &Wrong::Failed))?;
    let expected: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    if values.len() != expected.len() {
        let (found, expected) = (values.len(), expected.len());
        return Err(error(op, &Wrong::Number { found, expected }));
    }
    let mut results = vec![];
    for (result, (&value, &expected)) in values.iter().zip(&expected).enumerate() {
        if !fits(value.r#type(), expected) {
            let (found, expected) = (value.r#type().to_string(), expected.to_string());
            let wrong = Wrong::Type {
                result,
                found,
                expected,
            };
            return Err(error(op, &wrong));
        }
        results.push(builder.cast(value, expected)?);
    }
    builder.replace(op, &results);
    Ok(())
}

/// The values that an op builds; nothing if it does not.
fn built<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Values<'c, 'a>> {
    extern "C" fn push(value: MlirValue, values: *mut c_void) {
        // SAFETY: what `values` is below.
        unsafe { (*values.cast::<Vec<MlirValue>>()).push(value) };
    }
    let mut values: Vec<MlirValue> = vec![];
    let destination: *mut Vec<MlirValue> = &mut values;
    // SAFETY: the op has the interface; its implementation builds in front of it, and leaves it alone.
    let is_built = unsafe { combExpandToSoac(op.to_raw(), push, destination.cast()) };
    // SAFETY: the values are in front of the op, which is alive.
    let values = values
        .into_iter()
        .map(|value| unsafe { Value::from_raw(value) });
    is_built.then(|| values.collect())
}

/// Whether a value of a type may become one of another: arrays may differ in what is known of their sizes.
fn fits(found: Type, expected: Type) -> bool {
    let arrays = [found, expected].map(RankedTensorType::try_from);
    match arrays {
        [Ok(found), Ok(expected)] => are_compatible(&found, &expected),
        _ => found == expected,
    }
}

fn error<'c>(op: OperationRef<'c, '_>, wrong: &Wrong) -> PassError<'c> {
    PassError::Unsupported {
        location: op.location(),
        message: format!("'{}' op {wrong}", op_name(op)),
    }
}
