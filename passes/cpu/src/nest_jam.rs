//! Unrolls loops of nests that hold others, and jams the copies of the loops inside: what is the same
//! for several iterations is read once, and used from a register.
//!
//! ```text
//! for i to n              for i to n / 2
//!   for k                   for k
//!     s += a[i, k] * b[k]     x = b[k]
//!                             s0 += a[2 i, k] * x
//!                             s1 += a[2 i + 1, k] * x
//!                         for i to n % 2 …
//! ```
//!
//! Reads of the same element are one read then, also where rows of a stencil read it at different
//! indices; what is computed of it is there once after the clean-up behind the vectoriser.
//!
//! If sixteen or more are jammed, as for transposes, what is left over is jammed by a quarter of that.
//!
//! Obeys the entry `jam` of schedules, and takes it away. Nests are in memory form; loops inside
//! are jammed first. A schedule that cannot be obeyed is an error
//! ([`to_jam`](crate::nest_schedule::obstacles::to_jam)).
//!
//! Source: unroll-and-jam, Allen and Kennedy, *Optimizing Compilers for Modern Architectures*, 8.4.
//! Cost: the code of a loop is there once more for each of its iterations that are jammed; quadratic in the
//! reads of a loop.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::{constant, key},
    pass_error::PassError,
    walk::operations,
};
use comb_nest::{
    elements::{layouts::Element, numbers::Numbers},
    nest_versions::require_memory_form,
    nests::{Nest, kernels},
};
use melior::ir::{BlockRef, OperationRef, Value, block::BlockLike, operation::OperationLike};
use nest_dialect::{builder::NestBuilder, carried::changes, schedule::Schedule};
use soac_dialect::{
    builder::Builder,
    view::{OpView, definition, op_name},
};

use crate::{
    lanes::is_elementwise,
    nest_schedule::{
        accesses::Access,
        obstacles::{to_jam, to_threads},
    },
};

type Made<'c, T> = Result<T, PassError<'c>>;
type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// What values of a loop's body are in a copy.
type Copied<'c, 'a> = HashMap<usize, Value<'c, 'a>>;

/// Jams all loops whose schedules say so.
///
/// # Errors
///
/// If a schedule cannot be obeyed, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for kernel in kernels(module) {
        let loops = operations(kernel).into_iter().filter_map(|op| {
            let schedule = Schedule::of(op).ok().flatten()?;
            (schedule.jam > 1).then_some((op, schedule))
        });
        let loops: Vec<_> = loops.collect();
        if !loops.is_empty() {
            require_memory_form(kernel, "loops are jammed")?;
        }
        for (op, schedule) in loops.into_iter().rev() {
            lower(op, schedule)?;
        }
    }
    Ok(())
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, schedule: Schedule) -> Made<'c, ()> {
    let nest = Nest::of(op);
    to_jam(&nest).map_err(|obstacle| PassError::Unsupported {
        location: op.location(),
        message: format!(
            "'nest.loop' op cannot have the {} jammed iterations of its schedule: {obstacle}",
            schedule.jam
        ),
    })?;
    let (Some(front), Some(block)) = (Builder::before(op), OpView::of(op).block()) else {
        return Ok(());
    };
    let operands: Values = op.operands().collect();
    let jam = Jam::of(&nest);
    if constant(operands[0]) == Some(schedule.jam as i64) {
        let results = jam.as_a_whole(&front, block, &schedule, &operands[1..])?;
        front.replace(op, &results);
        return Ok(());
    }
    let mut rest = Rest {
        first: None,
        length: operands[0],
        carried: operands[1..].to_vec(),
    };
    for factor in factors(schedule.jam) {
        let jammed = Schedule {
            jam: 1,
            chunk: schedule.chunk.map(|chunk| (chunk / factor).max(1)),
            ..schedule
        };
        rest = jam.jammed(&front, block, (factor, jammed), rest)?;
    }
    let results = match constant(operands[0]) {
        Some(length) if length % schedule.jam as i64 == 0 => rest.carried,
        _ => jam.left_over(&front, block, &rest)?,
    };
    front.replace(op, &results);
    Ok(())
}

/// How many iterations are jammed, and how many of those that are left over then: of many, a quarter.
fn factors(jam: u64) -> Vec<u64> {
    match jam {
        16.. => vec![jam, jam / 4],
        _ => vec![jam],
    }
}

/// Iterations of a loop that are still to be run.
struct Rest<'c, 'a> {
    /// The first of them; nothing if that is the loop's first.
    first: Option<Value<'c, 'a>>,
    /// How many they are.
    length: Value<'c, 'a>,
    /// What is carried to them.
    carried: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Rest<'c, 'a> {
    /// One of them.
    fn index(&self, builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Made<'c, Value<'c, 'a>> {
        match self.first {
            Some(first) => Ok(builder.arithmetic("arith.addi", &[first, number])?),
            None => Ok(number),
        }
    }
}

/// A loop that is jammed.
struct Jam<'n, 'c, 'a> {
    nest: &'n Nest<'c, 'a>,
    /// The arrays that are written in it.
    written: Vec<usize>,
}

impl<'n, 'c: 'a, 'a> Jam<'n, 'c, 'a> {
    fn of(nest: &'n Nest<'c, 'a>) -> Self {
        let accesses = nest.deep_ops().into_iter().flat_map(Access::of);
        let writes = accesses.filter(|access| access.is_write);
        Self {
            nest,
            written: writes.map(|write| write.root()).collect(),
        }
    }

    /// All iterations of the loop, without a loop. Threads share those inside, if they can.
    fn as_a_whole(
        &self,
        front: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        schedule: &Schedule,
        carried: &[Value<'c, 'a>],
    ) -> Made<'c, Values<'c, 'a>> {
        let indices = (0..schedule.jam as i64).map(|copy| Ok(front.index(copy)?));
        let indices = indices.collect::<Made<Values>>()?;
        let mut copies = begun(block, &indices, carried)?;
        self.copy_block(front, block, &mut copies)?;
        let last = indices.last().and_then(|&index| definition(index));
        let made = std::iter::successors(last, |op| op.next_in_block())
            .take_while(|&op| op != self.nest.op)
            .filter(|&op| op_name(op) == "nest.loop");
        for inner in made.collect::<Vec<_>>() {
            self.share_reads(front, inner);
            let inside = Schedule::of(inner).ok().flatten().unwrap_or_default();
            let chunk = schedule.chunk.map(|chunk| (chunk / schedule.jam).max(1));
            let shared = Schedule { chunk, ..inside };
            if to_threads(&Nest::of(inner)).is_ok() {
                shared.write(inner);
            }
        }
        Ok(handed_on(block, copies.last()))
    }

    /// A loop for as many whole groups of iterations as there are; gives what is left over.
    fn jammed(
        &self,
        front: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        (count, schedule): (u64, Schedule),
        rest: Rest<'c, 'a>,
    ) -> Made<'c, Rest<'c, 'a>> {
        let factor = front.index(count as i64)?;
        let rounds = front.arithmetic("arith.divsi", &[rest.length, factor])?;
        let carried = front.loop_like(
            self.nest.op,
            (rounds, &rest.carried),
            Some(schedule),
            |builder, round, carried| {
                let first = builder.arithmetic("arith.muli", &[round, factor])?;
                let first = rest.index(builder, first)?;
                let indices = (0..count as i64)
                    .map(|copy| {
                        let copy = builder.index(copy)?;
                        Ok(builder.arithmetic("arith.addi", &[first, copy])?)
                    })
                    .collect::<Made<Values>>()?;
                let mut copies = begun(block, &indices, carried)?;
                self.copy_block(builder, block, &mut copies)?;
                Made::Ok(handed_on(block, copies.last()))
            },
        )?;
        if let Some(made) = definition(rounds).and_then(|rounds| rounds.next_in_block()) {
            self.share_reads(front, made);
        }
        let done = front.arithmetic("arith.muli", &[rounds, factor])?;
        Ok(Rest {
            first: Some(rest.index(front, done)?),
            length: front.arithmetic("arith.subi", &[rest.length, done])?,
            carried,
        })
    }

    /// The iterations that are left over, one by one.
    fn left_over(
        &self,
        front: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        rest: &Rest<'c, 'a>,
    ) -> Made<'c, Values<'c, 'a>> {
        let lengths = (rest.length, rest.carried.as_slice());
        front.loop_like(self.nest.op, lengths, None, |builder, number, carried| {
            let index = rest.index(builder, number)?;
            let mut copies = begun(block, &[index], carried)?;
            self.copy_block(builder, block, &mut copies)?;
            Made::Ok(handed_on(block, copies.last()))
        })
    }

    /// Copies of all ops of a block but the last, one op after the other.
    fn copy_block(
        &self,
        builder: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        copies: &mut [Copied<'c, 'a>],
    ) -> Made<'c, ()> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let builder = builder.located(op.location());
            match op_name(op) {
                "nest.yield" => {}
                "nest.loop" => self.copy_loop(&builder, op, copies)?,
                "nest.fold" if self.is_carried(op) => copy_in_turn(&builder, op, copies),
                _ if self.is_shared(op, copies) => {
                    let copy = copy(&builder, op, copies.first());
                    copies.iter_mut().for_each(|copied| note(copied, op, copy));
                }
                _ => copies.iter_mut().for_each(|copied| {
                    let copy = copy(&builder, op, Some(copied));
                    note(copied, op, copy);
                }),
            }
        }
        Ok(())
    }

    /// One loop for the copies of one: it carries what each of them carries.
    fn copy_loop(
        &self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        copies: &mut [Copied<'c, 'a>],
    ) -> Made<'c, ()> {
        let Some(block) = OpView::of(op).block() else {
            return Ok(());
        };
        let operands: Values = op.operands().collect();
        let (length, count) = (of(copies.first(), operands[0]), operands.len() - 1);
        let inits = copies
            .iter()
            .flat_map(|copied| operands[1..].iter().map(|&init| of(Some(copied), init)));
        let inits: Values = inits.collect();
        let schedule = of_copies(Schedule::of(op).ok().flatten(), copies.len());
        let results =
            builder.loop_like(op, (length, &inits), schedule, |builder, index, states| {
                let mut inside = copies.to_vec();
                for (number, copied) in inside.iter_mut().enumerate() {
                    let own = &states[number * count..(number + 1) * count];
                    copied.extend(begun(block, &[index], own)?.remove(0));
                }
                self.copy_block(builder, block, &mut inside)?;
                let handed = inside
                    .iter()
                    .flat_map(|copied| handed_on(block, Some(copied)));
                Made::Ok(handed.collect())
            })?;
        for (number, copied) in copies.iter_mut().enumerate() {
            let own = &results[number * count..(number + 1) * count];
            for (old, &new) in op.results().zip(own) {
                copied.insert(key(old.into()), new);
            }
        }
        Ok(())
    }

    /// Makes one read of those of a block that read the same element.
    fn share_reads(&self, builder: &Builder<'c, 'a>, made: OperationRef<'c, 'a>) {
        let mut numbers = Numbers::at(made);
        let mut found: Vec<(OperationRef, usize, Element)> = vec![];
        let mut same = vec![];
        let reads = operations(made).into_iter().flat_map(Access::of);
        for read in reads.filter(|read| !read.is_write && !self.written.contains(&read.root())) {
            let (memory, element) = read.element(&mut numbers);
            if !element.is_known() {
                continue;
            }
            let is_same = |(first, array, known): &&(OperationRef, usize, Element)| {
                first.block() == read.op.block() && *array == key(memory) && *known == element
            };
            match found.iter().find(is_same) {
                Some(&(first, ..)) => same.push((read.op, first)),
                None => found.push((read.op, key(memory), element)),
            }
        }
        for (op, first) in same {
            let values: Values = first.results().map(Into::into).collect();
            builder.replace(op, &values);
        }
    }

    /// Whether a fold is over the loop that is jammed.
    fn is_carried(&self, fold: OperationRef<'c, 'a>) -> bool {
        accumulators(fold)
            .into_iter()
            .any(|value| self.nest.carries(value))
    }

    /// Whether an op gives the same in all copies, so that one of it is enough.
    fn is_shared(&self, op: OperationRef<'c, 'a>, copies: &[Copied<'c, 'a>]) -> bool {
        let is_read = || {
            let mut accesses = Access::of(op).into_iter();
            op_name(op) == "nest.read" && accesses.all(|read| !self.written.contains(&read.root()))
        };
        let is_pure = is_elementwise(op_name(op)) || op_name(op) == "memref.dim";
        let is_same = |value| {
            let mut all = copies.iter();
            all.all(|copied| of(Some(copied), value) == of(copies.first(), value))
        };
        (is_pure || is_read()) && op.operands().all(is_same)
    }
}

/// The schedule of a loop of which so many copies are jammed: each reads a last row.
fn of_copies(schedule: Option<Schedule>, copies: usize) -> Option<Schedule> {
    schedule.map(|schedule| Schedule {
        fetch: schedule
            .fetch
            .map(|rows| rows.saturating_mul(copies as u64)),
        ..schedule
    })
}

fn accumulators<'c: 'a, 'a>(fold: OperationRef<'c, 'a>) -> Values<'c, 'a> {
    let operands = changes(fold).map_or(0..0, |changes| changes.operands);
    fold.operands()
        .skip(operands.start)
        .take(operands.len())
        .collect()
}

/// Copies of a fold into the same accumulators, each of which goes on with what the one before
/// gives.
fn copy_in_turn<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    copies: &mut [Copied<'c, 'a>],
) {
    let mut before: Option<OperationRef> = None;
    for copied in copies.iter_mut() {
        if let Some(before) = before {
            for (accumulator, result) in accumulators(op).into_iter().zip(before.results()) {
                copied.insert(key(accumulator), result.into());
            }
        }
        before = Some(copy(builder, op, Some(copied)));
    }
    if let Some(last) = before {
        copies.iter_mut().for_each(|copied| note(copied, op, last));
    }
}

/// Copies of a loop's body before its first op: each has an index of its own, and what the loop
/// carries.
fn begun<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    indices: &[Value<'c, 'a>],
    carried: &[Value<'c, 'a>],
) -> Made<'c, Vec<Copied<'c, 'a>>> {
    indices
        .iter()
        .map(|&index| {
            let values = std::iter::once(index).chain(carried.iter().copied());
            let pairs = values.enumerate();
            pairs
                .map(|(number, value)| Ok((key(block.argument(number)?.into()), value)))
                .collect()
        })
        .collect()
}

/// What a copy of a block hands on.
fn handed_on<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    copied: Option<&Copied<'c, 'a>>,
) -> Values<'c, 'a> {
    let last = block.terminator();
    last.map_or_else(Vec::new, |last| {
        last.operands().map(|value| of(copied, value)).collect()
    })
}

/// What a value is in a copy.
fn of<'c: 'a, 'a>(copied: Option<&Copied<'c, 'a>>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let known = copied.and_then(|copied| copied.get(&key(value)));
    known.copied().unwrap_or(value)
}

fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    copied: Option<&Copied<'c, 'a>>,
) -> OperationRef<'c, 'a> {
    builder.copy(op, &mut |value| of(copied, value))
}

fn note<'c: 'a, 'a>(
    copied: &mut Copied<'c, 'a>,
    op: OperationRef<'c, 'a>,
    copy: OperationRef<'c, 'a>,
) {
    for (old, new) in op.results().zip(copy.results()) {
        copied.insert(key(old.into()), new.into());
    }
}
