//! Views of memory.

use melior::ir::OperationRef;
use soac_dialect::view::op_name;

/// Ops that give other names to memory, or parts of it.
pub fn is_view(op: OperationRef) -> bool {
    matches!(
        op_name(op),
        "memref.cast"
            | "memref.collapse_shape"
            | "memref.expand_shape"
            | "memref.memory_space_cast"
            | "memref.reinterpret_cast"
            | "memref.reshape"
            | "memref.subview"
            | "memref.transpose"
            | "memref.view"
    )
}
