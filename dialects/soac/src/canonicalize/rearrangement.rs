//! Rearrangements of rearrangements become one; of constant arrays, none.
//!
//! A composition is made only if the inner op is known not to fail, or fails
//! exactly where the composition does.

use super::rewrite::{Producer, Rewrite, entries, requirements_hold};
use crate::{
    builder::{Size, Values, mixed_list},
    description::describe,
    extent::Term,
    requirement::{Condition, Truth},
    view::OpView,
};

fn inputs<'c, 'a>(producers: &[Producer<'c, 'a>]) -> Values<'c, 'a> {
    producers.iter().map(Producer::input).collect()
}

fn all_hold(producers: &[Producer]) -> bool {
    producers
        .iter()
        .all(|producer| requirements_hold(&producer.view))
}

/// Replaces the op by one with a list of constants.
fn with_constants<'c, 'a>(
    rewrite: &Rewrite<'c, 'a>,
    mut groups: Vec<Values<'c, 'a>>,
    attribute: &str,
    list: &[i64],
) -> Option<()> {
    if groups.len() > 1 {
        groups[1].clear();
    }
    rewrite.rebuild(&groups, vec![(attribute, rewrite.integers(list))])
}

/// The constants of a list that has no values.
fn constants(view: &OpView, attribute: &str) -> Option<Vec<i64>> {
    (view.dynamic_entries(attribute) == 0).then(|| view.integers(attribute))
}

/// Two reversals of a dimension cancel.
pub(super) fn reverse_of_reverse(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("reverse", |view| view.integers("dims"))?;
    if !all_hold(&producers) {
        return None;
    }
    let (outer, inner) = (
        rewrite.view.integers("dims"),
        producers[0].view.integers("dims"),
    );
    let mut dims: Vec<i64> = outer
        .iter()
        .filter(|dim| !inner.contains(dim))
        .chain(inner.iter().filter(|dim| !outer.contains(dim)))
        .copied()
        .collect();
    dims.sort_unstable();
    with_constants(rewrite, vec![inputs(&producers)], "dims", &dims)
}

/// Permutations are composed.
pub(super) fn transpose_of_transpose(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("transpose", |view| view.integers("permutation"))?;
    if !all_hold(&producers) {
        return None;
    }
    let inner = producers[0].view.integers("permutation");
    let composed: Vec<i64> = rewrite
        .view
        .integers("permutation")
        .iter()
        .map(|&dim| inner[dim as usize])
        .collect();
    with_constants(rewrite, vec![inputs(&producers)], "permutation", &composed)
}

/// Only the last shape counts, if one of the two is known to fit.
pub(super) fn reshape_of_reshape(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("reshape", |view| entries(view, "static_sizes", 1))?;
    let one_array = producers.len() == 1 && producers[0].view.group(0).len() == 1;
    let fits = all_hold(&producers) || (one_array && requirements_hold(&rewrite.view));
    if !fits {
        return None;
    }
    let groups = [inputs(&producers), rewrite.group(1)];
    rewrite.rebuild(&groups, vec![])
}

/// Rotations by constants add up.
pub(super) fn rotate_of_rotate(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("rotate", |view| constants(view, "static_amounts"))?;
    if !all_hold(&producers) {
        return None;
    }
    let outer = constants(&rewrite.view, "static_amounts")?;
    let inner = constants(&producers[0].view, "static_amounts")?;
    let sum = sums(&outer, &inner)?;
    let groups = vec![inputs(&producers), vec![]];
    with_constants(rewrite, groups, "static_amounts", &sum)
}

/// Sums entry by entry; what one list lacks is zero.
fn sums(left: &[i64], right: &[i64]) -> Option<Vec<i64>> {
    let entry = |list: &[i64], index: usize| list.get(index).copied().unwrap_or(0);
    (0..left.len().max(right.len()))
        .map(|index| entry(left, index).checked_add(entry(right, index)))
        .collect()
}

/// Amounts lie between zero and the size, where both are known.
pub(super) fn normalize_rotation(rewrite: &Rewrite) -> Option<()> {
    let mut list = rewrite.view.integers("static_amounts");
    let sizes = rewrite.view.sizes(0);
    let mut changed = false;
    for (amount, size) in list.iter_mut().zip(&sizes) {
        let Some(size) = size.as_constant().filter(|&size| size > 0) else {
            continue;
        };
        if *amount != crate::view::DYNAMIC && !(0..size).contains(amount) {
            *amount = amount.rem_euclid(size);
            changed = true;
        }
    }
    changed.then(|| {
        let list = rewrite.integers(&list);
        rewrite.rebuild(&rewrite.groups(), vec![("static_amounts", list)])
    })?
}

/// Taking from what was taken takes less of the whole.
pub(super) fn take_of_take(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("take", |view| entries(view, "static_counts", 1))?;
    if !all_hold(&producers) || !requirements_hold(&rewrite.view) {
        return None;
    }
    let mut counts = entries(&rewrite.view, "static_counts", 1);
    let inner = entries(&producers[0].view, "static_counts", 1);
    counts.extend(inner.iter().skip(counts.len()));
    let (list, values) = mixed_list(&counts);
    let groups = [inputs(&producers), values];
    rewrite.rebuild(&groups, vec![("static_counts", rewrite.integers(&list))])
}

/// Counts that are dropped add up. Since they are not negative, the sum is too
/// much exactly if one of them is.
pub(super) fn drop_of_drop(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("drop", |view| constants(view, "static_counts"))?;
    if !same_shapes_hold(&producers) {
        return None;
    }
    let outer = constants(&rewrite.view, "static_counts")?;
    let inner = constants(&producers[0].view, "static_counts")?;
    let sum = sums(&outer, &inner)?;
    let groups = vec![inputs(&producers), vec![]];
    with_constants(rewrite, groups, "static_counts", &sum)
}

/// Sizes of new dimensions are listed together.
pub(super) fn replicate_of_replicate(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("replicate", |view| entries(view, "static_sizes", 1))?;
    if !same_shapes_hold(&producers) {
        return None;
    }
    let mut sizes = entries(&rewrite.view, "static_sizes", 1);
    sizes.extend(entries(&producers[0].view, "static_sizes", 1));
    let (list, values) = mixed_list(&sizes);
    let groups = [inputs(&producers), values];
    rewrite.rebuild(&groups, vec![("static_sizes", rewrite.integers(&list))])
}

/// The arrays that each op is given together are known to have one shape.
fn same_shapes_hold(producers: &[Producer]) -> bool {
    producers.iter().all(|producer| {
        describe(&producer.view).is_ok_and(|description| {
            description
                .requirements
                .iter()
                .filter(|requirement| matches!(requirement.condition, Condition::SameShape(..)))
                .all(|requirement| requirement.condition.truth() == Truth::Holds)
        })
    })
}

/// Offset, size and stride along a dimension.
#[derive(Clone, Copy, PartialEq)]
struct Part<'c, 'a> {
    offset: Size<'c, 'a>,
    size: Size<'c, 'a>,
    stride: Size<'c, 'a>,
}

/// The rectangular part that a slice, take or drop reads.
fn parts<'c, 'a>(view: &OpView<'c, 'a>) -> Option<Vec<Part<'c, 'a>>> {
    let first = view.group(0).start;
    let bounds = view.sizes(first);
    if view.mnemonic() == "slice" {
        let offsets = entries(view, "static_offsets", 1);
        let sizes = entries(view, "static_sizes", 2);
        let strides = entries(view, "static_strides", 3);
        let parts = (0..bounds.len()).map(|axis| {
            Some(Part {
                offset: *offsets.get(axis)?,
                size: *sizes.get(axis)?,
                stride: *strides.get(axis)?,
            })
        });
        return parts.collect();
    }
    let counts = entries(view, "static_counts", 1);
    let drops = view.mnemonic() == "drop";
    let parts = bounds.iter().enumerate().map(|(axis, bound)| {
        let bound = bound.as_constant();
        let (offset, size) = match counts.get(axis) {
            None => (Size::Static(0), Size::Static(bound?)),
            Some(&count) if !drops => (Size::Static(0), count),
            Some(&Size::Static(count)) => (Size::Static(count), Size::Static(bound? - count)),
            Some(Size::Dynamic(_)) => return None,
        };
        Some(Part {
            offset,
            size,
            stride: Size::Static(1),
        })
    });
    parts.collect()
}

fn product<'c, 'a>(left: Size<'c, 'a>, right: Size<'c, 'a>) -> Option<Size<'c, 'a>> {
    match (left, right) {
        (Size::Static(1), other) | (other, Size::Static(1)) => Some(other),
        (Size::Static(left), Size::Static(right)) => left.checked_mul(right).map(Size::Static),
        _ => None,
    }
}

fn sum<'c, 'a>(left: Size<'c, 'a>, right: Size<'c, 'a>) -> Option<Size<'c, 'a>> {
    match (left, right) {
        (Size::Static(0), other) | (other, Size::Static(0)) => Some(other),
        (Size::Static(left), Size::Static(right)) => left.checked_add(right).map(Size::Static),
        _ => None,
    }
}

/// A part of a part: of the dimension's every index, `inner` first.
fn composed<'c, 'a>(inner: Part<'c, 'a>, outer: Part<'c, 'a>) -> Option<Part<'c, 'a>> {
    let distance = if outer.offset == Size::Static(0) {
        Size::Static(0)
    } else {
        product(outer.offset, inner.stride)?
    };
    Some(Part {
        offset: sum(inner.offset, distance)?,
        size: outer.size,
        stride: product(inner.stride, outer.stride)?,
    })
}

/// Slices, takes and drops of one another are one slice.
pub(super) fn slice_of_slice<'c, 'a>(rewrite: &Rewrite<'c, 'a>) -> Option<()> {
    let outer = parts(&rewrite.view)?;
    let producers = ["slice", "take", "drop"]
        .into_iter()
        .find_map(|mnemonic| rewrite.producers(mnemonic, parts))?;
    let inner = parts(&producers[0].view)?;
    if !all_hold(&producers) || !requirements_hold(&rewrite.view) {
        return None;
    }
    let composed: Vec<Part<'c, 'a>> = inner
        .into_iter()
        .zip(outer)
        .map(|(inner, outer)| composed(inner, outer))
        .collect::<Option<_>>()?;
    let list = |entry: fn(&Part<'c, 'a>) -> Size<'c, 'a>| {
        mixed_list(&composed.iter().map(entry).collect::<Vec<_>>())
    };
    let (offsets, offset_values) = list(|part| part.offset);
    let (sizes, size_values) = list(|part| part.size);
    let (strides, stride_values) = list(|part| part.stride);
    let mut attributes = vec![
        ("static_offsets", rewrite.integers(&offsets)),
        ("static_sizes", rewrite.integers(&sizes)),
        ("static_strides", rewrite.integers(&strides)),
    ];
    let unchecked = producers
        .iter()
        .any(|producer| producer.view.flag("unchecked"));
    if unchecked || rewrite.view.flag("unchecked") {
        attributes.push(("unchecked", rewrite.unit()));
    }
    let groups = [
        inputs(&producers),
        offset_values,
        size_values,
        stride_values,
    ];
    let results = rewrite.build("slice", &groups, attributes, None)?;
    rewrite.replace(&results);
    Some(())
}

/// Arrays of one value stay that, however they are rearranged.
pub(super) fn rearrangement_of_fill(rewrite: &Rewrite) -> Option<()> {
    let producers = rewrite.producers("fill", |_| ())?;
    let sizes = describe(&rewrite.view).ok()?.result_sizes()?;
    let sizes = sizes.first()?;
    if !requirements_hold(&rewrite.view) || !sizes.iter().all(Rewrite::is_simple) {
        return None;
    }
    let sizes: Vec<Size> = sizes
        .iter()
        .map(|size| match size.terms.first() {
            Some(&(_, Term::Size { operand, axis })) => {
                entries(&producers.get(operand)?.view, "static_sizes", 1)
                    .get(axis)
                    .copied()
            }
            _ => Some(rewrite.materialize(size)),
        })
        .collect::<Option<_>>()?;
    let (list, values) = mixed_list(&sizes);
    let groups = [inputs(&producers), values];
    let attributes = vec![("static_sizes", rewrite.integers(&list))];
    let results = rewrite.build("fill", &groups, attributes, None)?;
    rewrite.replace(&results);
    Some(())
}
