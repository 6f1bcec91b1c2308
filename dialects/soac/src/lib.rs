//! The `soac` dialect: second-order array combinators for MLIR.
//!
//! The ops are defined in ODS (`include/soac/*.td`); the C++ that ODS needs is
//! in `cpp/`. What the ops *mean* to the compiler (result types and shapes,
//! what must hold of their operands, how they fold and simplify) is here.
//!
//! * [`builder`]: building ops, for passes and for compilers in Rust.
//! * [`ops`]: a type for every op, with accessors for its parts, generated from
//!   ODS by melior.
//! * [`view`]: an op's parts, whether or not the op exists yet.
//! * [`extent`]: array sizes as linear expressions over operands.
//! * [`description`]: result shapes and requirements of every op.
//! * [`requirement`]: what must hold, statically or when the program runs.
//!
//! The sum of the squares of an array:
//!
//! ```
//! use melior::{
//!     Context, Error,
//!     dialect::DialectRegistry,
//!     ir::{Location, Module, Type, operation::OperationLike},
//!     utility::register_all_dialects,
//! };
//! use soac_dialect::builder::{Builder, array_type};
//!
//! let registry = DialectRegistry::new();
//! register_all_dialects(&registry);
//! soac_dialect::register(&registry);
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! context.load_all_available_dialects();
//!
//! let f32 = Type::float32(&context);
//! let array = array_type(&[None], f32);
//! let module = Module::new(Location::unknown(&context));
//! let builder = Builder::at_end(module.body(), Location::unknown(&context));
//! builder.function("sum_of_squares", &[array], |builder, arguments| {
//!     let squares = builder.map(arguments, |builder, element| {
//!         Ok(vec![builder.arithmetic("arith.mulf", &[element[0], element[0]])?])
//!     })?;
//!     let zero = builder.float(0.0, f32)?;
//!     builder.fold(&squares, &[zero], |builder, pair| {
//!         Ok(vec![builder.arithmetic("arith.addf", pair)?])
//!     })
//! })?;
//! assert!(module.as_operation().verify());
//! # Ok::<(), Error>(())
//! ```

#![warn(missing_docs)]

pub mod attributes;
mod bridge;
pub mod builder;
mod canonicalize;
pub mod cast;
pub mod description;
pub mod extent;
mod fold;
pub mod location;
pub mod needed;
pub mod parameters;
pub mod reference;
pub mod register;
pub mod requirement;
pub mod slice;
mod speculation;
pub mod text;
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

/// A type for every op, with accessors for its operands, attributes, regions
/// and results.
///
/// Their constructors (`ops::reverse(…)`) are for ops with one group of
/// operands: melior leaves out the groups' sizes, so that MLIR rejects the
/// others. [`builder::Builder`] has a method for every op.
pub use generated::soac as ops;
