//! Arrays that are made of nothing: constants and iotas.

use melior::ir::{
    Attribute, OperationRef, TypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::{Parts, cast},
    description::static_sizes,
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
    partly_known(value)?.into_iter().collect()
}

/// The elements of a small array of integers in order, those that are the same whenever the program runs.
pub(super) fn partly_known(value: Value) -> Option<Vec<Option<i64>>> {
    let sizes = sizes_of_integers(value)?;
    let count = usize::try_from(sizes.iter().product::<u64>()).ok()?;
    if count > FEW || sizes.len() > 2 {
        return None;
    }
    let computed = || definition(value).and_then(elements);
    let elements = computed().unwrap_or_else(|| vec![None; count]);
    match elements[..] {
        [element] => Some(vec![element; count]),
        _ => (elements.len() == count).then_some(elements),
    }
}

/// What an op gives, if it is one of few.
fn elements(op: OperationRef) -> Option<Vec<Option<i64>>> {
    match op_name(op) {
        "stablehlo.constant" => {
            let listed = listed(&op.attribute("value").ok()?.to_string())?;
            Some(listed.into_iter().map(Some).collect())
        }
        "stablehlo.reshape" => partly_known(op.operand_at(0)?),
        "stablehlo.broadcast_in_dim" => {
            let operand: Value = op.operand_at(0)?;
            let is_list = sizes_of_integers(operand)?.len() <= 1;
            is_list.then(|| partly_known(operand)).flatten()
        }
        "stablehlo.concatenate" if integer(op, "dimension").ok()? == 0 => {
            let parts: Option<Vec<_>> = op.operands().map(partly_known).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

/// The sizes of an array of integers, if all are known.
fn sizes_of_integers(array: Value) -> Option<Vec<u64>> {
    let array = cast::<RankedTensorType>(array.r#type())?;
    let sizes = static_sizes(&array).into_iter();
    let is_of_integers = array.element().is_integer();
    let known = sizes.map(|size| size.map(|size| size as u64)).collect();
    is_of_integers.then_some(known)?
}

/// The numbers of `dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>`, row by row.
fn listed(text: &str) -> Option<Vec<i64>> {
    let (list, _) = text.strip_prefix("dense<")?.rsplit_once("> : ")?;
    let items = list
        .split(',')
        .map(|item| item.trim_matches(['[', ']', ' ']));
    items.map(|item| item.parse().ok()).collect()
}
