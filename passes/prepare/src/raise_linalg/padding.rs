//! `tensor.pad`: an update of a fill, or of what the region gives for each index. Amounts are not negative
//! where checks were inserted.

use melior::ir::{
    BlockLike, OperationRef, Value, operation::OperationLike, r#type::RankedTensorType,
};
use soac_dialect::{
    builder::{Builder, Size, combinators::Bounds},
    cast::Parts,
    description::static_sizes,
    view::{OpView, argument_of, definition},
};

use super::{Raised, arrays::require_arrays, reason::Reason};
use comb_kit::{inline_copy::inline_copy, walk::blocks};

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
        None => builder.generate(&sizes, |builder, index| inline_copy(builder, op, index))?,
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

/// The number that an array is padded with, if it is computed in front of the op.
fn padding<'c: 'a, 'a>(op: OperationRef<'c, 'a>, view: &OpView<'c, 'a>) -> Option<Value<'c, 'a>> {
    let block = view.block()?;
    let number = block.terminator()?.operand_at(0)?;
    let is_index = argument_of(number).is_some_and(|(owner, _)| owner == op);
    let is_inside = definition(number).is_some_and(|definition| definition.block() == Some(block));
    (!is_index && !is_inside).then_some(number)
}
