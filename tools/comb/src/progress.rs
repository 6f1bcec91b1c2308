//! Shows on a terminal what is being done. Nothing is shown in a pipe, or if
//! it takes no time worth mentioning.

use std::{
    io::{self, IsTerminal},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TICK: Duration = Duration::from_millis(200);

/// A line on the terminal that says what is being done; it goes when dropped.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Begins to show.
    pub fn start() -> Self {
        let bar = ProgressBar::new_spinner();
        if !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        } else if thread::Builder::new().spawn(|| ()).is_ok() {
            // The crate takes it that the system starts a thread.
            bar.enable_steady_tick(TICK);
        }
        Self { bar }
    }

    /// Says what is being done.
    pub fn step(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// Says that something is done `count` times; [`Progress::advance`] counts.
    pub fn count(&self, what: &'static str, count: u32) {
        self.bar.set_length(u64::from(count));
        self.bar.set_position(0);
        if count > 1 {
            let style = ProgressStyle::with_template("{spinner} {msg} {pos}/{len} [{elapsed}]");
            if let Ok(style) = style {
                self.bar.set_style(style);
            }
        }
        self.bar.set_message(what);
    }

    /// One more is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
