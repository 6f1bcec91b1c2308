//! `generate` and `map`: an element of the result for each index.

use melior::ir::{
    Type,
    r#type::{RankedTensorType, ShapedTypeLike},
};

use super::{
    Described, Description, LambdaSignature, Violation, array_type,
    common::{at_least_one, count, index_types, mixed, require_element, yielded_types},
    static_sizes, violation,
};
use crate::{
    cast::{cast, is_a},
    extent::Extent,
    view::OpView,
};

pub(super) fn generate<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let sizes = mixed(view, "static_sizes", 0)?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "size");
    for yielded in yielded_types(view)? {
        if is_a::<RankedTensorType>(yielded) {
            return violation(format!("yields an array, {yielded}, as an element"));
        }
        require_element(yielded)?;
        description.give(yielded, &sizes);
    }
    if description.results.is_empty() {
        return violation("yields nothing");
    }
    description.lambda = Some(LambdaSignature {
        arguments: index_types(view, sizes.len()),
        yields: None,
    });
    Ok(description)
}

pub(super) fn map<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let outer = outer_dimensions(view)?;
    let mut description = Description::default();
    let outer_sizes = view.sizes(inputs.start)[..outer].to_vec();
    for other in inputs.clone().skip(1) {
        let mut sizes = view.sizes(other);
        if view.flag("outer") {
            sizes.truncate(outer);
        }
        let what = format!("operands {} and {other}", inputs.start);
        description.require_same_shape(outer_sizes.clone(), sizes, &what);
    }
    map_results(view, &outer_sizes, &mut description)?;
    let arguments = inputs
        .filter_map(|input| view.array(input))
        .map(|array| inner_type(&array, outer))
        .collect();
    description.lambda = Some(LambdaSignature {
        arguments,
        yields: None,
    });
    Ok(description)
}

/// How many dimensions a map goes over.
fn outer_dimensions(view: &OpView) -> Result<usize, Violation> {
    let ranks: Vec<usize> = view
        .group(0)
        .map(|input| view.array(input).map_or(0, |array| array.rank()))
        .collect();
    let Some(outer) = view.integer("outer") else {
        return Ok(ranks[0]);
    };
    let least = ranks.iter().copied().min().unwrap_or(0);
    match usize::try_from(outer) {
        Ok(outer) if (1..=least).contains(&outer) => Ok(outer),
        _ => violation(format!(
            "maps over {outer} outer dimensions of an array of {}",
            count(least, "dimension")
        )),
    }
}

/// What remains of an array inside a map over its outer dimensions.
fn inner_type<'c>(array: &RankedTensorType<'c>, outer: usize) -> Type<'c> {
    let sizes = static_sizes(array);
    if sizes.len() <= outer {
        array.element()
    } else {
        array_type(&sizes[outer..], array.element())
    }
}

fn map_results<'c>(
    view: &OpView<'c, '_>,
    outer_sizes: &[Extent],
    description: &mut Description<'c>,
) -> Result<(), Violation> {
    let mut given = view.group(1).map(Extent::value);
    let mut missing = 0;
    let mut inner_size = |size: Option<i64>| match size {
        Some(size) => Extent::constant(size),
        None => given.next().unwrap_or_else(|| {
            missing += 1;
            Extent::constant(0)
        }),
    };
    let mut results = vec![];
    for yielded in yielded_types(view)? {
        let mut sizes = outer_sizes.to_vec();
        let element = match cast::<RankedTensorType>(yielded) {
            Some(_) if !view.flag("outer") => {
                return violation(format!(
                    "yields an array, {yielded}, as an element; say over how many \
                     dimensions it maps with 'outer'"
                ));
            }
            Some(array) => {
                sizes.extend(static_sizes(&array).into_iter().map(&mut inner_size));
                array.element()
            }
            None => {
                require_element(yielded)?;
                yielded
            }
        };
        results.push((element, sizes));
    }
    if results.is_empty() {
        return violation("yields nothing");
    }
    let surplus = given.count();
    if missing > 0 || surplus > 0 {
        let given = view.group(1).len();
        return violation(format!(
            "yields arrays with {}, but 'inner' gives {given}",
            count(given + missing - surplus, "dynamic dimension")
        ));
    }
    for (element, sizes) in results {
        description.give(element, &sizes);
    }
    let inner: Vec<Extent> = view.group(1).map(Extent::value).collect();
    description.require_not_negative(&inner, "inner size");
    Ok(())
}
