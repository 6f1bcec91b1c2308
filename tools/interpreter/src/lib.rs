//! The reference interpreter: executes `soac` programs before and after every
//! pass, and is the oracle that compiled code is compared with.
//!
//! It is plain rather than fast: values are immutable arrays, or memory that is changed in place;
//! ops are executed one by one, elements in row-major order. What MLIR leaves undefined but the
//! language defines (wrapping integers, division by zero, wide shifts,
//! saturating conversions, indices out of range) is defined here.
//!
//! A module is first read into plain data ([`Program::read`], in `read` and
//! `attribute`, the only modules that know MLIR), then executed
//! ([`Program::run`], in `function`, `machine` and `call`); a module for each
//! dialect says what its ops do. [`interpret()`] does both, on the values of the
//! runtime library.

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod affine;
mod arith;
#[allow(unsafe_code)]
mod attribute;
mod boundary;
mod call;
mod control;
mod element;
mod elementwise;
mod emulation;
mod failure;
mod float;
mod function;
mod gpu;
mod index;
mod integer;
#[allow(unsafe_code)]
mod libm;
mod linalg;
mod machine;
mod math;
mod memory;
mod memref;
mod nest;
mod program;
mod races;
mod read;
mod shape;
mod soac;
mod structured;
mod tensor;
mod value;

use melior::ir::operation::OperationLike;

pub use element::{Element, Type};
pub use failure::Failure;
pub use machine::Limits;
pub use memory::Memory;
pub use program::Program;
pub use value::{Array, Scalar, Value};

/// Calls the function `entry` of a module.
///
/// # Errors
///
/// If the module does not verify, has no such function, or the inputs do not
/// fit it; if the program fails, needs more than the limits allow, or uses
/// something that the interpreter does not know.
pub fn interpret<'c: 'a, 'a>(
    module: &impl OperationLike<'c, 'a>,
    entry: &str,
    inputs: &[comb_runtime::Value],
    limits: &Limits,
) -> Result<Vec<comb_runtime::Value>, Failure> {
    let program = Program::read(module)?;
    let inputs = inputs.iter().map(Value::from).collect();
    let results = program.run(entry, inputs, limits)?;
    results.iter().map(comb_runtime::Value::try_from).collect()
}
