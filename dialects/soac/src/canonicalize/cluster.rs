//! Clusters that do nothing, and their inputs and results that nobody needs.

use melior::ir::{Attribute, BlockLike, operation::OperationLike};

use super::rewrite::{Rewrite, is_used, without};
use crate::{builder::Values, view::as_argument};

/// A cluster whose body only yields is nothing but the values it yields.
pub(super) fn without_combinators(rewrite: &Rewrite) -> Option<()> {
    let body = rewrite.lambda()?;
    let terminator = body.terminator()?;
    if body.first_operation()? != terminator {
        return None;
    }
    let inputs = rewrite.group(0);
    let values: Values = terminator
        .operands()
        .map(|value| match as_argument(value) {
            Some(argument) if argument.owner() == body => inputs[argument.argument_number()],
            _ => value,
        })
        .collect();
    rewrite.replace(&values);
    Some(())
}

/// Inputs that are not read, or given twice, are left out.
pub(super) fn inputs(rewrite: &Rewrite) -> Option<()> {
    let body = rewrite.lambda()?;
    let inputs = rewrite.group(0);
    let arguments: Values = (0..inputs.len())
        .map(|input| body.argument(input).map(Into::into))
        .collect::<Result<_, _>>()
        .ok()?;
    for input in 0..inputs.len() {
        let first = first_alike(rewrite, input);
        if first < input {
            rewrite.replace_uses(arguments[input], arguments[first]);
        }
    }
    let left_out: Vec<usize> = (0..inputs.len())
        .filter(|&input| !is_used(arguments[input]))
        .collect();
    if left_out.is_empty() {
        return None;
    }
    rewrite.without_inputs(&left_out, orders(rewrite, "input_orders", &left_out))
}

/// The first input that is the same array, read in the same order.
fn first_alike(rewrite: &Rewrite, input: usize) -> usize {
    let orders = rewrite.view.integers("input_orders");
    let inputs = rewrite.group(0);
    (0..input)
        .find(|&other| inputs[other] == inputs[input] && orders.get(other) == orders.get(input))
        .unwrap_or(input)
}

/// The orders of the inputs or results that remain, if there are any.
fn orders<'c>(
    rewrite: &Rewrite<'c, '_>,
    name: &'static str,
    left_out: &[usize],
) -> Vec<(&'static str, Attribute<'c>)> {
    let orders = without(&rewrite.view.integers(name), left_out);
    let given = rewrite.view.flag(name);
    given
        .then(|| (name, rewrite.integers(&orders)))
        .into_iter()
        .collect()
}

/// Results that nobody uses are not given.
pub(super) fn results(rewrite: &Rewrite) -> Option<()> {
    let results = rewrite.results();
    let (kept, unused): (Vec<usize>, Vec<usize>) =
        (0..results.len()).partition(|&result| is_used(results[result]));
    if unused.is_empty() {
        return None;
    }
    rewrite.yield_only(&kept)?;
    let orders = orders(rewrite, "output_orders", &unused);
    rewrite.with_results(&kept, &rewrite.groups(), orders);
    Some(())
}
