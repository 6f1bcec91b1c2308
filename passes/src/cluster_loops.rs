//! The loops of a cluster, or of a combinator in none: what every lowering begins with, for no
//! machine.
//!
//! * [`plan`]: the tree of loops, what is in each, and which arrays are computed.
//! * [`read`]: how a plan is read from the program.
//! * [`sizes_ahead`]: sizes of arrays that are computed later on.

pub(crate) mod plan;
pub(crate) mod read;
pub(crate) mod sizes_ahead;
