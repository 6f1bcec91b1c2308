//! The ops of the `linalg` dialect on tensors: each is a loop nest that its indexing maps and its
//! region say, whether these are written or implied by its name. Iterations are in row-major order.

use crate::affine::{AffineExpression, AffineMap};
use crate::call::Call;
use crate::failure::Failure;
use crate::program::Attribute;
use crate::shape;
use crate::value::{Array, Scalar, Value};

/// Executes an op of the `linalg` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "linalg.broadcast" => broadcast(call),
        "linalg.fill" => fill(call),
        "linalg.index" => index(call),
        "linalg.map" => map(call),
        "linalg.reduce" => reduce(call),
        "linalg.transpose" => transpose(call),
        _ if call.op.flag("indexing_maps") => generic(call),
        _ => Err(call.unknown_op()),
    }
}

/// An operand as it is read in each iteration, by the components of the
/// iteration that index it.
struct Access {
    value: Value,
    map: AffineMap,
}

/// The identity on some of the dimensions of an iteration.
fn projection(dimensions: usize, kept: &[usize]) -> AffineMap {
    AffineMap {
        dimensions,
        expressions: kept
            .iter()
            .map(|&dimension| AffineExpression::Dimension(dimension))
            .collect(),
    }
}

fn generic(call: &mut Call) -> Result<Vec<Value>, Failure> {
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
    let values = call.values(0..call.op.operands.len())?;
    let accesses: Vec<Access> = values
        .into_iter()
        .zip(maps)
        .map(|(value, map)| Access { value, map })
        .collect();
    let outputs = call.group(1).len();
    loop_nest(call, accesses, outputs)
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
                Some(output) => written[output][target],
                None => access.value.bits_of(target),
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

impl Value {
    fn bits_of(&self, position: usize) -> u64 {
        match self {
            Value::Scalar(scalar) => scalar.bits(),
            Value::Array(array) => array.bits()[position],
        }
    }
}

/// The size of each dimension of the iteration, which the first operand that
/// is indexed by that dimension alone gives, and others must agree with.
fn domain(call: &Call, accesses: &[Access]) -> Result<Vec<usize>, Failure> {
    let dimensions = accesses.first().map_or(0, |access| access.map.dimensions);
    let mut domain: Vec<Option<usize>> = vec![None; dimensions];
    for (operand, access) in accesses.iter().enumerate() {
        for (axis, expression) in access.map.expressions.iter().enumerate() {
            let (AffineExpression::Dimension(dimension), Value::Array(array)) =
                (expression, &access.value)
            else {
                continue;
            };
            let size = array.shape()[axis];
            let expected = *domain[*dimension].get_or_insert(size);
            if size != expected {
                return Err(call.error(&format!(
                    "operand {operand} has size {size} in dimension {axis}, expected {expected}"
                )));
            }
        }
    }
    domain
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| call.unsupported("an iteration space that no operand's shape gives"))
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

fn map(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let values = call.values(0..call.op.operands.len())?;
    let rank = values.last().map_or(0, |value| value.shape().len());
    let all: Vec<usize> = (0..rank).collect();
    let accesses = values
        .into_iter()
        .map(|value| Access {
            value,
            map: projection(rank, &all),
        })
        .collect();
    loop_nest(call, accesses, 1)
}

fn reduce(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let values = call.values(0..call.op.operands.len())?;
    let outputs = values.len() / 2;
    let rank = values[0].shape().len();
    let all: Vec<usize> = (0..rank).collect();
    let reduced = call.op.integers("dimensions");
    let kept: Vec<usize> = (0..rank)
        .filter(|&dimension| !reduced.contains(&(dimension as i64)))
        .collect();
    let accesses = values
        .into_iter()
        .enumerate()
        .map(|(operand, value)| Access {
            value,
            map: projection(rank, if operand < outputs { &all } else { &kept }),
        })
        .collect();
    loop_nest(call, accesses, outputs)
}

fn fill(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (value, dest) = (call.scalar(0)?, call.array(1)?);
    let filled = call.build(dest.element(), dest.shape(), |_| value.bits())?;
    Ok(vec![filled])
}

/// The source in an arrangement that must have the destination's shape.
fn rearranged(
    call: &mut Call,
    expected: &[usize],
    source_index: impl Fn(&[usize]) -> Vec<usize>,
) -> Result<Vec<Value>, Failure> {
    let (source, dest) = (call.array(0)?, call.array(1)?);
    same_shape(call, expected, &dest)?;
    let result = call.build(source.element(), expected, |index| {
        source.bits_at(&source_index(index))
    })?;
    Ok(vec![result])
}

fn same_shape(call: &Call, expected: &[usize], dest: &Array) -> Result<(), Failure> {
    if expected == dest.shape() {
        return Ok(());
    }
    Err(call.error(&format!(
        "the result has shape {expected:?}, but the destination {:?}",
        dest.shape()
    )))
}

fn transpose(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let source = call.array(0)?;
    let permutation: Vec<usize> = call
        .op
        .integers("permutation")
        .iter()
        .map(|&dimension| dimension as usize)
        .collect();
    let shape: Vec<usize> = permutation
        .iter()
        .map(|&dimension| source.shape()[dimension])
        .collect();
    rearranged(call, &shape, |index| {
        let mut source = vec![0; index.len()];
        for (&component, &dimension) in index.iter().zip(&permutation) {
            source[dimension] = component;
        }
        source
    })
}

fn broadcast(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let (source, dest) = (call.array(0)?, call.array(1)?);
    let added = call.op.integers("dimensions");
    let is_added = |dimension: usize| added.contains(&(dimension as i64));
    let mut sizes = source.shape().iter();
    let shape: Vec<usize> = dest
        .shape()
        .iter()
        .enumerate()
        .filter_map(|(dimension, &size)| {
            if is_added(dimension) {
                Some(size)
            } else {
                sizes.next().copied()
            }
        })
        .collect();
    rearranged(call, &shape, |index| {
        index
            .iter()
            .enumerate()
            .filter(|(dimension, _)| !is_added(*dimension))
            .map(|(_, &component)| component)
            .collect()
    })
}
