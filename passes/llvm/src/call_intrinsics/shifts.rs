//! Shifts of 64 bits, by the lowest six bits of what they are shifted by.
//!
//! Where a shift by 64 or more is selected to be 0, LLVM's back-end for NVIDIA's GPUs takes the select away, since their shifts give
//! that themselves; but it hands them the lower half of what they are shifted by only (docs/src/upstream.md). So the shift is made
//! not to be by the number that is compared.

use comb_kit::{element_types::bits, pass_error::PassError};
use melior::ir::{OperationRef, TypeLike, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{integer_constant, op_name, set_operand},
};

/// Whether an op is such a shift.
pub(super) fn is_one(op: OperationRef) -> bool {
    matches!(op_name(op), "arith.shli" | "arith.shrui")
        && op.operand(1).is_ok_and(|by| {
            let r#type = by.r#type();
            (r#type.is_index() || bits(r#type) == 64) && integer_constant(by).is_none()
        })
}

/// Bounds what a shift is by.
pub(super) fn bound<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let by = op.operand(1)?;
    let most = builder.integer(63, by.r#type())?;
    let by = builder.arithmetic("arith.andi", &[by, most])?;
    set_operand(op, 1, by);
    Ok(())
}
