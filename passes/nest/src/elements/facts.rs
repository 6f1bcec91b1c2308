//! What is known of indices since checks that were made before did not fail.
//!
//! Cost: linear in the ops in front of an op, in its block and those around.

use comb_kit::walk::{ancestors, in_block_from};
use melior::ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Predicate,
    cast::Parts,
    view::{OpView, definition, op_name},
};

/// One index is no less than another one and a distance, as signed numbers.
pub(super) struct Comparison<'c, 'a> {
    pub less: Value<'c, 'a>,
    pub distance: i64,
    pub more: Value<'c, 'a>,
}

/// What is known to hold whenever an op is executed.
pub(super) fn comparisons<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Comparison<'c, 'a>> {
    let mut known = vec![];
    for op in std::iter::once(op).chain(ancestors(op)) {
        let first = op.block().and_then(|block| {
            let first = block.first_operation()?;
            // SAFETY: the op is in a block of a program that lives for 'a.
            Some(unsafe { OperationRef::from_raw(first.to_raw()) })
        });
        let before = in_block_from(first).take_while(|&other| other != op);
        for check in before.filter(|&op| op_name(op) == "soac.check") {
            if let Some(condition) = check.operand_at(0) {
                holds(condition, &mut known);
            }
        }
    }
    known
}

/// Adds what a condition says that holds.
fn holds<'c: 'a, 'a>(condition: Value<'c, 'a>, known: &mut Vec<Comparison<'c, 'a>>) {
    let Some(op) = definition(condition) else {
        return;
    };
    let (Some(left), Some(right)) = (op.operand_at(0), op.operand_at(1)) else {
        return;
    };
    match op_name(op) {
        "arith.andi" => {
            holds(left, known);
            holds(right, known);
        }
        "arith.cmpi" if left.r#type().is_index() => {
            let predicate = OpView::of(op).integer("predicate");
            let mut add = |less, distance, more| {
                known.push(Comparison {
                    less,
                    distance,
                    more,
                });
            };
            match predicate {
                Some(of) if of == Predicate::Sle as i64 => add(left, 0, right),
                Some(of) if of == Predicate::Slt as i64 => add(left, 1, right),
                Some(of) if of == Predicate::Sge as i64 => add(right, 0, left),
                Some(of) if of == Predicate::Sgt as i64 => add(right, 1, left),
                Some(of) if of == Predicate::Eq as i64 => {
                    add(left, 0, right);
                    add(right, 0, left);
                }
                _ => {}
            }
        }
        _ => {}
    }
}
