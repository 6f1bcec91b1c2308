//! What the pipeline `comb-cpu` can lower: ops of which dialects.
//!
//! Who compiles a whole program asks before it makes loops, so that an op of another dialect is
//! named, and not found by a pass that says what it needs of it.
//!
//! Cost: linear in the number of ops.

use std::collections::BTreeSet;

use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::view::{dialect, op_name};

use crate::walk::operations;

/// The dialects whose ops the pipeline lowers.
const DIALECTS: &[&str] = &[
    "affine",
    "arith",
    "bufferization",
    "builtin",
    "cf",
    "func",
    "index",
    "linalg",
    "llvm",
    "math",
    "memref",
    "scf",
    "soac",
    "tensor",
    "ub",
    "vector",
];

/// The ops in a module that the pipeline does not lower: the first of each name, in order. What is
/// inside of such an op is its own matter.
pub fn not_lowered<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut names = BTreeSet::new();
    operations(module)
        .into_iter()
        .filter(|&op| !is_lowered(op))
        .filter(|op| {
            op.parent_operation()
                .is_none_or(|parent| is_lowered(parent))
        })
        .filter(|&op| names.insert(op_name(op)))
        .collect()
}

fn is_lowered(op: OperationRef) -> bool {
    DIALECTS.contains(&dialect(op))
}
