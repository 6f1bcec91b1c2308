//! Which combinators share loops.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod desugar;
pub mod erase_clusters;
pub mod fuse;
