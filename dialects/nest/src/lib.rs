//! The `nest` dialect: what clusters of combinators do, as explicit loops over scalars, for no
//! machine. It is the level between fusion and machine code.
//!
//! The ops are defined in ODS (`include/nest/*.td`), the C++ that ODS needs is in `cpp/`.
//!
//! * [`builder`]: building kernels and what is in them.
//! * [`carried`]: what ops carry from one iteration to the next, and which changes what.
//! * [`schedule`]: how a CPU runs a loop; [`gpu_schedule`]: how a GPU does; [`strategy`]: how threads
//!   share a scatter, if the program says so.

//!
//! A kernel that squares the elements of an array:
//!
//! ```
//! use melior::{
//!     Context, Error,
//!     dialect::DialectRegistry,
//!     ir::{Location, Module, Type, operation::OperationLike},
//!     utility::register_all_dialects,
//! };
//! use nest_dialect::builder::NestBuilder;
//! use soac_dialect::builder::{Builder, array_type};
//!
//! let registry = DialectRegistry::new();
//! register_all_dialects(&registry);
//! nest_dialect::register(&registry);
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! context.load_all_available_dialects();
//!
//! let array = array_type(&[None], Type::float32(&context));
//! let module = Module::new(Location::unknown(&context));
//! let builder = Builder::at_end(module.body(), Location::unknown(&context));
//! builder.function("squares", &[array], |builder, arguments| {
//!     let sizes = builder.sizes(arguments[0])?;
//!     let length = builder.size_value(sizes[0])?;
//!     let made = builder.empty(&sizes, Type::float32(&context))?;
//!     builder.kernel(&[made], |builder, made| {
//!         builder.nest_loop(length, made, |builder, index, made| {
//!             let element = builder.read(arguments[0], &[index])?;
//!             let square = builder.arithmetic("arith.mulf", &[element, element])?;
//!             let written = builder.write(square, made[0], &[index])?;
//!             Ok::<_, Error>(written.into_iter().collect())
//!         })
//!     })
//! })?;
//! assert!(module.as_operation().verify());
//! # Ok::<(), Error>(())
//! ```

#![warn(missing_docs)]

mod bridge;
pub mod builder;
mod canonicalize;
pub mod carried;
pub mod gpu_schedule;
pub mod register;
pub mod schedule;
pub mod strategy;
mod verify;

/// The attribute of a `nest.loop` whose iterations are known to use different elements, but for those that they
/// only read.
pub const INDEPENDENT: &str = "nest.independent";

pub use register::{dialect_handle, register};
