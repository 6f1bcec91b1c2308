//! `comb-separate-arrays`: what loops carry, and functions give, are different arrays in memory.
//!
//! Bufferization takes it that the arrays which a loop carries share no memory, so that an
//! iteration may write to one of them while the next one reads another. It copies what an
//! iteration yields if that may be memory from outside of the iteration. But it does not see that
//! an iteration gives one new array twice. A function, too, may give one new array twice: to
//! callers that write to one of the two, or free both.
//!
//! So where an `scf.for`, an `scf.while` or a function gives several arrays that may begin in the same
//! memory ([`origins`]), all but one of them are copied. An array constant that a loop yields is copied as well, if it
//! is in the loop: the next iteration may write to it.
//!
//! Switches that give arrays become branches ([`switches`]), whose arrays bufferization tells apart, and ops
//! of `linalg` get the destinations of which they keep elements, or that they read ([`kept`]). Slices that simplification has
//! made ambiguous keep all their dimensions ([`slices`]).
//!
//! The pass runs just before bufferization: what looks like two arrays now may become
//! one by simplification.
//!
//! Cost: for each op that gives arrays, linear in the number of ops that give other views of them.

mod kept;
mod origins;
mod switches;

use std::collections::HashSet;

use comb_fuse::desugar::slices;
use comb_kit::{
    pass_error::PassError,
    walk::{ancestors, operations},
};
use melior::ir::{
    OperationRef, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType,
};
use soac_dialect::{builder::Builder, cast::is_a, view::op_name};

use crate::separate_arrays::origins::{Origin, origins};

/// Copies the arrays of a module that have to be other ones.
///
/// # Errors
///
/// If an op is not as MLIR says.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    slices::keep_all_dimensions(module)?;
    switches::rewrite(module)?;
    kept::read(module)?;
    for op in operations(module) {
        if let Some(scope) = scope(op) {
            separate(op, scope)?;
        }
    }
    Ok(())
}

/// The loop or function that gets what an op gives, if it minds.
fn scope<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let parent = ancestors(op).next()?;
    match op_name(op) {
        "func.return" | "scf.condition" => Some(parent),
        "scf.yield" => matches!(op_name(parent), "scf.for" | "scf.while").then_some(parent),
        _ => None,
    }
}

/// An array that an op gives.
struct Given<'c, 'a> {
    operand: usize,
    value: Value<'c, 'a>,
    origins: Vec<Origin<'c, 'a>>,
}

impl<'c: 'a, 'a> Given<'c, 'a> {
    /// Whether the array is a view of another one, or one of several.
    fn is_other_name(&self) -> bool {
        self.origins.len() != 1 || self.origins[0].value != self.value
    }
}

fn separate<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    scope: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let is_loop = op_name(scope) != "func.func";
    let is_while = op_name(scope) == "scf.while";
    let arrays = op.operands().enumerate();
    let mut arrays: Vec<Given> = arrays
        .filter(|(_, value)| is_a::<RankedTensorType>(value.r#type()))
        .map(|(operand, value)| Given {
            operand,
            value,
            origins: origins(value),
        })
        .collect();
    // Views may be smaller than what they are views of.
    arrays.sort_by_key(Given::is_other_name);
    let mut taken = HashSet::new();
    for Given {
        operand,
        value,
        origins,
    } in arrays
    {
        let shared = origins.iter().any(|origin| match origin.is_inside(scope) {
            true if origin.is_constant() => is_loop,
            true => taken.contains(&origin.key()),
            // Of a function: a parameter, which is given twice.
            false if !is_loop => taken.contains(&origin.key()),
            false => is_while && !origin.is_argument_of(scope),
        });
        match shared {
            true => copy(op, operand, value)?,
            false => taken.extend(origins.iter().map(Origin::key)),
        }
    }
    Ok(())
}

/// Gives a copy of an array instead.
fn copy<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    operand: usize,
    array: Value<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    // No sizes, an array to copy, no hint.
    let segments = builder.segments(&[0, 1, 0]);
    let copy = builder.value(
        "bufferization.alloc_tensor",
        &[array],
        array.r#type(),
        &[("operandSegmentSizes", segments)],
    )?;
    builder.set_operand(op, operand, copy);
    Ok(())
}
