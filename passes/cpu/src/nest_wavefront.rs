//! Has threads go through sequential loops around kernels one behind the other.
//!
//! ```text
//! scf.for i                  if it is worth it
//!   kernel                     for r to ranges, in parallel
//!     for j to n                 for blocks of rounds
//!       …                          wait for range r - 1
//!                                  for i in block
//!                                    kernel
//!                                      for k to end - first
//!                                        … with j = first + k
//!                                  tell range r + 1
//!                            else
//!                              as it was
//! ```
//!
//! Obeys the entry `wavefront` of schedules, and takes it away. Nests are in memory form. A schedule that
//! cannot be obeyed is an error ([`Wavefront::of`]).
//!
//! 1. Code asks sizes whether it is worth it, and where ranges are cut ([`cuts`]).
//! 2. Threads take ranges in turn, each from left to right. So whoever waits, waits for a range that somebody
//!    has begun, or will begin without waiting for this one; also if there are fewer threads than ranges.
//! 3. What a scan carries into a range is in memory, a number for each range and round; so is, for each range
//!    and block of rounds, whether it is done.
//!
//! Ranges begin at multiples of the lanes, and scans carry from range to range what they would carry on. So the
//! bits of results are those of a loop in order, whatever the number of ranges. Chunks that threads share a
//! scan of floating-point numbers by give others: where the loop has them, too, sizes alone decide.
//!
//! Cost: the code of the sequential loop is there twice.

mod cuts;

use std::collections::HashMap;

use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    walk::{ancestors, operations},
};
use comb_nest::{
    nest_versions::{computed, require_memory_form},
    nests::{Nest, kernels},
};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::{builder::NestBuilder, schedule::Schedule};
use soac_dialect::{
    builder::{Builder, Size},
    view::{OpView, op_name},
};

use crate::{
    nest_schedule::wavefronts::{Wavefront, scans_any_order},
    waiting::{SIGNAL, THREADS, WAIT, allocate_flags, call_for_flag},
};

use cuts::{Cut, Range, Sizes};

type Made<'c, T> = Result<T, PassError<'c>>;
type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// What values of a round are in a copy.
type Copied<'c, 'a> = HashMap<usize, Value<'c, 'a>>;

/// Lowers all loops whose schedules say so.
///
/// # Errors
///
/// If a schedule cannot be obeyed, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut are_there = false;
    for kernel in kernels(module) {
        let loops = operations(kernel).into_iter().filter_map(|op| {
            let schedule = Schedule::of(op).ok().flatten()?;
            schedule.wavefront.map(|most| (op, schedule, most))
        });
        for (op, schedule, most) in loops {
            require_memory_form(kernel, "threads go through loops around kernels")?;
            lower(op, schedule, most)?;
            are_there = true;
        }
    }
    match are_there {
        true => [WAIT, SIGNAL, THREADS]
            .into_iter()
            .try_for_each(|function| function.declare(module)),
        false => Ok(()),
    }
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, schedule: Schedule, most: u64) -> Made<'c, ()> {
    let nest = Nest::of(op);
    let refused = |why: &dyn std::fmt::Display| PassError::Unsupported {
        location: op.location(),
        message: format!("'nest.loop' op cannot have the wavefront of its schedule: {why}"),
    };
    let wavefront = Wavefront::of(&nest, &schedule).map_err(|why| refused(&why))?;
    let parts = Builder::after(wavefront.r#loop).zip(nest.length());
    let (behind, length) = parts.ok_or_else(|| refused(&"it has no body"))?;
    let is_inside = |op| ancestors(op).any(|around| around == wavefront.r#loop);
    let columns = computed(&behind, length, &mut HashMap::new(), &is_inside)?;
    let alone = Schedule {
        wavefront: None,
        ..schedule
    };
    alone.write(op);
    let sizes = Sizes::of(&behind, &wavefront, columns, &schedule, most)?;
    // Chunks of the loop as it is would give other bits than ranges, which one thread alone takes then, too.
    let is_for_one = schedule.chunk.is_some() && !scans_any_order(&nest);
    let is_worth_it = sizes.are_worth_it(&behind, is_for_one)?;
    behind.if_else(
        is_worth_it,
        &[],
        |builder| {
            let code = Code {
                wavefront: &wavefront,
                nest: &nest,
                schedule: alone,
                cut: sizes.cut(builder)?,
            };
            code.ranges(builder).map(|()| vec![])
        },
        |builder| {
            builder.move_here(wavefront.r#loop);
            Ok(vec![])
        },
    )?;
    Ok(())
}

/// The code of a wavefront.
struct Code<'s, 'c, 'a> {
    wavefront: &'s Wavefront<'c, 'a>,
    nest: &'s Nest<'c, 'a>,
    /// That of the loop in a range.
    schedule: Schedule,
    cut: Cut<'c, 'a>,
}

/// What ranges share.
struct Shared<'c, 'a> {
    /// For each number that scans carry, memory for what it is before each range, in each round.
    carries: Values<'c, 'a>,
    /// For each range and block of rounds, whether it is done.
    flags: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Code<'_, 'c, 'a> {
    fn ranges(&self, front: &Builder<'c, 'a>) -> Made<'c, ()> {
        let cut = self.cut;
        let flags = front.arithmetic("arith.muli", &[cut.ranges, cut.blocks])?;
        let places = front.arithmetic("arith.addi", &[cut.ranges, front.index(1)?])?;
        let places = front.arithmetic("arith.muli", &[places, cut.rounds])?;
        let inits = self.nest.op.operands().skip(1);
        let carries = inits.map(|init| front.allocate(&[Size::Dynamic(places)], init.r#type()));
        let shared = Shared {
            carries: carries.collect::<Result<_, _>>()?,
            flags: allocate_flags(front, flags)?,
        };
        front.parallel_loop(cut.ranges, "interleaved", |builder, number| {
            let range = cut.range(builder, number)?;
            builder.for_loop(cut.blocks, &[], |builder, block, _| {
                self.wait(builder, &shared, range, block)?;
                builder.range_loop(cut.block(builder, block)?, &[], |builder, round, _| {
                    self.round(builder, &shared, range, round)?;
                    Made::Ok(vec![])
                })?;
                self.tell(builder, &shared, range, block)?;
                Made::Ok(vec![])
            })?;
            Made::Ok(())
        })
    }

    /// A range of a round.
    fn round(
        &self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'c, 'a>,
        range: Range<'c, 'a>,
        round: Value<'c, 'a>,
    ) -> Made<'c, ()> {
        let Wavefront { kernel, .. } = *self.wavefront;
        let mut copied = self.begun(builder, round)?;
        let slot = builder.arithmetic("arith.muli", &[range.number, self.cut.rounds])?;
        let slot = builder.arithmetic("arith.addi", &[slot, round])?;
        let next = builder.arithmetic("arith.addi", &[slot, self.cut.rounds])?;
        let states = self.states(builder, shared, range, slot, &mut copied)?;
        let position = operations(kernel).iter().position(|&op| op == self.nest.op);
        let copy = operations(builder.copy(kernel, &mut |value| of(&copied, value)));
        // Threads share the ranges, and nothing in them.
        for &op in copy.iter().filter(|&&op| op_name(op) == "nest.loop") {
            if let Ok(Some(schedule)) = Schedule::of(op) {
                let alone = Schedule {
                    chunk: None,
                    ..schedule
                };
                alone.write(op);
            }
        }
        match position {
            Some(position) => self.cut_to(copy[position], shared, range, &states, next),
            None => Ok(()),
        }
    }

    /// What values of a round are, with all that it does besides the kernel.
    fn begun(&self, builder: &Builder<'c, 'a>, round: Value<'c, 'a>) -> Made<'c, Copied<'c, 'a>> {
        let Wavefront { r#loop, step, .. } = *self.wavefront;
        let distance = builder.arithmetic("arith.muli", &[round, builder.index(step)?])?;
        let index = builder.arithmetic("arith.addi", &[r#loop.operand(0)?, distance])?;
        let own = self.wavefront.index().map(key);
        let mut copied: Copied = own.into_iter().map(|own| (own, index)).collect();
        for &op in &self.wavefront.rest {
            let located = builder.located(op.location());
            let copy = located.copy(op, &mut |value| of(&copied, value));
            let results = op.results().zip(copy.results());
            copied.extend(results.map(|(old, new)| (key(old.into()), new.into())));
        }
        Ok(copied)
    }

    /// What scans carry into a range.
    fn states(
        &self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'c, 'a>,
        range: Range<'c, 'a>,
        slot: Value<'c, 'a>,
        copied: &mut Copied<'c, 'a>,
    ) -> Made<'c, Values<'c, 'a>> {
        let kernel = self.wavefront.kernel;
        let is_inside = |op| ancestors(op).any(|around| around == kernel);
        let inits = self.nest.op.operands().skip(1);
        let inits = inits.map(|init| computed(builder, init, copied, &is_inside));
        let inits = inits.collect::<Made<Values>>()?;
        if inits.is_empty() {
            return Ok(inits);
        }
        let types: Vec<Type> = inits.iter().map(|init| init.r#type()).collect();
        builder.if_else(
            range.is_first,
            &types,
            |_| Ok(inits.clone()),
            |builder| {
                let carries = shared.carries.iter();
                carries
                    .map(|&memory| Ok(builder.load(memory, &[slot])?))
                    .collect()
            },
        )
    }

    /// Makes of a copy of the loop one over a range, and stores what scans carry out of it.
    fn cut_to(
        &self,
        op: OperationRef<'c, 'a>,
        shared: &Shared<'c, 'a>,
        range: Range<'c, 'a>,
        states: &[Value<'c, 'a>],
        next: Value<'c, 'a>,
    ) -> Made<'c, ()> {
        let (Some(front), Some(block)) = (Builder::before(op), OpView::of(op).block()) else {
            return Ok(());
        };
        let [first, width] = [range.first, range.width];
        let schedule = Some(Schedule {
            stream: None,
            ..self.schedule
        });
        let carried = front.scheduled_loop(width, states, schedule, |builder, step, carried| {
            let iteration = builder.arithmetic("arith.addi", &[first, step])?;
            let arguments = [&[iteration], carried].concat();
            Made::Ok(builder.inline(block, &arguments)?)
        })?;
        for (&value, &memory) in carried.iter().zip(&shared.carries) {
            front.write(value, memory, &[next])?;
        }
        front.replace(op, &carried);
        Ok(())
    }

    /// Waits for the range on the left.
    fn wait(
        &self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'c, 'a>,
        range: Range<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Made<'c, ()> {
        builder.if_else(
            range.is_first,
            &[],
            |_| Made::Ok(vec![]),
            |builder| {
                let one = builder.index(1)?;
                let left = builder.arithmetic("arith.subi", &[range.number, one])?;
                let flag = self.cut.flag(builder, left, block)?;
                call_for_flag(builder, WAIT, shared.flags, flag)?;
                Ok(vec![])
            },
        )?;
        Ok(())
    }

    /// Tells the range on the right.
    fn tell(
        &self,
        builder: &Builder<'c, 'a>,
        shared: &Shared<'c, 'a>,
        range: Range<'c, 'a>,
        block: Value<'c, 'a>,
    ) -> Made<'c, ()> {
        let flag = self.cut.flag(builder, range.number, block)?;
        call_for_flag(builder, SIGNAL, shared.flags, flag)
    }
}

fn of<'c, 'a>(copied: &Copied<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    copied.get(&key(value)).copied().unwrap_or(value)
}
