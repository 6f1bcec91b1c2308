//! The parts of `soac-insert-checks`: what is known ([`facts`], [`bounds`]), how
//! checks are emitted ([`site`]), and what is checked ([`shapes`], [`indexing`],
//! [`arithmetic`]).

pub(crate) mod arithmetic;
pub(crate) mod bounds;
pub(crate) mod facts;
pub(crate) mod indexing;
pub(crate) mod shapes;
pub(crate) mod site;
