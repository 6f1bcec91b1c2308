//! Verification of every op: its description, what is known statically of its
//! requirements, its lambda, and what is particular to it.

use melior::ir::{
    OperationRef, ValueLike,
    attribute::StringAttribute,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};

use crate::{
    cast::cast,
    description::{Description, Violation, are_compatible, count, describe, type_list},
    requirement::Truth,
    text::{shown, string_bytes},
    view::OpView,
};

/// Checks an op.
///
/// # Errors
///
/// The first rule that it breaks.
pub(crate) fn verify(view: &OpView, op: &OperationRef) -> Result<(), Violation> {
    let description = describe(view)?;
    for requirement in &description.requirements {
        if requirement.condition.truth() == Truth::Violated {
            return Err(Violation(requirement.static_message()));
        }
    }
    verify_lambda(view, &description)?;
    if view.mnemonic() != "external" {
        verify_results(view, &description)?;
    }
    match view.mnemonic() {
        "filter" => verify_dynamic_results(op),
        "check" => verify_placeholders(view),
        _ => Ok(()),
    }
}

fn verify_lambda(view: &OpView, description: &Description) -> Result<(), Violation> {
    let Some(expected) = &description.lambda else {
        return Ok(());
    };
    let arguments = view.lambda_arguments().unwrap_or_default();
    if arguments != expected.arguments {
        return Err(Violation(format!(
            "has a lambda of ({}), expected ({})",
            type_list(&arguments),
            type_list(&expected.arguments)
        )));
    }
    let Some(yielded) = view.yielded() else {
        return Err(Violation(
            "needs a lambda that ends with 'soac.yield'".into(),
        ));
    };
    let yielded: Vec<_> = yielded.iter().map(|value| value.r#type()).collect();
    match &expected.yields {
        Some(types) if *types != yielded => Err(Violation(format!(
            "has a lambda that yields ({}), expected ({})",
            type_list(&yielded),
            type_list(types)
        ))),
        _ => Ok(()),
    }
}

/// The size of a filter's results is not known before it runs.
fn verify_dynamic_results(op: &OperationRef) -> Result<(), Violation> {
    for result in op.results() {
        let r#type = result.r#type();
        if cast::<RankedTensorType>(r#type).is_some_and(|array| array.has_static_shape()) {
            return Err(Violation(format!(
                "has a result of static size, {type}, but how many elements are kept is known \
                 only when it runs"
            )));
        }
    }
    Ok(())
}

/// The results are those described, with sizes that do not contradict it. A
/// cluster's are exactly what it yields.
fn verify_results(view: &OpView, description: &Description) -> Result<(), Violation> {
    let expected = description.result_types();
    let matches = expected.len() == view.result_types.len()
        && expected
            .iter()
            .zip(&view.result_types)
            .all(|(&expected, &given)| {
                match (
                    cast::<RankedTensorType>(expected),
                    cast::<RankedTensorType>(given),
                ) {
                    (Some(expected), Some(given)) if view.mnemonic() != "cluster" => {
                        are_compatible(&expected, &given)
                    }
                    _ => expected == given,
                }
            });
    if matches {
        return Ok(());
    }
    Err(Violation(format!(
        "has results ({}), but its operands say ({})",
        type_list(&view.result_types),
        type_list(&expected)
    )))
}

/// A check's message has a placeholder for each of its values.
fn verify_placeholders(view: &OpView) -> Result<(), Violation> {
    let message = view
        .attribute("message")
        .and_then(|message| StringAttribute::try_from(message).ok())
        .map(|message| shown(string_bytes(message)))
        .unwrap_or_default();
    let placeholders = message.matches("{}").count();
    let values = view.operands.len().saturating_sub(1);
    if placeholders == values {
        return Ok(());
    }
    Err(Violation(format!(
        "has {} in its message for {}",
        count(placeholders, "placeholder"),
        count(values, "value")
    )))
}
