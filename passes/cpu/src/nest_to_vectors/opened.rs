//! Accumulators that stay in lanes while loops around run.
//!
//! ```text
//! for i to m carry(s)              v = neutral elements
//!   s = for j to n carry(s)        for i to m carry(v)
//!     s += a[i, j]                   v = for j to n carry(v)
//!                                      v += a[i, j … j + 15]
//!                                  s += sum of the lanes of v
//! ```
//!
//! Where a loop does nothing with what it carries but hand it on to one with lanes, lanes need not be folded
//! each time that this one has run.
//!
//! Cost: linear in the loops inside a loop.

use comb_fuse::fuse::captures::captured;
use comb_kit::commutativity::is_commutative;
use comb_nest::nests::{Changed, Nest};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use nest_dialect::{carried::arguments, schedule::Schedule};
use soac_dialect::view::{OpView, op_name, uses};

use crate::nest_schedule::counts::is_counted;

/// The loop with lanes to which a loop that runs one iteration after the other hands on all that it
/// carries, if the lanes fold that in any order.
pub(super) fn opened<'c: 'a, 'a>(around: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut inner = handed_on_to(around)?;
    while lanes(inner) == 1 {
        inner = handed_on_to(inner)?;
    }
    folds_all(&Nest::of(inner), &Nest::of(around)).then_some(inner)
}

fn lanes(op: OperationRef) -> u64 {
    let schedule = Schedule::of(op).ok().flatten().unwrap_or_default();
    schedule.lanes
}

/// The loop in another one that is given all that this carries, in the same order, and gives all that it
/// hands on.
fn handed_on_to<'c: 'a, 'a>(around: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let carried = arguments(around);
    let (inner, _) = uses(*carried.first()?).into_iter().next()?;
    let is_loop = op_name(inner) == "nest.loop" && inner.parent_operation() == Some(around);
    let inits: Vec<Value> = inner.operands().skip(1).collect();
    let last = OpView::of(around).block()?.terminator()?;
    let yielded: Vec<Value> = last.operands().collect();
    let results: Vec<Value> = inner.results().map(Into::into).collect();
    let is_used_once = |&value: &Value<'c, 'a>| uses(value).len() == 1;
    let is_handed_on = is_loop
        && inits == carried
        && yielded == results
        && carried.iter().chain(&results).all(is_used_once);
    is_handed_on.then_some(inner)
}

/// Whether all that a loop carries is folded in any order, by operators that another one around it does not
/// define anything for.
fn folds_all<'c: 'a, 'a>(nest: &Nest<'c, 'a>, around: &Nest<'c, 'a>) -> bool {
    let changed = nest.changed();
    let folded: usize = changed.iter().map(|changed| changed.positions.len()).sum();
    let is_free = |Changed { op, .. }: &Changed<'c, 'a>| {
        let view = OpView::of(*op);
        let neutrals = view.operands[view.group(2)].iter().copied();
        let mut needed = neutrals.chain(captured(*op));
        op_name(*op) == "nest.fold"
            && is_commutative(&view)
            && !is_counted(&nest.ops, *op)
            && !needed.any(|value| around.defines(value))
    };
    folded == arguments(nest.op).len() && changed.iter().all(is_free)
}
