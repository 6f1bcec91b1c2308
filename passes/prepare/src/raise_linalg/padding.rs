//! `tensor.pad`: an update of a fill, or of what the region gives for each index: for those of the padding only,
//! if the region may fail. Amounts are not negative where checks were inserted.

use melior::{
    Error,
    ir::{
        BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike,
        r#type::RankedTensorType,
    },
};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Values, combinators::Bounds},
    cast::Parts,
    description::static_sizes,
    view::{OpView, argument_of, definition},
};

use super::{Raised, arrays::require_arrays, reason::Reason};
use crate::hoist_invariants::is_harmless;
use comb_kit::{
    checks::facts::Facts,
    element_types::element,
    inline_copy::inline_copy,
    pass_error::PassError,
    walk::{blocks, in_block_from},
};

/// What a padded array becomes.
pub(super) fn raise<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_arrays(view, &[0]) {
        return Ok(Err(reason));
    }
    let array = view.operands[0];
    let [low, high] =
        [("static_low", 1), ("static_high", 2)].map(|(list, group)| view.mixed_values(list, group));
    if blocks(op).len() != 1 || low.is_empty() {
        return Ok(Err(Reason::Region));
    }
    let claimed = static_sizes(&RankedTensorType::try_from(view.result_types[0])?);
    let mut sizes = vec![];
    for (axis, claimed) in claimed.into_iter().enumerate() {
        let parts = [builder.size(array, axis)?, low[axis], high[axis]];
        sizes.push(match claimed {
            Some(size) => Size::Static(size),
            None => builder.sum(parts)?,
        });
    }
    let around = match padding(op, view) {
        Some(number) => builder.fill(&[number], &sizes)?,
        None if is_harmless_inside(op)? => {
            builder.generate(&sizes, |builder, index| inline_copy(builder, op, index))?
        }
        None => builder.generate(&sizes, |builder, index| {
            in_padding_only(builder, op, (array, &low), index)
        })?,
    };
    let ones = vec![Size::Static(1); sizes.len()];
    Ok(Ok(builder.update(
        array,
        around[0],
        &low,
        &ones,
        Bounds::Unchecked,
    )?))
}

/// Whether the region may run for indices that are not of the padding.
fn is_harmless_inside<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<bool, PassError<'c>> {
    let mut facts = Facts::new(true);
    for block in blocks(op) {
        for inner in in_block_from(block.first_operation()) {
            let is_end = inner.next_in_block().is_none();
            if !is_end && !is_harmless(inner, &mut facts)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// What the region gives for an index of the padding, and 0 for those of the array, which begins at `low`.
fn in_padding_only<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    (array, low): (Value<'c, 'a>, &[Size<'c, 'a>]),
    index: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let mut is_in_array = builder.integer(1, builder.integer_type(1))?;
    for (axis, &index) in index.iter().enumerate() {
        let low = builder.size_value(low[axis])?;
        let place = builder.arithmetic("arith.subi", &[index, low])?;
        let size = builder.size_value(builder.size(array, axis)?)?;
        let is_in_dimension = builder.compare(Predicate::Ult, place, size)?;
        is_in_array = builder.arithmetic("arith.andi", &[is_in_array, is_in_dimension])?;
    }
    let element = element(array.r#type());
    let zero = |builder: &Builder<'c, 'a>| match element.is_float() {
        true => builder.float(0.0, element),
        false => builder.integer(0, element),
    };
    builder.if_else(
        is_in_array,
        &[element],
        |builder| Ok(vec![zero(builder)?]),
        |builder| inline_copy(builder, op, index),
    )
}

/// The number that an array is padded with, if it is computed in front of the op.
fn padding<'c: 'a, 'a>(op: OperationRef<'c, 'a>, view: &OpView<'c, 'a>) -> Option<Value<'c, 'a>> {
    let block = view.block()?;
    let number = block.terminator()?.operand_at(0)?;
    let is_index = argument_of(number).is_some_and(|(owner, _)| owner == op);
    let is_inside = definition(number).is_some_and(|definition| definition.block() == Some(block));
    (!is_index && !is_inside).then_some(number)
}
