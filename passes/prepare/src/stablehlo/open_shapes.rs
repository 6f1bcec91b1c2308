//! Shapes of which some sizes are known only when the program runs, as `jax.export` has them of
//! symbolic shapes.
//!
//! Sizes come from an operand, an array with a number for each dimension; those that are in the
//! type are not asked of it.

use melior::ir::{OperationRef, Value, attribute::StringAttribute, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Values, combinators::Bounds},
    view::op_name,
};

use super::{
    element::{self, Kind, Open},
    gathers::index,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// The sizes of an array to build with, of which the type does not say those that are given.
pub(super) fn extents<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    array: &Open<'c>,
    given: Option<Value<'c, 'a>>,
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    let sizes = array.sizes.iter().enumerate();
    sizes
        .map(|(axis, size)| match (size, given) {
            (Some(size), _) => Ok(Size::Static(*size as i64)),
            (None, None) => Err(unsupported(op, "has a result whose sizes nothing says")),
            (None, Some(given)) => {
                let operand = (op.operand_count() - 1, given);
                let size = number_of(op, builder, operand, (axis, array.rank()))?;
                Ok(Size::Dynamic(size))
            }
        })
        .collect()
}

/// The number that an operand has for one of so many dimensions.
pub(super) fn number_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    (operand, array): (usize, Value<'c, 'a>),
    (axis, rank): (usize, usize),
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let form = element::operand(op, operand)?;
    if form.sizes != [rank as u64] {
        return Err(unsupported(op, "needs a number for each dimension"));
    }
    let number = builder.extract(array, &[builder.index(axis as i64)?])?;
    Ok(index(builder, number, form.element.kind == Kind::Unsigned)?)
}

/// `stablehlo.dynamic_reshape`.
pub(super) fn reshape<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    (from, to): &(Open<'c>, Open<'c>),
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let extents = extents(op, builder, to, operands.get(1).copied())?;
    match from.rank() {
        0 => Ok(builder.fill(&[builder.extract(operands[0], &[])?], &extents)?),
        _ => Ok(builder.reshape(&operands[..1], &extents)?),
    }
}

/// `stablehlo.dynamic_broadcast_in_dim`. A dimension whose size is not known is not repeated, which
/// is checked when the program runs.
pub(super) fn broadcast<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    (from, to): &(Open<'c>, Open<'c>),
    dimensions: &[usize],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let extents = extents(op, builder, to, operands.get(1).copied())?;
    let array = operands[0];
    if from.rank() == 0 {
        return Ok(builder.fill(&[builder.extract(array, &[])?], &extents)?);
    }
    if dimensions.len() != from.rank() {
        return Err(unsupported(op, "has dimensions that do not fit"));
    }
    let is_repeated =
        |axis: usize| from.sizes[axis] == Some(1) && to.sizes[dimensions[axis]] != Some(1);
    for (axis, &dimension) in dimensions.iter().enumerate() {
        if !is_repeated(axis) {
            let what = "repeats a dimension whose size is not known, which is not supported";
            same_size(
                op,
                builder,
                builder.size(array, axis)?,
                extents[dimension],
                what,
            )?;
        }
    }
    let in_order = dimensions.is_sorted();
    let is_new = |dimension: &usize| !dimensions.contains(dimension);
    let only_ones = (0..to.rank())
        .filter(is_new)
        .all(|dimension| to.sizes[dimension] == Some(1));
    if in_order && only_ones && !(0..from.rank()).any(is_repeated) {
        return Ok(builder.reshape(&[array], &extents)?);
    }
    Ok(
        builder.backpermute(&[array], &extents, Bounds::Unchecked, |builder, indices| {
            (0..from.rank())
                .map(|axis| match is_repeated(axis) {
                    true => builder.index(0),
                    false => Ok(indices[dimensions[axis]]),
                })
                .collect()
        })?,
    )
}

/// Checks that two sizes are equal: now, if they are known, or else when the program runs.
pub(super) fn same_size<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    one: Size<'c, 'a>,
    other: Size<'c, 'a>,
    what: &str,
) -> Result<(), PassError<'c>> {
    match (one.known(), other.known()) {
        (Some(one), Some(other)) if one == other => Ok(()),
        (Some(_), Some(_)) => Err(unsupported(op, what)),
        _ => {
            let sizes = [builder.size_value(one)?, builder.size_value(other)?];
            let is_same = builder.compare(Predicate::Eq, sizes[0], sizes[1])?;
            check(op, builder, is_same, what)
        }
    }
}

/// Whether a call checks what the program says of symbolic sizes.
pub(super) fn is_assertion(op: OperationRef) -> bool {
    super::control::target(op) == Some("shape_assertion")
}

/// `shape_assertion`, a call with a truth value and numbers that the message has places for. It is
/// given as far as it speaks of this assertion, without the numbers.
pub(super) fn assertion<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let [holds, ..] = *operands else {
        return Err(unsupported(op, "needs a condition"));
    };
    let message = op.attribute("error_message").ok();
    let message = message.and_then(|message| StringAttribute::try_from(message).ok());
    let message = message.map_or("", |message| message.value());
    let (short, _) = message
        .split_once(" Using the following")
        .unwrap_or((message, ""));
    let numbers = 0..operands.len() - 1;
    let short = numbers.fold(short.to_owned(), |short, number| {
        let place = format!("{{{number}}}");
        let without = short.replace(&format!(" (= {place})"), "");
        without.replace(&place, "…")
    });
    assert(builder, builder.extract(holds, &[])?, &short)?;
    Ok(vec![])
}

/// Checks something of an op when the program runs.
pub(super) fn check<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    holds: Value<'c, 'a>,
    what: &str,
) -> Result<(), PassError<'c>> {
    assert(builder, holds, &format!("'{}' op {what}", op_name(op)))
}

fn assert<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    holds: Value<'c, 'a>,
    message: &str,
) -> Result<(), PassError<'c>> {
    let message = [("msg", builder.string(message))];
    builder.op("cf.assert", &[holds], &[], &message, vec![])?;
    Ok(())
}
