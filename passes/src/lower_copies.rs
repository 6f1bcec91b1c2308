//! Lowers copies between memory that is not contiguous to `linalg.generic`.
//!
//! Upstream's lowering calls a function of its runner's library for them.
//!
//! Cost: linear in the number of ops.

use melior::ir::{
    OperationRef, Type, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Generic, Iterator},
    view::op_name,
};

use crate::{bridge::PassError, walk::operations};

/// Lowers the strided copies of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let ops = operations(module);
    for copy in ops.into_iter().filter(|&op| op_name(op) == "memref.copy") {
        let contiguous = copy.operands().all(|memory| is_contiguous(memory.r#type()));
        if !contiguous {
            lower(copy)?;
        }
    }
    Ok(())
}

fn is_contiguous(memory: Type) -> bool {
    MemRefType::try_from(memory).is_ok_and(|memory| memory.affine_map().is_identity())
}

fn lower<'c>(copy: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(copy) else {
        return Ok(());
    };
    let (source, target) = (copy.operand(0)?, copy.operand(1)?);
    let rank = MemRefType::try_from(source.r#type())?.rank();
    let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
    let identity = format!("({0}) -> ({0})", dims.join(", "));
    let parts = Generic {
        inputs: &[source],
        outputs: &[target],
        maps: &[identity.clone(), identity],
        iterators: &vec![Iterator::Parallel; rank],
    };
    builder.generic::<melior::Error>(&parts, |_, elements| Ok(vec![elements[0]]))?;
    builder.replace(copy, &[]);
    Ok(())
}
