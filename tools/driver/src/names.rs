//! Which names a program may have: those of its symbols are shown to people, typed by them, and
//! given to linkers.

use melior::ir::{Module, OperationRef, RegionLike, block::BlockLike, operation::OperationLike};
use soac_dialect::{
    text::{as_name, shown, symbol_bytes},
    view::op_name,
};

use crate::{Diagnostic, Diagnostics, source::Source};

/// Refuses symbols whose name is no text, wherever they are.
pub(crate) fn refuse_no_text(module: &Module, source: &Source) -> Result<(), Diagnostics> {
    let mut errors = vec![];
    let mut waiting = vec![module.as_operation()];
    while let Some(op) = waiting.pop() {
        errors.extend(refusal(op, source));
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
