//! Threads of a team that share a processor part ways.
//!
//! Even if there is a processor for each thread of a team, the system may have two share one for 5
//! to 50 milliseconds. Each parallel loop then takes 40 µs and more, since the one thread waits
//! for the other, which cannot run meanwhile. So a thread that finds another one of its team on its
//! processor moves:
//!
//! 1. Each thread leaves the team's number at the place of its processor. Who finds it there was
//!    not the first.
//! 2. It looks for processors that it may use and that the team was not seen on. If no more threads
//!    run on the whole machine than it may use processors, one of them is idle. Otherwise it stays,
//!    as it would make others wait, or wait for them.
//! 3. It restricts itself to these processors, so the system moves it at once, and lifts the
//!    restriction.
//!
//! A thread that is bound to a processor stays there. The cost is some nanoseconds for each thread
//! of a team, and some 10 µs for a thread that moves or could, at most once a millisecond.

use std::cell::Cell;
use std::fs;
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How many processors are told apart.
const MOST: usize = libc::CPU_SETSIZE as usize;

/// How long a thread that moved, or could not, stays where it is.
const REST: Duration = Duration::from_millis(1);

/// The number of a team. The next four billion have others.
#[derive(Clone, Copy)]
pub(crate) struct Team(u32);

impl Team {
    pub(crate) fn new() -> Self {
        static TEAMS: AtomicU32 = AtomicU32::new(1);
        Self(TEAMS.fetch_add(1, Ordering::Relaxed))
    }
}

/// The number of the team that was last seen on a processor. It has a line of the cache to itself.
#[repr(align(64))]
struct LastSeen(AtomicU32);

static LAST_SEEN: [LastSeen; MOST] = [const { LastSeen(AtomicU32::new(0)) }; MOST];

thread_local! {
    /// When this thread last moved, or tried to.
    static MOVED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Moves this thread of a team to a processor that is idle if another one of the team is on its own.
pub(crate) fn part_ways(team: Team) {
    // SAFETY: it has no conditions.
    let here = unsafe { libc::sched_getcpu() };
    let Some(last_seen) = usize::try_from(here)
        .ok()
        .and_then(|here| LAST_SEEN.get(here))
    else {
        return;
    };
    let is_shared = last_seen.0.load(Ordering::Relaxed) == team.0;
    if is_shared {
        move_from(team);
    } else {
        last_seen.0.store(team.0, Ordering::Relaxed);
    }
}

/// Moves this thread to a processor that the team was not seen on.
#[cold]
fn move_from(team: Team) {
    let now = Instant::now();
    if MOVED.get().is_some_and(|moved| now - moved < REST) {
        return;
    }
    MOVED.set(Some(now));
    let Some(allowed) = Processors::of_this_thread() else {
        return;
    };
    let was_seen = |processor: usize| LAST_SEEN[processor].0.load(Ordering::Relaxed) == team.0;
    let Some(others) = allowed.without(was_seen) else {
        return;
    };
    let one_is_idle = running_threads().is_some_and(|running| running <= allowed.count());
    if one_is_idle && others.restrict_this_thread() {
        allowed.restrict_this_thread();
    }
}

/// A set of processors.
#[derive(Clone, Copy)]
struct Processors(libc::cpu_set_t);

impl Processors {
    /// Those that this thread may use, if the system says.
    fn of_this_thread() -> Option<Self> {
        // SAFETY: all its bits may be zero, which is the empty set.
        let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
        // SAFETY: the set is memory of our own, of this size.
        let status = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
        (status == 0).then_some(Self(set))
    }

    /// Says that this thread may use these only, and gives whether the system agrees.
    fn restrict_this_thread(&self) -> bool {
        // SAFETY: the set is memory of our own, of this size.
        unsafe { libc::sched_setaffinity(0, size_of_val(&self.0), &raw const self.0) == 0 }
    }

    /// Those of them that are not left out, if there are any.
    fn without(mut self, is_left_out: impl Fn(usize) -> bool) -> Option<Self> {
        for processor in (0..MOST).filter(|&processor| is_left_out(processor)) {
            // SAFETY: the set is memory of our own, and has a place for each processor.
            unsafe { libc::CPU_CLR(processor, &mut self.0) }
        }
        (self.count() > 0).then_some(self)
    }

    fn count(&self) -> usize {
        // SAFETY: the set is memory of our own.
        let count = unsafe { libc::CPU_COUNT(&self.0) };
        count as usize
    }
}

/// How many threads run on the machine, or would if they had a processor; this one is one of them.
fn running_threads() -> Option<usize> {
    running_in(&fs::read_to_string("/proc/loadavg").ok()?)
}

/// As `running_threads`, of the text of `/proc/loadavg`: `0.20 0.18 0.12 1/80 11206`.
fn running_in(load: &str) -> Option<usize> {
    let threads = load.split_whitespace().nth(3)?;
    threads.split_once('/')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that this thread may use, one by one.
    fn allowed() -> Vec<usize> {
        let Processors(set) = Processors::of_this_thread().expect("the system says");
        // SAFETY: the set is memory of our own, and has a place for each processor.
        (0..MOST)
            .filter(|&processor| unsafe { libc::CPU_ISSET(processor, &set) })
            .collect()
    }

    /// Has this thread use this processor only, and gives what it could use before.
    fn restrict_to(processor: usize) -> Processors {
        let all = Processors::of_this_thread().expect("the system says");
        let one = all
            .without(|other| other != processor)
            .expect("it is one of them");
        assert!(one.restrict_this_thread());
        all
    }

    fn here() -> usize {
        // SAFETY: it has no conditions.
        unsafe { libc::sched_getcpu() as usize }
    }

    #[test]
    fn running_threads_are_the_number_in_front_of_the_slash() {
        assert_eq!(running_in("0.20 0.18 0.12 1/80 11206\n"), Some(1));
        assert_eq!(running_in("12.00 9.18 0.12 17/1180 4\n"), Some(17));
        assert_eq!(running_in("0.20 0.18 0.12"), None);
        assert_eq!(running_in("0.20 0.18 0.12 many/80 11206"), None);
        assert!(running_threads().is_some_and(|running| running >= 1));
    }

    #[test]
    fn a_thread_runs_where_it_is_restricted_to() {
        for processor in allowed() {
            let all = restrict_to(processor);
            assert_eq!((here(), allowed()), (processor, vec![processor]));
            assert!(all.restrict_this_thread());
        }
    }

    #[test]
    fn nothing_is_left_without_any_processor() {
        let all = Processors::of_this_thread().expect("the system says");
        assert!(all.without(|_| true).is_none());
        let kept = all.without(|_| false).expect("nothing is left out");
        assert_eq!(kept.count(), all.count());
    }

    #[test]
    fn a_thread_that_is_bound_stays() {
        let bound = allowed()[0];
        restrict_to(bound);
        let team = Team::new();
        for _ in 0..3 {
            part_ways(team);
            assert_eq!((here(), allowed()), (bound, vec![bound]));
        }
    }

    #[test]
    fn a_thread_that_moves_may_use_the_same_processors_afterwards() {
        let before = allowed();
        let team = Team::new();
        for _ in 0..3 {
            MOVED.set(None);
            part_ways(team);
            assert_eq!(allowed(), before);
        }
    }

    #[test]
    fn a_team_is_another_one_each_time() {
        assert_ne!(Team::new().0, Team::new().0);
    }
}
