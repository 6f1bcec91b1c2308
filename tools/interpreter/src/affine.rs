//! Affine maps, and the ops of the `affine` dialect that compute indices, and `affine.for`.

use std::ops::Range;

use crate::call::Call;
use crate::element::Element;
use crate::failure::Failure;
use crate::program::Attribute;
use crate::structured;
use crate::value::{Scalar, Value};

/// An affine map: some expressions over dimensions and symbols.
#[derive(Clone, Debug)]
pub(crate) struct AffineMap {
    pub(crate) dimensions: usize,
    pub(crate) expressions: Vec<AffineExpression>,
}

/// An expression over dimensions and symbols.
#[derive(Clone, Debug)]
pub(crate) enum AffineExpression {
    Dimension(usize),
    Symbol(usize),
    Constant(i64),
    Binary(AffineOperator, Box<(AffineExpression, AffineExpression)>),
}

/// What combines two expressions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AffineOperator {
    Add,
    Multiply,
    Modulo,
    FloorDivide,
    CeilDivide,
}

impl AffineMap {
    /// The values of the expressions, or nothing if one divides by a number
    /// that is not positive.
    pub(crate) fn apply(&self, dimensions: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        self.expressions
            .iter()
            .map(|expression| expression.value(dimensions, symbols))
            .collect()
    }
}

impl AffineExpression {
    fn value(&self, dimensions: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            AffineExpression::Dimension(position) => dimensions.get(*position).copied(),
            AffineExpression::Symbol(position) => symbols.get(*position).copied(),
            AffineExpression::Constant(value) => Some(*value),
            AffineExpression::Binary(operator, sides) => {
                let left = sides.0.value(dimensions, symbols)?;
                let right = sides.1.value(dimensions, symbols)?;
                operator.apply(left, right)
            }
        }
    }
}

impl AffineOperator {
    fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            AffineOperator::Add => Some(left.wrapping_add(right)),
            AffineOperator::Multiply => Some(left.wrapping_mul(right)),
            _ if right <= 0 => None,
            AffineOperator::Modulo => Some(left.rem_euclid(right)),
            AffineOperator::FloorDivide => Some(left.div_euclid(right)),
            AffineOperator::CeilDivide => {
                Some(left.div_euclid(right) + i64::from(left.rem_euclid(right) != 0))
            }
        }
    }
}

/// Executes an op of the `affine` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "affine.apply" => Ok(vec![index(apply_map(call)?[0])]),
        "affine.min" => Ok(vec![index(apply_map(call)?.into_iter().min().unwrap_or(0))]),
        "affine.max" => Ok(vec![index(apply_map(call)?.into_iter().max().unwrap_or(0))]),
        "affine.delinearize_index" => delinearize(call),
        "affine.linearize_index" => linearize(call),
        "affine.for" => for_loop(call),
        _ => Err(call.unknown_op()),
    }
}

fn index(value: i64) -> Value {
    Value::Scalar(Scalar::index(value))
}

fn apply_map(call: &Call) -> Result<Vec<i64>, Failure> {
    apply_to(call, "map", 0..call.op.operands.len())
}

/// The values of a map for some of the operands.
fn apply_to(call: &Call, map: &str, operands: Range<usize>) -> Result<Vec<i64>, Failure> {
    let Some(Attribute::Map(map)) = call.op.attributes.get(map) else {
        return Err(call.bug("no affine map"));
    };
    let operands = call.indices(operands)?;
    let (dimensions, symbols) = operands
        .split_at_checked(map.dimensions)
        .ok_or_else(|| call.bug("too few operands for its map"))?;
    map.apply(dimensions, symbols)
        .ok_or_else(|| call.error("divides by a number that is not positive"))
}

/// From the greatest of the lower bounds to the least of the upper ones.
fn for_loop(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let bound = |map: &str, group| apply_to(call, map, call.group(group));
    let [lower, upper] = [bound("lowerBoundMap", 0)?, bound("upperBoundMap", 1)?];
    let (Some(&lower), Some(&upper), Some(step)) = (
        lower.iter().max(),
        upper.iter().min(),
        call.op.integer("step"),
    ) else {
        return Err(call.bug("no bounds"));
    };
    let values = call.values(call.group(2))?;
    structured::count(
        call,
        Element::Index,
        [lower, upper, step].map(i128::from),
        values,
    )
}

/// The basis without the outer bound, which is not used.
fn basis(call: &Call, group: Range<usize>, digits: usize) -> Result<Vec<i64>, Failure> {
    let basis = call.mixed("static_basis", group)?;
    let outer_bounds = (basis.len() + 1).saturating_sub(digits);
    Ok(basis[outer_bounds..].to_vec())
}

fn delinearize(call: &Call) -> Result<Vec<Value>, Failure> {
    let digits = call.op.results.len();
    let basis = basis(call, 1..call.op.operands.len(), digits)?;
    let mut rest = call.index(0)?;
    let mut results = vec![];
    for &size in basis.iter().rev() {
        if size <= 0 {
            return Err(call.error("divides by a number that is not positive"));
        }
        results.push(index(rest.rem_euclid(size)));
        rest = rest.div_euclid(size);
    }
    results.push(index(rest));
    results.reverse();
    Ok(results)
}

fn linearize(call: &Call) -> Result<Vec<Value>, Failure> {
    let digits = call.indices(call.group(0))?;
    let basis = basis(call, call.group(1), digits.len())?;
    let Some((&first, rest)) = digits.split_first() else {
        return Ok(vec![index(0)]);
    };
    let linear = rest
        .iter()
        .zip(basis)
        .fold(first, |linear, (&digit, size)| {
            linear.wrapping_mul(size).wrapping_add(digit)
        });
    Ok(vec![index(linear)])
}
