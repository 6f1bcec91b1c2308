//! Sets of places with regular strides, and whether two of them are known to be disjoint.
//!
//! A *linear memory access descriptor* ([`Lmad`]) is the set of all
//! `offset + Σ iₖ · strideₖ` with `0 ≤ iₖ < countₖ`. Offsets, strides and counts are
//! [polynomials](Polynomial) over symbols: numbers that are only known when the program
//! runs. Of some symbols it is known how small they may be ([`Bounds`]).
//!
//! [`are_disjoint`] proves that two such sets have no place in common, whatever the
//! symbols are. It may fail to prove what is true, but never proves what is not. The test
//! is that of Munksgaard et al., Memory Optimizations in an Array Language, SC 2022,
//! section V-C.
//!
//! All numbers are mathematical integers. Who computes modulo 2⁶⁴ has to know that
//! nothing gets so large.

#![warn(missing_docs)]

mod bounds;
mod overlap;
mod polynomial;

pub use bounds::Bounds;
pub use overlap::{Dimension, Lmad, are_disjoint};
pub use polynomial::{Polynomial, Symbol};
