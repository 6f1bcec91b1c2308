//! `gather` and `scatter`: reading and writing at arrays of indices.

use super::{
    Described, Description,
    common::{at_least_one, count, elements, operator, require_same_types},
    violation,
};
use crate::view::OpView;

pub(super) fn gather<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "source")?;
    at_least_one(view, 1, "index array")?;
    let (sources, indices) = (view.group(0), view.group(1));
    if view.integer("label").is_some_and(|label| label < 2) {
        return violation("has a label below 2; 0 and 1 are the orders left and right");
    }
    let mut description = Description::default();
    description.require_same_shapes(view, sources.clone(), "sources");
    description.require_same_shapes(view, indices.clone(), "index arrays");
    let source_sizes = view.sizes(sources.start);
    if indices.len() > source_sizes.len() {
        return violation(format!(
            "has {} for a source of {}",
            count(indices.len(), "index array"),
            count(source_sizes.len(), "dimension")
        ));
    }
    let mut sizes = view.sizes(indices.start);
    sizes.extend_from_slice(&source_sizes[indices.len()..]);
    for element in elements(view, sources)? {
        description.give(element, &sizes);
    }
    Ok(description)
}

pub(super) fn scatter<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "source")?;
    at_least_one(view, 1, "destination")?;
    at_least_one(view, 2, "index array")?;
    let (sources, dests, indices) = (view.group(0), view.group(1), view.group(2));
    let types = elements(view, dests.clone())?;
    require_same_types(
        &types,
        &elements(view, sources.clone())?,
        "sources must have the elements of the destinations",
    )?;
    let mut description = Description::default();
    description.require_same_shapes(view, sources.clone(), "sources");
    description.require_same_shapes(view, dests.clone(), "destinations");
    for index in indices.clone() {
        let what = format!("source 0 and index array {}", index - indices.start);
        description.require_same_shape(view.sizes(sources.start), view.sizes(index), &what);
    }
    let sizes = view.sizes(dests.start);
    if indices.len() != sizes.len() {
        return violation(format!(
            "has {} for a destination of {}",
            count(indices.len(), "index array"),
            count(sizes.len(), "dimension")
        ));
    }
    for element in &types {
        description.give(*element, &sizes);
    }
    if view.lambda_arguments().is_some() {
        if view.flag("any_write") {
            return violation("combines elements, so 'any_write' has no meaning");
        }
        description.lambda = Some(operator(&types));
    }
    Ok(description)
}
