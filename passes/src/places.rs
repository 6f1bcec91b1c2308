//! Where a program of loops reads and writes the memory of arrays.
//!
//! A `bufferization.to_buffer` has no effects, but a place: bufferization decides by it what is
//! still needed when another op writes to the array. Passes that simplify do not know that: they
//! make one of two, or use the memory behind it, or move it. So `convert-soac-to-loops` numbers
//! them: no two are equal, so that none is merged with another; and the passes that come before
//! bufferization refuse a program in which they are not what they were.
//!
//! Modules inside a module have numbers of their own.

use melior::ir::{OperationRef, attribute::DenseI64ArrayAttribute, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{op_name, set_attribute},
};

use crate::{
    pass_error::PassError,
    walk::{ancestors, operations},
};

/// The number of an op, counted from 1, and how many there are.
const PLACE: &str = "comb.place";

/// Numbers what reads or writes the memory of arrays.
pub(crate) fn number<'c>(module: OperationRef<'c, '_>) {
    let found = places(module);
    for (number, &op) in (1..).zip(&found) {
        if let Some(builder) = Builder::before(op) {
            let place = builder.integers(&[number, found.len() as i64]);
            set_attribute(op, PLACE, place);
        }
    }
}

/// Whether a module has numbers.
pub(crate) fn are_numbered(module: OperationRef) -> bool {
    places(module).into_iter().any(|op| op.has_attribute(PLACE))
}

/// Whether an op with a number is there for writing.
pub(crate) fn writes(op: OperationRef) -> bool {
    op.has_attribute(PLACE) && !op.has_attribute("read_only")
}

/// Checks that nothing was merged, removed or moved since the ops were numbered.
///
/// # Errors
///
/// The first op that is not where it was, or in whose place another one is missing.
pub(crate) fn check<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut last = None;
    let mut expected = 1;
    for op in places(module) {
        let Some((number, count)) = place(op) else {
            continue;
        };
        if number != expected {
            return Err(changed(op));
        }
        expected += 1;
        last = Some((op, count));
    }
    match last {
        Some((op, count)) if expected <= count => Err(changed(op)),
        _ => Ok(()),
    }
}

fn changed<'c>(op: OperationRef<'c, '_>) -> PassError<'c> {
    PassError::Unsupported {
        location: op.location(),
        message: format!(
            "a pass changed where arrays are read or written around this '{}' op; none may run \
             between convert-soac-to-loops and one-shot-bufferize but convert-soac-to-linalg and \
             comb-separate-arrays",
            op_name(op)
        ),
    }
}

fn place(op: OperationRef) -> Option<(i64, i64)> {
    let place = DenseI64ArrayAttribute::try_from(op.attribute(PLACE).ok()?).ok()?;
    Some((place.element(0).ok()?, place.element(1).ok()?))
}

fn places<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = operations(module);
    found.retain(|&op| {
        op_name(op) == "bufferization.to_buffer"
            && ancestors(op).find(|&outer| op_name(outer) == "builtin.module") == Some(module)
    });
    found
}
