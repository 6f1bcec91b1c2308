//! `comb-replace-empty-arrays`: parts and other shapes of arrays that are known to have no elements
//! are new arrays.
//!
//! MLIR makes views of memory of them, and then rejects those: an empty slice may begin where the
//! array ends, a row of 0 elements has no offset, and 0 times an open size is no open size. So, in
//! front of bufferization,
//!
//! * a slice, expansion, collapse or reshape of an array without elements becomes `tensor.empty`;
//! * an array without elements is not inserted;
//! * of arrays that are joined, those without elements are left out;
//! * what pads an array without elements becomes `tensor.generate`.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    checks::{
        facts::Facts,
        padding::sizes_and_amounts,
        reshapes::{joined_shape, listed_size, reassociation},
        site::{Counts, Site},
    },
    pass_error::PassError,
    walk::operations,
};
use melior::{
    Error,
    ir::{
        OperationRef, Value,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::{Builder, Size},
    description::static_sizes,
    extent::Extent,
    view::{OpView, dialect},
};

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let (mut facts, mut counts) = (Facts::new(true), Counts::default());
    // What is known of a value must not be taken for known of another one at its place.
    let mut replaced = vec![];
    let ops = operations(module).into_iter();
    for op in ops.filter(|&op| dialect(op) == "tensor") {
        let view = OpView::of(op);
        let Some(mut site) = Site::new(op, view.name, &mut facts, &mut counts) else {
            continue;
        };
        if replace(&mut site, op, &view)? {
            replaced.push(op);
        }
    }
    for &op in replaced.iter().rev() {
        if let Some(builder) = Builder::before(op) {
            builder.erase(op);
        }
    }
    Ok(())
}

/// Gives what uses an op something else if it is about arrays without elements. Whether it did.
fn replace<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Result<bool, Error> {
    let new = match view.name {
        "tensor.extract_slice" | "tensor.expand_shape" if is_empty(site, op.result(0)?.into()) => {
            let sizes = sizes_of(site, op.result(0)?.into())?;
            new_array(site, view, &sizes)?
        }
        "tensor.collapse_shape" if is_empty(site, view.operands[0]) => {
            let sizes = collapsed_sizes(site, view)?;
            new_array(site, view, &sizes)?
        }
        "tensor.reshape" if is_empty(site, view.operands[0]) => {
            let sizes = listed_sizes(site, view)?;
            new_array(site, view, &sizes)?
        }
        "tensor.insert_slice" if is_empty(site, view.operands[0]) => view.operands[1],
        "tensor.parallel_insert_slice" => return Ok(is_empty(site, view.operands[0])),
        "tensor.pad" if is_empty(site, view.operands[0]) => generated(site, view)?,
        "tensor.concat" => match joined(site, view)? {
            Some(array) => array,
            None => return Ok(false),
        },
        _ => return Ok(false),
    };
    site.builder.replace_uses(op.result(0)?.into(), new, None);
    Ok(true)
}

fn is_empty<'c: 'a, 'a>(site: &mut Site<'c, 'a, '_>, array: Value<'c, 'a>) -> bool {
    let sizes = site.facts.shape(array);
    sizes.iter().any(|size| size.as_constant() == Some(0))
}

/// A new array of an op's type.
fn new_array<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let r#type = view.result_types[0];
    let element = RankedTensorType::try_from(r#type)?.element();
    let array = site.builder.empty(sizes, element)?;
    site.builder.cast(array, r#type)
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

fn size<'c: 'a, 'a>(site: &mut Site<'c, 'a, '_>, extent: &Extent) -> Result<Size<'c, 'a>, Error> {
    match extent.as_constant() {
        Some(constant) => Ok(Size::Static(constant)),
        None => Ok(Size::Dynamic(site.value(extent)?)),
    }
}

fn sizes_of<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    array: Value<'c, 'a>,
) -> Result<Vec<Size<'c, 'a>>, Error> {
    let sizes = site.facts.shape(array);
    sizes.iter().map(|extent| size(site, extent)).collect()
}

/// Products of sizes, of which some are 0.
fn collapsed_sizes<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<Vec<Size<'c, 'a>>, Error> {
    let sizes = sizes_of(site, view.operands[0])?;
    let product = |group: Vec<usize>| match &group[..] {
        [axis] => Ok(sizes[*axis]),
        axes if axes.iter().any(|&axis| sizes[axis] == Size::Static(0)) => Ok(Size::Static(0)),
        axes => {
            let mut product = site.builder.index(1)?;
            for &axis in axes {
                let size = site.builder.size_value(sizes[axis])?;
                product = site.builder.arithmetic("arith.muli", &[product, size])?;
            }
            Ok(Size::Dynamic(product))
        }
    };
    reassociation(view).into_iter().map(product).collect()
}

/// The sizes that a `tensor.reshape` takes from an array, as far as the result's type does not say
/// them.
fn listed_sizes<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<Vec<Size<'c, 'a>>, Error> {
    static_sizes(&RankedTensorType::try_from(view.result_types[0])?)
        .into_iter()
        .enumerate()
        .map(|(axis, stated)| match stated {
            Some(size) => Ok(Size::Static(size)),
            None => Ok(Size::Dynamic(listed_size(site, view, axis)?)),
        })
        .collect()
}

//===----------------------------------------------------------------------===//
// Arrays of others' elements
//===----------------------------------------------------------------------===//

/// What pads an array without elements.
fn generated<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let r#type = view.result_types[0];
    let [sizes, low, high] = sizes_and_amounts(site, view);
    let stated = static_sizes(&RankedTensorType::try_from(r#type)?);
    let mut open = vec![];
    for axis in (0..sizes.len()).filter(|&axis| stated[axis].is_none()) {
        open.push(site.value(&(&(&sizes[axis] + &low[axis]) + &high[axis]))?);
    }
    let index = vec![site.builder.index_type(); sizes.len()];
    let body = site
        .builder
        .region(&index, "tensor.yield", |body, place| match view.block() {
            Some(padding) => body.inline(padding, place),
            None => Ok(vec![]),
        })?;
    let op = site
        .builder
        .op("tensor.generate", &open, &[r#type], &[], vec![body])?;
    Ok(op.result(0)?.into())
}

/// Arrays joined without those that are empty; nothing if all have elements.
fn joined<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, Error> {
    let mut rest = view.operands.clone();
    rest.retain(|&array| !is_empty(site, array));
    if rest.len() == view.operands.len() {
        return Ok(None);
    }
    let r#type = view.result_types[0];
    match rest[..] {
        [] => {
            let shape = joined_shape(site, view).map_or(vec![], |(_, shape)| shape);
            let sizes = shape.iter().map(|extent| size(site, extent));
            let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
            Ok(Some(new_array(site, view, &sizes)?))
        }
        [one] => Ok(Some(site.builder.cast(one, r#type)?)),
        _ => {
            let attributes: Vec<_> = view
                .attribute("dim")
                .map(|dim| ("dim", dim))
                .into_iter()
                .collect();
            Ok(Some(site.builder.value(
                "tensor.concat",
                &rest,
                r#type,
                &attributes,
            )?))
        }
    }
}
