//! Clusters become loop nests; reading nests.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod cluster_loops;
pub mod dialects;
pub mod elements;
pub mod index_sets;
pub mod nest_to_scf;
pub mod nest_versions;
pub mod nests;
pub mod scatter_wishes;
pub mod soac_to_nest;
