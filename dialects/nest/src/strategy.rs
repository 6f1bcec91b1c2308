//! How threads share a scatter, if the program says so: an attribute of `nest.scatter`.
//!
//! ```mlir
//! %h1 = nest.scatter %one into %h[%bin] {strategy = "partitioned"} : tensor<256xi32> …
//! ```
//!
//! Cost: constant.

use melior::ir::{Attribute, OperationRef, attribute::StringAttribute, operation::OperationLike};
use soac_dialect::text::string_bytes;
use thiserror::Error;

/// The attribute's name.
pub const STRATEGY: &str = "strategy";

/// How the elements of a scatter get to their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// One thread, in order.
    Sequential,
    /// Each chunk combines its elements in a table of its own; tables are combined in the order of
    /// the chunks.
    Privatised,
    /// Elements are put in the order of the part of the destination that they go to; then threads
    /// take parts.
    Partitioned,
}

/// No strategy is called so.
#[derive(Debug, Error)]
#[error("has to be one of {names}, and not {0}", names = names())]
pub struct Unknown(String);

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sequential, Self::Privatised, Self::Partitioned];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Privatised => "privatised",
            Self::Partitioned => "partitioned",
        }
    }

    /// The one that an attribute names.
    ///
    /// # Errors
    ///
    /// If it names none.
    pub fn named(attribute: Attribute) -> Result<Self, Unknown> {
        let name = StringAttribute::try_from(attribute).ok();
        let known = Self::ALL.into_iter().find(|strategy| {
            name.is_some_and(|name| string_bytes(name) == strategy.name().as_bytes())
        });
        known.ok_or_else(|| Unknown(attribute.to_string()))
    }

    /// What a `nest.scatter` says; nothing if it says nothing.
    ///
    /// # Errors
    ///
    /// If it names no strategy.
    pub fn of(scatter: OperationRef) -> Result<Option<Self>, Unknown> {
        let attribute = scatter.attribute(STRATEGY).ok();
        attribute.map(Self::named).transpose()
    }
}

fn names() -> String {
    let names = Strategy::ALL.map(|strategy| format!("\"{}\"", strategy.name()));
    names.join(", ")
}
