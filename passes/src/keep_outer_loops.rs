//! `comb-keep-outer-loops`: LLVM unrolls only loops that hold no other loop.
//!
//! LLVM also unrolls small loops around loops. That saves a branch in as many
//! instructions as the inner loops take, and makes up to four times as much code of
//! them, which all passes after it have to go through: half of the code of a program
//! with many loops. So every loop with another one inside is marked.
//!
//! Cost: linear in the number of ops, times the depth of loops.

use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{op_name, set_attribute},
};

use crate::{
    bridge::PassError,
    walk::{ancestors, operations},
};

/// Loops that LLVM could unroll.
const LOOPS: &[&str] = &["scf.for", "scf.while"];

/// What says so to LLVM. The lowering of a loop to branches hands it on.
const ANNOTATION: &str = "loop_annotation";
const NO_UNROLLING: &str = "#llvm.loop_annotation<unroll = <disable = true>>";

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR does not know the attribute.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for inner in operations(module).into_iter().filter(is_loop) {
        if let Some(outer) = ancestors(inner).find(is_loop) {
            keep(outer)?;
        }
    }
    Ok(())
}

fn is_loop(op: &OperationRef) -> bool {
    LOOPS.contains(&op_name(*op))
}

/// Marks a loop, if it has no annotation yet.
fn keep<'c>(outer: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    if outer.has_attribute(ANNOTATION) {
        return Ok(());
    }
    if let Some(builder) = Builder::before(outer) {
        set_attribute(outer, ANNOTATION, builder.attribute(NO_UNROLLING)?);
    }
    Ok(())
}
