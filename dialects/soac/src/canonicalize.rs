//! Canonicalisation patterns, by op.
//!
//! A pattern keeps the meaning exactly: an op that may fail when it runs is
//! removed only if everything it requires of its operands is known to hold.

mod check;
mod cluster;
mod concat;
mod elementwise;
mod force;
mod indexed;
mod mixed;
mod rearrangement;
mod reduction;
mod rewrite;
mod unused;
mod update;

use melior::{
    ContextRef, RewriterBase, StringRef, create_op_rewrite_pattern,
    ir::{OperationRef, operation::OperationLike},
};
use mlir_sys::{
    MlirContext, MlirRewritePattern, MlirRewritePatternSet, MlirStringRef,
    mlirPatternRewriterAsBase, mlirRewritePatternSetAdd,
};

use crate::{bridge::guarded_pattern, view::is_in_cluster};
use rewrite::Rewrite;

/// Rewrites an op, or gives nothing and leaves it alone.
type Pattern = for<'c, 'a> fn(&Rewrite<'c, 'a>) -> Option<()>;

/// The label of patterns that make structured ops of core ones. They leave clusters alone, which are of
/// the core; passes that take the core only disable them
/// (`canonicalize{disable-patterns=soac-sugar}`).
const SUGAR: &str = "soac-sugar";

/// Patterns with the label [`SUGAR`].
fn sugaring(name: &str) -> &'static [Pattern] {
    match name.strip_prefix("soac.").unwrap_or(name) {
        "generate" => &[
            elementwise::constant_element,
            elementwise::generate_of_index,
        ],
        "map" => &[elementwise::constant_element],
        "filter" => &[reduction::filter_by_constant],
        "fold" => &[reduction::fold_of_nothing],
        _ => &[],
    }
}

/// The other patterns of an op.
fn patterns(name: &str) -> Vec<Pattern> {
    let own: &[Pattern] = match name.strip_prefix("soac.").unwrap_or(name) {
        "generate" => &[elementwise::unused_results],
        "map" => &[
            elementwise::map_of_identity,
            elementwise::unused_results,
            elementwise::duplicate_inputs,
            elementwise::unused_inputs,
        ],
        "gather" => &[
            indexed::gather_of_iota,
            indexed::gather_of_fill,
            unused::unused_results,
        ],
        "scatter" => &[indexed::scatter_of_nothing],
        "fold" => &[reduction::unused_results],
        "scanl" | "scanr" => &[reduction::scan_of_nothing, reduction::unused_results],
        "filter" => &[reduction::filter_of_nothing, reduction::unused_results],
        "sort" => &[reduction::sort_of_short_rows, reduction::unused_results],
        "force" => &[force::of_force, unused::unused_results],
        "fill" | "backpermute" => &[unused::unused_results],
        "concat" => &[concat::without_empty, concat::of_concat],
        "update" => &[update::of_everything],
        "reverse" => &[
            rearrangement::reverse_of_reverse,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "rotate" => &[
            rearrangement::normalize_rotation,
            rearrangement::rotate_of_rotate,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "slice" => &[
            rearrangement::slice_of_slice,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "take" => &[
            rearrangement::take_of_take,
            rearrangement::slice_of_slice,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "drop" => &[
            rearrangement::drop_of_drop,
            rearrangement::slice_of_slice,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "transpose" => &[
            rearrangement::transpose_of_transpose,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "reshape" => &[
            rearrangement::reshape_of_reshape,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "replicate" => &[
            rearrangement::replicate_of_replicate,
            rearrangement::rearrangement_of_fill,
            unused::unused_results,
        ],
        "check" => return vec![check::that_holds],
        "cluster" => {
            return vec![
                cluster::without_combinators,
                cluster::inputs,
                cluster::results,
            ];
        }
        _ => &[],
    };
    let of_every_op: &[Pattern] = &[mixed::constants, mixed::casts];
    [of_every_op, own].concat()
}

/// Adds the patterns of an op to a set.
///
/// # Safety
///
/// The context and the set must be alive.
pub(crate) unsafe fn populate(name: &str, context: MlirContext, set: MlirRewritePatternSet) {
    // SAFETY: the caller's promise.
    let context = unsafe { ContextRef::from_raw(context) };
    for pattern in patterns(name) {
        // SAFETY: the set is alive and takes the pattern over.
        unsafe { mlirRewritePatternSetAdd(set, create(context, name, pattern, |_| true)) };
    }
    for &pattern in sugaring(name) {
        // SAFETY: as above; the label is static.
        unsafe {
            let pattern = create(context, name, pattern, |op| !is_in_cluster(op));
            mlirRewritePatternSetAdd(set, pattern);
            soacLabelLastPattern(set, StringRef::new(SUGAR).to_raw());
        }
    }
}

unsafe extern "C" {
    /// Gives the pattern that was added last a label, which must be static.
    fn soacLabelLastPattern(set: MlirRewritePatternSet, label: MlirStringRef);
}

/// A pattern for the ops with a name that have their place.
fn create(
    context: ContextRef,
    name: &str,
    pattern: Pattern,
    has_place: fn(OperationRef) -> bool,
) -> MlirRewritePattern {
    create_op_rewrite_pattern(
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
            guarded_pattern(op.location(), || {
                has_place(op) && pattern(&Rewrite::new(op, rewriter)).is_some()
            })
        },
        &[],
    )
    .into_raw()
}
