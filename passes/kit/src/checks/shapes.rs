//! Checks of `soac` ops: what they require of their operands, results that
//! claim more than is known, inner arrays that lambdas yield, and sizes beyond
//! counting.

use melior::{
    Error,
    ir::{OperationRef, Value, ValueLike, r#type::RankedTensorType},
};
use soac_dialect::{
    description::{Description, describe, static_sizes},
    extent::Extent,
    requirement::{Condition, Requirement, placeholders},
    view::OpView,
};

use super::{reshapes::has_free_size, site::Site};

/// Checks in front of a `soac` op.
pub fn check_op<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let Ok(description) = describe(view) else {
        return Ok(());
    };
    for requirement in &description.requirements {
        let condition = &requirement.condition;
        let requirement = Requirement {
            condition: site.facts.resolve_condition(condition, &view.operands),
            message: requirement.message.clone(),
        };
        site.require(&requirement)?;
    }
    check_counts(site, view, &description)?;
    for (number, result) in description.results.iter().enumerate() {
        let Ok(r#type) = RankedTensorType::try_from(view.result_types[number]) else {
            continue;
        };
        for (axis, (claimed, size)) in static_sizes(&r#type).iter().zip(&result.sizes).enumerate() {
            let (Some(claimed), Some(size)) = (claimed, size) else {
                continue;
            };
            if size.as_constant().is_none() {
                let size = site.facts.resolve(size, &view.operands);
                let what = format!("size {{}} of dimension {axis} of result {number}");
                require_size(site, &size, *claimed, &what)?;
            }
        }
    }
    Ok(())
}

/// Requires a size to be what a type claims. `what` has a `{}` for the size.
pub fn require_size(site: &mut Site, size: &Extent, claimed: i64, what: &str) -> Result<(), Error> {
    let claimed = vec![Extent::constant(claimed)];
    site.require(&Requirement {
        condition: Condition::SameShape(vec![size.clone()], claimed),
        message: format!("{what} is not {{}}"),
    })
}

/// Checks that new shapes are not beyond counting. Only ops that can give more
/// elements than their operands have need it, or other sizes beside zeros.
fn check_counts<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    description: &Description<'c>,
) -> Result<(), Error> {
    if never_grows(view) {
        return Ok(());
    }
    let operands: Vec<Vec<Extent>> = view
        .operands
        .iter()
        .map(|&operand| site.facts.shape(operand))
        .collect();
    let mut checked: Vec<Vec<Extent>> = vec![];
    for result in &description.results {
        let Some(sizes) = result.sizes.iter().cloned().collect::<Option<Vec<_>>>() else {
            continue;
        };
        let sizes: Vec<Extent> = sizes
            .iter()
            .map(|size| site.facts.resolve(size, &view.operands))
            .collect();
        // Another shape has as many elements, but sizes beside a zero may be any.
        let keeps_count = view.name == "soac.reshape" && !has_free_size(&sizes);
        let is_known = is_small(&sizes)
            || keeps_count
            || checked.contains(&sizes)
            || operands.iter().any(|array| is_part(&sizes, array))
            || measured_arrays(site, &sizes)
                .iter()
                .any(|array| is_part(&sizes, array));
        if is_known {
            continue;
        }
        let message = format!(
            "gives an array of shape {}, which has too many elements",
            placeholders(sizes.len())
        );
        site.require_countable(&sizes, &message)?;
        checked.push(sizes);
    }
    Ok(())
}

/// The shapes of the arrays that sizes were taken from.
fn measured_arrays(site: &mut Site, sizes: &[Extent]) -> Vec<Vec<Extent>> {
    let arrays: Vec<Value> = sizes
        .iter()
        .filter_map(|size| match (size.constant, &size.terms[..]) {
            (0, [(1, term)]) => site.facts.measured(*term),
            _ => None,
        })
        .collect();
    arrays
        .iter()
        .map(|&array| site.facts.shape(array))
        .collect()
}

/// Ops whose results never have more elements than their operands.
fn never_grows(view: &OpView) -> bool {
    let steps = |attribute, group| {
        view.mixed(attribute, group)
            .iter()
            .all(|stride| stride.as_constant().is_some_and(|stride| stride != 0))
    };
    match view.name {
        "soac.take" | "soac.drop" => true,
        "soac.slice" => !view.flag("unchecked") && steps("static_strides", 3),
        _ => false,
    }
}

/// Whether all sizes are constants with a product that raises no doubt.
pub fn is_small(sizes: &[Extent]) -> bool {
    let product = sizes.iter().try_fold(1i64, |product, size| {
        product.checked_mul(size.as_constant()?.max(1))
    });
    product.is_some_and(|product| product < 1 << 48)
}

/// Whether each of the sizes is one of an array's, none of which is used twice.
fn is_part(sizes: &[Extent], array: &[Extent]) -> bool {
    let mut rest = array.to_vec();
    sizes.iter().all(|size| {
        size.as_constant() == Some(1)
            || rest
                .iter()
                .position(|other| other == size)
                .map(|position| rest.swap_remove(position))
                .is_some()
    })
}

/// Checks in front of the yield of a map over outer dimensions: the inner arrays
/// have the sizes that the op promises.
pub fn check_yield<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    parent: OperationRef<'c, 'a>,
    yielded: &[Value<'c, 'a>],
) -> Result<(), Error> {
    let view = OpView::of(parent);
    match view.name {
        "soac.map" => check_inner_arrays(site, &view, yielded),
        _ => Ok(()),
    }
}

/// The dynamic sizes of the inner arrays, in order, are the operands of
/// `inner`.
fn check_inner_arrays<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    yielded: &[Value<'c, 'a>],
) -> Result<(), Error> {
    let mut inner = view.group(1);
    for (number, &value) in yielded.iter().enumerate() {
        let Ok(r#type) = RankedTensorType::try_from(value.r#type()) else {
            continue;
        };
        for (axis, size) in static_sizes(&r#type).into_iter().enumerate() {
            if size.is_some() {
                continue;
            }
            let Some(operand) = inner.next() else {
                return Ok(());
            };
            let claimed = site.facts.value(view.operands[operand]);
            let actual = site.facts.size(value, axis);
            site.require(&Requirement {
                condition: Condition::SameShape(vec![actual], vec![claimed]),
                message: format!(
                    "yields array {number} with size {{}} in dimension {axis}, \
                     but 'inner' says {{}}"
                ),
            })?;
        }
    }
    Ok(())
}
