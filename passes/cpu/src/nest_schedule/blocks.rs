//! Where a loop is *distributed*: what is before a place in its body runs in a loop of its own, for a block
//! of iterations at a time, and what is behind it in another one.
//!
//! 1. **Positions.** In `x[i[j[k]]]`, memory is asked for an element of `x` only when it has answered with
//!    one of `i`. While a CPU waits for both, one after the other, it can ask for what few other iterations
//!    need. So the loop is cut behind the gathers that give positions of others: in each of the two loops no
//!    question depends on the answer to another.
//! 2. **Scatters.** A loop with others inside that scatters, too, has no lanes. What it computes before may
//!    have some.
//!
//! Numbers that both loops need are in buffers, as long as a block, that stay in the cache; what is computed
//! of the loop's index by little is computed again. What is written before the place and read or written
//! behind it, or the other way round, must be other elements at other iterations.
//!
//! Source: loop distribution, Allen and Kennedy, *Optimizing Compilers for Modern Architectures*, 5.5.
//! Cost: quadratic in the accesses of a loop, linear in its ops.

use std::collections::HashSet;

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::view::{OpView, definition, op_name};
use thiserror::Error;

use super::{
    accesses::{Access, locals},
    obstacles::{Obstacle, is_array, to_lanes},
};
use comb_kit::{
    checks::facts::key,
    walk::{in_block_from, op_key, operations},
};
use comb_nest::{
    elements::{accesses::Scope, numbers::Numbers},
    nests::Nest,
};

use crate::lanes::is_elementwise;

/// How many ops in a row are computed again rather than kept.
const CHEAP: usize = 4;

/// Why a loop is not distributed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Undistributed {
    /// Nothing is to be gained.
    #[error("no gather gives positions of another, and no scatter keeps the rest from lanes")]
    Nothing,
    /// It carries something.
    #[error("it carries numbers")]
    Carries,
    /// An array is local to its iterations.
    #[error("what is behind needs an array that an iteration has for itself")]
    Local,
    /// The order matters.
    #[error("what is behind may read, or write, what other iterations write")]
    Dependent,
    /// What is before has no lanes either.
    #[error("what is before has no lanes: {0}")]
    NoLanes(Obstacle),
}

/// How a loop is distributed.
pub struct Distribution<'c, 'a> {
    /// The ops of its body, without the last.
    pub body: Vec<OperationRef<'c, 'a>>,
    /// How many of them are in the first loop.
    pub first: usize,
    /// What is kept for the second.
    pub kept: Vec<Value<'c, 'a>>,
    /// What the second computes again, in order.
    pub again: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Distribution<'c, 'a> {
    /// How a loop is distributed.
    pub fn of(nest: &Nest<'c, 'a>) -> Result<Self, Undistributed> {
        let body = body_of(nest);
        let positions = behind_positions(nest, &body);
        let first = positions
            .or_else(|| before_scatters(nest, &body))
            .ok_or(Undistributed::Nothing)?;
        if nest.op.operand_count() != 1 {
            return Err(Undistributed::Carries);
        }
        let (kept, again) = shared(&body, first);
        if kept.iter().any(|value| is_array(value.r#type())) {
            return Err(Undistributed::Local);
        }
        if !are_independent(nest, &body[..first], &body[first..]) {
            return Err(Undistributed::Dependent);
        }
        if positions.is_none() {
            to_lanes(&part(nest, &body[..first])).map_err(Undistributed::NoLanes)?;
        }
        Ok(Self {
            body,
            first,
            kept,
            again,
        })
    }
}

fn body_of<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let first = OpView::of(nest.op)
        .block()
        .and_then(|block| melior::ir::BlockLike::first_operation(&block));
    // SAFETY: what is in a live op is alive as long.
    let first = first.map(|first| unsafe { OperationRef::from_raw(first.to_raw()) });
    in_block_from(first)
        .filter(|op| op_name(*op) != "nest.yield")
        .collect()
}

/// The place behind the last gather in an innermost loop whose position is no other's, and that gives
/// positions of others.
fn behind_positions<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    body: &[OperationRef<'c, 'a>],
) -> Option<usize> {
    if !nest.is_innermost() {
        return None;
    }
    let is_gather =
        |op: OperationRef<'c, 'a>| Access::of(op).iter().any(|read| read.is_gather(nest));
    let feeds = |gather: OperationRef<'c, 'a>| {
        let mut later = body.iter().filter(|&&op| op_key(op) != op_key(gather));
        later.any(|&op| {
            Access::of(op)
                .iter()
                .any(|access| access.index().iter().any(|&value| follows(value, gather)))
        })
    };
    let is_first = |&op: &OperationRef<'c, 'a>| {
        let index = Access::of(op)
            .into_iter()
            .flat_map(|access| access.index().to_vec());
        let mut gathers = body
            .iter()
            .filter(|&&other| op_key(other) != op_key(op) && is_gather(other));
        let index: Vec<Value> = index.collect();
        !gathers.any(|&gather| index.iter().any(|&value| follows(value, gather)))
    };
    let last = body
        .iter()
        .rposition(|op| is_gather(*op) && is_first(op) && feeds(*op))?;
    Some(last + 1)
}

/// Whether a value is computed from what an op gives.
fn follows<'c: 'a, 'a>(value: Value<'c, 'a>, from: OperationRef<'c, 'a>) -> bool {
    definition(value).is_some_and(|op| {
        op_key(op) == op_key(from)
            || op.block() == from.block() && op.operands().any(|operand| follows(operand, from))
    })
}

/// The place before the first op that scatters in a loop that has others inside before it.
fn before_scatters<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    body: &[OperationRef<'c, 'a>],
) -> Option<usize> {
    let scatters = |&op: &OperationRef<'c, 'a>| {
        let inside = operations(op).into_iter();
        std::iter::once(op)
            .chain(inside)
            .any(|op| op_name(op) == "nest.scatter")
    };
    let first = body.iter().position(scatters)?;
    let has_loops = body[..first].iter().any(|op| op_name(*op) == "nest.loop");
    (has_loops && !nest.is_innermost()).then_some(first)
}

/// What ops behind a place need of those before: values that are kept, and ops that are computed again.
fn shared<'c: 'a, 'a>(
    body: &[OperationRef<'c, 'a>],
    first: usize,
) -> (Vec<Value<'c, 'a>>, Vec<OperationRef<'c, 'a>>) {
    let before: HashSet<usize> = body[..first].iter().map(|&op| op_key(op)).collect();
    let is_before =
        |value: Value<'c, 'a>| definition(value).filter(|&op| before.contains(&op_key(op)));
    let behind = body[first..].iter().flat_map(|&op| {
        let inside = operations(op).into_iter();
        std::iter::once(op).chain(inside)
    });
    let mut needed: Vec<Value> = behind
        .flat_map(|op| op.operands().collect::<Vec<_>>())
        .collect();
    let (mut kept, mut again): (Vec<Value>, HashSet<usize>) = (vec![], HashSet::new());
    while let Some(value) = needed.pop() {
        let Some(op) = is_before(value) else { continue };
        match is_cheap(op, &before, CHEAP) {
            true => {
                if again.insert(op_key(op)) {
                    needed.extend(op.operands());
                }
            }
            false if kept.iter().any(|&known| key(known) == key(value)) => {}
            false => kept.push(value),
        }
    }
    let position = |value: &Value<'c, 'a>| {
        let op = definition(*value);
        op.and_then(|op| body.iter().position(|&other| other == op))
    };
    kept.sort_by_key(position);
    let again = body
        .iter()
        .copied()
        .filter(|&op| again.contains(&op_key(op)));
    (kept, again.collect())
}

/// Whether an op computes something of the loop's index, or of what is outside, by few ops that read
/// nothing.
fn is_cheap<'c: 'a, 'a>(op: OperationRef<'c, 'a>, before: &HashSet<usize>, depth: usize) -> bool {
    let is_pure = is_elementwise(op_name(op)) || matches!(op_name(op), "memref.dim" | "tensor.dim");
    let is_known = |value: Value<'c, 'a>| match definition(value) {
        Some(op) if before.contains(&op_key(op)) => {
            depth > 0 && is_cheap(op, before, depth.saturating_sub(1))
        }
        _ => true,
    };
    is_pure && op.operands().all(is_known)
}

/// The part of a loop that some ops of its body are.
fn part<'c: 'a, 'a>(nest: &Nest<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Nest<'c, 'a> {
    let keys: HashSet<usize> = ops.iter().map(|&op| op_key(op)).collect();
    let is_in = |op: OperationRef<'c, 'a>| {
        let around = std::iter::once(op).chain(comb_kit::walk::ancestors(op));
        around
            .take_while(|&around| around != nest.op)
            .any(|around| keys.contains(&op_key(around)))
    };
    let inner = operations(nest.op).into_iter();
    let inner = inner.filter(|op| op_name(*op) == "nest.loop" && keys.contains(&op_key(*op)));
    Nest {
        op: nest.op,
        inner: inner.map(Nest::of).collect(),
        ops: nest.ops.iter().copied().filter(|&op| is_in(op)).collect(),
    }
}

/// Whether accesses of ops before a place, and of those behind it, are of other elements at other
/// iterations, if one of them writes.
fn are_independent<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    before: &[OperationRef<'c, 'a>],
    behind: &[OperationRef<'c, 'a>],
) -> bool {
    let accesses = |ops: &[OperationRef<'c, 'a>]| -> Vec<Access<'c, 'a>> {
        let all = ops
            .iter()
            .flat_map(|&op| std::iter::once(op).chain(operations(op)));
        all.flat_map(Access::of).collect()
    };
    let mut scope = Scope {
        numbers: &mut Numbers::at(nest.op),
        op: nest.op,
    };
    let [before, behind] = [before, behind].map(|ops| {
        let accesses = accesses(ops).into_iter();
        let reached = accesses.map(|access| (access.reach(&mut scope), access));
        reached.collect::<Vec<_>>()
    });
    let locals = locals(nest);
    let is_apart = nest.op.has_attribute(nest_dialect::INDEPENDENT);
    before.iter().all(|(reach, one)| {
        let is_local = locals.contains(&one.root());
        behind.iter().all(|(other_reach, other)| {
            let conflicts = one.root() == other.root() && (one.is_write || other.is_write);
            let are_apart = |scope| is_apart || reach.is_apart_from(other_reach, scope);
            !conflicts || !is_local && are_apart(&mut scope)
        })
    })
}
