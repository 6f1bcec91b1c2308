//! Arrays without a value: `ub.poison`, which `lift-cf-to-scf` gives where a branch has nothing to
//! give.
//!
//! Bufferization knows no memory for them. Nobody reads them, so they become `tensor.empty`, with
//! dynamic sizes of zero. Not before: what is poison is simplified away, and has no shape that could
//! be another one than expected.

use comb_kit::pass_error::PassError;
use melior::ir::{
    OperationRef, ValueLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::builder::Builder;

/// Replaces what an op gives, if it is an array.
///
/// # Errors
///
/// If MLIR rejects the ops.
pub(super) fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let poison = op.result(0)?;
    let r#type = poison.r#type();
    let (Ok(array), Some(builder)) = (RankedTensorType::try_from(r#type), Builder::before(op))
    else {
        return Ok(());
    };
    let zero = builder.index(0)?;
    let dynamic = (0..array.rank()).filter(|&axis| is_dynamic(array, axis));
    let sizes: Vec<_> = dynamic.map(|_| zero).collect();
    let empty = builder.value("tensor.empty", &sizes, r#type, &[])?;
    builder.replace(op, &[empty]);
    Ok(())
}

fn is_dynamic(array: RankedTensorType, axis: usize) -> bool {
    matches!(array.dim_size(axis), Ok(DimSize::Dynamic))
}
