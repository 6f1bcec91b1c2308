//! Loops of a thread of which several iterations are done at once, op by op: what all of them read is on
//! its way before the first goes on. That may be done where iterations are independent but for what they
//! carry, which goes from one to the next.

use std::collections::HashMap;

use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{OpView, argument_of},
};

use super::{Emitted, Values, grid::body_of, launch::Counts};
use comb_kit::{
    checks::facts::key,
    walk::{first_op, in_block_from},
};

/// Iterations from a first to before an end, by a step; gives what they carry on.
pub(super) fn iterations<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    [first, end, step]: [Value<'c, 'a>; 3],
    carried: &[Value<'c, 'a>],
    times: u64,
) -> Emitted<'c, Values<'c, 'a>> {
    let (mut first, mut carried) = (first, carried.to_vec());
    if times > 1 {
        let span = builder.times(step, builder.index(times as i64)?)?;
        let whole = builder.add(builder.subtract(end, span)?, step)?;
        let state = [&[first], carried.as_slice()].concat();
        let mut state =
            builder.range_loop([first, whole, span], &state, |builder, index, state| {
                let mut copies = Copies::new(op, &state[1..]);
                let mut own = index;
                for _ in 0..times {
                    copies.indices.push(own);
                    own = builder.add(own, step)?;
                }
                let carried = copies.all(builder)?;
                Emitted::Ok([&[own], carried.as_slice()].concat())
            })?;
        first = state.remove(0);
        carried = state;
    }
    builder.range_loop([first, end, step], &carried, |builder, index, carried| {
        body_of(builder, op, index, carried)
    })
}

/// So many iterations, from a first on by a step, or those of them that are before an end; they carry nothing.
pub(super) fn some_iterations<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    [first, end, step]: [Value<'c, 'a>; 3],
    times: u64,
) -> Emitted<'c, ()> {
    let mut copies = Copies::new(op, &[]);
    let mut own = first;
    copies.indices.push(own);
    for _ in 1..times {
        own = builder.add(own, step)?;
        copies.indices.push(own);
    }
    let has_all = builder.compare(Predicate::Slt, own, end)?;
    builder.if_else(
        has_all,
        &[],
        |builder| copies.all(builder).map(|_| vec![]),
        |builder| {
            builder.range_loop([first, end, step], &[], |builder, index, _| {
                body_of(builder, op, index, &[])
            })
        },
    )?;
    Ok(())
}

/// Copies of the body of a loop.
struct Copies<'s, 'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// The index of each.
    indices: Values<'c, 'a>,
    carried: &'s [Value<'c, 'a>],
    /// What has become of values in each.
    copied: Vec<HashMap<usize, Value<'c, 'a>>>,
    yielded: Values<'c, 'a>,
}

impl<'s, 'c: 'a, 'a> Copies<'s, 'c, 'a> {
    fn new(op: OperationRef<'c, 'a>, carried: &'s [Value<'c, 'a>]) -> Self {
        Self {
            op,
            indices: vec![],
            carried,
            copied: vec![],
            yielded: vec![],
        }
    }

    /// Makes each op once for each copy; gives what the last one yields.
    fn all(mut self, builder: &Builder<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
        let Some(body) = OpView::of(self.op).block() else {
            return Ok(vec![]);
        };
        self.copied = vec![HashMap::new(); self.indices.len()];
        let last = body.terminator();
        if let Some(last) = last {
            self.yielded = last.operands().collect();
        }
        for op in in_block_from(first_op(body)).filter(|&op| Some(op) != last) {
            for number in 0..self.indices.len() {
                let copy = builder.copy(op, &mut |value| self.copy_of(value, number));
                for (old, new) in op.results().zip(copy.results()) {
                    self.copied[number].insert(key(old.into()), new.into());
                }
            }
        }
        let last = self.indices.len().saturating_sub(1);
        let yielded = self.yielded.iter();
        Ok(yielded.map(|&value| self.copy_of(value, last)).collect())
    }

    /// What a value is in one of the copies: what is carried comes from the copy before.
    fn copy_of(&self, value: Value<'c, 'a>, number: usize) -> Value<'c, 'a> {
        match argument_of(value) {
            Some((op, 0)) if op == self.op => self.indices[number],
            Some((op, argument)) if op == self.op => match number {
                0 => self.carried[argument - 1],
                _ => self.copy_of(self.yielded[argument - 1], number - 1),
            },
            _ => {
                let copy = self.copied[number].get(&key(value));
                copy.copied().unwrap_or(value)
            }
        }
    }
}
