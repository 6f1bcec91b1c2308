//! `soac-insert-checks`: makes explicit what must hold when the program runs.
//!
//! Phases:
//! 1. Arithmetic on whole arrays becomes `soac.map`; constant arrays of equal elements become `soac.fill`.
//! 2. Arrays of memory that may be written afterwards become copies.
//! 3. One walk over the module in program order, but not into functions in which all is checked. In front
//!    of every op go the checks of what it needs and is not known to hold; arithmetic whose result
//!    may be undefined is made safe; functions that MLIR has no code for are spelled out;
//!    arithmetic of the `index` dialect becomes that of `arith`; assertions become checks. Checks are inserted
//!    where the op is, so that they run only if it does.
//! 4. Functions get the attribute `soac.has_checks`: when the pass runs again, they are left alone. Where a
//!    function without it may be inlined into one that has it, the attribute becomes
//!    `soac.clusters_have_checks`, which says less ([`distrust_some`]).
//!
//! Cost: linear in the size of the program.

use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::{
    attributes::{CLUSTERS_HAVE_CHECKS, HAS_CHECKS},
    builder::Builder,
    view::{OpView, op_name, remove_attribute, set_attribute},
};

pub use comb_kit::checks::site::Counts;
use comb_kit::{
    checks::{
        arithmetic, assertions, elementwise, facts::Facts, index_arithmetic, indexing, least,
        packing, shapes, site::Site, snapshots, spelled_out, splats, structured,
    },
    pass_error::PassError,
    walk::{ancestors, operations},
};

/// Runs the pass on a module. With `unchecked`, arithmetic gets its defined
/// meaning and no checks are inserted.
///
/// # Errors
///
/// If an op is certain to fail, or is arithmetic on arrays of elements that the
/// dialect does not have.
pub fn run<'c>(module: OperationRef<'c, '_>, unchecked: bool) -> Result<Counts, PassError<'c>> {
    raise_arithmetic(module)?;
    snapshots::copy(module)?;
    let mut counts = Counts::default();
    let mut facts = Facts::new(unchecked);
    for op in operations(module) {
        if op_name(op) == "cf.assert" {
            assertions::rewrite(op)?;
            continue;
        }
        if !is_checked(op) {
            check(op, &mut facts, &mut counts)?;
        }
        facts.learn(op);
    }
    if !unchecked {
        mark_functions(module);
    }
    Ok(counts)
}

/// Makes `soac.map` of arithmetic on whole arrays, and `soac.fill` of constant arrays of equal elements.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn raise_arithmetic<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        elementwise::rewrite(op)?;
    }
    for op in operations(module) {
        splats::rewrite(op)?;
    }
    Ok(())
}

/// Checks in front of some ops of a module, for a pass that takes for granted what they need.
pub fn check_some<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    unchecked: bool,
    is_wanted: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Result<(), PassError<'c>> {
    let (mut facts, mut counts) = (Facts::new(unchecked), Counts::default());
    for op in operations(module) {
        if is_wanted(op) {
            check(op, &mut facts, &mut counts)?;
        }
        facts.learn(op);
    }
    Ok(())
}

/// Whether all that an op needs was checked when the pass ran before.
fn is_checked(op: OperationRef) -> bool {
    let has = |mark| ancestors(op).any(|outer| is_function(outer) && outer.has_attribute(mark));
    let is_in_cluster = || ancestors(op).any(|outer| op_name(outer) == "soac.cluster");
    has(HAS_CHECKS) || has(CLUSTERS_HAVE_CHECKS) && is_in_cluster()
}

fn is_function(op: OperationRef) -> bool {
    op_name(op) == "func.func"
}

/// Takes marks away if a function has none, since it may be inlined into one that has: from clusters if it has
/// clusters, and from all else.
pub fn distrust_some(module: OperationRef) {
    let ops = operations(module);
    let unmarked = |op| !ancestors(op).any(is_marked);
    let has_unmarked_clusters =
        (ops.iter()).any(|&op| op_name(op) == "soac.cluster" && unmarked(op));
    let has_unmarked = (ops.iter()).any(|&op| op_name(op) == "func.return" && unmarked(op));
    if has_unmarked_clusters {
        forget(module);
    } else if has_unmarked {
        let marked = (ops.into_iter()).filter(|op| op.has_attribute(HAS_CHECKS));
        for function in marked {
            remove_attribute(function, HAS_CHECKS);
            mark(function, CLUSTERS_HAVE_CHECKS);
        }
    }
}

fn is_marked(op: OperationRef) -> bool {
    op.has_attribute(HAS_CHECKS) || op.has_attribute(CLUSTERS_HAVE_CHECKS)
}

/// Takes the marks away, when clusters are no more.
pub fn forget(module: OperationRef) {
    for op in std::iter::once(module).chain(operations(module)) {
        if is_function(op) {
            remove_attribute(op, HAS_CHECKS);
            remove_attribute(op, CLUSTERS_HAVE_CHECKS);
        }
    }
}

fn mark_functions(module: OperationRef) {
    for op in operations(module) {
        if is_function(op) {
            remove_attribute(op, CLUSTERS_HAVE_CHECKS);
            mark(op, HAS_CHECKS);
        }
    }
}

fn mark(function: OperationRef, attribute: &str) {
    if let Some(builder) = Builder::before(function) {
        set_attribute(function, attribute, builder.unit());
    }
}

fn check<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    facts: &mut Facts<'c, 'a>,
    counts: &mut Counts,
) -> Result<(), PassError<'c>> {
    let name = op_name(op);
    let Some((dialect, mnemonic)) = name.split_once('.') else {
        return Ok(());
    };
    match (dialect, mnemonic) {
        ("soac", "check") => Ok(()),
        ("soac", "yield") => check_yield(op, facts, counts),
        ("soac", _) => match Site::new(op, name, facts, counts) {
            Some(mut site) => {
                shapes::check_op(&mut site, &OpView::of(op))?;
                Ok(least::replace(&mut site, op)?)
            }
            None => Ok(()),
        },
        ("tensor", "parallel_insert_slice") => {
            // Only such ops may stand beside it.
            let place = op.parent_operation().unwrap_or(op);
            match Site::new(place, name, facts, counts) {
                Some(mut site) => check_indexing(&mut site, op),
                None => Ok(()),
            }
        }
        ("linalg", _) => match Site::new(op, name, facts, counts) {
            Some(mut site) => {
                packing::check_op(&mut site, &OpView::of(op))?;
                structured::check_op(&mut site, op)
            }
            None => Ok(()),
        },
        ("tensor" | "scf", _) | ("bufferization", "alloc_tensor") => {
            match Site::new(op, name, facts, counts) {
                Some(mut site) => check_indexing(&mut site, op),
                None => Ok(()),
            }
        }
        ("arith" | "index" | "math", _) => match Site::new(op, name, facts, counts) {
            Some(mut site) => {
                arithmetic::define(&mut site, op, mnemonic)?;
                match dialect {
                    "index" => index_arithmetic::rewrite(&site, op, mnemonic),
                    _ => spelled_out::rewrite(&site, op, mnemonic),
                }
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn check_indexing<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    indexing::check_op(site, op)?;
    indexing::define(site, op)?;
    Ok(least::replace(site, op)?)
}

/// In front of a lambda's end: what it yields is what the op around it promises.
fn check_yield<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    facts: &mut Facts<'c, 'a>,
    counts: &mut Counts,
) -> Result<(), PassError<'c>> {
    let Some(parent) = op.parent_operation() else {
        return Ok(());
    };
    let yielded: Vec<_> = op.operands().collect();
    match Site::new(op, op_name(parent), facts, counts) {
        Some(mut site) => Ok(shapes::check_yield(&mut site, parent, &yielded)?),
        None => Ok(()),
    }
}
