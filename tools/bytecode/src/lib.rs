//! MLIR's bytecode, read without MLIR.
//!
//! MLIR's own reader trusts its input: damaged bytecode can make it corrupt memory. And of ops that
//! are not registered it keeps only the first property, so that it cannot read StableHLO's portable
//! artifacts without the dialect `vhlo`. This crate reads bytecode of all versions (0 to 6) with
//! every number checked, and makes text of portable artifacts.
//!
//! Phases: [`File::read`] finds the sections and tables of a file; [`ir::read`] the ops, regions and
//! values; attributes and types are decoded one by one when they are asked for, those of `builtin`
//! in [`builtin`] and those of `vhlo` in [`vhlo`]; [`stablehlo::text`] prints a portable artifact as
//! StableHLO in generic form. Each takes time linear in the size of the file.
//!
//! Sources: MLIR's page "MLIR Bytecode Format", and StableHLO's pages "VHLO" and "Compatibility".

#![forbid(unsafe_code)]

pub mod builtin;
mod cursor;
mod cycles;
mod error;
mod file;
pub mod ir;
pub mod model;
pub mod stablehlo;
mod text;
pub mod vhlo;

pub use cursor::Cursor;
pub use error::{Error, Fault};
pub use file::{AttributeId, Entry, File, OpName, TypeId};

/// How bytecode begins.
pub const MAGIC: &[u8] = b"ML\xefR";

/// Checks that bytecode is whole: sections and tables, ops, regions and values, and the attributes
/// and types of `builtin`. Encodings of other dialects are not known here. Gives the tables and ops.
///
/// # Errors
/// Says what is damaged, and where.
pub fn check(bytes: &[u8]) -> Result<(File<'_>, ir::Program<'_>), Error> {
    let file = File::read(bytes)?;
    let program = ir::read(&file)?;
    builtin::check(&file)?;
    cycles::check(&file)?;
    Ok((file, program))
}
