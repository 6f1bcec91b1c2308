//! What comb's fusion is compared with: the papers' integer programs, given to HiGHS and CBC; trying everything;
//! and the partitioning of array operations of P-wsp.
//!
//! They need solvers of others, which a compiler that uses comb does without. Programs that call [`provide`] have
//! the methods `figure4` and `compact`, with the solvers `highs` and `cbc`.

#![warn(missing_docs)]

pub mod brute_force;
pub mod formulation;
pub mod wsp;

/// Lets methods of the whole process use the papers' integer programs.
pub fn provide() {
    comb_fusion::programs::provide(formulation::solve);
}
