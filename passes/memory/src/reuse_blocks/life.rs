//! From when on, and until when, memory is needed.
//!
//! Cost: linear in the uses of its names.

use comb_kit::walk::ancestors;
use comb_nest::elements::{
    accesses::{Access, Scope, accesses},
    layouts::Element,
    names::Names,
    numbers::Numbers,
    order::is_read_first,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{op_name, stands_before};
use thiserror::Error;

use crate::short_circuit::aliases::base;

/// Ops in which there may be memory of a block from outside: they run in one thread, in order.
const SEQUENTIAL: &[&str] = &["scf.for", "scf.if"];

/// Memory that does not outlive the block in which it is allocated.
pub struct Life<'c, 'a> {
    /// All names of it.
    pub names: Names<'c, 'a>,
    /// The last op of that block that uses it; nothing if none does.
    pub last: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Life<'c, 'a> {
    /// That of memory; nothing if it is given on, or not known.
    pub fn of(memory: Value<'c, 'a>, allocation: OperationRef<'c, 'a>) -> Option<Self> {
        let names = Names::of(memory).filter(|names| !names.is_given)?;
        let last = last_use(&names, allocation)?;
        Some(Self { names, last })
    }
}

/// The last op beside another one that uses memory, if any does; nothing if it is used elsewhere.
pub fn last_use<'c: 'a, 'a>(
    names: &Names<'c, 'a>,
    other: OperationRef<'c, 'a>,
) -> Option<Option<OperationRef<'c, 'a>>> {
    let mut last = None;
    for &user in &names.users {
        let user = beside(user, other)?;
        if last.is_none_or(|last| stands_before(last, user)) {
            last = Some(user);
        }
    }
    Some(last)
}

/// The first op beside an older allocation that uses new memory; nothing if that memory may not stand for the
/// new one.
pub fn first_use<'c: 'a, 'a>(
    new: OperationRef<'c, 'a>,
    names: &Names<'c, 'a>,
    old: OperationRef<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let place = beside(new, old)?;
    if place != new {
        let mut between = ancestors(new).take_while(|&op| op.block() != old.block());
        let is_sequential = |op: OperationRef<'c, 'a>| SEQUENTIAL.contains(&op_name(op));
        let is_free = between.all(is_sequential) && is_sequential(place) && !names.is_given;
        return is_free.then_some(place);
    }
    let mut first = None;
    for &user in &names.users {
        // What is given on out of the block is used behind all else in it.
        let user = match beside(user, new) {
            Some(user) => user,
            None if names.is_given => continue,
            None => return None,
        };
        if first.is_none_or(|first| stands_before(user, first)) {
            first = Some(user);
        }
    }
    first
}

/// The op in the block of another one that an op is, or is in.
fn beside<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    other: OperationRef<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let mut around = std::iter::once(op).chain(ancestors(op));
    around.find(|op| op.block() == other.block())
}

/// Why an array is not computed in the memory of one that it is computed from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Something is written to the old array while the new one is computed.
    #[error("'{0}' writes to that, too")]
    Written(String),
    /// It is not known which elements are used.
    #[error("'{0}' may use any element")]
    Name(String),
    /// An element is needed where the new one has taken its place.
    #[error("'{0}' may use an element there that has been overwritten")]
    Overwritten(String),
}

/// Makes sure that an op only reads one array, and each element of it before it writes one of another array
/// that is in the same place.
pub fn is_overwritten_in_order<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
    (old, old_names): (Value<'c, 'a>, &Names<'c, 'a>),
    (new, new_names): (Value<'c, 'a>, &Names<'c, 'a>),
) -> Result<(), Refusal> {
    let (mut reads, mut writes) = (vec![], vec![]);
    for access in accesses(op) {
        let is_old = old_names.has(access.name);
        if !is_old && !new_names.has(access.name) {
            continue;
        }
        let memory = if is_old { old } else { new };
        let name = op_name(access.op).to_owned();
        if base(access.name) != memory {
            return Err(Refusal::Name(name));
        }
        if is_old && access.may_write() {
            return Err(Refusal::Written(name));
        }
        if is_old {
            reads.push(access);
        } else if access.may_write() {
            writes.push(access);
        }
    }
    let mut scope = Scope { numbers, op };
    let mut placed = |accesses: Vec<Access<'c, 'a>>| -> Vec<(Access<'c, 'a>, Element)> {
        let element = |access| {
            let element = scope.element(&access);
            (access, element)
        };
        accesses.into_iter().map(element).collect()
    };
    let (reads, writes) = (placed(reads), placed(writes));
    for (read, place) in &reads {
        for (write, written) in &writes {
            let all_read = scope.elements(read.op, place);
            let all_written = scope.elements(write.op, written);
            let is_in_order = scope.are_disjoint(old, &all_read, &all_written)
                || is_read_first(&mut scope, old, (read, place), (write, written));
            if !is_in_order {
                return Err(Refusal::Overwritten(op_name(read.op).to_owned()));
            }
        }
    }
    Ok(())
}
