//! What it costs to compute an element, in units of a cheap map's.
//!
//! A rough count of instructions is enough: it decides whether something is
//! computed again for every element of a gather, and not how loops are compiled.

use comb_fusion::graph::Kind;
use comb_kit::walk::operations;
use comb_machine::tuning::{computable::CHEAP, instructions};
use comb_prepare::convert_to_linalg::lambda::is_scalar;
use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::view::{OpView, op_name};

/// What an element of an op's results costs: 1 for cheap maps, and for folds what
/// combining one element costs.
pub fn work(op: OperationRef, kind: Kind) -> f64 {
    let instructions: f64 = operations(op).into_iter().map(instructions).sum();
    let cheap = match kind {
        Kind::Fold => 1.0,
        _ => CHEAP,
    };
    (instructions / cheap).max(1.0)
}

/// How many additions an op takes as long as.
pub fn instructions(op: OperationRef) -> f64 {
    let name = op_name(op);
    match name.split_once('.') {
        Some(("arith", "divf" | "remf")) => instructions::DIVISION,
        Some(("arith", "constant")) => 0.0,
        Some(("arith", mnemonic)) if mnemonic.starts_with("div") || mnemonic.starts_with("rem") => {
            instructions::INTEGER_DIVISION
        }
        Some((
            "math",
            "absf" | "absi" | "copysign" | "floor" | "ceil" | "fma" | "round" | "roundeven"
            | "trunc",
        )) => 1.0,
        Some(("math", "sqrt" | "rsqrt")) => instructions::ROOT,
        Some(("math", "powf")) => instructions::POWER,
        Some(("math", _)) => instructions::FUNCTION,
        Some(("scf", "for" | "while") | ("soac", _) | ("func", "call"))
            if !matches!(name, "soac.yield" | "soac.check") =>
        {
            instructions::LOOP
        }
        Some(("soac" | "scf", "yield")) => 0.0,
        _ => 1.0,
    }
}

/// The instructions of a lambda of scalar code that neither fails nor reads arrays; nothing if it is not such.
pub fn plain_instructions(op: OperationRef) -> Option<f64> {
    let ops = operations(op);
    let is_plain = ops.iter().all(|op| {
        op.regions().next().is_none() && !matches!(op_name(*op), "soac.check" | "tensor.extract")
    });
    let is_scalar = OpView::of(op).block().is_some_and(is_scalar);
    (is_plain && is_scalar).then(|| ops.into_iter().map(instructions).sum())
}
