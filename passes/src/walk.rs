//! The ops of a program, in order.

use melior::ir::{BlockLike, OperationRef, RegionLike, operation::OperationLike};

/// All ops inside an op, outer ones before what is inside them, in program
/// order.
pub(crate) fn operations<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    collect(op, &mut found);
    found
}

fn collect<'c: 'a, 'a>(op: OperationRef<'c, 'a>, found: &mut Vec<OperationRef<'c, 'a>>) {
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut inner = current.first_operation();
            while let Some(op) = inner {
                found.push(op);
                collect(op, found);
                inner = op.next_in_block();
            }
            block = current.next_in_region();
        }
    }
}
