//! Why a loop runs as it does, in words.

use thiserror::Error;

use super::obstacles::Obstacle;
use comb_kit::transformations::Transformation;

/// A reason for a part of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// How many lanes there are.
    #[error("{lanes} lanes: {}", sizes(*.narrow, *.wide))]
    Lanes {
        /// How many.
        lanes: u64,
        /// The bits of the narrowest numbers.
        narrow: u64,
        /// The bits of the widest.
        wide: u64,
    },
    /// A loop around others has the lanes.
    #[error("lanes of this loop read neighbours, those of the loops inside would not")]
    Columns,
    /// A loop around others has the lanes, and what it reads is packed.
    #[error(
        "lanes read copies in which elements are neighbours, if there are {0} rows, and as many columns as lanes"
    )]
    Pack(u64),
    /// The same, if it is large.
    #[error(
        "they read copies without gaps, if these are more than {bytes} bytes, and for {rows} rows at least"
    )]
    PackSpread {
        /// The least rows.
        rows: u64,
        /// What copies have more of.
        bytes: u64,
    },
    /// The loops inside have the lanes.
    #[error("one by one: the loops inside have the lanes, or none")]
    InnerLoops,
    /// The loop is in lanes of another one.
    #[error("one by one, in all lanes of a loop around it")]
    InLanes,
    /// It is too short.
    #[error("one by one: {0} iterations are too few for vectors")]
    Short(u64),
    /// Something speaks against lanes.
    #[error("one by one: {0}")]
    NoLanes(Obstacle),
    /// How many vectors fold at once.
    #[error(
        "{0} vectors of accumulators: there is little else to do while an addition takes its time"
    )]
    Accumulators(u64),
    /// How many iterations are jammed.
    #[error(
        "{0} iterations at once, with the loops inside jammed: they share vectors that are read"
    )]
    Jam(u64),
    /// Rows of a stencil are jammed, for what they read.
    #[error(
        "{rows} rows at once, with the loops inside jammed: {together} vectors to read instead of {alone}"
    )]
    Rows {
        /// How many rows.
        rows: u64,
        /// The vectors that they read one by one.
        alone: usize,
        /// The vectors that they read at once.
        together: usize,
    },
    /// Rows of a stencil are jammed, for what they compute.
    #[error("{0} rows at once, with the loops inside jammed: they compute much in common")]
    RowsOfWork(u64),
    /// Columns of what is read are jammed.
    #[error(
        "{0} iterations at once, with the loops inside jammed: lanes read rows of an array, and these its columns"
    )]
    Transposed(u64),
    /// A loop around it is jammed, so that there are accumulators enough.
    #[error("one vector of accumulators: those of jammed iterations do not wait for each other")]
    JammedAround,
    /// Large results go past the caches.
    #[error("past the caches, if the arrays that it writes in whole lines are more than {0} bytes")]
    Stream(u64),
    /// It is distributed.
    #[error(
        "distributed, {0} iterations at a time: what it computes before a gather at computed positions, or a scatter, has a loop of its own"
    )]
    Blocks(u64),
    /// It is cut.
    #[error("cut where an index wraps around, if pieces have at least {0} iterations")]
    Split(u64),
    /// Rows are fetched ahead.
    #[error(
        "what comes behind the last row that it reads of an array is fetched ahead, if results go past the caches: it reads several rows"
    )]
    Fetch,
    /// Places are fetched ahead.
    #[error(
        "fetches {0} bytes ahead where it begins, as memory says where that is: what later ones begin with"
    )]
    Ahead(u64),
    /// Threads share it.
    #[error("chunks of {chunk} iterations for threads: about {work} instructions each")]
    Chunk {
        /// Instructions of an iteration.
        work: u64,
        /// Iterations.
        chunk: u64,
    },
    /// Threads sum up chunks.
    #[error(
        "several threads sum up each chunk before they work on it: it carries scans or filters"
    )]
    SummedUp,
    /// Chunks have tables.
    #[error(
        "each chunk has a table of its own for what it scatters, if that is many elements to a place"
    )]
    Tables,
    /// Threads go through the sequential loop around the kernel.
    #[error(
        "threads go through the loop around the kernel one behind the other, each with {0} iterations at most"
    )]
    Wavefront(u64),
    /// It runs once, so there is nothing to share.
    #[error("one thread: it runs once")]
    RunsOnce,
    /// Chunks sort what they scatter.
    #[error(
        "chunks put what they scatter in the order of buckets of places, if these are more than {0} bytes"
    )]
    BucketsOver(u64),
    /// The same, if it is a small part of the work.
    #[error(
        "chunks put what they scatter in the order of buckets of places: there is much else to do"
    )]
    HeavyBuckets,
    /// The same, if the program says so.
    #[error(
        "chunks put what they scatter in the order of buckets of places: the program wishes it"
    )]
    WishedBuckets,
    /// There is too little to do for threads.
    #[error("one thread: {all} iterations are no more than a chunk of {chunk}")]
    OneChunk {
        /// Iterations.
        all: u64,
        /// Iterations of a chunk.
        chunk: u64,
    },
    /// Something speaks against threads.
    #[error("one thread: {0}")]
    OneThread(Obstacle),
    /// A loop around the kernel is shared already.
    #[error("one thread: threads share a loop around the kernel")]
    IsShared,
    /// Something is switched off.
    #[error("without '{0}', which is off")]
    Off(Transformation),
    /// It was asked for.
    #[error("one by one, by one thread, as was asked for")]
    Scalar,
    /// It was said in the program.
    #[error("as the program says")]
    Given,
}

fn sizes(narrow: u64, wide: u64) -> String {
    match narrow == wide {
        true => format!("numbers of {wide} bits"),
        false => format!("numbers of {narrow} to {wide} bits"),
    }
}
