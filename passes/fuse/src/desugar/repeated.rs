//! What is asked before it is needed, or more than once.
//!
//! * A size of an array that a loop carries is that of the array the loop begins with
//!   ([`carried`](comb_kit::checks::carried)), so it is not asked for in every iteration.
//! * A condition that an earlier `soac.check` has checked is not checked again. The earlier
//!   one is in the same block, or in one around it, and would have failed.
//!
//! Cost: linear in the size of the program.

use std::collections::HashSet;

use comb_kit::{
    checks::{
        carried::before_loop,
        facts::{constant, key},
    },
    pass_error::PassError,
    walk::operations,
};
use melior::ir::{BlockLike, OperationRef, RegionLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{op_name, set_operand},
};

/// Asks for sizes in front of loops that do not change them.
pub(super) fn measure_before_loops<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let ops = operations(module).into_iter();
    for dim in ops.filter(|&op| op_name(op) == "tensor.dim") {
        let axis = constant(dim.operand(1)?);
        let Some(axis) = axis.and_then(|axis| usize::try_from(axis).ok()) else {
            continue;
        };
        while let Some(first) = before_loop(dim.operand(0)?, axis) {
            set_operand(dim, 0, first);
        }
    }
    Ok(())
}

/// Removes checks of what was checked before.
pub(super) fn remove_checks<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    remove_inside(module, &mut HashSet::new())
}

fn remove_inside<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    checked: &mut HashSet<usize>,
) -> Result<(), PassError<'c>> {
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut here = vec![];
            let mut next = current.first_operation();
            while let Some(op) = next {
                next = op.next_in_block();
                if op_name(op) != "soac.check" {
                    remove_inside(op, checked)?;
                    continue;
                }
                let condition = key(op.operand(0)?);
                if checked.insert(condition) {
                    here.push(condition);
                } else if let Some(builder) = Builder::before(op) {
                    builder.replace(op, &[]);
                }
            }
            for condition in here {
                checked.remove(&condition);
            }
            block = current.next_in_region();
        }
    }
    Ok(())
}
