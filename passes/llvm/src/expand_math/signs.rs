//! The sign of a number, as the ops show it that it is computed by.
//!
//! A square is never negative, say, nor is its product with a positive constant, and the negative
//! of that is never positive. What comes from elsewhere has an unknown sign.
//!
//! Cost: no more than [`DEPTH`] ops behind each other are looked at, so a constant for each number.

use melior::ir::{
    Attribute, OperationRef, Value,
    attribute::{DenseElementsAttribute, FloatAttribute},
    operation::OperationLike,
};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name},
};

use super::Range;

/// How many ops behind each other are looked at.
const DEPTH: usize = 6;

/// What a number is, or the numbers of all lanes are, unless it is NaN. Zeros are both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    NotNegative,
    NotPositive,
}

impl Sign {
    fn opposite(self) -> Self {
        match self {
            Self::NotNegative => Self::NotPositive,
            Self::NotPositive => Self::NotNegative,
        }
    }

    /// That of a product or quotient.
    fn times(self, other: Self) -> Self {
        match self == other {
            true => Self::NotNegative,
            false => Self::NotPositive,
        }
    }
}

/// What a number can be, or each lane of a vector.
pub fn range(number: Value) -> Range {
    match sign(number, DEPTH) {
        Some(Sign::NotPositive) => Range::NotPositive,
        Some(Sign::NotNegative) | None => Range::All,
    }
}

fn sign(number: Value, depth: usize) -> Option<Sign> {
    let depth = depth.checked_sub(1)?;
    let op = definition(number)?;
    let of = |operand| sign(op.operand_at(operand)?, depth);
    match op_name(op) {
        "arith.constant" => of_constant(op.attribute("value").ok()?),
        "math.absf" | "math.sqrt" | "arith.uitofp" => Some(Sign::NotNegative),
        "arith.negf" => Some(of(0)?.opposite()),
        "arith.mulf" | "arith.divf" => of_product(op, depth),
        "arith.addf" => of_both(of(0), of(1)),
        "arith.subf" => of_both(of(0), of(1).map(Sign::opposite)),
        "math.fma" => of_both(of_product(op, depth), of(2)),
        "arith.select" => of_both(of(1), of(2)),
        "arith.extf" | "arith.truncf" | "vector.broadcast" | "vector.shape_cast" => of(0),
        _ => None,
    }
}

/// That of the product, or quotient, of an op's first operands.
fn of_product(op: OperationRef, depth: usize) -> Option<Sign> {
    let (left, right) = (op.operand_at(0)?, op.operand_at(1)?);
    if left == right {
        return Some(Sign::NotNegative);
    }
    Some(sign(left, depth)?.times(sign(right, depth)?))
}

/// That of numbers which have it both, and of their sum.
fn of_both(left: Option<Sign>, right: Option<Sign>) -> Option<Sign> {
    left.filter(|_| left == right)
}

fn of_constant(value: Attribute) -> Option<Sign> {
    let number = match DenseElementsAttribute::try_from(value) {
        Ok(lanes) if lanes.is_splat() => lanes.splat_value(),
        Ok(_) => return None,
        Err(_) => value,
    };
    let number = FloatAttribute::try_from(number).ok()?.value();
    match number >= 0.0 {
        true => Some(Sign::NotNegative),
        false => Some(Sign::NotPositive),
    }
}
