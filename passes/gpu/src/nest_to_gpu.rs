//! Makes GPU kernels of loop nests in memory form, as their schedules say (`gpu`, which
//! [`nest_schedule_gpu`](crate::nest_schedule_gpu) writes). It decides nothing.
//!
//! 1. What a `nest.kernel` does outside of loops is left to the host, if that needs no elements, or
//!    is done by kernels of one thread. What a kernel computes and others need is in memory.
//! 2. Each outermost loop becomes a kernel whose threads, warps or blocks share its iterations
//!    ([`grid`]); one that folds becomes two, the second of which puts together what blocks have
//!    folded; one that scans or filters becomes three or four ([`chained`]). Warps and blocks share
//!    loops inside ([`team`]), and a thread may do several iterations at once ([`unrolled`]). Values are combined by shuffles and through shared memory ([`monoid`]).
//! 3. What is scattered is combined by atomics ([`atomics`]), first in [`tables`] if there are few places; arrays of an iteration get their places
//!    ([`locals`]), checks tell the host what is wrong ([`checks`]).
//! 4. All else in kernels is what one thread does: [`nest_to_scf`](comb_nest::nest_to_scf).
//!
//! Cost: linear in the size of the program; what scans and filters need is there twice.

mod atomics;
mod chained;
pub(crate) mod checks;
mod grid;
pub(crate) mod launch;
mod locals;
mod lookback;
mod monoid;
mod outside;
mod rows;
pub(crate) mod tables;
mod team;
mod unrolled;
mod whole;

use comb_kit::{
    pass_error::PassError,
    walk::{ancestors, first_op, operations},
};
use comb_nest::{
    nest_to_scf::lower_in,
    nests::{Nest, kernels},
};
use melior::ir::{Location, OperationRef, Value, operation::OperationLike};
use nest_dialect::gpu_schedule::GpuSchedule;
use outside::Outside;
use soac_dialect::{
    builder::Builder,
    view::{OpView, op_name},
};

type Emitted<'c, T> = Result<T, PassError<'c>>;

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Makes GPU kernels of all kernels of a module.
///
/// # Errors
///
/// If a schedule is missing or cannot be obeyed, or something has no form on a GPU.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        require_form(op)?;
    }
    for kernel in kernels(module) {
        lower(kernel)?;
    }
    Ok(())
}

/// That something cannot be done as it is said.
fn refused<'c>(location: Location<'c>, why: impl std::fmt::Display) -> PassError<'c> {
    PassError::Unsupported {
        location,
        message: why.to_string(),
    }
}

/// Ops of the host and of kernels that would go over arrays in another way.
fn require_form<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    let name = op_name(op);
    let is_in_kernel = || ancestors(op).any(|around| op_name(around) == "nest.kernel");
    let has_none = name.starts_with("linalg.")
        || matches!(
            name,
            "func.call" | "memref.alloc" | "memref.copy" | "memref.dealloc" | "memref.realloc"
        ) && is_in_kernel();
    match has_none {
        true => Err(refused(
            op.location(),
            format!("'{name}' op has no form on a GPU yet"),
        )),
        false => Ok(()),
    }
}

fn lower<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    if kernel.operand_count() > 0 {
        return Err(refused(
            kernel.location(),
            "'nest.kernel' op makes tensors, but GPU kernels are made of nests in memory: run \
             one-shot-bufferize before",
        ));
    }
    let (Some(front), Some(body)) = (Builder::before(kernel), OpView::of(kernel).block()) else {
        return Ok(());
    };
    for op in operations(kernel) {
        if op_name(op) == "arith.constant" {
            front.move_here(op);
        }
    }
    for nest in Nest::in_kernel(kernel) {
        checks::hoist(&nest)?;
    }
    let mut ops: Vec<OperationRef> = comb_kit::walk::in_block_from(first_op(body)).collect();
    let Some(last) = ops.pop() else {
        return Ok(());
    };
    let mut outside = Outside::new(last);
    for op in ops {
        match op_name(op) {
            "nest.loop" => {
                outside.flush()?;
                lower_loop(op, &mut outside)?;
            }
            _ => outside.add(op)?,
        }
    }
    outside.flush()?;
    let launches = outside.finish()?;
    front.inline(body, &[])?;
    for launch in launches {
        atomics::make(launch)?;
        lower_in(launch)?;
        checks::tell(launch)?;
        launch::count_shared(launch);
    }
    front.erase(kernel);
    Ok(())
}

/// An outermost loop.
fn lower_loop<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let nest = Nest::of(op);
    match schedule_of(op)? {
        GpuSchedule::Single => grid::by_one_thread(&nest, outside),
        GpuSchedule::Grid(schedule) if nest.is_chained() => {
            chained::lower(&nest, schedule, outside)
        }
        GpuSchedule::Grid(_) => grid::lower(&nest, outside),
        other => Err(refused(
            op.location(),
            format!(
                "'nest.loop' op is of level \"{}\", but is in no loop that the grid shares",
                other.level()
            ),
        )),
    }
}

/// What a loop says.
fn schedule_of<'c>(op: OperationRef<'c, '_>) -> Emitted<'c, GpuSchedule> {
    let schedule = GpuSchedule::of(op).map_err(|problem| refused(op.location(), problem))?;
    schedule.ok_or_else(|| {
        refused(
            op.location(),
            "'nest.loop' op has no schedule for a GPU: run nest-schedule-gpu before",
        )
    })
}
