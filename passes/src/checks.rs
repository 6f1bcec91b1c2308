//! The parts of `soac-insert-checks`: what is known ([`facts`], [`carried`],
//! [`bounds`]), how checks are emitted ([`site`], [`emit`]), and what is checked
//! ([`shapes`], [`indexing`], [`reshapes`], [`padding`], [`structured`] by [`affine`] maps, [`packing`], [`arithmetic`],
//! [`elementwise`], [`splats`], [`assertions`]), what upstream takes for something else ([`least`]), memory as arrays ([`snapshots`]); and what MLIR has no
//! code for ([`spelled_out`]).

pub(crate) mod affine;
pub(crate) mod arithmetic;
pub(crate) mod assertions;
pub(crate) mod bounds;
pub(crate) mod carried;
pub(crate) mod elementwise;
pub(crate) mod emit;
pub(crate) mod facts;
pub(crate) mod index_arithmetic;
pub(crate) mod indexing;
pub(crate) mod integer_power;
pub(crate) mod least;
pub(crate) mod packing;
pub(crate) mod padding;
pub(crate) mod reshapes;
pub(crate) mod rounding;
pub(crate) mod shapes;
pub(crate) mod site;
pub(crate) mod snapshots;
pub(crate) mod spelled_out;
pub(crate) mod splats;
pub(crate) mod structured;
