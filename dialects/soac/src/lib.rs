//! The `soac` dialect: second-order array combinators for MLIR.
//!
//! The ops are defined in ODS (`include/soac/*.td`); the C++ that ODS needs is
//! in `cpp/`. What the ops *mean* to the compiler (result types and shapes,
//! what must hold of their operands, how they fold and simplify) is here.
//!
//! * [`ops`]: typed builders for every op, for compilers that use melior.
//! * [`view`]: an op's parts, whether or not the op exists yet.
//! * [`builder`]: building IR inside existing IR.
//! * [`extent`]: array sizes as linear expressions over operands.
//! * [`description`]: result shapes and requirements of every op.
//! * [`requirement`]: what must hold, statically or when the program runs.

#![warn(missing_docs)]

mod bridge;
pub mod builder;
mod canonicalize;
pub mod description;
pub mod extent;
mod fold;
pub mod location;
pub mod register;
pub mod requirement;
mod speculation;
mod verify;
pub mod view;

pub use register::{dialect_handle, register};

mod generated {
    #![allow(missing_docs, clippy::all, reason = "generated from ODS")]

    melior::dialect! {
        name: "soac",
        files: ["soac/SoacOps.td"],
        include_directories: [],
        include_directory_env_vars: ["SOAC_INCLUDE", "MLIR_INCLUDE"],
    }
}

pub use generated::soac as ops;
