//! The `nest` dialect in both forms: loops over scalars, in the order of their index. What a
//! `nest.local` holds is not defined; in value form it is zero here, and memory knows that it was
//! never written.

use crate::call::Call;
use crate::element::{Element, Type};
use crate::failure::Failure;
use crate::memref;
use crate::shape;
use crate::structured::count;
use crate::tensor::result_type;
use crate::value::{Scalar, Value};

/// Executes an op of the `nest` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "nest.kernel" => {
            let given = call.take_all(0..call.op.operands.len())?;
            call.run(0, given)
        }
        "nest.loop" => {
            let length = call.index(0)?.into();
            let carried = call.take_all(1..call.op.operands.len())?;
            count(call, Element::Index, [0, length, 1], carried)
        }
        "nest.keep" => keep(call),
        "nest.local" => local(call),
        "nest.read" => read(call),
        "nest.write" => write(call),
        "nest.fold" => {
            let operands = [call.values(call.group(1))?, call.values(call.group(0))?];
            call.run(0, operands.concat())
        }
        "nest.scan" => scan(call),
        "nest.scatter" => scatter(call),
        _ => Err(call.unknown_op()),
    }
}

fn keep(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let holds = call.scalar(0)?.is_true();
    let position = call.index(1)?;
    let carried = call.take_all(2..call.op.operands.len())?;
    let count = |position: i64| Value::Scalar(Scalar::index(position));
    if !holds {
        return Ok([vec![count(position)], carried].concat());
    }
    let mut results = call.run(0, [vec![count(position)], carried].concat())?;
    results.insert(0, count(position.wrapping_add(1)));
    Ok(results)
}

fn local(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let sizes = call.mixed("static_sizes", 0..call.op.operands.len())?;
    let shape = call.sizes(&sizes, "size {}")?;
    let (ty, element) = result_type(call)?;
    let made = match ty {
        Type::Memory { .. } => Value::Memory(call.new_memory(element, &shape)?),
        _ => call.build(element, &shape, |_| 0)?,
    };
    Ok(vec![made])
}

/// The element of an array at an index that is promised to be in range.
fn element(call: &Call, array: &Value, index: &[i64]) -> Result<Scalar, Failure> {
    match array {
        Value::Array(array) => {
            let index = call.promised_index(index, array.shape())?;
            Ok(array.element_at(shape::ravel(&index, array.shape())))
        }
        Value::Memory(memory) => memref::load(call, memory, index),
        Value::Scalar(_) => Err(call.bug("reads a scalar")),
    }
}

/// Replaces an element; gives what has become of the array, if it is not in memory.
fn replace(
    call: &Call,
    array: Value,
    index: &[i64],
    value: Scalar,
) -> Result<Option<Value>, Failure> {
    match array {
        Value::Array(mut array) => {
            let index = call.promised_index(index, array.shape())?;
            array.set(shape::ravel(&index, array.shape()), value);
            Ok(Some(Value::Array(array)))
        }
        Value::Memory(memory) => memref::store(call, value, &memory, index).map(|()| None),
        Value::Scalar(_) => Err(call.bug("writes into a scalar")),
    }
}

fn read(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let index = call.indices(1..call.op.operands.len())?;
    let read = element(call, &call.value(0)?, &index)?;
    Ok(vec![Value::Scalar(read)])
}

fn write(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let value = call.scalar(0)?;
    let index = call.indices(2..call.op.operands.len())?;
    let array = call.take(1)?;
    Ok(replace(call, array, &index, value)?.into_iter().collect())
}

fn scan(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let [values, accumulators] = [call.values(call.group(0))?, call.values(call.group(1))?];
    let arguments = match call.op.flag("right") {
        true => [values, accumulators.clone()].concat(),
        false => [accumulators.clone(), values].concat(),
    };
    let combined = call.run(0, arguments)?;
    let prefixes = match call.op.flag("exclusive") {
        true => accumulators,
        false => combined.clone(),
    };
    Ok([prefixes, combined].concat())
}

fn scatter(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let mut values = call.values(call.group(0))?;
    let index = call.indices(call.group(2))?;
    let dests = call.take_all(call.group(1))?;
    if !call.op.regions[0].blocks.is_empty() {
        let mut arguments = vec![];
        for dest in &dests {
            arguments.push(Value::Scalar(element(call, dest, &index)?));
        }
        values = call.run(0, [arguments, values].concat())?;
    }
    let mut written = vec![];
    for (dest, value) in dests.into_iter().zip(values) {
        match value {
            Value::Scalar(value) => written.extend(replace(call, dest, &index, value)?),
            _ => return Err(call.bug("scatters an array")),
        }
    }
    Ok(written)
}
