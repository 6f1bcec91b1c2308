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

pub mod balance_square_roots;
mod bridge;
pub mod call_intrinsics;
pub mod carry_blocks;
pub mod check_lowered;
pub mod check_program;
pub mod check_recursion;
mod checks;
mod cluster_loops;
mod commutativity;
pub mod compress_in_registers;
pub mod convert_checks_to_llvm;
pub mod convert_float_extrema_to_llvm;
pub mod convert_to_linalg;
pub mod count_loops;
pub mod declared;
pub mod define_affine;
pub mod desugar;
mod dictionary;
mod element_types;
mod elements;
pub mod elide_copies;
pub mod erase_clusters;
pub mod expand_bf16_vectors;
pub mod expand_bool_vectors;
pub mod expand_conversions;
pub mod expand_math;
pub mod expand_narrow_masks;
pub mod expand_ops;
pub mod fuse;
pub mod hoist_invariants;
mod implementations;
mod index_function;
mod index_sets;
mod inline_copy;
pub mod insert_checks;
mod known_sizes;
mod lanes;
mod library_function;
pub mod limit_unrolling;
mod loop_annotation;
pub mod lower_copies;
pub mod lower_expansions;
pub mod machine;
pub mod mark_entry_points;
mod memory_parts;
pub mod narrow_switches;
pub mod nest_distribute;
pub mod nest_jam;
pub mod nest_pack;
pub mod nest_schedule;
pub mod nest_schedule_gpu;
pub mod nest_split;
pub mod nest_to_gpu;
pub mod nest_to_scf;
pub mod nest_to_vectors;
mod nest_versions;
pub mod nest_wavefront;
pub mod nests;
mod neutral;
pub mod number_cases;
mod other_elements;
pub mod parallel_to_openmp;
pub mod pass_error;
pub mod pipelines;
pub mod raise_linalg;
mod ranges;
pub mod reduce_strength;
pub mod register;
mod remarks;
pub mod replace_empty_arrays;
pub mod reuse_blocks;
mod scatter_wishes;
pub mod scope_allocas;
pub mod separate_arrays;
pub mod set_machine;
pub mod set_transformations;
pub mod short_circuit;
pub mod skip_empty_loops;
pub mod soac_to_nest;
pub mod sorts_to_loops;
pub mod stablehlo;
pub mod switches;
mod target;
pub mod transformations;
pub mod upstream;
mod vectors;
mod views;
mod waiting;
mod walk;
pub mod widen_half_precision;

pub use declared::create;
pub use register::{context, register_passes};
