//! Sequential loops that threads go through one behind the other.
//!
//! ```text
//! for i to m                                for each range of columns, at the same time
//!   for j to n                                for i to m
//!     h[i + 1, j + 1] = f(h[i, j], …)           wait until the range on the left is done with i
//!                                               for j in range
//!                                                 h[i + 1, j + 1] = f(h[i, j], …)
//! ```
//!
//! An iteration of the sequential loop is a *round*, and runs a kernel. Of rounds that run at the same time,
//! the earlier ones are further to the right. So it is right if no iteration of the kernel's loop uses what
//! one further to the right uses in an earlier round, unless both only read it ([`order`]). Within a round,
//! scans are handed on from the left to the right.
//!
//! Source: Lamport, The parallel execution of DO loops, 1974; Cytron, Doacross: beyond vectorization for
//! multiprocessors, 1986.
//! Cost: the square of the number of accesses, and linear in the uses of the memory that is written.

mod order;

use comb_machine::tuning::{
    chunks::WHOLE_VECTORS,
    wavefronts::{FEWEST_CHUNKS, FEWEST_ROUNDS},
};
use melior::ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use nest_dialect::{carried::arguments, schedule::Schedule};
use soac_dialect::{
    cast::Parts,
    view::{OpView, argument_of, definition, op_name, uses},
};
use thiserror::Error;

use self::order::Order;
use super::{
    accesses::Access,
    known::{DEPTH, is_computed_again},
};
use comb_fuse::fuse::effects::has_effects;
use comb_kit::{
    checks::facts::{constant, key},
    commutativity::is_exact,
    walk::{ancestors, in_block_from, is_there_before, operations},
};
use comb_nest::{
    elements::{names::Names, numbers::Numbers},
    nests::Nest,
};

/// Why threads do not go through the loop around a kernel one behind the other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoWavefront {
    /// The kernel is in no such loop.
    #[error("the kernel stands in no 'scf.for'")]
    NoLoop,
    /// The loop does not go up in constant steps.
    #[error("the step of the 'scf.for' is no positive constant")]
    Step,
    /// Threads share a loop around it.
    #[error("threads share a loop around the 'scf.for'")]
    IsShared,
    /// The loop carries something.
    #[error("the 'scf.for' carries values")]
    Carries,
    /// A round does something else.
    #[error("the 'scf.for' has a '{0}' besides")]
    Besides(String),
    /// The kernel does something else.
    #[error("the kernel does more than this loop, in loops that run once")]
    NotAlone,
    /// There are loops inside.
    #[error("there are loops inside")]
    NotInnermost,
    /// An op is not known to be right in ranges.
    #[error("it has a '{0}'")]
    Has(String),
    /// It carries something else than scans do.
    #[error("it carries what no scan changes, or what is used behind it")]
    NotScanned,
    /// Something else is done to the loop first.
    #[error("it is cut, jammed, packed or distributed, too")]
    Changed,
    /// Where lines begin says which lanes scans have.
    #[error("it scans what has other bits in another order, and writes past the caches")]
    Stream,
    /// Its length may be another one in each round.
    #[error("how often it runs is not known before the 'scf.for'")]
    Length,
    /// Scans begin with something that the kernel computes.
    #[error("what it carries at first is not known before the kernel")]
    Init,
    /// It is not known which memory is used.
    #[error("an array may be the same memory as another one, or another memory in each round")]
    Memory,
    /// Rounds have to come in order.
    #[error(
        "an iteration may use an element that one further on uses in an earlier round of the 'scf.for'"
    )]
    Order,
}

/// A kernel's loop whose iterations threads share while they go through a sequential loop around it.
pub struct Wavefront<'c, 'a> {
    /// The sequential loop.
    pub r#loop: OperationRef<'c, 'a>,
    /// How far the sequential loop's index goes in a round.
    pub step: i64,
    /// The kernel that a round runs.
    pub kernel: OperationRef<'c, 'a>,
    /// What a round does besides: numbers, views of memory, and checks.
    pub rest: Vec<OperationRef<'c, 'a>>,
}

/// How much work is worth it.
#[derive(Clone, Copy)]
pub struct Least {
    /// So many iterations of the kernel's loop make a range.
    pub range: i64,
    /// So many rounds of the sequential loop.
    pub rounds: i64,
    /// All iterations of all rounds.
    pub iterations: i64,
}

impl Least {
    /// That for so many iterations to a chunk.
    pub fn of(chunk: i64) -> Self {
        Self {
            range: chunk.min(WHOLE_VECTORS),
            rounds: chunk.min(FEWEST_ROUNDS),
            iterations: chunk.saturating_mul(FEWEST_CHUNKS),
        }
    }
}

impl<'c: 'a, 'a> Wavefront<'c, 'a> {
    /// That of a loop which else runs as a schedule says, or why there is none.
    pub fn of(nest: &Nest<'c, 'a>, schedule: &Schedule) -> Result<Self, NoWavefront> {
        obeys(nest, schedule)?;
        let kernel = kernel_of(nest)?;
        let around = kernel.parent_operation();
        let r#loop = around
            .filter(|&op| op_name(op) == "scf.for")
            .ok_or(NoWavefront::NoLoop)?;
        if ancestors(r#loop).any(|op| op_name(op) == "scf.parallel") {
            return Err(NoWavefront::IsShared);
        }
        if r#loop.result_count() > 0 {
            return Err(NoWavefront::Carries);
        }
        let step = r#loop.operand_at(2).and_then(constant);
        let wavefront = Self {
            r#loop,
            step: step.filter(|&step| step > 0).ok_or(NoWavefront::Step)?,
            kernel,
            rest: rest(kernel)?,
        };
        has_form(nest)?;
        wavefront.is_known(nest)?;
        wavefront.may_overlap(nest)?;
        Ok(wavefront)
    }

    /// Whether sizes are not known to be too small.
    pub fn may_be_worth_it(&self, nest: &Nest<'c, 'a>, chunk: u64) -> bool {
        let least = Least::of(i64::try_from(chunk).unwrap_or(i64::MAX));
        let bound = |position| self.r#loop.operand_at(position).and_then(constant);
        let rounds = bound(0).zip(bound(1));
        let rounds = rounds.map(|(first, end)| end.saturating_sub(first) / self.step);
        let columns = nest.length().and_then(constant);
        let all = rounds.zip(columns);
        let all = all.map(|(rounds, columns)| rounds.saturating_mul(columns));
        rounds.is_none_or(|rounds| rounds >= least.rounds)
            && columns.is_none_or(|columns| columns >= 2 * least.range)
            && all.is_none_or(|all| all >= least.iterations)
    }

    /// The number of a round.
    pub fn index(&self) -> Option<Value<'c, 'a>> {
        Nest::of(self.r#loop).index()
    }

    /// What has to be known before the sequential loop is, and before the kernel.
    fn is_known(&self, nest: &Nest<'c, 'a>) -> Result<(), NoWavefront> {
        let length = nest.length().ok_or(NoWavefront::Length)?;
        if !is_known_before(length, self.r#loop, DEPTH) {
            return Err(NoWavefront::Length);
        }
        let mut inits = nest.op.operands().skip(1);
        match inits.all(|init| is_known_before(init, self.kernel, DEPTH)) {
            true => Ok(()),
            false => Err(NoWavefront::Init),
        }
    }

    /// Whether no iteration uses what one further to the right uses in an earlier round.
    fn may_overlap(&self, nest: &Nest<'c, 'a>) -> Result<(), NoWavefront> {
        let mut numbers = Numbers::at(self.r#loop);
        let accesses = operations(nest.op).into_iter().flat_map(Access::of);
        let accesses = accesses.map(|access| {
            let (memory, element) = access.element(&mut numbers);
            (access.is_write, memory, element)
        });
        let accesses: Vec<_> = accesses.collect();
        let memory: Vec<Value> = accesses.iter().map(|&(_, memory, _)| memory).collect();
        let written = accesses.iter().filter(|(is_write, ..)| *is_write);
        let mut written = written.map(|&(_, memory, _)| memory);
        let is_fixed = memory.iter().all(|&one| is_there_before(one, self.r#loop));
        if !is_fixed || !written.all(|one| is_apart_from_others(one, &memory)) {
            return Err(NoWavefront::Memory);
        }
        let places = self.index().zip(nest.index());
        let order = places.and_then(|(round, column)| Order::of(self, round, column, &mut numbers));
        let order = order.ok_or(NoWavefront::Order)?;
        for (_, memory, write) in accesses.iter().filter(|(is_write, ..)| *is_write) {
            let others = accesses.iter().filter(|(_, other, _)| other == memory);
            for (.., other) in others {
                if !order.are_apart(write, other, &mut numbers)
                    || !order.are_apart(other, write, &mut numbers)
                {
                    return Err(NoWavefront::Order);
                }
            }
        }
        Ok(())
    }
}

/// Whether what else a schedule says is right in ranges: they are whole vectors from the first iteration on.
fn obeys<'c: 'a, 'a>(nest: &Nest<'c, 'a>, schedule: &Schedule) -> Result<(), NoWavefront> {
    let Schedule {
        jam,
        blocks,
        pack,
        split,
        stream,
        ..
    } = schedule;
    if *jam > 1 || blocks.or(*pack).or(*split).is_some() {
        return Err(NoWavefront::Changed);
    }
    match stream.is_some() && !scans_any_order(nest) {
        true => Err(NoWavefront::Stream),
        false => Ok(()),
    }
}

/// Whether scans of a loop give the same bits in whatever order they combine elements.
pub fn scans_any_order<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> bool {
    let mut scans = nest.ops.iter().filter(|&&op| op_name(op) == "nest.scan");
    scans.all(|&op| is_exact(&OpView::of(op)))
}

/// The kernel that does nothing but a loop, in loops that run once.
fn kernel_of<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<OperationRef<'c, 'a>, NoWavefront> {
    let mut op = nest.op;
    loop {
        let around = op.parent_operation().ok_or(NoWavefront::NotAlone)?;
        let mut others = beside(op);
        let does_more = others.any(|other| has_effects(other) || op_name(other) == "nest.local");
        let runs_once = || {
            op_name(around) == "nest.loop"
                && Nest::of(around).known_length() == Some(1)
                && around.operand_count() == 1
        };
        op = match op_name(around) {
            _ if does_more => return Err(NoWavefront::NotAlone),
            "nest.kernel" => return Ok(around),
            _ if runs_once() => around,
            _ => return Err(NoWavefront::NotAlone),
        };
    }
}

/// The other ops of an op's block, but for the last.
fn beside<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let first = op.block().and_then(|block| {
        let first = block.first_operation()?;
        // SAFETY: the op is in a block of a program that lives for 'a.
        Some(unsafe { OperationRef::from_raw(first.to_raw()) })
    });
    in_block_from(first).filter(move |&other| other != op && other.next_in_block().is_some())
}

/// What stands beside a kernel in a round, if these are numbers, views and checks. Other kernels do nothing.
fn rest<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
) -> Result<Vec<OperationRef<'c, 'a>>, NoWavefront> {
    let mut rest = vec![];
    for op in beside(kernel) {
        let is_plain = !has_effects(op);
        match op_name(op) {
            "soac.check" => rest.push(op),
            "nest.kernel" if is_plain => {}
            _ if is_plain && op.regions().next().is_none() => rest.push(op),
            name => return Err(NoWavefront::Besides(name.to_owned())),
        }
    }
    Ok(rest)
}

/// Ops that are right in ranges though they have effects, or hold others.
const KNOWN: &[&str] = &[
    "memref.load",
    "nest.read",
    "nest.scan",
    "nest.write",
    "nest.yield",
    "scf.for",
    "scf.if",
    "scf.yield",
];

/// Whether a loop computes elements of what it reads, and carries nothing but what scans do.
fn has_form<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), NoWavefront> {
    if !nest.is_innermost() {
        return Err(NoWavefront::NotInnermost);
    }
    let is_known = |op: OperationRef| {
        let is_plain = !has_effects(op) && !op_name(op).starts_with("nest.");
        KNOWN.contains(&op_name(op)) || is_plain
    };
    if let Some(&other) = nest.ops.iter().find(|&&op| !is_known(op)) {
        return Err(NoWavefront::Has(op_name(other).to_owned()));
    }
    let changed = nest.changed();
    let scanned: usize = changed.iter().map(|changed| changed.positions.len()).sum();
    let mut results = nest.op.results();
    let is_unused = results.all(|result| uses(result.into()).is_empty());
    let only_scans = nest.is_changed_once() && scanned == arguments(nest.op).len() && is_unused;
    match only_scans {
        true => Ok(()),
        false => Err(NoWavefront::NotScanned),
    }
}

/// Whether memory that is written is known not to be that of other names.
fn is_apart_from_others<'c: 'a, 'a>(memory: Value<'c, 'a>, others: &[Value<'c, 'a>]) -> bool {
    let is_origin = match (definition(memory), argument_of(memory)) {
        (Some(op), _) => op_name(op) == "memref.alloc",
        (None, Some((op, _))) => op_name(op) == "func.func",
        (None, None) => false,
    };
    let is_memory = memory.r#type().is_mem_ref();
    let names = Names::of(memory).filter(|_| is_origin && is_memory);
    names.is_some_and(|names| {
        let mut others = others.iter().filter(|&&other| key(other) != key(memory));
        !others.any(|&other| names.has(other))
    })
}

/// Whether a value is known before an op, or is computed of such by ops that may be computed there, too.
fn is_known_before<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    op: OperationRef<'c, 'a>,
    depth: usize,
) -> bool {
    if is_there_before(value, op) {
        return true;
    }
    let computing = definition(value).filter(|&computing| {
        let is_inside = ancestors(computing).any(|around| around == op);
        is_inside && is_computed_again(computing)
    });
    let depth = depth.checked_sub(1);
    computing.zip(depth).is_some_and(|(computing, depth)| {
        let mut operands = computing.operands();
        operands.all(|operand| is_known_before(operand, op, depth))
    })
}
