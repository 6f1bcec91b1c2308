//! Which arrays share memory.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod carry_blocks;
pub mod elide_copies;
pub mod reuse_blocks;
pub mod separate_arrays;
pub mod short_circuit;
pub mod usage;
