//! What comb says to LLVM about loops.
//!
//! The lowering of a loop to branches hands its annotation on.

use melior::{
    Error,
    ir::{OperationRef, operation::OperationLike},
};
use soac_dialect::{builder::Builder, view::set_attribute};

/// The attribute of a loop.
const NAME: &str = "loop_annotation";

/// What LLVM is to do with a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Leave each iteration as it is.
    NoUnrolling,
}

impl Advice {
    fn text(self) -> &'static str {
        match self {
            Self::NoUnrolling => "#llvm.loop_annotation<unroll = <disable = true>>",
        }
    }
}

/// Whether a loop has an annotation.
pub(crate) fn is_advised(r#loop: OperationRef) -> bool {
    r#loop.has_attribute(NAME)
}

/// Gives a loop an annotation, if it has none yet.
///
/// # Errors
///
/// If MLIR does not know the attribute.
pub(crate) fn advise(r#loop: OperationRef, advice: Advice) -> Result<(), Error> {
    if is_advised(r#loop) {
        return Ok(());
    }
    if let Some(builder) = Builder::before(r#loop) {
        set_attribute(r#loop, NAME, builder.attribute(advice.text())?);
    }
    Ok(())
}
