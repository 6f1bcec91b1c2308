//! Single elements of computed arrays: `tensor.extract` of a `soac.map`'s result
//! reads the map's inputs and computes the element where it is needed, if it is the
//! same element in all iterations and cheap; so does that of a `soac.generate`'s result, whichever element it is.
//! The array need not be stored then, and whoever reads the element need not wait until it is.
//!
//! A check of the index stands in front of the `tensor.extract`, and stays there.
//!
//! Cost: linear in the number of such reads, times the size of the lambdas.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::{ancestors, operations},
};
use comb_machine::tuning::computable::CHEAP;
use melior::ir::{
    BlockLike, OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::cast,
    view::{OpView, argument_of, as_result, definition, op_name},
};

use crate::fuse::work::plain_instructions;

/// Rewrites the reads of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let mut reads = extracts(module);
    while let Some(read) = reads.pop() {
        reads.extend(computed_here(read, switches)?);
    }
    Ok(())
}

fn extracts<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = operations(module);
    found.retain(|&op| op_name(op) == "tensor.extract");
    found
}

/// Replaces a read by a computation; gives the reads that this has.
fn computed_here<'c: 'a, 'a>(
    read: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<Vec<OperationRef<'c, 'a>>, PassError<'c>> {
    let array: Value = read.operand(0)?;
    let index: Values = read.operands().skip(1).collect();
    let cheap = cheap_map(array).or_else(|| cheap_generate(array));
    let (Some(cheap), Some(builder)) = (cheap, Builder::before(read)) else {
        return Ok(vec![]);
    };
    let number = as_result(array).map_or(0, |result| result.result_number());
    let view = OpView::of(cheap);
    let is_free = view.mnemonic() == "generate";
    if !is_free && !index.iter().all(|&component| is_invariant(component, read)) {
        return Ok(vec![]);
    }
    let Some(block) = view.block() else {
        return Ok(vec![]);
    };
    if !switches.applies(Transformation::Points, read.location()) {
        return Ok(vec![]);
    }
    let mut values: HashMap<usize, Value> = HashMap::new();
    let mut reads = vec![];
    let given = match view.mnemonic() {
        "generate" => index,
        _ => {
            let inputs = view.operands.iter();
            let read = |&input| builder.extract(input, &index);
            let elements: Values = inputs.map(read).collect::<Result<_, _>>()?;
            reads.extend(elements.iter().filter_map(|&element| definition(element)));
            elements
        }
    };
    for (position, value) in given.into_iter().enumerate() {
        values.insert(key(block.argument(position)?.into()), value);
    }
    let of = |values: &HashMap<usize, Value<'c, 'a>>, value: Value<'c, 'a>| {
        values.get(&key(value)).copied().unwrap_or(value)
    };
    let mut next = block.first_operation();
    while let Some(op) = next.filter(|&op| op_name(op) != "soac.yield") {
        let copy = builder.copy(op, &mut |value| of(&values, value));
        for (old, new) in op.results().zip(copy.results()) {
            values.insert(key(old.into()), new.into());
        }
        next = op.next_in_block();
    }
    let Some(&yielded) = view.yielded().unwrap_or_default().get(number) else {
        return Ok(vec![]);
    };
    builder.replace(read, &[of(&values, yielded)]);
    Ok(reads)
}

/// The map that gives an array, if its elements are cheap.
pub(super) fn cheap_map<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let map = definition(array).filter(|&op| op_name(op) == "soac.map")?;
    let view = OpView::of(map);
    let rank = cast::<RankedTensorType>(array.r#type())?.rank();
    let takes_elements = (0..view.operands.len()).all(|operand| {
        view.array(operand)
            .is_some_and(|array| array.rank() == rank)
    });
    (takes_elements && is_cheap(map)).then_some(map)
}

/// The `generate` that gives an array, if its elements are cheap.
fn cheap_generate<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    definition(array).filter(|&op| op_name(op) == "soac.generate" && is_cheap(op))
}

/// Whether a lambda is scalar code that costs little, and neither fails nor reads arrays.
fn is_cheap(op: OperationRef) -> bool {
    plain_instructions(op).is_some_and(|work| work <= CHEAP)
}

/// Whether a value is the same at all iterations of the combinator around an op.
fn is_invariant<'c: 'a, 'a>(value: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let Some(around) = ancestors(op).find(|&parent| op_name(parent).starts_with("soac.")) else {
        return true;
    };
    let owner = match definition(value) {
        Some(defining) => Some(defining),
        None => match argument_of(value) {
            Some((parent, _)) if parent == around => return false,
            Some((parent, _)) => Some(parent),
            None => None,
        },
    };
    owner.is_none_or(|owner| ancestors(owner).all(|parent| parent != around))
}
