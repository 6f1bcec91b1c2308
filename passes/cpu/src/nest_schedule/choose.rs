//! How a CPU runs the loops of a kernel: a pure function of the kernel and the machine.
//!
//! * **Lanes.** An innermost loop is computed in vectors if there is vector code for all that is in
//!   it. A vector has as many lanes as fit 64 bytes, of the narrowest numbers that are computed with,
//!   but of the widest ones no more than fit 128. Where innermost loops would read elements that are
//!   far apart, as the columns of a matrix, and the loop around them neighbours, that loop gets the
//!   lanes instead: each lane folds for itself, one element after the other. So it does where both read
//!   what is apart, but it can be [packed](super::packing).
//! * **Accumulators.** A loop that folds, and has little else to do, folds several vectors at once, so
//!   that additions do not wait for each other.
//! * **Jam.** Where loops inside read vectors that are the same for several iterations, as a row of a
//!   matrix is for all columns of a product, these iterations are unrolled and the loops inside
//!   jammed: a vector is read once, and used from a register. There are as many as there are
//!   registers for their accumulators.
//!   Rows of a [stencil](super::rows) are jammed, too.
//! * **Streams.** What an innermost loop writes in whole lines of the cache, and the kernel does not
//!   read, goes past the caches if it does not fit the last of them. Where it is a stencil, the rows that
//!   it has not read yet are fetched ahead then.
//! * **Chunks.** Threads share the iterations of an outermost loop, if none of them waits for another.
//!   How long chunks are depends on the loop alone, and what they fold is put together in their
//!   order, so that no bit of a result depends on the number of threads. A loop that carries scans
//!   or filters is summed up chunk by chunk, too: a chunk is then in the caches when it is worked
//!   on. These chunks wait for each other, so they are not as short. Those that [scatter](super::scatters)
//!   have a table each, or buckets.
//!
//! Cost: quadratic in the accesses of a loop in the worst case, mostly linear in its ops.

use comb_machine::{
    Machine,
    tuning::{
        VECTOR_BITS,
        ahead::BLOCK,
        chunks::{FEWEST, GATHERED, WHOLE_VECTORS},
        forms::{LONGEST_WINDOW, MOST_AT_ONCE, MOST_JAMMED, MOST_ROWS, TILES, Tile},
        packing::{FEWEST_ROWS, PART_OF_CACHES},
        prefetch::AHEAD,
        widths::{FOLDED_AT_ONCE, LITTLE, MORE, SHORTEST},
    },
};
use melior::ir::{OperationRef, TypeLike, ValueLike, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::view::{argument_of, op_name};

use super::{
    accesses::{Access, Neighbours, Slope, slope},
    blocks::Distribution,
    obstacles::{COMPRESSED, Obstacle, keeps_bytes, to_jam, to_lanes, to_threads},
    packing::Packing,
    reasons::Reason,
    rows::rows_together,
    scatters,
    segments::reads_of_segments,
    splitting::{Splitting, least_piece},
    stencils::last_rows,
    streams::{bytes_written, streamed},
    transposes::columns_together,
    wavefronts::Wavefront,
    widths::Widths,
};
use comb_fuse::fuse::work::instructions;
use comb_kit::walk::ancestors;
use comb_nest::nests::Nest;

use crate::lanes::is_elementwise;

/// Lanes of 32 bits, for which chunks are meant.
const LANES: u64 = VECTOR_BITS / 32;

/// Lanes of 64 bits. What has no vectors is treated as if it had these.
const FEWEST_LANES: u64 = VECTOR_BITS / 64;

/// So many iterations around loops are a short vector.
const FEWEST_COLUMNS: u64 = 4;

/// What was decided for a loop, and why.
pub struct Choice<'c, 'a> {
    /// The loop.
    pub op: OperationRef<'c, 'a>,
    /// How deep it is in others of the kernel: 0 if it is in none.
    pub depth: usize,
    /// What was decided.
    pub schedule: Schedule,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// What code is made for.
struct Site<'m> {
    machine: &'m Machine,
    may: Versions,
}

/// For what a kernel may be there in two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Operands that are copied.
    pub packed: bool,
    /// Loops that are cut.
    pub split: bool,
    /// Not two versions, but loops in place of others: those that are distributed.
    pub distributed: bool,
}

impl Versions {
    /// For all.
    pub const ALL: Self = Self {
        packed: true,
        split: true,
        distributed: true,
    };
    /// For nothing.
    pub const NONE: Self = Self {
        packed: false,
        split: false,
        distributed: false,
    };
}

/// How a machine runs all loops of a kernel, outer ones first. What a kernel has to be there
/// in two versions for is left out if it may not.
pub fn choose<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    machine: &Machine,
    may: Versions,
) -> Vec<Choice<'c, 'a>> {
    let is_shared = ancestors(kernel).any(|op| op_name(op) == "scf.parallel");
    let site = Site { machine, may };
    let mut choices = vec![];
    for nest in Nest::in_kernel(kernel) {
        let first = choices.len();
        if may.distributed && Distribution::of(&nest).is_ok() {
            choices.push(distributed(&nest));
            continue;
        }
        choose_lanes(&nest, None, 0, &site, &mut choices);
        let shared = Some(&nest).filter(|nest| !is_shared && to_threads(nest).is_ok());
        choose_jam(&nest, shared, machine, &mut choices[first..]);
        choose_streams(machine, &mut choices[first..]);
        choose_fetched(&mut choices[first..]);
        choose_splits(&site, &mut choices[first..]);
        choose_ahead(&nest, &mut choices[first..]);
        if let Some(outermost) = choices.get(first) {
            let lanes = narrowest(&choices[first..]);
            let (chunk, reason) = match is_shared {
                true => (None, Reason::IsShared),
                false => chunk(&nest, lanes, outermost.schedule.lanes, machine),
            };
            let outermost = &mut choices[first];
            outermost.schedule.chunk = chunk;
            outermost.reasons.push(reason);
            choose_scatters(&nest, machine, outermost);
            choose_wavefront(&nest, machine, &mut choices[first..]);
            let outermost = &mut choices[first];
            if outermost.schedule.chunk.is_some() && nest.is_chained() {
                outermost.reasons.push(Reason::SummedUp);
            }
        }
    }
    pack_for_one_reason(&mut choices);
    choices
}

/// A loop that is distributed. What runs the loops that are made of it is chosen when they are there.
fn distributed<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Choice<'c, 'a> {
    let length = BLOCK as u64;
    Choice {
        op: nest.op,
        depth: 0,
        schedule: Schedule {
            blocks: Some(length),
            ..Schedule::default()
        },
        reasons: vec![Reason::Blocks(length)],
    }
}

/// There is code for one question about copies in a kernel, and not for each combination of two: whether
/// they are large is not asked where lanes need them in any case.
fn pack_for_one_reason(choices: &mut [Choice]) {
    let is_needed =
        |choice: &Choice| choice.schedule.pack.is_some() && choice.schedule.pack_over.is_none();
    if !choices.iter().any(is_needed) {
        return;
    }
    let is_spread = |choice: &&mut Choice| choice.schedule.pack_over.is_some();
    for choice in choices.iter_mut().filter(is_spread) {
        choice.schedule.pack = None;
        choice.schedule.pack_over = None;
        choice
            .reasons
            .retain(|reason| !matches!(reason, Reason::PackSpread { .. }));
    }
}

/// How chunks share scatters; there is no chunk if they cannot.
fn choose_scatters<'c: 'a, 'a>(nest: &Nest<'c, 'a>, machine: &Machine, choice: &mut Choice) {
    if choice.schedule.chunk.is_none() {
        return;
    }
    let mut schedule = choice.schedule;
    match scatters::choose(nest, machine, &mut schedule) {
        Ok(reasons) => {
            choice.schedule = schedule;
            choice.reasons.extend(reasons);
        }
        Err(obstacle) => {
            choice.schedule.chunk = None;
            choice.reasons.pop();
            choice.reasons.push(Reason::OneThread(obstacle));
        }
    }
}

/// What innermost loops write past the caches. Others have enough to do between two writes.
fn choose_streams(machine: &Machine, choices: &mut [Choice]) {
    let large = machine.last_cache_bytes.max(0).unsigned_abs();
    for choice in choices {
        let Choice { op, schedule, .. } = choice;
        let nest = Nest::of(*op);
        if !nest.is_innermost() {
            continue;
        }
        let writes = streamed(&nest, schedule);
        let fit = bytes_written(&writes).is_some_and(|bytes| bytes <= large);
        if !writes.is_empty() && !fit {
            schedule.stream = Some(large);
            choice.reasons.push(Reason::Stream(large));
        }
    }
}

/// Innermost loops inside others are cut where an index wraps around. (Pieces of an outermost one would be
/// few for threads.)
/// Pieces differ from iteration to iteration, so that a loop around is not jammed.
fn choose_splits(site: &Site, choices: &mut [Choice]) {
    let jammed = choices.iter().filter(|choice| choice.schedule.jam > 1);
    let jammed: Vec<OperationRef> = jammed.map(|choice| choice.op).collect();
    for choice in choices.iter_mut().filter(|choice| choice.depth > 0) {
        let has_lanes = choice.schedule.lanes > 1 && site.may.split;
        let is_jammed = ancestors(choice.op).any(|around| jammed.contains(&around));
        // How many elements pieces scatter is not known before.
        let nest = Nest::of(choice.op);
        let scatters = nest.ops.iter().any(|&op| op_name(op) == "nest.scatter");
        if has_lanes && !is_jammed && !scatters && Splitting::of(&nest).is_ok() {
            let least = least_piece(&choice.schedule);
            choice.schedule.split = Some(least);
            choice.reasons.push(Reason::Split(least));
        }
    }
}

/// Where a loop over a part of an array begins, what later ones begin with is fetched.
fn choose_ahead<'c: 'a, 'a>(nest: &Nest<'c, 'a>, choices: &mut [Choice<'c, 'a>]) {
    for inner in &nest.inner {
        choose_ahead(inner, choices);
        if !reads_of_segments(nest, inner).is_empty()
            && let Some(choice) = choice_of(choices, inner)
        {
            choice.schedule.ahead = Some(AHEAD as u64);
            choice.reasons.push(Reason::Ahead(AHEAD as u64));
        }
    }
}

/// Of arrays that an innermost loop reads several rows of, the last is fetched ahead where results go past
/// the caches.
fn choose_fetched(choices: &mut [Choice]) {
    if choices
        .iter()
        .all(|choice| choice.schedule.stream.is_none())
    {
        return;
    }
    for choice in choices
        .iter_mut()
        .filter(|choice| choice.schedule.lanes > 1)
    {
        let nest = Nest::of(choice.op);
        if nest.is_innermost() && !last_rows(&nest, 1).is_empty() {
            choice.schedule.fetch = Some(1);
            choice.reasons.push(Reason::Fetch);
        }
    }
}

/// The fewest lanes of loops that have some.
fn narrowest(choices: &[Choice]) -> u64 {
    let lanes = choices.iter().map(|choice| choice.schedule.lanes);
    lanes.filter(|&lanes| lanes > 1).min().unwrap_or(1)
}

fn choose_lanes<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    around: Option<&Nest<'c, 'a>>,
    depth: usize,
    site: &Site,
    choices: &mut Vec<Choice<'c, 'a>>,
) {
    let (schedule, reason) = match nest.sequential_around() {
        Some(around) => {
            let obstacle = Obstacle::Around(around.to_owned());
            (Schedule::default(), vec![Reason::NoLanes(obstacle)])
        }
        None if nest.is_innermost() => lanes_of_innermost(nest),
        None => lanes_around_loops(nest, around, site),
    };
    let has_lanes = schedule.lanes > 1;
    choices.push(Choice {
        op: nest.op,
        depth,
        schedule,
        reasons: reason,
    });
    for inner in &nest.inner {
        match has_lanes {
            true => in_lanes(inner, depth + 1, choices),
            false => choose_lanes(inner, Some(nest), depth + 1, site, choices),
        }
    }
}

/// Loops inside lanes go from one iteration to the next in all of them.
fn in_lanes<'c: 'a, 'a>(nest: &Nest<'c, 'a>, depth: usize, choices: &mut Vec<Choice<'c, 'a>>) {
    choices.push(Choice {
        op: nest.op,
        depth,
        schedule: Schedule::default(),
        reasons: vec![Reason::InLanes],
    });
    for inner in &nest.inner {
        in_lanes(inner, depth + 1, choices);
    }
}

/// Unrolls loops around those with lanes, inner ones first.
fn choose_jam<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    shared: Option<&Nest<'c, 'a>>,
    machine: &Machine,
    choices: &mut [Choice<'c, 'a>],
) {
    if nest.is_innermost() || lanes_in(choices, nest) > 1 {
        return;
    }
    for inner in &nest.inner {
        choose_jam(inner, shared, machine, choices);
    }
    if shared.is_some_and(|shared| shared.op != nest.op && write_in_common(shared, nest)) {
        return;
    }
    let product = Some(jammed(nest, machine, choices)).filter(|&factor| factor > 1);
    let together = product.map(|factor| (factor, Reason::Jam(factor)));
    let together = together
        .or_else(|| jammed_rows(nest, machine, choices))
        .or_else(|| jammed_columns(nest, machine, choices));
    let Some((factor, reason)) = together else {
        return;
    };
    // Threads put together what one op folds, and not what several copies of it do.
    let is_outermost = choices.first().is_some_and(|choice| choice.op == nest.op);
    let may_be_put_together = is_outermost || goes_on(nest);
    if may_be_put_together && !nest.changed().is_empty() {
        return;
    }
    for inner in &nest.inner {
        let deep = inner.innermost().into_iter();
        for innermost in deep {
            if let Some(choice) = choice_of(choices, innermost)
                && choice.schedule.accumulators > 1
            {
                choice.schedule.accumulators = 1;
                choice.reasons.pop();
                choice.reasons.push(Reason::JammedAround);
            }
        }
    }
    if let Some(choice) = choice_of(choices, nest) {
        choice.schedule.jam = factor;
        choice.reasons.push(reason);
    }
}

/// Whether a dimension of an array is written along a loop that threads share and along one in it: that
/// threads write different elements would not be seen of several iterations at once.
fn write_in_common<'c: 'a, 'a>(shared: &Nest<'c, 'a>, nest: &Nest<'c, 'a>) -> bool {
    let accesses = nest.deep_ops().into_iter().flat_map(Access::of);
    let mut writes = accesses.filter(|access| access.is_write && !access.is_local_to(shared));
    writes.any(|write| {
        let mut index = write.index().iter();
        index.any(|&value| {
            [shared, nest]
                .iter()
                .all(|nest| slope(nest, value) != Slope::Same)
        })
    })
}

/// Whether a loop goes on with a number that a loop around it carries.
fn goes_on<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> bool {
    let mut inits = nest.op.operands().skip(1);
    inits.any(|init| argument_of(init).is_some_and(|(op, _)| op_name(op) == "nest.loop"))
}

fn choice_of<'s, 'c: 'a, 'a>(
    choices: &'s mut [Choice<'c, 'a>],
    nest: &Nest<'c, 'a>,
) -> Option<&'s mut Choice<'c, 'a>> {
    choices.iter_mut().find(|choice| choice.op == nest.op)
}

fn schedule_in(choices: &[Choice], nest: &Nest) -> Schedule {
    let choice = choices.iter().find(|choice| choice.op == nest.op);
    choice.map_or_else(Schedule::default, |choice| choice.schedule)
}

fn lanes_in(choices: &[Choice], nest: &Nest) -> u64 {
    schedule_in(choices, nest).lanes
}

/// How many iterations of a loop are jammed; 1 if that is not worth it.
fn jammed(nest: &Nest, machine: &Machine, choices: &[Choice]) -> u64 {
    let sharing = with_lanes(nest, choices)
        .into_iter()
        .filter(|inner| schedule_in(choices, inner).pack.is_some() || shares_vectors(nest, inner));
    let sharing: Vec<&Nest> = sharing.collect();
    let is_little = sharing
        .iter()
        .all(|inner| work_of_functions(inner) <= LITTLE);
    let is_outermost = choices.first().is_some_and(|choice| choice.op == nest.op);
    let length = nest.known_length().filter(|_| is_outermost);
    let most = match (sharing.iter().all(|inner| inner.is_innermost()), length) {
        (true, Some(length)) if length <= MOST_AT_ONCE => length.max(MOST_JAMMED),
        (true, _) => MOST_JAMMED,
        (false, _) => MOST_ROWS,
    };
    let are_enough = is_long(nest, most) || length == Some(most);
    if sharing.is_empty() || !is_little || !are_enough || to_jam(nest).is_err() {
        return 1;
    }
    let used = nest.inner.iter().map(|inner| registers_of(inner, choices));
    let free = tile(machine).accumulators / used.max().unwrap_or(1).max(1);
    match free.min(most) {
        0 => 1,
        all if length == Some(all) => all,
        free => 1 << free.ilog2(),
    }
}

/// Whether a loop may be long enough for so many jammed iterations.
fn is_long(nest: &Nest, jammed: u64) -> bool {
    nest.known_length()
        .is_none_or(|length| length >= 2 * jammed)
}

/// How many rows of a stencil are jammed, if the loops inside are those over columns.
fn jammed_rows<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    machine: &Machine,
    choices: &[Choice<'c, 'a>],
) -> Option<(u64, Reason)> {
    let inner = nest.inner.iter();
    let inner: Vec<_> = inner
        .map(|inner| (inner, lanes_in(choices, inner)))
        .collect();
    rows_together(nest, &inner, machine)
}

/// How many columns of what loops with lanes inside read rows of are jammed.
fn jammed_columns<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    machine: &Machine,
    choices: &[Choice<'c, 'a>],
) -> Option<(u64, Reason)> {
    let inner = with_lanes(nest, choices).into_iter();
    let inner: Vec<_> = inner
        .map(|inner| (inner, lanes_in(choices, inner)))
        .collect();
    columns_together(nest, &inner, machine)
}

/// The loops with lanes inside a loop.
fn with_lanes<'s, 'c, 'a>(nest: &'s Nest<'c, 'a>, choices: &[Choice]) -> Vec<&'s Nest<'c, 'a>>
where
    'c: 'a,
{
    let inner = nest.inner.iter();
    inner
        .flat_map(|inner| match lanes_in(choices, inner) {
            1 => with_lanes(inner, choices),
            _ => vec![inner],
        })
        .collect()
}

/// Whether vectors that are read in a loop with lanes are the same for all iterations of another
/// one around it.
fn shares_vectors(nest: &Nest, with_lanes: &Nest) -> bool {
    let accesses = with_lanes.deep_ops().into_iter().flat_map(Access::of);
    let mut reads = accesses.filter(|access| !access.is_write);
    reads.any(|read| {
        read.neighbours(with_lanes) == Neighbours::Adjacent
            && read.neighbours(nest) == Neighbours::Same
            && !read.is_local_to(nest)
    })
}

/// How many vectors of accumulators an innermost loop in one has, if its folds have one each.
fn registers_of(nest: &Nest, choices: &[Choice]) -> u64 {
    let schedule = schedule_in(choices, nest);
    if schedule.lanes > 1 {
        let innermost = nest.innermost().into_iter();
        let folds = innermost.map(|inner| {
            let folds = inner.ops.iter().filter(|&&op| op_name(op) == "nest.fold");
            folds.map(|op| op.result_count() as u64).sum::<u64>()
        });
        return folds.max().unwrap_or(0) * schedule.lanes
            / Widths::of(nest, &nest.deep_ops()).lanes();
    }
    let inside = nest.inner.iter();
    let inside = inside.map(|inner| registers_of(inner, choices)).max();
    schedule.jam * inside.unwrap_or(0)
}

fn lanes_of_innermost(nest: &Nest) -> (Schedule, Vec<Reason>) {
    if let Some(length) = too_short(nest) {
        return (Schedule::default(), vec![Reason::Short(length)]);
    }
    if let Err(obstacle) = to_lanes(nest) {
        return (Schedule::default(), vec![Reason::NoLanes(obstacle)]);
    }
    let numbers = Widths::of(nest, &nest.ops);
    let waits = !has_enough_besides(nest) && !is_within(nest, numbers.lanes());
    let accumulators = match nest.only_folds() && waits {
        false => 1,
        true => match work_of_functions(nest) {
            ops if ops <= LITTLE => FOLDED_AT_ONCE,
            ops if ops <= MORE => FOLDED_AT_ONCE / 2,
            _ => 1,
        },
    };
    let schedule = Schedule {
        lanes: packed(nest, as_long_as(nest, numbers.lanes())),
        accumulators,
        ..Schedule::default()
    };
    let mut reasons = vec![numbers.reason(schedule.lanes)];
    if accumulators > 1 {
        reasons.push(Reason::Accumulators(accumulators));
    }
    (schedule, reasons)
}

fn lanes_around_loops<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    around: Option<&Nest<'c, 'a>>,
    site: &Site,
) -> (Schedule, Vec<Reason>) {
    let none = |reason| (Schedule::default(), vec![reason]);
    // Lanes that need no mask are worth it where they are few, too.
    if let Some(length) = too_short(nest).filter(|&length| length != FEWEST_COLUMNS) {
        return none(Reason::Short(length));
    }
    let packing = Packing::of(nest).ok().filter(|_| site.may.packed);
    let spread = packing.as_ref().is_some_and(|packing| packing.is_spread);
    if (packing.is_none() || spread) && !fits_better(nest) {
        return none(Reason::InnerLoops);
    }
    if let Err(obstacle) = to_lanes(nest) {
        return none(Reason::NoLanes(obstacle));
    }
    if !is_along_memory(nest, packing.as_ref()) {
        return none(Reason::InnerLoops);
    }
    let numbers = Widths::of(nest, &nest.deep_ops());
    let is_row_read_again = |rows: &&Nest<'c, 'a>| {
        let may_be_jammed = to_jam(rows).is_ok() && is_long(rows, MOST_ROWS);
        may_be_jammed && (packing.is_some() || shares_vectors(rows, nest))
    };
    let most = match around.filter(is_row_read_again) {
        Some(_) => tile(site.machine).of_row,
        None => tile(site.machine).alone,
    };
    let vectors = match work_of_functions(nest) {
        ops if ops <= LITTLE => most,
        ops if ops <= MORE => most / 2,
        _ => 1,
    };
    let vectors = (vectors / accumulators_in(nest).max(1)).max(1);
    let schedule = Schedule {
        lanes: as_long_as(nest, numbers.lanes() << vectors.ilog2()),
        pack: packing.is_some().then_some(FEWEST_ROWS as u64),
        pack_over: spread
            .then_some(site.machine.last_cache_bytes.max(0).unsigned_abs() / PART_OF_CACHES as u64),
        ..Schedule::default()
    };
    let mut reasons = match (schedule.pack, schedule.pack_over) {
        (Some(rows), Some(bytes)) => vec![Reason::Columns, Reason::PackSpread { rows, bytes }],
        (Some(rows), None) => vec![Reason::Pack(rows)],
        (None, _) => vec![Reason::Columns],
    };
    reasons.push(numbers.reason(schedule.lanes));
    (schedule, reasons)
}

/// So many lanes, but no more than a loop is known to have iterations, rounded up.
fn as_long_as(nest: &Nest, lanes: u64) -> u64 {
    match nest.known_length() {
        Some(length) => lanes.min(length.next_power_of_two()),
        None => lanes,
    }
}

/// So many lanes, but as many as LLVM can pack if a filter keeps bytes.
fn packed(nest: &Nest, lanes: u64) -> u64 {
    match lanes == COMPRESSED && keeps_bytes(nest) {
        true => 2 * lanes,
        false => lanes,
    }
}

/// Whether a loop is known to have no more iterations than there are lanes.
fn is_within(nest: &Nest, lanes: u64) -> bool {
    nest.known_length().is_some_and(|length| length <= lanes)
}

/// Whether a loop that folds writes arrays, too, and reads and computes so much for that, that nothing waits for an
/// addition.
fn has_enough_besides(nest: &Nest) -> bool {
    let accesses = nest.ops.iter().flat_map(|&op| Access::of(op));
    let accesses: Vec<Access> = accesses.collect();
    let writes = accesses.iter().any(|access| access.is_write);
    writes && accesses.len() + work_of_functions(nest) > LITTLE
}

/// The length of a loop that is known to be too short for vectors.
fn too_short(nest: &Nest) -> Option<u64> {
    nest.known_length()
        .filter(|&length| length < SHORTEST as u64)
}

/// Whether the innermost loops would better not have the lanes: they read what is far apart there,
/// or a window that slides, or are short.
fn fits_better(nest: &Nest) -> bool {
    let innermost = nest.innermost();
    let mut reads = innermost.iter().flat_map(|inner| {
        let accesses = inner.ops.iter().flat_map(|&op| Access::of(op));
        let slides = may_be_longer(nest, inner);
        accesses
            .filter(|access| !access.is_write)
            .map(move |access| (access.neighbours(inner), access.neighbours(nest), slides))
    });
    let is_better = |(inside, here, slides)| {
        inside == Neighbours::Apart
            || here == Neighbours::Adjacent && inside == Neighbours::Adjacent && slides
    };
    let mut short = innermost.iter().map(|inner| too_short(inner));
    reads.any(is_better) || short.all(|short| short.is_some())
}

/// Whether a loop may have more iterations than one inside, so that this one is a window which slides.
fn may_be_longer(nest: &Nest, inner: &Nest) -> bool {
    match (nest.known_length(), inner.known_length()) {
        (None, _) => true,
        (Some(length), None) => length > LONGEST_WINDOW,
        (Some(length), Some(inner)) => length >= inner,
    }
}

/// Whether everything that lanes of a loop around others read or write is adjacent, or close, or the same
/// for all, or packed.
fn is_along_memory<'c: 'a, 'a>(nest: &Nest<'c, 'a>, packing: Option<&Packing<'c, 'a>>) -> bool {
    let accesses = nest.deep_ops().into_iter().flat_map(Access::of);
    accesses.into_iter().all(|access| {
        let neighbours = access.neighbours(nest);
        neighbours == Neighbours::Adjacent
            || neighbours == Neighbours::Same && !access.is_write
            || access.is_close(nest)
            || packing.is_some_and(|packing| packing.packs(&access))
    })
}

/// How many vectors there are at once.
fn tile(machine: &Machine) -> Tile {
    let [larger @ .., least] = TILES;
    let registers = machine.registers();
    let fits = |&(least, _): &(i64, Tile)| registers >= least;
    larger.into_iter().find(fits).unwrap_or(least).1
}

/// How many accumulators a lane has in loops inside.
fn accumulators_in(nest: &Nest) -> u64 {
    let inside = nest.inner.iter().flat_map(Nest::deep_ops);
    let results = inside.map(|op| match op_name(op) {
        "nest.fold" => op.result_count(),
        "nest.scan" => op.result_count() / 2,
        _ => 0,
    });
    results.map(|count| count as u64).sum()
}

/// How much there is to compute at an iteration of the innermost loops, without indices: ops, or
/// the additions that floating-point ops take as long as, if that is more.
pub(super) fn work_of_functions(nest: &Nest) -> usize {
    let ops = nest
        .innermost()
        .into_iter()
        .flat_map(|inner| inner.ops.iter().copied());
    let computing = ops.filter(|&op| computes_numbers(op));
    let (mut count, mut time) = (0, 0.0);
    for op in computing {
        count += 1;
        if op.results().any(|result| result.r#type().is_float()) {
            time += instructions(op);
        }
    }
    count.max(time as usize)
}

fn computes_numbers(op: OperationRef) -> bool {
    is_elementwise(op_name(op))
        && op_name(op) != "arith.constant"
        && op.results().any(|result| !result.r#type().is_index())
}

/// A loop that threads share where the kernel runs again and again in a sequential loop.
fn choose_wavefront<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    machine: &Machine,
    choices: &mut [Choice<'c, 'a>],
) {
    let &[shared] = nest.innermost().as_slice() else {
        return;
    };
    let Some(choice) = choice_of(choices, shared) else {
        return;
    };
    let lanes = choice.schedule.lanes;
    let (most, _) = budget(shared, lanes, lanes, machine);
    let found = Wavefront::of(shared, &choice.schedule);
    if found.is_ok_and(|found| found.may_be_worth_it(shared, most)) {
        choice.schedule.wavefront = Some(most);
        choice.reasons.push(Reason::Wavefront(most));
    }
}

/// How many iterations of the innermost loops make a chunk.
fn chunk(nest: &Nest, lanes: u64, own_lanes: u64, machine: &Machine) -> (Option<u64>, Reason) {
    if let Err(obstacle) = to_threads(nest) {
        return (None, Reason::OneThread(obstacle));
    }
    if nest.known_length().is_some_and(|length| length <= 1) {
        return (None, Reason::RunsOnce);
    }
    let (budget, work) = budget(nest, lanes, own_lanes, machine);
    match iterations(nest) {
        Some(all) if all <= budget => (None, Reason::OneChunk { all, chunk: budget }),
        _ => (
            Some(budget),
            Reason::Chunk {
                work,
                chunk: budget,
            },
        ),
    }
}

/// How many iterations of the innermost loops a thread should have, and about how many instructions one of
/// them takes.
fn budget(nest: &Nest, lanes: u64, own_lanes: u64, machine: &Machine) -> (u64, u64) {
    let work = work(nest);
    let fewest = match nest.is_chained() {
        true => LANES,
        false => FEWEST_LANES,
    };
    let lanes = lanes.max(fewest).max(if own_lanes > 1 {
        own_lanes.min(LANES)
    } else {
        1
    });
    let budget = (machine.chunk_instructions.unsigned_abs() / work * lanes / LANES).max(1);
    let is_of_elements = nest.is_innermost() && budget > WHOLE_VECTORS as u64;
    let budget = match is_of_elements {
        true => budget - budget % WHOLE_VECTORS as u64,
        false => budget,
    };
    (budget, work)
}

/// About how many instructions an iteration of the innermost loops takes.
fn work(nest: &Nest) -> u64 {
    let mut work = 0.0;
    for op in nest.deep_ops() {
        work += match op_name(op) {
            "nest.read" if Access::of(op).iter().any(|read| read.is_gather(nest)) => {
                GATHERED as f64
            }
            "nest.yield" => 0.0,
            _ => instructions(op),
        };
    }
    (work as u64).max(FEWEST as u64)
}

/// How often the innermost loop inside a loop runs that runs most often, if that is known.
fn iterations(nest: &Nest) -> Option<u64> {
    let inside: Option<Vec<u64>> = nest.inner.iter().map(iterations).collect();
    let most = inside?.into_iter().max().unwrap_or(1).max(1);
    nest.known_length()?.checked_mul(most)
}

#[cfg(test)]
mod tests {
    use melior::ir::Module;

    use super::*;
    use comb_nest::dialects::context;
    use comb_nest::nests::kernels;

    /// The schedules of the loops of the only kernel of a program.
    fn schedules(text: &str, machine: &Machine) -> Vec<Schedule> {
        let context = context();
        let module = Module::parse(&context, text).expect("the text is a program");
        let kernels = kernels(module.as_operation());
        let choices = choose(kernels[0], machine, Versions::ALL).into_iter();
        choices.map(|choice| choice.schedule).collect()
    }

    /// A kernel in which the rows of a matrix are folded, at an index that a line computes.
    fn rows(index: &str, length: &str) -> String {
        format!(
            "func.func @f(%a: memref<?x?xf32>, %b: memref<?xf32>, %m: index, %n: index, %z: f32) {{
               %c4 = arith.constant 4 : index
               nest.kernel {{
                 nest.loop %i to %m {{
                   %s = nest.loop %j to {length} carry(%t = %z : f32) {{
                     %x = nest.read %a[{index}] : memref<?x?xf32>
                     %u = nest.fold %x into %t neutral %z : f32 (%l: f32, %r: f32) {{
                       %v = arith.addf %l, %r : f32
                       nest.yield %v : f32
                     }}
                     nest.yield %u : f32
                   }}
                   nest.write %s into %b[%i] : memref<?xf32>
                   nest.yield
                 }}
                 nest.yield
               }}
               return
             }}"
        )
    }

    #[test]
    fn rows_are_folded_in_the_lanes_of_the_inner_loop() {
        let [outer, inner] = schedules(&rows("%i, %j", "%n"), &Machine::DEFAULT)[..] else {
            panic!("there are two loops");
        };
        assert_eq!((outer.lanes, outer.jam), (1, 1));
        assert_eq!((inner.lanes, inner.accumulators), (16, 4));
        assert_eq!((outer.chunk.is_some(), inner.chunk), (true, None));
    }

    #[test]
    fn columns_are_folded_in_the_lanes_of_the_outer_loop() {
        let [outer, inner] = schedules(&rows("%j, %i", "%n"), &Machine::DEFAULT)[..] else {
            panic!("there are two loops");
        };
        assert_eq!((outer.lanes, inner.lanes), (64, 1));
    }

    #[test]
    fn short_loops_have_no_lanes() {
        let [outer, inner] = schedules(&rows("%i, %j", "%c4"), &Machine::DEFAULT)[..] else {
            panic!("there are two loops");
        };
        assert_eq!((outer.lanes, inner.lanes), (1, 1));
    }

    /// A kernel with a loop that carries a scan of a value, and a filter.
    fn chained(value: &str) -> String {
        format!(
            "func.func @f(%a: memref<?xf64>, %b: memref<?xf64>, %m: index, %z: f64) {{
               %c0 = arith.constant 0 : index
               nest.kernel {{
                 %r:2 = nest.loop %i to %m carry(%s = %z : f64, %k = %c0 : index) {{
                   %x = nest.read %a[%i] : memref<?xf64>
                   nest.write %x into %b[%i] : memref<?xf64>
                   %y = nest.read %b[%i] : memref<?xf64>
                   %p, %t = nest.scan %{value} into %s neutral %z : f64 (%l: f64, %u: f64) {{
                     %v = arith.addf %l, %u : f64
                     nest.yield %v : f64
                   }}
                   %c = arith.cmpf ogt, %p, %z : f64
                   %n = nest.keep %q if %c from %k {{
                     nest.yield
                   }}
                   nest.yield %t, %n : f64, index
                 }}
                 nest.yield
               }}
               return
             }}"
        )
    }

    #[test]
    fn threads_share_scans_and_filters() {
        let text = chained("x");
        assert!(schedules(&text, &Machine::DEFAULT)[0].chunk.is_some());
    }

    #[test]
    fn one_thread_scans_what_it_has_written() {
        let text = chained("y");
        assert_eq!(schedules(&text, &Machine::DEFAULT)[0].chunk, None);
    }

    /// A kernel that scatters by an operator.
    fn scattered(op: &str, element: &str) -> String {
        format!(
            "func.func @f(%a: memref<?xindex>, %h: memref<?x{element}>, %m: index, %z: {element}) {{
               nest.kernel {{
                 nest.loop %i to %m {{
                   %p = nest.read %a[%i] : memref<?xindex>
                   nest.scatter %z into %h[%p] : memref<?x{element}> (%l: {element}, %u: {element}) {{
                     %v = {op} %l, %u : {element}
                     nest.yield %v : {element}
                   }}
                   nest.yield
                 }}
                 nest.yield
               }}
               return
             }}"
        )
    }

    #[test]
    fn threads_share_scatters_by_tables_if_the_order_does_not_matter_and_by_buckets() {
        let chosen = |op, element| {
            let schedule = schedules(&scattered(op, element), &Machine::DEFAULT)[0];
            assert!(schedule.chunk.is_some());
            (schedule.tables.is_some(), schedule.buckets)
        };
        assert_eq!(chosen("arith.addi", "i32"), (true, Some(65536)));
        assert_eq!(chosen("arith.addf", "f32"), (false, Some(65536)));
        assert_eq!(chosen("arith.subi", "i32"), (false, Some(65536)));
    }

    #[test]
    fn one_thread_scatters_in_order_into_what_is_small() {
        let small = |op, element| {
            let text = scattered(op, element);
            let small = format!("memref<1000x{element}>");
            let text = text.replace(&format!("memref<?x{element}>"), &small);
            schedules(&text, &Machine::DEFAULT)[0]
        };
        assert_eq!(small("arith.addf", "f32").chunk, None);
        let with_tables = small("arith.addi", "i32");
        assert_eq!((with_tables.tables, with_tables.buckets), (Some(8), None));
    }

    #[test]
    fn buckets_are_as_large_as_the_machine_says() {
        let places = |machine| schedules(&scattered("arith.subi", "i64"), &machine)[0].buckets;
        let second_cache_bytes = 1 << 15;
        let small_cache = Machine {
            second_cache_bytes,
            ..Machine::DEFAULT
        };
        assert_eq!(places(small_cache), Some(2048));
        let short_chunks = Machine {
            chunk_instructions: 160,
            ..Machine::DEFAULT
        };
        assert_eq!(places(short_chunks), Some(32));
    }

    #[test]
    fn chunks_are_as_long_as_the_machine_says() {
        let machine = Machine {
            chunk_instructions: Machine::DEFAULT.chunk_instructions / 2,
            ..Machine::DEFAULT
        };
        let chunk = |machine| schedules(&rows("%i, %j", "%n"), machine)[0].chunk;
        let [usual, short] = [&Machine::DEFAULT, &machine].map(chunk);
        assert_eq!(usual.map(|length| length / 2), short);
    }

    /// A kernel that writes an array of a type, and another one if a line says so.
    fn written(array: &str, besides: &str) -> String {
        format!(
            "func.func @f(%a: memref<?xf32>, %b: {array}, %c: memref<?xf32>, %n: index) {{
               nest.kernel {{
                 nest.loop %i to %n {{
                   %x = nest.read %a[%i] : memref<?xf32>
                   nest.write %x into %b[%i] : {array}
                   {besides}
                   nest.yield
                 }}
                 nest.yield
               }}
               return
             }}"
        )
    }

    fn stream(array: &str, besides: &str) -> Option<u64> {
        schedules(&written(array, besides), &Machine::DEFAULT)[0].stream
    }

    #[test]
    fn results_that_may_not_fit_the_caches_go_past_them() {
        let large = Machine::DEFAULT.last_cache_bytes.unsigned_abs();
        assert_eq!(stream("memref<?xf32>", ""), Some(large));
        let fits = format!("memref<{}xf32>", large / 4);
        assert_eq!(stream(&fits, ""), None);
        let does_not = format!("memref<{}xf32>", large / 4 + 1);
        assert_eq!(stream(&does_not, ""), Some(large));
        let both = "nest.write %x into %c[%i] : memref<?xf32>";
        assert_eq!(stream(&fits, both), Some(large));
    }

    #[test]
    fn what_is_read_or_fills_no_lines_stays_in_the_caches() {
        let read = "%y = nest.read %b[%i] : memref<?xf32>";
        assert_eq!(stream("memref<?xf32>", read), None);
        assert_eq!(stream("memref<?xf32, strided<[2]>>", ""), None);
        let narrow = Schedule {
            lanes: 8,
            ..Schedule::default()
        };
        let context = context();
        let text = written("memref<?xf32>", "");
        let module = Module::parse(&context, &text).expect("the text is a program");
        let nests = Nest::in_kernel(kernels(module.as_operation())[0]);
        assert!(streamed(&nests[0], &narrow).is_empty());
    }
}
