//! `bufferization.to_tensor`: the array has the elements that memory had when the op ran, and keeps
//! them. Where something may write to memory afterwards, the array is a copy.
//!
//! Memory is written by every op that is given memory and is not known to look at it only. Which
//! memory it is does not matter. Such an op runs before the array is made, and never again after that,
//! if it, or an op that it is in, stands before it, and no loop is around both.

use melior::{
    Error,
    ir::{
        BlockLike, OperationRef, RegionLike, RegionRef, TypeLike, Value, ValueLike,
        operation::OperationLike,
    },
};
use soac_dialect::{
    builder::Builder,
    view::{op_name, stands_before},
};

use crate::walk::{ancestors, operations};

/// Ops that are given memory, and neither write to it nor read from it.
const VIEWS: &[&str] = &[
    "bufferization.to_tensor",
    "func.return",
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.dim",
    "memref.expand_shape",
    "memref.extract_aligned_pointer_as_index",
    "memref.extract_strided_metadata",
    "memref.memory_space_cast",
    "memref.rank",
    "memref.reinterpret_cast",
    "memref.reshape",
    "memref.subview",
    "memref.transpose",
    "memref.view",
    "scf.yield",
];

/// Ops that are given memory, and only read from it.
const READERS: &[&str] = &["affine.load", "memref.load", "vector.load", "vector.gather"];

/// Ops whose regions run once at most for each time that the op runs.
const NO_LOOPS: &[&str] = &[
    "func.func",
    "scf.if",
    "scf.execute_region",
    "scf.index_switch",
];

/// Makes copies of the arrays of a module that need it.
///
/// # Errors
///
/// If MLIR rejects the copies.
pub fn copy(module: OperationRef) -> Result<(), Error> {
    let ops = operations(module);
    let has_globals = ops.iter().any(|&op| op_name(op) == "memref.global");
    for &op in ops
        .iter()
        .filter(|&&op| op_name(op) == "bufferization.to_tensor")
    {
        let Some(function) = ancestors(op).find(|&op| op_name(op) == "func.func") else {
            continue;
        };
        let reads_matter = op.has_attribute("writable");
        let is_kept = operations(function).into_iter().all(|other| {
            !touches(other, reads_matter, has_globals) || runs_before(other, op, function)
        });
        if !is_kept {
            copy_result(op)?;
        }
    }
    Ok(())
}

/// Whether an op may write to memory, or, if reads matter, read from it.
fn touches(op: OperationRef, reads_matter: bool, has_globals: bool) -> bool {
    let name = op_name(op);
    if has_globals && matches!(name, "func.call" | "func.call_indirect" | "soac.external") {
        return true;
    }
    // SAFETY: the type is alive.
    let is_memory = |value: Value| unsafe {
        let r#type = value.r#type().to_raw();
        mlir_sys::mlirTypeIsAMemRef(r#type) || mlir_sys::mlirTypeIsAUnrankedMemRef(r#type)
    };
    op.operands().any(is_memory)
        && !VIEWS.contains(&name)
        && (reads_matter || !READERS.contains(&name))
}

/// Whether an op is certain to run before another one, and never after that.
fn runs_before<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    other: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> bool {
    let with_itself = |op| std::iter::once(op).chain(ancestors(op));
    with_itself(other).any(|outer| {
        let is_in_loop = ancestors(outer)
            .take_while(|&around| around != function)
            .any(|around| !NO_LOOPS.contains(&op_name(around)));
        !is_in_loop && with_itself(op).any(|inner| stands_before(inner, outer))
    }) && has_one_block(function)
}

/// Whether a function has no branches between blocks, which may go back.
fn has_one_block(function: OperationRef) -> bool {
    let blocks = |region: RegionRef| {
        region
            .first_block()
            .is_none_or(|block| block.next_in_region().is_none())
    };
    function.regions().all(blocks)
}

/// Has everybody use a copy of an array that is made right behind it.
fn copy_result<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Error> {
    let Some(builder) = Builder::after(op) else {
        return Ok(());
    };
    let array: Value = op.result(0)?.into();
    let segments = [("operandSegmentSizes", builder.segments(&[0, 1, 0]))];
    let copy = builder.op(
        "bufferization.alloc_tensor",
        &[array],
        &[array.r#type()],
        &segments,
        vec![],
    )?;
    builder.replace_uses(array, copy.result(0)?.into(), Some(copy));
    Ok(())
}
