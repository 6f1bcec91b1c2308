//! Makes a loop nest over scalars of each cluster, and of each combinator in none: a `nest.kernel`.
//!
//! Phases, for each cluster or combinator that is in no other:
//! 1. [`read`](crate::cluster_loops::read) makes a plan of it: the tree of its loops, and what is
//!    in each.
//! 2. [`storage`] decides which arrays are stored, and where: a pure function of the plan.
//! 3. [`kernel`] makes the kernel, with [`loops`] and what they carry, and the element that each
//!    combinator computes at an iteration ([`steps`], [`positions`], [`inner_arrays`]).
//!
//! What puts arrays together, or one into another, is a kernel without a plan
//! ([`assembled`]). The combinators in the lambdas of maps over inner arrays are lowered when
//! they have been copied into a kernel, to loops there; elements of the slices that lambdas take are read
//! from the arrays ([`slices`]).
//!
//! Nothing here depends on a machine. A cluster that has no form is taken apart, a combinator without one
//! stays, both with a remark that says why.
//!
//! Cost: linear in the size of the program.

mod assembled;
mod inner_arrays;
mod kernel;
mod loops;
mod positions;
mod slices;
mod steps;
mod storage;

use std::collections::HashSet;

use comb_kit::{
    pass_error::PassError,
    remarks::{Kind as RemarkKind, Remark},
    walk::{ancestors, op_key},
};
use comb_prepare::insert_checks;
use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    text::{shown, symbol_bytes},
    view::op_name,
};

use crate::{
    cluster_loops::{
        outermost,
        read::{self, NotPlanned},
    },
    nests::kernels,
    scatter_wishes,
};

/// Ops on arrays that compute no elements themselves.
const WHOLE: &[&str] = &["soac.force", "soac.reshape", "soac.external"];

/// What a run of the pass did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Clusters, and combinators in none, that became kernels.
    pub kernels: i64,
    /// Combinators, in no cluster, without such a form.
    pub left: i64,
    /// Clusters without such a form.
    pub taken_apart: i64,
}

/// Why a cluster or combinator stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNested {
    /// There is no plan of it.
    #[error(transparent)]
    NotPlanned(#[from] NotPlanned),
    /// A sort is no loop nest.
    #[error("a sort reads a row whole before it writes any of it")]
    Sort,
    /// An iteration of an inner loop computes what a filter keeps from what it does not keep.
    #[error("what a filter keeps is computed in an inner loop from what is computed there for all")]
    KeptInside,
}

impl From<melior::Error> for NotNested {
    fn from(_: melior::Error) -> Self {
        Self::NotPlanned(NotPlanned::Invalid)
    }
}

/// Makes kernels of what has such a form. With `unchecked`, every index is taken to be in range; with
/// `required`, what has no such form is an error.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(
    module: OperationRef<'c, '_>,
    unchecked: bool,
    required: bool,
) -> Result<Counts, PassError<'c>> {
    scatter_wishes::check(module)?;
    let mut counts = Counts::default();
    let mut left: HashSet<usize> = HashSet::new();
    // Lambdas are copied with what is in them, which is then in no other op.
    loop {
        let found = outermost(module, &left);
        if found.is_empty() {
            break;
        }
        for op in found {
            if op_name(op) == "soac.cluster" && !read::has_orders(op) {
                comb_fuse::erase_clusters::erase(op)?;
                continue;
            }
            if WHOLE.contains(&op_name(op)) {
                left.insert(op_key(op));
                continue;
            }
            match lower(op, unchecked)? {
                Ok(()) => counts.kernels += 1,
                Err(reason) if required => {
                    return Err(PassError::Unsupported {
                        location: op.location(),
                        message: format!("'{}' op becomes no kernel: {reason}", op_name(op)),
                    });
                }
                Err(reason) if op_name(op) == "soac.cluster" => {
                    remark_on(op, reason, "TakenApart");
                    counts.taken_apart += 1;
                    comb_fuse::erase_clusters::take_apart(op)?;
                }
                Err(reason) => {
                    remark_on(op, reason, "NoKernel");
                    counts.left += 1;
                    left.insert(op_key(op));
                }
            }
        }
    }
    kernels(module)
        .into_iter()
        .try_for_each(slices::read_through)?;
    insert_checks::forget(module);
    Ok(counts)
}

/// Lowers a cluster or combinator, or says why it stays.
fn lower<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    unchecked: bool,
) -> Result<Result<(), NotNested>, PassError<'c>> {
    let Some(front) = Builder::before(op) else {
        return Ok(Err(NotPlanned::Invalid.into()));
    };
    match op_name(op) {
        "soac.sort" => return Ok(Err(NotNested::Sort)),
        "soac.concat" | "soac.update" | "soac.lmad_update" => {
            return assembled::lower(op, &front).map(Ok);
        }
        _ => {}
    }
    let plan = match read::plan(op) {
        Ok(plan) => plan,
        Err(reason) => return Ok(Err(reason.into())),
    };
    if let Err(reason) = loops::require_form(&plan) {
        return Ok(Err(reason));
    }
    kernel::lower(op, &plan, front, unchecked).map(Ok)
}

/// Says that an op has no form as loops, and what becomes of it.
fn remark_on(op: OperationRef, reason: NotNested, name: &str) {
    let function = ancestors(op).find(|&op| op_name(op) == "func.func");
    let function = function.and_then(symbol_bytes).unwrap_or_default();
    let remark = Remark {
        pass: "soac-to-nest",
        kind: RemarkKind::Missed,
        name,
        function: &shown(function),
        location: op.location(),
    };
    remark.emit(&|| match op_name(op) {
        "soac.cluster" => {
            format!(
                "a cluster is taken apart, and its combinators get loops of their own: {reason}"
            )
        }
        combinator => format!("'{combinator}' becomes no kernel: {reason}"),
    });
}
