//! The first and the last lane of an index that goes up by at most one from lane to lane.
//!
//! Where such an index goes up by the number of lanes less one from the first lane to the
//! last, it goes up by one everywhere: the lanes are neighbours in memory. So two numbers
//! are compared, and not two vectors.
//!
//! The index of the iteration is of this kind, and what is made of one by adding a number,
//! by `max` and `min` (which keep an index inside an array), by a remainder (which wraps
//! it around; it falls there), and by a choice that all lanes make alike.
//!
//! Cost: a few operations on numbers for each on vectors.

use melior::ir::{
    OperationRef, Value, ValueLike, attribute::IntegerAttribute, operation::OperationLike,
};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use super::{Emitted, Lanes, Scope};

/// What is in the first and in the last lane. Of a truth value: where it is valid, it is
/// the same in all lanes.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'c, 'a> {
    first: Value<'c, 'a>,
    last: Value<'c, 'a>,
    /// Whether no lane is less than the one before.
    rises: bool,
    /// Whether all this is so; known when the program runs. Nothing if it always is.
    valid: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Ends<'c, 'a> {
    /// The ends of an index.
    fn of(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        lanes: Lanes<'c, 'a>,
    ) -> Emitted<'c, Option<Self>> {
        let (first, last) = match lanes {
            Lanes::Uniform(value) => (value, value),
            Lanes::Steps { first, step: 1 } => {
                let width = builder.index(scope.width as i64 - 1)?;
                (first, builder.arithmetic("arith.addi", &[first, width])?)
            }
            Lanes::Steps { .. } => return Ok(None),
            Lanes::Vector { ends, .. } => return Ok(ends),
        };
        Ok(Some(Self {
            first,
            last,
            rises: true,
            valid: None,
        }))
    }

    /// Where the lanes are neighbours in memory: whether they are, and the first.
    pub fn neighbours(
        &self,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
    ) -> Emitted<'c, (Value<'c, 'a>, Value<'c, 'a>)> {
        let distance = builder.arithmetic("arith.subi", &[self.last, self.first])?;
        let width = builder.index(scope.width as i64 - 1)?;
        let are = builder.compare(Predicate::Eq, distance, width)?;
        let are = both(builder, Some(are), self.valid)?.unwrap_or(are);
        Ok((are, self.first))
    }

    /// Ends that an op computes from its operands', if it keeps what they promise.
    pub fn of_op(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Self>> {
        let name = op_name(op);
        if name == "arith.cmpi" {
            return Self::of_comparison(builder, scope, op, operands);
        }
        if name == "arith.select" {
            return Self::of_choice(builder, scope, operands);
        }
        Self::of_arithmetic(builder, scope, name, operands)
    }

    /// Ends of an index that is computed from two.
    pub fn of_arithmetic(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        name: &str,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Self>> {
        let &[left, right] = operands else {
            return Ok(None);
        };
        let is_uniform = [left, right].map(|lanes| lanes.uniform().is_some());
        let pair = (
            Self::of(builder, scope, left)?,
            Self::of(builder, scope, right)?,
        );
        let (Some(left), Some(right)) = pair else {
            return Ok(None);
        };
        if left.first.r#type() != builder.index_type() {
            return Ok(None);
        }
        let rises = left.rises && right.rises;
        let rises = match name {
            "arith.addi" if is_uniform[0] || is_uniform[1] => rises,
            "arith.subi" if is_uniform[1] => rises,
            "arith.maxsi" | "arith.minsi" => rises,
            "arith.andi" if is_uniform[1] && rises => false,
            // The first lane may not count, and must not divide by zero then.
            "arith.remui" | "arith.remsi" if is_uniform[1] && rises && scope.mask.is_none() => {
                false
            }
            _ => return Ok(None),
        };
        let mut valid = both(builder, left.valid, right.valid)?;
        if name == "arith.andi" {
            let is_mask = is_mask(builder, right.first)?;
            valid = both(builder, valid, Some(is_mask))?;
        }
        Ok(Some(Self {
            first: builder.arithmetic(name, &[left.first, right.first])?,
            last: builder.arithmetic(name, &[left.last, right.last])?,
            rises,
            valid,
        }))
    }

    /// A comparison of an index that never falls with a number changes at most once from
    /// lane to lane; if unsigned, where the index is not negative.
    fn of_comparison(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Self>> {
        let Some(limit) = operands[1].uniform() else {
            return Ok(None);
        };
        let ends = Self::of(builder, scope, operands[0])?.filter(|ends| ends.rises);
        let Some(ends) = ends.filter(|ends| ends.first.r#type() == builder.index_type()) else {
            return Ok(None);
        };
        let number = IntegerAttribute::try_from(op.attribute("predicate")?)?.value();
        let mut orders = ORDERS.into_iter();
        let Some(predicate) = orders.find(|&order| order as i64 == number) else {
            return Ok(None);
        };
        let first = builder.compare(predicate, ends.first, limit)?;
        let last = builder.compare(predicate, ends.last, limit)?;
        let same = builder.compare(Predicate::Eq, first, last)?;
        let mut valid = both(builder, ends.valid, Some(same))?;
        if predicate as i64 >= Predicate::Ult as i64 {
            let zero = builder.index(0)?;
            let is_positive = builder.compare(Predicate::Sge, ends.first, zero)?;
            valid = both(builder, valid, Some(is_positive))?;
        }
        Ok(Some(Self {
            first,
            last,
            rises: true,
            valid,
        }))
    }

    /// A choice that is the same in all lanes.
    fn of_choice(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Self>> {
        let &[condition, then, otherwise] = operands else {
            return Ok(None);
        };
        let condition = Self::of(builder, scope, condition)?;
        let then = Self::of(builder, scope, then)?;
        let otherwise = Self::of(builder, scope, otherwise)?;
        let (Some(condition), Some(then), Some(otherwise)) = (condition, then, otherwise) else {
            return Ok(None);
        };
        if then.first.r#type() != builder.index_type() {
            return Ok(None);
        }
        let valid = both(builder, condition.valid, then.valid)?;
        Ok(Some(Self {
            first: builder.select(condition.first, then.first, otherwise.first)?,
            last: builder.select(condition.first, then.last, otherwise.last)?,
            rises: then.rises && otherwise.rises,
            valid: both(builder, valid, otherwise.valid)?,
        }))
    }
}

/// Predicates of comparisons by size.
const ORDERS: [Predicate; 8] = [
    Predicate::Slt,
    Predicate::Sle,
    Predicate::Sgt,
    Predicate::Sge,
    Predicate::Ult,
    Predicate::Ule,
    Predicate::Ugt,
    Predicate::Uge,
];

/// Whether a number is a power of two, less one.
fn is_mask<'c, 'a>(builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
    let (zero, one) = (builder.index(0)?, builder.index(1)?);
    let next = builder.arithmetic("arith.addi", &[number, one])?;
    let common = builder.arithmetic("arith.andi", &[number, next])?;
    Ok(builder.compare(Predicate::Eq, common, zero)?)
}

/// Two conditions, of which each may be missing.
fn both<'c, 'a>(
    builder: &Builder<'c, 'a>,
    one: Option<Value<'c, 'a>>,
    other: Option<Value<'c, 'a>>,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    Ok(match (one, other) {
        (Some(one), Some(other)) => Some(builder.arithmetic("arith.andi", &[one, other])?),
        (one, other) => one.or(other),
    })
}
