//! From a file with a `soac` program to its results, or to a program that
//! stands alone: what the `comb` command, tests and fuzzing use.
//!
//! The way of a program:
//!
//! 1. [`context`] and [`load`]: text or bytecode to a module; [`diagnostics`]
//!    shows what is wrong with it, with the line of the source;
//! 2. [`signature`] and [`entry`]: which functions there are, what they take
//!    and give, which of them is meant;
//! 3. [`compile`]: the pass pipeline, and an entry point for each function
//!    ([`entry_point`]);
//! 4. [`code`]: LLVM IR, optimised (`optimize`), to machine code;
//! 5. [`jit`]: runs it here, and [`code_cache`] keeps it for the next time; [`aot`]: makes an object, a shared library with a
//!    C header, or an executable.
//!
//! `unsafe` is confined to the modules that say so below.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod aot;
#[allow(unsafe_code)]
mod bridge;
mod byte_shuffles;
mod c_names;
pub mod code;
pub mod code_cache;
pub mod compile;
pub mod context;
pub mod cpu;
pub mod diagnostics;
pub mod emulation;
pub mod entry;
#[allow(unsafe_code)]
mod entry_point;
mod executable_main;
pub mod explain;
pub mod explain_loops;
pub mod explain_memory;
mod exports;
#[allow(unsafe_code)]
pub mod fatal;
mod frames;
pub mod gpu;
mod header;
mod hints;
pub mod interpretable;
#[allow(unsafe_code)]
pub mod jit;
mod link;
mod linker;
pub mod load;
pub mod machine_code;
mod names;
mod native;
#[allow(unsafe_code)]
pub mod openmp;
mod optimize;
#[allow(unsafe_code)]
mod orc;
pub mod parameter_names;
mod parts;
pub mod print;
#[allow(unsafe_code)]
mod reported;
pub mod sanitizer;
pub mod signature;
pub mod source;
mod source_names;
mod stablehlo;
mod system_files;
#[allow(unsafe_code)]
mod translate;
#[allow(unsafe_code)]
pub mod watchdog;

pub use context::Compiler;
pub use diagnostics::{Diagnostic, Diagnostics};
