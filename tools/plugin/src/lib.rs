//! comb as a shared library, libcomb_plugin.so, for compilers that are not
//! written in Rust:
//!
//! * a plugin of a stock `mlir-opt` ([`plugin`]);
//! * a C API (`include/comb/comb.h`, [`c_api`]);
//! * the C++ classes of the dialect (`soac/Soac.h`), which ODS generates.
//!
//! It links libMLIR.so dynamically, and so shares MLIR with its host. Exported
//! are the C functions of this crate and what `exports.map` lists.

#![warn(missing_docs)]

mod c_api;
mod plugin;

// The crate whose passes are exported.
use comb_passes as _;
