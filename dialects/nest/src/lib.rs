//! The `nest` dialect: what clusters of combinators do, as explicit loops over scalars, for no
//! machine. It is the level between fusion and machine code.
//!
//! The ops are defined in ODS (`include/nest/*.td`), the C++ that ODS needs is in `cpp/`.
//!
//! * [`builder`]: building kernels and what is in them.
//! * [`carried`]: what ops carry from one iteration to the next, and which changes what.

#![warn(missing_docs)]

mod bridge;
pub mod builder;
pub mod carried;
pub mod register;
mod verify;

pub use register::{dialect_handle, register};
