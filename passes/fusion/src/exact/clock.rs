//! When to stop: at a time, when asked to, or when too much memory is in use.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// When to stop.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    /// At this time.
    pub deadline: Option<Instant>,
    /// Or when this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Or when the linear program and the search take so many bytes, by estimate.
    pub memory: usize,
}

impl<'a> Clock<'a> {
    /// Only when asked to, or when memory is short.
    pub fn without_deadline(stop: Option<&'a AtomicBool>) -> Self {
        Self {
            deadline: None,
            stop,
            memory: DEFAULT_MEMORY,
        }
    }

    /// The same, but so much earlier.
    pub fn earlier(self, by: Duration) -> Self {
        let deadline = self.deadline.map(|deadline| {
            let now = Instant::now();
            deadline
                .checked_sub(by)
                .map_or(now, |earlier| earlier.max(now.min(deadline)))
        });
        Self { deadline, ..self }
    }

    /// The same, but when a part of the time that is left is over.
    pub fn for_part(self, part: f64) -> Self {
        let now = Instant::now();
        let end = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(part);
        Self {
            deadline: self.deadline.map(end),
            ..self
        }
    }

    /// The time that is left, if there is an end.
    pub fn left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether it is time to stop.
    pub fn is_over(&self) -> bool {
        self.is_over_in(Duration::ZERO)
    }

    /// Whether it will be time to stop after a while.
    pub fn is_over_in(&self, later: Duration) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() + later >= deadline)
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What the search may take if nothing is said: 2 GiB.
pub(crate) const DEFAULT_MEMORY: usize = 2 << 30;
