//! `arith`, `math` and `index` ops: on scalars, and element by element on
//! arrays.

use crate::call::Call;
use crate::element::Element;
use crate::failure::Failure;
use crate::program::Op;
use crate::value::{Scalar, Value};
use crate::{arith, index, math};

/// Why an op has no result on some scalars.
pub(crate) enum Fault {
    /// The language defines it as a run-time error.
    Error(&'static str),
    /// The interpreter does not know the op.
    UnknownOp,
}

/// A scalar op applied: the op, the types of its results, and its operands.
pub(crate) struct Application<'a> {
    pub(crate) op: &'a Op,
    pub(crate) results: &'a [Element],
    pub(crate) operands: &'a [Scalar],
}

/// What a scalar op gives.
pub(crate) type Outcome = Result<Vec<Scalar>, Fault>;

/// Executes an op of `arith`, `math` or `index`. `arith.select` by a scalar gives one of its arrays,
/// whose shapes may differ.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let operands = call.values(0..call.op.operands.len())?;
    let results: Vec<Element> = call
        .op
        .results
        .iter()
        .map(|slot| {
            slot.ty
                .element()
                .ok_or_else(|| call.unsupported(format!("the type {}", slot.ty)))
        })
        .collect::<Result<_, _>>()?;
    if let ("arith.select", [Value::Scalar(condition), arrays @ ..]) =
        (call.op.name.as_str(), &operands[..])
    {
        return Ok(vec![arrays[usize::from(!condition.is_true())].clone()]);
    }
    let Some(shape) = common_shape(call, &operands)? else {
        let scalars: Vec<Scalar> = operands.iter().map(|value| at(value, 0)).collect();
        let scalars = apply(call, &results, &scalars)?;
        return Ok(scalars.into_iter().map(Value::Scalar).collect());
    };
    let count = call.machine.allocate(&call.op.location, &shape)?;
    let mut bits = vec![vec![]; results.len()];
    for position in 0..count {
        let scalars: Vec<Scalar> = operands.iter().map(|value| at(value, position)).collect();
        let scalars = apply(call, &results, &scalars)?;
        for (bits, scalar) in bits.iter_mut().zip(scalars) {
            bits.push(scalar.bits());
        }
    }
    results
        .iter()
        .zip(bits)
        .map(|(&element, bits)| call.finish(element, &shape, bits))
        .collect()
}

/// The element at a position.
fn at(value: &Value, position: usize) -> Scalar {
    Scalar::from_bits(value.element(), value.bits_at(position))
}

/// The shape of the operands that are arrays; nothing if none is.
fn common_shape(call: &Call, operands: &[Value]) -> Result<Option<Vec<usize>>, Failure> {
    let mut common: Option<(usize, &[usize])> = None;
    for (position, operand) in operands.iter().enumerate() {
        let Value::Array(array) = operand else {
            continue;
        };
        match common {
            None => common = Some((position, array.shape())),
            Some((_, shape)) if shape == array.shape() => {}
            Some((first, shape)) => {
                return Err(call.error(&format!(
                    "operands {first} and {position} have different shapes: {shape:?} and {:?}",
                    array.shape()
                )));
            }
        }
    }
    Ok(common.map(|(_, shape)| shape.to_vec()))
}

fn apply(call: &Call, results: &[Element], operands: &[Scalar]) -> Result<Vec<Scalar>, Failure> {
    let application = Application {
        op: call.op,
        results,
        operands,
    };
    let outcome = match call.op.name.split('.').next() {
        Some("arith") => arith::apply(&application),
        Some("math") => math::apply(&application),
        _ => index::apply(&application),
    };
    outcome.map_err(|fault| match fault {
        Fault::Error(message) => call.error(message),
        Fault::UnknownOp => call.unknown_op(),
    })
}
