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
    cast::cast,
    description::{array_type, static_sizes},
    view::{named_attributes, op_name},
};

use super::emit::integer_width;

/// Rewrites an op if it is arithmetic on arrays.
pub fn rewrite<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Error> {
    let name = op_name(op);
    if name == "tensor.bitcast" {
        return rewrite_bitcast(op);
    }
    if !(name.starts_with("arith.") || name.starts_with("math.")) || name == "arith.constant" {
        return Ok(());
    }
    if name == "arith.select" && !is_elementwise_choice(op)? {
        return Ok(());
    }
    let Some(results) = arrays_of_elements(op) else {
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
        let types: Vec<Type> = results.iter().map(ShapedTypeLike::element).collect();
        let op = body.op(name, &scalars, &types, &attributes, vec![])?;
        Ok(op.results().map(Value::from).collect())
    })?;
    let segments = builder.segments(&[arrays.len() as i32, 0]);
    let map = builder.op(
        "soac.map",
        &arrays,
        &results.iter().copied().map(Type::from).collect::<Vec<_>>(),
        &[("operandSegmentSizes", segments)],
        vec![body],
    )?;
    let values: Vec<Value> = map.results().map(Value::from).collect();
    builder.replace(op, &values);
    Ok(())
}

/// An array whose elements are read as others; the result's type may claim sizes.
fn rewrite_bitcast<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Error> {
    let (array, result) = (op.operand(0)?, op.result(0)?.r#type());
    let Some(builder) =
        Builder::before(op).filter(|_| is_array(array.r#type()) && is_array(result))
    else {
        return Ok(());
    };
    let from = RankedTensorType::try_from(array.r#type())?;
    let to = RankedTensorType::try_from(result)?.element();
    let body = builder.region::<Error>(&[from.element()], "soac.yield", |body, elements| {
        Ok(vec![body.value("arith.bitcast", elements, to, &[])?])
    })?;
    let segments = [("operandSegmentSizes", builder.segments(&[1, 0]))];
    let of_same_sizes = array_type(&static_sizes(&from), to);
    let map = builder.op(
        "soac.map",
        &[array],
        &[of_same_sizes],
        &segments,
        vec![body],
    )?;
    let cast = builder.cast(map.result(0)?.into(), result)?;
    builder.replace(op, &[cast]);
    Ok(())
}

/// Whether `arith.select` chooses element by element: by an array, or by a scalar among arrays whose
/// types say that they have the same shape. Others need not have.
fn is_elementwise_choice<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<bool, Error> {
    let by_array = is_array(op.operand(0)?.r#type());
    let sizes =
        RankedTensorType::try_from(op.operand(1)?.r#type()).map(|array| static_sizes(&array));
    Ok(by_array || sizes.is_ok_and(|sizes| sizes.iter().all(Option::is_some)))
}

/// The types of an op's results, if they and all arrays it takes are arrays of
/// elements that the dialect knows, and there is nothing else to the op.
fn arrays_of_elements<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<RankedTensorType<'c>>> {
    let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    let mut types = op.operands().map(|operand| operand.r#type());
    let plain = !results.is_empty()
        && op.region_count() == 0
        && op.operands().any(|operand| is_array(operand.r#type()))
        && types.all(|r#type| is_array(r#type) || is_element(r#type));
    (plain && results.iter().copied().all(is_array)).then_some(())?;
    results.into_iter().map(cast::<RankedTensorType>).collect()
}

/// Whether a type is an array that the dialect knows.
pub fn is_array(r#type: Type) -> bool {
    cast::<RankedTensorType>(r#type)
        .is_some_and(|array| array.encoding().is_none() && is_element(array.element()))
}

/// Whether a type is one of elements that the dialect knows.
pub fn is_element(r#type: Type) -> bool {
    integer_width(r#type).is_some_and(|width| width <= 64)
        || r#type.is_f16()
        || r#type.is_bf16()
        || r#type.is_f32()
        || r#type.is_f64()
}
