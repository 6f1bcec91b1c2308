//! Ops that read an array at computed indices: gather, backpermute and
//! lmad_slice.

use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{Builder, Generic, Iterator, Predicate, Size, Values};

use super::{
    lambda::{identity, is_scalar, map},
    mapnest,
    pointwise::{element_index, elementwise},
};
use comb_kit::{
    pass_error::PassError,
    target::{Target, rank_of},
};

/// What a check says of an op's index, and the size of the dimension.
pub fn out_of_range(op: &str, dimension: usize) -> String {
    format!("'{op}' op index {{}} is out of range [0, {{}}) in dimension {dimension}")
}

/// Ends the program unless `0 <= index < size`.
pub(super) fn check_index<'c, 'a>(
    target: &Target<'c, 'a>,
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    size: Value<'c, 'a>,
    dimension: usize,
) -> Result<(), PassError<'c>> {
    // A negative index is a large one.
    let inside = builder.compare(Predicate::Ult, index, size)?;
    let message = builder.string(&out_of_range(target.view.name, dimension));
    builder.op(
        "soac.check",
        &[inside, index, size],
        &[],
        &[("message", message)],
        vec![],
    )?;
    Ok(())
}

/// Checks an index of an array, unless the op promises that it is right.
pub(super) fn check_indices<'c, 'a>(
    target: &Target<'c, 'a>,
    builder: &Builder<'c, 'a>,
    indices: &[Value<'c, 'a>],
    sizes: &[Value<'c, 'a>],
) -> Result<(), PassError<'c>> {
    if target.unchecked {
        return Ok(());
    }
    for (dimension, (&index, &size)) in indices.iter().zip(sizes).enumerate() {
        check_index(target, builder, index, size, dimension)?;
    }
    Ok(())
}

/// Elements of index arrays as values of type `index`; they are signed.
pub(super) fn to_indices<'c, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let index = builder.index_type();
    elements
        .iter()
        .map(|&element| {
            if element.r#type() == index {
                Ok(element)
            } else {
                Ok(builder.value("arith.index_cast", &[element], index, &[])?)
            }
        })
        .collect()
}

pub(super) fn gather<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (sources, indices) = (target.group(0), target.group(1));
    let outputs = target.empty_results()?;
    let dimensions = target.description.results[0].sizes.len();
    let index_rank = rank_of(indices[0])?;
    let source_sizes = target.values(&target.builder.sizes(sources[0])?)?;
    let mut maps = vec![map(dimensions, 0..index_rank); indices.len()];
    maps.extend(vec![identity(dimensions); outputs.len()]);
    let parts = Generic {
        inputs: &indices,
        outputs: &outputs,
        maps: &maps,
        iterators: &vec![Iterator::Parallel; dimensions],
    };
    target.builder.generic(&parts, |builder, elements| {
        let mut position = to_indices(builder, &elements[..indices.len()])?;
        check_indices(target, builder, &position, &source_sizes)?;
        for dimension in index_rank..dimensions {
            position.push(builder.iteration_index(dimension)?);
        }
        read(builder, &sources, &position)
    })
}

/// The elements of several arrays at an index.
fn read<'c, 'a>(
    builder: &Builder<'c, 'a>,
    sources: &[Value<'c, 'a>],
    position: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    sources
        .iter()
        .map(|&source| Ok(builder.extract(source, position)?))
        .collect()
}

/// Reads the inputs at a function of the result's index.
pub(super) fn backpermuted<'c, 'a>(
    target: &Target<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    position: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, PassError<'c>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let dimensions = target.description.results[0].sizes.len();
    elementwise(target, &[], |builder, _| {
        let index = element_index(builder, dimensions)?;
        let position = position(builder, &index)?;
        read(builder, inputs, &position)
    })
}

pub(super) fn backpermute<'c, 'a>(
    target: &Target<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let lambda = target.lambda()?;
    let inputs = target.group(0);
    let sizes = target.values(&target.builder.sizes(inputs[0])?)?;
    if is_scalar(lambda) {
        return backpermuted(target, &inputs, |builder, index| {
            let position = builder.inline(lambda, index)?;
            check_indices(target, builder, &position, &sizes)?;
            Ok(position)
        });
    }
    let result_sizes = target.first_result_sizes()?;
    let results = target.empty_results()?;
    target
        .builder
        .loop_nest(&result_sizes, &results, &mut |builder, index, carried| {
            let position = builder.inline(lambda, index)?;
            check_indices(target, builder, &position, &sizes)?;
            let elements = read(builder, &inputs, &position)?;
            mapnest::store(builder, &elements, carried, index)
        })
}

/// `offset + Σ index_k · stride_k`.
pub(super) fn lmad_point<'c, 'a>(
    builder: &Builder<'c, 'a>,
    offset: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    strides: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    index
        .iter()
        .zip(strides)
        .try_fold(offset, |sum, (&index, &stride)| {
            let step = builder.arithmetic("arith.muli", &[index, stride])?;
            Ok(builder.arithmetic("arith.addi", &[sum, step])?)
        })
}

/// The array in row-major order, as one dimension.
pub(super) fn flattened<'c, 'a>(
    target: &Target<'c, 'a>,
    array: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let sizes = target.builder.sizes(array)?;
    if sizes.len() == 1 {
        return Ok(array);
    }
    let count = count(target, &sizes)?;
    reshaped(target, array, &[count])
}

/// The number of elements of a shape.
pub fn count<'c, 'a>(
    target: &Target<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<Size<'c, 'a>, PassError<'c>> {
    let constant = sizes.iter().try_fold(1i64, |product, size| match size {
        Size::Static(size) => product.checked_mul(*size),
        Size::Dynamic(_) => None,
    });
    if let Some(constant) = constant {
        return Ok(Size::Static(constant));
    }
    let one = target.builder.index(1)?;
    let product = sizes.iter().try_fold(one, |product, &size| {
        let size = target.builder.size_value(size)?;
        target.builder.arithmetic("arith.muli", &[product, size])
    })?;
    Ok(Size::Dynamic(product))
}

/// The elements in row-major order in another shape.
pub(super) fn reshaped<'c, 'a>(
    target: &Target<'c, 'a>,
    array: Value<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let builder = &target.builder;
    let constants: Vec<Option<i64>> = sizes
        .iter()
        .map(|size| match size {
            Size::Static(size) => Some(*size),
            Size::Dynamic(_) => None,
        })
        .collect();
    let index = builder.index_type();
    let shape_type = soac_dialect::description::array_type(&[Some(sizes.len() as i64)], index);
    let values = target.values(sizes)?;
    let shape = builder.value("tensor.from_elements", &values, shape_type, &[])?;
    let result = soac_dialect::description::array_type(&constants, target.element(array)?);
    Ok(builder.value("tensor.reshape", &[array, shape], result, &[])?)
}

pub(super) fn lmad_slice<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let offset = target.values(&target.mixed("static_offset", 1)?)?[0];
    let strides = target.values(&target.mixed("static_strides", 3)?)?;
    let source = flattened(target, target.view.operands[0])?;
    backpermuted(target, &[source], |builder, index| {
        Ok(vec![lmad_point(builder, offset, index, &strides)?])
    })
}
