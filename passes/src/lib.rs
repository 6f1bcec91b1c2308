//! comb's MLIR passes and pipelines.
//!
//! Names, options and documentation are in `include/comb/Passes.td`; the C++
//! in `cpp/` registers them and calls [`bridge`].

#![warn(missing_docs)]

pub mod bridge;
mod checks;
pub mod convert_checks_to_llvm;
pub mod convert_to_linalg;
pub mod insert_checks;
pub mod lower_copies;
pub mod mark_entry_points;
pub mod pipelines;
mod walk;
