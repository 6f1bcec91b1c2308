//! Run-time checks in kernels. A kernel cannot end the program: the first thread for which a check does
//! not hold writes which one that is, and the values of its message, to memory that the host looks at
//! behind the kernel. A thread does nothing more of what stands behind a check that does not hold.
//!
//! Checks that need nothing of an iteration are done by the host, before.

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::{OpView, definition, op_name, set_attribute, set_operand},
};

use super::{Emitted, Values, grid::before_loop, launch::only_if, refused};
use comb_kit::walk::{ancestors, first_op, in_block_from, operations};
use comb_nest::nests::Nest;

/// Where in the report is how many threads have something to say, and which check does not hold.
const COUNT: i64 = 0;
const WHICH: i64 = 1;
const VALUES: i64 = 2;

/// Says of an allocation that it is for what a kernel reports to the host.
pub(crate) const REPORT: &str = "comb.report";

/// Moves checks of a loop in front of it that depend on no iteration.
pub(super) fn hoist<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Emitted<'c, ()> {
    let Some(front) = &Builder::before(nest.op) else {
        return Ok(());
    };
    for op in nest.deep_ops() {
        if op_name(op) != "soac.check" {
            continue;
        }
        let around: Vec<_> = ancestors(op)
            .take_while(|&around| op_name(around) != "nest.kernel")
            .collect();
        if !around.iter().all(|&op| op_name(op) == "nest.loop") {
            continue;
        }
        let mut runs = vec![];
        for &around in &around {
            runs.push(around.operand(0)?);
        }
        let needed: Values = op.operands().chain(runs.iter().copied()).collect();
        let values: Option<Values> = needed
            .iter()
            .map(|&value| before_loop(front, value, nest))
            .collect();
        let Some(values) = values else { continue };
        let (own, lengths) = values.split_at(op.operand_count());
        let (mut holds, zero) = (own[0], front.index(0)?);
        for &length in lengths {
            let is_empty = front.compare(Predicate::Sle, length, zero)?;
            holds = front.arithmetic("arith.ori", &[holds, is_empty])?;
        }
        check(front, op, holds, &own[1..])?;
        front.erase(op);
    }
    Ok(())
}

/// The same check, of other values.
fn check<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    like: OperationRef<'c, 'a>,
    holds: Value<'c, 'a>,
    values: &[Value<'c, 'a>],
) -> Emitted<'c, ()> {
    let operands = [&[holds], values].concat();
    let builder = builder.located(like.location());
    builder.op_like(like, &operands, &[], vec![])?;
    Ok(())
}

/// Makes a kernel tell the host which check does not hold.
pub(super) fn tell<'c: 'a, 'a>(launch: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    let mut checks = operations(launch);
    checks.retain(|&op| op_name(op) == "soac.check");
    let (Some(front), Some(behind)) = (Builder::before(launch), Builder::after(launch)) else {
        return Ok(());
    };
    let Some(most) = checks.iter().map(|op| op.operand_count() - 1).max() else {
        return Ok(());
    };
    let (long, words) = (front.integer_type(64), most as i64 + VALUES);
    let report = front.allocate(&[Size::Static(words)], long)?;
    if let Some(allocation) = definition(report) {
        set_attribute(allocation, REPORT, front.unit());
    }
    for word in 0..words {
        let initial = if word == WHICH { -1 } else { 0 };
        let initial = front.integer(initial, long)?;
        front.store(initial, report, &[front.index(word)?])?;
    }
    let which = behind.load(report, &[behind.index(WHICH)?])?;
    for (number, &op) in checks.iter().enumerate() {
        let number = behind.integer(number as i64, long)?;
        let holds = behind.compare(Predicate::Ne, which, number)?;
        let mut values = vec![];
        for word in VALUES..VALUES + op.operand_count() as i64 - 1 {
            let value = behind.load(report, &[behind.index(word)?])?;
            let index = behind.index_type();
            values.push(behind.value("arith.index_cast", &[value], index, &[])?);
        }
        check(&behind, op, holds, &values)?;
    }
    // What stands behind a check goes into a branch: inner branches first. What cannot be done is
    // found out before anything is moved.
    for &op in &checks {
        require_numbers(op)?;
    }
    let report = Report {
        memory: report,
        has_failed: stop_loops(launch, &checks)?,
    };
    for (number, &op) in checks.iter().enumerate().rev() {
        branch(op, number as i64, &report)?;
    }
    Ok(())
}

/// What a kernel tells the host, and itself.
struct Report<'c, 'a> {
    memory: Value<'c, 'a>,
    /// Whether a check does not hold for the thread, if it has to know that.
    has_failed: Option<Value<'c, 'a>>,
}

/// Loops that go on as long as a condition holds end behind a check in them that does not: it may be
/// what is computed behind it that ends them otherwise. Gives where a thread notes that.
fn stop_loops<'c: 'a, 'a>(
    launch: OperationRef<'c, 'a>,
    checks: &[OperationRef<'c, 'a>],
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    let mut loops: Vec<OperationRef> = vec![];
    for &check in checks {
        for around in ancestors(check).take_while(|&around| around != launch) {
            if op_name(around) == "scf.while" && !loops.contains(&around) {
                loops.push(around);
            }
        }
    }
    let body = OpView::of(launch).block().and_then(first_op);
    let Some(front) = body.and_then(Builder::before).filter(|_| !loops.is_empty()) else {
        return Ok(None);
    };
    let bit = front.integer_type(1);
    let segments = [("operandSegmentSizes", front.segments(&[0, 0]))];
    let memory = front.r#type("memref<i1>")?;
    let has_failed = front.value("memref.alloca", &[], memory, &segments)?;
    front.store(front.integer(0, bit)?, has_failed, &[])?;
    for op in loops {
        let Some(last) = OpView::of(op).block().and_then(last_of) else {
            continue;
        };
        if let Some(builder) = Builder::before(last) {
            let failed = builder.load(has_failed, &[])?;
            let never = builder.integer(0, bit)?;
            let goes_on = builder.select(failed, never, last.operand(0)?)?;
            set_operand(last, 0, goes_on);
        }
    }
    Ok(Some(has_failed))
}

fn last_of<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let last = block.terminator()?;
    // SAFETY: what is in a live block is alive as long.
    Some(unsafe { OperationRef::from_raw(last.to_raw()) })
}

/// What the block of a check ends with has to be numbers, so that there is something in place of them.
fn require_numbers<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    let last = op.block().and_then(|block| block.terminator());
    let operands = last
        .into_iter()
        .flat_map(|last| last.operands().collect::<Values>());
    let is_number =
        |r#type: Type<'c>| r#type.is_float() || r#type.is_index() || r#type.is_integer();
    let mut others = operands
        .map(|value| value.r#type())
        .filter(|&r#type| !is_number(r#type));
    match others.next() {
        None => Ok(()),
        Some(other) => Err(refused(
            op.location(),
            format!(
                "a check stands before an array of type {other}, which has no form on a GPU yet"
            ),
        )),
    }
}

/// A branch in place of a check, with all that is behind.
fn branch<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    number: i64,
    report: &Report<'c, 'a>,
) -> Emitted<'c, ()> {
    let (Some(builder), Some(block)) = (Builder::before(op), op.block()) else {
        return Ok(());
    };
    let mut behind: Vec<OperationRef> = in_block_from(op.next_in_block().map(
        // SAFETY: what follows a live op is alive as long.
        |op| unsafe { OperationRef::from_raw(op.to_raw()) },
    ))
    .collect();
    let Some(last) = behind.pop() else {
        return Ok(());
    };
    let is_behind = |value: Value<'c, 'a>| {
        let owner = soac_dialect::view::definition(value);
        owner.is_some_and(|owner| owner.block() == Some(block) && behind.contains(&owner))
    };
    let yielded: Vec<(usize, Value)> = last
        .operands()
        .enumerate()
        .filter(|&(_, value)| is_behind(value))
        .collect();
    let types: Vec<Type> = yielded.iter().map(|(_, value)| value.r#type()).collect();
    let values: Values = yielded.iter().map(|&(_, value)| value).collect();
    let results = builder.if_else(
        op.operand(0)?,
        &types,
        |builder| {
            for &op in &behind {
                builder.move_here(op);
            }
            Emitted::Ok(values)
        },
        |builder| {
            record(builder, op, number, report)?;
            types.iter().map(|&r#type| any(builder, r#type)).collect()
        },
    )?;
    for ((operand, _), result) in yielded.iter().zip(results) {
        set_operand(last, *operand, result);
    }
    builder.erase(op);
    Ok(())
}

/// Writes what does not hold to the report, if no other thread has done so.
fn record<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    number: i64,
    report: &Report<'c, 'a>,
) -> Emitted<'c, ()> {
    if let Some(has_failed) = report.has_failed {
        let yes = builder.integer(1, builder.integer_type(1))?;
        builder.store(yes, has_failed, &[])?;
    }
    let (report, long) = (report.memory, builder.integer_type(64));
    let one = builder.integer(1, long)?;
    let operands = [one, report, builder.index(COUNT)?];
    let kind = [("kind", builder.number(1))];
    let before = builder.value("memref.atomic_rmw", &operands, long, &kind)?;
    let is_first = builder.compare(Predicate::Eq, before, builder.integer(0, long)?)?;
    only_if(builder, is_first, |builder| {
        let number = builder.integer(number, long)?;
        builder.store(number, report, &[builder.index(WHICH)?])?;
        for (position, value) in op.operands().skip(1).enumerate() {
            let value = builder.value("arith.index_cast", &[value], long, &[])?;
            let word = builder.index(VALUES + position as i64)?;
            builder.store(value, report, &[word])?;
        }
        Ok(())
    })
}

/// A number that nobody will look at.
fn any<'c: 'a, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Emitted<'c, Value<'c, 'a>> {
    match r#type.is_float() {
        true => Ok(builder.float(0.0, r#type)?),
        false => Ok(builder.integer(0, r#type)?),
    }
}
