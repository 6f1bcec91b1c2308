//! `soac-erase-clusters`: takes combinators out of clusters.
//!
//! Inner clusters go into the outer ones first. Cost: linear.

use comb_kit::{pass_error::PassError, walk::operations};
use melior::ir::{OperationRef, RegionLike, Value, operation::OperationLike};
use soac_dialect::{
    attributes::ORDERS,
    builder::Builder,
    view::{op_name, remove_attribute},
};

/// Runs the pass on a module.
///
/// # Errors
///
/// If a cluster has no body, which MLIR would not accept.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    erase_inside(module)
}

/// Takes apart all clusters in an op.
fn erase_inside<'c>(op: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(op).into_iter().rev() {
        match op_name(op) {
            "soac.cluster" => erase(op)?,
            name if name.starts_with("soac.") => remove_attribute(op, ORDERS),
            _ => {}
        }
    }
    Ok(())
}

/// Takes apart a cluster, and those in it.
pub fn take_apart<'c: 'a, 'a>(cluster: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    erase_inside(cluster)?;
    erase(cluster)
}

/// Takes what is in a cluster out of it.
pub fn erase<'c: 'a, 'a>(cluster: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let body = cluster.region(0)?.first_block();
    let (Some(body), Some(builder)) = (body, Builder::before(cluster)) else {
        return Ok(());
    };
    let inputs: Vec<Value> = cluster.operands().collect();
    let results = builder.inline(body, &inputs)?;
    builder.replace(cluster, &results);
    Ok(())
}
