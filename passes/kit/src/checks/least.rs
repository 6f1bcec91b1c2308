//! The least integer, −2^63, among the sizes, offsets and strides of an op: upstream's patterns take
//! it for "not constant" when they write constants into an op, and crash. A program that gets to the
//! op has passed the checks in front of it. So a size is not negative; the offset is that of a slice
//! without elements, and the stride that of one element at most. They may be any others.

use melior::{
    Error,
    ir::{OperationRef, ValueLike},
};
use soac_dialect::view::{DYNAMIC, OpView, mixed_lists};

use super::site::Site;

/// Gives an op other operands in place of the least integer.
pub fn replace<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let view = OpView::of(op);
    let index = site.builder.index_type();
    for (position, &operand) in view.operands.iter().enumerate() {
        if operand.r#type() != index || site.facts.value(operand).as_constant() != Some(DYNAMIC) {
            continue;
        }
        if let Some(other) = other(&view, position) {
            let other = site.builder.index(other)?;
            site.builder.set_operand(op, position, other);
        }
    }
    Ok(())
}

/// What an operand may be instead; nothing if it is none of the sizes, offsets and strides.
fn other(view: &OpView, position: usize) -> Option<i64> {
    match view.name {
        "tensor.empty"
        | "tensor.generate"
        | "tensor.expand_shape"
        | "bufferization.alloc_tensor" => {
            return Some(0);
        }
        // The first operand is what the elements are.
        "tensor.splat" => return (position > 0).then_some(0),
        _ => {}
    }
    let (list, _) = mixed_lists(view.name)
        .iter()
        .find(|&&(_, group)| view.group(group).contains(&position))?;
    match *list {
        "static_amounts" => None,
        "static_strides" => Some(1),
        _ => Some(0),
    }
}
