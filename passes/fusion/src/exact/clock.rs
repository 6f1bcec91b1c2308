//! When to stop.

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
}

impl Clock<'_> {
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
