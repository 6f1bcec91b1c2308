//! Parallel loops of compiled code: chunks, dealt out to threads.
//!
//! Compiled code says what a chunk does, how many there are, what starts a team of threads,
//! and where OpenMP's functions are. Programs without parallel loops need no OpenMP, so this
//! library does not name them.
//!
//! 1. One chunk is called directly; OpenMP is not asked.
//! 2. With several chunks, each thread of a team goes through its share. With one thread only,
//!    its share is all chunks, and there is no team.
//! 3. Then a failure of a chunk is reported (see [`parallel`](crate::parallel)).
//!
//! A thread computes its share from its number. OpenMP has a function for that, but
//! where the library is built with its checks, as Debian's is, it takes half a
//! microsecond for each thread: as long as it takes to start the team.
//!
//! All that is here and not in the code of each loop, since it would have to be compiled each
//! time. The cost is a call for each loop, and one for each chunk.

use crate::parallel::{self, Chunk, Region, Share};

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

/// The schedule by which thread t of T gets the chunks t, t + T, t + 2T, and so on. By the
/// other one each thread gets a contiguous part.
pub const INTERLEAVED: i32 = 1;

/// What a team does.
pub struct Work {
    chunk: Chunk,
    region: *const Region,
    count: i64,
    schedule: i32,
    threads: Number,
    thread: Number,
}

impl Work {
    /// The chunks of one of so many threads.
    fn share(&self, thread: i64, threads: i64) -> Share {
        let part = |thread| self.count * thread / threads;
        let (first, end, step) = match self.schedule {
            INTERLEAVED => (thread, self.count, threads),
            _ => (part(thread), part(thread + 1), 1),
        };
        Share {
            chunk: self.chunk,
            region: self.region,
            first,
            end,
            step,
        }
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
    let openmp = unsafe { &*openmp };
    let work = Work {
        chunk,
        region,
        count,
        schedule,
        threads: openmp.threads,
        thread: openmp.thread,
    };
    // SAFETY: the work outlives the team; the caller's promise for the chunks.
    unsafe {
        if (openmp.most_threads)() > 1 {
            (openmp.team)(&raw const work);
        } else {
            parallel::run_share(&work.share(0, 1));
        }
        parallel::end_region(region);
    }
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
        let (thread, threads) = ((work.thread)(), (work.threads)());
        parallel::run_share(&work.share(thread.into(), threads.into()));
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
    fn threads_get_parts_of_the_chunks() {
        assert_eq!(order(7, 0, three), 1_234_567);
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

    #[test]
    fn parts_are_about_as_long_as_each_other() {
        let openmp = openmp(three);
        let work = |count| Work {
            chunk: note,
            region: std::ptr::null(),
            count,
            schedule: 0,
            threads: openmp.threads,
            thread: openmp.thread,
        };
        for (count, threads) in [(2, 3), (7, 3), (64, 5)] {
            let shares = (0..threads).map(|thread| work(count).share(thread, threads));
            let mut next = 0;
            for share in shares {
                assert_eq!(share.first, next);
                assert!((share.end - share.first - count / threads) <= 1);
                next = share.end;
            }
            assert_eq!(next, count);
        }
    }
}
