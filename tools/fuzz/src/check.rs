//! Runs one program by the reference interpreter, as it is, prepared for fusion,
//! fused, as loop nests on tensors and in memory, as they are and simplified, and with its clusters erased again; and by compiled code, in this process or
//! as an executable that is watched for faults of the compiler.
//!
//! Results must agree to the bit, except that any NaN equals any other, and that functions such as
//! `exp` may be off by some units in the last place. If one of them ends with a run-time error, so must the other; which one of several
//! errors is met first is not compared.

use comb_driver::Compiler;
use comb_interpreter::Failure;
use comb_passes::{pipelines::nests_in_memory, upstream::canonicalize};
use comb_runtime::{ElementType, Scalar, Value};

use crate::{
    between,
    compiled::{Compilation, RunError, UNFUSED},
    cpus,
    fusion::{self, Fused, Settings},
    program::Program,
    staged::Staged,
    task::Kind,
    watched::{self, Watcher},
};

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All ways gave the same results.
    Agrees,
    /// All ended with a run-time error, as the program deserves.
    Fails,
    /// It has no form on a GPU, and the compiler says so.
    Refused,
    /// They differ, or the program is not even valid: a defect.
    Differs(String),
}

/// Which ways a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Interpreted, prepared for fusion, fused, and compiled.
    All,
    /// As all, but not compiled.
    Fusion,
    /// Interpreted, and compiled to an executable that is watched.
    Watched(Watcher),
    /// Compiled with and without passes in between that change no result.
    Between,
    /// Interpreted, and compiled for a GPU.
    Gpu,
}

impl Ways {
    /// What says so on the command line.
    pub fn arguments(self) -> Vec<String> {
        match self {
            Self::All => vec![],
            Self::Fusion => vec!["--fusion".to_owned()],
            Self::Watched(watcher) => vec![format!("--watch={watcher}")],
            Self::Between => vec!["--between".to_owned()],
            Self::Gpu => vec!["--gpu".to_owned()],
        }
    }
}

/// What the compiler says where something is not made for GPUs yet.
const NO_FORM: [&str; 3] = [
    "no form on a GPU yet",
    "becomes no kernel",
    "has a schedule for a GPU that cannot be obeyed",
];

fn has_no_form(reason: &str) -> bool {
    NO_FORM.iter().any(|text| reason.contains(text))
}

/// What is known of a program that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Whether all is as it must be.
    pub outcome: Outcome,
    /// What was fused, if it came to that.
    pub fused: Option<Fused>,
}

/// Runs a program.
pub fn check(program: &Program, ways: Ways) -> Checked {
    let compiler = Compiler::new();
    if ways == Ways::Between {
        return Checked {
            outcome: between::check(&compiler, program),
            fused: None,
        };
    }
    let (expected, fused) = match interpreted(&compiler, program) {
        Ok((expected, fused)) => (expected, fused),
        Err(reason) => {
            return Checked {
                outcome: Outcome::Differs(reason),
                fused: None,
            };
        }
    };
    let outcome = match (ways, expected) {
        (Ways::All, expected) => {
            let settings = Compilation::of(program.seed);
            let actual = settings.run(&compiler, program);
            let outcome = check_compiled(&compiler, program, settings, expected, actual);
            and_for_another_cpu(outcome, &compiler, program, settings)
        }
        (Ways::Watched(watcher), expected) => {
            let settings = Compilation::of(program.seed);
            let actual = watched::run(&compiler, program, settings, watcher);
            check_compiled(&compiler, program, settings, expected, actual)
        }
        (Ways::Gpu, expected) => {
            let settings = Compilation::of(program.seed).for_gpu();
            match settings.run(&compiler, program) {
                Err(RunError::Fault(reason)) if has_no_form(&reason) => Outcome::Refused,
                actual => check_compiled(&compiler, program, settings, expected, actual),
            }
        }
        (Ways::Fusion | Ways::Between, Ok(_)) => Outcome::Agrees,
        (Ways::Fusion | Ways::Between, Err(_)) => Outcome::Fails,
    };
    Checked {
        outcome,
        fused: Some(fused),
    }
}

/// What the interpreter makes of a program.
type Interpreted = Result<Vec<Value>, Failure>;

/// Interprets a program as it is, prepared for fusion, fused, as loop nests on tensors and in memory, as
/// they are and simplified, and with its clusters erased; gives what it gives when prepared, and what was fused.
fn interpreted(compiler: &Compiler, program: &Program) -> Result<(Interpreted, Fused), String> {
    let mut staged = Staged::new(compiler, program)
        .map_err(|error| format!("the program is not valid: {error}"))?;
    let expected = staged.interpret();
    staged.run(fusion::PREPARED)?;
    let prepared = staged.interpret();
    let may_be_lost = |error: &Failure| may_be_lost(program, &error.to_string());
    agree(program, &expected, &prepared, "prepared", &may_be_lost)?;
    let settings = Settings::of(program.seed);
    let fused = Fused::new(&mut staged, settings)?;
    let way = settings.to_string();
    let skips = |_: &Failure| fused.skips_elements();
    agree(program, &prepared, &staged.interpret(), &way, &skips)?;
    if settings.is_exact() {
        stays_fused(&staged, &fused, settings)?;
    }
    let mut nests = staged.copy();
    nests.lower_to_nests()?;
    let way = format!("{settings},{}", fusion::NESTS);
    agree(program, &prepared, &nests.interpret(), &way, &skips)?;
    let simplified = canonicalize(None, "");
    for lowered in [fusion::LOOPS, &nests_in_memory(), &simplified] {
        let mut nests = nests.copy();
        nests.run(lowered)?;
        let way = format!("{way},{lowered}");
        agree(program, &prepared, &nests.interpret(), &way, &skips)?;
    }
    staged.run(fusion::ERASED)?;
    let way = format!("{settings},{}", fusion::ERASED);
    agree(program, &prepared, &staged.interpret(), &way, &|_| false)?;
    Ok((prepared, fused))
}

/// That as much shares loops when what is fused is prepared and fused again.
fn stays_fused(program: &Staged, fused: &Fused, settings: Settings) -> Result<(), String> {
    let mut again = program.copy();
    again.run(fusion::PREPARED)?;
    let again = Fused::new(&mut again, settings)?;
    match again.shares_as_much(fused) {
        true => Ok(()),
        false => Err(format!("{settings} changes what it has fused")),
    }
}

/// That a program gives the same as before, or fails as before. An error that may
/// be lost may be gone.
fn agree(
    program: &Program,
    expected: &Interpreted,
    actual: &Interpreted,
    way: &str,
    may_be_lost: &dyn Fn(&Failure) -> bool,
) -> Result<(), String> {
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => match compare(program, expected, actual) {
            Outcome::Differs(reason) => Err(format!("{way}: {reason}")),
            Outcome::Agrees | Outcome::Fails | Outcome::Refused => Ok(()),
        },
        (Ok(_), Err(error)) => Err(format!("fails only when {way}: {error}")),
        (Err(error), Ok(_)) if !may_be_lost(error) => Err(format!("fails unless {way}: {error}")),
        (Err(_), Err(error @ (Failure::Bug { .. } | Failure::Unsupported { .. }))) => {
            Err(format!("{way}: {error}"))
        }
        (Err(_), _) => Ok(()),
    }
}

/// Compares compiled code with the interpreter.
fn check_compiled(
    compiler: &Compiler,
    program: &Program,
    settings: Compilation,
    expected: Interpreted,
    actual: Result<Vec<Value>, RunError>,
) -> Outcome {
    match (expected, actual) {
        (Err(Failure::Program { .. }), Ok(_)) if skips_elements(compiler, program, settings) => {
            Outcome::Fails
        }
        (Ok(expected), Ok(actual)) => compare(program, &expected, &actual),
        (Err(Failure::Program { .. }), Err(RunError::Program(_))) => Outcome::Fails,
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

/// Compiles a program of narrow elements for another CPU, too, if all is well so far.
fn and_for_another_cpu(
    outcome: Outcome,
    compiler: &Compiler,
    program: &Program,
    settings: Compilation,
) -> Outcome {
    if program.kind != Kind::Narrow || matches!(outcome, Outcome::Differs(_)) {
        return outcome;
    }
    let Some(cpu) = cpus::of(program.seed) else {
        return outcome;
    };
    match settings.object(compiler, program, cpu) {
        Ok(()) => outcome,
        Err(error) => Outcome::Differs(format!("compiled for {cpu}: {error}")),
    }
}

/// Whether a program that is compiled so computes only those elements of some array that a
/// gather reads.
fn skips_elements(compiler: &Compiler, program: &Program, settings: Compilation) -> bool {
    let fused = || {
        let mut staged = Staged::new(compiler, program)?;
        staged.run(fusion::PREPARED)?;
        Fused::new(&mut staged, Settings::compiled(settings.fusion))
    };
    settings.fusion != UNFUSED && fused().is_ok_and(|fused: Fused| fused.skips_elements())
}

/// Errors are explicit, so that none is lost with an op that nobody uses.
const CHECKED: &str = "soac-insert-checks";

/// The same, and passes that must not change what the program gives.
fn simplified() -> String {
    let canonicalize = canonicalize(None, "");
    format!("{CHECKED},{canonicalize},cse,{canonicalize}")
}

/// Interprets a program with its checks, simplified and not.
pub fn check_simplification(program: &Program) -> Outcome {
    match (
        interpreted_after(CHECKED, program),
        interpreted_after(&simplified(), program),
    ) {
        (Ok(expected), Ok(actual)) => compare(program, &expected, &actual),
        (Err(_), Err(_)) => Outcome::Fails,
        (Ok(_), Err(error)) => Outcome::Differs(format!("fails only when simplified: {error}")),
        (Err(error), Ok(_)) if may_be_lost(program, &error) => Outcome::Fails,
        (Err(error), Ok(_)) => Outcome::Differs(format!("fails unless simplified: {error}")),
    }
}

/// Indices are checked where they are used: a gather or scatter that nobody uses
/// goes, and its error with it. So does an external function that declares no
/// effects, and a pad that nobody uses, whatever computes its elements (S4).
fn may_be_lost(program: &Program, error: &str) -> bool {
    let text = program.text();
    error.contains("is out of range")
        || text.contains("effects none")
        || (error.contains("division by zero") && text.contains("tensor.pad"))
}

/// What a program gives after passes; why not, in words.
fn interpreted_after(passes: &str, program: &Program) -> Result<Vec<Value>, String> {
    let compiler = Compiler::new();
    let mut staged = Staged::new(&compiler, program)?;
    staged.run(passes)?;
    staged.interpret().map_err(|error| error.to_string())
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
        if let Some(difference) = difference(expected, actual, program.units(name)) {
            return Outcome::Differs(format!("%{name}: {difference}"));
        }
    }
    Outcome::Agrees
}

/// Where two values differ by more than some units in the last place.
pub(crate) fn difference(expected: &Value, actual: &Value, units: u64) -> Option<String> {
    if let (Value::Scalar(ty, left), Value::Scalar(other, right)) = (expected, actual)
        && ty == other
    {
        return (!same(*ty, *left, *right, units))
            .then(|| format!("{actual:?}, expected {expected:?}"));
    }
    let (Value::Array(left), Value::Array(right)) = (expected, actual) else {
        return Some(format!("is {}, expected {}", actual.ty(), expected.ty()));
    };
    if left.shape() != right.shape() || left.element() != right.element() {
        return Some(format!("is {}, expected {}", right.ty(), left.ty()));
    }
    left.scalars()
        .zip(right.scalars())
        .enumerate()
        .find(|(_, (from, to))| !same(left.element(), *from, *to, units))
        .map(|(position, (left, right))| {
            format!("element {position} is {right:?}, expected {left:?}")
        })
}

fn same(element: ElementType, left: Scalar, right: Scalar, units: u64) -> bool {
    match (left, right) {
        (Scalar::Float(from), Scalar::Float(to)) if from.is_nan() || to.is_nan() => {
            from.is_nan() && to.is_nan()
        }
        (Scalar::Float(from), Scalar::Float(to)) => {
            from.is_sign_negative() == to.is_sign_negative()
                && bits(element, left).abs_diff(bits(element, right)) <= units
        }
        _ => left == right,
    }
}

/// The bits of a scalar. Those of neighbours of one sign are neighbours.
fn bits(element: ElementType, scalar: Scalar) -> u64 {
    let mut bytes = [0; 8];
    scalar.write(element, &mut bytes[..element.byte_size()]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_different_sign_differ() {
        let same = |left, right| same(ElementType::F64, Scalar::Float(left), right, 0);
        assert!(!same(0.0, Scalar::Float(-0.0)));
        assert!(same(f64::NAN, Scalar::Float(-f64::NAN)));
    }

    #[test]
    fn functions_may_be_off_by_units_in_the_last_place() {
        let next = |steps| Scalar::Float(f64::from(f32::from_bits(1f32.to_bits() + steps)));
        let one = Scalar::Float(1.0);
        assert!(same(ElementType::F32, one, next(2), 2));
        assert!(!same(ElementType::F32, one, next(3), 2));
        assert!(!same(ElementType::F32, one, Scalar::Float(-1.0), 2));
        assert!(!same(ElementType::F32, one, Scalar::Float(f64::NAN), 2));
    }
}
