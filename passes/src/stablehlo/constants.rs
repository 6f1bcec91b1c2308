//! Arrays that are made of nothing: constants and iotas.

use melior::ir::{Attribute, OperationRef, operation::OperationLike};
use soac_dialect::builder::{Builder, Size, Values};

use super::{
    attributes::{integer, missing},
    element::{self, Array, Kind},
};
use crate::bridge::PassError;

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
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let array = element::result(op, 0)?;
    let dimension = integer(op, "iota_dimension")?;
    let dimension = usize::try_from(dimension).ok();
    let dimension = dimension.filter(|&dimension| dimension < array.rank());
    let dimension =
        dimension.ok_or_else(|| missing(op, "iota_dimension", "a dimension of the result"))?;
    let extents: Vec<Size> = array.extents();
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
