//! How a GPU runs the loops of a kernel: a pure function of the kernel and the GPU.
//!
//! * **Axes.** Loops in each other with nothing between them, and that carry nothing, are axes of the
//!   grid: the innermost is x, along which neighbouring threads go. A thread runs all that is inside.
//!   If the loops inside it go along rows, teams do.
//! * **Teams.** Where an iteration has loops inside that can be shared, as a row has, a warp or a block
//!   runs an iteration, and its threads share these loops. Short ones are left to a single thread.
//! * **Threads.** All else that can be shared is shared by threads. What threads fold is put together
//!   block by block, in an order that depends on the length of the loop alone.
//! * **Unrolling.** A thread that has little to do unrolls some iterations, and reads for all of them
//!   before it goes on.
//! * **Scans and filters.** Each warp has so many rows of iterations. They are summed up before, to know
//!   what is carried into them.
//! * **A single thread** runs what can not be shared.
//!
//! No number here was found by measuring yet.
//!
//! Cost: that of [`to_unordered_threads`], for each loop.

use comb_machine::Gpu;
use melior::ir::{OperationRef, TypeLike, ValueLike, operation::OperationLike};
use nest_dialect::gpu_schedule::{GpuSchedule, Grid, MOST_BLOCKS_X, Team};
use soac_dialect::view::{OpView, op_name};

use crate::nest_to_gpu::tables::can_have_tables;

use super::{
    host::computed_before,
    reasons::{GpuObstacle, InnerLength, Reason},
};
use comb_cpu::nest_schedule::{
    accesses::{Access, Neighbours},
    obstacles::{Obstacle, to_unordered_threads},
    sums::stages,
};
use comb_kit::element_types::{array_element, bits_in_memory};
use comb_nest::nests::Nest;

/// So many threads make a block that hides what it waits for, and leaves room for others.
const BLOCK: u64 = 256;

/// The most blocks that fold: their partial results are put together by one block.
const FOLDING_BLOCKS: u64 = 1024;

/// The most blocks of which each thread has an array of its own in memory.
const BLOCKS_WITH_ARRAYS: u64 = 128;

/// The same along the axis y, where teams share loops along x.
const OUTER_BLOCKS_WITH_ARRAYS: u64 = 16;

/// Rows of a warp that scans or filters.
const SCANNED: u64 = 16;

/// The bytes of shared memory for tables of what a block scatters.
const TABLES: u64 = 32 << 10;

/// Loops inside that are no longer are left to one thread.
const SHORT: u64 = 16;

/// Loops inside that are no longer are shared by a warp.
const OF_WARP: u64 = 256;

/// The most iterations that a thread unrolls.
const MOST_UNROLLED: u64 = 8;

/// So many reads of a thread are on their way at most by unrolling: with all threads that a GPU has room for, that is more
/// than its memory needs, and what is read takes registers, which make room for fewer.
const MOST_READS: u64 = 8;

/// So many ops of an iteration are little to do.
const LITTLE: usize = 48;

/// Threads of a block along x, where the length is not known and there are other axes.
const ALONG_ROWS: u64 = 64;

/// What was decided for a loop, and why.
pub struct Choice<'c, 'a> {
    /// The loop.
    pub op: OperationRef<'c, 'a>,
    /// How deep it is in others of the kernel: 0 if it is in none.
    pub depth: usize,
    /// What was decided.
    pub schedule: GpuSchedule,
    /// Why.
    pub reason: Reason,
}

/// How a GPU runs all loops of a kernel, outer ones first.
pub fn choose<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, gpu: &Gpu) -> Vec<Choice<'c, 'a>> {
    let mut choices = vec![];
    for nest in Nest::in_kernel(kernel) {
        outermost(&nest, gpu, &mut choices);
    }
    choices
}

fn outermost<'c: 'a, 'a>(nest: &Nest<'c, 'a>, gpu: &Gpu, choices: &mut Vec<Choice<'c, 'a>>) {
    let grid = grid_of(gpu);
    if let Err(obstacle) = is_shared(nest) {
        let single = (GpuSchedule::Single, Reason::Single(obstacle));
        return all(nest, single, choices);
    }
    if nest.is_chained() {
        let grid = Grid {
            blocks: MOST_BLOCKS_X,
            unroll: match nest.is_innermost() {
                true => unrolled(nest, gpu),
                false => 1,
            },
            ..grid
        };
        return all(
            nest,
            (GpuSchedule::Grid(grid), Reason::SummedUp(grid.part)),
            choices,
        );
    }
    let axes = axes(nest);
    if let Some(&last) = axes.last().filter(|_| axes.len() > 1) {
        match are_rows(last) {
            true => return by_teams_along_axes(&axes, grid, choices),
            false if !has_arrays(nest) => return along_axes(&axes, grid, gpu, choices),
            false => {}
        }
    }
    let folds = !nest.changed().is_empty();
    let threads = Grid {
        blocks: match (folds, has_arrays(nest)) {
            (true, _) => FOLDING_BLOCKS,
            (false, true) => BLOCKS_WITH_ARRAYS,
            (false, false) => MOST_BLOCKS_X,
        },
        ..grid
    };
    let has_tables = !folds && can_have_tables(nest);
    let threads = Grid {
        tables: match has_tables {
            true => TABLES.min(gpu.shared_bytes.unsigned_abs()),
            false => 0,
        },
        ..threads
    };
    let by_threads = |reason| (GpuSchedule::Grid(threads), reason);
    if nest.is_innermost() {
        let unroll = unrolled(nest, gpu);
        let grid = Grid { unroll, ..threads };
        let reason = match unroll {
            _ if has_tables => Reason::Tables(grid.tables),
            1 => Reason::Threads,
            _ => Reason::Unrolled(unroll),
        };
        return all(nest, (GpuSchedule::Grid(grid), reason), choices);
    }
    if let Err(obstacle) = loops_inside_are_shared(nest) {
        return all(nest, by_threads(Reason::NotShared(obstacle)), choices);
    }
    match inner_length(nest) {
        InnerLength::Known(length) if length <= SHORT => {
            all(nest, by_threads(Reason::Threads), choices);
        }
        length => {
            let blocks = match has_arrays(nest) {
                true => FOLDING_BLOCKS,
                false => threads.blocks,
            };
            by_teams(nest, Grid { blocks, ..threads }, length, choices);
        }
    }
}

/// How many iterations of an innermost loop a thread unrolls: so many that it reads as many bytes at
/// once as it can, if there is little else to do. What stands behind a check is not read before it.
fn unrolled(nest: &Nest, gpu: &Gpu) -> u64 {
    let is_plain = |&op: &OperationRef| !matches!(op_name(op), "nest.local" | "soac.check");
    if !nest.ops.iter().all(is_plain) || nest.ops.len() > LITTLE {
        return 1;
    }
    let reads = nest.ops.iter().flat_map(|&op| Access::of(op));
    let reads = reads.filter(|access| !access.is_write);
    let bytes = reads.filter_map(|access| array_element(access.array().r#type()));
    let bytes: Vec<u64> = bytes.map(|element| bits_in_memory(element) / 8).collect();
    match bytes.iter().min() {
        Some(&narrowest) => {
            let of_vector = gpu.vector_bytes.unsigned_abs() / narrowest.max(1);
            let most = of_vector.min(MOST_READS / bytes.len() as u64);
            1 << most.clamp(1, MOST_UNROLLED).ilog2()
        }
        None => 1,
    }
}

fn grid_of(gpu: &Gpu) -> Grid {
    let warp = gpu.warp_threads.unsigned_abs().max(1);
    let most = gpu.block_threads.unsigned_abs().max(1);
    Grid {
        team: Team::Thread,
        axis: 0,
        threads: (BLOCK.min(most) / warp).max(1) * warp,
        blocks: MOST_BLOCKS_X,
        warp,
        part: SCANNED,
        unroll: 1,
        tables: 0,
    }
}

/// A loop, and all loops inside, which the threads that come to them run one iteration after the
/// other.
fn all<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    (schedule, reason): (GpuSchedule, Reason),
    choices: &mut Vec<Choice<'c, 'a>>,
) {
    choices.push(Choice {
        op: nest.op,
        depth: depth_of(nest.op),
        schedule,
        reason,
    });
    inside(nest, choices);
}

fn inside<'c: 'a, 'a>(nest: &Nest<'c, 'a>, choices: &mut Vec<Choice<'c, 'a>>) {
    for inner in &nest.inner {
        all(inner, (GpuSchedule::Sequential, Reason::InThread), choices);
    }
}

fn depth_of(op: OperationRef) -> usize {
    let around = comb_kit::walk::ancestors(op);
    around.filter(|&op| op_name(op) == "nest.loop").count()
}

/// What speaks against sharing a loop.
pub fn is_shared<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), GpuObstacle> {
    to_unordered_threads(nest)?;
    let scatters = nest.deep_ops().into_iter();
    for scatter in scatters.filter(|&op| op_name(op) == "nest.scatter") {
        let view = OpView::of(scatter);
        if view.flag("any_write") {
            continue;
        }
        for dest in &view.operands[view.group(1)] {
            let element = array_element(dest.r#type()).unwrap_or(dest.r#type());
            let is_local = Access::of(scatter)
                .iter()
                .all(|access| access.is_local_to(nest));
            if !is_local && !has_atomics(element) {
                return Err(GpuObstacle::Atomics(element.to_string()));
            }
        }
    }
    match stages(nest)?.len() {
        0 | 1 => Ok(()),
        _ => Err(GpuObstacle::Stages),
    }
}

/// Whether an element can be changed by one atomic instruction, or a loop around one.
pub fn has_atomics(element: melior::ir::Type) -> bool {
    let is_whole = matches!(bits_in_memory(element), 32 | 64);
    is_whole && (element.is_integer() || element.is_float())
}

/// A loop, and those inside it with nothing between them, if they carry nothing and can be shared: at
/// most three.
fn axes<'n, 'c: 'a, 'a>(nest: &'n Nest<'c, 'a>) -> Vec<&'n Nest<'c, 'a>> {
    let mut axes = vec![nest];
    let mut current = nest;
    while axes.len() < 3
        && carries_nothing(current)
        && let [inner] = current.inner.as_slice()
        && has_nothing_but(current, inner)
        && carries_nothing(inner)
        && to_unordered_threads(inner).is_ok()
        && (inner.length()).is_some_and(|length| computed_before(length, nest).is_some())
    {
        axes.push(inner);
        current = inner;
    }
    axes
}

/// Whether iterations hand on no numbers, but at most arrays.
fn carries_nothing(nest: &Nest) -> bool {
    nest.changed().is_empty()
}

/// Whether a loop has another one in it, and besides only ops without effects.
fn has_nothing_but<'c: 'a, 'a>(nest: &Nest<'c, 'a>, inner: &Nest<'c, 'a>) -> bool {
    let stands_in_it = inner.op.parent_operation().is_some_and(|op| op == nest.op);
    let is_plain = |&op: &OperationRef<'c, 'a>| {
        let name = op_name(op);
        matches!(
            name,
            "nest.yield" | "nest.read" | "memref.dim" | "memref.subview" | "memref.cast"
        ) || name.starts_with("arith.")
            || name.starts_with("math.")
    };
    stands_in_it && nest.ops.iter().all(is_plain)
}

/// Whether iterations of the last axis have rows that are better shared by a team: neighbouring threads are to read neighbours, which
/// they would not along the axis. Where iterations have arrays, threads share these.
fn are_rows<'c: 'a, 'a>(last: &Nest<'c, 'a>) -> bool {
    let is_long = !matches!(inner_length(last), InnerLength::Known(length) if length <= SHORT);
    if last.is_innermost() || !is_long || loops_inside_are_shared(last).is_err() {
        return false;
    }
    let accesses = last.inner.iter().flat_map(|inner| {
        let ops = inner.deep_ops().into_iter();
        ops.flat_map(Access::of).map(move |access| (inner, access))
    });
    let accesses: Vec<_> = accesses
        .filter(|(_, access)| !access.is_local_to(last))
        .collect();
    let are_beside = |nest: &Nest<'c, 'a>, access: &Access<'c, 'a>| {
        access.neighbours(nest) == Neighbours::Adjacent
    };
    let along_axis = accesses.iter().any(|(_, access)| are_beside(last, access));
    let along_rows = accesses
        .iter()
        .any(|(inner, access)| are_beside(inner, access));
    has_arrays(last) || along_rows && !along_axis
}

fn as_axis<'c: 'a, 'a>(nest: &Nest<'c, 'a>, grid: Grid) -> Choice<'c, 'a> {
    Choice {
        op: nest.op,
        depth: depth_of(nest.op),
        schedule: GpuSchedule::Grid(grid),
        reason: Reason::Axis,
    }
}

/// Loops in each other, the innermost of which teams share.
fn by_teams_along_axes<'c: 'a, 'a>(
    axes: &[&Nest<'c, 'a>],
    grid: Grid,
    choices: &mut Vec<Choice<'c, 'a>>,
) {
    let Some((last, outer)) = axes.split_last() else {
        return;
    };
    let with_arrays = has_arrays(last);
    for (position, nest) in outer.iter().enumerate() {
        let axis = axes.len() - 1 - position;
        let grid = Grid {
            axis: axis as u64,
            threads: 1,
            blocks: match (with_arrays, axis) {
                (true, 1) => OUTER_BLOCKS_WITH_ARRAYS,
                (true, _) => 1,
                (false, _) => MOST_BLOCKS_X,
            },
            ..grid
        };
        choices.push(as_axis(nest, grid));
    }
    let grid = Grid {
        blocks: match with_arrays {
            true => FOLDING_BLOCKS / OUTER_BLOCKS_WITH_ARRAYS,
            false => MOST_BLOCKS_X,
        },
        ..grid
    };
    by_teams(last, grid, inner_length(last), choices);
}

fn along_axes<'c: 'a, 'a>(
    axes: &[&Nest<'c, 'a>],
    grid: Grid,
    gpu: &Gpu,
    choices: &mut Vec<Choice<'c, 'a>>,
) {
    let innermost = axes.last().and_then(|nest| nest.known_length());
    let along = match innermost {
        Some(length) => length.max(1).next_power_of_two().min(grid.threads),
        None => ALONG_ROWS.min(grid.threads),
    };
    for (position, nest) in axes.iter().enumerate() {
        let axis = axes.len() - 1 - position;
        let grid = Grid {
            axis: axis as u64,
            threads: match axis {
                0 => along,
                1 => (grid.threads / along).max(1),
                _ => 1,
            },
            blocks: MOST_BLOCKS_X,
            unroll: match nest.is_innermost() {
                true => unrolled(nest, gpu),
                false => 1,
            },
            ..grid
        };
        choices.push(as_axis(nest, grid));
    }
    if let Some(last) = axes.last() {
        inside(last, choices);
    }
}

/// Whether each thread has arrays of its own that are not on the chip.
fn has_arrays(nest: &Nest) -> bool {
    nest.deep_ops()
        .iter()
        .any(|&op| op_name(op) == "nest.local")
}

/// What speaks against sharing the loops inside a loop.
fn loops_inside_are_shared<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    nest.inner.iter().try_for_each(to_team)
}

/// What speaks against sharing a loop inside by the threads of a team.
pub fn to_team<'c: 'a, 'a>(inner: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    to_unordered_threads(inner)?;
    if stages(inner)?.len() > 1 {
        return Err(Obstacle::Inside("nest.scan"));
    }
    for op in inner.deep_ops() {
        match op_name(op) {
            "nest.scatter" => return Err(Obstacle::Inside("nest.scatter")),
            "nest.local" => return Err(Obstacle::Local),
            _ => {}
        }
    }
    Ok(())
}

fn inner_length<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> InnerLength {
    let lengths: Option<Vec<u64>> = nest.inner.iter().map(Nest::known_length).collect();
    let is_regular = |inner: &Nest<'c, 'a>| {
        let length = inner.length();
        length.is_some_and(|length| computed_before(length, nest).is_some())
    };
    match lengths.and_then(|lengths| lengths.into_iter().max()) {
        Some(length) => InnerLength::Known(length),
        None if nest.inner.iter().all(is_regular) => InnerLength::Unknown,
        None => InnerLength::Irregular,
    }
}

fn by_teams<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    grid: Grid,
    length: InnerLength,
    choices: &mut Vec<Choice<'c, 'a>>,
) {
    let fits_warp = match length {
        InnerLength::Known(length) => length <= OF_WARP,
        InnerLength::Unknown => false,
        InnerLength::Irregular => true,
    };
    let team = match fits_warp && !reads_own(nest) {
        true => Team::Warp,
        false => Team::Block,
    };
    choices.push(Choice {
        op: nest.op,
        depth: depth_of(nest.op),
        schedule: GpuSchedule::Grid(Grid { team, ..grid }),
        reason: Reason::Teams {
            team: team.name(),
            length,
        },
    });
    for inner in &nest.inner {
        choices.push(Choice {
            op: inner.op,
            depth: depth_of(inner.op),
            schedule: GpuSchedule::Team,
            reason: Reason::InTeam,
        });
        inside(inner, choices);
    }
}

/// Whether an iteration reads what it has written, so that threads have to wait for each other.
fn reads_own<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> bool {
    let accesses: Vec<_> = nest.deep_ops().into_iter().flat_map(Access::of).collect();
    let written = accesses.iter().filter(|access| access.is_write);
    let written: Vec<usize> = written.map(Access::root).collect();
    let mut reads = accesses.iter().filter(|access| !access.is_write);
    let has_locals = has_arrays(nest);
    has_locals || reads.any(|access| written.contains(&access.root()))
}
