//! What is done in a lambda or a loop, once more elsewhere.

use melior::{
    Error,
    ir::{
        BlockLike, BlockRef, Operation, OperationRef, Region, RegionLike, Value,
        operation::OperationLike,
    },
};
use soac_dialect::{
    builder::{Builder, Values},
    view::OpView,
};

/// What the first region of an op yields for the given arguments, computed by a copy of it.
///
/// # Errors
///
/// If the op has no region, or its block no terminator.
pub fn inline_copy<'c, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    arguments: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let copy = Operation::clone(&op);
    let Some(body) = copy.region(0)?.first_block().map(|block| block.to_raw()) else {
        return Ok(vec![]);
    };
    // SAFETY: what the block contains is moved into the IR, which lives for 'a;
    // the copy lives until then.
    let body: BlockRef<'c, 'a> = unsafe { BlockRef::from_raw(body) };
    builder.inline(body, arguments)
}

/// A copy of the lambda of an op, if it has one.
///
/// # Errors
///
/// As for [`inline_copy`].
pub fn lambda_copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<Option<Region<'c>>, Error> {
    let Some(arguments) = OpView::of(op).lambda_arguments() else {
        return Ok(None);
    };
    let copy = builder.region(&arguments, "soac.yield", |builder, values| {
        inline_copy(builder, op, values)
    })?;
    Ok(Some(copy))
}
