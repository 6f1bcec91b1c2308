//! Whether the schedules of a kernel can be obeyed.
//!
//! Cost: that of [`obstacles`](crate::nest_schedule::obstacles), for each loop.

use comb_kit::pass_error::PassError;
use comb_nest::nests::Nest;
use melior::ir::{OperationRef, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::builder::ALIGNMENT;

use crate::nest_schedule::{
    obstacles::{COMPRESSED, Obstacle, keeps_bytes, to_lanes, to_threads},
    scatters::ways,
    streams::streamed,
};

/// Why a kernel cannot be lowered as it is.
#[derive(Debug, thiserror::Error)]
enum Infeasible {
    #[error(
        "'nest.kernel' op is in value form, but vectors are made of the memory form: \
         'one-shot-bufferize' comes first"
    )]
    ValueForm,
    #[error("'nest.loop' op cannot have the {lanes} lanes of its schedule: {obstacle}")]
    Lanes { lanes: u64, obstacle: Obstacle },
    #[error("'nest.loop' op cannot have the {0} lanes of its schedule: a loop around it has lanes")]
    InLanes(u64),
    #[error("'nest.loop' op has {0} iterations to be jammed: 'nest-jam' comes first")]
    Jammed(u64),
    #[error("'nest.loop' op has a wavefront: 'nest-wavefront' comes first")]
    Wavefront,
    #[error(
        "'nest.loop' op cannot have the {COMPRESSED} lanes of its schedule: LLVM does not pack {COMPRESSED} numbers of 8 bits \
         that a filter keeps"
    )]
    Compressed,
    #[error("'nest.loop' op cannot have the chunks of its schedule: {0}")]
    Chunks(Obstacle),
    #[error("'nest.loop' op cannot have the tables or buckets of its schedule: it has no chunks")]
    ScattersWithoutChunks,
    #[error("'nest.loop' op cannot have the chunks of its schedule: it is in another loop")]
    InnerChunks,
    #[error(
        "'nest.loop' op cannot have the {0} accumulators of its schedule: it has one lane only, or \
         does not only fold"
    )]
    Accumulators(u64),
    #[error(
        "'nest.loop' op cannot write past the caches, as its schedule says: it has one lane only"
    )]
    StreamWithoutLanes,
    #[error(
        "'nest.loop' op cannot write past the caches, as its schedule says: its vectors fill no \
         lines of {ALIGNMENT} bytes, one behind another, of an array that the kernel does not read"
    )]
    Stream,
}

/// Makes sure that a kernel is in memory form, and its schedules can be obeyed.
///
/// # Errors
///
/// If not, at the op in question.
pub(super) fn check<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    if kernel.result_count() > 0 {
        return Err(at(kernel, Infeasible::ValueForm));
    }
    for nest in Nest::in_kernel(kernel) {
        let schedule = schedule_of(&nest)?;
        if schedule.chunk.is_some() {
            let feasible = to_threads(&nest).and_then(|()| ways(&nest, &schedule).map(|_| ()));
            feasible.map_err(|obstacle| at(nest.op, Infeasible::Chunks(obstacle)))?;
        }
        check_lanes(&nest, false)?;
    }
    Ok(())
}

fn check_lanes<'c: 'a, 'a>(nest: &Nest<'c, 'a>, is_in_lanes: bool) -> Result<(), PassError<'c>> {
    let schedule = schedule_of(nest)?;
    let Schedule {
        lanes,
        accumulators,
        jam,
        stream,
        wavefront,
        ..
    } = schedule;
    let shares_scatters = schedule.tables.is_some() || schedule.buckets.is_some();
    if shares_scatters && schedule.chunk.is_none() {
        return Err(at(nest.op, Infeasible::ScattersWithoutChunks));
    }
    if jam > 1 {
        return Err(at(nest.op, Infeasible::Jammed(jam)));
    }
    if wavefront.is_some() {
        return Err(at(nest.op, Infeasible::Wavefront));
    }
    if lanes > 1 {
        if is_in_lanes {
            return Err(at(nest.op, Infeasible::InLanes(lanes)));
        }
        if lanes == COMPRESSED && keeps_bytes(nest) {
            return Err(at(nest.op, Infeasible::Compressed));
        }
        to_lanes(nest).map_err(|obstacle| at(nest.op, Infeasible::Lanes { lanes, obstacle }))?;
    }
    if accumulators > 1 && (lanes == 1 || !nest.only_folds()) {
        return Err(at(nest.op, Infeasible::Accumulators(accumulators)));
    }
    if stream.is_some() && lanes == 1 {
        return Err(at(nest.op, Infeasible::StreamWithoutLanes));
    }
    if stream.is_some() && streamed(nest, &schedule).is_empty() {
        return Err(at(nest.op, Infeasible::Stream));
    }
    for inner in &nest.inner {
        if schedule_of(inner)?.chunk.is_some() {
            return Err(at(inner.op, Infeasible::InnerChunks));
        }
        check_lanes(inner, is_in_lanes || lanes > 1)?;
    }
    Ok(())
}

fn schedule_of<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<Schedule, PassError<'c>> {
    let schedule = Schedule::of(nest.op).map_err(|problem| PassError::Unsupported {
        location: nest.op.location(),
        message: format!("'nest.loop' op {problem}"),
    })?;
    Ok(schedule.unwrap_or_default())
}

fn at<'c: 'a, 'a>(op: OperationRef<'c, 'a>, reason: Infeasible) -> PassError<'c> {
    PassError::Unsupported {
        location: op.location(),
        message: reason.to_string(),
    }
}
