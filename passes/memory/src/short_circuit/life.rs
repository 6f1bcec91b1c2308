//! The ops that are executed while an array that is copied, or its copy, is needed.
//!
//! Cost: linear in their number, and in the uses of the array.

use melior::ir::{BlockLike, OperationRef, operation::OperationLike};
use soac_dialect::view::{defining_block, op_name, stands_before, uses};

use super::{candidates::Candidate, refusal::Refusal};
use comb_kit::walk::{ancestors, first_block, in_block_from};
use comb_nest::nests::length_of;

/// The ops that are executed while the array, or its copy, is needed.
pub(super) struct Life<'c, 'a> {
    /// The first one.
    pub first: OperationRef<'c, 'a>,
    /// From the first one that uses the array to the copy, without that.
    pub before: Vec<OperationRef<'c, 'a>>,
    /// From the copy to the last one that uses the array.
    pub after: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Life<'c, 'a> {
    /// That of an array with a copy.
    pub fn of(candidate: &Candidate<'c, 'a>) -> Result<Self, Refusal> {
        let &Candidate { copy, source, .. } = candidate;
        let block = defining_block(source);
        let in_block = |op: OperationRef<'c, 'a>| {
            let mut around = std::iter::once(op).chain(ancestors(op));
            around.find(|op| op.block() == block)
        };
        let nowhere = || Refusal::Sometimes(op_name(copy).to_owned());
        let here = in_block(copy).ok_or_else(nowhere)?;
        // The copy is made once each time that the array is.
        let around: Vec<OperationRef> = match here == copy {
            true => vec![],
            false => ancestors(copy)
                .take_while(|&op| op != here)
                .chain([here])
                .collect(),
        };
        if let Some(&op) = around.iter().find(|&&op| !runs_once(op)) {
            return Err(Refusal::Sometimes(op_name(op).to_owned()));
        }
        let (mut first, mut last) = (here, here);
        for (user, _) in uses(source) {
            let user = in_block(user).ok_or_else(nowhere)?;
            if op_name(user) == "memref.dim" {
                continue;
            }
            if stands_before(user, first) {
                first = user;
            }
            if stands_before(last, user) {
                last = user;
            }
        }
        let until = |first: OperationRef<'c, 'a>, end: OperationRef<'c, 'a>| {
            in_block_from(Some(first)).take_while(move |&op| op != end)
        };
        let mut before: Vec<OperationRef> = until(first, here).collect();
        let mut after = vec![];
        let mut inner = copy;
        let mut inside = vec![];
        for op in around {
            if let Some(first) = first_op(op) {
                inside.push(until(first, inner).collect::<Vec<_>>());
            }
            after.extend(in_block_from(inner.next_in_block()));
            inner = op;
        }
        before.extend(inside.into_iter().rev().flatten());
        if last != here {
            after.extend(until(here, last).skip(1));
            after.push(last);
        }
        Ok(Self {
            first,
            before,
            after,
        })
    }
}

/// Whether what is in an op runs once, each time that the op does.
fn runs_once(op: OperationRef) -> bool {
    match op_name(op) {
        "nest.kernel" => true,
        "nest.loop" => length_of(op) == Some(1),
        _ => false,
    }
}

/// The first op in another one.
fn first_op<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let first = first_block(op)?.first_operation()?;
    // SAFETY: what is in a live op is alive as long.
    Some(unsafe { OperationRef::from_raw(first.to_raw()) })
}
