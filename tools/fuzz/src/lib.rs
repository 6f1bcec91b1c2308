//! Random `soac` programs, and what to do with them: run them by the reference
//! interpreter and by compiled code, compare, and reduce those that differ.

#![warn(missing_docs)]

pub mod generator;
pub mod program;
