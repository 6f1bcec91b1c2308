//! A filter of which only the size is asked for counts elements: a fold of ones and zeros, which stores nothing, runs
//! on all threads and in lanes, and shares loops as any fold does.
//!
//! Cost: linear in the size of the program.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{OpView, is_in_cluster, op_name, uses},
};

use crate::fuse::wishes::is_bound;
use comb_kit::{inline_copy::inline_copy, pass_error::PassError, walk::operations};

/// Rewrites the filters of a module.
pub(super) fn rewrite<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        if op_name(op) == "soac.filter" && !is_in_cluster(op) && !is_bound(op) {
            count(op)?;
        }
    }
    Ok(())
}

/// Replaces a filter and the questions for its size, if there is nothing else.
fn count<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let results = op.results().map(Value::from);
    let readers: Vec<OperationRef> = results.flat_map(uses).map(|(reader, _)| reader).collect();
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    if readers.is_empty() || readers.iter().any(|&user| op_name(user) != "tensor.dim") {
        return Ok(());
    }
    let view = OpView::of(op);
    let index = builder.index_type();
    let ones = builder.map(&view.operands[view.group(0)], |builder, elements| {
        let kept = inline_copy(builder, op, elements)?[0];
        Ok(vec![builder.value(
            "arith.index_castui",
            &[kept],
            index,
            &[],
        )?])
    })?;
    let zero = builder.integer(0, index)?;
    let number = builder.fold(&ones, &[zero], |builder, numbers| {
        Ok(vec![builder.arithmetic("arith.addi", numbers)?])
    })?;
    let number = builder.extract(number[0], &[])?;
    for reader in readers {
        builder.replace(reader, &[number]);
    }
    builder.erase(op);
    Ok(())
}
