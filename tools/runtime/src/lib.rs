//! The runtime library of comb.
//!
//! It has no MLIR in it, so an ahead-of-time program that links it needs no
//! compiler on the machine it runs on. Three kinds of program use it:
//!
//! * the `comb` command and the interpreter, as a Rust crate: values
//!   ([`Array`], [`Value`]), `.npy` files ([`npy`]), what a user writes for an
//!   input ([`spec`], [`bind`]), calling compiled code ([`abi`]), and reports
//!   ([`display`], [`timings`], [`report`]);
//! * executables and shared libraries made by `comb build`, as a static
//!   library: calls ([`entry`]), run-time errors ([`failure`], [`stack`]), parallel loops ([`parallel`], [`team`]), memory
//!   ([`memory`]), GPUs ([`device`]) and the executable's `main` ([`executable`]);
//! * `mlir-runner --shared-libs`, as a shared library.
//!
//! `unsafe` is confined to the modules that say so below.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(target_endian = "big")]
compile_error!("comb keeps arrays in memory as .npy files store them, which is little-endian");

#[allow(unsafe_code)]
pub mod abi;
#[allow(unsafe_code)]
mod aligned_buffer;
pub mod array;
pub mod atomic_file;
#[allow(unsafe_code)]
pub mod bfloat;
pub mod bind;
#[allow(unsafe_code)]
pub mod device;
pub mod display;
pub mod element_type;
#[allow(unsafe_code)]
pub mod entry;
pub mod environment;
#[allow(unsafe_code)]
pub mod executable;
#[allow(unsafe_code)]
pub mod failure;
#[allow(unsafe_code)]
pub mod files;
pub mod generate;
#[allow(unsafe_code)]
pub mod interrupt;
#[allow(unsafe_code)]
pub mod memory;
pub mod npy;
#[allow(unsafe_code)]
pub mod parallel;
#[allow(unsafe_code)]
mod processors;
pub mod report;
pub mod scalar;
pub mod sign;
pub mod signature;
pub mod spec;
#[allow(unsafe_code)]
pub mod stack;
#[allow(unsafe_code)]
pub mod team;
#[allow(unsafe_code)]
pub mod threads;
pub mod timings;
pub mod value;

pub use array::{Array, ArrayError};
pub use element_type::ElementType;
pub use scalar::Scalar;
pub use sign::Sign;
pub use signature::{Parameter, Signature, ValueType};
pub use value::Value;
