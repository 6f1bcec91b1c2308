//! The `memref` dialect, and what stands between it and tensors. That indices are in range, and that
//! nothing is read that was never written or was freed, is what programs promise here.

use crate::arith;
use crate::call::{Call, has_claimed_sizes};
use crate::failure::Failure;
use crate::integer;
use crate::memory::Memory;
use crate::program::Attribute;
use crate::races::Kind;
use crate::shape;
use crate::tensor::{Slice, kept, reassociation, result_shape, result_type};
use crate::value::{Scalar, Value};

/// Executes an op of the `memref` dialect, or of `bufferization`.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let memory = match call.op.name.as_str() {
        "memref.alloc" | "memref.alloca" => allocate(call)?,
        "memref.cast" => cast(call)?,
        "memref.collapse_shape" => collapse_shape(call)?,
        "memref.expand_shape" => expand_shape(call)?,
        "memref.get_global" => global(call)?,
        "memref.reinterpret_cast" => reinterpret_cast(call)?,
        "memref.reshape" => reshape(call)?,
        "memref.subview" => subview(call)?,
        "bufferization.clone" => clone(call)?,
        "bufferization.to_buffer" => Memory::holding(&call.array(0)?),
        _ => return access(call),
    };
    Ok(vec![Value::Memory(memory)])
}

/// Executes an op that gives no memory.
fn access(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "memref.copy" => copy(call),
        "memref.dealloc" => {
            let freed = call.memory(0)?.free();
            freed.map(|()| vec![]).map_err(|fault| call.fault(fault))
        }
        "memref.load" => {
            let index = call.indices(1..call.op.operands.len())?;
            let loaded = load(call, &call.memory(0)?, &index)?;
            Ok(vec![Value::Scalar(loaded)])
        }
        "memref.store" => {
            let index = call.indices(2..call.op.operands.len())?;
            store(call, call.scalar(0)?, &call.memory(1)?, &index)?;
            Ok(vec![])
        }
        "memref.extract_aligned_pointer_as_index" => {
            let number = call.memory(0)?.number();
            Ok(vec![Value::Scalar(Scalar::index(number as i64))])
        }
        "memref.extract_strided_metadata" => {
            let memory = call.memory(0)?;
            let base = memory.view(vec![], 0, vec![]);
            let sizes = memory.shape().iter().map(|&size| size as i64);
            let numbers = [memory.offset()].into_iter().chain(sizes);
            let numbers = numbers.chain(memory.strides().iter().copied());
            let numbers = numbers.map(|number| Value::Scalar(Scalar::index(number)));
            Ok([Value::Memory(base)].into_iter().chain(numbers).collect())
        }
        "memref.atomic_rmw" => atomic(call, combined),
        "memref.generic_atomic_rmw" => atomic(call, |call, current| {
            match call.run(0, vec![Value::Scalar(current)])?.as_slice() {
                [Value::Scalar(combined)] => Ok(*combined),
                _ => Err(call.bug("yields no scalar")),
            }
        }),
        "bufferization.to_tensor" => {
            let memory = call.memory(0)?;
            call.machine.allocate(&call.op.location, memory.shape())?;
            let array = memory.array().map_err(|fault| call.fault(fault))?;
            Ok(vec![Value::Array(array)])
        }
        _ => Err(call.unknown_op()),
    }
}

/// The element at an index that is promised to be in range.
pub(crate) fn load(call: &Call, memory: &Memory, index: &[i64]) -> Result<Scalar, Failure> {
    let index = call.promised_index(index, memory.shape())?;
    note(call, memory, &index, Kind::Read)?;
    memory.load(&index).map_err(|fault| call.fault(fault))
}

/// Replaces the element at an index that is promised to be in range.
pub(crate) fn store(
    call: &Call,
    value: Scalar,
    memory: &Memory,
    index: &[i64],
) -> Result<(), Failure> {
    let index = call.promised_index(index, memory.shape())?;
    note(call, memory, &index, Kind::Write)?;
    let stored = memory.store(&index, value);
    stored.map_err(|fault| call.fault(fault))
}

/// Changes an element; gives what it was, or what it is now if a region says that.
fn atomic(
    call: &mut Call,
    change: impl FnOnce(&mut Call, Scalar) -> Result<Scalar, Failure>,
) -> Result<Vec<Value>, Failure> {
    let first = usize::from(call.op.regions.is_empty());
    let memory = call.memory(first)?;
    let index = call.indices(first + 1..call.op.operands.len())?;
    let index = call.promised_index(&index, memory.shape())?;
    note(call, &memory, &index, Kind::Atomic)?;
    let before = memory.load(&index).map_err(|fault| call.fault(fault))?;
    let after = change(call, before)?;
    let stored = memory.store(&index, after);
    stored.map_err(|fault| call.fault(fault))?;
    let given = if first == 1 { before } else { after };
    Ok(vec![Value::Scalar(given)])
}

/// What `memref.atomic_rmw` makes of an element.
fn combined(call: &mut Call, current: Scalar) -> Result<Scalar, Failure> {
    let sides = [current, call.scalar(0)?];
    Ok(match call.op.integer("kind") {
        Some(1) => integer::signed(&sides, i128::wrapping_add),
        Some(2) => integer::unsigned(&sides, |one, other| one & other),
        Some(3) => sides[1],
        Some(4) => arith::maximum(&sides),
        Some(6) => integer::signed(&sides, i128::max),
        Some(7) => integer::unsigned(&sides, u128::max),
        Some(8) => arith::minimum(&sides),
        Some(10) => integer::signed(&sides, i128::min),
        Some(11) => integer::unsigned(&sides, u128::min),
        Some(14) => integer::unsigned(&sides, |one, other| one | other),
        Some(15) => integer::unsigned(&sides, |one, other| one ^ other),
        _ => return Err(call.unsupported("this kind of 'memref.atomic_rmw' op")),
    })
}

/// Notes an access of a thread of a kernel, which must not race with others.
fn note(call: &Call, memory: &Memory, index: &[usize], kind: Kind) -> Result<(), Failure> {
    let Some(thread) = &call.machine.thread else {
        return Ok(());
    };
    match thread.note(memory, index, kind) {
        None => Ok(()),
        Some((block, thread)) => Err(call.undefined(&format!(
            "accesses an element that thread {thread} of block {block} accesses, and does not wait"
        ))),
    }
}

fn allocate(call: &mut Call) -> Result<Memory, Failure> {
    let shape = result_shape(call, 0)?;
    let element = result_type(call)?.1;
    call.new_memory(element, &shape)
}

fn clone(call: &mut Call) -> Result<Memory, Failure> {
    let source = call.memory(0)?;
    let made = call.new_memory(source.element(), source.shape())?;
    let copied = made.copy_from(&source);
    copied.map(|()| made).map_err(|fault| call.fault(fault))
}

fn copy(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (source, dest) = (call.memory(0)?, call.memory(1)?);
    if source.shape() != dest.shape() {
        return Err(call.undefined(&format!(
            "copies memory of shape {:?} to memory of shape {:?}",
            source.shape(),
            dest.shape()
        )));
    }
    call.machine.allocate(&call.op.location, source.shape())?;
    let copied = dest.copy_from(&source);
    copied.map(|()| vec![]).map_err(|fault| call.fault(fault))
}

fn cast(call: &mut Call) -> Result<Memory, Failure> {
    let source = call.memory(0)?;
    has_claimed_sizes(call.op, result_type(call)?.0, source.shape(), "")?;
    Ok(source)
}

fn subview(call: &mut Call) -> Result<Memory, Failure> {
    let source = call.memory(0)?;
    let slice = Slice::read(call, 1, source.shape())?;
    let strides = source.strides();
    let steps = slice.offsets.iter().zip(strides);
    let offset = steps.fold(source.offset(), |offset, (&start, &stride)| {
        offset.wrapping_add(start.wrapping_mul(stride))
    });
    let kept = kept(call, result_type(call)?.0)?;
    let of_kept = |of: &dyn Fn(usize) -> i64| kept.iter().map(|&kept| of(kept)).collect();
    let strides = of_kept(&|kept| strides[kept].wrapping_mul(slice.strides[kept]));
    let shape = kept.iter().map(|&kept| slice.sizes[kept]).collect();
    Ok(source.view(shape, offset, strides))
}

fn collapse_shape(call: &mut Call) -> Result<Memory, Failure> {
    let source = call.memory(0)?;
    let (mut shape, mut strides) = (vec![], vec![]);
    for group in reassociation(call)? {
        let stride = source.stride_of(&group);
        strides.push(stride.map_err(|fault| call.fault(fault))?);
        shape.push(group.iter().map(|&part| source.shape()[part]).product());
    }
    Ok(source.view(shape, source.offset(), strides))
}

fn expand_shape(call: &mut Call) -> Result<Memory, Failure> {
    let source = call.memory(0)?;
    let sizes = call.mixed("static_output_shape", 1..call.op.operands.len())?;
    let shape = call.sizes(&sizes, "size {}")?;
    let mut strides = vec![1; shape.len()];
    for (dimension, group) in reassociation(call)?.into_iter().enumerate() {
        let sizes: Vec<usize> = group.iter().map(|&part| shape[part]).collect();
        if shape::count(&sizes) != source.shape()[dimension] as u128 {
            return Err(call.undefined(&format!(
                "dimension {dimension} of size {} is not expanded to {sizes:?}",
                source.shape()[dimension]
            )));
        }
        for (&part, own) in group.iter().zip(crate::memory::row_major(&sizes)) {
            strides[part] = own.wrapping_mul(source.strides()[dimension]);
        }
    }
    Ok(source.view(shape, source.offset(), strides))
}

fn reshape(call: &mut Call) -> Result<Memory, Failure> {
    let (source, sizes) = (call.memory(0)?, call.memory(1)?);
    let sizes = sizes.array().map_err(|fault| call.fault(fault))?;
    let sizes: Vec<i64> = sizes.scalars().map(|size| size.signed() as i64).collect();
    let shape = call.sizes(&sizes, "size {}")?;
    has_claimed_sizes(call.op, result_type(call)?.0, &shape, "")?;
    if shape::count(source.shape()) != shape::count(&shape) {
        return Err(call.undefined(&format!(
            "shapes {:?} and {shape:?} have different numbers of elements",
            source.shape()
        )));
    }
    let reshaped = source.reshaped(shape);
    reshaped.map_err(|fault| call.fault(fault))
}

fn reinterpret_cast(call: &mut Call) -> Result<Memory, Failure> {
    let source = call.memory(0)?;
    let offsets = call.mixed("static_offsets", call.group(1))?;
    let sizes = call.mixed("static_sizes", call.group(2))?;
    let strides = call.mixed("static_strides", call.group(3))?;
    let shape = call.sizes(&sizes, "size {}")?;
    let offset = offsets.first().copied().unwrap_or(0);
    Ok(source.view(shape, offset, strides))
}

fn global(call: &mut Call) -> Result<Memory, Failure> {
    let Some(Attribute::Symbol(name)) = call.op.attributes.get("name") else {
        return Err(call.bug("has no name"));
    };
    let memory = call.machine.global(name);
    memory.ok_or_else(|| call.bug(&format!("names @{name}, which does not exist")))
}
