//! Arrays that are made of nothing: constants and iotas.

use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Values},
    cast::Parts,
    view::{definition, op_name},
};

use super::{
    attributes::{integer, missing},
    element::{self, Array, Kind},
    open_shapes::extents,
};
use comb_kit::pass_error::PassError;

/// `stablehlo.constant`. One whose elements are equal becomes a fill with the checks.
pub(super) fn constant<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let array = element::result(op, 0)?;
    let value = op.attribute("value");
    let value = value.map_err(|_| missing(op, "value", "the elements"))?;
    let value = signless(builder, value, &array)?;
    let constant = builder.value("arith.constant", &[], array.r#type(), &[("value", value)])?;
    Ok(vec![constant])
}

/// The elements with the array's new type.
fn signless<'c>(
    builder: &Builder<'c, '_>,
    value: Attribute<'c>,
    array: &Array<'c>,
) -> Result<Attribute<'c>, PassError<'c>> {
    if array.element.kind != Kind::Unsigned {
        return Ok(value);
    }
    let text = value.to_string();
    let (elements, _) = text.rsplit_once(" : ").unwrap_or((&text, ""));
    Ok(builder.attribute(&format!("{elements} : {}", array.r#type()))?)
}

/// `stablehlo.iota`: indices along a dimension.
pub(super) fn iota<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let array = element::open_result(op, 0)?;
    let dimension = integer(op, "iota_dimension")?;
    let dimension = usize::try_from(dimension).ok();
    let dimension = dimension.filter(|&dimension| dimension < array.rank());
    let dimension =
        dimension.ok_or_else(|| missing(op, "iota_dimension", "a dimension of the result"))?;
    let extents = extents(op, builder, &array, operands.first().copied())?;
    let element = array.element;
    if element.kind != Kind::Float {
        let iota = builder.iota(&extents, dimension, element.r#type)?;
        return Ok(vec![iota]);
    }
    Ok(builder.generate(&extents, |builder, indices| {
        let long = builder.integer_type(64);
        let number = builder.value("arith.index_cast", &[indices[dimension]], long, &[])?;
        let float = builder.value("arith.sitofp", &[number], element.r#type, &[])?;
        Ok(vec![float])
    })?)
}

/// `stablehlo.get_dimension_size`.
pub(super) fn get_dimension_size<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (from, to) = (element::open_operand(op, 0)?, element::result(op, 0)?);
    let dimension = usize::try_from(integer(op, "dimension")?).ok();
    let dimension = dimension.filter(|&dimension| dimension < from.rank());
    let dimension =
        dimension.ok_or_else(|| missing(op, "dimension", "a dimension of the operand"))?;
    let size = builder.size_value(builder.size(operands[0], dimension)?)?;
    let number = builder.value("arith.index_cast", &[size], to.element.r#type, &[])?;
    Ok(vec![builder.value(
        "tensor.from_elements",
        &[number],
        to.r#type(),
        &[],
    )?])
}

/// So many elements of a constant are worth to be known.
const FEW: usize = 16;

/// The elements of an array of few integers in one row, if they are known from the old program.
pub(super) fn known(value: Value) -> Option<Vec<i64>> {
    let op = definition(value)?;
    let array = element::result(op, 0).ok()?;
    let count = usize::try_from(array.sizes.iter().product::<u64>()).ok()?;
    if count > FEW || array.rank() > 1 || array.element.kind == Kind::Float {
        return None;
    }
    let operands = op.operands();
    let elements = match op_name(op) {
        "stablehlo.constant" => listed(&op.attribute("value").ok()?.to_string())?,
        "stablehlo.broadcast_in_dim" | "stablehlo.reshape" => known(op.operand_at(0)?)?,
        "stablehlo.concatenate" => {
            let parts: Option<Vec<_>> = operands.map(known).collect();
            parts?.concat()
        }
        _ => return None,
    };
    match elements[..] {
        [element] => Some(vec![element; count]),
        _ => (elements.len() == count).then_some(elements),
    }
}

/// The numbers of `dense<[1, 2]> : tensor<2xi64>`.
fn listed(text: &str) -> Option<Vec<i64>> {
    let (list, _) = text.strip_prefix("dense<")?.rsplit_once("> : ")?;
    let list = list.trim_start_matches('[').trim_end_matches(']');
    list.split(',')
        .map(|item| item.trim().parse().ok())
        .collect()
}
