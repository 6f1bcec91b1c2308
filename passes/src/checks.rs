//! The parts of `soac-insert-checks`: what is known ([`facts`], [`carried`],
//! [`bounds`]), how checks are emitted ([`site`], [`emit`]), and what is checked
//! ([`shapes`], [`indexing`], [`arithmetic`], [`elementwise`], [`assertions`]); and what MLIR has no
//! code for ([`spelled_out`]).

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
pub(crate) mod shapes;
pub(crate) mod site;
pub(crate) mod spelled_out;
