//! Which names a program may have: those of its symbols are shown to people, typed by them, and
//! given to linkers. And where modules may stand, which are what names are looked up in.

use melior::ir::{Module, OperationRef, RegionLike, block::BlockLike, operation::OperationLike};
use soac_dialect::{
    text::{as_name, shown, symbol_bytes},
    view::op_name,
};

use crate::{Diagnostic, Diagnostics, source::Source};

/// Refuses symbols whose name is no text, wherever they are, and modules inside of functions.
pub(crate) fn refuse(module: &Module, source: &Source) -> Result<(), Diagnostics> {
    let mut errors = vec![];
    let mut waiting = vec![module.as_operation()];
    while let Some(op) = waiting.pop() {
        errors.extend(refusal(op, source).or_else(|| misplaced(op, source)));
        for region in op.regions() {
            let blocks =
                std::iter::successors(region.first_block(), |block| block.next_in_region());
            for block in blocks {
                waiting.extend(std::iter::successors(block.first_operation(), |op| {
                    op.next_in_block()
                }));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(Diagnostics(errors)),
    }
}

fn refusal(op: OperationRef, source: &Source) -> Option<Diagnostic> {
    let name = symbol_bytes(op).filter(|name| as_name(name).is_none())?;
    let message = format!(
        "'{}' op has the name '{}', which is not UTF-8 or has a NUL; give it another one",
        op_name(op),
        shown(name)
    );
    Some(Diagnostic::error(op.location(), message, source))
}

fn misplaced(op: OperationRef, source: &Source) -> Option<Diagnostic> {
    let name = op_name(op);
    let parent = op.parent_operation()?;
    let is_misplaced = name == "builtin.module" && op_name(parent) != name;
    is_misplaced.then(|| {
        let message = format!(
            "'{name}' op stands in a '{}' op; a module stands at the top of a file, or in another module",
            op_name(parent)
        );
        Diagnostic::error(op.location(), message, source)
    })
}
