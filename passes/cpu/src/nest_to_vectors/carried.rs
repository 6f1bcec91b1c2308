//! What a loop carries, and how parts of the loop are put together again.
//!
//! Cost: linear in the ops that change what is carried.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{OpView, op_name},
};

use super::{Emitted, Values, Vectors, combine::capture, outside::outside};
use comb_fuse::fuse::captures::captured;
use comb_kit::checks::facts::key;
use comb_nest::nests::{Changed, Nest};

use crate::{
    lanes::{Lanes, internal, lambda::Local, operator::Operator},
    nest_schedule::counts::is_counted,
};

/// The numbers that a fold or scan carries through a loop.
pub(super) struct Combined<'c, 'a> {
    /// Where they are among what the loop carries.
    pub positions: Vec<usize>,
    pub operator: Operator<'c, 'a>,
    pub is_scan: bool,
    /// Whether it adds up the bits of masks.
    counts: bool,
}

/// What the values that an op's operator uses are before a loop.
pub(super) fn captured_before<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Emitted<'c, Local<'c, 'a>> {
    let mut before = capture(op, local);
    let values = captured(op).into_iter();
    for value in values.filter(|&value| nest.defines(value)) {
        if let Some(known) = outside(builder, nest, local, value)? {
            before.insert(key(value), Lanes::Uniform(known));
        }
    }
    Ok(before)
}

impl<'c: 'a, 'a> Combined<'c, 'a> {
    /// Those of a loop, before which their neutral elements are known.
    pub fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Self>> {
        let mut combined = vec![];
        for Changed { op, positions } in nest.changed() {
            if op_name(op) == "nest.keep" {
                continue;
            }
            let view = OpView::of(op);
            let mut neutrals = vec![];
            for &neutral in &view.operands[view.group(2)] {
                let known = outside(builder, nest, local, neutral)?;
                neutrals.push(known.ok_or_else(|| {
                    internal(
                        op.location(),
                        "a neutral element is not known before the loop",
                    )
                })?);
            }
            let operator = Operator::of(op, neutrals, view.flag("right"));
            combined.push(Self {
                positions,
                operator: operator.capturing(captured_before(builder, nest, local, op)?),
                is_scan: op_name(op) == "nest.scan",
                counts: is_counted(&nest.ops, op),
            });
        }
        Ok(combined)
    }

    /// Whether each lane folds its own elements.
    pub fn folds_by_lane(&self) -> bool {
        !self.is_scan && !self.counts && self.operator.is_commutative()
    }

    /// Its numbers among all that is carried.
    pub fn of_all(&self, states: &[Value<'c, 'a>]) -> Values<'c, 'a> {
        self.positions
            .iter()
            .map(|&position| states[position])
            .collect()
    }

    /// Puts its numbers among all that is carried.
    pub fn put(&self, states: &mut [Value<'c, 'a>], own: Values<'c, 'a>) {
        for (&position, value) in self.positions.iter().zip(own) {
            states[position] = value;
        }
    }

    /// Its neutral elements, in so many lanes.
    pub fn neutral_lanes(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: u64,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let neutrals = self.operator.neutrals.iter();
        neutrals
            .map(|&neutral| Ok(builder.broadcast(neutral, lanes)?))
            .collect()
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// What is carried in lanes: accumulators begin with neutral elements in each lane, and what
    /// scans carry is in every lane, so that it need not leave the vector registers.
    pub(super) fn open_lanes(
        &self,
        builder: &Builder<'c, 'a>,
        combined: &[Combined<'c, 'a>],
        lanes: u64,
        states: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut wide = states.to_vec();
        for part in combined {
            if part.folds_by_lane() {
                part.put(&mut wide, part.neutral_lanes(builder, lanes)?);
            } else if part.is_scan {
                let own = part.of_all(states).into_iter();
                let own = own.map(|value| Ok(builder.broadcast(value, lanes)?));
                part.put(&mut wide, own.collect::<Emitted<Values>>()?);
            }
        }
        Ok(wide)
    }

    /// Folds the accumulators of the lanes, and what was carried before.
    pub(super) fn close_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        combined: &[Combined<'c, 'a>],
        lanes: u64,
        before: &[Value<'c, 'a>],
        wide: Values<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut states = wide;
        for part in combined {
            let own = part.of_all(&states);
            if part.folds_by_lane() {
                let mut folded = part.operator.fold_lanes(self, builder, own, [lanes, 1])?;
                let before = part.of_all(before);
                if before != part.operator.neutrals {
                    folded = part.operator.combined(self, builder, &before, &folded)?;
                }
                part.put(&mut states, folded);
            } else if part.is_scan {
                let firsts = own.into_iter().zip(part.operator.elements());
                let firsts = firsts.map(|(wide, r#type)| Ok(builder.lane(wide, 0, r#type)?));
                part.put(&mut states, firsts.collect::<Emitted<Values>>()?);
            }
        }
        Ok(states)
    }
}
