//! The `nest` dialect in value form: loops over scalars, in the order of their index. What a
//! `nest.local` holds is not defined; here it is zero.

use crate::call::Call;
use crate::element::Element;
use crate::failure::Failure;
use crate::shape;
use crate::structured::count;
use crate::value::{Array, Scalar, Value};

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
    let element = call.op.results[0].ty.element();
    let element = element.ok_or_else(|| call.unsupported("a local array in memory"))?;
    Ok(vec![call.build(element, &shape, |_| 0)?])
}

/// Where an index is in an array. That it is in range has been promised.
fn place(call: &Call, array: &Array, index: &[i64]) -> Result<usize, Failure> {
    let mut components = vec![];
    for (dimension, (&component, &size)) in index.iter().zip(array.shape()).enumerate() {
        let inside = usize::try_from(component)
            .ok()
            .filter(|&inside| inside < size);
        components.push(inside.ok_or_else(|| {
            call.undefined(&format!(
                "index {component} is out of range [0, {size}) in dimension {dimension}"
            ))
        })?);
    }
    Ok(shape::ravel(&components, array.shape()))
}

fn read(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let array = call.array(0)?;
    let index = call.indices(1..call.op.operands.len())?;
    let place = place(call, &array, &index)?;
    Ok(vec![Value::Scalar(array.element_at(place))])
}

fn write(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let value = call.scalar(0)?;
    let index = call.indices(2..call.op.operands.len())?;
    let mut array = call.take_array(1)?;
    let place = place(call, &array, &index)?;
    array.set(place, value);
    Ok(vec![Value::Array(array)])
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
    let mut dests = vec![];
    for operand in call.group(1) {
        dests.push(call.take_array(operand)?);
    }
    let place = match dests.first() {
        Some(dest) => place(call, dest, &index)?,
        None => return Err(call.bug("scatters nothing")),
    };
    if !call.op.regions[0].blocks.is_empty() {
        let old = dests
            .iter()
            .map(|dest| Value::Scalar(dest.element_at(place)));
        values = call.run(0, old.chain(values).collect())?;
    }
    for (dest, value) in dests.iter_mut().zip(values) {
        match value {
            Value::Scalar(value) => dest.set(place, value),
            Value::Array(_) => return Err(call.bug("scatters an array")),
        }
    }
    Ok(dests.into_iter().map(Value::Array).collect())
}
