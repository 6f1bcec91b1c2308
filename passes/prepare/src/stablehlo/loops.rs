//! Loops that count: `stablehlo.while` as `jax.lax.fori_loop` and `jax.lax.scan` make it.

use melior::ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    cast::Parts,
    view::{definition, op_name},
};

use super::{
    Scope,
    constants::{self, known},
    convert_block,
    element::{Kind, operand},
    gathers::index,
};
use comb_kit::{checks::facts::key, pass_error::PassError};

/// A loop that goes on while a number is less than another one, and adds 1 to it.
pub(super) struct Counted<'c, 'a> {
    /// Which of the values that are carried it is.
    counter: usize,
    bound: Bound<'c, 'a>,
    /// Which values are carried on as they are.
    kept: Vec<bool>,
}

/// What the number stays less than.
#[derive(Clone, Copy)]
enum Bound<'c, 'a> {
    /// A value that is carried on as it is.
    Carried(usize),
    /// A constant of the condition.
    Constant(OperationRef<'c, 'a>),
    /// A value from outside.
    Outside(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Counted<'c, 'a> {
    /// Reads the blocks of a loop; none if it does not count so.
    pub(super) fn of(condition: BlockRef<'c, 'a>, body: BlockRef<'c, 'a>) -> Option<Self> {
        let yielded: Values = last(body)?.operands().collect();
        let kept: Vec<bool> = (0..yielded.len())
            .map(|index| argument(body, yielded[index]) == Some(index))
            .collect();
        let comparison = comparison(condition)?;
        let counter = argument(condition, comparison.operand_at(0)?)?;
        let bound = bound(condition, comparison.operand_at(1)?)?;
        let is_fixed = match bound {
            Bound::Carried(index) => *kept.get(index)?,
            Bound::Constant(_) | Bound::Outside(_) => true,
        };
        let counts = adds_one(body, *yielded.get(counter)?, counter);
        (is_fixed && counts).then_some(Self {
            counter,
            bound,
            kept,
        })
    }

    /// A loop with an index; what is carried on as it is, is not carried.
    pub(super) fn build(
        &self,
        builder: &Builder<'c, 'a>,
        operands: &[Value<'c, 'a>],
        body: BlockRef<'c, 'a>,
        scope: &mut Scope<'c, 'a>,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let counter = operands[self.counter];
        let end = match self.bound {
            Bound::Carried(index) => operands[index],
            Bound::Constant(op) => constants::constant(op, builder)?[0],
            Bound::Outside(value) => scope.values.get(&key(value)).copied().unwrap_or(value),
        };
        let (first, end) = (builder.extract(counter, &[])?, builder.extract(end, &[])?);
        let bounds = [
            index(builder, first, false)?,
            index(builder, end, false)?,
            builder.index(1)?,
        ];
        let is_carried = |position: usize| !self.kept[position] && position != self.counter;
        let positions: Vec<usize> = (0..operands.len()).filter(|&at| is_carried(at)).collect();
        let carried: Values = positions.iter().map(|&at| operands[at]).collect();
        let mut all = operands.to_vec();
        let results = builder.range_loop(bounds, &carried, |builder, number, values| {
            let number = builder.value("arith.index_cast", &[number], first.r#type(), &[])?;
            all[self.counter] =
                builder.value("tensor.from_elements", &[number], counter.r#type(), &[])?;
            for (&at, &value) in positions.iter().zip(values) {
                all[at] = value;
            }
            scope.enter(body, &all)?;
            let yielded = convert_block(body, builder, scope)?;
            Ok::<_, PassError<'c>>(positions.iter().map(|&at| yielded[at]).collect())
        })?;
        let mut all = operands.to_vec();
        let goes = builder.compare(Predicate::Slt, first, end)?;
        let last = builder.select(goes, end, first)?;
        all[self.counter] =
            builder.value("tensor.from_elements", &[last], counter.r#type(), &[])?;
        for (at, result) in positions.into_iter().zip(results) {
            all[at] = result;
        }
        Ok(all)
    }
}

/// The comparison of signed integers that a condition is, if there is nothing else in it.
fn comparison<'c: 'a, 'a>(condition: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let end = last(condition)?;
    let comparison = definition(end.operand_at(0)?)?;
    let mut next = condition.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let is_simple = next.is_none() || op == comparison || op_name(op) == "stablehlo.constant";
        if !is_simple {
            return None;
        }
    }
    let is_less = op_name(comparison) == "stablehlo.compare"
        && super::attributes::case(comparison, "comparison_direction").as_deref() == Some("LT");
    let array = operand(comparison, 0).ok()?;
    (is_less && array.rank() == 0 && array.element.kind == Kind::Signed).then_some(comparison)
}

fn bound<'c: 'a, 'a>(condition: BlockRef<'c, 'a>, value: Value<'c, 'a>) -> Option<Bound<'c, 'a>> {
    if let Some(index) = argument(condition, value) {
        return Some(Bound::Carried(index));
    }
    match definition(value) {
        Some(op) if op.block() == Some(condition) => {
            (op_name(op) == "stablehlo.constant").then_some(Bound::Constant(op))
        }
        _ => Some(Bound::Outside(value)),
    }
}

/// Whether a value is 1 more than an argument of a block.
fn adds_one<'c: 'a, 'a>(body: BlockRef<'c, 'a>, value: Value<'c, 'a>, counter: usize) -> bool {
    let Some(sum) = definition(value).filter(|&op| op_name(op) == "stablehlo.add") else {
        return false;
    };
    let operands: Values = sum.operands().collect();
    let is_counter = |value| argument(body, value) == Some(counter);
    let is_one = |value| known(value) == Some(vec![1]);
    match operands[..] {
        [one, other] => is_counter(one) && is_one(other) || is_counter(other) && is_one(one),
        _ => false,
    }
}

/// Which argument of a block a value is.
fn argument<'c: 'a, 'a>(block: BlockRef<'c, 'a>, value: Value<'c, 'a>) -> Option<usize> {
    (0..block.argument_count()).find(|&index| {
        let argument = block.argument(index);
        argument.is_ok_and(|argument| key(argument.into()) == key(value))
    })
}

/// The last op of a block: MLIR does not know that an op of an unknown dialect ends a block.
fn last<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block()).last()
}
