//! `comb-scope-allocas`: bounds the stack that loops take.
//!
//! The memory of a `memref.alloca` in an `scf` loop is free after the iteration,
//! but upstream's lowering to branches keeps it until the function returns. So
//!
//! * an allocation of constant size moves to the start of its function, which takes
//!   the memory once for all iterations;
//! * an iteration with other allocations saves the stack where it begins, and
//!   restores it where it ends.
//!
//! Lowering to LLVM makes more of the first kind, as for `memref.dim` at an index that varies.
//! So the pass runs again when all is lowered: an `llvm.alloca` of constant size moves to the first
//! block of its function, or of what threads run for themselves.
//!
//! Cost: linear in the number of ops, times the depth of loops.

use comb_kit::{
    pass_error::PassError,
    walk::{ancestors, first_block, operations},
};
use melior::{
    Error,
    ir::{BlockRef, OperationRef, ValueLike, block::BlockLike, operation::OperationLike},
};
use soac_dialect::{
    builder::Builder,
    view::{definition, op_name},
};

/// Ops whose regions run several times.
const LOOPS: &[&str] = &["scf.for", "scf.while", "scf.parallel", "scf.forall"];

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut iterations: Vec<BlockRef> = vec![];
    for op in operations(module) {
        if op_name(op) == "llvm.alloca" {
            hoist_lowered(op)?;
        }
        if op_name(op) != "memref.alloca" {
            continue;
        }
        let Some(iteration) = innermost_iteration(op) else {
            continue;
        };
        if op.operand_count() == 0 {
            hoist(op)?;
        } else if !iterations.contains(&iteration) {
            iterations.push(iteration);
        }
    }
    iterations.into_iter().try_for_each(restore_stack)
}

/// The block of the innermost loop around an op that is executed in every iteration.
fn innermost_iteration<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    let mut child = op;
    loop {
        let parent = child.parent_operation()?;
        if LOOPS.contains(&op_name(parent)) {
            return child.block();
        }
        if !op_name(parent).starts_with("scf.") {
            return None;
        }
        child = parent;
    }
}

/// Moves an allocation to the start of what is around all `scf` ops around it.
///
/// # Errors
///
/// If nothing is around them.
pub fn hoist<'c: 'a, 'a>(allocation: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let mut around = allocation.parent_operation();
    while let Some(op) = around.filter(|&op| op_name(op).starts_with("scf.")) {
        around = op.parent_operation();
    }
    let start = around
        .and_then(first_block)
        .and_then(|block| block.first_operation())
        .and_then(Builder::before)
        .ok_or(Error::OperationBuild)?;
    start.move_here(allocation);
    Ok(())
}

/// Ops whose first block runs once, and takes memory that is free when they end.
const FRAMES: &[&str] = &["llvm.func", "omp.parallel"];

fn hoist_lowered<'c: 'a, 'a>(allocation: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let size = allocation.operand(0)?;
    let frame = ancestors(allocation).find(|&op| FRAMES.contains(&op_name(op)));
    let (Some(constant), Some(block)) = (definition(size), frame.and_then(first_block)) else {
        return Ok(());
    };
    if op_name(constant) != "llvm.mlir.constant" || allocation.block() == Some(block) {
        return Ok(());
    }
    let start = block.first_operation().and_then(Builder::before);
    let start = start
        .ok_or(Error::OperationBuild)?
        .located(allocation.location());
    let value = constant.attribute("value")?;
    let size = start.value(op_name(constant), &[], size.r#type(), &[("value", value)])?;
    start.set_operand(allocation, 0, size);
    start.move_here(allocation);
    Ok(())
}

fn restore_stack<'c: 'a, 'a>(iteration: BlockRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let start = iteration.first_operation().and_then(Builder::before);
    let end = iteration.terminator().and_then(Builder::before);
    let (Some(start), Some(end)) = (start, end) else {
        return Ok(());
    };
    let pointer = start.r#type("!llvm.ptr")?;
    let saved = start.value("llvm.intr.stacksave", &[], pointer, &[])?;
    end.op("llvm.intr.stackrestore", &[saved], &[], &[], vec![])?;
    Ok(())
}
