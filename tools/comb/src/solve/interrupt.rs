//! The first interrupt asks the solver for its best answer, a second one ends; the
//! first one ends, too, while nothing heeds it.

use std::{
    io,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the next interrupt ends the program.
static LAST: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on interrupts set what [`stop`] gives.
pub fn install() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&LAST))?;
        flag::register(signal, Arc::clone(&LAST))?;
        flag::register(signal, stop())?;
    }
    Ok(())
}

/// Set when somebody wants an end.
pub fn stop() -> Arc<AtomicBool> {
    Arc::clone(&STOP)
}

/// Whether somebody wants an end.
pub fn is_wanted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Does what asks nobody whether to stop: an interrupt ends the program meanwhile.
pub fn unheeded<R>(action: impl FnOnce() -> R) -> R {
    LAST.store(true, Ordering::Relaxed);
    let result = action();
    LAST.store(is_wanted(), Ordering::Relaxed);
    result
}
