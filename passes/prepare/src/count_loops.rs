//! `comb-count-loops`: loops that may run to the end of their type count their iterations.
//!
//! Upstream lowers `scf.for`, `scf.parallel` and `scf.forall` to a sum and a comparison: the index goes up
//! by the step until it is not below the bound. Near the end of the type the sum wraps
//! around, and the loop never ends. Where that cannot be ruled out, the number of iterations
//! is computed beforehand, which has a place in the type as an unsigned number, and the loop
//! goes from 0 to there by 1. The index is one more number that it carries.
//!
//! It is ruled out if the greatest bound and the greatest step together stay inside the type:
//! for all steps of one, and for constant steps to the sizes of arrays ([`comb_kit::ranges`]), or to
//! what differs by a constant from the size of an array that is made in front of the loop.
//!
//! Upstream's canonicaliser counts the iterations between constants by their difference in the loop's
//! type, as a signed number, and removes a loop that is longer than half the type. So loops whose bounds
//! may be that far apart are counted, too, unless the steps are so short that nobody lives to see
//! their end.
//! Other loops take one unsigned division, and an addition in each iteration.
//!
//! The pass runs once checks are there, which are told the bounds of indices by the loops as
//! they were written, and before anything simplifies loops. Steps are positive then.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    checks::{emit::integer_width, facts::constant},
    element_types::MOST_ELEMENTS,
    pass_error::PassError,
    ranges::{Range, range, unsigned_range},
    walk::{ancestors, first_block, operations},
};
use melior::{
    Error,
    ir::{BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate, Size, mixed_list},
    cast::Parts,
    view::{OpView, definition, op_name, set_attribute, set_operands, stands_before, uses},
};

/// The greatest constant that a size may differ by from what it tells the range of.
const FAR: i64 = 1 << 31;

/// Loops of more iterations do not end in a day.
const MOST_ITERATIONS: i128 = 1 << 46;

/// Where a loop begins, before what it ends, and by how much its index goes up.
#[derive(Clone, Copy)]
struct Count<'c, 'a> {
    first: Value<'c, 'a>,
    end: Value<'c, 'a>,
    step: Value<'c, 'a>,
    unsigned: bool,
}

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    // Inner loops first: an outer one that is rebuilt takes them along.
    for op in operations(module).into_iter().rev() {
        match op_name(op) {
            "scf.for" => count_for(op)?,
            "scf.parallel" => count_parallel(op)?,
            "scf.forall" => count_forall(op)?,
            _ => {}
        }
    }
    Ok(())
}

fn count_for<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let count = Count {
        first: view.operands[0],
        end: view.operands[1],
        step: view.operands[2],
        unsigned: view.flag("unsignedCmp"),
    };
    let (Some(builder), Some(body)) = (Builder::before(op), first_block(op)) else {
        return Ok(());
    };
    if count.stays_inside(op) {
        return Ok(());
    }
    let iterations = count.iterations(&builder)?;
    let bounds = [0, 1].map(|bound| builder.integer(bound, iterations.r#type()));
    let [zero, one] = bounds;
    let carried = [&view.operands[3..], &[count.first]].concat();
    let types: Vec<Type> = carried.iter().map(|value| value.r#type()).collect();
    let arguments = [&[iterations.r#type()], types.as_slice()].concat();
    let region = builder.region(&arguments, "scf.yield", |builder, arguments| {
        let (&index, values) = arguments[1..].split_last().unwrap_or((&arguments[0], &[]));
        let mut yielded = builder.inline(body, &[&[index], values].concat())?;
        yielded.push(builder.arithmetic("arith.addi", &[index, count.step])?);
        Ok::<_, PassError>(yielded)
    })?;
    let operands = [&[zero?, iterations, one?], carried.as_slice()].concat();
    let counted = builder.op("scf.for", &operands, &types, &[], vec![region])?;
    let results: Vec<Value> = counted.results().map(Into::into).collect();
    builder.replace(op, &results[..results.len() - 1]);
    Ok(())
}

/// A parallel loop's index is computed from the number of the iteration.
fn count_parallel<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let Some(before) = Builder::before(op) else {
        return Ok(());
    };
    let [first, end, step] = [0, 1, 2].map(|group| view.group(group));
    for (axis, ((first, end), step)) in first.zip(end).zip(step).enumerate() {
        let count = Count {
            first: view.operands[first],
            end: view.operands[end],
            step: view.operands[step],
            unsigned: false,
        };
        if count.stays_inside(op) {
            continue;
        }
        let r#type = count.first.r#type();
        count.compute_index(op, axis)?;
        before.set_operand(op, first, before.integer(0, r#type)?);
        before.set_operand(op, end, count.iterations(&before)?);
        before.set_operand(op, step, before.integer(1, r#type)?);
    }
    Ok(())
}

/// The lists of bounds and steps of an `scf.forall`, in the order of their operands.
const FORALL: [&str; 3] = ["staticLowerBound", "staticUpperBound", "staticStep"];

/// The same for a loop whose bounds and steps are constants and values.
fn count_forall<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let Some(before) = Builder::before(op) else {
        return Ok(());
    };
    let [mut first, mut end, mut step] =
        [0, 1, 2].map(|group| view.mixed_values(FORALL[group], group));
    let mut is_changed = false;
    for axis in 0..first.len() {
        let count = Count {
            first: before.size_value(first[axis])?,
            end: before.size_value(end[axis])?,
            step: before.size_value(step[axis])?,
            unsigned: false,
        };
        if count.stays_inside(op) {
            continue;
        }
        count.compute_index(op, axis)?;
        (first[axis], step[axis]) = (Size::Static(0), Size::Static(1));
        end[axis] = Size::Dynamic(count.iterations(&before)?);
        is_changed = true;
    }
    if is_changed {
        set_bounds(&before, op, [first, end, step]);
    }
    Ok(())
}

fn set_bounds<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    bounds: [Vec<Size<'c, 'a>>; 3],
) {
    let view = OpView::of(op);
    let (mut operands, mut segments) = (vec![], vec![]);
    for (name, bounds) in FORALL.into_iter().zip(bounds) {
        let (list, values) = mixed_list(&bounds);
        set_attribute(op, name, builder.integers(&list));
        segments.push(values.len() as i32);
        operands.extend(values);
    }
    let outputs = &view.operands[view.group(3)];
    segments.push(outputs.len() as i32);
    operands.extend(outputs);
    set_operands(op, &operands);
    set_attribute(op, "operandSegmentSizes", builder.segments(&segments));
}

impl<'c: 'a, 'a> Count<'c, 'a> {
    /// Whether a loop's index is known never to leave its type, not even behind the last iteration.
    fn stays_inside(&self, r#loop: OperationRef<'c, 'a>) -> bool {
        let Some(width) = integer_width(self.first.r#type()) else {
            return true;
        };
        let (range, all): (fn(Value) -> Option<Range>, _) = match self.unsigned {
            true => (unsigned_range, Range::unsigned(width)),
            false => (range, Range::signed(width)),
        };
        let (Some(end), Some(step)) = (range(self.end), range(self.step)) else {
            return false;
        };
        let greatest = match !self.unsigned && is_about_a_size(self.end, r#loop) {
            true => end
                .greatest
                .min(i128::from(FAR) + i128::from(MOST_ELEMENTS)),
            false => end.greatest,
        };
        // The last index is below the end.
        let ends_inside = greatest
            .checked_add(step.greatest - 1)
            .is_some_and(|greatest| greatest <= all.greatest);
        let half = Range::signed(width).greatest;
        let is_short = range(self.first).is_some_and(|first| greatest - first.least <= half);
        // Upstream reads the step of an unsigned loop as a signed number.
        ends_inside
            && step.greatest <= half
            && (is_short || step.greatest <= half / MOST_ITERATIONS)
    }

    /// Gives an iteration its index, in place of its number.
    fn compute_index(&self, r#loop: OperationRef<'c, 'a>, axis: usize) -> Result<(), Error> {
        let body = first_block(r#loop);
        let start = body.and_then(|body| Builder::before(body.first_operation()?));
        let (Some(body), Some(start)) = (body, start) else {
            return Ok(());
        };
        let number: Value = body.argument(axis)?.into();
        let distance = start.arithmetic("arith.muli", &[number, self.step])?;
        let index = start.arithmetic("arith.addi", &[self.first, distance])?;
        start.replace_uses(number, index, definition(distance));
        Ok(())
    }

    /// How many iterations there are, as an `index`, or of the loop's own type if that is wider.
    /// More than 2^63 - 1, which nobody lives to see, are as many.
    fn iterations(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let r#type = self.first.r#type();
        let (zero, one) = (builder.integer(0, r#type)?, builder.integer(1, r#type)?);
        let is_below = match self.unsigned {
            true => Predicate::Ult,
            false => Predicate::Slt,
        };
        let runs = builder.compare(is_below, self.first, self.end)?;
        let distance = builder.arithmetic("arith.subi", &[self.end, self.first])?;
        let rest = builder.arithmetic("arith.subi", &[distance, one])?;
        let steps = builder.arithmetic("arith.divui", &[rest, self.step])?;
        let iterations = builder.arithmetic("arith.addi", &[steps, one])?;
        let iterations = builder.select(runs, iterations, zero)?;
        let index = builder.index_type();
        let iterations = match integer_width(r#type) {
            Some(..64) => return builder.value("arith.index_castui", &[iterations], index, &[]),
            Some(64) if !r#type.is_index() => {
                builder.value("arith.index_castui", &[iterations], index, &[])?
            }
            _ => iterations,
        };
        if constant(self.step).is_some_and(|step| step > 2) {
            return Ok(iterations);
        }
        let most = builder.integer(i64::MAX, iterations.r#type())?;
        builder.arithmetic("arith.minui", &[iterations, most])
    }
}

/// Whether a number is a size of an array that is made in front of an op, or a sum of the number and a
/// constant is. Sizes are checked, and far from the ends of the type, so that the sum has not
/// wrapped around.
fn is_about_a_size<'c: 'a, 'a>(number: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let sums = uses(number).into_iter().filter_map(|(sum, _)| {
        let added = constant(sum.operand_at(1)?)?;
        let is_sum = matches!(op_name(sum), "arith.addi" | "arith.subi") && added.abs() <= FAR;
        is_sum.then(|| sum.result_at(0).map(Value::from))?
    });
    std::iter::once(number)
        .chain(sums)
        .flat_map(uses)
        .any(|(user, _)| takes_sizes(user) && comes_before(user, op))
}

/// Whether all operands of an op are sizes of the array that it makes.
fn takes_sizes(op: OperationRef) -> bool {
    matches!(
        op_name(op),
        "soac.generate" | "soac.iota" | "tensor.empty" | "tensor.generate"
    )
}

/// Whether an op has run when another one does, in the same block or one around.
fn comes_before<'c: 'a, 'a>(op: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) -> bool {
    std::iter::once(other)
        .chain(ancestors(other))
        .any(|other| stands_before(op, other))
}
