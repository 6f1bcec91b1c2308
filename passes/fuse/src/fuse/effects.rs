//! Which ops do something besides computing their results.

use melior::ir::OperationRef;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn combHasEffects(op: MlirOperation) -> bool;
}

/// Whether an op, or one inside it, reads or writes memory, or may.
pub fn has_effects(op: OperationRef) -> bool {
    // SAFETY: defined by cpp/Passes.cpp; the op is alive, and only looked at.
    unsafe { combHasEffects(op.to_raw()) }
}
