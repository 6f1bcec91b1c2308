//! Parallel loops of compiled code: chunks, dealt out to threads.
//!
//! Compiled code says what a chunk does, how many there are, what starts a team of threads,
//! and where OpenMP's functions are. Programs without parallel loops need no OpenMP, so this
//! library does not name them.
//!
//! 1. One chunk is called directly; OpenMP is not asked.
//! 2. With several chunks, each thread of a team goes through its share. If that took long, it then
//!    helps others with what is left of theirs, unless chunks must come in order. With one
//!    thread only, its share is all chunks, and there is no team.
//!    Threads of the team that share a processor part ways first (`processors.rs`).
//! 3. Then a failure of a chunk is reported (see [`parallel`](crate::parallel)).
//!
//! A thread computes its share from its number. OpenMP has a function for that, but
//! where the library is built with its checks, as Debian's is, it takes half a
//! microsecond for each thread: as long as it takes to start the team.
//!
//! Shares are contiguous, so that a thread finds in its caches what it wrote there in the loop
//! before; in short loops that is worth more than help. Whoever helps takes the next chunk of a
//! share, as its owner does; so a share is a counter. No result depends on who computes a chunk.
//!
//! All that is here and not in the code of each loop, since it would have to be compiled each
//! time. The cost is a call for each loop, and one for each chunk.

use std::ffi::CString;
use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use crate::failure;
use crate::parallel::{self, Chunk, Region};
use crate::processors;
use crate::threads::{self, NoTeam};

/// How OpenMP's functions are called that say a number of threads.
type Number = unsafe extern "C" fn() -> i32;

/// What has each thread of a team call [`comb_runtime_run_share`].
type Team = unsafe extern "C-unwind" fn(*const Work);

/// OpenMP's functions, in the order of `comb-parallel-to-openmp`.
#[repr(C)]
pub struct OpenMp {
    /// `comb_openmp_team`, which compiled code has.
    team: Team,
    /// `omp_get_max_threads`: how many threads a team would have.
    most_threads: Number,
    /// `omp_get_num_threads`: how many this team has.
    threads: Number,
    /// `omp_get_thread_num`: which of them this is.
    thread: Number,
}

/// The schedule by which thread t of T gets the chunks t, t + T, t + 2T, and so on, in this
/// order. By the other one each thread begins with a contiguous part.
pub const INTERLEAVED: i32 = 1;

/// What a share must have taken for its thread to help others.
const LONG: Duration = Duration::from_micros(100);

/// How many contiguous shares there are at most. Threads of a larger team have some together.
const MOST_SHARES: usize = 16;

/// How many chunks of a share have been taken, or more if it was found empty. Each has a line
/// of the cache to itself.
#[derive(Default)]
#[repr(align(64))]
struct Taken(AtomicI64);

/// Contiguous shares, which threads may help each other with.
#[derive(Clone, Copy)]
struct Shares<'a> {
    begin: Instant,
    taken: &'a [Taken; MOST_SHARES],
}

impl<'a> Shares<'a> {
    fn begin(taken: &'a [Taken; MOST_SHARES]) -> Self {
        let begin = Instant::now();
        Self { begin, taken }
    }
}

/// What a team does. It fits in a line of the cache, which each thread must get from the one that
/// started the team.
#[repr(align(64))]
pub struct Work<'a> {
    chunk: Chunk,
    region: *const Region,
    count: i64,
    /// The contiguous shares, if threads may help each other. Otherwise chunks are interleaved.
    shares: Option<Shares<'a>>,
    openmp: &'a OpenMp,
    /// Which team it is, for threads of it that share a processor.
    team: processors::Team,
}

const _: () = assert!(size_of::<Work<'_>>() == 64);

impl Work<'_> {
    /// Calls the chunk function for the chunks of one of so many threads.
    ///
    /// # Safety
    ///
    /// The region is a living one; the chunk function is for it.
    unsafe fn run_share(&self, thread: usize, threads: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(shares) = self.shares {
                let helper = Helper::new(shares, self.count, thread, threads, LONG);
                parallel::run_chunks(self.chunk, self.region, helper);
            } else {
                let share = (thread as i64..self.count).step_by(threads);
                parallel::run_chunks(self.chunk, self.region, share);
            }
        }
    }
}

/// The chunks that a thread gets: those of its own share, and, if these took `long`, then those
/// of the next shares that nobody else has taken.
struct Helper<'a> {
    shares: Shares<'a>,
    /// How many chunks and shares there are.
    count: i64,
    parts: usize,
    long: Duration,
    /// How many shares it has found empty.
    empty: usize,
    /// The share from which it takes chunks.
    share: usize,
    chunks: Range<i64>,
}

impl<'a> Helper<'a> {
    fn new(shares: Shares<'a>, count: i64, thread: usize, threads: usize, long: Duration) -> Self {
        let parts = threads.min(MOST_SHARES);
        let share = thread % parts;
        Self {
            shares,
            count,
            parts,
            long,
            empty: 0,
            share,
            chunks: chunks_of(share, count, parts),
        }
    }
}

/// The chunks of one of so many shares, as many in each or one more.
fn chunks_of(share: usize, count: i64, shares: usize) -> Range<i64> {
    let shares = shares as i64;
    let first = |share| count / shares * share + count % shares * share / shares;
    first(share as i64)..first(share as i64 + 1)
}

impl Iterator for Helper<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        while self.empty < self.parts {
            let taken = &self.shares.taken[self.share].0;
            let index = self.chunks.start + taken.fetch_add(1, Ordering::Relaxed);
            if index < self.chunks.end {
                return Some(index);
            }
            if self.empty == 0 && self.shares.begin.elapsed() < self.long {
                break;
            }
            self.empty += 1;
            self.share = (self.share + 1) % self.parts;
            self.chunks = chunks_of(self.share, self.count, self.parts);
        }
        None
    }
}

/// Calls a chunk function for the chunks 0 to `count`, on several threads if there are several
/// chunks, and reports what failed. Compiled code calls it.
///
/// # Safety
///
/// `region` begins with the word of a region, which compiled code set to null; `chunk` is the
/// chunk function for it. `openmp` has OpenMP's functions.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_run_chunks(
    chunk: Chunk,
    region: *const Region,
    count: i64,
    schedule: i32,
    openmp: *const OpenMp,
) {
    if count <= 1 {
        if count == 1 {
            // SAFETY: the caller's promise.
            unsafe { chunk(region, 0) };
            parallel::finish_stores();
        }
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let openmp = &*openmp;
        let threads = threads::ensure(|| (openmp.most_threads)());
        match threads.unwrap_or_else(|reason| fail(reason)) {
            ..=1 => parallel::run_chunks(chunk, region, 0..count),
            threads => {
                let may_help = schedule != INTERLEAVED && count > threads.into();
                let taken = may_help.then(Default::default);
                let work = Work {
                    chunk,
                    region,
                    count,
                    shares: taken.as_ref().map(Shares::begin),
                    openmp,
                    team: processors::Team::new(),
                };
                (openmp.team)(&raw const work);
            }
        }
        parallel::end_region(region);
    }
}

/// Reports that there can be no team. What it jumps over has nothing to drop.
#[cold]
fn fail(reason: NoTeam) -> ! {
    let message = CString::new(reason.to_string()).unwrap_or_default();
    drop(reason);
    failure::report(message)
}

/// What a thread of a team does. Compiled code calls it.
///
/// # Safety
///
/// The work is what `comb_runtime_run_chunks` gave to the team; its caller's promise for the
/// chunks.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_run_share(work: *const Work) {
    // SAFETY: the caller's promise.
    unsafe {
        let work = &*work;
        processors::part_ways(work.team);
        let (thread, threads) = ((work.openmp.thread)(), (work.openmp.threads)());
        work.run_share(thread as usize, threads as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicI64, Ordering};

    thread_local! {
        static THREAD: Cell<i32> = const { Cell::new(0) };
    }

    /// How many threads the teams of the tests have.
    const THREADS: i32 = 3;

    unsafe extern "C" fn three() -> i32 {
        THREADS
    }

    unsafe extern "C" fn one() -> i32 {
        1
    }

    unsafe extern "C" fn thread() -> i32 {
        THREAD.get()
    }

    /// One thread after the other.
    unsafe extern "C-unwind" fn team(work: *const Work) {
        for number in 0..THREADS {
            THREAD.set(number);
            // SAFETY: the work is that of the caller.
            unsafe { comb_runtime_run_share(work) };
        }
    }

    fn openmp(most_threads: Number) -> OpenMp {
        OpenMp {
            team,
            most_threads,
            threads: three,
            thread,
        }
    }

    /// A region whose chunks say in which order they came: their numbers are the digits.
    #[repr(C)]
    struct Noted {
        region: Region,
        digits: AtomicI64,
    }

    unsafe extern "C-unwind" fn note(noted: *const Region, index: i64) {
        // SAFETY: the tests pass a `Noted`.
        let digits = unsafe { &(*noted.cast::<Noted>()).digits };
        let before = digits.load(Ordering::Relaxed);
        digits.store(before * 10 + index + 1, Ordering::Relaxed);
    }

    fn order(count: i64, schedule: i32, most_threads: Number) -> i64 {
        let noted = Noted {
            region: Region::new(),
            digits: AtomicI64::new(0),
        };
        let (region, openmp) = ((&raw const noted).cast(), openmp(most_threads));
        // SAFETY: the region is that of the chunk function.
        unsafe { comb_runtime_run_chunks(note, region, count, schedule, &openmp) };
        noted.digits.into_inner()
    }

    #[test]
    fn threads_begin_with_parts_of_the_chunks() {
        assert_eq!(order(7, 0, three), 1_234_567);
        assert_eq!(order(3, 0, three), 123);
        let shares = |count, shares| (0..shares).map(move |share| chunks_of(share, count, shares));
        assert!(shares(7, 3).eq([0..2, 2..4, 4..7]));
        assert!(shares(2, 3).eq([0..0, 0..1, 1..2]));
        let ends: Vec<i64> = shares(i64::MAX, 4).map(|share| share.end).collect();
        assert_eq!((ends[0], ends[3]), (i64::MAX / 4, i64::MAX));
    }

    #[test]
    fn interleaved_chunks_are_every_so_many() {
        assert_eq!(order(7, INTERLEAVED, three), 1_472_536);
        assert_eq!(order(2, INTERLEAVED, three), 12);
    }

    #[test]
    fn one_thread_does_all_chunks_in_order() {
        assert_eq!(order(4, 0, one), 1234);
        assert_eq!(order(4, INTERLEAVED, one), 1234);
    }

    #[test]
    fn one_chunk_needs_no_team() {
        unsafe extern "C" fn never() -> i32 {
            panic!("OpenMP is asked")
        }
        assert_eq!(order(0, 0, never), 0);
        assert_eq!(order(1, 0, never), 1);
    }

    /// A thread of three that helps others.
    fn helper(shares: Shares<'_>, count: i64, thread: usize) -> Helper<'_> {
        Helper::new(shares, count, thread, 3, Duration::ZERO)
    }

    #[test]
    fn who_is_done_helps_others() {
        let taken = Default::default();
        let shares = Shares::begin(&taken);
        let [mut first, mut second] = [1, 2].map(|thread| helper(shares, 7, thread));
        assert_eq!(first.next(), Some(2));
        // 4, 5, and 6 are its own; then it goes round to the others.
        let helped: Vec<i64> = second.by_ref().collect();
        assert_eq!(helped, [4, 5, 6, 0, 1, 3]);
        assert_eq!((first.next(), second.next()), (None, None));
    }

    #[test]
    fn who_is_done_soon_does_not_help() {
        let taken = Default::default();
        let shares = Shares::begin(&taken);
        let soon = Helper::new(shares, 7, 2, 3, Duration::from_secs(1000));
        assert!(soon.eq([4, 5, 6]));
    }

    #[test]
    fn more_threads_than_shares_begin_together() {
        let taken = Default::default();
        let shares = Shares::begin(&taken);
        let threads = MOST_SHARES + 1;
        let count = 2 * MOST_SHARES as i64;
        let first = (0..threads).map(|thread| {
            let mut helper = Helper::new(shares, count, thread, threads, Duration::ZERO);
            helper.next().unwrap()
        });
        assert!(first.eq((0..count).step_by(2).chain([1])));
    }

    #[test]
    fn each_chunk_is_taken_once_by_threads_in_a_race() {
        for count in [4, 5, 1000, 100_000] {
            let taken = Default::default();
            let shares = Shares::begin(&taken);
            let mut taken: Vec<i64> = std::thread::scope(|scope| {
                let collect = |thread| helper(shares, count, thread).collect::<Vec<_>>();
                let threads = [0, 1, 2].map(|thread| scope.spawn(move || collect(thread)));
                threads.map(|thread| thread.join().unwrap()).concat()
            });
            taken.sort_unstable();
            assert!(taken.into_iter().eq(0..count));
        }
    }
}
