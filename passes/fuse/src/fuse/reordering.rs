//! Whether a scatter gives the same in any order of its sources.
//!
//! One that combines does if each of its results is combined by one op that is
//! commutative and associative to the bit: integer arithmetic, which wraps around,
//! and extrema, but no floating-point sums. One that replaces does if it says that
//! any write may win.

use comb_kit::commutativity::is_exact;
use melior::ir::OperationRef;
use soac_dialect::view::OpView;

/// Whether the order in which a scatter writes does not matter.
pub fn is_order_free<'c: 'a, 'a>(scatter: OperationRef<'c, 'a>) -> bool {
    let view = OpView::of(scatter);
    match view.yielded().filter(|yielded| !yielded.is_empty()) {
        Some(_) => is_exact(&view),
        None => view.flag("any_write"),
    }
}
