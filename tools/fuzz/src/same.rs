//! Calls that a program's comments name, interpreted and compiled in several ways: what they give is
//! shown, and has to be the same in all ways.
//!
//! ```mlir
//! // RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
//!
//! // CALL-LABEL: sum iota:i32[1000]
//! // GIVES: result: tensor<i32> = 499500
//! func.func @sum(%x: tensor<?xi32>) -> tensor<i32> { … }
//! ```
//!
//! What the interpreter makes of the program as it is written is right. Results may differ from that by some units in
//! the last place, as sums of floating-point numbers do. A call that fails has to fail in all ways
//! with the same message, but for the place in it: so only one thing may be wrong with it.
//!
//! Phases: read calls ([`calls`]), interpret them, and for each way ([`ways`]) make code of all functions together,
//! and call them one after the other.
//!
//! Cost: for each way, what it takes to compile the program once, whatever the number of calls.

mod calls;
mod ways;

use std::{collections::BTreeMap, io, num::NonZeroU32, path::Path};

use comb_driver::{
    Compiler,
    compile::{Verified, compile, run_passes},
    entry, interpretable,
    jit::Executable,
    load::{self, Program},
};
use comb_interpreter::Limits;
use comb_runtime::{
    Signature, Value, bind, report,
    sign::{self, Sign},
    threads::set_thread_count,
};

pub use self::calls::Call;
use self::ways::{Way, ways};
use crate::{
    between::copy,
    check::difference,
    compiled::RunError,
    watched::{Watched, Watcher},
};

/// By how many units in the last place results may differ.
const UNITS: u64 = 64;

/// The prefix of entry points' symbols.
const PREFIX: &str = "same";

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
pub enum SameError {
    /// The file that says what is called cannot be read: the caller's fault.
    #[error("cannot read '{path}': {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file names none: the caller's fault.
    #[error("'{path}' names no call, such as '// {}: f iota:i32[9]'", calls::MARK)]
    NoCalls {
        /// The file.
        path: String,
    },
    /// Not even a function is named: the caller's fault.
    #[error("a call is a function and its arguments, such as 'f iota:i32[9] 3'")]
    NoFunction,
    /// The program is not valid, or a call does not fit it: the caller's fault.
    #[error("{place}: {reason}")]
    Invalid {
        /// The program, or the call.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

/// A call whose inputs are there.
struct Bound {
    call: Call,
    signature: Signature,
    inputs: Vec<Value>,
    signs: Vec<Sign>,
}

/// What a call gives; why nothing, in words.
type Outcome = Result<Vec<Value>, String>;

/// Something that can be called.
type Callee<'p> = Box<dyn Fn(&Bound) -> Outcome + 'p>;

/// Makes all calls in all ways, hands on what each of them gives as text, and gives what is not the same. If there is
/// a watcher, compiled programs are executables that are watched.
///
/// # Errors
///
/// If the program is not valid, or a call cannot be made.
pub fn check(
    file: &Path,
    calls: Vec<Call>,
    watcher: Option<Watcher>,
    show: &mut dyn FnMut(&str),
) -> Result<Vec<String>, SameError> {
    let compiler = Compiler::new();
    let program = load::load(&compiler, file).map_err(invalid(&file.display().to_string()))?;
    let calls = calls.into_iter().map(|call| bound(&program, call));
    let calls = calls.collect::<Result<Vec<_>, _>>()?;
    let written = interpreter(&compiler, copy(&program)).map_err(invalid("the interpreter"))?;
    let expected: Vec<Outcome> = calls.iter().map(written).collect();
    for (bound, outcome) in calls.iter().zip(&expected) {
        show(&shown(bound, outcome));
    }
    let mut differences = vec![];
    let text = program.module.as_operation().to_string();
    for way in ways(&text, calls.iter().map(|bound| bound.call.entry.as_str())) {
        let mine = || {
            calls
                .iter()
                .zip(&expected)
                .filter(|(bound, _)| way.is_for(&bound.call.entry))
        };
        let callee = callee(
            &compiler,
            copy(&program),
            &way,
            mine().map(|(bound, _)| bound),
            watcher,
        );
        for (bound, expected) in mine() {
            let actual = match &callee {
                Ok(callee) => callee(bound),
                Err(error) => Err(error.clone()),
            };
            if let Some(difference) = differs(bound, expected, &actual) {
                differences.push(format!("{}, {way}: {difference}", bound.call.line));
                // All calls would say the same of a program that cannot be compiled.
                if callee.is_err() {
                    break;
                }
            }
        }
    }
    Ok(differences)
}

/// The calls that comments of a file name, in order.
///
/// # Errors
///
/// If the file cannot be read, or names none.
pub fn named_in(file: &Path) -> Result<Vec<Call>, SameError> {
    let path = file.display().to_string();
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|source| SameError::Read {
        path: path.clone(),
        source,
    })?;
    let calls = calls::named(&text);
    if calls.is_empty() {
        return Err(SameError::NoCalls { path });
    }
    Ok(calls)
}

/// A call with its inputs.
fn bound(program: &Program, call: Call) -> Result<Bound, SameError> {
    let place = call.line.clone();
    let signature = entry::choose(program, Some(&call.entry)).map_err(invalid(&place))?;
    let names = signature.parameters.iter().map(|parameter| &parameter.name);
    let options: Vec<_> = names
        .zip(&call.arguments)
        .map(|(name, argument)| format!("{name}={argument}").into())
        .collect();
    if options.len() != call.arguments.len() {
        let (given, wanted) = (call.arguments.len(), signature.parameters.len());
        return Err(invalid(&place)(format!(
            "{given} arguments for {wanted} parameters"
        )));
    }
    let specs = bind::inputs(&signature, &options).map_err(invalid(&place))?;
    let inputs = bind::load(&signature, &specs).map_err(invalid(&place))?;
    Ok(Bound {
        signs: sign::of_results(&signature, &inputs),
        inputs: sign::values(inputs),
        signature,
        call,
    })
}

fn invalid<E: ToString>(place: &str) -> impl Fn(E) -> SameError {
    move |error| SameError::Invalid {
        place: place.to_owned(),
        reason: error.to_string(),
    }
}

/// Lowers a program in one way.
fn callee<'p, 'c: 'p>(
    compiler: &'c Compiler,
    mut program: Program<'c>,
    way: &Way,
    calls: impl Iterator<Item = &'p Bound>,
    watcher: Option<Watcher>,
) -> Result<Callee<'p>, String> {
    if !way.passes.is_empty() {
        run_passes(compiler, &mut program, &way.passes, Verified::Each)
            .map_err(|error| error.to_string())?;
    }
    let Some(compiled) = &way.compiled else {
        return interpreter(compiler, program);
    };
    let signatures: BTreeMap<_, _> = calls
        .map(|bound| (&bound.call.entry, bound.signature.clone()))
        .collect();
    let signatures = signatures.into_values().collect();
    let code = match watcher {
        Some(watcher) => watcher.code(compiled.code()),
        None => compiled.code(),
    };
    let passes = compiled.pass_options(code.cpu.as_deref());
    let passes = passes.map_err(|error| error.to_string())?;
    let program = compile(compiler, program, signatures, PREFIX, passes);
    let program = program.map_err(|error| error.to_string())?;
    match watcher {
        Some(watcher) => {
            let executable = Watched::build(compiler, &program, code, watcher);
            Ok(watched(
                executable.map_err(|error| error.to_string())?,
                compiled.threads,
            ))
        }
        None => {
            let executable = Executable::new(compiler, &program, &code, &[]);
            Ok(here(
                executable.map_err(|error| error.to_string())?,
                compiled.threads,
            ))
        }
    }
}

/// Calls of an interpreted program.
fn interpreter<'p>(compiler: &Compiler, mut program: Program) -> Result<Callee<'p>, String> {
    interpretable::prepare(compiler, &mut program).map_err(|error| error.to_string())?;
    let read = comb_interpreter::Program::read(&program.module.as_operation());
    let program = read.map_err(|error| error.to_string())?;
    Ok(Box::new(move |bound| {
        let inputs = bound.inputs.iter().map(Into::into).collect();
        let results = program.run(&bound.signature.name, inputs, &Limits::default());
        let results = results.map_err(|error| error.to_string())?;
        let values = results.iter().map(Value::try_from);
        values
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())
    }))
}

/// Calls of a program that is compiled into this process.
fn here<'p>(executable: Executable, threads: NonZeroU32) -> Callee<'p> {
    Box::new(move |bound| {
        set_thread_count(threads).map_err(|error| error.to_string())?;
        let function = executable.function(&bound.signature.name);
        let function = function.map_err(|error| error.to_string())?;
        function
            .call(&bound.inputs)
            .map_err(|error| error.to_string())
    })
}

/// Calls of a program that is an executable, and watched.
fn watched<'p>(executable: Watched, threads: NonZeroU32) -> Callee<'p> {
    Box::new(move |bound| {
        let parameters = bound.signature.parameters.iter();
        let names = parameters.map(|parameter| parameter.name.as_str());
        let inputs: Vec<_> = names.zip(&bound.inputs).collect();
        match executable.call(&bound.signature.name, &inputs, threads) {
            Ok(values) => Ok(values),
            Err(RunError::Program(text) | RunError::Fault(text)) => Err(text),
        }
    })
}

/// What a call gives, as text: each result in a line.
fn shown(bound: &Bound, outcome: &Outcome) -> String {
    let values = match outcome {
        Ok(values) => values,
        Err(error) => return format!("{}\nerror: {}\n", bound.call.line, message(error)),
    };
    let results = bound.signature.results.iter().zip(values).zip(&bound.signs);
    let lines = results.map(|((result, value), &sign)| {
        let text = report::shown(&result.name, value, sign);
        let words: Vec<_> = text.split_whitespace().collect();
        words.join(" ").replace("[ ", "[") + "\n"
    });
    format!("{}\n{}", bound.call.line, lines.collect::<String>())
}

/// How what a call gives is not what it should give.
fn differs(bound: &Bound, expected: &Outcome, actual: &Outcome) -> Option<String> {
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => {
            let pairs = bound
                .signature
                .results
                .iter()
                .zip(expected.iter().zip(actual));
            pairs
                .map(|(result, (expected, actual))| (result, difference(expected, actual, UNITS)))
                .find_map(|(result, difference)| Some(format!("{}: {}", result.name, difference?)))
        }
        (Ok(_), Err(error)) => Some(format!("an error: {error}")),
        (Err(error), Ok(_)) => Some(format!("no error, expected {}", message(error))),
        (Err(expected), Err(actual)) => {
            let (expected, actual) = (message(expected), message(actual));
            (expected != actual).then(|| format!("the error {actual}, expected {expected}"))
        }
    }
}

/// What an error says first, without the place: some programs are run from what passes gave.
fn message(error: &str) -> &str {
    let line = error.lines().find(|line| line.starts_with("error: "));
    let line = line.or(error.lines().next()).unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = line.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (_, Some(row), Some(column), Some(rest)) if is_number(row) && is_number(column) => {
            rest.trim_start()
        }
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn places_in_messages_do_not_count() {
        assert_eq!(
            message("a/b.mlir:3:14: index 7 is out of range"),
            "index 7 is out of range"
        );
        assert_eq!(
            message("warning: x\nerror: <stdin>:3:14: no: 1:2"),
            "no: 1:2"
        );
        assert_eq!(message("no place: 1:2"), "no place: 1:2");
        assert_eq!(message(""), "");
    }
}
