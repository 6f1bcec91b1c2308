//! An NVIDIA GPU without a GPU: the C API of the driver (`libcuda`) over an interpreter of PTX.
//!
//! Programs that open this library instead of `libcuda.so.1` run their kernels on the processor, so
//! that tests execute the very PTX and host code that ship. The device is stricter than a real one:
//! memory is poisoned, every access is checked, addresses cannot be followed by the host, and work
//! in streams is done as late as the API allows.

#![warn(missing_docs)]

mod block;
mod convert;
mod decode;
mod device;
pub mod driver;
mod error;
mod float;
mod graph;
mod host;
mod integer;
mod launch;
mod lexer;
mod memory;
mod module;
mod parse;
mod program;
mod settings;
mod syntax;
mod thread;
mod types;
mod warp;
mod work;

pub use error::Status;
