//! Why an op stays as it is.

use thiserror::Error;

/// What of an op combinators do not express.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(super) enum Reason {
    /// It has no loops that are known.
    #[error("it says by no maps what it reads")]
    NoMaps,
    /// Operands in memory, or arrays of other elements.
    #[error("operand {operand} is of type {found}, which is no array of combinators")]
    Operand {
        /// Its number.
        operand: usize,
        /// Its type.
        found: String,
    },
    /// A result of other elements.
    #[error("its result is of type {0}, which is no array of combinators")]
    Result(String),
    /// A loop of which no size says how often it runs.
    #[error("no operand has the size of loop {0}")]
    Unsized(usize),
    /// An index that is divided, and may be negative.
    #[error("operand {0} is read at an index that is divided and may be negative")]
    Divided(usize),
    /// A result that is not written at the loops' own indices.
    #[error("result {0} is not written once at each index")]
    Written(usize),
    /// A result that several iterations write, without combining them.
    #[error(
        "several iterations write the same element of result {0}, and do not combine what they write"
    )]
    Overwritten(usize),
    /// What combines iterations is not known to be associative.
    #[error("result {result} is accumulated by {by}, which is not known to be associative")]
    Accumulation {
        /// Its number.
        result: usize,
        /// The op, or what there is instead.
        by: String,
    },
    /// What is accumulated so far is read for something else than accumulation.
    #[error("what result {0} has accumulated is read besides")]
    Accumulator(usize),
    /// An op in the region that has loops of its own.
    #[error("its region has '{0}' in it")]
    Nested(String),
    /// A slice with a stride that may be zero.
    #[error("a stride may be 0")]
    Stride,
    /// Lists that do not say which dimensions are which.
    #[error("its dimensions are not known")]
    Dimensions,
    /// A region that is more than one block.
    #[error("its region is not one block")]
    Region,
}
