//! What schedules cannot say yet, though it makes code from clusters faster: a pure function of a kernel
//! and a machine.
//!
//! Code is made by way of loop nests wherever that is as good. Each entry here is one that nests are to
//! learn, and goes when they have.
//!
//! Cost: quadratic in the reads of a loop, linear in all else.

use comb_lmad::Symbol;
use comb_machine::{
    Machine,
    tuning::jam::{FEWEST_READS, LEAST_WORK, MOST_OPS, ROWS},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{argument_of, definition, op_name};
use thiserror::Error;

use super::{
    accesses::{Access, Slope, slope},
    choose::{Choice, choose, work_of_functions},
    nests::Nest,
    obstacles::Obstacle,
    reasons::Reason,
};
use crate::{
    checks::facts::key,
    elements::{layouts::Element, numbers::Numbers},
    walk::ancestors,
};

/// Products of rows that are known to have no more elements are not packed: they are in a register.
const SHORT: u64 = 16;

/// What is lacking.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Lack {
    /// Index-set splitting.
    #[error("a loop is cut where an index wraps around, or is clamped")]
    Wraps,
    /// Packing.
    #[error("operands of a product are packed")]
    Product,
    /// Unroll-and-jam of rows that overlap.
    #[error("rows of a stencil are computed together")]
    Rows,
    /// Prefetching of rows.
    #[error(
        "rows that a stencil reads next are fetched ahead, while its results go past the caches"
    )]
    RowsAhead,
    /// Buckets, and tables that are as fast.
    #[error("threads share a scatter by buckets or tables")]
    Scatter,
    /// Filters whose results go past the caches.
    #[error("what a filter keeps goes past the caches, by way of a buffer")]
    Kept,
    /// A sequential loop in threads.
    #[error("threads go through a sequential loop one behind the other")]
    Wavefront,
    /// Mirrored blocks.
    #[error("a loop that reads an array from both ends goes over mirrored blocks")]
    BothEnds,
    /// Positions ahead.
    #[error("positions of gathers are computed ahead, in blocks")]
    Positions,
    /// Prefetching of segments.
    #[error("what a later segment begins with is fetched ahead")]
    Segments,
}

/// What a kernel's schedules lack, if anything.
pub fn lack<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, machine: &Machine) -> Option<Lack> {
    let choices = choose(kernel, machine);
    let nests = Nest::in_kernel(kernel);
    nests
        .iter()
        .find_map(|nest| in_threads(kernel, nest, &choices).or_else(|| in_loops(nest, &choices)))
}

fn in_threads<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    nest: &Nest<'c, 'a>,
    choices: &[Choice<'c, 'a>],
) -> Option<Lack> {
    let has_scan = nest.deep_ops().iter().any(|&op| op_name(op) == "nest.scan");
    if has_scan && ancestors(kernel).any(|op| op_name(op) == "scf.for") {
        return Some(Lack::Wavefront);
    }
    let choice = choices.iter().find(|choice| choice.op == nest.op)?;
    let has_filter = nest.deep_ops().iter().any(|&op| op_name(op) == "nest.keep");
    choice.reasons.iter().find_map(|reason| match reason {
        Reason::OneThread(Obstacle::Scatters) | Reason::Tables => Some(Lack::Scatter),
        Reason::SummedUp if has_filter => Some(Lack::Kept),
        _ => None,
    })
}

fn in_loops<'c: 'a, 'a>(nest: &Nest<'c, 'a>, choices: &[Choice<'c, 'a>]) -> Option<Lack> {
    let choice = choices.iter().find(|choice| choice.op == nest.op)?;
    let is_product =
        choice.schedule.jam > 1 || choice.reasons.contains(&Reason::Columns) && choice.depth > 0;
    let is_long = |inner: &&Nest| inner.known_length().is_none_or(|length| length > SHORT);
    if is_product && nest.innermost().iter().any(is_long) {
        return Some(Lack::Product);
    }
    let accesses: Vec<Access> = nest.ops.iter().flat_map(|&op| Access::of(op)).collect();
    let reads = || accesses.iter().filter(|access| !access.is_write);
    if reads().any(|read| read.index().iter().any(|&value| wraps(nest, value))) {
        return Some(Lack::Wraps);
    }
    if reads().any(|read| {
        read.index()
            .iter()
            .any(|&value| follows_gather(nest, value))
    }) {
        return Some(Lack::Positions);
    }
    if nest.is_innermost() && goes_both_ways(nest, &reads().collect::<Vec<_>>()) {
        return Some(Lack::BothEnds);
    }
    if let Some(lack) = nest
        .inner
        .iter()
        .find_map(|inner| in_rows(nest, inner, choices))
    {
        return Some(lack);
    }
    if nest
        .inner
        .iter()
        .any(|inner| goes_over_segment(nest, inner))
    {
        return Some(Lack::Segments);
    }
    nest.inner.iter().find_map(|inner| in_loops(inner, choices))
}

/// Ops that make an index wrap around, or stop it at an end.
const WRAPPING: &[&str] = &[
    "arith.andi",
    "arith.maxsi",
    "arith.minsi",
    "arith.remsi",
    "arith.remui",
    "arith.select",
];

/// Whether an index is computed from that of the loop by an op that makes it wrap around.
fn wraps<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let Some(op) = definition(value).filter(|_| nest.defines(value)) else {
        return false;
    };
    let varies = || slope(nest, value) == Slope::Varies;
    match op_name(op) {
        "nest.read" => false,
        name if WRAPPING.contains(&name) && varies() => true,
        _ => op.operands().any(|operand| wraps(nest, operand)),
    }
}

/// Whether an index is computed from what is read at an index that is read itself.
fn follows_gather<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let Some(op) = definition(value).filter(|_| nest.defines(value)) else {
        return false;
    };
    let is_gather = Access::of(op).iter().any(|read| read.is_gather(nest));
    is_gather || op.operands().any(|operand| follows_gather(nest, operand))
}

/// Whether an array is read forwards and backwards.
fn goes_both_ways<'c: 'a, 'a>(nest: &Nest<'c, 'a>, reads: &[&Access<'c, 'a>]) -> bool {
    let step = |read: &Access<'c, 'a>| read.index().last().map(|&last| slope(nest, last));
    let backwards = reads
        .iter()
        .filter(|read| step(read) == Some(Slope::Step(-1)));
    backwards.into_iter().any(|back| {
        let mut same = reads.iter().filter(|read| read.root() == back.root());
        same.any(|read| step(read) == Some(Slope::Step(1)))
    })
}

/// Whether a loop goes over a part of an array that begins where something says that is read.
fn goes_over_segment<'c: 'a, 'a>(around: &Nest<'c, 'a>, inner: &Nest<'c, 'a>) -> bool {
    let is_read = |value: &Value<'c, 'a>| reads_memory(around, *value);
    let accesses = inner.ops.iter().flat_map(|&op| Access::of(op));
    let mut reads = accesses.filter(|access| !access.is_write);
    let folds = inner.ops.iter().any(|&op| op_name(op) == "nest.fold");
    folds && reads.any(|read| read.index().last().is_some_and(is_read))
}

fn reads_memory<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let op = definition(value).filter(|_| nest.defines(value));
    op.is_some_and(|op| {
        op_name(op) == "nest.read" || op.operands().any(|operand| reads_memory(nest, operand))
    })
}

/// What is lacking for an innermost loop that reads the same vectors at several iterations of the loop
/// around it: several of these together read a quarter fewer, or compute so much that a part of it is worth
/// to be shared; or they go past the caches.
fn in_rows<'c: 'a, 'a>(
    rows: &Nest<'c, 'a>,
    inner: &Nest<'c, 'a>,
    choices: &[Choice<'c, 'a>],
) -> Option<Lack> {
    let choice = choices.iter().find(|choice| choice.op == inner.op)?;
    if !inner.is_innermost() || choice.schedule.lanes == 1 {
        return None;
    }
    let mut numbers = Numbers::at(rows.op);
    let index = numbers.index(rows.index()?);
    let accesses = inner.ops.iter().flat_map(|&op| Access::of(op));
    let reads = accesses.filter(|access| !access.is_write && !access.is_local_to(rows));
    let mut elements: Vec<(usize, Element)> = reads
        .map(|read| {
            let (memory, element) = read.element(&mut numbers);
            (key(memory), element)
        })
        .collect();
    elements.retain(|(_, element)| {
        element.symbols().all(|symbol| {
            let value = numbers.leaf(symbol).value();
            let is_index = argument_of(value).is_some_and(|(op, _)| op_name(op) == "nest.loop");
            is_index || !rows.defines(value)
        })
    });
    let alone = vectors_of_rows(&elements, index, 1);
    let overlaps = |rows: u64| vectors_of_rows(&elements, index, rows) < rows as usize * alone;
    if choice.schedule.stream.is_some() && overlaps(ROWS[1]) {
        return Some(Lack::RowsAhead);
    }
    let has_folds = inner.ops.iter().any(|&op| op_name(op) == "nest.fold");
    let work = work_of_functions(inner);
    let saves = |rows: u64| {
        let together = vectors_of_rows(&elements, index, rows);
        let is_for_reads = 4 * together <= 3 * rows as usize * alone && work <= MOST_OPS;
        let is_for_work = overlaps(rows) && work as f64 >= LEAST_WORK;
        is_for_reads || is_for_work
    };
    let is_saved = !has_folds && alone >= FEWEST_READS && ROWS.into_iter().any(saves);
    is_saved.then_some(Lack::Rows)
}

/// How many different elements so many iterations of a loop read.
fn vectors_of_rows(elements: &[(usize, Element)], index: Symbol, rows: u64) -> usize {
    let mut found: Vec<(usize, Element)> = vec![];
    for (memory, element) in elements {
        for row in 0..rows as i64 {
            if let Some(later) = element.later(index, row)
                && !found.contains(&(*memory, later.clone()))
            {
                found.push((*memory, later));
            }
        }
    }
    found.len()
}
