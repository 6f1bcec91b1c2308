//! The values that the regions of an op use, but do not define.

use std::collections::HashSet;

use comb_kit::{checks::facts::key, walk::operations};
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, operation::OperationLike};
use soac_dialect::cast::Arguments;

/// The values from outside that the regions of an op use, each once, in the order
/// in which they are used first.
pub fn captured<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut own: HashSet<usize> = HashSet::new();
    let mut found = vec![];
    define_arguments(op, &mut own);
    let inner = operations(op);
    for &op in &inner {
        own.extend(op.results().map(|result| key(result.into())));
        define_arguments(op, &mut own);
    }
    for op in inner {
        for operand in op.operands() {
            if own.insert(key(operand)) {
                found.push(operand);
            }
        }
    }
    found
}

fn define_arguments(op: OperationRef, own: &mut HashSet<usize>) {
    for region in op.regions() {
        let mut next = region.first_block();
        while let Some(block) = next {
            let arguments =
                (0..block.argument_count()).filter_map(|index| block.argument_at(index));
            own.extend(arguments.map(|argument| key(argument.into())));
            next = block.next_in_region();
        }
    }
}
