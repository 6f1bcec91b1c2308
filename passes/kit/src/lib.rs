//! Reading and changing MLIR; what is switched off; what is known of the machine; checks, and what they tell.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod checks;
pub mod commutativity;
pub mod element_types;
pub mod globals;
pub mod inline_copy;
pub mod known_sizes;
pub mod library_function;
pub mod loop_annotation;
pub mod machine;
pub mod memory_parts;
pub mod neutral;
pub mod other_elements;
pub mod pass_error;
pub mod ranges;
pub mod remarks;
pub mod row_major;
pub mod set_machine;
pub mod set_transformations;
pub mod switches;
pub mod target;
pub mod transformations;
pub mod upstream;
pub mod vectors;
pub mod views;
pub mod walk;
