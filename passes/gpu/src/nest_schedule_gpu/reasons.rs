//! Why a loop runs on a GPU as it does, in words.

use comb_cpu::nest_schedule::obstacles::Obstacle;
use thiserror::Error;

/// The reason for a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// The threads of the grid share it.
    #[error("threads share its iterations")]
    Threads,
    /// The threads of the grid share it, and unroll it.
    #[error("threads share its iterations, and unroll {0}, so that they read as much at once")]
    Unrolled(u64),
    /// The threads of the grid share it, and blocks have tables of what it scatters.
    #[error(
        "threads share its iterations, and combine what they scatter in tables of a block first, if these are no larger than {0} bytes and elements are many"
    )]
    Tables(u64),
    /// Loops in each other are axes of the grid.
    #[error("an axis of the grid: there is nothing between it and the loop around or inside it")]
    Axis,
    /// Warps or blocks share it.
    #[error("a {team} runs an iteration, and shares the loops inside: {length}")]
    Teams {
        /// Which.
        team: &'static str,
        /// How long they are.
        length: InnerLength,
    },
    /// The threads of a team share it.
    #[error("the threads that run an iteration of the loop around it share it")]
    InTeam,
    /// A thread runs it.
    #[error("one iteration after the other: a thread runs an iteration of the loop around it")]
    InThread,
    /// Loops inside cannot be shared.
    #[error("threads share its iterations: a loop inside cannot be shared, since {0}")]
    NotShared(Obstacle),
    /// It carries scans or filters.
    #[error(
        "warps have {0} rows of iterations each, which are summed up before: it carries scans or filters"
    )]
    SummedUp(u64),
    /// Something speaks against sharing it.
    #[error("one thread runs it, one iteration after the other: {0}")]
    Single(GpuObstacle),
    /// It was said in the program.
    #[error("as the program says")]
    Given,
}

/// How long loops inside are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InnerLength {
    /// At most so many iterations.
    #[error("they have {0} iterations at most")]
    Known(u64),
    /// As many as the program finds out.
    #[error("how long they are is known when it runs")]
    Unknown,
    /// Each iteration finds out, and they may be short.
    #[error("how long they are depends on the iteration")]
    Irregular,
}

/// Why the threads of a grid do not share a loop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GpuObstacle {
    /// What speaks against threads of a CPU, too.
    #[error(transparent)]
    Threads(#[from] Obstacle),
    /// There are no atomics for what is scattered.
    #[error("there are no atomics for elements of {0}")]
    Atomics(String),
    /// A scan goes on with what another one gives.
    #[error("a scan or filter needs what another one gives")]
    Stages,
}
