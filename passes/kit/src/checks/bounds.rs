//! Between which bounds an index lies: known for constants, induction
//! variables, lambda indices, remainders, and sums and differences of these
//! with what is known.
//!
//! Nothing here may be wrong if `index` arithmetic wraps around. A bound is
//! used only where it proves that the index lies inside an array. Arrays have
//! at most 2^59 elements, and the constants on the way are small ([`FAR`]), so
//! that what ends inside an array cannot have wrapped on its way there.

use melior::ir::Value;
use soac_dialect::{
    cast::Parts,
    extent::Extent,
    view::{OpView, argument_of, definition, op_name},
};

use super::facts::Facts;

/// How many sums and differences are looked through.
const DEPTH: usize = 16;

/// The greatest constant that is added to or subtracted from an index.
const FAR: i64 = 1 << 31;

/// `lower ≤ index < upper`
struct Bounds {
    lower: i64,
    upper: Extent,
}

/// Whether an index is known to lie in `0..size`.
pub fn is_inside<'c: 'a, 'a>(
    facts: &mut Facts<'c, 'a>,
    index: Value<'c, 'a>,
    size: &Extent,
) -> bool {
    if is_remainder_of(facts, index, size) {
        return true;
    }
    bounds(facts, index, DEPTH).is_some_and(|bounds| {
        bounds.lower >= 0
            && (size - &bounds.upper)
                .as_constant()
                .is_some_and(|rest| (0..1 << 60).contains(&rest))
    })
}

/// An unsigned remainder of a division by the size itself.
fn is_remainder_of<'c: 'a, 'a>(
    facts: &mut Facts<'c, 'a>,
    index: Value<'c, 'a>,
    size: &Extent,
) -> bool {
    remainder_divisor(index).is_some_and(|divisor| facts.value(divisor) == *size)
}

fn remainder_divisor<'c: 'a, 'a>(index: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(index)?;
    match op_name(op) {
        "arith.remui" | "index.remu" => op.operand_at(1),
        _ => None,
    }
}

fn bounds<'c: 'a, 'a>(
    facts: &mut Facts<'c, 'a>,
    index: Value<'c, 'a>,
    depth: usize,
) -> Option<Bounds> {
    if let Some(value) = facts.value(index).as_constant() {
        return Some(Bounds {
            lower: value,
            upper: Extent::constant(value.checked_add(1)?),
        });
    }
    let depth = depth.checked_sub(1)?;
    match definition(index) {
        None => argument_bounds(facts, index),
        Some(op) => {
            let (left, right) = (op.operand_at(0)?, op.operand_at(1)?);
            match op_name(op) {
                "arith.addi" | "index.add" => shifted(facts, left, right, depth)
                    .or_else(|| shifted(facts, right, left, depth)),
                "arith.subi" | "index.sub" => subtracted(facts, left, right, depth)
                    .or_else(|| mirrored(facts, left, right, depth)),
                _ => remainder_bounds(facts, index),
            }
        }
    }
}

/// `index + constant`
fn shifted<'c: 'a, 'a>(
    facts: &mut Facts<'c, 'a>,
    index: Value<'c, 'a>,
    distance: Value<'c, 'a>,
    depth: usize,
) -> Option<Bounds> {
    let distance = facts.value(distance).as_constant()?;
    by(bounds(facts, index, depth)?, distance)
}

/// `index - constant`
fn subtracted<'c: 'a, 'a>(
    facts: &mut Facts<'c, 'a>,
    index: Value<'c, 'a>,
    distance: Value<'c, 'a>,
    depth: usize,
) -> Option<Bounds> {
    let distance = facts.value(distance).as_constant()?.checked_neg()?;
    by(bounds(facts, index, depth)?, distance)
}

fn by(bounds: Bounds, distance: i64) -> Option<Bounds> {
    (-FAR..=FAR).contains(&distance).then_some(())?;
    Some(Bounds {
        lower: bounds.lower.checked_add(distance)?,
        upper: &bounds.upper + &Extent::constant(distance),
    })
}

/// `value - index`, as in `n - 1 - i`, for an index that is not negative.
fn mirrored<'c: 'a, 'a>(
    facts: &mut Facts<'c, 'a>,
    value: Value<'c, 'a>,
    index: Value<'c, 'a>,
    depth: usize,
) -> Option<Bounds> {
    let inner = bounds(facts, index, depth)?;
    let value = facts.value(value);
    let greatest = &inner.upper - &Extent::constant(1);
    let lower = (&value - &greatest).as_constant()?;
    (inner.lower >= 0 && (-FAR..=FAR).contains(&lower)).then_some(())?;
    Some(Bounds {
        lower,
        upper: &value - &Extent::constant(inner.lower - 1),
    })
}

/// `value mod constant`
fn remainder_bounds<'c: 'a, 'a>(facts: &mut Facts<'c, 'a>, index: Value<'c, 'a>) -> Option<Bounds> {
    let divisor = facts.value(remainder_divisor(index)?);
    divisor.as_constant().filter(|&divisor| divisor > 0)?;
    Some(Bounds {
        lower: 0,
        upper: divisor,
    })
}

/// Induction variables, and the indices that lambdas take.
fn argument_bounds<'c: 'a, 'a>(facts: &mut Facts<'c, 'a>, index: Value<'c, 'a>) -> Option<Bounds> {
    let (parent, number) = argument_of(index)?;
    let view = OpView::of(parent);
    match view.name {
        "scf.for" if number == 0 && !view.flag("unsignedCmp") => Some(Bounds {
            lower: facts.value(view.operands[0]).as_constant()?,
            upper: facts.value(view.operands[1]),
        }),
        "soac.generate" | "soac.backpermute" => {
            let group = if view.name == "soac.generate" { 0 } else { 1 };
            let size = view.mixed("static_sizes", group).get(number)?.clone();
            Some(Bounds {
                lower: 0,
                upper: facts.resolve(&size, &view.operands),
            })
        }
        _ => None,
    }
}
