//! `generate` and `map`: lambdas that give back what they were given, or what
//! does not depend on the index; inputs and results that nobody needs.

use melior::ir::{BlockRef, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType};

use super::rewrite::{Rewrite, can_cast, is_used, requirements_hold};
use crate::{
    builder::mixed_list,
    cast::{Arguments, is_a},
    description::describe,
    view::{as_argument, definition},
};

/// Which argument of the lambda a value is.
fn argument_number(lambda: BlockRef, value: Value) -> Option<usize> {
    let argument = as_argument(value)?;
    (argument.owner() == lambda).then(|| argument.argument_number())
}

/// Whether a value is defined outside of the lambda that yields it.
fn is_captured(lambda: BlockRef, value: Value) -> bool {
    match as_argument(value) {
        Some(argument) => argument.owner() != lambda,
        None => definition(value)
            .and_then(|op| op.block())
            .is_some_and(|block| block != lambda),
    }
}

/// The results that are used, each with what the lambda yields for it.
fn used_results<'c, 'a>(rewrite: &Rewrite<'c, 'a>) -> Option<Vec<(Value<'c, 'a>, Value<'c, 'a>)>> {
    let yielded = rewrite.view.yielded()?;
    let results = rewrite.results().into_iter().zip(yielded);
    Some(results.filter(|&(result, _)| is_used(result)).collect())
}

/// A map that yields an argument gives the input back.
pub(super) fn map_of_identity(rewrite: &Rewrite) -> Option<()> {
    let lambda = rewrite.lambda()?;
    let inputs = rewrite.group(0);
    let (result, input) = used_results(rewrite)?
        .into_iter()
        .find_map(|(result, yielded)| {
            let input = inputs[argument_number(lambda, yielded)?];
            can_cast(input, result.r#type()).then_some((result, input))
        })?;
    if !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.replace_uses(result, rewrite.cast(input, result.r#type()));
    Some(())
}

/// A `generate` or `map` that yields what it captures is a `fill`.
pub(super) fn constant_element(rewrite: &Rewrite) -> Option<()> {
    let lambda = rewrite.lambda()?;
    let (result, value) = used_results(rewrite)?.into_iter().find(|&(_, yielded)| {
        is_captured(lambda, yielded) && !is_a::<RankedTensorType>(yielded.r#type())
    })?;
    let position = rewrite
        .results()
        .iter()
        .position(|&other| other == result)?;
    let sizes = describe(&rewrite.view).ok()?.result_sizes()?;
    let sizes = sizes.get(position)?;
    let may_fail = rewrite.view.mnemonic() == "map" && !requirements_hold(&rewrite.view);
    if may_fail || !sizes.iter().all(Rewrite::is_simple) {
        return None;
    }
    let sizes: Vec<_> = sizes.iter().map(|size| rewrite.materialize(size)).collect();
    let (list, values) = mixed_list(&sizes);
    let attributes = vec![("static_sizes", rewrite.integers(&list))];
    let fill = rewrite.build_one(result, "fill", &[vec![value], values], attributes)?;
    rewrite.replace_uses(result, fill);
    Some(())
}

/// A `generate` that yields an index is an `iota`.
pub(super) fn generate_of_index(rewrite: &Rewrite) -> Option<()> {
    let lambda = rewrite.lambda()?;
    let (result, dim) = used_results(rewrite)?
        .into_iter()
        .find_map(|(result, yielded)| Some((result, argument_number(lambda, yielded)?)))?;
    let attributes = vec![
        ("static_sizes", rewrite.view.attribute("static_sizes")?),
        ("dim", rewrite.integer(dim as i64)),
    ];
    let iota = rewrite.build_one(result, "iota", &[rewrite.group(0)], attributes)?;
    rewrite.replace_uses(result, iota);
    Some(())
}

/// Results that nobody uses are not computed, as long as one remains. (Of the
/// sizes of inner arrays it is not known which result they belong to.)
pub(super) fn unused_results(rewrite: &Rewrite) -> Option<()> {
    let results = rewrite.results();
    let used: Vec<usize> = (0..results.len())
        .filter(|&result| is_used(results[result]))
        .collect();
    let inner = rewrite.view.mnemonic() == "map" && !rewrite.view.group(1).is_empty();
    if inner || used.is_empty() || used.len() == results.len() {
        return None;
    }
    rewrite.yield_only(&used)?;
    rewrite.with_results(&used, &rewrite.groups(), vec![]);
    Some(())
}

/// An input that a map is given twice is taken once.
pub(super) fn duplicate_inputs(rewrite: &Rewrite) -> Option<()> {
    let lambda = rewrite.lambda()?;
    let inputs = rewrite.group(0);
    let (duplicate, first) = (1..inputs.len()).find_map(|input| {
        let first = inputs[..input]
            .iter()
            .position(|other| *other == inputs[input])?;
        Some((input, first))
    })?;
    let argument = |number| Some(Value::from(lambda.argument_at(number)?));
    let (from, to) = (argument(duplicate)?, argument(first)?);
    rewrite.replace_uses(from, to);
    rewrite.without_inputs(&[duplicate], vec![])
}

/// An input whose elements nobody uses is not read, as long as one remains and
/// the shapes are known to agree.
pub(super) fn unused_inputs(rewrite: &Rewrite) -> Option<()> {
    let lambda = rewrite.lambda()?;
    let inputs = rewrite.view.group(0).len();
    let mut unused: Vec<usize> = (0..inputs)
        .filter(|&input| {
            lambda
                .argument_at(input)
                .is_some_and(|argument| !is_used(argument.into()))
        })
        .collect();
    if unused.len() == inputs {
        unused.remove(0);
    }
    if unused.is_empty() || !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.without_inputs(&unused, vec![])
}
