//! The parts of `soac-insert-checks`: what is known ([`facts`], [`carried`],
//! [`bounds`]), how checks are emitted ([`site`], [`emit`]), and what is checked
//! ([`shapes`], [`indexing`], [`reshapes`], [`padding`], [`structured`] by [`affine`] maps, [`packing`], [`arithmetic`],
//! [`elementwise`], [`splats`], [`assertions`]), what upstream takes for something else ([`least`]), memory as arrays ([`snapshots`]); and what MLIR has no
//! code for ([`spelled_out`]).

pub mod affine;
pub mod arithmetic;
pub mod assertions;
pub mod bounds;
pub mod carried;
pub mod elementwise;
pub mod emit;
pub mod facts;
pub mod index_arithmetic;
pub mod indexing;
pub mod integer_power;
pub mod least;
pub mod packing;
pub mod padding;
pub mod reshapes;
pub mod rounding;
pub mod shapes;
pub mod site;
pub mod snapshots;
pub mod spelled_out;
pub mod splats;
pub mod structured;
