//! `comb-hoist-invariants`: what cannot fail, and does not change from one iteration to the next,
//! leaves loops.
//!
//! MLIR's pass takes some ops to be harmless that are not: those that read or cast arrays, say, and that rely
//! on a check in front of them. The check stays in the loop, since a loop that never runs must not fail.
//! So what relies on one stays behind it. Whether an op does is asked of those who place the
//! checks: it does if it would get one.
//!
//! Cost: for each loop, linear in the number of ops in it.

use std::{cell::LazyCell, collections::HashSet};

use comb_kit::{
    checks::{
        facts::{Facts, constant, key},
        indexing,
        site::{Counts, Site},
    },
    pass_error::PassError,
    switches::{self, Switches},
    transformations::Transformation,
    walk::{blocks, in_block_from, operations},
};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use mlir_sys::MlirOperation;
use soac_dialect::{
    builder::Builder,
    cast::Arguments,
    view::{OpView, dialect, op_name},
};

unsafe extern "C" {
    /// Whether MLIR has an op read or write no memory, and run more often than it is written.
    fn combIsSpeculatable(op: MlirOperation) -> bool;
}

/// Runs the pass on a module.
///
/// # Errors
///
/// If an op is not as MLIR says.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut facts = Facts::new(true);
    switches::with(module, |switches| {
        // What leaves an inner loop may leave the outer one as well.
        for r#loop in operations(module).into_iter().rev() {
            if matches!(
                op_name(r#loop),
                "scf.for" | "scf.while" | "scf.parallel" | "scf.forall"
            ) {
                hoist(r#loop, &mut facts, switches)?;
            }
        }
        Ok(())
    })
}

/// Moves what may leave a loop in front of it.
fn hoist<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    facts: &mut Facts<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let Some(place) = Builder::before(r#loop) else {
        return Ok(());
    };
    let applies = || switches.applies(Transformation::HoistInvariants, r#loop.location());
    let applies = LazyCell::new(applies);
    let mut inside = values(r#loop);
    for block in blocks(r#loop) {
        let ops: Vec<_> = in_block_from(block.first_operation()).collect();
        for op in ops {
            let is_end = op.next_in_block().is_none();
            if !is_end && !uses_any(op, &inside) && is_harmless(op, facts)? && *applies {
                place.move_here(op);
                for value in op.results() {
                    inside.remove(&key(value.into()));
                }
            }
        }
    }
    Ok(())
}

/// The values that are computed inside of an op, but for those in regions of ops inside.
fn values<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> HashSet<usize> {
    let mut values = HashSet::new();
    for block in blocks(op) {
        let arguments = (0..block.argument_count()).filter_map(|n| block.argument_at(n));
        values.extend(arguments.map(|value| key(value.into())));
        for op in in_block_from(block.first_operation()) {
            values.extend(op.results().map(|value| key(value.into())));
        }
    }
    values
}

/// Whether an op, or one inside of it, uses one of the values.
fn uses_any<'c: 'a, 'a>(op: OperationRef<'c, 'a>, values: &HashSet<usize>) -> bool {
    let uses = |op: OperationRef<'c, 'a>| op.operands().any(|value| values.contains(&key(value)));
    uses(op) || operations(op).into_iter().any(uses)
}

/// Whether an op, and what is inside of it, may run where it is not known that the program gets there.
pub(crate) fn is_harmless<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    facts: &mut Facts<'c, 'a>,
) -> Result<bool, PassError<'c>> {
    // SAFETY: the op is alive.
    if !unsafe { combIsSpeculatable(op.to_raw()) } {
        return Ok(false);
    }
    for op in std::iter::once(op).chain(operations(op)) {
        if relies_on_check(op, facts)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn relies_on_check<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    facts: &mut Facts<'c, 'a>,
) -> Result<bool, PassError<'c>> {
    let name = op_name(op);
    match (dialect(op), name) {
        ("tensor", _) => {
            let mut counts = Counts::default();
            if let Some(mut site) = Site::new(op, name, facts, &mut counts) {
                indexing::check_op(&mut site, op)?;
            }
            Ok(counts.trusted > 0)
        }
        (_, "arith.remsi" | "arith.remui" | "index.rems" | "index.remu") => {
            let divisor: Value = OpView::of(op).operands[1];
            Ok(constant(divisor).is_none_or(|divisor| matches!(divisor, 0 | -1)))
        }
        _ => Ok(false),
    }
}
