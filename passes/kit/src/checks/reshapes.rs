//! Checks of the ops of the `tensor` dialect that give arrays another shape or join them.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    cast::cast,
    description::{array_type, static_sizes},
    extent::Extent,
    requirement::{Condition, Requirement, Truth, placeholders},
    view::OpView,
};

use super::{
    elementwise::is_array, facts::output_shape, indexing::require_not_negative,
    shapes::require_size, site::Site,
};

/// Which dimensions of the longer shape make up each of the shorter one's.
pub fn reassociation(view: &OpView) -> Vec<Vec<usize>> {
    let text = view
        .attribute("reassociation")
        .map(|groups| groups.to_string())
        .unwrap_or_default();
    // `[[0 : i64, 1 : i64], [2 : i64]]`, or without types.
    text.trim_matches(['[', ']'])
        .split("], [")
        .filter(|group| !group.is_empty())
        .map(|group| {
            group
                .split(", ")
                .filter_map(|dimension| dimension.split(' ').next()?.parse().ok())
                .collect()
        })
        .collect()
}

/// `tensor.expand_shape`: the sizes that a dimension is expanded to have its product.
pub fn check_expansion<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    for (axis, size) in expanded_sizes(site, view).iter().enumerate() {
        require_not_negative(site, size, axis)?;
    }
    for (dimension, (size, parts)) in expanded_dimensions(site, view).into_iter().enumerate() {
        let message = format!(
            "dimension {dimension} of size {{}} is not expanded to {}",
            placeholders(parts.len())
        );
        site.require(&Requirement {
            condition: Condition::SameCount(vec![size], parts),
            message,
        })?;
    }
    let is_free = expanded_dimensions(site, view)
        .iter()
        .any(|(_, parts)| has_free_size(parts));
    match is_free {
        true => {
            let sizes = expanded_sizes(site, view);
            require_countable(site, &sizes)
        }
        false => Ok(()),
    }
}

/// Whether sizes with a known product can be of any size: if one of several is zero.
pub(super) fn has_free_size(parts: &[Extent]) -> bool {
    let open = parts.iter().filter(|part| part.as_constant().is_none());
    let has_zero = parts.iter().any(|part| part.as_constant() == Some(0));
    match open.count() {
        0 => false,
        1 => has_zero,
        _ => true,
    }
}

/// The elements of a result can be counted. They are as many as the operand's, but where there
/// are none, other sizes may be too large.
fn require_countable(site: &mut Site, sizes: &[Extent]) -> Result<(), Error> {
    let message = format!(
        "gives an array of shape {}, which has too many elements",
        placeholders(sizes.len())
    );
    site.require_countable(sizes, &message)
}

/// `tensor.expand_shape` of a dimension that is known not to have the sizes: what has failed the check in
/// front gives any array. MLIR rejects what its canonicaliser makes of such an op. The old op stays,
/// without uses.
pub fn define_expansion<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let view = OpView::of(op);
    let misfits = expanded_dimensions(site, &view)
        .into_iter()
        .any(|(size, parts)| Condition::SameCount(vec![size], parts).truth() == Truth::Violated);
    let result: Value = op.result(0)?.into();
    if let (true, Ok(array)) = (misfits, RankedTensorType::try_from(result.r#type())) {
        let nothing = site.builder.index(0)?;
        let dynamic = static_sizes(&array)
            .iter()
            .filter(|size| size.is_none())
            .count();
        let sizes = vec![nothing; dynamic];
        let other = site
            .builder
            .value("tensor.empty", &sizes, array.into(), &[])?;
        site.builder.replace_uses(result, other, None);
    }
    Ok(())
}

/// The size of each dimension that a `tensor.expand_shape` expands, and the sizes it is expanded to.
fn expanded_dimensions<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Vec<(Extent, Vec<Extent>)> {
    let sizes = expanded_sizes(site, view);
    let groups = reassociation(view).into_iter().enumerate();
    groups
        .map(|(dimension, group)| {
            let parts = group.iter().map(|&axis| sizes[axis].clone()).collect();
            (site.facts.size(view.operands[0], dimension), parts)
        })
        .collect()
}

fn expanded_sizes<'c: 'a, 'a>(site: &mut Site<'c, 'a, '_>, view: &OpView<'c, 'a>) -> Vec<Extent> {
    let sizes = output_shape(view);
    let sizes = sizes.iter();
    sizes
        .map(|size| site.facts.resolve(size, &view.operands))
        .collect()
}

/// `tensor.reshape`: the sizes, which are elements of an array, have the product of the array's.
pub fn check_reshape<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let Some(result) = cast::<RankedTensorType>(view.result_types[0]) else {
        return Ok(());
    };
    if site.is_trusted() {
        return Ok(());
    }
    let mut shape = vec![];
    for (axis, claimed) in static_sizes(&result).into_iter().enumerate() {
        let size = listed_size(site, view, axis)?;
        let size = site.facts.value(size);
        require_not_negative(site, &size, axis)?;
        if let Some(claimed) = claimed {
            let what = format!("size {{}} of dimension {axis}");
            require_size(site, &size, claimed, &what)?;
        }
        shape.push(size);
    }
    let array = site.facts.shape(view.operands[0]);
    site.require(&Requirement {
        message: format!(
            "shapes {} and {} have different numbers of elements",
            placeholders(array.len()),
            placeholders(shape.len())
        ),
        condition: Condition::SameCount(array, shape.clone()),
    })?;
    match has_free_size(&shape) {
        true => require_countable(site, &shape),
        false => Ok(()),
    }
}

/// The sizes of a `tensor.reshape` as an array of `index`, which is what MLIR lowers.
pub fn define_reshape<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let view = OpView::of(op);
    let index = site.builder.index_type();
    let Some(result) = cast::<RankedTensorType>(view.result_types[0]) else {
        return Ok(());
    };
    if RankedTensorType::try_from(view.operand_type(1))?.element() == index {
        return Ok(());
    }
    let sizes = (0..result.rank())
        .map(|axis| listed_size(site, &view, axis))
        .collect::<Result<Vec<_>, _>>()?;
    let list = array_type(&[Some(sizes.len() as i64)], index);
    let list = site
        .builder
        .value("tensor.from_elements", &sizes, list, &[])?;
    site.builder.set_operand(op, 1, list);
    Ok(())
}

/// A size that a `tensor.reshape` takes from its array.
pub fn listed_size<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    axis: usize,
) -> Result<Value<'c, 'a>, Error> {
    let builder = &site.builder;
    let place = builder.index(axis as i64)?;
    let size = builder.extract(view.operands[1], &[place])?;
    match size.r#type() == builder.index_type() {
        true => Ok(size),
        false => builder.value("arith.index_cast", &[size], builder.index_type(), &[]),
    }
}

/// The dimension along which a `tensor.concat` joins arrays, and the shape of what it gives: the first
/// array's, but for the dimension.
pub fn joined_shape<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Option<(usize, Vec<Extent>)> {
    let joined = usize::try_from(view.integer("dim")?).ok()?;
    let mut shape = site.facts.shape(*view.operands.first()?);
    for &array in &view.operands[1..] {
        shape[joined] = &shape[joined] + &site.facts.size(array, joined);
    }
    Some((joined, shape))
}

/// `tensor.concat`: the arrays differ in the size of one dimension at most.
pub fn check_concat<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let Some((joined, whole)) = joined_shape(site, view) else {
        return Ok(());
    };
    let shapes: Vec<Vec<Extent>> = view
        .operands
        .iter()
        .map(|&operand| site.facts.shape(operand))
        .collect();
    let others = |shape: &[Extent]| -> Vec<Extent> {
        let axes = shape.iter().enumerate().filter(|&(axis, _)| axis != joined);
        axes.map(|(_, size)| size.clone()).collect()
    };
    for (number, shape) in shapes.iter().enumerate().skip(1) {
        let condition = Condition::SameShape(others(&shapes[0]), others(shape));
        let message = format!(
            "operands 0 and {number}, apart from dimension {joined}, have different shapes: {} and {}",
            placeholders(shape.len()),
            placeholders(shape.len())
        );
        site.require_showing(&condition, &message, &[&shapes[0][..], shape].concat())?;
    }
    let Some(result) = cast::<RankedTensorType>(view.result_types[0]) else {
        return Ok(());
    };
    for (axis, claimed) in static_sizes(&result).into_iter().enumerate() {
        if let Some(claimed) = claimed {
            require_size(
                site,
                &whole[axis],
                claimed,
                &format!("size {{}} of dimension {axis}"),
            )?;
        }
    }
    site.require_countable(
        &[vec![whole[joined].clone()], others(&whole)].concat(),
        &format!(
            "gives an array with sizes {}, which has too many elements",
            placeholders(shapes[0].len())
        ),
    )
}

/// `tensor.concat` as `soac.concat`, which takes part in fusion, and for which empty arrays are
/// arrays: MLIR rejects what it makes of them. The old op stays, without uses.
pub fn define_concat<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let view = OpView::of(op);
    let dimension = joined_shape(site, &view)
        .map(|(dimension, _)| dimension)
        .filter(|_| view.operands.iter().all(|array| is_array(array.r#type())));
    let (Some(dimension), result) = (dimension, Value::from(op.result(0)?)) else {
        return Ok(());
    };
    for &joined in &site.builder.concat(&view.operands, dimension)? {
        let joined = site.builder.cast(joined, result.r#type())?;
        site.builder.replace_uses(result, joined, None);
    }
    Ok(())
}
