//! A `backpermute` of a `backpermute` reads the first one's inputs, at the first
//! one's index of its own index: index functions are cheap, arrays are not.
//!
//! Both must be `unchecked`: a checked one, that of an array which is not read
//! everywhere, would lose errors. Neither may the first one's lambda fail, for the
//! same reason. The first one stays if it has other users.
//!
//! Inputs that different ops give are read by an op each.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Values,
    cast::Parts,
    view::{OpView, as_result, definition, dialect, op_name},
};

use super::{
    is_in_cluster,
    structured::{Shape, backpermute, kept_attributes},
};
use comb_kit::{
    inline_copy::inline_copy, pass_error::PassError, switches::Switches, target::Target,
    transformations::Transformation, walk::operations,
};

/// Dialects whose ops cannot fail once `soac-insert-checks` has run.
const ARITHMETIC: &[&str] = &["affine", "arith", "index", "math"];

/// What else index functions that cannot fail are made of.
const HARMLESS: &[&str] = &["soac.yield", "tensor.dim", "tensor.extract"];

/// Where an input is read from, once the op is composed.
struct Input<'c, 'a> {
    array: Value<'c, 'a>,
    /// The op whose lambda comes in between.
    through: Option<OperationRef<'c, 'a>>,
}

/// Composes a `backpermute` with those that give its inputs, which have been
/// composed before.
pub(super) fn rewrite<'c, 'a>(
    op: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let Some(target) = Target::new(op, OpView::of(op), false)? else {
        return Ok(());
    };
    let inputs: Vec<Input> = target.group(0).into_iter().map(traced).collect();
    let composes = inputs.iter().any(|input| input.through.is_some());
    let is_possible = composes && is_free(&target.view) && !contains_another(op);
    if !is_possible || !switches.applies(Transformation::ComposedReads, op.location()) {
        return Ok(());
    }
    let mut results = vec![None; inputs.len()];
    while let Some(first) = results.iter().position(Option::is_none) {
        let through = inputs[first].through;
        let alike: Vec<usize> = (first..inputs.len())
            .filter(|&other| inputs[other].through == through)
            .collect();
        let arrays: Values = alike.iter().map(|&input| inputs[input].array).collect();
        let read = composed(&target, &alike, &arrays, through)?;
        for (input, result) in alike.into_iter().zip(read) {
            results[input] = Some(result);
        }
    }
    let results: Values = results.into_iter().flatten().collect();
    target.replace(&results)
}

/// What an input is read from; sizes that a cast claims have been checked.
fn traced<'c: 'a, 'a>(array: Value<'c, 'a>) -> Input<'c, 'a> {
    read_through(array).unwrap_or(Input {
        array,
        through: None,
    })
}

fn read_through<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<Input<'c, 'a>> {
    let op = definition(array)?;
    if op_name(op) == "tensor.cast" {
        return read_through(op.operand_at(0)?);
    }
    let view = (op_name(op) == "soac.backpermute").then(|| OpView::of(op))?;
    let number = as_result(array)?.result_number();
    (is_free(&view) && !is_in_cluster(op) && cannot_fail(op)).then(|| Input {
        array: view.operands[view.group(0)][number],
        through: Some(op),
    })
}

/// Whether nothing is said of where an op reads but what its lambda says.
pub(super) fn is_free(view: &OpView) -> bool {
    view.flag("unchecked") && view.integer("label").is_none()
}

/// Whether a `backpermute` in the lambda still has its turn.
fn contains_another(op: OperationRef) -> bool {
    operations(op)
        .into_iter()
        .any(|inner| op_name(inner) == "soac.backpermute")
}

fn cannot_fail(op: OperationRef) -> bool {
    let mut inside = operations(op).into_iter();
    inside.all(|op| ARITHMETIC.contains(&dialect(op)) || HARMLESS.contains(&op_name(op)))
}

/// Some results of an op, read from other arrays through another op's lambda.
fn composed<'c, 'a>(
    target: &Target<'c, 'a>,
    results: &[usize],
    arrays: &[Value<'c, 'a>],
    through: Option<OperationRef<'c, 'a>>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let types: Vec<_> = results
        .iter()
        .map(|&result| target.view.result_types[result])
        .collect();
    let shape = Shape {
        sizes: &target.mixed("static_sizes", 1)?,
        types: &types,
        attributes: &kept_attributes(target.op),
    };
    backpermute(&target.builder, arrays, &shape, |builder, index| {
        let position = inline_copy(builder, target.op, index)?;
        match through {
            Some(op) => Ok(inline_copy(builder, op, &position)?),
            None => Ok(position),
        }
    })
}
