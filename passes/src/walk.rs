//! The ops and blocks of a program, in order.

use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, operation::OperationLike};

/// All ops inside an op, outer ones before what is inside them, in program
/// order.
pub(crate) fn operations<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    collect(op, &mut found);
    found
}

/// The first block of an op's first region.
pub(crate) fn first_block<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    let block = op.first_region()?.first_block()?;
    // SAFETY: the block belongs to the op, which lives for 'a.
    Some(unsafe { BlockRef::from_raw(block.to_raw()) })
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
