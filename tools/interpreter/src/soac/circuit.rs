//! Circuit points: concat, update, lmad_update.

use super::arrangement::lmad_position;
use super::requirement::{lmad_inside, same_shape, slice_inside};
use crate::call::Call;
use crate::failure::Failure;
use crate::shape;
use crate::value::{Array, Value};

pub(super) fn concat(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = call.arrays(call.group(0))?;
    let dim = call.op.integer("dim").unwrap_or(-1) as usize;
    let without_dim = |input: &Array| {
        let mut shape = input.shape().to_vec();
        shape.remove(dim);
        shape
    };
    for (other, input) in inputs.iter().enumerate().skip(1) {
        let what = format!("operands 0 and {other}, apart from dimension {dim},");
        same_shape(call, &without_dim(&inputs[0]), &without_dim(input), &what)?;
    }
    let mut shape = inputs[0].shape().to_vec();
    shape[dim] = inputs.iter().map(|input| input.shape()[dim]).sum();
    let joined = call.build(inputs[0].element(), &shape, |index| {
        let mut index = index.to_vec();
        let mut input = 0;
        while index[dim] >= inputs[input].shape()[dim] {
            index[dim] -= inputs[input].shape()[dim];
            input += 1;
        }
        inputs[input].bits_at(&index)
    })?;
    Ok(vec![joined])
}

/// The row-major position of `offset + index · strides`, if it is inside.
fn strided(
    call: &Call,
    offsets: &[i64],
    strides: &[i64],
    index: &[usize],
    shape: &[usize],
) -> Result<usize, Failure> {
    let point: Vec<i64> = index
        .iter()
        .zip(offsets.iter().zip(strides))
        .map(|(&i, (&offset, &stride))| offset.wrapping_add(stride.wrapping_mul(i as i64)))
        .collect();
    Ok(shape::ravel(&call.all_in_range(&point, shape)?, shape))
}

pub(super) fn update(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (source, dest) = (call.array(0)?, call.array(1)?);
    let offsets = call.mixed("static_offsets", call.group(2))?;
    let strides = call.mixed("static_strides", call.group(3))?;
    if let Some(axis) = strides.iter().position(|&stride| stride == 0) {
        return Err(call.error(&format!("the stride of dimension {axis} is zero")));
    }
    slice_inside(call, &offsets, source.shape(), &strides, dest.shape())?;
    let mut bits = call.begin(dest.shape())?;
    bits.extend(dest.bits());
    for index in shape::indices(source.shape()) {
        let position = strided(call, &offsets, &strides, &index, dest.shape())?;
        bits[position] = source.bits_at(&index);
    }
    Ok(vec![call.finish(dest.element(), dest.shape(), bits)?])
}

pub(super) fn lmad_update(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (source, dest) = (call.array(0)?, call.array(1)?);
    let offset = call.mixed("static_offset", call.group(2))?[0];
    let strides = call.mixed("static_strides", call.group(3))?;
    lmad_inside(call, offset, source.shape(), &strides, dest.shape())?;
    let mut bits = call.begin(dest.shape())?;
    bits.extend(dest.bits());
    for (index, &new) in shape::indices(source.shape()).zip(source.bits()) {
        bits[lmad_position(offset, &index, &strides)] = new;
    }
    Ok(vec![call.finish(dest.element(), dest.shape(), bits)?])
}
