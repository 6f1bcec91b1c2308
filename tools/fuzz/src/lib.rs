//! Random programs, and what to do with them.
//!
//! * [`generator`]: a number to a well-typed program with its inputs.
//! * [`check`]: runs a program by the reference interpreter, fused and not, and by
//!   compiled code, and compares.
//! * [`compiled`]: how a program is compiled, and run.
//! * [`watched`]: the same as an executable, with a sanitizer or under Valgrind.
//! * [`fusion`]: how a program is fused, and what comes of it.
//! * [`cpus`]: the CPUs that programs are compiled for.
//! * [`staged`]: a program between passes.
//! * [`between`]: passes that change no result, between those of `comb-cpu`.
//! * [`task`]: of which kind programs are, and which ways they are run.
//! * [`campaign`]: many programs, in worker processes, so that a crash is found
//!   and not suffered.
//! * [`reduce`]: drops statements from a failing program as long as it fails.
//! * [`save`]: writes a failing program with its inputs and how to run it.

#![warn(missing_docs)]

pub mod between;
pub mod campaign;
pub mod check;
pub mod compiled;
pub mod cpus;
pub mod fusion;
pub mod generator;
pub mod program;
pub mod reduce;
pub mod same;
pub mod save;
pub mod staged;
pub mod task;
pub mod watched;
