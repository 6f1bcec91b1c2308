//! What code is made for, as a value.
//!
//! A [`Machine`] is what passes ask: how wide registers are, how many there are, how large caches
//! are, and what the CPU can do. Its facts have names ([`FACTS`]), by which a program, an option or
//! a test may give them ([`describe`]). Those of CPUs come from one table ([`CPUS`]); those of others
//! follow from what LLVM knows of them ([`of_target`]).
//!
//! A [`Gpu`] is the same for GPUs: how many threads run together, and what they share ([`GPU_FACTS`],
//! [`GPUS`], [`describe_gpu`]).
//!
//! Numbers that were found by measuring, and are the same for all machines so far, are in
//! [`tuning`], each with its unit and where it comes from.
//!
//! Nothing here knows of MLIR: the attribute `comb.machine` is read and written in
//! `passes/kit/src/machine.rs`.

#![warn(missing_docs)]

mod cpus;
mod facts;
mod gpus;
mod machine;
mod targets;
pub mod tuning;

pub use cpus::{CPUS, Cpu, find};
pub use facts::{CPU, FACTS, Fact, InvalidFact, Value, assignment, describe, describe_gpu};
pub use gpus::{GPU_FACTS, GPUS, Gpu, GpuFact, GpuRow, Vendor};
pub use machine::Machine;
pub use targets::{Architecture, of_target};
