//! Circuit points (`concat`, `update`) and generalised slices.

use melior::ir::Type;

use super::{
    Described, Description, Violation,
    common::{
        at_least_one, dimension, elements, exactly_one, mixed, one_for_each_dimension,
        require_same_types,
    },
    violation,
};
use crate::{
    extent::Extent,
    requirement::{Condition, placeholders},
    view::OpView,
};

pub(super) fn concat<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let types = elements(view, view.group(0))?;
    require_same_types(
        &vec![types[0]; types.len()],
        &types,
        "arrays must have the same elements",
    )?;
    let mut sizes = view.sizes(0);
    let dim = dimension(view.integer("dim").unwrap_or(-1), sizes.len())?;
    let mut description = Description::default();
    for other in 1..types.len() {
        let without = |operand| {
            let mut sizes = view.sizes(operand);
            if dim < sizes.len() {
                sizes.remove(dim);
            }
            sizes
        };
        let what = format!("operands 0 and {other}, apart from dimension {dim},");
        description.require_same_shape(without(0), without(other), &what);
        if let Some(size) = view.sizes(other).get(dim) {
            sizes[dim] = &sizes[dim] + size;
        }
    }
    description.give(types[0], &sizes);
    Ok(description)
}

/// Source and destination have the same elements; gives them.
fn updated_element<'c>(view: &OpView<'c, '_>) -> Result<Type<'c>, Violation> {
    exactly_one(view, 0, "source")?;
    exactly_one(view, 1, "destination")?;
    let types = elements(view, 0..2)?;
    require_same_types(
        &types[1..],
        &types[..1],
        "the source must have the elements of the destination",
    )?;
    Ok(types[1])
}

/// The points of each dimension lie inside the array.
pub(super) fn require_slice_inside(
    description: &mut Description,
    offsets: &[Extent],
    sizes: &[Extent],
    strides: &[Extent],
    bounds: &[Extent],
) {
    for axis in 0..bounds.len() {
        description.require(
            Condition::PointsInside {
                offset: offsets[axis].clone(),
                sizes: vec![sizes[axis].clone()],
                strides: vec![strides[axis].clone()],
                bound: vec![bounds[axis].clone()],
            },
            format!(
                "the slice with offset {{}}, size {{}} and stride {{}} leaves \
                 dimension {axis} of size {{}}"
            ),
        );
    }
}

/// The points of an LMAD lie inside the array.
fn require_lmad_inside(
    description: &mut Description,
    offset: Extent,
    sizes: Vec<Extent>,
    strides: Vec<Extent>,
    bound: Vec<Extent>,
) {
    let message = format!(
        "the LMAD with offset {{}}, sizes {} and strides {} leaves the array of shape {}",
        placeholders(sizes.len()),
        placeholders(strides.len()),
        placeholders(bound.len())
    );
    description.require(
        Condition::PointsInside {
            offset,
            sizes,
            strides,
            bound,
        },
        message,
    );
}

pub(super) fn update<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let element = updated_element(view)?;
    let (source, dest) = (view.sizes(0), view.sizes(1));
    if source.len() != dest.len() {
        return violation(format!(
            "writes {} into {}: they differ in rank",
            view.operand_type(0),
            view.operand_type(1)
        ));
    }
    let offsets = mixed(view, "static_offsets", 2)?;
    let strides = mixed(view, "static_strides", 3)?;
    one_for_each_dimension(&offsets, dest.len(), "offset")?;
    one_for_each_dimension(&strides, dest.len(), "stride")?;
    let mut description = Description::default();
    for (axis, stride) in strides.iter().enumerate() {
        let message = format!("the stride of dimension {axis} is zero");
        description.require(Condition::NotZero(stride.clone()), message);
    }
    if !view.flag("unchecked") {
        require_slice_inside(&mut description, &offsets, &source, &strides, &dest);
    }
    description.give(element, &dest);
    Ok(description)
}

fn one_offset(offset: Vec<Extent>) -> Result<Extent, Violation> {
    match <[Extent; 1]>::try_from(offset) {
        Ok([offset]) => Ok(offset),
        Err(offset) => violation(format!("needs one offset, got {}", offset.len())),
    }
}

pub(super) fn lmad_slice<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    exactly_one(view, 0, "source")?;
    let offset = one_offset(mixed(view, "static_offset", 1)?)?;
    let sizes = mixed(view, "static_sizes", 2)?;
    let strides = mixed(view, "static_strides", 3)?;
    one_for_each_dimension(&strides, sizes.len(), "stride")?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "size");
    description.give(elements(view, 0..1)?[0], &sizes);
    if !view.flag("unchecked") {
        require_lmad_inside(&mut description, offset, sizes, strides, view.sizes(0));
    }
    Ok(description)
}

pub(super) fn lmad_update<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let element = updated_element(view)?;
    let offset = one_offset(mixed(view, "static_offset", 2)?)?;
    let strides = mixed(view, "static_strides", 3)?;
    let (source, dest) = (view.sizes(0), view.sizes(1));
    one_for_each_dimension(&strides, source.len(), "stride")?;
    let mut description = Description::default();
    description.give(element, &dest);
    if !view.flag("unchecked") {
        require_lmad_inside(&mut description, offset, source, strides, dest);
    }
    Ok(description)
}
