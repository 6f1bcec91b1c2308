//! Folds and scans at an iteration.

use melior::ir::{OperationRef, ValueLike};
use soac_dialect::{builder::Builder, view::OpView};

use super::{Emitted, Values, Vectors, loops::lanes_of, uniform};
use crate::{
    lanes::{
        Lanes,
        lambda::Local,
        operator::{Operator, ScanForm, kept_where_it_counts},
    },
    nest_schedule::counts::{conditions, is_counted},
};
use comb_fuse::fuse::captures::captured;
use comb_kit::{checks::facts::key, vectors::number_of};

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Takes one element per lane into a fold; gives the accumulators.
    pub(super) fn fold(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let view = OpView::of(op);
        let neutrals = self.neutrals(op, &view, operands)?;
        let operator = Operator::of(op, neutrals, false).capturing(capture(op, local));
        let (elements, states) = (&operands[view.group(0)], &operands[view.group(1)]);
        let scope = self.scope;
        let is_over_lanes = scope.is_vector() && self.goes_over_lanes(&view);
        if is_over_lanes && self.is_counted(op) {
            return self.count(builder, op, states, local);
        }
        if is_over_lanes && !operator.is_commutative() {
            let states = states.iter().map(|&state| uniform(op, state));
            let states = states.collect::<Emitted<Values>>()?;
            let elements = operator.counting(builder, &scope, elements)?;
            let folded = operator.fold_neighbours(self, builder, elements, scope.width)?;
            let states = operator.combined(self, builder, &states, &folded)?;
            return Ok(states.into_iter().map(Lanes::Uniform).collect());
        }
        let combined = operator.in_lanes(self, builder, scope, states, elements)?;
        // Nobody asks for what lanes that do not count fold for themselves.
        if scope.is_vector() && !is_over_lanes {
            return Ok(combined);
        }
        let kept = combined.into_iter().zip(states).map(|(new, &old)| {
            let old = scope.whole(builder, old)?;
            Ok(lanes_of(
                kept_where_it_counts(builder, &scope, new, old)?,
                &scope,
            ))
        });
        kept.collect()
    }

    /// Whether bits of masks are counted for a fold over the lanes.
    fn is_counted(&self, op: OperationRef<'c, 'a>) -> bool {
        let nest = self.in_lanes.as_ref();
        nest.is_some_and(|nest| is_counted(&nest.ops, op))
    }

    /// Adds to each accumulator how many lanes a condition holds in.
    fn count(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        states: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope;
        let conditions = conditions(op).unwrap_or_default().into_iter();
        let counted = conditions.zip(states).map(|(condition, &state)| {
            let known = local.get(&key(condition)).copied();
            let holds = scope.whole(builder, known.unwrap_or(Lanes::Uniform(condition)))?;
            let mask = scope.and(builder, holds)?.mask_value(builder)?;
            let number = number_of(builder, mask, scope.width, "math.ctpop")?;
            let state = uniform(op, state)?;
            let number = match state.r#type() {
                r#type if r#type == builder.index_type() => number,
                r#type => builder.value("arith.index_cast", &[number], r#type, &[])?,
            };
            let sum = builder.arithmetic("arith.addi", &[state, number])?;
            Ok(Lanes::Uniform(sum))
        });
        counted.collect()
    }

    /// Takes one element per lane into a scan; gives the prefixes, and what it carries on.
    pub(super) fn scan(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let view = OpView::of(op);
        let neutrals = self.neutrals(op, &view, operands)?;
        let operator = Operator::of(op, neutrals, view.flag("right"));
        let operator = operator.capturing(capture(op, local));
        let (elements, states) = (&operands[view.group(0)], &operands[view.group(1)]);
        let scope = self.scope;
        if scope.is_vector() && !self.goes_over_lanes(&view) {
            return self.scan_by_lane(builder, &operator, view.flag("exclusive"), states, elements);
        }
        let states = states.iter().map(|&state| scope.whole(builder, state));
        let states = states.collect::<Emitted<Values>>()?;
        let form = ScanForm {
            exclusive: view.flag("exclusive"),
            last_lane_apart: operator.is_short(),
        };
        let (given, states) = operator.scan(self, builder, &states, elements, form)?;
        let states = states.into_iter().map(|state| lanes_of(state, &scope));
        Ok(given.into_iter().chain(states).collect())
    }

    /// The same where each lane scans its own elements. Nobody asks for what lanes that do not count
    /// scan.
    fn scan_by_lane(
        &mut self,
        builder: &Builder<'c, 'a>,
        operator: &Operator<'c, 'a>,
        is_exclusive: bool,
        states: &[Lanes<'c, 'a>],
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope;
        let before = states.iter().map(|&state| {
            let whole = scope.whole(builder, state)?;
            Ok(scope.lanes(whole, false))
        });
        let before = before.collect::<Emitted<Vec<_>>>()?;
        let combined = operator.in_lanes(self, builder, scope, &before, elements)?;
        let prefixes = if is_exclusive {
            before
        } else {
            combined.clone()
        };
        Ok(prefixes.into_iter().chain(combined).collect())
    }

    fn neutrals(
        &self,
        op: OperationRef<'c, 'a>,
        view: &OpView<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let neutrals = operands[view.group(2)].iter();
        neutrals.map(|&neutral| uniform(op, neutral)).collect()
    }

    /// Whether a fold is over the loop whose iterations the lanes are.
    fn goes_over_lanes(&self, view: &OpView<'c, 'a>) -> bool {
        let accumulators = &view.operands[view.group(1)];
        let nest = self.in_lanes.as_ref();
        nest.is_some_and(|nest| accumulators.iter().any(|&value| nest.carries(value)))
    }
}

/// What the values from outside that an op's operator uses have become.
pub(super) fn capture<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Local<'c, 'a> {
    let used = captured(op).into_iter().map(key);
    used.filter_map(|value| Some((value, *local.get(&value)?)))
        .collect()
}
