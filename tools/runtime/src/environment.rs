//! Environment variables that say how programs run, checked before anything else.

use crate::memory::{self, BadLimit};
use crate::threads::{self, NoTeam};

/// A variable says what it cannot.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// How many threads there are.
    #[error(transparent)]
    Threads(#[from] NoTeam),
    /// How much memory may be idle.
    #[error(transparent)]
    Memory(#[from] BadLimit),
}

/// Checks the variables that compiled code looks at, whether this program's does or not.
///
/// # Errors
///
/// If one of them says what it cannot.
pub fn check() -> Result<(), EnvironmentError> {
    threads::check_variable()?;
    memory::check_limit()?;
    Ok(())
}
