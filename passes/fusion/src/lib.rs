//! Optimal fusion of array combinators, without MLIR.
//!
//! A [`graph`] of combinators is read from JSON ([`format`](mod@format)) or built
//! by a compiler ([`builder`]); a [`cost`] says what is paid for. Algorithms give a
//! [`clustering`], which [`legality`] and [`evaluate`](mod@evaluate) judge
//! independently of them.
//!
//! The papers: P-gather is van Balen et al., *Fusing Gathers with Integer Linear
//! Programming* (FProPer 2024); P-wsp is Kristensen et al., *Fusion of Parallel
//! Array Operations* (PACT 2016); P-filter is Robinson et al., *Fusing Filters
//! with Integer Linear Programming* (FHPC 2014); P-scan is Spiegelhauer and
//! Sprent, on Futhark's map–scan fusion (2016).

#![warn(missing_docs)]

pub mod algorithms;
pub mod amount;
pub mod builder;
pub mod cache;
mod canonical;
pub mod clustering;
pub mod connections;
mod consistency;
pub mod contraction;
pub mod cost;
pub mod crowd;
pub mod evaluate;
pub mod exact;
pub mod format;
pub mod graph;
pub mod json;
pub mod legality;
pub mod limits;
pub mod loops;
pub mod method;
mod numbering;
pub mod programs;
pub mod random;
pub mod report;
pub mod rules;
pub mod size;
mod stable_hash;
