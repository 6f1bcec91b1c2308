//! What it costs to compute an element, in units of a cheap map's.
//!
//! A rough count of instructions is enough: it decides whether something is
//! computed again for every element of a gather, and not how loops are compiled.
//! Elementary functions count as often as they take longer than an addition on
//! current CPUs, where they are vectorised.

use comb_fusion::graph::Kind;
use melior::ir::OperationRef;
use soac_dialect::view::op_name;

use crate::walk::operations;

/// A map with no more than this is a cheap one.
const CHEAP: f64 = 8.0;

/// What an element of an op's results costs: 1 for cheap maps, and for folds what
/// combining one element costs.
pub(crate) fn work(op: OperationRef, kind: Kind) -> f64 {
    let instructions: f64 = operations(op).into_iter().map(instructions).sum();
    let cheap = match kind {
        Kind::Fold => 1.0,
        _ => CHEAP,
    };
    (instructions / cheap).max(1.0)
}

/// How many additions an op takes as long as.
pub(crate) fn instructions(op: OperationRef) -> f64 {
    let name = op_name(op);
    match name.split_once('.') {
        Some(("arith", "divf" | "remf")) => 10.0,
        Some(("arith", "constant")) => 0.0,
        Some(("arith", mnemonic)) if mnemonic.starts_with("div") || mnemonic.starts_with("rem") => {
            16.0
        }
        Some((
            "math",
            "absf" | "absi" | "copysign" | "floor" | "ceil" | "fma" | "round" | "roundeven"
            | "trunc",
        )) => 1.0,
        Some(("math", "sqrt" | "rsqrt")) => 12.0,
        Some(("math", "powf")) => 32.0,
        Some(("math", _)) => 16.0,
        Some(("scf", "for" | "while") | ("soac", _) | ("func", "call"))
            if !matches!(name, "soac.yield" | "soac.check") =>
        {
            64.0
        }
        Some(("soac" | "scf", "yield")) => 0.0,
        _ => 1.0,
    }
}
