//! Constant arrays of equal elements: combinators read them as `soac.fill`, which takes part in fusion and
//! is never stored where elements are read one by one. MLIR would write a whole array into the program.
//!
//! Each combinator gets a fill of its own, in front of it, so that both are in the same loop.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        attribute::DenseElementsAttribute,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::{Builder, Size},
    description::static_sizes,
    view::{is_combinator, op_name, set_operand, uses},
};

use super::elementwise::is_array;

/// Replaces a constant array of equal elements where combinators read it.
pub fn rewrite<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Error> {
    if op_name(op) != "arith.constant" {
        return Ok(());
    }
    let array: Value = op.result(0)?.into();
    let elements = op
        .attribute("value")
        .and_then(DenseElementsAttribute::try_from);
    let Some(elements) = elements.ok().filter(DenseElementsAttribute::is_splat) else {
        return Ok(());
    };
    if !is_array(array.r#type()) {
        return Ok(());
    }
    let array_type = RankedTensorType::try_from(array.r#type())?;
    let sizes: Vec<Size> = static_sizes(&array_type)
        .into_iter()
        .map(|size| Size::Static(size.unwrap_or_default()))
        .collect();
    for (user, position) in uses(array) {
        let Some(builder) = Builder::before(user).filter(|_| is_alone(user)) else {
            continue;
        };
        let value = [("value", elements.splat_value())];
        let value = builder.value("arith.constant", &[], array_type.element(), &value)?;
        let fill = builder.fill(&[value], &sizes)?[0];
        set_operand(user, position, fill);
    }
    Ok(())
}

fn is_alone(op: OperationRef) -> bool {
    is_combinator(op) && op_name(op) != "soac.cluster"
}
