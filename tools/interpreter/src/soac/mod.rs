//! The `soac` dialect.
//!
//! * `combinators`: the combinators with a function, and cross.
//! * `cluster`: combinators that share loops.
//! * `indexed`: gather and scatter.
//! * `sort`: sorts of rows.
//! * `circuit`: concatenation and updates.
//! * `arrangement`: which element the structured combinators read where.
//! * `sugar`: the structured combinators.
//! * `requirement`: what must hold of shapes and sizes.

mod arrangement;
mod circuit;
mod cluster;
mod combinators;
mod indexed;
mod requirement;
mod sort;
mod sugar;

use crate::call::Call;
use crate::failure::Failure;
use crate::function::call_symbol;
use crate::program::Attribute;
use crate::value::Value;

/// Executes an op of the `soac` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "soac.generate" => combinators::generate(call),
        "soac.map" => combinators::map(call),
        "soac.fold" => combinators::fold(call),
        "soac.scanl" => combinators::scan_left(call),
        "soac.scanr" => combinators::scan_right(call),
        "soac.filter" => combinators::filter(call),
        "soac.sort" => sort::sort(call),
        "soac.cross" => combinators::cross(call),
        "soac.force" => call.values(call.group(0)),
        "soac.external" => call_symbol(call),
        "soac.cluster" => cluster::evaluate(call),
        "soac.check" => check(call),
        "soac.gather" => indexed::gather(call),
        "soac.scatter" => indexed::scatter(call),
        "soac.concat" => circuit::concat(call),
        "soac.update" => circuit::update(call),
        "soac.lmad_update" => circuit::lmad_update(call),
        "soac.iota" => sugar::iota(call),
        "soac.fill" => sugar::fill(call),
        "soac.reshape" => sugar::reshape(call),
        "soac.backpermute" => sugar::backpermute(call),
        "soac.zip" => sugar::zip(call),
        "soac.replicate" | "soac.reverse" | "soac.rotate" | "soac.slice" | "soac.take"
        | "soac.drop" | "soac.transpose" | "soac.lmad_slice" => sugar::rearrange(call),
        _ => Err(call.unknown_op()),
    }
}

/// Ends the program with the message if the condition is false.
fn check(call: &Call) -> Result<Vec<Value>, Failure> {
    if call.scalar(0)?.is_true() {
        return Ok(vec![]);
    }
    let Some(Attribute::String(template)) = call.op.attributes.get("message") else {
        return Err(call.bug("has no message"));
    };
    let values = call.indices(1..call.op.operands.len())?;
    let mut parts = template.split("{}");
    let mut message = parts.next().unwrap_or_default().to_owned();
    for (part, value) in parts.zip(values) {
        message += &value.to_string();
        message += part;
    }
    Err(Failure::Program {
        location: call.op.location.clone(),
        message,
    })
}
