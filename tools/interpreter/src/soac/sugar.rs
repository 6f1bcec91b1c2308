//! The structured combinators: iota, fill, and ops that give the elements of
//! their inputs in another arrangement.

use super::combinators::index_values;
use super::requirement::{same_shapes, slice_inside};
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

pub(super) fn replicate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let sizes = call.mixed("static_sizes", call.group(1))?;
    let outer = call.sizes(&sizes, "size {}")?;
    let shape = [&outer, inputs[0].shape()].concat();
    rearranged(call, &inputs, &shape, |index| index[outer.len()..].to_vec())
}

pub(super) fn reverse(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let shape = inputs[0].shape();
    let dims = call.op.integers("dims");
    rearranged(call, &inputs, shape, |index| {
        let mut index = index.to_vec();
        for &dim in dims {
            let dim = dim as usize;
            index[dim] = shape[dim] - 1 - index[dim];
        }
        index
    })
}

pub(super) fn rotate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let shape = inputs[0].shape();
    let amounts = call.mixed("static_amounts", call.group(1))?;
    rearranged(call, &inputs, shape, |index| {
        let mut index = index.to_vec();
        for (dim, &amount) in amounts.iter().enumerate() {
            let moved = index[dim] as i128 + i128::from(amount);
            index[dim] = moved.rem_euclid(shape[dim] as i128) as usize;
        }
        index
    })
}

pub(super) fn slice(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let offsets = call.mixed("static_offsets", call.group(1))?;
    let sizes = call.mixed("static_sizes", call.group(2))?;
    let strides = call.mixed("static_strides", call.group(3))?;
    let shape = call.sizes(&sizes, "size {}")?;
    slice_inside(call, &offsets, &shape, &strides, inputs[0].shape())?;
    rearranged(call, &inputs, &shape, |index| {
        index
            .iter()
            .enumerate()
            .map(|(dim, &i)| {
                (i128::from(offsets[dim]) + i as i128 * i128::from(strides[dim])) as usize
            })
            .collect()
    })
}

/// Counts of elements, each of which must be between zero and the dimension's
/// size.
fn counts(call: &Call, shape: &[usize]) -> Result<Vec<usize>, Failure> {
    let counts = call.mixed("static_counts", call.group(1))?;
    counts
        .iter()
        .zip(shape)
        .enumerate()
        .map(|(axis, (&count, &size))| {
            usize::try_from(count)
                .ok()
                .filter(|&count| count <= size)
                .ok_or_else(|| {
                    call.error(&format!(
                        "count {count} is not between 0 and {size}, the size of dimension {axis}"
                    ))
                })
        })
        .collect()
}

pub(super) fn take(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let counts = counts(call, inputs[0].shape())?;
    let shape = [&counts, &inputs[0].shape()[counts.len()..]].concat();
    rearranged(call, &inputs, &shape, <[usize]>::to_vec)
}

pub(super) fn drop_outer(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let counts = counts(call, inputs[0].shape())?;
    let mut shape = inputs[0].shape().to_vec();
    for (size, count) in shape.iter_mut().zip(&counts) {
        *size -= count;
    }
    rearranged(call, &inputs, &shape, |index| {
        let mut index = index.to_vec();
        for (component, count) in index.iter_mut().zip(&counts) {
            *component += count;
        }
        index
    })
}

pub(super) fn transpose(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let permutation: Vec<usize> = call
        .op
        .integers("permutation")
        .iter()
        .map(|&dim| dim as usize)
        .collect();
    let shape: Vec<usize> = permutation
        .iter()
        .map(|&dim| inputs[0].shape()[dim])
        .collect();
    rearranged(call, &inputs, &shape, |index| {
        let mut source = vec![0; index.len()];
        for (&component, &dim) in index.iter().zip(&permutation) {
            source[dim] = component;
        }
        source
    })
}

pub(super) fn reshape(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let sizes = call.mixed("static_sizes", call.group(1))?;
    let shape = call.sizes(&sizes, "size {}")?;
    let old = inputs[0].shape();
    if shape::count(old) != shape::count(&shape) {
        return Err(call.error(&format!(
            "shapes {old:?} and {shape:?} have different numbers of elements"
        )));
    }
    Ok(inputs
        .iter()
        .map(|input| Value::Array(input.reshaped(shape.clone())))
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
                Value::Array(_) => Err(call.bug("has a lambda that yields no index")),
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
