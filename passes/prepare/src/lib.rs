//! Programs of others become combinators, with checks; combinators become `linalg`.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod check_program;
pub mod check_recursion;
pub mod convert_to_linalg;
pub mod count_loops;
pub mod define_affine;
pub mod expand_ops;
pub mod hoist_invariants;
pub mod index_function;
pub mod insert_checks;
pub mod lower_expansions;
pub mod mark_entry_points;
pub mod narrow_switches;
pub mod number_cases;
pub mod raise_linalg;
pub mod replace_empty_arrays;
pub mod stablehlo;
