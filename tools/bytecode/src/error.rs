//! What can be wrong with a file.

use thiserror::Error;

/// A fault of a file, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{fault} (at byte {at})")]
pub struct Error {
    /// Bytes from the beginning of the file.
    pub at: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// Faults of files: all but the last three mean that the file is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The file ends too early.
    #[error("the bytecode is damaged: {wanted} more bytes are needed, and {left} are left")]
    Truncated {
        /// Bytes that are needed.
        wanted: u64,
        /// Bytes that are left in the section.
        left: usize,
    },
    /// A number in a table that does not have so many entries.
    #[error("the bytecode is damaged: there is no {what} {index}, there are {count}")]
    NoEntry {
        /// What the table is of.
        what: &'static str,
        /// The number.
        index: u64,
        /// How many there are.
        count: usize,
    },
    /// Anything else that no writer writes.
    #[error("the bytecode is damaged: {0}")]
    Damaged(String),
    /// A version of the format that is not known.
    #[error("version {0} of MLIR's bytecode is not known, only versions up to 6")]
    NewerFormat(u64),
    /// An op, attribute or type of `vhlo` that is not known.
    #[error(
        "{what} of a portable artifact of {producer} is not known, only those up to StableHLO 1.20"
    )]
    NewerArtifact {
        /// What is not known.
        what: String,
        /// What the file says of its writer.
        producer: String,
    },
    /// What no StableHLO of this crate's kind has.
    #[error("{0}")]
    Unsupported(String),
}

impl Fault {
    /// The fault at a place.
    #[must_use]
    pub fn at(self, at: usize) -> Error {
        Error { at, fault: self }
    }
}
