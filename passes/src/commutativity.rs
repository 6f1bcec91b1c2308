//! Functions that combine two values, and do not mind in which order.
//!
//! Such a function is one op of an accumulator and an element for each result, of a kind that
//! is known to be commutative. Some of these ops are also associative to the bit, so that the
//! order of many elements does not matter either: arithmetic on integers and extrema, but no
//! sums of floating-point numbers, and no extrema that ignore NaN.
//!
//! Cost: constant for each result.

use melior::ir::{BlockLike, Value, operation::OperationLike};
use soac_dialect::view::{OpView, definition, op_name};

/// Commutative ops that are associative to the bit.
const EXACT: &[&str] = &[
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

/// Commutative ops that are not.
const INEXACT: &[&str] = &["arith.addf", "arith.mulf", "arith.maxnumf", "arith.minnumf"];

/// Whether a function is known to be commutative.
pub(crate) fn is_commutative(view: &OpView) -> bool {
    combines_by(view, |name| {
        EXACT.contains(&name) || INEXACT.contains(&name)
    })
}

/// Whether a function is known to give the same bits in whatever order it combines elements.
pub(crate) fn is_exact(view: &OpView) -> bool {
    combines_by(view, |name| EXACT.contains(&name))
}

/// Whether each result of a function is one op, of a kind that is right, of an accumulator and
/// an element.
fn combines_by(view: &OpView, is_right: impl Fn(&str) -> bool) -> bool {
    let (Some(yielded), Some(block)) = (view.yielded(), view.block()) else {
        return false;
    };
    let argument = |number| block.argument(number).ok().map(Value::from);
    let count = yielded.len();
    yielded.into_iter().enumerate().all(|(number, value)| {
        let (Some(one), Some(other)) = (argument(number), argument(count + number)) else {
            return false;
        };
        definition(value).is_some_and(|op| {
            let operands: Vec<Value> = op.operands().collect();
            is_right(op_name(op)) && (operands == [one, other] || operands == [other, one])
        })
    })
}
