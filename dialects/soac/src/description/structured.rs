//! Ops that rearrange arrays by a rule that the compiler knows.

use melior::ir::r#type::{RankedTensorType, ShapedTypeLike};

use super::{
    Described, Description, LambdaSignature, Violation,
    circuit::require_slice_inside,
    common::{
        at_least_one, at_most_one_for_each_dimension, count, dimension, elements, index_types,
        mixed, one_for_each_dimension, rearranged,
    },
    violation,
};
use crate::{
    cast::cast,
    extent::Extent,
    requirement::{Condition, placeholders},
    view::OpView,
};

pub(super) fn same_as_inputs<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let mut description = Description::default();
    for (input, element) in elements(view, view.group(0))?.into_iter().enumerate() {
        description.give(element, &view.sizes(input));
    }
    Ok(description)
}

pub(super) fn zip<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let mut description = same_as_inputs(view)?;
    description.require_same_shapes(view, view.group(0), "operands");
    Ok(description)
}

pub(super) fn cross<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "left array")?;
    at_least_one(view, 1, "right array")?;
    let (lefts, rights) = (view.group(0), view.group(1));
    let mut description = Description::default();
    description.require_same_shapes(view, lefts.clone(), "left arrays");
    description.require_same_shapes(view, rights.clone(), "right arrays");
    let mut sizes = view.sizes(lefts.start);
    sizes.extend(view.sizes(rights.start));
    for element in elements(view, lefts.start..rights.end)? {
        description.give(element, &sizes);
    }
    Ok(description)
}

pub(super) fn iota<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let sizes = mixed(view, "static_sizes", 0)?;
    dimension(view.integer("dim").unwrap_or(-1), sizes.len())?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "size");
    let element = view
        .result_types
        .first()
        .and_then(|&result| cast::<RankedTensorType>(result))
        .map(|array| array.element());
    match element {
        Some(element) => description.give(element, &sizes),
        None => return violation("needs a result type"),
    }
    Ok(description)
}

pub(super) fn fill<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "value")?;
    let sizes = mixed(view, "static_sizes", 1)?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "size");
    for value in view.group(0) {
        description.give(view.operand_type(value), &sizes);
    }
    Ok(description)
}

pub(super) fn replicate<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let outer = mixed(view, "static_sizes", 1)?;
    rearranged(view, |sizes, description| {
        description.require_not_negative(&outer, "size");
        Ok([&outer, sizes].concat())
    })
}

pub(super) fn reverse<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let dims = view.integers("dims");
    rearranged(view, |sizes, _| {
        let mut seen = vec![false; sizes.len()];
        for dim in dims {
            let dim = dimension(dim, sizes.len())?;
            if std::mem::replace(&mut seen[dim], true) {
                return violation(format!("names dimension {dim} twice"));
            }
        }
        Ok(sizes.to_vec())
    })
}

pub(super) fn rotate<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let amounts = mixed(view, "static_amounts", 1)?;
    rearranged(view, |sizes, _| {
        at_most_one_for_each_dimension(&amounts, sizes.len(), "amount")?;
        Ok(sizes.to_vec())
    })
}

pub(super) fn slice<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let offsets = mixed(view, "static_offsets", 1)?;
    let sizes = mixed(view, "static_sizes", 2)?;
    let strides = mixed(view, "static_strides", 3)?;
    rearranged(view, |bounds, description| {
        one_for_each_dimension(&offsets, bounds.len(), "offset")?;
        one_for_each_dimension(&sizes, bounds.len(), "size")?;
        one_for_each_dimension(&strides, bounds.len(), "stride")?;
        description.require_not_negative(&sizes, "size");
        if !view.flag("unchecked") {
            require_slice_inside(description, &offsets, &sizes, &strides, bounds);
        }
        Ok(sizes.clone())
    })
}

fn require_counts(
    description: &mut Description,
    counts: &[Extent],
    sizes: &[Extent],
) -> Result<(), Violation> {
    at_most_one_for_each_dimension(counts, sizes.len(), "count")?;
    for (axis, (count, size)) in counts.iter().zip(sizes).enumerate() {
        description.require(
            Condition::AtMost(count.clone(), size.clone()),
            format!("count {{}} is not between 0 and {{}}, the size of dimension {axis}"),
        );
    }
    Ok(())
}

pub(super) fn take<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let counts = mixed(view, "static_counts", 1)?;
    rearranged(view, |sizes, description| {
        require_counts(description, &counts, sizes)?;
        Ok([&counts, &sizes[counts.len()..]].concat())
    })
}

pub(super) fn drop_outer<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let counts = mixed(view, "static_counts", 1)?;
    rearranged(view, |sizes, description| {
        require_counts(description, &counts, sizes)?;
        let mut rest = sizes.to_vec();
        for (size, count) in rest.iter_mut().zip(&counts) {
            *size = &*size - count;
        }
        Ok(rest)
    })
}

pub(super) fn transpose<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let permutation = view.integers("permutation");
    rearranged(view, |sizes, _| {
        let mut sorted = permutation.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..sizes.len() as i64) {
            return violation(format!(
                "{permutation:?} is not a permutation of {}",
                count(sizes.len(), "dimension")
            ));
        }
        Ok(permutation
            .iter()
            .map(|&axis| sizes[axis as usize].clone())
            .collect())
    })
}

pub(super) fn reshape<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let new = mixed(view, "static_sizes", 1)?;
    rearranged(view, |sizes, description| {
        description.require_not_negative(&new, "size");
        description.require(
            Condition::SameCount(sizes.to_vec(), new.clone()),
            format!(
                "shapes {} and {} have different numbers of elements",
                placeholders(sizes.len()),
                placeholders(new.len())
            ),
        );
        Ok(new)
    })
}

pub(super) fn backpermute<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let new = mixed(view, "static_sizes", 1)?;
    let mut rank = 0;
    let mut description = rearranged(view, |sizes, description| {
        rank = sizes.len();
        description.require_not_negative(&new, "size");
        Ok(new.clone())
    })?;
    description.lambda = Some(LambdaSignature {
        arguments: index_types(view, new.len()),
        yields: Some(index_types(view, rank)),
    });
    Ok(description)
}
