//! Why a pass failed.

use melior::ir::Location;
use soac_dialect::location::emit_error;
use thiserror::Error;

/// Why a pass failed.
#[derive(Debug, Error)]
pub enum PassError<'c> {
    /// The program has something that the pass cannot handle: the user's fault,
    /// or a limit of the pass that the message states.
    #[error("{message}")]
    Unsupported {
        /// Where.
        location: Location<'c>,
        /// What, naming the op and its types.
        message: String,
    },
    /// The pass built IR that MLIR rejects: comb's fault.
    #[error("{0}")]
    Internal(#[from] melior::Error),
    /// Fusion decided on clusters that depend on each other: comb's fault.
    #[error("the clusters of a block depend on each other")]
    Cyclic,
}

impl PassError<'_> {
    /// Reports the error where it is, or else at a place that it has to do with.
    pub fn emit(&self, place: Location) {
        match self {
            Self::Unsupported { location, message } => emit_error(*location, message),
            Self::Internal(_) | Self::Cyclic => emit_error(
                place,
                &format!("internal error in a comb pass, please report it: {self}"),
            ),
        }
    }
}
