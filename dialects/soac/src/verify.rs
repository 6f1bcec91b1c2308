//! Verification of every op: its description, what is known statically of its
//! requirements, its lambda, and what is particular to it.

use melior::ir::{
    RegionLike,
    OperationRef, ValueLike,
    attribute::StringAttribute,
    operation::OperationLike,
    block::BlockLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};

use crate::{
    description::{Description, Violation, are_compatible, describe, type_list},
    requirement::Truth,
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
    match view.mnemonic() {
        "filter" => verify_dynamic_results(op),
        "iota" => verify_result_shape(op, &description),
        "check" => verify_placeholders(view),
        _ => Ok(()),
    }
}

fn verify_lambda(view: &OpView, description: &Description) -> Result<(), Violation> {
    let Some(expected) = &description.lambda else {
        return Ok(());
    };
    if view
        .regions
        .first()
        .and_then(|region| region.first_block())
        .is_some_and(|block| block.next_in_region().is_some())
    {
        return Err(Violation("has a lambda of several blocks".into()));
    }
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
        if RankedTensorType::try_from(r#type).is_ok_and(|array| array.has_static_shape()) {
            return Err(Violation(format!(
                "has a result of static size, {type}, but how many elements are kept is known \
                 only when it runs"
            )));
        }
    }
    Ok(())
}

/// The result type, which is written and not inferred, has the sizes given.
fn verify_result_shape(op: &OperationRef, description: &Description) -> Result<(), Violation> {
    let Ok(result) = op.result(0) else {
        return Ok(());
    };
    let Ok(array) = RankedTensorType::try_from(result.r#type()) else {
        return Ok(());
    };
    let expected = description.result_types()[0];
    match RankedTensorType::try_from(expected) {
        Ok(expected) if are_compatible(&array, &expected) => Ok(()),
        _ => Err(Violation(format!(
            "has result type {}, but its sizes say {expected}",
            result.r#type()
        ))),
    }
}

/// A check's message has a placeholder for each of its values.
fn verify_placeholders(view: &OpView) -> Result<(), Violation> {
    let message = view
        .attribute("message")
        .and_then(|message| StringAttribute::try_from(message).ok())
        .map(|message| message.value())
        .unwrap_or_default();
    let placeholders = message.matches("{}").count();
    let values = view.operands.len().saturating_sub(1);
    if placeholders == values {
        return Ok(());
    }
    Err(Violation(format!(
        "has {placeholders} placeholders in its message for {values} values"
    )))
}
