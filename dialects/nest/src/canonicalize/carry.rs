//! What is carried and never changed, or changed and never used.
//!
//! Cost: linear in the ops that change what is carried, for each time that something goes.

use std::collections::BTreeMap;

use melior::{
    RewriterBase,
    ir::{
        BlockLike, BlockRef, OperationRef, Region, RegionLike, Value, ValueLike,
        operation::{OperationBuilder, OperationLike},
    },
};
use mlir_sys::mlirRegionTakeBody;
use soac_dialect::{
    cast::Parts,
    view::{named_attributes, op_name, set_operands, uses},
};

use crate::carried::{arguments, changes, places};

/// A value that nothing in a body changes is what it was before.
pub(super) fn unchanged<'c, 'a>(
    op: OperationRef<'c, 'a>,
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    let (_, last) = body(op)?;
    let yielded: Vec<Value> = last.operands().collect();
    let arguments = arguments(op);
    let positions: Vec<usize> = (0..arguments.len())
        .filter(|&position| yielded.get(position) == Some(&arguments[position]))
        .collect();
    match positions.is_empty() {
        true => None,
        false => without(op, &positions, rewriter),
    }
}

/// A result that nobody uses is not made.
pub(super) fn unused<'c, 'a>(
    op: OperationRef<'c, 'a>,
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    let places = places(op)?;
    let candidates: Vec<usize> = (0..arguments(op).len())
        .filter(|position| is_unused(op, places.result + position))
        .collect();
    let positions = unneeded(op, &candidates);
    match positions.is_empty() {
        true => None,
        false => remove(op, &positions, rewriter),
    }
}

fn is_unused(op: OperationRef, result: usize) -> bool {
    op.result_at(result)
        .is_some_and(|result| uses(result.into()).is_empty())
}

/// The block of an op, and what ends it.
fn body<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(BlockRef<'c, 'a>, OperationRef<'c, 'a>)> {
    let block = op.region_at(0)?.first_block()?;
    let last = block.terminator()?;
    // SAFETY: both belong to the op, which lives for 'a.
    unsafe {
        Some((
            BlockRef::from_raw(block.to_raw()),
            OperationRef::from_raw(last.to_raw()),
        ))
    }
}

/// An op that changes a carried value, and by which operand.
type Step<'c, 'a> = (OperationRef<'c, 'a>, usize);

/// The ops that change a carried value in a body, one after the other; nothing if something reads it.
fn chain<'c: 'a, 'a>(argument: Value<'c, 'a>) -> Option<Vec<Step<'c, 'a>>> {
    let mut value = argument;
    let mut steps = vec![];
    loop {
        let [(user, operand)] = uses(value)[..] else {
            return None;
        };
        if op_name(user) == "nest.yield" {
            return Some(steps);
        }
        let result = changes(user)?.result_of(operand)?;
        steps.push((user, operand));
        value = user.result_at(result)?.into();
    }
}

/// Which of some carried values of a body are only changed for themselves.
fn unneeded(op: OperationRef, candidates: &[usize]) -> Vec<usize> {
    let arguments = arguments(op);
    let mut chains: BTreeMap<usize, Vec<Step>> = candidates
        .iter()
        .filter_map(|&position| Some((position, chain(*arguments.get(position)?)?)))
        .collect();
    loop {
        let all: Vec<Step> = chains.values().flatten().copied().collect();
        let before = chains.len();
        chains.retain(|_, steps| steps.iter().all(|&step| only_changes(step, &all)));
        if chains.len() == before {
            return chains.into_keys().collect();
        }
    }
}

/// Whether a step can be left out, if all the given ones are.
fn only_changes((op, operand): Step, all: &[Step]) -> bool {
    match op_name(op) {
        "nest.write" => true,
        "nest.fold" | "nest.scan" | "nest.scatter" => changes(op).is_some_and(|mut changes| {
            (0..changes.first_result).all(|prefix| is_unused(op, prefix))
                && changes.operands.all(|operand| all.contains(&(op, operand)))
        }),
        _ => inner_positions(op, all).is_some_and(|positions| {
            let position = places(op).and_then(|places| operand.checked_sub(places.operand));
            position.is_some_and(|position| unneeded(op, &positions).contains(&position))
        }),
    }
}

/// The positions of what an op with a body carries that are among some steps.
fn inner_positions(op: OperationRef, steps: &[Step]) -> Option<Vec<usize>> {
    let places = places(op)?;
    let own = steps.iter().filter(|(step, _)| *step == op);
    own.map(|(_, operand)| operand.checked_sub(places.operand))
        .collect()
}

/// Removes carried values that are only changed for themselves, with what changes them.
fn remove<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    positions: &[usize],
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    let arguments = arguments(op);
    let mut steps: Vec<Step> = vec![];
    for &position in positions {
        steps.extend(chain(arguments[position])?);
    }
    let mut done: Vec<OperationRef> = vec![];
    for &(step, _) in &steps {
        if done.contains(&step) {
            continue;
        }
        done.push(step);
        match inner_positions(step, &steps) {
            Some(positions) => remove(step, &positions, rewriter)?,
            None => rewriter.replace_op_with_values(step, &as_before(step)?),
        }
    }
    without(op, positions, rewriter)
}

/// What an op that combines or writes would give if it changed nothing. Nobody uses the prefixes of a
/// scan.
fn as_before<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let changes = changes(op)?;
    (0..op.result_count())
        .map(|result| match result.checked_sub(changes.first_result) {
            Some(changed) => op.operand_at(changes.operands.start + changed),
            None => op.operand_at(result),
        })
        .collect()
}

/// The op without carried values that nothing in its body changes.
fn without<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    positions: &[usize],
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    let places = places(op)?;
    let (block, last) = body(op)?;
    let arguments = arguments(op);
    let operands: Vec<Value> = op.operands().collect();
    for &position in positions {
        rewriter.replace_all_uses_with(arguments[position], operands[places.operand + position]);
    }
    let yielded: Vec<Value> = last.operands().collect();
    rewriter.start_op_modification(last);
    set_operands(last, &others(&yielded, 0, positions));
    rewriter.finalize_op_modification(last);
    for &position in positions.iter().rev() {
        // SAFETY: the argument has no uses, and its handles are not used any more.
        unsafe { block.erase_argument(places.argument + position) }
    }
    let results: Vec<Value> = op.results().map(Into::into).collect();
    let types: Vec<_> = others(&results, places.result, positions)
        .iter()
        .map(|result| result.r#type())
        .collect();
    let made = OperationBuilder::new(op_name(op), op.location())
        .add_operands(&others(&operands, places.operand, positions))
        .add_results(&types)
        .add_regions_vec(vec![Region::new()])
        .build()
        .ok()?;
    rewriter.set_insertion_point_before(op);
    let made = rewriter.insert(made);
    for (name, attribute) in named_attributes(op) {
        soac_dialect::view::set_attribute(made, name, attribute);
    }
    if let (Ok(new), Ok(old)) = (made.region(0), op.region(0)) {
        // SAFETY: both regions are alive, and the new one is empty.
        unsafe { mlirRegionTakeBody(new.to_raw(), old.to_raw()) }
    }
    let mut made = made.results();
    let values: Option<Vec<Value>> = (0..results.len())
        .map(|result| match result.checked_sub(places.result) {
            Some(position) if positions.contains(&position) => {
                Some(operands[places.operand + position])
            }
            // SAFETY: the result belongs to the new op, which lives as long as the block.
            _ => made
                .next()
                .map(|made| unsafe { Value::from_raw(made.to_raw()) }),
        })
        .collect();
    rewriter.replace_op_with_values(op, &values?);
    Some(())
}

/// A list without the entries at some positions behind a first one.
fn others<T: Copy>(list: &[T], first: usize, positions: &[usize]) -> Vec<T> {
    list.iter()
        .enumerate()
        .filter(|(entry, _)| {
            !entry
                .checked_sub(first)
                .is_some_and(|position| positions.contains(&position))
        })
        .map(|(_, &entry)| entry)
        .collect()
}
