//! The structured combinators: iota, fill, and ops that give the elements of
//! their inputs in another arrangement.

use super::arrangement::Arrangement;
use super::combinators::index_values;
use super::requirement::same_shapes;
use crate::call::Call;
use crate::failure::Failure;
use crate::shape;
use crate::value::{Array, Scalar, Value};

pub(super) fn iota(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let sizes = call.mixed("static_sizes", call.group(0))?;
    let shape = call.sizes(&sizes, "size {}")?;
    let dim = call.op.integer("dim").unwrap_or(-1) as usize;
    let element = call.op.results[0]
        .ty
        .element()
        .ok_or_else(|| call.bug("gives no array"))?;
    let counted = call.build(element, &shape, |index| {
        Scalar::integer(element, index[dim] as i128).bits()
    })?;
    Ok(vec![counted])
}

pub(super) fn fill(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let sizes = call.mixed("static_sizes", call.group(1))?;
    let shape = call.sizes(&sizes, "size {}")?;
    call.group(0)
        .map(|operand| {
            let value = call.scalar(operand)?;
            call.build(value.element(), &shape, |_| value.bits())
        })
        .collect()
}

/// The inputs, and the arrangement that the op gives their elements.
fn arranged(call: &Call) -> Result<(Vec<Array>, Arrangement), Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let arrangement = Arrangement::of(call, inputs[0].shape())?;
    Ok((inputs, arrangement))
}

/// Gives the elements of the inputs in another arrangement.
pub(super) fn rearrange(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (inputs, arrangement) = arranged(call)?;
    rearranged(call, &inputs, &arrangement.shape, |index| {
        arrangement.source(index)
    })
}

/// The inputs in another arrangement: `shape`, and for each index of it the
/// index of the inputs.
fn rearranged(
    call: &mut Call,
    inputs: &[Array],
    shape: &[usize],
    source: impl Fn(&[usize]) -> Vec<usize>,
) -> Result<Vec<Value>, Failure> {
    inputs
        .iter()
        .map(|input| {
            call.build(input.element(), shape, |index| {
                input.bits_at(&source(index))
            })
        })
        .collect()
}

/// As [`rearrange`], without a copy: the elements stay in row-major order.
pub(super) fn reshape(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (inputs, arrangement) = arranged(call)?;
    call.countable(&arrangement.shape)?;
    Ok(inputs
        .iter()
        .map(|input| Value::Array(input.reshaped(arrangement.shape.clone())))
        .collect())
}

pub(super) fn backpermute(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let sizes = call.mixed("static_sizes", call.group(1))?;
    let shape = call.sizes(&sizes, "size {}")?;
    let mut sources = vec![];
    call.promise(&vec![shape.clone(); inputs.len()])?;
    call.begin(&shape)?;
    for index in shape::indices(&shape) {
        let yielded = call.run(0, index_values(&index))?;
        let source: Vec<i64> = yielded
            .iter()
            .map(|component| match component {
                Value::Scalar(component) => Ok(component.signed() as i64),
                _ => Err(call.bug("has a lambda that yields no index")),
            })
            .collect::<Result<_, _>>()?;
        sources.push(call.all_in_range(&source, inputs[0].shape())?);
    }
    rearranged(call, &inputs, &shape, |index| {
        sources[shape::ravel(index, &shape)].clone()
    })
}

pub(super) fn zip(call: &mut Call) -> Result<Vec<Value>, Failure> {
    Ok(same_shapes(call, 0, "operands")?
        .into_iter()
        .map(Value::Array)
        .collect())
}
