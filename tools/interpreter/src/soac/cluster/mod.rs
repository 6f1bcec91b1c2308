//! Clusters that say in which orders they go over their arrays: their
//! combinators run in one pass, iteration by iteration, as
//! docs/src/clusters.md says. A cluster that reads an element before it is
//! computed, or otherwise than it says, fails.
//!
//! A cluster and those inside it are run together:
//!
//! 1. `collect` goes over the bodies once. Constants, sizes and checks are
//!    executed. Combinators become *leaves* of a tree of loops (`nest`), for
//!    each of which `form` says how large its arrays are, and what it needs to
//!    know of its operands (`source`).
//! 2. `loops` finds the loops of every leaf from its orders, and `plan` checks
//!    that the leaves of a cluster agree.
//! 3. `run` goes through the loops. At every iteration, `step` computes an
//!    element of a leaf: `position` says which, `read` what it is made of, and
//!    `cells` keeps it.
//!
//! It takes about as many steps as the combinators one by one, and more memory:
//! no array is given up before the loop is over.

mod cells;
mod collect;
mod form;
mod loops;
mod nest;
mod plan;
mod position;
mod read;
mod run;
mod source;
mod step;

use crate::call::Call;
use crate::failure::Failure;
use crate::program::Op;
use crate::value::Value;
use plan::Plan;

/// Executes a cluster. One that says nothing of loops is its body.
pub(super) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    if has_orders(call.op) {
        let plan = Plan::new(call)?;
        return run::run(call, &plan);
    }
    let inputs = call.values(0..call.op.operands.len())?;
    call.run(0, inputs)
}

/// Whether a cluster says in which orders it goes over its arrays.
fn has_orders(op: &Op) -> bool {
    op.flag("input_orders") || op.flag("output_orders")
}
