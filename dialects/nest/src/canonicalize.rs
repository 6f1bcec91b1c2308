//! Canonicalisation patterns, by op: what is carried for nothing goes ([`carry`]), and loops that do
//! not run, or run once ([`length`]), and arrays that nobody reads ([`local`]).

mod carry;
mod length;
mod local;

use melior::{
    ContextRef, RewriterBase, create_op_rewrite_pattern,
    ir::{OperationRef, operation::OperationLike},
};
use mlir_sys::{
    MlirContext, MlirRewritePattern, MlirRewritePatternSet, mlirPatternRewriterAsBase,
    mlirRewritePatternSetAdd,
};

use crate::bridge::guarded;

/// Rewrites an op, or gives nothing and leaves it alone. A pattern looks first and rewrites last.
type Pattern = for<'c, 'a> fn(OperationRef<'c, 'a>, &RewriterBase<'c, 'a>) -> Option<()>;

fn patterns(name: &str) -> &'static [Pattern] {
    match name {
        "nest.kernel" | "nest.keep" => &[carry::unchanged, carry::unused],
        "nest.loop" => &[length::never, length::once, carry::unchanged, carry::unused],
        "nest.local" => &[local::never_read],
        _ => &[],
    }
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
        // SAFETY: the set is alive and takes the pattern over.
        unsafe { mlirRewritePatternSetAdd(set, create(context, name, pattern)) };
    }
}

fn create(context: ContextRef, name: &str, pattern: Pattern) -> MlirRewritePattern {
    create_op_rewrite_pattern(
        name,
        1,
        // SAFETY: the reference is to the local handle, which outlives the call.
        unsafe { context.to_ref() },
        move |_, op, rewriter| {
            // SAFETY: the pattern driver passes a live op and rewriter.
            let (op, rewriter) = unsafe {
                (
                    OperationRef::from_raw(op),
                    RewriterBase::from_raw(mlirPatternRewriterAsBase(rewriter)),
                )
            };
            guarded(op.location(), false, || pattern(op, &rewriter).is_some())
        },
        &[],
    )
    .into_raw()
}
