//! comb's MLIR passes and pipelines.
//!
//! Names, options and documentation are in `include/comb/Passes.td`; the C++
//! in `cpp/` registers them and calls [`bridge`].
//!
//! A compiler in Rust builds a module in a [`context`] of this crate and runs a
//! pipeline on it:
//!
//! ```
//! use melior::{ir::Module, pass::PassManager, utility::parse_pass_pipeline};
//!
//! let context = comb_passes::context();
//! let mut module = Module::parse(
//!     &context,
//!     "func.func @reversed(%x: tensor<?xf32>) -> tensor<?xf32> {
//!        %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
//!        return %y : tensor<?xf32>
//!      }",
//! )
//! .expect("the module parses");
//! let passes = PassManager::new(&context);
//! parse_pass_pipeline(
//!     passes.as_operation_pass_manager(),
//!     "builtin.module(comb-cpu)",
//! )?;
//! passes.run(&mut module)?;
//! assert!(module.as_operation().to_string().contains("llvm.func @reversed"));
//! # Ok::<(), melior::Error>(())
//! ```

#![warn(missing_docs)]

mod bridge;
pub mod declared;
mod dictionary;
mod implementations;
pub mod pipelines;
pub mod register;

pub use comb_cpu::nest_schedule;
pub use comb_fuse::fuse;
pub use comb_gpu::nest_schedule_gpu;
pub use comb_kit::{machine, switches, transformations, upstream, walk};
pub use comb_memory as memory;
pub use comb_nest::{nests, soac_to_nest};
pub use comb_prepare::raise_linalg;
pub use declared::create;
pub use register::{context, register_passes};
