//! Whether a scatter gives the same in any order of its sources.
//!
//! One that combines does if each of its results is combined by one op that is
//! commutative and associative to the bit: integer arithmetic, which wraps around,
//! and extrema, but no floating-point sums. One that replaces does if it says that
//! any write may win.

use melior::ir::{BlockLike, OperationRef, RegionLike, Value, operation::OperationLike};
use soac_dialect::view::{OpView, definition, op_name};

const COMMUTATIVE: &[&str] = &[
    "arith.addi",
    "arith.muli",
    "arith.andi",
    "arith.ori",
    "arith.xori",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
    "arith.maximumf",
    "arith.minimumf",
];

/// Whether the order in which a scatter writes does not matter.
pub(crate) fn is_order_free<'c: 'a, 'a>(scatter: OperationRef<'c, 'a>) -> bool {
    let view = OpView::of(scatter);
    let Some(yielded) = view.yielded().filter(|yielded| !yielded.is_empty()) else {
        return view.flag("any_write");
    };
    let block = view.regions.first().and_then(|region| region.first_block());
    let argument = |number| block.and_then(|block| block.argument(number).ok());
    let count = yielded.len();
    yielded.into_iter().enumerate().all(|(number, value)| {
        let arguments = (argument(number), argument(count + number));
        let (Some(one), Some(other)) = arguments else {
            return false;
        };
        combines(value, one.into(), other.into())
    })
}

/// Whether a value is what a commutative op makes of two others.
fn combines<'c: 'a, 'a>(value: Value<'c, 'a>, one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    let Some(op) = definition(value).filter(|&op| COMMUTATIVE.contains(&op_name(op))) else {
        return false;
    };
    let operands: Vec<Value> = op.operands().collect();
    operands == [one, other] || operands == [other, one]
}
