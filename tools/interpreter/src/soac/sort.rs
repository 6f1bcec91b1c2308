//! Sorts of rows: a stable merge sort, which ends with a permutation whatever the function says.

use super::requirement::same_shapes;
use crate::call::Call;
use crate::failure::Failure;
use crate::shape;
use crate::value::{Array, Value};

pub(super) fn sort(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let shape = inputs[0].shape().to_vec();
    let row_size = shape.last().copied().unwrap_or(1);
    let mut order = vec![];
    if shape::count(&shape) > 0 {
        for start in (0..inputs[0].count()).step_by(row_size) {
            order.extend(sorted(call, &inputs, start..start + row_size)?);
        }
    }
    inputs
        .iter()
        .map(|input| {
            let bits = order
                .iter()
                .map(|&position| input.bits()[position])
                .collect();
            call.finish(input.element(), &shape, bits)
        })
        .collect()
}

/// Positions of elements, in the order of the op's function.
fn sorted(
    call: &mut Call,
    inputs: &[Array],
    row: std::ops::Range<usize>,
) -> Result<Vec<usize>, Failure> {
    let mut order: Vec<usize> = row.collect();
    let mut run = 1;
    while run < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * run) {
            let (left, right) = pair.split_at(run.min(pair.len()));
            merge(call, inputs, left, right, &mut merged)?;
        }
        order = merged;
        run *= 2;
    }
    Ok(order)
}

/// Merges two sorted runs. What is on the right goes first only if it goes before.
fn merge(
    call: &mut Call,
    inputs: &[Array],
    mut left: &[usize],
    mut right: &[usize],
    merged: &mut Vec<usize>,
) -> Result<(), Failure> {
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        if goes_before(call, inputs, *second, *first)? {
            merged.push(*second);
            right = right_rest;
        } else {
            merged.push(*first);
            left = left_rest;
        }
    }
    merged.extend(left);
    merged.extend(right);
    Ok(())
}

/// What the op's function says of the elements at two positions.
fn goes_before(
    call: &mut Call,
    inputs: &[Array],
    first: usize,
    second: usize,
) -> Result<bool, Failure> {
    let elements = [first, second].into_iter().flat_map(|position| {
        inputs
            .iter()
            .map(move |input| Value::Scalar(input.element_at(position)))
    });
    match call.run(0, elements.collect())?.as_slice() {
        [Value::Scalar(before)] => Ok(before.is_true()),
        _ => Err(call.bug("has a function that yields no truth value")),
    }
}
