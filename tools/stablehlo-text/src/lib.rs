//! StableHLO's own syntax (`stablehlo.add %x, %y : tensor<4xf32>`), made generic form.
//!
//! MLIR's parser takes ops of dialects that it does not know in generic form only
//! (`"stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`). This crate makes it of
//! the other one, text from text: all else in a program, its other dialects, comments and places, stays
//! as it is, and every op stays on its line. Constants of truth values become what MLIR 22 reads ([`booleans`]).
//!
//! Phases: [`tokens`] cuts the text into tokens; [`rewrite`] finds the ops, reads each as [`forms`] says
//! of its name, or [`regions`] if it has regions, and writes it again. Time is linear in the text.
//!
//! Source: the `assemblyFormat`s of StableHLO's and CHLO's ops, and StableHLO's printers.

#![forbid(unsafe_code)]

mod booleans;
mod cursor;
mod forms;
mod regions;
mod rewrite;
mod signature;
mod tokens;

use std::borrow::Cow;

/// An op of StableHLO that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{op}' op {message}")]
pub struct Error {
    /// Where, in bytes from the beginning of the text.
    pub at: usize,
    /// The op's name.
    pub op: String,
    /// What is wrong.
    pub message: String,
}

/// The dialects whose ops are read, as their names begin.
const DIALECTS: [&str; 2] = ["stablehlo.", "chlo."];

/// A dialect of which two ops are read.
const SHARDY: &str = "sdy.";

/// A program with all ops of StableHLO and CHLO in generic form, as MLIR 22 reads it.
///
/// # Errors
/// If such an op has a form that is not its own.
pub fn generic_form(text: &str) -> Result<Cow<'_, str>, Error> {
    let mut dialects = DIALECTS.iter().chain([&SHARDY]);
    match dialects.any(|dialect| text.contains(dialect)) {
        true => rewrite::rewrite(text),
        false => Ok(Cow::Borrowed(text)),
    }
}
