//! Gather and scatter: reads and writes at arrays of indices.

use super::requirement::{same_shape, same_shapes};
use crate::call::Call;
use crate::failure::Failure;
use crate::shape;
use crate::value::{Array, Scalar, Value};

/// The index that index arrays give at a position of theirs, once it is
/// certain that it lies inside a shape.
fn target(
    call: &Call,
    indices: &[Array],
    position: usize,
    shape: &[usize],
) -> Result<Vec<usize>, Failure> {
    let index: Vec<i64> = indices
        .iter()
        .map(|index| index.element_at(position).signed() as i64)
        .collect();
    call.all_in_range(&index, shape)
}

pub(super) fn gather(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let sources = same_shapes(call, 0, "sources")?;
    let indices = same_shapes(call, 1, "index arrays")?;
    let outer = indices[0].shape();
    let inner = &sources[0].shape()[indices.len()..];
    let shape = [outer, inner].concat();
    call.promise(&vec![shape.clone(); sources.len()])?;
    // Indices of which no element is read are not looked at.
    let is_read = !shape.contains(&0);
    let targets = (0..if is_read { indices[0].count() } else { 0 })
        .map(|position| target(call, &indices, position, sources[0].shape()))
        .collect::<Result<Vec<_>, _>>()?;
    sources
        .iter()
        .map(|source| {
            call.build(source.element(), &shape, |index| {
                let (position, rest) = index.split_at(outer.len());
                let target = &targets[shape::ravel(position, outer)];
                source.bits_at(&[target, rest].concat())
            })
        })
        .collect()
}

pub(super) fn scatter(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let sources = same_shapes(call, 0, "sources")?;
    let dests = same_shapes(call, 1, "destinations")?;
    let indices = call.arrays(call.group(2))?;
    for (position, index) in indices.iter().enumerate() {
        let what = format!("source 0 and index array {position}");
        same_shape(call, sources[0].shape(), index.shape(), &what)?;
    }
    let shape = dests[0].shape();
    call.promise(&vec![shape.to_vec(); dests.len()])?;
    let mut updated = vec![];
    for dest in &dests {
        let mut bits = call.begin(shape)?;
        bits.extend(dest.bits());
        updated.push(bits);
    }
    let combines = call
        .op
        .regions
        .first()
        .is_some_and(|region| !region.blocks.is_empty());
    for position in 0..sources[0].count() {
        let target = shape::ravel(&target(call, &indices, position, shape)?, shape);
        let mut new: Vec<Value> = sources
            .iter()
            .map(|source| Value::Scalar(source.element_at(position)))
            .collect();
        if combines {
            let old = dests
                .iter()
                .zip(&updated)
                .map(|(dest, bits)| Value::Scalar(Scalar::from_bits(dest.element(), bits[target])));
            new = call.run(0, old.chain(new).collect())?;
        }
        for (bits, value) in updated.iter_mut().zip(&new) {
            bits[target] = value.bits()[0];
        }
    }
    dests
        .iter()
        .zip(updated)
        .map(|(dest, bits)| call.finish(dest.element(), shape, bits))
        .collect()
}
