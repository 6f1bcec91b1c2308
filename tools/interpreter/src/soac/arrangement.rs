//! The arrangements that the structured combinators give the elements of their
//! inputs: a shape, and for each index of it the index that is read there.
//!
//! replicate, reverse, rotate, slice, take, drop, transpose, reshape and
//! lmad_slice are nothing else.

use super::requirement::{lmad_inside, slice_inside};
use crate::call::Call;
use crate::failure::Failure;
use crate::shape;

/// The index that is read at an index of the result.
type SourceOf = dyn Fn(&[usize]) -> Vec<usize>;

/// Where the elements of a result come from.
pub(super) struct Arrangement {
    /// The result's shape.
    pub(super) shape: Vec<usize>,
    source: Box<SourceOf>,
}

impl Arrangement {
    /// The arrangement that a structured combinator gives inputs of a shape.
    pub(super) fn of(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
        Ok(match call.op.name.as_str() {
            "soac.replicate" => replicate(call, input)?,
            "soac.reverse" => reverse(call, input),
            "soac.rotate" => rotate(call, input)?,
            "soac.slice" => slice(call, input)?,
            "soac.take" => take(call, input)?,
            "soac.drop" => drop_outer(call, input)?,
            "soac.transpose" => transpose(call, input),
            "soac.reshape" => reshape(call, input)?,
            "soac.lmad_slice" => lmad_slice(call, input)?,
            _ => return Err(call.unknown_op()),
        })
    }

    fn new(shape: Vec<usize>, source: impl Fn(&[usize]) -> Vec<usize> + 'static) -> Arrangement {
        let source = Box::new(source);
        Arrangement { shape, source }
    }

    /// The index of the inputs that is read at an index of the result.
    pub(super) fn source(&self, index: &[usize]) -> Vec<usize> {
        (self.source)(index)
    }
}

fn replicate(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
    let sizes = call.mixed("static_sizes", call.group(1))?;
    let outer = call.sizes(&sizes, "size {}")?;
    let shape = [&outer, input].concat();
    Ok(Arrangement::new(shape, move |index| {
        index[outer.len()..].to_vec()
    }))
}

fn reverse(call: &Call, input: &[usize]) -> Arrangement {
    let shape = input.to_vec();
    let dims = call.op.integers("dims").to_vec();
    Arrangement::new(input.to_vec(), move |index| {
        let mut index = index.to_vec();
        for &dim in &dims {
            let dim = dim as usize;
            index[dim] = shape[dim] - 1 - index[dim];
        }
        index
    })
}

fn rotate(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
    let shape = input.to_vec();
    let amounts = call.mixed("static_amounts", call.group(1))?;
    Ok(Arrangement::new(input.to_vec(), move |index| {
        let mut index = index.to_vec();
        for (dim, &amount) in amounts.iter().enumerate() {
            let moved = index[dim] as i128 + i128::from(amount);
            index[dim] = moved.rem_euclid(shape[dim] as i128) as usize;
        }
        index
    }))
}

fn slice(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
    let offsets = call.mixed("static_offsets", call.group(1))?;
    let sizes = call.mixed("static_sizes", call.group(2))?;
    let strides = call.mixed("static_strides", call.group(3))?;
    let shape = call.sizes(&sizes, "size {}")?;
    slice_inside(call, &offsets, &shape, &strides, input)?;
    Ok(Arrangement::new(shape, move |index| {
        index
            .iter()
            .enumerate()
            .map(|(dim, &i)| {
                (i128::from(offsets[dim]) + i as i128 * i128::from(strides[dim])) as usize
            })
            .collect()
    }))
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

fn take(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
    let counts = counts(call, input)?;
    let shape = [&counts, &input[counts.len()..]].concat();
    Ok(Arrangement::new(shape, <[usize]>::to_vec))
}

fn drop_outer(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
    let counts = counts(call, input)?;
    let mut shape = input.to_vec();
    for (size, count) in shape.iter_mut().zip(&counts) {
        *size -= count;
    }
    Ok(Arrangement::new(shape, move |index| {
        let mut index = index.to_vec();
        for (component, count) in index.iter_mut().zip(&counts) {
            *component += count;
        }
        index
    }))
}

fn transpose(call: &Call, input: &[usize]) -> Arrangement {
    let permutation: Vec<usize> = call
        .op
        .integers("permutation")
        .iter()
        .map(|&dim| dim as usize)
        .collect();
    let shape = permutation.iter().map(|&dim| input[dim]).collect();
    Arrangement::new(shape, move |index| {
        let mut source = vec![0; index.len()];
        for (&component, &dim) in index.iter().zip(&permutation) {
            source[dim] = component;
        }
        source
    })
}

fn reshape(call: &Call, old: &[usize]) -> Result<Arrangement, Failure> {
    let sizes = call.mixed("static_sizes", call.group(1))?;
    let shape = call.sizes(&sizes, "size {}")?;
    if shape::count(old) != shape::count(&shape) {
        return Err(call.error(&format!(
            "shapes {old:?} and {shape:?} have different numbers of elements"
        )));
    }
    let (old, new) = (old.to_vec(), shape.clone());
    Ok(Arrangement::new(shape, move |index| {
        shape::unravel(shape::ravel(index, &new), &old)
    }))
}

fn lmad_slice(call: &Call, input: &[usize]) -> Result<Arrangement, Failure> {
    let offset = call.mixed("static_offset", call.group(1))?[0];
    let sizes = call.mixed("static_sizes", call.group(2))?;
    let strides = call.mixed("static_strides", call.group(3))?;
    let sizes = call.sizes(&sizes, "size {}")?;
    lmad_inside(call, offset, &sizes, &strides, input)?;
    let input = input.to_vec();
    Ok(Arrangement::new(sizes, move |index| {
        shape::unravel(lmad_position(offset, index, &strides), &input)
    }))
}

/// The row-major position of a point of an LMAD that lies inside an array.
pub(super) fn lmad_position(offset: i64, index: &[usize], strides: &[i64]) -> usize {
    let steps = index.iter().zip(strides);
    let position: i128 = i128::from(offset)
        + steps
            .map(|(&i, &stride)| i as i128 * i128::from(stride))
            .sum::<i128>();
    position as usize
}
