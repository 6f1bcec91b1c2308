//! Gathers whose indices or elements are known, and scatters of nothing.

use melior::ir::{
    ValueLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};

use super::rewrite::{Rewrite, producer, requirements_hold};
use crate::{
    builder::mixed_list,
    cast::cast,
    description::describe,
    extent::Extent,
    requirement::{Condition, Truth},
};

/// Reading all of the outer dimension in order changes nothing.
pub(super) fn gather_of_iota(rewrite: &Rewrite) -> Option<()> {
    let [index] = rewrite.group(1)[..] else {
        return None;
    };
    producer(index, "iota")?;
    let array = cast::<RankedTensorType>(index.r#type())?;
    let position = rewrite.view.group(1).start;
    let (count, size) = (
        rewrite.view.sizes(position),
        rewrite.view.sizes(0).first()?.clone(),
    );
    let whole = Condition::SameShape(count.clone(), vec![size]).truth() == Truth::Holds;
    let [count] = &count[..] else {
        return None;
    };
    if !whole || !requirements_hold(&rewrite.view) || !can_count(array, count) {
        return None;
    }
    rewrite.replace_with_casts(&rewrite.group(0))
}

/// Whether numbers up to a count do not wrap.
fn can_count(array: RankedTensorType, count: &Extent) -> bool {
    let Some(element) = cast::<IntegerType>(array.element()) else {
        return true;
    };
    element.width() >= 64
        || count
            .as_constant()
            .is_some_and(|count| count <= 1 << (element.width() - 1))
}

/// Wherever an array of one value is read, it is that value. Indices that are
/// checked stay.
pub(super) fn gather_of_fill(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("fill", |_| ())?;
    let sizes = describe(&rewrite.view).ok()?.result_sizes()?;
    let sizes = sizes.first()?;
    if !rewrite.view.flag("unchecked")
        || !requirements_hold(&rewrite.view)
        || !sizes.iter().all(Rewrite::is_simple)
    {
        return None;
    }
    let sizes: Vec<_> = sizes.iter().map(|size| rewrite.materialize(size)).collect();
    let (list, values) = mixed_list(&sizes);
    let elements = producers.iter().map(|producer| producer.input()).collect();
    let attributes = vec![("static_sizes", rewrite.integers(&list))];
    let results = rewrite.build("fill", &[elements, values], attributes, None)?;
    rewrite.replace(&results);
    Some(())
}

/// Scattering nothing gives the destinations back.
pub(super) fn scatter_of_nothing(rewrite: &Rewrite) -> Option<()> {
    let empty = rewrite
        .view
        .sizes(0)
        .iter()
        .any(|size| size.as_constant() == Some(0));
    if !empty || !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.replace_with_casts(&rewrite.group(1))
}
