//! `comb-elide-copies`: removes copies of arguments that nobody writes to.
//!
//! Bufferization takes it that a loop writes to the arrays that it carries. So one that
//! must not change, as an argument of a public function, is copied before the loop. But a
//! stencil computes each step in new memory, and only reads what it carries: then the
//! copy is one more pass over memory.
//!
//! A copy of an argument into new memory is removed, and the argument used in place of it,
//! if nothing is written to the argument, and nothing else to the new memory.
//!
//! Memory has several *names*: views of it, and what loops and branches carry and give. An
//! op that takes a name, and is not listed here, is taken to write there.
//!
//! The pass runs before memory is freed: who owns what is found out then. A result that
//! turns out to be an argument, as of a loop that does not run, is copied there.
//!
//! Cost: for each copy, linear in the number of uses of the names of its two memories.

use std::collections::HashSet;

use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    switches,
    transformations::Transformation,
    walk::{ancestors, first_blocks, operations},
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    cast::{Arguments, Parts},
    view::{argument_of, definition, op_name, uses},
};

/// Ops that give another name to the memory that their first operand is.
const VIEWS: &[&str] = &[
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
];

/// Ops that only read memory, if they take it as their first operand. What a function
/// gives belongs to its caller, and is copied if it is not the function's to give.
const READERS: &[&str] = &[
    "memref.copy",
    "memref.dim",
    "memref.load",
    "memref.prefetch",
    "vector.gather",
    "vector.load",
    "vector.maskedload",
    "vector.transfer_read",
];

/// Removes the copies of a module that nobody needs.
///
/// # Errors
///
/// If an op is not as MLIR says.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| {
        let ops = operations(module);
        for copy in ops.into_iter().filter(|&op| op_name(op) == "memref.copy") {
            if is_needless(copy)? && switches.applies(Transformation::ElideCopies, copy.location())
            {
                elide(copy)?;
            }
        }
        Ok(())
    })
}

fn elide<'c>(copy: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let (source, target) = (copy.operand(0)?, copy.operand(1)?);
    let (Some(builder), Some(allocation)) = (Builder::before(copy), definition(target)) else {
        return Ok(());
    };
    builder.replace(copy, &[]);
    builder.replace(allocation, &[source]);
    Ok(())
}

/// Whether whoever reads the target of a copy may read the source instead.
fn is_needless<'c: 'a, 'a>(copy: OperationRef<'c, 'a>) -> Result<bool, PassError<'c>> {
    let (source, target) = (copy.operand(0)?, copy.operand(1)?);
    let is_argument = argument_of(source).is_some_and(|(op, _)| op_name(op) == "func.func");
    let is_new = definition(target).is_some_and(|op| op_name(op) == "memref.alloc");
    Ok(is_argument
        && is_new
        && source.r#type() == target.r#type()
        && writes_to(source).is_empty()
        && writes_to(target) == [copy])
}

/// The ops that may write to some memory, whatever its name.
fn writes_to<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut names = HashSet::new();
    let mut writes = vec![];
    let mut pending = vec![memory];
    while let Some(name) = pending.pop() {
        if !names.insert(key(name)) {
            continue;
        }
        for (op, operand) in uses(name) {
            let is_read = operand == 0 && READERS.contains(&op_name(op));
            match other_names(op, operand) {
                Some(others) => pending.extend(others),
                None if is_read || op_name(op) == "func.return" => {}
                None => writes.push(op),
            }
        }
    }
    writes
}

/// The names that an op gives to the memory that is one of its operands; nothing if it does
/// something else with it.
fn other_names<'c: 'a, 'a>(op: OperationRef<'c, 'a>, operand: usize) -> Option<Vec<Value<'c, 'a>>> {
    /// The bounds and the step of an `scf.for`.
    const BOUNDS: usize = 3;
    match op_name(op) {
        name if VIEWS.contains(&name) && operand == 0 => Some(vec![op.result_at(0)?.into()]),
        "arith.select" => Some(vec![op.result_at(0)?.into()]),
        "scf.for" => carried_by_for(op, operand.checked_sub(BOUNDS)?),
        "scf.while" => Some(vec![argument(op, 0, operand)?]),
        "scf.condition" => {
            let (parent, number) = (parent(op)?, operand.checked_sub(1)?);
            let result = parent.result_at(number)?.into();
            Some(vec![result, argument(parent, 1, number)?])
        }
        "scf.yield" => {
            let parent = parent(op)?;
            match op_name(parent) {
                "scf.for" => carried_by_for(parent, operand),
                "scf.while" => Some(vec![argument(parent, 0, operand)?]),
                "scf.if" => Some(vec![parent.result_at(operand)?.into()]),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The names of what an `scf.for` carries in one place.
fn carried_by_for<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    number: usize,
) -> Option<Vec<Value<'c, 'a>>> {
    let result = r#loop.result_at(number)?.into();
    // The first argument is the index.
    Some(vec![result, argument(r#loop, 0, number + 1)?])
}

/// An argument of the first block of a region.
fn argument<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    region: usize,
    number: usize,
) -> Option<Value<'c, 'a>> {
    let block = first_blocks(op).into_iter().nth(region).flatten()?;
    Some(block.argument_at(number)?.into())
}

fn parent<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    ancestors(op).next()
}
