//! `cf.assert` as `soac.check`. Its own lowering ends the process without saying where and
//! why; a check names the place, ends only the call, and may stand in parallel loops.
//!
//! A trusted program's assertions stay, too: they are its own, and not what an op needs.

use melior::{
    Error,
    ir::{OperationRef, operation::OperationLike},
};
use soac_dialect::{
    builder::Builder,
    text::{shown, string_bytes},
};

/// What is said of an assertion without a message.
const NO_MESSAGE: &str = "'cf.assert' op does not hold";

/// Replaces an assertion by a check with its message.
///
/// # Errors
///
/// If MLIR rejects the check.
pub fn rewrite(op: OperationRef) -> Result<(), Error> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let message = op.attribute("msg")?;
    let text = match message == builder.string("") {
        true => NO_MESSAGE.to_owned(),
        // A check has values for `{}`.
        false => shown(string_bytes(message.try_into()?)).replace("{}", "{ }"),
    };
    let attributes = [("message", builder.string(&text))];
    builder.op("soac.check", &[op.operand(0)?], &[], &attributes, vec![])?;
    builder.erase(op);
    Ok(())
}
