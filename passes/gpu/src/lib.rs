//! Schedules and kernels.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod nest_schedule_gpu;
pub mod nest_to_gpu;
