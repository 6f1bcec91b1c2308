//! The `tensor` dialect. What `tensor.empty` holds is not defined; here it is
//! zero.

use crate::call::{Call, has_claimed_sizes};
use crate::element::Type;
use crate::failure::Failure;
use crate::program::Attribute;
use crate::shape;
use crate::value::{Array, Scalar, Value};

/// Executes an op of the `tensor` dialect, or one that asks for the shape of memory.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let value = match call.op.name.as_str() {
        "tensor.bitcast" => bitcast(call)?,
        "tensor.cast" => cast(call)?,
        "tensor.collapse_shape" => collapse_shape(call)?,
        "tensor.concat" => concat(call)?,
        "tensor.dim" | "memref.dim" => dim(call)?,
        "tensor.empty" => empty(call)?,
        "bufferization.alloc_tensor" => match call.group(1) {
            copied if copied.is_empty() => empty(call)?,
            copied => call.value(copied.start)?,
        },
        "tensor.expand_shape" => expand_shape(call)?,
        "tensor.extract" => extract(call)?,
        "tensor.extract_slice" => extract_slice(call)?,
        "tensor.from_elements" => from_elements(call)?,
        "tensor.generate" => generate(call)?,
        "tensor.insert" => insert(call)?,
        "tensor.insert_slice" => {
            let dest = call.array(1)?;
            insert_slice_into(call, dest)?
        }
        "tensor.pad" => pad(call)?,
        "tensor.rank" | "memref.rank" => {
            Value::Scalar(Scalar::index(call.value(0)?.shape().len() as i64))
        }
        "tensor.reshape" => reshape(call)?,
        "tensor.splat" => splat(call)?,
        _ => return Err(call.unknown_op()),
    };
    Ok(vec![value])
}

/// The type of the op's result.
pub(crate) fn result_type<'p>(
    call: &Call<'_, 'p>,
) -> Result<(&'p Type, crate::element::Element), Failure> {
    let ty = &call.op.results[0].ty;
    match ty.element() {
        Some(element) => Ok((ty, element)),
        None => Err(call.unsupported(format!("the type {ty}"))),
    }
}

/// The result's shape, when the sizes that its type leaves open are the
/// operands from the given one on.
pub(crate) fn result_shape(call: &Call, first_size: usize) -> Result<Vec<usize>, Failure> {
    let given = call.indices(first_size..call.op.operands.len())?;
    let mut given = call.sizes(&given, "size {}")?.into_iter();
    result_type(call)?
        .0
        .sizes()
        .iter()
        .map(|size| size.or_else(|| given.next()))
        .collect::<Option<_>>()
        .ok_or_else(|| call.bug("has too few sizes"))
}

fn empty(call: &mut Call) -> Result<Value, Failure> {
    let shape = result_shape(call, 0)?;
    let element = result_type(call)?.1;
    call.build(element, &shape, |_| 0)
}

fn splat(call: &mut Call) -> Result<Value, Failure> {
    let shape = result_shape(call, 1)?;
    let value = call.scalar(0)?;
    call.build(value.element(), &shape, |_| value.bits())
}

fn from_elements(call: &mut Call) -> Result<Value, Failure> {
    let shape = result_shape(call, call.op.operands.len())?;
    let element = result_type(call)?.1;
    let mut bits = call.begin(&shape)?;
    for operand in 0..call.op.operands.len() {
        bits.push(call.scalar(operand)?.bits());
    }
    call.finish(element, &shape, bits)
}

fn generate(call: &mut Call) -> Result<Value, Failure> {
    let shape = result_shape(call, 0)?;
    let element = result_type(call)?.1;
    let mut bits = call.begin(&shape)?;
    for index in shape::indices(&shape) {
        bits.push(run_at(call, &index)?);
    }
    call.finish(element, &shape, bits)
}

/// The bits that the op's region yields for an index.
fn run_at(call: &mut Call, index: &[usize]) -> Result<u64, Failure> {
    let arguments = index
        .iter()
        .map(|&component| Value::Scalar(Scalar::index(component as i64)))
        .collect();
    match call.run(0, arguments)?.as_slice() {
        [Value::Scalar(scalar)] => Ok(scalar.bits()),
        _ => Err(call.bug("yields no scalar")),
    }
}

fn bitcast(call: &mut Call) -> Result<Value, Failure> {
    let source = call.array(0)?;
    let (ty, element) = result_type(call)?;
    has_claimed_sizes(call.op, ty, source.shape(), "")?;
    call.finish(element, source.shape(), source.bits().to_vec())
}

fn cast(call: &mut Call) -> Result<Value, Failure> {
    let source = call.value(0)?;
    has_claimed_sizes(call.op, &call.op.results[0].ty, source.shape(), "")?;
    Ok(source)
}

fn dim(call: &mut Call) -> Result<Value, Failure> {
    let source = call.value(0)?;
    let dimension = dimension(call, source.shape().len())?;
    Ok(Value::Scalar(Scalar::index(
        source.shape()[dimension] as i64,
    )))
}

/// The dimension of an array of a rank that `tensor.dim` asks for.
pub(crate) fn dimension(call: &Call, rank: usize) -> Result<usize, Failure> {
    let dimension = call.index(1)?;
    usize::try_from(dimension)
        .ok()
        .filter(|&dimension| dimension < rank)
        .ok_or_else(|| {
            call.error(&format!(
                "dimension {dimension} is out of range [0, {rank})"
            ))
        })
}

fn extract(call: &mut Call) -> Result<Value, Failure> {
    let source = call.array(0)?;
    let index = call.indices(1..call.op.operands.len())?;
    let index = call.all_in_range(&index, source.shape())?;
    Ok(source.inner(&index))
}

fn insert(call: &mut Call) -> Result<Value, Failure> {
    let (value, dest) = (call.scalar(0)?, call.array(1)?);
    let index = call.indices(2..call.op.operands.len())?;
    let index = call.all_in_range(&index, dest.shape())?;
    let mut bits = call.begin(dest.shape())?;
    bits.extend(dest.bits());
    bits[shape::ravel(&index, dest.shape())] = value.bits();
    call.finish(dest.element(), dest.shape(), bits)
}

/// A rectangular part of an array.
pub(crate) struct Slice {
    pub(crate) offsets: Vec<i64>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) strides: Vec<i64>,
}

impl Slice {
    /// Reads the groups of offsets, sizes and strides, of which `group` is the
    /// first, and checks that they lie inside an array.
    pub(crate) fn read(call: &Call, group: usize, shape: &[usize]) -> Result<Slice, Failure> {
        let sizes = call.mixed("static_sizes", call.group(group + 1))?;
        let mut slice = Slice {
            offsets: call.mixed("static_offsets", call.group(group))?,
            sizes: vec![],
            strides: call.mixed("static_strides", call.group(group + 2))?,
        };
        for (dimension, &bound) in shape.iter().enumerate() {
            let dimension_sizes =
                call.sizes(&sizes[dimension..=dimension], &format!("size {dimension}"))?;
            slice.sizes.extend(dimension_sizes);
            let (size, stride) = (slice.sizes[dimension], slice.strides[dimension]);
            let is_inside = |i| (0..bound as i128).contains(&slice.point(dimension, i));
            if size > 0 && !(is_inside(0) && is_inside(size - 1)) {
                return Err(call.error(&format!(
                    "the slice with offset {}, size {size} and stride {stride} leaves \
                     dimension {dimension} of size {bound}",
                    slice.offsets[dimension]
                )));
            }
        }
        Ok(slice)
    }

    fn point(&self, dimension: usize, i: usize) -> i128 {
        i128::from(self.offsets[dimension]) + i as i128 * i128::from(self.strides[dimension])
    }

    /// Where in the array an index of the slice is.
    fn source(&self, index: &[usize]) -> Vec<usize> {
        index
            .iter()
            .enumerate()
            .map(|(dimension, &i)| self.point(dimension, i) as usize)
            .collect()
    }
}

fn extract_slice(call: &mut Call) -> Result<Value, Failure> {
    let source = call.array(0)?;
    let slice = Slice::read(call, 1, source.shape())?;
    let part = call.build(source.element(), &slice.sizes, |index| {
        source.bits_at(&slice.source(index))
    })?;
    let shape = reduced_shape(call, &slice.sizes)?;
    match part {
        Value::Array(part) => Ok(Value::Array(part.reshaped(shape))),
        scalar => Ok(scalar),
    }
}

/// The sizes without those that the result's type leaves out.
fn reduced_shape(call: &Call, sizes: &[usize]) -> Result<Vec<usize>, Failure> {
    let kept = kept(call, result_type(call)?.0)?;
    Ok(kept.iter().map(|&dimension| sizes[dimension]).collect())
}

/// Inserts the op's source into an array: `tensor.insert_slice` and
/// `tensor.parallel_insert_slice`.
pub(crate) fn insert_slice_into(call: &mut Call, dest: Array) -> Result<Value, Failure> {
    let source = call.array(0)?;
    same_shape_as_slice(call, source.shape())?;
    let slice = Slice::read(call, 2, dest.shape())?;
    let mut bits = call.begin(dest.shape())?;
    bits.extend(dest.bits());
    for (index, &new) in shape::indices(&slice.sizes).zip(source.bits()) {
        bits[shape::ravel(&slice.source(&index), dest.shape())] = new;
    }
    call.finish(dest.element(), dest.shape(), bits)
}

/// Which sizes of a slice an array of a type has: those that are operands are dynamic there, and some
/// of those that are written as 1 may be missing.
pub(crate) fn kept(call: &Call, ty: &Type) -> Result<Vec<usize>, Failure> {
    let wanted = ty.sizes();
    let mut kept = vec![];
    for (dimension, &size) in call.op.integers("static_sizes").iter().enumerate() {
        let size = usize::try_from(size).ok();
        if wanted.get(kept.len()) == Some(&size) {
            kept.push(dimension);
        } else if size != Some(1) {
            return Err(call.bug("has a slice that is not of its array's type"));
        }
    }
    Ok(kept)
}

/// That what is inserted has the sizes of the slice.
fn same_shape_as_slice(call: &Call, source: &[usize]) -> Result<(), Failure> {
    let all = call.mixed("static_sizes", call.group(3))?;
    let kept = kept(call, &call.op.operands[0].ty)?;
    let sizes: Vec<i64> = kept.iter().map(|&dimension| all[dimension]).collect();
    if sizes
        .iter()
        .copied()
        .eq(source.iter().map(|&size| size as i64))
    {
        return Ok(());
    }
    Err(call.error(&format!(
        "inserts an array of shape {source:?} as a slice of shape {sizes:?}"
    )))
}

/// The op's operand in a shape of as many elements.
fn in_shape(call: &Call, shape: Vec<usize>) -> Result<Value, Failure> {
    let source = call.array(0)?;
    if shape::count(source.shape()) != shape::count(&shape) {
        return Err(call.error(&format!(
            "shapes {:?} and {shape:?} have different numbers of elements",
            source.shape()
        )));
    }
    call.countable(&shape)?;
    Ok(Value::Array(source.reshaped(shape)))
}

fn reshape(call: &mut Call) -> Result<Value, Failure> {
    let sizes: Vec<i64> = call
        .array(1)?
        .scalars()
        .map(|size| size.signed() as i64)
        .collect();
    let shape = call.sizes(&sizes, "size {}")?;
    has_claimed_sizes(call.op, result_type(call)?.0, &shape, "")?;
    in_shape(call, shape)
}

/// The groups of dimensions that are collapsed into one, or expanded from one.
pub(crate) fn reassociation(call: &Call) -> Result<Vec<Vec<usize>>, Failure> {
    let groups = || {
        let Some(Attribute::Array(groups)) = call.op.attributes.get("reassociation") else {
            return None;
        };
        groups
            .iter()
            .map(|group| match group {
                Attribute::Array(dimensions) => dimensions
                    .iter()
                    .map(|dimension| match dimension {
                        Attribute::Integer(dimension) => usize::try_from(*dimension).ok(),
                        _ => None,
                    })
                    .collect(),
                _ => None,
            })
            .collect()
    };
    groups().ok_or_else(|| call.bug("has no reassociation"))
}

fn collapse_shape(call: &mut Call) -> Result<Value, Failure> {
    let source = call.array(0)?;
    let shape = reassociation(call)?
        .into_iter()
        .map(|group| {
            group
                .into_iter()
                .map(|dimension| source.shape()[dimension])
                .product()
        })
        .collect();
    in_shape(call, shape)
}

fn expand_shape(call: &mut Call) -> Result<Value, Failure> {
    let source = call.array(0)?;
    let sizes = call.mixed("static_output_shape", 1..call.op.operands.len())?;
    let shape = call.sizes(&sizes, "size {}")?;
    for (dimension, group) in reassociation(call)?.into_iter().enumerate() {
        let sizes: Vec<usize> = group.into_iter().map(|part| shape[part]).collect();
        if shape::count(&sizes) != source.shape()[dimension] as u128 {
            return Err(call.error(&format!(
                "dimension {dimension} of size {} is not expanded to {sizes:?}",
                source.shape()[dimension]
            )));
        }
    }
    in_shape(call, shape)
}

fn concat(call: &mut Call) -> Result<Value, Failure> {
    let inputs = call.arrays(0..call.op.operands.len())?;
    let dim = call.op.integer("dim").unwrap_or(-1) as usize;
    let mut shape = inputs[0].shape().to_vec();
    shape[dim] = 0;
    for (other, input) in inputs.iter().enumerate() {
        let mut rest = input.shape().to_vec();
        shape[dim] += std::mem::take(&mut rest[dim]);
        let agrees = (0..shape.len()).all(|axis| axis == dim || rest[axis] == shape[axis]);
        if !agrees {
            return Err(call.error(&format!(
                "operands 0 and {other}, apart from dimension {dim}, have different shapes: \
                 {:?} and {:?}",
                inputs[0].shape(),
                input.shape()
            )));
        }
    }
    has_claimed_sizes(call.op, result_type(call)?.0, &shape, "")?;
    call.build(inputs[0].element(), &shape, |index| {
        let mut index = index.to_vec();
        let mut input = 0;
        while index[dim] >= inputs[input].shape()[dim] {
            index[dim] -= inputs[input].shape()[dim];
            input += 1;
        }
        inputs[input].bits_at(&index)
    })
}

/// No dimension is longer, so that no array has too many elements.
const LONGEST: i128 = 1 << 59;

fn pad(call: &mut Call) -> Result<Value, Failure> {
    let source = call.array(0)?;
    let low = call.mixed("static_low", call.group(1))?;
    let high = call.mixed("static_high", call.group(2))?;
    let mut shape = vec![];
    for (dimension, &size) in source.shape().iter().enumerate() {
        let (low, high) = (low[dimension], high[dimension]);
        let length = size as i128 + i128::from(low) + i128::from(high);
        if !(0..=LONGEST).contains(&length) {
            return Err(call.error(&format!(
                "dimension {dimension} of size {size} cannot be padded by {low} and {high}"
            )));
        }
        shape.push(length as usize);
    }
    has_claimed_sizes(call.op, result_type(call)?.0, &shape, "")?;
    let mut bits = call.begin(&shape)?;
    for index in shape::indices(&shape) {
        let inside: Option<Vec<usize>> = index
            .iter()
            .zip(&low)
            .zip(source.shape())
            .map(|((&i, &low), &size)| {
                usize::try_from(i as i128 - i128::from(low))
                    .ok()
                    .filter(|&i| i < size)
            })
            .collect();
        bits.push(match inside {
            Some(inside) => source.bits_at(&inside),
            None => run_at(call, &index)?,
        });
    }
    call.finish(source.element(), &shape, bits)
}
