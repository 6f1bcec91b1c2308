//! Arithmetic on whole arrays becomes `soac.map`: ops of the `arith` and `math`
//! dialects that take tensors apply to each element. The map states the shapes
//! that must agree, and its lambda is scalar code, so that all other rules apply
//! to it.

use melior::{
    Error,
    ir::{
        OperationRef, Type, TypeLike, Value, ValueLike,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::Builder,
    view::{named_attributes, op_name},
};

use super::emit::integer_width;

/// Rewrites an op if it is arithmetic on arrays.
pub(crate) fn rewrite<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Error> {
    let name = op_name(op);
    if !(name.starts_with("arith.") || name.starts_with("math.")) || name == "arith.constant" {
        return Ok(());
    }
    let Some(result) = array_of_elements(op) else {
        return Ok(());
    };
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let operands: Vec<Value> = op.operands().collect();
    let arrays: Vec<Value> = operands
        .iter()
        .copied()
        .filter(|operand| is_array(operand.r#type()))
        .collect();
    let elements = arrays
        .iter()
        .map(|array| Ok(RankedTensorType::try_from(array.r#type())?.element()))
        .collect::<Result<Vec<_>, Error>>()?;
    let body = builder.region::<Error>(&elements, "soac.yield", |body, arguments| {
        let mut arguments = arguments.iter().copied();
        let scalars: Vec<Value> = operands
            .iter()
            .map(|&operand| match is_array(operand.r#type()) {
                true => arguments.next().unwrap_or(operand),
                false => operand,
            })
            .collect();
        let attributes = named_attributes(op);
        Ok(vec![body.value(
            name,
            &scalars,
            result.element(),
            &attributes,
        )?])
    })?;
    let segments = builder.segments(&[arrays.len() as i32, 0]);
    let map = builder.op(
        "soac.map",
        &arrays,
        &[result.into()],
        &[("operandSegmentSizes", segments)],
        vec![body],
    )?;
    builder.replace(op, &[map.result(0)?.into()]);
    Ok(())
}

/// The type of an op's only result, if it and all arrays it takes are arrays of
/// elements that the dialect knows, and there is nothing else to the op.
fn array_of_elements<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<RankedTensorType<'c>> {
    let result: Type = op.result(0).ok()?.r#type();
    let mut types = op.operands().map(|operand| operand.r#type());
    let plain = op.result_count() == 1
        && op.region_count() == 0
        && op.operands().any(|operand| is_array(operand.r#type()))
        && types.all(|r#type| is_array(r#type) || is_element(r#type));
    let result = RankedTensorType::try_from(result).ok()?;
    (plain && is_array(result.into())).then_some(result)
}

fn is_array(r#type: Type) -> bool {
    RankedTensorType::try_from(r#type)
        .is_ok_and(|array| array.encoding().is_none() && is_element(array.element()))
}

fn is_element(r#type: Type) -> bool {
    integer_width(r#type).is_some_and(|width| width <= 64)
        || r#type.is_f16()
        || r#type.is_bf16()
        || r#type.is_f32()
        || r#type.is_f64()
}
