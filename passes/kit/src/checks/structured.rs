//! Checks of the structured ops of `linalg` on tensors, named and generic: that the shapes of their
//! operands fit each other.
//!
//! The first operand with a dimension that a loop alone indexes says how often the loop runs. Every
//! other dimension that a loop alone indexes has that size. A dimension that is indexed by an
//! expression of several loops, as in a convolution, is large enough for it: the expression's bounds
//! are computed part by part from how often the loops run. Loops that do not run read nothing.

use melior::{
    Error,
    ir::{OperationRef, Value, ValueLike, r#type::RankedTensorType},
};
use soac_dialect::{
    builder::{Builder, Predicate},
    cast::is_a,
    extent::Extent,
    requirement::{Condition, placeholders},
    view::OpView,
};

use super::{
    affine::{Expression, Map, Operator, indexing_maps},
    emit::Emit,
    site::Site,
};
use crate::pass_error::PassError;

/// An operand's dimension.
type Dimension = (usize, usize);

/// Checks in front of an op of the `linalg` dialect.
pub fn check_op<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Some(maps) = indexing_maps(op) else {
        return Ok(());
    };
    if !maps.iter().flat_map(|map| &map.indices).all(is_defined) {
        return Err(site.error("has an index that is divided by what is no positive constant"));
    }
    let view = OpView::of(op);
    let is_array = |operand: &Value| is_a::<RankedTensorType>(operand.r#type());
    // On memory, nothing is checked.
    let indexed = view.operands.iter().zip(&maps);
    if indexed
        .into_iter()
        .any(|(operand, map)| !map.indices.is_empty() && !is_array(operand))
    {
        return Ok(());
    }
    let shapes: Vec<Vec<Extent>> = view
        .operands
        .iter()
        .map(|&operand| site.facts.shape(operand))
        .collect();
    let Some(loops) = loops(&maps) else {
        return Ok(());
    };
    for operand in 0..maps.len() {
        require_equal_sizes(site, &maps, &loops, &shapes, operand)?;
    }
    for (operand, map) in maps.iter().enumerate() {
        for (axis, index) in map.indices.iter().enumerate() {
            if !matches!(index, Expression::Loop(_)) {
                require_room(site, &loops, &shapes, (operand, axis), index)?;
            }
        }
    }
    Ok(())
}

/// Whether an index is divided by positive constants only.
fn is_defined(index: &Expression) -> bool {
    match index {
        Expression::Loop(_) | Expression::Constant(_) => true,
        Expression::Binary(Operator::Add, sides) => is_defined(&sides.0) && is_defined(&sides.1),
        Expression::Binary(operator, sides) => {
            let is_allowed = |&factor: &i64| *operator == Operator::Multiply || factor > 0;
            is_defined(&sides.0)
                && matches!(&sides.1, Expression::Constant(factor) if is_allowed(factor))
        }
    }
}

/// The dimension that says how often each loop runs.
fn loops(maps: &[Map]) -> Option<Vec<Dimension>> {
    let number = maps.first()?.loops;
    let mut loops = vec![None; number];
    for (operand, map) in maps.iter().enumerate() {
        for (axis, index) in map.indices.iter().enumerate() {
            if let Expression::Loop(r#loop) = index {
                loops[*r#loop].get_or_insert((operand, axis));
            }
        }
    }
    loops.into_iter().collect()
}

/// An operand has the sizes of the operands before it where loops alone index it.
fn require_equal_sizes<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    maps: &[Map],
    loops: &[Dimension],
    shapes: &[Vec<Extent>],
    operand: usize,
) -> Result<(), Error> {
    for first in 0..=operand {
        let (mut left, mut right) = (vec![], vec![]);
        for (axis, index) in maps[operand].indices.iter().enumerate() {
            if let Expression::Loop(r#loop) = index
                && loops[*r#loop].0 == first
                && loops[*r#loop] != (operand, axis)
            {
                left.push(shapes[first][loops[*r#loop].1].clone());
                right.push(shapes[operand][axis].clone());
            }
        }
        if left.is_empty() {
            continue;
        }
        let condition = Condition::SameShape(left, right);
        let (left, right) = (&shapes[first], &shapes[operand]);
        let message = format!(
            "operands {first} and {operand} have shapes {} and {}, which do not fit",
            placeholders(left.len()),
            placeholders(right.len())
        );
        site.require_showing(&condition, &message, &[&left[..], right].concat())?;
    }
    Ok(())
}

/// A dimension has room for what loops index.
fn require_room<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    loops: &[Dimension],
    shapes: &[Vec<Extent>],
    (operand, axis): Dimension,
    index: &Expression,
) -> Result<(), Error> {
    let counts: Vec<Extent> = loops
        .iter()
        .map(|&(operand, axis)| shapes[operand][axis].clone())
        .collect();
    let size = &shapes[operand][axis];
    if is_inside(index, &counts, size) {
        site.counts.proven += 1;
        return Ok(());
    }
    if site.is_trusted() {
        return Ok(());
    }
    let (least, greatest) = bounds(site, &counts, index)?;
    let (zero, bound) = (site.builder.wide(0)?, site.widened(size)?);
    let above = site.builder.compare(Predicate::Sge, least, zero)?;
    let below = site.builder.compare(Predicate::Slt, greatest, bound)?;
    let mut holds = site.builder.all(&[above, below])?;
    for count in &counts {
        let is_empty = site.is_zero(count)?;
        holds = site.builder.binary("arith.ori", is_empty, holds)?;
    }
    let message = format!(
        "operand {operand} has shape {}, but dimension {axis} is read and written outside by loops over {}",
        placeholders(shapes[operand].len()),
        placeholders(counts.len())
    );
    site.check(holds, &message, &[&shapes[operand][..], &counts].concat())
}

/// A value of 128 bits that bounds an expression from below, and one from above.
type Bounds<'c, 'a> = (Value<'c, 'a>, Value<'c, 'a>);

fn bounds<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    counts: &[Extent],
    expression: &Expression,
) -> Result<Bounds<'c, 'a>, Error> {
    match expression {
        Expression::Loop(number) => {
            let last = &Extent::constant(-1) + &counts[*number];
            Ok((site.builder.wide(0)?, site.widened(&last)?))
        }
        Expression::Constant(value) => {
            let value = site.builder.wide(*value)?;
            Ok((value, value))
        }
        Expression::Binary(operator, sides) => {
            let (left, right) = &**sides;
            let left = bounds(site, counts, left)?;
            let right = bounds(site, counts, right)?;
            combined(site, *operator, left, right)
        }
    }
}

/// The bounds of two combined expressions; the right one is a constant unless they are added.
fn combined<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    operator: Operator,
    left: Bounds<'c, 'a>,
    right: Bounds<'c, 'a>,
) -> Result<Bounds<'c, 'a>, Error> {
    let builder = &site.builder;
    let both = |name: &str| -> Result<Bounds<'c, 'a>, Error> {
        let least = builder.binary(name, left.0, right.0)?;
        Ok((least, builder.binary(name, left.1, right.1)?))
    };
    let (least, greatest) = match operator {
        Operator::Add => both("arith.addi")?,
        Operator::FloorDivide => quotients(builder, "arith.floordivsi", left, right.0)?,
        Operator::CeilDivide => quotients(builder, "arith.ceildivsi", left, right.0)?,
        Operator::Multiply => {
            let (one, other) = both("arith.muli")?;
            let least = builder.binary("arith.minsi", one, other)?;
            (least, builder.binary("arith.maxsi", one, other)?)
        }
        Operator::Modulo => {
            let (zero, one) = (builder.wide(0)?, builder.wide(1)?);
            let greatest = builder.binary("arith.subi", right.0, one)?;
            // What is not negative is its own remainder at most.
            let is_negative = builder.compare(Predicate::Slt, left.0, zero)?;
            let smaller = builder.binary("arith.minsi", left.1, greatest)?;
            (zero, builder.select(is_negative, greatest, smaller)?)
        }
    };
    // So that nothing wraps around whatever is nested.
    let (lowest, highest) = (builder.wide(i64::MIN)?, builder.wide(i64::MAX)?);
    let clamped = |value| {
        let value = builder.binary("arith.maxsi", value, lowest)?;
        builder.binary("arith.minsi", value, highest)
    };
    Ok((clamped(least)?, clamped(greatest)?))
}

/// Bounds divided by a constant, with 64 bits, which clamped ones have.
fn quotients<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    division: &str,
    (least, greatest): Bounds<'c, 'a>,
    divisor: Value<'c, 'a>,
) -> Result<Bounds<'c, 'a>, Error> {
    let (narrow, wide) = (builder.integer_type(64), builder.integer_type(128));
    let divisor = builder.value("arith.trunci", &[divisor], narrow, &[])?;
    let divided = |value| {
        let value = builder.value("arith.trunci", &[value], narrow, &[])?;
        let quotient = builder.binary(division, value, divisor)?;
        builder.value("arith.extsi", &[quotient], wide, &[])
    };
    Ok((divided(least)?, divided(greatest)?))
}

/// The greatest sum of factors for which no index wraps around: arrays have at most 2^59 elements.
const MOST_FACTORS: i64 = 8;

/// Whether an index is known to be inside: a sum of loops' indices, none with a negative factor, and
/// of a constant.
fn is_inside(index: &Expression, counts: &[Extent], size: &Extent) -> bool {
    let Some(sum) = linear(index) else {
        return false;
    };
    let is_small = sum
        .factors
        .iter()
        .all(|&(factor, _)| (0..=MOST_FACTORS).contains(&factor))
        && sum.factors.iter().map(|(factor, _)| factor).sum::<i64>() <= MOST_FACTORS
        && (0..1 << 31).contains(&sum.constant);
    let greatest = sum
        .factors
        .iter()
        .fold(Extent::constant(sum.constant), |sum, &(factor, r#loop)| {
            &sum + &(&(&counts[r#loop] - &Extent::constant(1)) * factor)
        });
    is_small
        && (size - &greatest)
            .as_constant()
            .is_some_and(|rest| (1..1 << 60).contains(&rest))
}

/// A sum of multiples of loops' indices and of a constant.
struct Linear {
    constant: i64,
    factors: Vec<(i64, usize)>,
}

fn linear(expression: &Expression) -> Option<Linear> {
    match expression {
        Expression::Loop(number) => Some(Linear {
            constant: 0,
            factors: vec![(1, *number)],
        }),
        Expression::Constant(constant) => Some(Linear {
            constant: *constant,
            factors: vec![],
        }),
        Expression::Binary(Operator::Add, sides) => {
            let (mut left, right) = (linear(&sides.0)?, linear(&sides.1)?);
            left.constant = left.constant.checked_add(right.constant)?;
            left.factors.extend(right.factors);
            Some(left)
        }
        Expression::Binary(Operator::Multiply, sides) => {
            let Expression::Constant(factor) = sides.1 else {
                return None;
            };
            let mut left = linear(&sides.0)?;
            left.constant = left.constant.checked_mul(factor)?;
            for (own, _) in &mut left.factors {
                *own = own.checked_mul(factor)?;
            }
            Some(left)
        }
        Expression::Binary(..) => None,
    }
}
