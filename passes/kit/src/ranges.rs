//! Between which numbers an integer lies, whatever the program is given.
//!
//! Known for constants, sizes of arrays, what is extended from a narrower type, and sums,
//! differences, products, quotients, minima and maxima of these. Where arithmetic may wrap
//! around, nothing is known but the type.

use melior::ir::{OperationRef, Value, ValueLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name},
};

use crate::{
    checks::{emit::integer_width, facts::constant},
    element_types::MOST_ELEMENTS,
};

/// How many ops are looked through.
const DEPTH: usize = 8;

/// `least ≤ number ≤ greatest`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least of them.
    pub least: i128,
    /// The greatest of them.
    pub greatest: i128,
}

impl Range {
    fn of(ends: &[i128]) -> Option<Self> {
        Some(Self {
            least: ends.iter().copied().min()?,
            greatest: ends.iter().copied().max()?,
        })
    }

    /// All numbers of a type of so many bits, read as signed.
    pub fn signed(width: u32) -> Self {
        let least = i128::MIN >> (128 - width.clamp(1, 127));
        Self {
            least,
            greatest: -(least + 1),
        }
    }

    /// All numbers of a type of so many bits, read as unsigned.
    pub fn unsigned(width: u32) -> Self {
        Self {
            least: 0,
            greatest: i128::MAX >> (127 - width.min(126)),
        }
    }

    fn is_inside(self, other: Self) -> bool {
        other.least <= self.least && self.greatest <= other.greatest
    }
}

/// The range of an integer or `index` value, read as signed.
pub fn range(value: Value) -> Option<Range> {
    traced(value, DEPTH)
}

/// The same, read as unsigned.
pub fn unsigned_range(value: Value) -> Option<Range> {
    let all = Range::unsigned(integer_width(value.r#type())?);
    let signed = range(value)?;
    if signed.least >= 0 {
        return Some(signed);
    }
    let wrapped = [signed.least, signed.greatest].map(|end| end & all.greatest);
    match signed.greatest < 0 {
        true => Range::of(&wrapped),
        false => Some(all),
    }
}

fn traced(value: Value, depth: usize) -> Option<Range> {
    let width = integer_width(value.r#type())?;
    let all = Range::signed(width);
    if let Some(number) = constant(value) {
        return Range::of(&[number.into()]);
    }
    let found = match (definition(value), depth.checked_sub(1)) {
        (Some(op), Some(depth)) => of_result(op, depth),
        _ => None,
    };
    Some(found.filter(|found| found.is_inside(all)).unwrap_or(all))
}

fn of_result(op: OperationRef, depth: usize) -> Option<Range> {
    let operand = |position: usize| traced(op.operand_at(position)?, depth);
    let ends = |combine: fn(i128, i128) -> Option<i128>| {
        let (left, right) = (operand(0)?, operand(1)?);
        let [a, b] = [left.least, left.greatest];
        let pairs = [right.least, right.greatest].map(|end| [combine(a, end), combine(b, end)]);
        let ends: Option<Vec<i128>> = pairs.concat().into_iter().collect();
        Range::of(&ends?)
    };
    let each = |combine: fn(i128, i128) -> i128| {
        let (left, right) = (operand(0)?, operand(1)?);
        Range::of(&[
            combine(left.least, right.least),
            combine(left.greatest, right.greatest),
        ])
    };
    let quotient = |round: fn(i128, i128) -> i128| {
        let divisor = i128::from(constant(op.operand_at(1)?).filter(|&divisor| divisor > 0)?);
        let dividend = operand(0)?;
        Range::of(&[
            round(dividend.least, divisor),
            round(dividend.greatest, divisor),
        ])
    };
    match op_name(op) {
        "tensor.dim" | "memref.dim" => Range::of(&[0, MOST_ELEMENTS.into()]),
        "arith.extsi" | "arith.index_cast" | "index.casts" => operand(0),
        "arith.extui" | "arith.index_castui" | "index.castu" => unsigned_range(op.operand_at(0)?),
        "arith.addi" | "index.add" => ends(i128::checked_add),
        "arith.subi" | "index.sub" => ends(i128::checked_sub),
        "arith.muli" | "index.mul" => ends(i128::checked_mul),
        "arith.minsi" | "index.mins" => each(i128::min),
        "arith.maxsi" | "index.maxs" => each(i128::max),
        "arith.divsi" | "index.divs" => quotient(|a, b| a / b),
        "arith.floordivsi" | "index.floordivs" => quotient(i128::div_euclid),
        "arith.ceildivsi" | "index.ceildivs" => quotient(|a, b| -(-a).div_euclid(b)),
        "arith.select" => {
            let (then, otherwise) = (operand(1)?, operand(2)?);
            Range::of(&[
                then.least,
                then.greatest,
                otherwise.least,
                otherwise.greatest,
            ])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn all_numbers_of_a_type() {
        let range = |least, greatest| Range { least, greatest };
        assert_eq!(Range::signed(8), range(-128, 127));
        assert_eq!(Range::unsigned(8), range(0, 255));
        assert_eq!(Range::signed(64), range(i64::MIN.into(), i64::MAX.into()));
        assert_eq!(Range::unsigned(64), range(0, u64::MAX.into()));
        assert_eq!(Range::signed(1), range(-1, 0));
    }
}
