//! Programs as text, with the values that they must give written by hand or
//! computed by an independent formula.

mod circuit;
mod clusters;
mod combinators;
mod control;
mod failures;
mod floats;
mod integers;
mod lowered;
mod math;
mod memory;
mod program;
mod sugar;
mod tensors;
