//! Whether an op may be executed where the program would not execute it.

use crate::{description::describe, requirement::Truth, view::OpView};

/// As in `mlir::Speculation::Speculatability`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Speculatability {
    /// It may fail.
    Not = 0,
    /// It cannot fail if its lambda cannot.
    Recursive = 1,
}

/// An op may be moved if everything required of its operands is known to hold
/// and it reads and writes no array at computed indices.
pub(crate) fn speculatability(view: &OpView) -> Speculatability {
    let checks_indices =
        matches!(view.mnemonic(), "gather" | "scatter" | "backpermute") && !view.flag("unchecked");
    let holds = describe(view).is_ok_and(|description| {
        description
            .requirements
            .iter()
            .all(|requirement| requirement.condition.truth() == Truth::Holds)
    });
    if holds && !checks_indices && !view.flag("unchecked") {
        Speculatability::Recursive
    } else {
        Speculatability::Not
    }
}
