//! `comb-short-circuit`: computes arrays where they would be copied to.
//!
//! An array that is copied into a part of another one is computed there, in memory form: what uses it
//! uses that part instead, and the copy goes. That is right if, from the first use of the array on to
//! the copy, nobody needs what was in the part before, or writes to it; and if, from the copy on to
//! the last use of the array, nobody writes to the part.
//!
//! Phases, for each function:
//! 1. [`candidates`] finds copies: `memref.copy`, and loops of kernels that only copy. The last ones
//!    come first, so that parts of parts find their place.
//! 2. [`decide`] is a pure function: it says what has to be done, or [why not](refusal), from
//!    [what may be the same memory](aliases), [what is used](comb_nest::elements) as sets of elements (linear
//!    memory access descriptors) and [what can be known
//!    before](ahead).
//! 3. [`place`] does it, behind a check of what the proof [assumed](assumed).
//!
//! Source: Munksgaard, Henriksen, Sadayappan and Oancea, Memory Optimizations in an Array Language, SC
//! 2022, section V; here on any memory, not only that of functional arrays.
//!
//! Before, copies in the memory of an iteration, as of blocks that a function is mapped over, are [read where they were
//! copied from](forward).
//!
//! Control flow between blocks is not followed: functions with more than one are left alone.
//!
//! Cost: for each copy, linear in the number of ops between the first use of its array and the last
//! one, times the cost of [`are_disjoint`](comb_lmad::are_disjoint).

pub mod ahead;
pub mod aliases;
mod assumed;
mod borders;
mod candidates;
mod decide;
mod forward;
mod judge;
mod life;
mod place;
pub mod refusal;

use std::collections::HashSet;

use comb_kit::{
    pass_error::PassError,
    remarks::{Kind, Remark},
    switches::{self, Switches},
    transformations::Transformation,
    walk::{ancestors, blocks, functions, op_key, operations},
};
use comb_nest::elements::numbers::Numbers;
use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::{
    text::{shown, symbol_bytes},
    view::{op_name, uses},
};

use crate::carry_blocks::casts::look_through;
use aliases::Aliases;
use candidates::{Candidate, candidate};
use decide::decide;
use forward::Copies;
use refusal::Refusal;

/// Computes arrays in place; gives how many copies went.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<i64, PassError<'c>> {
    switches::with(module, |switches| {
        let mut removed = 0;
        for function in functions(module) {
            removed += in_function(function, switches)?;
        }
        Ok(removed)
    })
}

/// Computes the arrays of a function in place; gives how many copies went.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn in_function<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<i64, PassError<'c>> {
    if has_branches(function) {
        return Ok(0);
    }
    look_through(function);
    let mut removed = forward::in_function(function, switches, Copies::Local)?;
    let aliases = Aliases::of(function);
    let mut refused = HashSet::new();
    loop {
        // What is known of numbers refers to ops, some of which may be gone.
        let last = operations(function).into_iter().rev().find_map(|op| {
            let mut numbers = Numbers::at(op);
            let is_new = !refused.contains(&op_key(op));
            let candidate = is_new.then(|| candidate(&mut numbers, op))??;
            Some((op, candidate, numbers))
        });
        let Some((op, candidate, mut numbers)) = last else {
            return Ok(removed);
        };
        numbers.learn_checks();
        let location = candidate.copy.location();
        let plan = decide(&candidate, &mut numbers, &aliases);
        let plan = plan.and_then(|plan| {
            let applies = switches.applies(Transformation::ShortCircuiting, location);
            applies.then_some(plan).ok_or(Refusal::Off)
        });
        let shown = plan.as_ref();
        let shown = shown.map(|_| "an array is computed where it would be copied to");
        remark(function, &candidate, shown);
        let Ok(plan) = plan else {
            refused.insert(op_key(op));
            continue;
        };
        for (user, _) in uses(candidate.source) {
            refused.remove(&op_key(user));
        }
        place::place(&candidate, &plan, &numbers)?;
        for &kernel in &plan.kernels {
            assumed::mark(kernel, &aliases)?;
        }
        removed += 1;
    }
}

/// Lets what reads copies read what these were copied from, wherever that is; gives how many copies went.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn forward_all<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<i64, PassError<'c>> {
    forward::in_function(function, switches, Copies::All)
}

/// Why a copy stays, if it is one of an array that might be computed where it is copied to.
pub fn why_copied<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<String> {
    let function = ancestors(op).find(|&op| op_name(op) == "func.func")?;
    let mut numbers = Numbers::at(op);
    let candidate = candidate(&mut numbers, op)?;
    numbers.learn_checks();
    let plan = decide(&candidate, &mut numbers, &Aliases::of(function));
    plan.err().map(|refusal| refusal.to_string())
}

/// Whether control goes from block to block, which names of memory are not followed through.
pub fn has_branches<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> bool {
    let all = std::iter::once(function).chain(operations(function));
    all.into_iter()
        .any(|op| blocks(op).len() > op.regions().count())
}

fn remark(function: OperationRef, candidate: &Candidate, found: Result<&str, &Refusal>) {
    let name = symbol_bytes(function).unwrap_or_default();
    let (kind, title) = match found {
        Ok(_) => (Kind::Passed, "ComputedInPlace"),
        Err(_) => (Kind::Missed, "Copied"),
    };
    let remark = Remark {
        pass: "comb-short-circuit",
        kind,
        name: title,
        function: &shown(name),
        location: candidate.copy.location(),
    };
    remark.emit(&|| match found {
        Ok(message) => message.to_owned(),
        Err(refusal) => format!("an array is copied into another one: {refusal}"),
    });
}
