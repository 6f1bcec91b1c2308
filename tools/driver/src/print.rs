//! The text of a program.

use melior::ir::{
    Module,
    operation::{OperationLike, OperationPrintingFlags},
};

use crate::compile::CompileError;

/// Whether places in the source are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// After each op.
    Shown,
    /// Not at all.
    Hidden,
}

/// The text of a module.
///
/// # Errors
///
/// If MLIR's text is not UTF-8, which is comb's fault: strings are escaped in it.
pub fn text(module: &Module, places: Places) -> Result<String, CompileError> {
    let flags = OperationPrintingFlags::new();
    let flags = match places {
        Places::Shown => flags.enable_debug_info(true, false),
        Places::Hidden => flags,
    };
    let text = module.as_operation().to_string_with_flags(flags);
    Ok(text? + "\n")
}
