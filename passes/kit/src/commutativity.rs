//! Functions that combine two values, and do not mind in which order.
//!
//! Such a function is one op of an accumulator and an element for each result, of a kind that
//! is known to be commutative; or it [chooses](choosing) one of two tuples. Some of these ops are also associative to the bit, so that the
//! order of many elements does not matter either: arithmetic on integers and extrema, but no
//! sums of floating-point numbers, and no extrema that ignore NaN.
//!
//! Cost: constant for each result, or that of choosing.

mod choosing;

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    cast::Arguments,
    view::{OpView, definition, op_name},
};

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
pub fn is_commutative(view: &OpView) -> bool {
    combines_by(view, |name| {
        EXACT.contains(&name) || INEXACT.contains(&name)
    }) || choosing::chooses_in_any_order(view)
}

/// Whether a function is known to give the same bits in whatever order it combines elements.
pub fn is_exact(view: &OpView) -> bool {
    combines_by(view, |name| EXACT.contains(&name))
}

/// Whether the bits of results may depend on the order in which a function combines elements: they do
/// not, or it says of sums and products that they may be reassociated.
pub fn may_be_reordered(view: &OpView) -> bool {
    let may_be = |op: &OperationRef| {
        let flags = op.attribute("fastmath").map(|flags| flags.to_string());
        let is_fast = flags.is_ok_and(|flags| flags.contains("reassoc") || flags.contains("fast>"));
        let is_sum = matches!(op_name(*op), "arith.addf" | "arith.mulf");
        EXACT.contains(&op_name(*op)) || is_sum && is_fast
    };
    combining_ops(view).is_some_and(|ops| ops.iter().all(may_be))
}

/// Whether each result of a function is one op, of a kind that is right, of an accumulator and
/// an element.
fn combines_by(view: &OpView, is_right: impl Fn(&str) -> bool) -> bool {
    combining_ops(view).is_some_and(|ops| ops.iter().all(|&op| is_right(op_name(op))))
}

/// The op that combines an accumulator and an element, for each result of a function; nothing if there
/// is more to one.
pub fn combining_ops<'c: 'a, 'a>(view: &OpView<'c, 'a>) -> Option<Vec<OperationRef<'c, 'a>>> {
    let (yielded, block) = (view.yielded()?, view.block()?);
    let argument = |number| block.argument_at(number).map(Value::from);
    let count = yielded.len();
    let ops = yielded.into_iter().enumerate().map(|(number, value)| {
        let (one, other) = (argument(number)?, argument(count + number)?);
        let op = definition(value)?;
        let operands: Vec<Value> = op.operands().collect();
        (operands == [one, other] || operands == [other, one]).then_some(op)
    });
    ops.collect()
}
