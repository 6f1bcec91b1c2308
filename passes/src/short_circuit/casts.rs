//! Casts of memory to less that is known of it, which bufferization inserts: what uses elements uses
//! those of the memory itself.
//!
//! Cost: linear in the number of ops.

use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::view::{definition, op_name, set_operand};

use crate::walk::operations;

/// Ops that take any strided memory.
const USERS: &[&str] = &[
    "memref.load",
    "memref.store",
    "nest.read",
    "nest.scatter",
    "nest.write",
];

/// Takes casts away from in front of reads and writes.
pub(super) fn look_through<'c: 'a, 'a>(function: OperationRef<'c, 'a>) {
    for op in operations(function) {
        if !USERS.contains(&op_name(op)) {
            continue;
        }
        for position in 0..op.operand_count() {
            let cast = op.operand(position).ok().and_then(definition);
            let cast = cast.filter(|&cast| op_name(cast) == "memref.cast");
            let source = cast.and_then(|cast| cast.operand(0).ok());
            if let Some(source) = source.filter(|source| is_ranked(*source)) {
                set_operand(op, position, source);
            }
        }
    }
}

fn is_ranked(memory: Value) -> bool {
    memory.r#type().is_mem_ref()
}
