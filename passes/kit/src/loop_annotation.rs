//! What comb says to LLVM about loops.
//!
//! The lowering of a loop to branches hands its annotation on.

use melior::{
    Error,
    ir::{OperationRef, Value, operation::OperationLike},
};
use soac_dialect::{builder::Builder, view::set_attribute};

/// The attribute of a loop.
const NAME: &str = "loop_annotation";

/// What LLVM is to do with a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Leave each iteration as it is.
    NoUnrolling,
    /// Make one iteration of four.
    FourTimes,
}

impl Advice {
    fn text(self) -> &'static str {
        match self {
            Self::NoUnrolling => "#llvm.loop_annotation<unroll = <disable = true>>",
            Self::FourTimes => "#llvm.loop_annotation<unroll = <count = 4 : i32>>",
        }
    }
}

/// A loop from a first index to before a last one, by a step, with an annotation.
///
/// # Errors
///
/// Those of `body`, or if MLIR rejects the loop.
pub fn advised_loop<'c: 'a, 'a, E: From<Error>>(
    builder: &Builder<'c, 'a>,
    first_end_step: [Value<'c, 'a>; 3],
    advice: Advice,
    body: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Result<(), E>,
) -> Result<(), E> {
    let region = builder.region(
        &[builder.index_type()],
        "scf.yield",
        |builder, arguments| {
            body(builder, arguments[0])?;
            Ok::<_, E>(vec![])
        },
    )?;
    let r#loop = builder.op("scf.for", &first_end_step, &[], &[], vec![region])?;
    Ok(advise(r#loop, advice)?)
}

/// Whether a loop has an annotation.
pub fn is_advised(r#loop: OperationRef) -> bool {
    r#loop.has_attribute(NAME)
}

/// Gives a loop an annotation, if it has none yet.
///
/// # Errors
///
/// If MLIR does not know the attribute.
pub fn advise(r#loop: OperationRef, advice: Advice) -> Result<(), Error> {
    if is_advised(r#loop) {
        return Ok(());
    }
    if let Some(builder) = Builder::before(r#loop) {
        set_attribute(r#loop, NAME, builder.attribute(advice.text())?);
    }
    Ok(())
}
