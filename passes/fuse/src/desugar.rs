//! `soac-desugar`: structured combinators as the few core ones that fusion knows.
//!
//! Phases, each a walk over the module:
//! 1. What has been checked is not checked again ([`repeated`]).
//!    Filters of which only the size is asked for are folds ([`counts`]).
//!    Slices of what a loop carries are copied, if it can be updated in place then ([`carried_slices`]).
//! 2. Structured ops become `generate` and `backpermute` with an affine lambda
//!    ([`structured`]), those that join narrow rows a `map` ([`columns`]), and so does a `tensor.extract_slice` that combinators read
//!    ([`slices`]).
//! 3. A `backpermute` whose indices are known to be in range becomes `unchecked`
//!    ([`simplify`]).
//! 4. A `backpermute` of a `backpermute` reads the first one's inputs
//!    ([`compose`]).
//!    So do several of a cheap map of one array, and the map follows ([`orders`]).
//! 5. A `backpermute` that is the identity is replaced by its inputs
//!    ([`simplify`]).
//! 6. A single element of a mapped array is computed where it is needed
//!    ([`points`]).
//! 7. Elements that are gathered from a mapped array which is needed besides are computed
//!    from what the map reads ([`gathers`]).
//! 8. Sizes of what loops carry are asked for in front of the loops ([`repeated`]).
//!
//! What an op requires of its operands is taken for granted: `soac-insert-checks`
//! has made it explicit. Clusters are left alone: fusion has decided there in
//! which order each array is read.
//!
//! Cost: linear in the size of the program, but for chains of `backpermute`s, each
//! of which is given the lambdas of those before it.

mod carried_slices;
mod columns;
mod compose;
mod counts;
mod elements;
pub mod gathers;
mod orders;
mod parts;
mod points;
mod regions;
mod repeated;
mod simplify;
pub mod slices;
mod structured;
mod unused;

use comb_kit::{
    pass_error::PassError,
    switches::{self, Switches},
    walk::operations,
};
use melior::ir::OperationRef;
use soac_dialect::view::{is_in_cluster, op_name};

/// Runs the pass on a module. With `unchecked`, every index is taken to be in
/// range.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>, unchecked: bool) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| rewrite(module, unchecked, switches))
}

fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    unchecked: bool,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    repeated::remove_checks(module)?;
    unused::rewrite(module)?;
    counts::rewrite(module)?;
    carried_slices::rewrite(module, switches)?;
    parts::rewrite(module, switches)?;
    regions::rewrite(module, switches)?;
    regions::name_unit_dimensions(module)?;
    for op in operations(module) {
        if op_name(op).starts_with("soac.") && !is_in_cluster(op) {
            structured::rewrite(op, switches)?;
        }
    }
    slices::rewrite(module)?;
    simplify::mark_unchecked(module, unchecked);
    compose_all(module, switches)?;
    orders::rewrite(&backpermutes(module), switches)?;
    compose_all(module, switches)?;
    simplify::replace_identities(module)?;
    elements::rewrite(module, switches)?;
    points::rewrite(module, switches)?;
    gathers::rewrite(module, switches)?;
    repeated::measure_before_loops(module)
}

fn compose_all<'c>(module: OperationRef<'c, '_>, switches: &Switches) -> Result<(), PassError<'c>> {
    let mut ops = backpermutes(module).into_iter();
    ops.try_for_each(|op| compose::rewrite(op, switches))
}

/// The `backpermute`s outside of clusters, in program order.
fn backpermutes<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = operations(module);
    found.retain(|&op| op_name(op) == "soac.backpermute" && !is_in_cluster(op));
    found
}
