//! The loops of a cluster, or of a combinator in none: what every lowering begins with, for no
//! machine.
//!
//! * [`plan`]: the tree of loops, what is in each, and which arrays are computed.
//! * [`read`]: how a plan is read from the program.

pub mod plan;
pub mod read;

use std::collections::HashSet;

use comb_kit::walk::op_key;
use melior::ir::{
    OperationRef,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use soac_dialect::view::is_combinator;

/// The clusters and combinators that are in no other, but for those that are left.
pub fn outermost<'c, 'a>(
    module: OperationRef<'c, 'a>,
    left: &HashSet<usize>,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    module.walk(WalkOrder::PreOrder, |op| {
        // SAFETY: the op belongs to the module; it is erased only when it is
        // lowered, and none of those found is in another.
        let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
        if !is_combinator(op) {
            return WalkResult::Advance;
        }
        if !left.contains(&op_key(op)) {
            found.push(op);
        }
        WalkResult::Skip
    });
    found
}
