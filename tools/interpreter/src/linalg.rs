//! The ops of the `linalg` dialect, on tensors and on memory: each is a loop nest that its indexing maps and its
//! region say, whether these are written or implied by its name. Iterations are in row-major order.

use std::ops::Range;

use crate::affine::{AffineExpression, AffineMap, AffineOperator};
use crate::call::Call;
use crate::failure::Failure;
use crate::program::Attribute;
use crate::shape;
use crate::value::{Scalar, Value};

/// Executes an op of the `linalg` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "linalg.fill" => fill(call),
        "linalg.index" => index(call),
        _ if call.op.flag("indexing_maps") => structured(call),
        _ => Err(call.unknown_op()),
    }
}

/// An operand as it is read in each iteration, by the components of the
/// iteration that index it.
struct Access {
    value: Value,
    map: AffineMap,
}

fn structured(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let Some(Attribute::Array(maps)) = call.op.attributes.get("indexing_maps") else {
        return Err(call.bug("has no indexing maps"));
    };
    let maps: Vec<AffineMap> = maps
        .iter()
        .filter_map(|map| match map {
            Attribute::Map(map) => Some(map.clone()),
            _ => None,
        })
        .collect();
    let mut values = vec![];
    for operand in 0..call.op.operands.len() {
        values.push(read(call, operand)?);
    }
    let accesses: Vec<Access> = values
        .into_iter()
        .zip(maps)
        .map(|(value, map)| Access { value, map })
        .collect();
    let outputs = outputs(call);
    let written = loop_nest(call, accesses, outputs.len())?;
    write(call, outputs, written)
}

/// An operand; of memory, the elements that are in it before the op.
fn read(call: &Call, operand: usize) -> Result<Value, Failure> {
    match call.value(operand)? {
        Value::Memory(memory) => memory.array().map(Value::Array),
        value => Ok(value),
    }
    .map_err(|fault| call.fault(fault))
}

/// The operands that are written. What is read comes first, also where the op's definition knows no
/// groups.
fn outputs(call: &Call) -> Range<usize> {
    let operands = call.op.operands.len();
    let outputs = match call.op.name.as_str() {
        _ if call.op.flag("operandSegmentSizes") => call.group(1).len(),
        "linalg.reduce" => operands / 2,
        _ => 1,
    };
    operands - outputs..operands
}

/// Puts what was computed where it belongs; gives what belongs into no memory.
fn write(call: &Call, outputs: Range<usize>, written: Vec<Value>) -> Result<Vec<Value>, Failure> {
    let mut results = vec![];
    for (operand, value) in outputs.zip(written) {
        match call.value(operand)? {
            Value::Memory(memory) => {
                let elements = value.bits().into_iter().map(Some).collect();
                let stored = memory.replace(elements);
                stored.map_err(|fault| call.fault(fault))?;
            }
            _ => results.push(value),
        }
    }
    Ok(results)
}

/// Runs the op's region for every iteration; the last `outputs` accesses are
/// read and written.
fn loop_nest(
    call: &mut Call,
    accesses: Vec<Access>,
    outputs: usize,
) -> Result<Vec<Value>, Failure> {
    let domain = domain(call, &accesses)?;
    let first_output = accesses.len() - outputs;
    let mut written: Vec<Vec<u64>> = accesses[first_output..]
        .iter()
        .map(|access| access.value.bits())
        .collect();
    let iteration_count = call.machine.allocate(&call.op.location, &domain)?;
    for position in 0..iteration_count {
        let iteration = shape::unravel(position, &domain);
        let mut arguments = vec![];
        let mut targets = vec![];
        for (operand, access) in accesses.iter().enumerate() {
            let target = locate(call, access, operand, &iteration)?;
            let bits = match operand.checked_sub(first_output) {
                Some(output) => written[output][target].into(),
                None => access.value.bits_at(target),
            };
            targets.push(target);
            arguments.push(Value::Scalar(Scalar::from_bits(
                access.value.element(),
                bits,
            )));
        }
        // The region of an op that does not read its output takes no output.
        arguments.truncate(call.op.regions[0].blocks[0].arguments.len());
        call.machine.iterations.push(iteration);
        let yielded = call.run(0, arguments);
        call.machine.iterations.pop();
        for (output, value) in yielded?.iter().enumerate() {
            written[output][targets[first_output + output]] = value.bits()[0];
        }
    }
    accesses[first_output..]
        .iter()
        .zip(written)
        .map(|(access, bits)| call.finish(access.value.element(), access.value.shape(), bits))
        .collect()
}

/// How often each loop runs: the first operand with a dimension that the loop alone indexes says it.
/// The other operands fit, or it is an error, in the words of compiled code.
fn domain(call: &Call, accesses: &[Access]) -> Result<Vec<usize>, Failure> {
    let loops = loops(accesses)
        .ok_or_else(|| call.unsupported("an iteration space that no operand's shape gives"))?;
    for (operand, access) in accesses.iter().enumerate() {
        for (axis, expression) in access.map.expressions.iter().enumerate() {
            if let AffineExpression::Dimension(dimension) = expression {
                let (first, place) = loops[*dimension];
                let (left, right) = (accesses[first].value.shape(), access.value.shape());
                if left[place] != right[axis] {
                    return Err(call.error(&format!(
                        "operands {first} and {operand} have shapes {left:?} and {right:?}, \
                         which do not fit"
                    )));
                }
            }
        }
    }
    let domain: Vec<usize> = loops
        .iter()
        .map(|&(operand, axis)| accesses[operand].value.shape()[axis])
        .collect();
    if !domain.contains(&0) {
        for (operand, access) in accesses.iter().enumerate() {
            has_room(call, operand, access, &domain)?;
        }
    }
    Ok(domain)
}

/// The operand and the dimension that say how often each loop runs.
fn loops(accesses: &[Access]) -> Option<Vec<(usize, usize)>> {
    let mut loops = vec![None; accesses.first()?.map.dimensions];
    for (operand, access) in accesses.iter().enumerate() {
        for (axis, expression) in access.map.expressions.iter().enumerate() {
            if let AffineExpression::Dimension(dimension) = expression {
                loops[*dimension].get_or_insert((operand, axis));
            }
        }
    }
    loops.into_iter().collect()
}

/// That an operand has room for what the loops index: the bounds of each index are computed part by
/// part.
fn has_room(call: &Call, operand: usize, access: &Access, domain: &[usize]) -> Result<(), Failure> {
    let shape = access.value.shape();
    for (axis, expression) in access.map.expressions.iter().enumerate() {
        let (least, greatest) = bounds(expression, domain).ok_or_else(|| {
            call.error("has an index that is divided by what is no positive constant")
        })?;
        if least < 0 || greatest >= shape[axis] as i128 {
            return Err(call.error(&format!(
                "operand {operand} has shape {shape:?}, but dimension {axis} is read and written \
                 outside by loops over {domain:?}"
            )));
        }
    }
    Ok(())
}

/// Between which values an index lies; nothing if it is divided by what is no positive constant.
fn bounds(expression: &AffineExpression, domain: &[usize]) -> Option<(i128, i128)> {
    let (operator, sides) = match expression {
        AffineExpression::Dimension(dimension) => return Some((0, domain[*dimension] as i128 - 1)),
        AffineExpression::Constant(value) => return Some((i128::from(*value), i128::from(*value))),
        AffineExpression::Symbol(_) => return None,
        AffineExpression::Binary(operator, sides) => (operator, sides),
    };
    let (left, right) = (bounds(&sides.0, domain)?, bounds(&sides.1, domain)?);
    let (least, greatest) = match operator {
        AffineOperator::Add => (left.0 + right.0, left.1 + right.1),
        AffineOperator::Multiply => {
            let (one, other) = (left.0 * right.0, left.1 * right.1);
            (one.min(other), one.max(other))
        }
        _ if right.0 <= 0 => return None,
        AffineOperator::Modulo if left.0 < 0 => (0, right.0 - 1),
        AffineOperator::Modulo => (0, left.1.min(right.0 - 1)),
        AffineOperator::FloorDivide => (left.0.div_euclid(right.0), left.1.div_euclid(right.0)),
        AffineOperator::CeilDivide => (
            -(-left.0).div_euclid(right.0),
            -(-left.1).div_euclid(right.0),
        ),
    };
    let clamped = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into());
    Some((clamped(least), clamped(greatest)))
}

/// The row-major position of the element of an operand in an iteration.
fn locate(
    call: &Call,
    access: &Access,
    operand: usize,
    iteration: &[usize],
) -> Result<usize, Failure> {
    let Value::Array(array) = &access.value else {
        return Ok(0);
    };
    let iteration: Vec<i64> = iteration.iter().map(|&i| i as i64).collect();
    let index = access
        .map
        .apply(&iteration, &[])
        .ok_or_else(|| call.bug("has a map that divides by zero"))?;
    let inside: Option<Vec<usize>> = index
        .iter()
        .zip(array.shape())
        .map(|(&i, &size)| usize::try_from(i).ok().filter(|&i| i < size))
        .collect();
    match inside {
        Some(inside) => Ok(shape::ravel(&inside, array.shape())),
        None => Err(call.undefined(&format!(
            "reads operand {operand} of shape {:?} at {index:?}",
            array.shape()
        ))),
    }
}

fn index(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let dim = call.op.integer("dim").unwrap_or(-1);
    usize::try_from(dim)
        .ok()
        .and_then(|dim| call.machine.iterations.last()?.get(dim))
        .map(|&i| vec![Value::Scalar(Scalar::index(i as i64))])
        .ok_or_else(|| call.bug("stands in no loop nest with such a dimension"))
}

fn fill(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (value, dest) = (call.scalar(0)?, call.value(1)?);
    let filled = call.build(dest.element(), dest.shape(), |_| value.bits())?;
    write(call, 1..2, vec![filled])
}
