//! Which of several arrays a filter, a sort, a scan, a fold or a scatter needs for the results that are used.
//!
//! The array of a used result is needed, and so is one whose elements (or accumulators) are
//! needed for a needed result, for the predicate of a filter or sort, or for what a lambda does besides
//! computing, such as a check.
//!
//! Cost: linear in the size of the lambda.

use std::collections::{BTreeSet, HashSet};

use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike, operation::OperationLike};

use crate::view::{OpView, argument_of, as_argument, definition, dialect, op_name};

/// Dialects whose ops compute and do nothing else.
const COMPUTING: &[&str] = &["affine", "arith", "index", "math", "scf", "tensor"];

/// The numbers of the arrays that are needed, in order; of which results are used, `is_used`
/// says.
#[must_use]
pub fn needed_arrays(view: &OpView, is_used: impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let arrays = view.group(0).len();
    let mut needed: BTreeSet<usize> = (0..arrays).filter(|&array| is_used(array)).collect();
    // A scatter without a lambda only replaces elements.
    let (Some(block), Some(yielded)) = (view.block(), view.yielded()) else {
        return needed;
    };
    let yields_truth = yields_truth(view.mnemonic());
    let mut waiting: Vec<Value> = match yields_truth {
        true => yielded.clone(),
        false => needed.iter().map(|&array| yielded[array]).collect(),
    };
    let ops = inner_ops(block.first_operation());
    let inside: HashSet<_> = ops.iter().map(|op| op.to_raw().ptr).collect();
    for op in ops {
        if !COMPUTING.contains(&dialect(op)) && op_name(op) != "soac.yield" {
            waiting.extend(all_operands(op));
        }
    }
    let mut seen = HashSet::new();
    while let Some(value) = waiting.pop() {
        if !seen.insert(value.to_raw().ptr) {
            continue;
        }
        let source = match as_argument(value) {
            Some(argument) if argument.owner() == block => {
                let array = argument.argument_number() % arrays;
                if needed.insert(array) && !yields_truth {
                    waiting.push(yielded[array]);
                }
                continue;
            }
            Some(_) => argument_of(value).map(|(op, _)| op),
            None => definition(value),
        };
        let source = source.filter(|op| inside.contains(&op.to_raw().ptr));
        waiting.extend(source.into_iter().flat_map(all_operands));
    }
    needed
}

/// Whether the lambda of an op yields a truth value, and not elements of its results.
#[must_use]
pub fn yields_truth(mnemonic: &str) -> bool {
    matches!(mnemonic, "filter" | "sort")
}

/// The operands of an op, and of all ops inside of it.
fn all_operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut operands: Vec<Value> = op.operands().collect();
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            for inner in inner_ops(current.first_operation()) {
                operands.extend(inner.operands());
            }
            block = current.next_in_region();
        }
    }
    operands
}

/// An op, those behind it in its block, and all ops inside of them.
fn inner_ops<'c: 'a, 'a>(first: Option<OperationRef<'c, 'a>>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    let mut next = first;
    while let Some(op) = next {
        found.push(op);
        for region in op.regions() {
            let mut block = region.first_block();
            while let Some(current) = block {
                found.extend(inner_ops(current.first_operation()));
                block = current.next_in_region();
            }
        }
        next = op.next_in_block();
    }
    found
}
