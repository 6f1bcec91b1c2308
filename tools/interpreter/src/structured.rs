//! The `scf` dialect. Parallel loops run in order.

use crate::call::Call;
use crate::element::Element;
use crate::failure::Failure;
use crate::program::{Op, Slot};
use crate::shape;
use crate::tensor;
use crate::value::{Scalar, Value};

/// Executes an op of the `scf` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "scf.execute_region" => call.run(0, vec![]),
        "scf.for" => for_loop(call),
        "scf.forall" => forall(call),
        "scf.if" => conditional(call),
        "scf.index_switch" => index_switch(call),
        "scf.parallel" => parallel(call),
        "scf.while" => while_loop(call),
        _ => Err(call.unknown_op()),
    }
}

fn conditional(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let region = if call.scalar(0)?.is_true() { 0 } else { 1 };
    match call.op.regions.get(region) {
        Some(region) if !region.blocks.is_empty() => call.run_region(region, vec![]),
        _ => Ok(vec![]),
    }
}

fn index_switch(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let value = call.index(0)?;
    let case = call
        .op
        .integers("cases")
        .iter()
        .position(|&case| case == value);
    // The default comes first.
    call.run(case.map_or(0, |case| case + 1), vec![])
}

fn for_loop(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let bounds = [call.scalar(0)?, call.scalar(1)?, call.scalar(2)?];
    let unsigned = call.op.flag("unsignedCmp");
    let [first, end, step] = bounds.map(|bound| match unsigned {
        true => bound.unsigned() as i128,
        false => bound.signed(),
    });
    positive_step(call, step)?;
    let values = call.values(3..call.op.operands.len())?;
    count(call, bounds[0].element(), [first, end, step], values)
}

/// Runs a loop that counts from a first number to below an end by a positive step, and carries values.
pub(crate) fn count(
    call: &mut Call,
    element: Element,
    [first, end, step]: [i128; 3],
    mut values: Vec<Value>,
) -> Result<Vec<Value>, Failure> {
    let mut induction = first;
    while induction < end {
        call.machine.spend(&call.op.location, 1)?;
        values.insert(0, Value::Scalar(Scalar::integer(element, induction)));
        values = call.run(0, values)?;
        induction = induction.saturating_add(step);
    }
    Ok(values)
}

fn positive_step(call: &Call, step: i128) -> Result<(), Failure> {
    if step > 0 {
        return Ok(());
    }
    Err(call.error(&format!("step {step} is not positive")))
}

fn while_loop(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let mut values = call.values(0..call.op.operands.len())?;
    loop {
        call.machine.spend(&call.op.location, 1)?;
        let mut condition = call.run(0, values)?.into_iter();
        let goes_on = match condition.next() {
            Some(Value::Scalar(truth)) => truth.is_true(),
            _ => return Err(call.bug("has no condition")),
        };
        values = condition.collect();
        if !goes_on {
            return Ok(values);
        }
        values = call.run(1, values)?;
    }
}

/// The iterations of a loop over several dimensions, in row-major order.
fn iterations(
    call: &mut Call,
    lower: &[i64],
    upper: &[i64],
    steps: &[i64],
) -> Result<Vec<Vec<Value>>, Failure> {
    let mut counts = vec![];
    for ((&lower, &upper), &step) in lower.iter().zip(upper).zip(steps) {
        positive_step(call, step.into())?;
        let distance = (i128::from(upper) - i128::from(lower)).max(0);
        counts.push(((distance + i128::from(step) - 1) / i128::from(step)) as usize);
    }
    call.machine.allocate(&call.op.location, &counts)?;
    Ok(shape::indices(&counts)
        .map(|index| {
            index
                .iter()
                .zip(lower.iter().zip(steps))
                .map(|(&i, (&lower, &step))| Value::Scalar(Scalar::index(lower + i as i64 * step)))
                .collect()
        })
        .collect())
}

fn parallel(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let lower = call.indices(call.group(0))?;
    let upper = call.indices(call.group(1))?;
    let steps = call.indices(call.group(2))?;
    let mut accumulators = call.values(call.group(3))?;
    let reduce = call.terminator(0)?;
    for variables in iterations(call, &lower, &upper, &steps)? {
        let values = call.run(0, variables)?;
        for (position, value) in values.into_iter().enumerate() {
            let combine = reduce
                .regions
                .get(position)
                .ok_or_else(|| call.bug("a reduction is missing"))?;
            let sides = vec![accumulators[position].clone(), value];
            accumulators[position] = call.run_region(combine, sides)?.swap_remove(0);
        }
    }
    Ok(accumulators)
}

fn forall(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let lower = call.mixed("staticLowerBound", call.group(0))?;
    let upper = call.mixed("staticUpperBound", call.group(1))?;
    let steps = call.mixed("staticStep", call.group(2))?;
    let mut outputs = call.values(call.group(3))?;
    let ending = call.terminator(0)?;
    for variables in iterations(call, &lower, &upper, &steps)? {
        let shared = call.op.regions[0].blocks[0].arguments[lower.len()..].to_vec();
        call.run(0, [variables, outputs.clone()].concat())?;
        for insert in ending.regions.iter().flat_map(|region| &region.blocks) {
            for op in &insert.ops {
                insert_in_parallel(call, op, &shared, &mut outputs)?;
            }
        }
    }
    Ok(outputs)
}

/// Executes one of the ops that end an iteration of `scf.forall`, which add to
/// its outputs.
fn insert_in_parallel<'p>(
    call: &mut Call<'_, 'p>,
    op: &'p Op,
    shared: &[Slot],
    outputs: &mut [Value],
) -> Result<(), Failure> {
    let mut insert = Call::new(call.machine, call.frame, op);
    if op.name != "tensor.parallel_insert_slice" {
        return Err(insert.unknown_op());
    }
    let position = shared
        .iter()
        .position(|slot| slot.number == op.operands[1].number)
        .ok_or_else(|| insert.bug("inserts into no output of the loop"))?;
    let Value::Array(dest) = outputs[position].clone() else {
        return Err(insert.bug("inserts into no array"));
    };
    outputs[position] = tensor::insert_slice_into(&mut insert, dest)?;
    Ok(())
}
