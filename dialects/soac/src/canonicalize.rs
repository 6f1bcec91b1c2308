//! Canonicalisation patterns, by op.

use melior::ir::{OperationRef, attribute::IntegerAttribute, operation::OperationLike};

use melior::{ContextRef, RewriterBase, create_op_rewrite_pattern};
use mlir_sys::{
    MlirContext, MlirRewritePatternSet, mlirPatternRewriterAsBase, mlirRewritePatternSetAdd,
};

use crate::{
    bridge::guarded_pattern,
    view::{definition, op_name},
};

/// A rewrite of one op; says whether it rewrote anything.
type Pattern = fn(OperationRef, &RewriterBase) -> bool;

/// The patterns of an op.
fn patterns(name: &str) -> &'static [Pattern] {
    match name {
        "soac.check" => &[erase_check_that_holds],
        _ => &[],
    }
}

/// A check of what is true does nothing.
fn erase_check_that_holds(op: OperationRef, rewriter: &RewriterBase) -> bool {
    let holds = op.operand(0).ok().and_then(definition).is_some_and(|op| {
        op_name(op) == "arith.constant"
            && op
                .attribute("value")
                .ok()
                .and_then(|value| IntegerAttribute::try_from(value).ok())
                .is_some_and(|value| value.value() != 0)
    });
    if holds {
        rewriter.erase_op(op);
    }
    holds
}

/// Adds the patterns of an op to a set.
///
/// # Safety
///
/// The context and the set must be alive.
pub(crate) unsafe fn populate(name: &str, context: MlirContext, set: MlirRewritePatternSet) {
    // SAFETY: the caller's promise.
    let context = unsafe { ContextRef::from_raw(context) };
    for &pattern in patterns(name) {
        let rewrite = create_op_rewrite_pattern(
            name,
            1,
            // SAFETY: the reference is to the local handle, which outlives the
            // call.
            unsafe { context.to_ref() },
            move |_, op, rewriter| {
                // SAFETY: the pattern driver passes a live op and rewriter.
                let (op, rewriter) = unsafe {
                    (
                        OperationRef::from_raw(op),
                        RewriterBase::from_raw(mlirPatternRewriterAsBase(rewriter)),
                    )
                };
                guarded_pattern(op.location(), || pattern(op, &rewriter))
            },
            &[],
        );
        // SAFETY: the set is alive and takes the pattern over.
        unsafe { mlirRewritePatternSetAdd(set, rewrite.into_raw()) };
    }
}
