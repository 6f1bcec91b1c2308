//! Runs one program by the reference interpreter, as it is and prepared for fusion,
//! and by compiled code.
//!
//! Results must agree to the bit, except that any NaN equals any other. If one
//! of them ends with a run-time error, so must the other; which one of several
//! errors is met first is not compared.

use comb_driver::{
    Compiler,
    code::CodeOptions,
    compile::{PassOptions, compile},
    entry,
    jit::Executable,
    load,
    source::Source,
};
use comb_interpreter::{Failure, Limits, interpret};
use comb_runtime::{Scalar, Value};
use melior::{pass::PassManager, utility::parse_pass_pipeline};

use crate::program::Program;

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All ways gave the same results.
    Agrees,
    /// All ended with a run-time error, as the program deserves.
    Fails,
    /// They differ, or the program is not even valid: a defect.
    Differs(String),
}

/// Runs a program all ways.
pub fn check(program: &Program) -> Outcome {
    let name = format!("seed-{}.mlir", program.seed);
    let inputs: Vec<Value> = match program
        .parameters
        .iter()
        .map(|parameter| parameter.value.try_clone())
        .collect()
    {
        Ok(inputs) => inputs,
        Err(error) => return Outcome::Differs(format!("inputs: {error}")),
    };
    let compiler = Compiler::new();
    let parsed = match load::parse(&compiler, Source::new(name, program.text())) {
        Ok(parsed) => parsed,
        Err(error) => return Outcome::Differs(format!("the program is not valid: {error}")),
    };
    let expected = interpret(
        &parsed.module.as_operation(),
        "main",
        &inputs,
        &Limits::default(),
    );
    if let Outcome::Differs(reason) = check_preparation(program, &expected) {
        return Outcome::Differs(reason);
    }
    let actual = compiled(&compiler, parsed, &inputs);
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => compare(program, &expected, &actual),
        (Err(Failure::Program { .. }), Err(Stage::Run(_))) => Outcome::Fails,
        (Ok(_), Err(error)) => {
            Outcome::Differs(format!("the interpreter succeeds; compiled code: {error}"))
        }
        (Err(error), Ok(_)) => {
            Outcome::Differs(format!("compiled code succeeds; the interpreter: {error}"))
        }
        (Err(expected), Err(actual)) => Outcome::Differs(format!(
            "the interpreter: {expected}; compiled code: {actual}"
        )),
    }
}

/// Errors are explicit, so that none is lost with an op that nobody uses.
const CHECKED: &str = "builtin.module(soac-insert-checks)";

/// The same, and passes that must not change what the program gives.
const SIMPLIFIED: &str = "builtin.module(soac-insert-checks,canonicalize,cse,canonicalize)";

/// Interprets a program with its checks, simplified and not.
pub fn check_simplification(program: &Program) -> Outcome {
    match (
        interpreted_after(CHECKED, program),
        interpreted_after(SIMPLIFIED, program),
    ) {
        (Ok(expected), Ok(actual)) => compare(program, &expected, &actual),
        (Err(_), Err(_)) => Outcome::Fails,
        (Ok(_), Err(error)) => Outcome::Differs(format!("fails only when simplified: {error}")),
        (Err(error), Ok(_)) if may_be_lost(program, &error) => Outcome::Fails,
        (Err(error), Ok(_)) => Outcome::Differs(format!("fails unless simplified: {error}")),
    }
}

/// What fusion is given.
const PREPARED: &str = "builtin.module(comb-prepare-fusion)";

/// Interprets a program prepared for fusion, and compares with what it gives
/// otherwise.
fn check_preparation(program: &Program, expected: &Result<Vec<Value>, Failure>) -> Outcome {
    match (expected, interpreted_after(PREPARED, program)) {
        (Ok(expected), Ok(actual)) => compare(program, expected, &actual),
        (Ok(_), Err(error)) => Outcome::Differs(format!("fails only when prepared: {error}")),
        (Err(error), Ok(_)) if !may_be_lost(program, &error.to_string()) => {
            Outcome::Differs(format!("fails unless prepared: {error}"))
        }
        (Err(_), _) => Outcome::Fails,
    }
}

/// Indices are checked where they are used: a gather or scatter that nobody uses
/// goes, and its error with it. So does an external function that declares no
/// effects.
fn may_be_lost(program: &Program, error: &str) -> bool {
    error.contains("is out of range") || program.text().contains("effects none")
}

/// What a program gives after passes; why not, in words.
fn interpreted_after(passes: &str, program: &Program) -> Result<Vec<Value>, String> {
    let compiler = Compiler::new();
    let source = Source::new(format!("seed-{}.mlir", program.seed), program.text());
    let mut parsed = load::parse(&compiler, source).map_err(|error| error.to_string())?;
    let manager = PassManager::new(compiler.context());
    parse_pass_pipeline(manager.as_operation_pass_manager(), passes)
        .and_then(|()| manager.run(&mut parsed.module))
        .map_err(|error| format!("{passes}: {error}"))?;
    let inputs: Vec<Value> = program
        .parameters
        .iter()
        .map(|parameter| parameter.value.try_clone())
        .collect::<Result<_, _>>()
        .map_err(|error| format!("inputs: {error}"))?;
    let module = parsed.module.as_operation();
    interpret(&module, "main", &inputs, &Limits::default()).map_err(|error| error.to_string())
}

/// Where compiled code failed.
#[derive(Debug, thiserror::Error)]
enum Stage {
    #[error("choosing the entry: {0}")]
    Entry(#[from] entry::EntryError),
    #[error("compiling: {0}")]
    Compile(#[from] comb_driver::compile::CompileError),
    #[error("linking: {0}")]
    Jit(#[from] comb_driver::jit::JitError),
    #[error("running: {0}")]
    Run(#[from] comb_driver::jit::RunError),
}

fn compiled(
    compiler: &Compiler,
    parsed: load::Program,
    inputs: &[Value],
) -> Result<Vec<Value>, Stage> {
    let signature = entry::choose(&parsed, Some("main"))?;
    let compiled = compile(
        compiler,
        parsed,
        vec![signature],
        "comb",
        PassOptions::default(),
    )?;
    let executable = Executable::new(compiler, &compiled, &CodeOptions::default(), &[])?;
    Ok(executable.function("main")?.call(inputs)?)
}

fn compare(program: &Program, expected: &[Value], actual: &[Value]) -> Outcome {
    let names = program.results();
    if expected.len() != actual.len() {
        return Outcome::Differs(format!(
            "{} results, expected {}",
            actual.len(),
            expected.len()
        ));
    }
    for ((expected, actual), (name, _)) in expected.iter().zip(actual).zip(&names) {
        if let Some(difference) = difference(expected, actual) {
            return Outcome::Differs(format!("%{name}: {difference}"));
        }
    }
    Outcome::Agrees
}

/// Where two values differ.
fn difference(expected: &Value, actual: &Value) -> Option<String> {
    let (Value::Array(left), Value::Array(right)) = (expected, actual) else {
        return (format!("{expected:?}") != format!("{actual:?}"))
            .then(|| format!("{actual:?}, expected {expected:?}"));
    };
    if left.shape() != right.shape() || left.element() != right.element() {
        return Some(format!("is {}, expected {}", right.ty(), left.ty()));
    }
    left.scalars()
        .zip(right.scalars())
        .enumerate()
        .find(|(_, (left, right))| !same(*left, *right))
        .map(|(position, (left, right))| {
            format!("element {position} is {right:?}, expected {left:?}")
        })
}

fn same(left: Scalar, right: Scalar) -> bool {
    match (left, right) {
        (Scalar::Float(left), Scalar::Float(right)) => {
            left.to_bits() == right.to_bits() || (left.is_nan() && right.is_nan())
        }
        _ => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_different_sign_differ() {
        assert!(!same(Scalar::Float(0.0), Scalar::Float(-0.0)));
        assert!(same(Scalar::Float(f64::NAN), Scalar::Float(-f64::NAN)));
    }
}
