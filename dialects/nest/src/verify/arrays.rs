//! Ops that make, read and write arrays: indices, sizes and types.

use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::array_type,
    cast::{cast, is_a},
    description::type_list,
    view::OpView,
};

use super::{
    Verified, Violation,
    operators::{require_count, verify_operator_of},
    require_results, types,
};
use crate::strategy::Strategy;

fn rank(r#type: Type) -> Option<usize> {
    let tensor = cast::<RankedTensorType>(r#type).map(|r#type| r#type.rank());
    tensor.or_else(|| cast::<MemRefType>(r#type).map(|r#type| r#type.rank()))
}

pub(super) fn verify_index(array: Option<Value>, indices: usize) -> Verified {
    let rank = array.and_then(|array| rank(array.r#type())).unwrap_or(0);
    match rank == indices {
        true => Ok(()),
        false => Err(Violation::Indices {
            actual: indices,
            rank,
        }),
    }
}

fn element(r#type: Type<'_>) -> Option<Type<'_>> {
    let tensor = cast::<RankedTensorType>(r#type).map(|r#type| r#type.element());
    tensor.or_else(|| cast::<MemRefType>(r#type).map(|r#type| r#type.element()))
}

/// What an op gives that writes to arrays of these types: the tensors.
fn written<'c>(dests: &[Type<'c>]) -> Result<Vec<Type<'c>>, Violation> {
    let is_tensor = |r#type: &Type<'c>| is_a::<RankedTensorType>(*r#type);
    let tensors: Vec<Type> = dests.iter().copied().filter(is_tensor).collect();
    match tensors.is_empty() || tensors.len() == dests.len() {
        true => Ok(tensors),
        false => Err(Violation::MixedForms),
    }
}

pub(super) fn verify_write<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let operands: Vec<Value> = op.operands().collect();
    let [value, dest, indices @ ..] = operands.as_slice() else {
        return Err(Violation::NoValues);
    };
    verify_index(Some(*dest), indices.len())?;
    require_element(*value, dest.r#type())?;
    let results = types(op.results().map(Into::into));
    require_results(&results, &written(&[dest.r#type()])?)
}

fn require_element(value: Value, array: Type) -> Verified {
    let expected = element(array);
    match expected == Some(value.r#type()) {
        true => Ok(()),
        false => Err(Violation::Element {
            actual: type_list(&[value.r#type()]),
            expected: expected.map_or_else(String::new, |expected| type_list(&[expected])),
        }),
    }
}

pub(super) fn verify_scatter<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let view = OpView::of(op);
    let [values, dests, indices] = [0, 1, 2].map(|group| &view.operands[view.group(group)]);
    require_count("arrays", dests.len(), values.len())?;
    if values.is_empty() {
        return Err(Violation::NoValues);
    }
    for (&value, dest) in values.iter().zip(dests) {
        verify_index(Some(*dest), indices.len())?;
        require_element(value, dest.r#type())?;
    }
    let dests = types(dests.iter().copied());
    require_results(&types(op.results().map(Into::into)), &written(&dests)?)?;
    Strategy::of(op)?;
    match view.block() {
        None => Ok(()),
        Some(_) => {
            let values = types(values.iter().copied());
            verify_operator_of(op, &[values.clone(), values.clone()].concat(), &values)
        }
    }
}

/// The sizes of a new array: one for each dimension, constants where the type has them.
pub(super) fn verify_local<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let view = OpView::of(op);
    let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
    let expected = view
        .result_types
        .first()
        .copied()
        .map_or(0, |r#type| rank(r#type).unwrap_or(0));
    if sizes.len() != expected {
        return Err(Violation::Sizes {
            actual: sizes.len(),
            expected,
        });
    }
    let result = view.result_types[0];
    let known: Vec<Option<u64>> = sizes.iter().map(|size| size.known()).collect();
    let claimed = array_type(&known, element(result).ok_or(Violation::NoValues)?);
    let is_memory = is_a::<MemRefType>(result);
    match is_memory || claimed == result {
        true => Ok(()),
        false => Err(Violation::SizeTypes(result.to_string())),
    }
}
