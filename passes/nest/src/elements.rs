//! Which elements of memory ops use: as sets with symbolic bounds, of which some are known to be disjoint.
//!
//! [`numbers`] are polynomials, of which [`facts`] are known, and others may be [assumed](assumptions); [`layouts`] say where the elements of views are; [`accesses`] are what
//! ops read and write, at an iteration and over all loops, and in what [`order`]. [`names`] are what memory is
//! called by views, loops and branches.
//!
//! Source: linear memory access descriptors, as in Munksgaard et al., Memory Optimizations in an Array
//! Language, SC 2022, section II-B.

pub mod accesses;
pub mod assumptions;
mod facts;
pub mod layouts;
pub mod names;
pub mod numbers;
pub mod order;
pub mod shown;
