//! Loops: one iteration after the other, or as many at once as there are lanes.
//!
//! A loop of vectors runs as often as there are whole vectors, and then once more with a mask for
//! the lanes that are left over. If several vectors fold at once, what is left over goes half as many
//! lanes at a time.
//!
//! Many loops in others are short, such as those over the segments of an array, and their lengths
//! differ: each time the number of vectors is another than before, the CPU has guessed wrongly,
//! which takes longer than to fold a vector that is masked altogether. A loop mostly is as short as
//! the times before, if it is short: so there is code of its own for loops that need a mask only
//! once, without a branch.

use std::cell::RefCell;

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{OpView, vector_lanes},
};

use super::{
    Emitted, Values, Vectors, arguments, carried::Combined, opened::opened,
    segments::fetch_segments, streaming::Stream, uniform,
};
use comb_kit::checks::facts::{constant, key};
use comb_nest::nests::Nest;

use crate::lanes::{
    Lanes, Scope, internal,
    lambda::{InLanes, Local},
};

/// The first iteration, and the first one behind the last.
pub(super) type Bounds<'c, 'a> = [Value<'c, 'a>; 2];

/// A loop whose iterations are strip-mined: as many at once as there are lanes.
pub(super) struct Strip<'s, 'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// What it carries.
    combined: &'s [Combined<'c, 'a>],
    /// Those of all vectors of accumulators together.
    pub lanes: u64,
    /// How many vectors of accumulators there are.
    accumulators: u64,
    /// What it writes past the caches, in code that does.
    pub stream: Option<Stream<'c, 'a>>,
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A loop, and what it gives.
    pub(super) fn nest_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let schedule = Schedule::of(op).ok().flatten().unwrap_or_default();
        let bounds = [builder.index(0)?, uniform(op, operands[0])?];
        let scope = self.scope;
        let inits = operands[1..].iter().map(|&init| scope.whole(builder, init));
        let inits = inits.collect::<Emitted<Values>>()?;
        self.depth += 1;
        if self.depth == 1 {
            self.ask_for_sizes(builder, op, local)?;
        }
        let states = match schedule.chunk {
            Some(_) => self.in_chunks(builder, op, &schedule, bounds, inits, local)?,
            None => {
                if self.depth == 1 {
                    self.take_locals(builder, op, local)?;
                }
                self.part(builder, op, &schedule, bounds, inits, local)?
            }
        };
        if self.depth == 1 && schedule.chunk.is_none() {
            self.finish_stores(builder, op)?;
        }
        self.depth -= 1;
        Ok(states
            .into_iter()
            .map(|value| lanes_of(value, &scope))
            .collect())
    }

    /// Some iterations of a loop, as many at once as its schedule says.
    pub(super) fn part(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        schedule: &Schedule,
        bounds: Bounds<'c, 'a>,
        states: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        if schedule.lanes == 1 || self.scope.is_vector() {
            return self.one_by_one(builder, op, bounds, &states, local);
        }
        let nest = Nest::of(op);
        if let Some(bytes) = schedule.ahead {
            fetch_segments(builder, &nest, bounds[0], bytes, local)?;
        }
        let combined = Combined::of(builder, &nest, local)?;
        let mut code = Strip {
            op,
            combined: &combined,
            lanes: schedule.lanes_at_once(),
            accumulators: schedule.accumulators,
            stream: None,
        };
        let stream = self.stream(builder, &nest, schedule, bounds[0], local)?;
        let outer = self.in_lanes.replace(nest);
        let states = match stream {
            Some(stream) => self.either_way(builder, &mut code, stream, bounds, &states, local)?,
            None => self.strip_mined(builder, &code, bounds, states, local)?,
        };
        self.in_lanes = outer;
        Ok(states)
    }

    pub(super) fn strip_mined(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        bounds: Bounds<'c, 'a>,
        states: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        match code.accumulators {
            1 => self.vectors(builder, code, bounds, states, local),
            _ => self.several(builder, code, bounds, states, local),
        }
    }

    fn one_by_one(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let bounds = [first, end, builder.index(1)?];
        let inner = opened(op).filter(|inner| !self.opened.contains(inner));
        let Some(inner) = inner.filter(|_| !self.scope.is_vector()) else {
            return builder.range_loop(bounds, states, |builder, index, states| {
                self.iteration(builder, op, Lanes::Uniform(index), states, local)
            });
        };
        let combined = Combined::of(builder, &Nest::of(inner), local)?;
        let schedule = Schedule::of(inner).ok().flatten().unwrap_or_default();
        let lanes = lanes_carried(&schedule);
        let wide = self.open_lanes(builder, &combined, lanes, states)?;
        self.opened.push(inner);
        let wide = builder.range_loop(bounds, &wide, |builder, index, states| {
            self.iteration(builder, op, Lanes::Uniform(index), states, local)
        });
        self.opened.pop();
        self.close_lanes(builder, &combined, lanes, states, wide?)
    }

    /// Lanes for what a loop carries, or those that it is given.
    fn opened_lanes(
        &self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        lanes: u64,
        states: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        match self.opened.contains(&code.op) {
            true => Ok(states.to_vec()),
            false => self.open_lanes(builder, code.combined, lanes, states),
        }
    }

    /// What a loop carried in lanes, folded unless it is to stay there.
    fn closed_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        lanes: u64,
        before: &[Value<'c, 'a>],
        wide: Values<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        match self.opened.contains(&code.op) {
            true => Ok(wide),
            false => self.close_lanes(builder, code.combined, lanes, before, wide),
        }
    }

    /// Whole vectors, and one with a mask.
    fn vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
        before: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let wide = self.opened_lanes(builder, code, code.lanes, &before)?;
        let start = code.behind_lead(builder, [first, end])?;
        let wide = self.lead(builder, code, code.lanes, [first, start], wide, local)?;
        let [whole_end, left_over] = whole_steps(builder, [start, end], code.lanes)?;
        let wide = self.whole_vectors(builder, code, [start, whole_end], &wide, local)?;
        let none = builder.index(0)?;
        let is_left_over = builder.compare(Predicate::Ne, left_over, none)?;
        let types: Vec<Type> = wide.iter().map(|value| value.r#type()).collect();
        let wide = builder.if_else(
            is_left_over,
            &types,
            |builder| {
                let scope = Scope::of_first(builder, code.lanes, left_over)?;
                self.at(builder, code.op, scope, whole_end, &wide, local)
            },
            |_| Emitted::Ok(wide.clone()),
        )?;
        self.closed_lanes(builder, code, code.lanes, &before, wide)
    }

    /// Several vectors of accumulators, and then half as many lanes with masks.
    fn several(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
        before: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let half = code.lanes / 2;
        let narrow = self.opened_lanes(builder, code, half, &before)?;
        let may_be_short = self.depth > 1 && constant(end).is_none();
        let narrow = match may_be_short {
            true => self.short_or_long(builder, code, [first, end], narrow, local)?,
            false => self.long(builder, code, [first, end], narrow, local)?,
        };
        self.closed_lanes(builder, code, half, &before, narrow)
    }

    /// Iterations that either fit a masked vector of half as many lanes, or do not.
    fn short_or_long(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
        narrow: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let half = code.lanes / 2;
        let types: Vec<Type> = narrow.iter().map(|value| value.r#type()).collect();
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        let last = builder.arithmetic("arith.subi", &[length, builder.index(1)?])?;
        // A loop that runs never is none that runs once.
        let is_short = builder.compare(Predicate::Ult, last, builder.index(half as i64)?)?;
        let shared = RefCell::new((self, local));
        builder.if_else(
            is_short,
            &types,
            |builder| {
                let (this, local) = &mut *shared.borrow_mut();
                let scope = Scope::of_first(builder, half, length)?;
                this.at(builder, code.op, scope, first, &narrow, local)
            },
            |builder| {
                let (this, local) = &mut *shared.borrow_mut();
                this.long(builder, code, [first, end], narrow.clone(), local)
            },
        )
    }

    /// Iterations for all accumulators, and then what is in front of them and left over.
    fn long(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
        narrow: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let half = code.lanes / 2;
        let types: Vec<Type> = narrow.iter().map(|value| value.r#type()).collect();
        let start = code.behind_lead(builder, [first, end])?;
        let [middle, _] = whole_steps(builder, [start, end], code.lanes)?;
        let are_whole = builder.compare(Predicate::Ne, start, middle)?;
        let narrow = builder.if_else(
            are_whole,
            &types,
            |builder| {
                let mut wide = narrow.clone();
                let in_lanes = || code.combined.iter().filter(|part| part.folds_by_lane());
                for part in in_lanes() {
                    part.put(&mut wide, part.neutral_lanes(builder, code.lanes)?);
                }
                let bounds = [start, middle];
                let mut states = self.whole_vectors(builder, code, bounds, &wide, local)?;
                for part in in_lanes() {
                    let own = part.of_all(&states);
                    let mut folded =
                        part.operator
                            .fold_lanes(self, builder, own, [code.lanes, half])?;
                    if self.opened.contains(&code.op) {
                        let before = part.of_all(&narrow);
                        let both = [before.as_slice(), folded.as_slice()];
                        folded = part.operator.combined_lanes(self, builder, half, both)?;
                    }
                    part.put(&mut states, folded);
                }
                Emitted::Ok(states)
            },
            |_| Ok(narrow.clone()),
        )?;
        let narrow = self.lead(builder, code, half, [first, start], narrow, local)?;
        self.masked_vectors(builder, code.op, half, [middle, end], &narrow, local)
    }

    /// Vectors of so many lanes, with a mask for those that are in front of the end.
    pub(super) fn masked_vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let step = builder.index(lanes as i64)?;
        builder.range_loop([first, end, step], states, |builder, index, states| {
            let left_over = builder.arithmetic("arith.subi", &[end, index])?;
            let scope = Scope::of_first(builder, lanes, left_over)?;
            self.at(builder, op, scope, index, states, local)
        })
    }

    /// Vectors in which all lanes count.
    pub(super) fn whole_vectors(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = Scope {
            width: code.lanes,
            mask: None,
        };
        let step = builder.index(code.lanes as i64)?;
        builder.range_loop([first, end, step], states, |builder, index, states| {
            let states = self.at(builder, code.op, scope, index, states, local)?;
            self.fetch_rows(builder, code, local)?;
            Ok(states)
        })
    }

    /// The iterations from one on, as many as there are lanes.
    fn at(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        scope: Scope<'c, 'a>,
        first: Value<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let outer = self.set_scope(scope);
        let index = Lanes::Steps { first, step: 1 };
        let states = self.iteration(builder, op, index, states, local);
        self.set_scope(outer);
        states
    }

    /// The body of a loop, given what it carries; gives what it carries on.
    fn iteration(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        index: Lanes<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = self.scope;
        let arguments = arguments(op)?;
        local.insert(key(arguments[0]), index);
        for (&argument, &state) in arguments[1..].iter().zip(states) {
            local.insert(key(argument), lanes_of(state, &scope));
        }
        let block = OpView::of(op).block();
        let block = block.ok_or_else(|| internal(op.location(), "there is no body"))?;
        let yielded = self.block(builder, block, local)?;
        yielded
            .into_iter()
            .zip(states)
            .map(|(lanes, before)| match vector_lanes(before.r#type()) {
                Some(_) => scope.whole(builder, lanes),
                None => uniform(op, lanes),
            })
            .collect()
    }
}

/// In how many lanes accumulators are in front of a loop and behind it.
fn lanes_carried(schedule: &Schedule) -> u64 {
    match schedule.accumulators {
        1 => schedule.lanes,
        _ => schedule.lanes_at_once() / 2,
    }
}

/// A value of code in lanes: in each of them, if it is a vector, else the same in all.
pub(super) fn lanes_of<'c, 'a>(value: Value<'c, 'a>, scope: &Scope<'c, 'a>) -> Lanes<'c, 'a> {
    match vector_lanes(value.r#type()) {
        Some(_) => scope.lanes(value, false),
        None => Lanes::Uniform(value),
    }
}

/// Where those iterations end that make whole steps, and how many are left over behind.
fn whole_steps<'c, 'a>(
    builder: &Builder<'c, 'a>,
    [first, end]: Bounds<'c, 'a>,
    lanes: u64,
) -> Emitted<'c, [Value<'c, 'a>; 2]> {
    let step = builder.index(lanes as i64)?;
    let length = builder.arithmetic("arith.subi", &[end, first])?;
    let zero = builder.index(0)?;
    let length = builder.arithmetic("arith.maxsi", &[length, zero])?;
    let left_over = builder.arithmetic("arith.remui", &[length, step])?;
    let whole = builder.arithmetic("arith.subi", &[length, left_over])?;
    let whole_end = builder.arithmetic("arith.addi", &[first, whole])?;
    Ok([whole_end, left_over])
}
