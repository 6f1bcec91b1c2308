//! Checks of indexing and slicing in the `tensor` dialect, and of loops' steps.

use melior::{
    Error,
    ir::{
        OperationRef, TypeLike, Value, ValueLike,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::Predicate,
    cast::cast,
    description::static_sizes,
    extent::Extent,
    requirement::{Condition, Requirement, placeholders},
    slice::kept_dimensions,
    view::OpView,
};

use super::{
    bounds::is_inside,
    facts::constant,
    padding, reshapes,
    shapes::{is_small, require_size},
    site::Site,
};
use crate::pass_error::PassError;

/// Checks in front of an op of the `tensor` or `scf` dialect.
pub fn check_op<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    match view.name {
        "tensor.extract" => check_indices(site, view.operands[0], &view.operands[1..])?,
        "tensor.insert" => check_indices(site, view.operands[1], &view.operands[2..])?,
        "tensor.dim" => check_dimension(site, &view)?,
        "tensor.cast" => check_cast(site, &view)?,
        "tensor.empty" | "tensor.generate" | "tensor.splat" => check_new_array(site, op)?,
        // What it copies is an array already.
        "bufferization.alloc_tensor" if view.group(1).is_empty() => check_new_array(site, op)?,
        "tensor.expand_shape" => reshapes::check_expansion(site, &view)?,
        "tensor.reshape" => reshapes::check_reshape(site, &view)?,
        "tensor.concat" => reshapes::check_concat(site, &view)?,
        "tensor.pad" => padding::check(site, op)?,
        "tensor.extract_slice" => check_slice(site, &view, 1)?,
        "tensor.insert_slice" | "tensor.parallel_insert_slice" => {
            check_inserted(site, &view)?;
            check_slice(site, &view, 2)?;
        }
        "tensor.scatter" => check_scattered(site, &view)?,
        "scf.for" | "scf.parallel" | "scf.forall" => check_steps(site, &view)?,
        _ => {}
    }
    Ok(())
}

fn check_indices<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    array: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<(), PassError<'c>> {
    for (axis, &index) in indices.iter().enumerate() {
        let size = site.facts.size(array, axis);
        check_index(
            site,
            index,
            &size,
            "index",
            &format!(" in dimension {axis}"),
        )?;
    }
    Ok(())
}

/// An index lies in `0..size`: proven, refuted, or checked. The message says
/// what kind of index it is, and where.
fn check_index<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    index: Value<'c, 'a>,
    size: &Extent,
    kind: &str,
    place: &str,
) -> Result<(), PassError<'c>> {
    if is_inside(site.facts, index, size) {
        site.counts.proven += 1;
        return Ok(());
    }
    let known = site.facts.value(index);
    let message = format!("{kind} {{}} is out of range [0, {{}}){place}");
    site.require_index(&known, size, &message)?;
    Ok(())
}

/// `tensor.dim` names a dimension that the array has.
fn check_dimension<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Some(array) = cast::<RankedTensorType>(view.operand_type(0)) else {
        return Ok(());
    };
    let dimension = view.operands[1];
    let rank = Extent::constant(array.rank() as i64);
    match constant(dimension) {
        Some(axis) if (0..array.rank() as i64).contains(&axis) => Ok(()),
        _ => check_index(site, dimension, &rank, "dimension", ""),
    }
}

/// Gives an op of the `tensor` dialect, behind its checks, a form that MLIR lowers as it is meant.
pub fn define<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    match view.name {
        "tensor.dim" => {
            let array = RankedTensorType::try_from(view.operand_type(0));
            let rank = array.map_or(0, |array| array.rank());
            let names_one = |axis| (0..rank as i64).contains(&axis);
            if rank > 0 && !constant(view.operands[1]).is_some_and(names_one) {
                select_size(site, op, rank)?;
            }
        }
        "tensor.pad" => padding::define(site, op)?,
        "tensor.reshape" => reshapes::define_reshape(site, op)?,
        "tensor.expand_shape" => reshapes::define_expansion(site, op)?,
        "tensor.concat" => reshapes::define_concat(site, op)?,
        _ => {}
    }
    Ok(())
}

/// A size by the number of its dimension, as a choice among all sizes: as such, it has a form for
/// vectors. A number that is known to be out of range has failed the check in front. The old op stays,
/// without uses.
fn select_size<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    rank: usize,
) -> Result<(), PassError<'c>> {
    let (array, dimension) = (op.operand(0)?, op.operand(1)?);
    let mut selected = site.builder.index(0)?;
    for axis in 0..rank {
        let size = site.facts.size(array, axis);
        let (size, place) = (site.value(&size)?, site.builder.index(axis as i64)?);
        let is_asked = site.builder.compare(Predicate::Eq, dimension, place)?;
        selected = site.builder.select(is_asked, size, selected)?;
    }
    site.builder
        .replace_uses(op.result(0)?.into(), selected, None);
    Ok(())
}

/// A cast to static sizes.
fn check_cast<'c: 'a, 'a>(site: &mut Site<'c, 'a, '_>, view: &OpView<'c, 'a>) -> Result<(), Error> {
    let (Ok(from), Ok(to)) = (
        RankedTensorType::try_from(view.operand_type(0)),
        RankedTensorType::try_from(view.result_types[0]),
    ) else {
        return Ok(());
    };
    let sizes = static_sizes(&from).into_iter().zip(static_sizes(&to));
    for (axis, sizes) in sizes.enumerate() {
        if let (None, Some(claimed)) = sizes {
            let size = site.facts.size(view.operands[0], axis);
            require_size(
                site,
                &size,
                claimed,
                &format!("size {{}} of dimension {axis}"),
            )?;
        }
    }
    Ok(())
}

/// The sizes of a new array are not negative, and not beyond counting.
fn check_new_array<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let array = Value::from(op.result(0)?);
    let sizes: Vec<Extent> = site.facts.shape(array);
    for (axis, size) in sizes.iter().enumerate() {
        if size.as_constant().is_none_or(|size| size < 0) {
            require_not_negative(site, size, axis)?;
        }
    }
    if !is_small(&sizes) {
        let message = format!(
            "gives an array of shape {}, which has too many elements",
            placeholders(sizes.len())
        );
        site.require_countable(&sizes, &message)?;
    }
    Ok(())
}

/// Requires a size of a new array not to be negative.
pub(super) fn require_not_negative(
    site: &mut Site,
    size: &Extent,
    axis: usize,
) -> Result<(), Error> {
    site.require(&Requirement {
        condition: Condition::NotNegative(size.clone()),
        message: format!("size {axis} is negative: {{}}"),
    })
}

/// The slice, whose array is the operand before the group of offsets, lies
/// inside.
fn check_slice<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    offsets: usize,
) -> Result<(), Error> {
    let array = site.facts.shape(view.operands[offsets - 1]);
    let offset = mixed(site, view, "static_offsets", offsets);
    let sizes = mixed(site, view, "static_sizes", offsets + 1);
    let strides = mixed(site, view, "static_strides", offsets + 2);
    for axis in 0..array.len() {
        require_not_negative(site, &sizes[axis], axis)?;
        site.require(&Requirement {
            condition: Condition::PointsInside {
                offset: offset[axis].clone(),
                sizes: vec![sizes[axis].clone()],
                strides: vec![strides[axis].clone()],
                bound: vec![array[axis].clone()],
            },
            message: format!(
                "the slice with offset {{}}, size {{}} and stride {{}} leaves \
                 dimension {axis} of size {{}}"
            ),
        })?;
    }
    Ok(())
}

/// The extents of a mixed list.
pub fn mixed<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    attribute: &str,
    group: usize,
) -> Vec<Extent> {
    view.mixed(attribute, group)
        .iter()
        .map(|extent| site.facts.resolve(extent, &view.operands))
        .collect()
}

/// What is inserted has the sizes of the slice, of which some that are 1 may be
/// missing.
fn check_inserted<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let Some(kept) = cast::<RankedTensorType>(view.operand_type(0))
        .and_then(|array| kept_dimensions(view, &array))
    else {
        return Ok(());
    };
    let source = site.facts.shape(view.operands[0]);
    let sizes = mixed(site, view, "static_sizes", 3);
    let slice: Vec<Extent> = kept.iter().map(|&axis| sizes[axis].clone()).collect();
    require_shape(site, ["inserts an array", "a slice"], source, slice)
}

/// What is scattered has the sizes of the indices, and those of the dimensions that are not indexed, with
/// those that are or without.
fn check_scattered<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let [source, destination, mut indices] =
        [0, 1, 2].map(|operand| site.facts.shape(view.operands[operand]));
    let indexed = view.integers("scatter_dims");
    indices.pop();
    let leading = indices.len();
    let is_whole = source.len() == leading + destination.len();
    for (axis, size) in destination.into_iter().enumerate() {
        match (indexed.contains(&(axis as i64)), is_whole) {
            (false, _) => indices.push(size),
            (true, true) => indices.push(Extent::constant(1)),
            (true, false) => {}
        }
    }
    if source.len() != indices.len() {
        return Ok(());
    }
    require_shape(site, ["scatters an array", "one"], source, indices)
}

/// What an op does with an array of one shape as if it were of another one is done with equal ones.
fn require_shape<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    [does, as_what]: [&str; 2],
    source: Vec<Extent>,
    wanted: Vec<Extent>,
) -> Result<(), Error> {
    let message = format!(
        "{does} of shape {} as {as_what} of shape {}",
        placeholders(source.len()),
        placeholders(wanted.len())
    );
    site.require(&Requirement {
        condition: Condition::SameShape(source, wanted),
        message,
    })
}

/// A loop's steps are positive, so that it ends.
fn check_steps<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let steps = match view.name {
        "scf.for" => vec![view.operands[2]],
        "scf.forall" => view
            .mixed_values("staticStep", 2)
            .into_iter()
            .map(|step| site.builder.size_value(step))
            .collect::<Result<_, _>>()?,
        _ => view.operands[view.group(2)].to_vec(),
    };
    let unsigned = view.flag("unsignedCmp");
    for step in steps {
        check_step(site, step, unsigned)?;
    }
    Ok(())
}

fn check_step<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    step: Value<'c, 'a>,
    unsigned: bool,
) -> Result<(), Error> {
    let known = match step.r#type().is_index() {
        true => site.facts.value(step).as_constant(),
        false => constant(step),
    };
    if known.is_some_and(|step| step > 0 || (unsigned && step != 0)) {
        return Ok(());
    }
    let builder = site.builder;
    let zero = builder.integer(0, step.r#type())?;
    let is_positive = match unsigned {
        true => Predicate::Ne,
        false => Predicate::Sgt,
    };
    let condition = builder.compare(is_positive, step, zero)?;
    let shown = match step.r#type().is_index() {
        true => step,
        false => builder.value("arith.index_cast", &[step], builder.index_type(), &[])?,
    };
    let shown = site.facts.value(shown);
    site.check(condition, "step {} is not positive", &[shown])
}
