//! Clusters that do nothing, and their inputs and results that nobody needs.

use melior::ir::{Attribute, BlockLike, Value, block::BlockArgument, operation::OperationLike};

use super::rewrite::{Rewrite, is_used, without};
use crate::builder::Values;

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
        .map(|value| match BlockArgument::try_from(value) {
            Ok(argument) if argument.owner() == body => inputs[argument.argument_number()],
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
    let argument = |number: usize| Some(Value::from(body.argument(number).ok()?));
    let mut left_out = vec![];
    for input in 0..inputs.len() {
        let from = argument(input)?;
        let first = inputs[..input]
            .iter()
            .position(|other| *other == inputs[input]);
        if let (Some(first), true) = (first, same_order(rewrite, input)) {
            rewrite.replace_uses(from, argument(first)?);
        }
        if !is_used(from) {
            left_out.push(input);
        }
    }
    if left_out.is_empty() {
        return None;
    }
    rewrite.without_inputs(&left_out, orders(rewrite, "input_orders", &left_out))
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

/// An array that is read in two orders is two inputs.
fn same_order(rewrite: &Rewrite, input: usize) -> bool {
    let orders = rewrite.view.integers("input_orders");
    let inputs = rewrite.group(0);
    let first = inputs.iter().position(|other| *other == inputs[input]);
    first.is_some_and(|first| orders.get(first) == orders.get(input))
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
