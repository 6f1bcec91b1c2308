//! Switches that give arrays, as branches.
//!
//! Bufferization does not see that what an `scf.index_switch` gives is what a case yields, and
//! writes to an array that is read later by its other name. It does see that of an `scf.if`.

use comb_kit::walk::{first_blocks, operations};
use melior::{
    Error,
    ir::{
        BlockRef, OperationRef, Value, ValueLike, operation::OperationLike,
        r#type::RankedTensorType,
    },
};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    cast::is_a,
    view::{OpView, op_name},
};

/// Makes branches of the switches of a module that give arrays.
pub(super) fn rewrite(module: OperationRef) -> Result<(), Error> {
    // Inner ones first: an outer one that is rebuilt takes them along.
    for op in operations(module).into_iter().rev() {
        let is_array = |value: Value| is_a::<RankedTensorType>(value.r#type());
        if op_name(op) == "scf.index_switch" && op.results().any(|result| is_array(result.into())) {
            branch(op)?;
        }
    }
    Ok(())
}

fn branch<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Error> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let view = OpView::of(op);
    // The default comes first.
    let blocks: Vec<BlockRef> = first_blocks(op).into_iter().flatten().collect();
    let Some((&default, blocks)) = blocks.split_first() else {
        return Ok(());
    };
    let cases = view.integers("cases");
    let cases: Vec<(i64, BlockRef)> = cases.into_iter().zip(blocks.iter().copied()).collect();
    let results = choose(&builder, &view, &cases, default)?;
    builder.replace(op, &results);
    Ok(())
}

/// What the case yields that the number names, or the default.
fn choose<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: &OpView<'c, 'a>,
    cases: &[(i64, BlockRef<'c, 'a>)],
    default: BlockRef<'c, 'a>,
) -> Result<Values<'c, 'a>, Error> {
    let Some((&(case, block), rest)) = cases.split_first() else {
        return builder.inline(default, &[]);
    };
    let is_case = builder.compare(Predicate::Eq, view.operands[0], builder.index(case)?)?;
    builder.if_else(
        is_case,
        &view.result_types,
        |builder| builder.inline(block, &[]),
        |builder| choose(builder, view, rest, default),
    )
}
