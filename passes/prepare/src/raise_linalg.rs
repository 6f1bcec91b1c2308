//! `comb-raise-linalg`: ops of `linalg` and `tensor` on arrays as combinators, so that they are fused
//! like everything else. So are arithmetic on arrays and constant arrays that came of what was simplified: branches
//! that only choose between two arrays.
//!
//! A structured op, named or generic, is known by its indexing maps and its region, not by its name:
//! [`nest`] reads them, [`outputs`] decides for each result whether it is a map or a fold (or
//! [a search](searches)), and [`structured`] builds that from copies of the region ([`body`]). Other ops have a file for each group:
//! [`parts`], [`padding`], [`packing`], [`gathers`], [`softmax`].
//!
//! What an op needs of its operands is checked in front of it by `soac-insert-checks`, or here if that did not
//! run yet: combinators take it for granted. An op that stays as it is gets a remark that says why.
//!
//! Cost: linear in the size of the program; a region is copied once for each set of loops that its results
//! go over.

mod arrays;
mod body;
mod gathers;
mod nest;
mod outputs;
mod packing;
mod padding;
mod parts;
mod promises;
mod reason;
mod searches;
mod softmax;
mod structured;

use std::cmp::Reverse;

use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::{
    attributes::HAS_CHECKS,
    builder::{Builder, Values, combinators::Bounds},
    view::{OpView, dialect, is_in_cluster, op_name},
};

use self::reason::Reason;
use comb_kit::{
    pass_error::PassError,
    remarks::{Kind, Remark},
    walk::{ancestors, operations},
};

use crate::insert_checks;

/// What an op becomes, or why it stays as it is.
type Raised<'c, 'a> = Result<Result<Values<'c, 'a>, Reason>, PassError<'c>>;

/// What the pass did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Ops that became combinators.
    pub raised: i64,
    /// Ops that stay.
    pub left: i64,
}

/// Runs the pass on a module. With `unchecked`, operands are taken to fit; with `remarks`, there is one for each op
/// that stays.
///
/// # Errors
///
/// If an op is certain to fail, or MLIR rejects what was built.
pub fn run<'c>(
    module: OperationRef<'c, '_>,
    unchecked: bool,
    remarks: bool,
) -> Result<Counts, PassError<'c>> {
    insert_checks::raise_arithmetic(module)?;
    insert_checks::check_some(module, unchecked, |op| is_candidate(op) && !is_checked(op))?;
    let bounds = match unchecked {
        true => Bounds::Unchecked,
        false => Bounds::Checked,
    };
    let mut counts = Counts::default();
    let mut ops = operations(module);
    ops.retain(|&op| is_candidate(op));
    // What is in a region is raised before the region is copied.
    ops.sort_by_cached_key(|&op| Reverse(ancestors(op).count()));
    for op in ops {
        match raise(op, bounds)? {
            Ok(()) => counts.raised += 1,
            Err(reason) => {
                counts.left += 1;
                if remarks {
                    remark(op, &reason);
                }
            }
        }
    }
    Ok(counts)
}

/// Ops of `tensor` that become combinators.
const PARTS: &[&str] = &[
    "tensor.gather",
    "tensor.generate",
    "tensor.insert_slice",
    "tensor.pad",
    "tensor.scatter",
    "tensor.splat",
];

/// Ops that are lowered as combinators only.
const ONLY_AS_COMBINATORS: &[&str] = &[
    "linalg.pack",
    "linalg.softmax",
    "linalg.unpack",
    "tensor.gather",
    "tensor.scatter",
];

/// Whether a module has ops that are lowered as combinators only.
pub fn is_needed(module: OperationRef) -> bool {
    let mut ops = operations(module).into_iter();
    ops.any(|op| ONLY_AS_COMBINATORS.contains(&op_name(op)))
}

/// Whether an op is one that the pass is about.
fn is_candidate(op: OperationRef) -> bool {
    let name = op_name(op);
    let has_loops = dialect(op) == "linalg" && !matches!(name, "linalg.index" | "linalg.yield");
    (has_loops || PARTS.contains(&name)) && !is_in_cluster(op)
}

/// Whether checks are in front of the op already.
fn is_checked(op: OperationRef) -> bool {
    ancestors(op).any(|outer| op_name(outer) == "func.func" && outer.has_attribute(HAS_CHECKS))
}

/// Replaces an op by combinators, if it has a form as such.
fn raise<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    bounds: Bounds,
) -> Result<Result<(), Reason>, PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(Ok(()));
    };
    let view = OpView::of(op);
    let raised = match view.name {
        "linalg.pack" | "linalg.unpack" => packing::raise(&view, &builder),
        "linalg.softmax" => softmax::raise(&view, &builder),
        "tensor.gather" => gathers::gather(&view, &builder, bounds),
        "tensor.generate" => parts::generate(op, &view, &builder),
        "tensor.insert_slice" => parts::insert_slice(&view, &builder),
        "tensor.pad" => padding::raise(op, &view, &builder),
        "tensor.scatter" => gathers::scatter(&view, &builder, bounds),
        "tensor.splat" => parts::splat(&view, &builder),
        _ => structured::raise(op, &builder),
    };
    let values = match raised? {
        Ok(values) => values,
        Err(reason) => return Ok(Err(reason)),
    };
    let values = values
        .into_iter()
        .zip(view.result_types)
        .map(|(value, r#type)| builder.cast(value, r#type))
        .collect::<Result<Values, _>>()?;
    builder.replace(op, &values);
    Ok(Ok(()))
}

/// Says why an op stays.
fn remark(op: OperationRef, reason: &Reason) {
    let function = ancestors(op)
        .find(|&outer| op_name(outer) == "func.func")
        .and_then(|function| function.attribute("sym_name").ok())
        .map(|name| name.to_string())
        .unwrap_or_default();
    let remark = Remark {
        pass: "comb-raise-linalg",
        kind: Kind::Missed,
        name: "NotRaised",
        function: function.trim_matches('"'),
        location: op.location(),
    };
    remark.emit(&|| format!("'{}' op is no combinator: {reason}", op_name(op)));
}
