//! The ops and blocks of a program, in order.

use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, Value, operation::OperationLike,
};

use soac_dialect::view::{argument_of, defining_block, definition, op_name, stands_before};

/// All ops inside an op, outer ones before what is inside them, in program
/// order.
pub fn operations<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    collect(op, &mut found);
    found
}

/// The functions inside an op, or the op itself if it is one, in program order.
pub fn functions<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = operations(op);
    found.insert(0, op);
    found.retain(|&op| op_name(op) == "func.func");
    found
}

/// Identifies an op, as long as it lives.
pub fn op_key(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// The modules in a module, inner ones first, and the module itself in the end.
pub fn modules<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = operations(module);
    found.retain(|&op| op_name(op) == "builtin.module" && op != module);
    found.reverse();
    found.push(module);
    found
}

/// The ops that an op is in, innermost first.
pub fn ancestors<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let parent = |op: OperationRef<'c, 'a>| {
        let parent = op.parent_operation()?;
        // SAFETY: the ops that an op is in live at least as long as the op.
        Some(unsafe { OperationRef::from_raw(parent.to_raw()) })
    };
    std::iter::successors(parent(op), move |&op| parent(op))
}

/// An op and all behind it in its block.
pub fn in_block_from<'c, 'a>(
    first: Option<OperationRef<'c, 'a>>,
) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(first, |op| op.next_in_block())
}

/// The first op of a block.
pub fn first_op<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let first = block.first_operation()?;
    // SAFETY: what is in a live block is alive as long.
    Some(unsafe { OperationRef::from_raw(first.to_raw()) })
}

/// The ops of a block.
pub fn ops_of<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    in_block_from(first_op(block)).collect()
}

/// All blocks of an op's regions.
pub fn blocks<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    first_blocks(op)
        .into_iter()
        .flat_map(|first| std::iter::successors(first, |block| block.next_in_region()))
        .collect()
}

/// The first block of an op's first region.
pub fn first_block<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    first_blocks(op).into_iter().next().flatten()
}

/// The first block of each region of an op.
pub fn first_blocks<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Option<BlockRef<'c, 'a>>> {
    let first = |region: RegionRef<'c, 'a>| {
        let block = region.first_block()?;
        // SAFETY: the block belongs to the op, which lives for 'a.
        Some(unsafe { BlockRef::from_raw(block.to_raw()) })
    };
    op.regions().map(first).collect()
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

/// Whether a value is known before an op is executed, each time that it is.
pub fn is_there_before<'c: 'a, 'a>(value: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let Some(block) = defining_block(value) else {
        return false;
    };
    let around = std::iter::once(op).chain(ancestors(op));
    let mut here = around.filter(|op| op.block() == Some(block));
    match (definition(value), here.next()) {
        (Some(defining), Some(op)) => stands_before(defining, op),
        (None, Some(_)) => argument_of(value).is_some(),
        (_, None) => false,
    }
}
