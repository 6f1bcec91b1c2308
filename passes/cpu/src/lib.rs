//! Schedules, vectors and threads.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod lanes;
pub mod lower_copies;
pub mod nest_distribute;
pub mod nest_jam;
pub mod nest_pack;
pub mod nest_schedule;
pub mod nest_split;
pub mod nest_to_vectors;
pub mod nest_wavefront;
pub mod parallel_to_openmp;
pub mod skip_empty_loops;
pub mod sorts_to_loops;
pub mod waiting;
