//! Lowers combinators to linalg, scf and tensor ops, one op at a time, without
//! fusion.
//!
//! Phases:
//! 1. Collect all ops of the dialect, inner ones first.
//! 2. Replace each by ops in front of it. Structured ops become
//!    `linalg.generic`; those with a state (scans, filters, scatters), and those
//!    whose lambda computes arrays, become `scf` loops that carry the result.
//! 3. Arrays without a value become empty ones.
//!
//! What an op requires of its operands is taken for granted: `soac-insert-checks`
//! has made it explicit. Indices that a lambda or an index array computes are
//! checked here, where they are used.
//!
//! Cost: linear in the number of ops.

pub mod indexing;
pub mod lambda;
mod mapnest;
mod pointwise;
mod poison;
mod rearrangement;
mod reduction;
mod scatter;
mod selection;
mod slices;
mod sort;
mod update;

use comb_kit::{pass_error::PassError, target::Target, walk::operations};
use melior::ir::{
    OperationRef,
    attribute::FlatSymbolRefAttribute,
    operation::{OperationLike, OperationMutLike, OperationRefMut, WalkOrder, WalkResult},
};
use soac_dialect::{
    builder::Values,
    cast::Parts,
    text::{reference_bytes, symbol_bytes},
    view::{OpView, is_combinator, op_name},
};

use crate::insert_checks;

/// Lowers all combinators of a module. With `unchecked`, every index is taken
/// to be in range.
///
/// # Errors
///
/// If an op is not of the dialect's core or sugar, or MLIR rejects what was
/// built.
pub fn run<'c>(module: OperationRef<'c, '_>, unchecked: bool) -> Result<(), PassError<'c>> {
    for op in combinators(module) {
        lower(op, unchecked)?;
    }
    for op in operations(module) {
        if op_name(op) == "ub.poison" {
            poison::lower(op)?;
        }
    }
    insert_checks::forget(module);
    Ok(())
}

/// All combinators, inner ones before the ops that contain them.
fn combinators<'c, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    module.walk(WalkOrder::PostOrder, |op| {
        // SAFETY: the op belongs to the module; ops are erased only by `lower`,
        // each after it was visited.
        let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
        if is_combinator(op) {
            found.push(op);
        }
        WalkResult::Advance
    });
    found
}

fn lower<'c, 'a>(op: OperationRef<'c, 'a>, unchecked: bool) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let Some(target) = Target::new(op, view, unchecked)? else {
        return Ok(());
    };
    let results = lower_to_values(&target)?;
    target.replace(&results)
}

fn lower_to_values<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    match target.view.mnemonic() {
        "generate" => pointwise::generate(target),
        "map" => pointwise::map(target),
        "gather" => indexing::gather(target),
        "backpermute" => indexing::backpermute(target),
        "scatter" => scatter::scatter(target),
        "fold" => reduction::fold(target),
        "scanl" | "scanr" => reduction::scan(target),
        "filter" => selection::filter(target),
        "sort" => sort::sort(target),
        "force" | "zip" => Ok(target.view.operands.clone()),
        "cross" => rearrangement::cross(target),
        "external" => external(target),
        "concat" => update::concat(target),
        "update" => update::update(target),
        "lmad_slice" => indexing::lmad_slice(target),
        "lmad_update" => update::lmad_update(target),
        "iota" => pointwise::iota(target),
        "fill" => pointwise::fill(target),
        "replicate" => rearrangement::replicate(target),
        "reverse" => rearrangement::reverse(target),
        "rotate" => rearrangement::rotate(target),
        "slice" => rearrangement::slice(target),
        "take" => rearrangement::take(target),
        "drop" => rearrangement::drop_outer(target),
        "transpose" => rearrangement::transpose(target),
        "reshape" => rearrangement::reshape(target),
        "cluster" => cluster(target),
        _ => Err(target.unsupported("has no lowering")),
    }
}

/// The combinators of a cluster, without the cluster.
fn cluster<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let body = target.lambda()?;
    Ok(target.builder.inline(body, &target.view.operands)?)
}

/// An opaque call: a call of the function with the C interface.
fn external<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let Some(callee) = target
        .view
        .attribute("callee")
        .and_then(|callee| FlatSymbolRefAttribute::try_from(callee).ok())
    else {
        return Err(target.unsupported("has no callee"));
    };
    mark_c_interface(target, reference_bytes(callee));
    let call = target.builder.op(
        "func.call",
        &target.view.operands,
        &target.view.result_types,
        &[("callee", callee.into())],
        vec![],
    )?;
    Ok(call.results().map(Into::into).collect())
}

/// A function that is only declared is linked through its C interface.
fn mark_c_interface(target: &Target, callee: &[u8]) {
    let mut ancestor = target.op.parent_operation();
    while let Some(op) = ancestor {
        if op_name(op) == "builtin.module" {
            break;
        }
        ancestor = op.parent_operation();
    }
    let Some(module) = ancestor else { return };
    module.walk(WalkOrder::PreOrder, |op| {
        if op_name(op) != "func.func" {
            return WalkResult::Advance;
        }
        let named = symbol_bytes(op) == Some(callee);
        let declared = op
            .region_at(0)
            .is_some_and(|region| melior::ir::RegionLike::first_block(&region).is_none());
        if named && declared {
            let unit = target.builder.unit();
            // SAFETY: the op is alive; only an attribute is set.
            let mut function = unsafe { OperationRefMut::from_raw(op.to_raw()) };
            function.set_attribute("llvm.emit_c_interface", unit);
        }
        WalkResult::Skip
    });
}
