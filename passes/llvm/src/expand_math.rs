//! Replaces functions of the math dialect by arithmetic, for scalars and vectors.
//!
//! A function's argument is reduced to a small interval, where a polynomial gives
//! the result; what is done is the same for every lane, without branches and
//! tables, so that code of any vector width gives the same bits. The only
//! exception is the reduction of large arguments of sin, cos and tan: an
//! `scf.if` skips it while no lane needs it.
//!
//! 1. [`functions`] has each function's [`graph::Formula`] for a type, a [`Mode`]
//!    and a CPU with or without fused multiply-add; the algorithms are in the
//!    modules named after families of functions, their constants in
//!    [`coefficients`], which coefficients.py computes.
//! 2. [`signs`] finds arguments that are never positive, for which a formula may be shorter.
//! 3. [`emit`] writes a formula for the types of an op.
//!
//! The algorithms are textbook ones: Cody and Waite, "Software Manual for the
//! Elementary Functions" (1980), for reductions; Payne and Hanek (1983) for large
//! arguments; Dekker (1971) and Knuth for pairs of numbers; Remez for
//! coefficients. Muller, "Elementary Functions" (2016), has them all.
//!
//! Cost: linear in the number of ops, with 30 to 300 new ops for each function.

mod coefficients;
mod double;
mod emit;
mod error_function;
mod exponential;
mod functions;
mod graph;
mod hyperbolic;
mod inverse_trigonometric;
mod large_reduction;
mod logarithm;
mod number;
mod polynomial;
mod power;
mod signs;
mod trigonometric;

use std::collections::HashMap;

use comb_kit::{machine, pass_error::PassError, walk::operations};
use functions::{FUNCTIONS, Function};
use graph::{Formula, Kind};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, view::op_name};
use thiserror::Error;

/// How accurate results are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Off by about one unit in the last place at most, also for subnormal
    /// numbers, and special values as C has them.
    Precise,
    /// Off by four units at most; subnormal numbers may count as 0.
    Fast,
}

/// What a pass was asked for and does not know.
#[derive(Debug, Error)]
#[error("mode is 'precise' or 'fast', not '{0}'")]
pub struct UnknownMode(String);

impl std::str::FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        match text {
            "precise" => Ok(Self::Precise),
            "fast" => Ok(Self::Fast),
            _ => Err(UnknownMode(text.to_owned())),
        }
    }
}

/// How a formula computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// In the type of the argument, for [`Mode::Fast`].
    Fast,
    /// In f64 for a result that will be rounded to f32.
    Short,
    /// In the type of the argument, with more bits than it has where they are needed.
    Precise,
}

/// Which arguments there are, besides NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Range {
    All,
    /// None is positive.
    NotPositive,
}

/// Expands the functions of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>, mode: Mode) -> Result<(), PassError<'c>> {
    let fma = machine::has_fma(module)?;
    let mut formulas: HashMap<(&str, Kind, Range), Formula> = HashMap::new();
    for op in operations(module) {
        let Some(kind) = expanded_kind(op)? else {
            continue;
        };
        let Some(builder) = Builder::before(op) else {
            continue;
        };
        let operands: Vec<Value> = op.operands().collect();
        let result = |function: &Function| {
            let range = match function.minds_range() {
                true => signs::range(operands[0]),
                false => Range::All,
            };
            let formula = formulas
                .entry((function.name, kind, range))
                .or_insert_with(|| function.formula(kind, range, mode, fma));
            emit::emit(&builder, formula, &operands)
        };
        let results: Result<Vec<_>, _> = functions_of(op).into_iter().map(result).collect();
        builder.replace(op, &results?);
    }
    Ok(())
}

/// The functions that an op computes, one for each result.
fn functions_of(op: OperationRef) -> Vec<&'static Function> {
    let Some(name) = op_name(op).strip_prefix("math.") else {
        return vec![];
    };
    let names = match name {
        "sincos" => vec!["sin", "cos"],
        _ => vec![name],
    };
    FUNCTIONS
        .iter()
        .filter(|function| names.contains(&function.name))
        .collect()
}

/// What an op's lanes are, if the op is expanded.
fn expanded_kind<'c>(op: OperationRef<'c, '_>) -> Result<Option<Kind>, PassError<'c>> {
    if functions_of(op).is_empty() {
        return Ok(None);
    }
    Ok(emit::lane_kind(op.operand(0)?.r#type()))
}
