//! Scatters of kernels in which other threads may scatter to the same element: atomics, unless any of them may win.

use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Builder,
    view::{OpView, definition, op_name},
};

use super::{Emitted, refused};
use comb_kit::{inline_copy::inline_copy, walk::operations};

/// The operators that are one instruction, and their numbers in `memref.atomic_rmw`.
const KINDS: &[(&str, i64)] = &[
    ("arith.addi", 1),
    ("arith.andi", 2),
    ("arith.maximumf", 4),
    ("arith.maxsi", 6),
    ("arith.maxui", 7),
    ("arith.minimumf", 8),
    ("arith.minsi", 10),
    ("arith.minui", 11),
    ("arith.ori", 14),
    ("arith.xori", 15),
];

/// The number of an operator that is one instruction.
pub(super) fn kind_of(operator: &str) -> Option<i64> {
    let kind = KINDS.iter().find(|(known, _)| *known == operator);
    kind.map(|&(_, kind)| kind)
}

/// Makes atomics of the scatters of a kernel, if it has more than one thread.
pub(super) fn make<'c: 'a, 'a>(launch: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    for op in operations(launch) {
        if op_name(op) == "nest.scatter" && !is_single(launch) {
            scatter(op)?;
        }
    }
    Ok(())
}

/// Whether a kernel has one thread.
fn is_single(launch: OperationRef) -> bool {
    let mut sizes = launch.operands();
    sizes.all(|size| comb_kit::checks::facts::constant(size) == Some(1))
}

fn scatter<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let view = OpView::of(op);
    let (values, dests) = (&view.operands[view.group(0)], &view.operands[view.group(1)]);
    let index = &view.operands[view.group(2)];
    if let ([value], [dest], true) = (values, dests, view.flag("any_write")) {
        builder.store(*value, *dest, index)?;
        builder.replace(op, &[]);
        return Ok(());
    }
    let yielded = view.yielded().unwrap_or_default();
    if yielded.len() != dests.len() {
        return Err(refused(
            op.location(),
            "'nest.scatter' op without operator depends on the order of iterations, which threads \
             do not keep",
        ));
    }
    for (position, (&value, &dest)) in values.iter().zip(dests).enumerate() {
        let name = definition(yielded[position]).map_or("", |op| op_name(op));
        let operands = [&[value, dest], index].concat();
        match kind_of(name) {
            Some(kind) => {
                let kind = [("kind", builder.number(kind))];
                builder.value("memref.atomic_rmw", &operands, value.r#type(), &kind)?;
            }
            None => compare_and_swap(&builder, op, position, dest, index)?,
        }
    }
    builder.replace(op, &[]);
    Ok(())
}

/// An operator that is no instruction, in a loop around one that exchanges.
fn compare_and_swap<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    position: usize,
    dest: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Emitted<'c, ()> {
    let element = MemRefType::try_from(dest.r#type())?.element();
    let view = OpView::of(op);
    let values = view.operands[view.group(0)].to_vec();
    let region = builder.region(&[element], "memref.atomic_yield", |builder, current| {
        let others = values.iter().enumerate();
        let accumulators = others.map(|(number, &other)| match number == position {
            true => current[0],
            false => other,
        });
        let arguments: Vec<Value> = accumulators.chain(values.iter().copied()).collect();
        let combined = inline_copy(builder, op, &arguments)?;
        Emitted::Ok(vec![combined[position]])
    })?;
    let operands = [&[dest], index].concat();
    builder.op(
        "memref.generic_atomic_rmw",
        &operands,
        &[element],
        &[],
        vec![region],
    )?;
    Ok(())
}
