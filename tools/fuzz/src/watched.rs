//! Runs a random program as an executable that is watched for what results do not
//! show: accesses outside of arrays, races of threads, memory that was never written.
//!
//! The executable reads its inputs from files and writes its results to files, in a
//! folder that goes afterwards. Whatever a watcher says on standard error is a fault.

use std::{
    fmt,
    num::NonZeroU32,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use clap::ValueEnum;
use comb_driver::{
    Compiler,
    aot::{self, Build, Emit},
    code::CodeOptions,
    compile::{Compiled, CompiledEntry},
    sanitizer::Sanitizer,
};
use comb_runtime::{Scalar, Value, npy, signature::ParameterPlace};
use tempfile::TempDir;

use crate::{
    compiled::{Compilation, RunError},
    program::Program,
};

/// What watches a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Watcher {
    /// AddressSanitizer: accesses outside of memory that is in use.
    Address,
    /// ThreadSanitizer: races.
    Thread,
    /// Valgrind: also decisions that depend on memory that was never written.
    Valgrind,
}

/// The newest CPU whose instructions Valgrind knows.
const VALGRIND_CPU: &str = "x86-64-v3";

/// OpenMP's library is not compiled for ThreadSanitizer.
const TSAN_OPTIONS: &str = "ignore_noninstrumented_modules=1";

/// The exit code that stands for a report of Valgrind's.
const VALGRIND_EXIT_CODE: i32 = 99;

/// Valgrind translates some dozen instructions at once, and ends if it lacks memory for
/// that, as it does for 60 of vectors.
const VALGRIND_INSTRUCTIONS: &str = "--vex-guest-max-insns=20";

impl fmt::Display for Watcher {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Address => "address",
            Self::Thread => "thread",
            Self::Valgrind => "valgrind",
        })
    }
}

impl Watcher {
    /// How code is generated that is watched.
    pub(crate) fn code(self, code: CodeOptions) -> CodeOptions {
        match self {
            Self::Address => CodeOptions {
                sanitizer: Some(Sanitizer::Address),
                ..code
            },
            Self::Thread => CodeOptions {
                sanitizer: Some(Sanitizer::Thread),
                ..code
            },
            Self::Valgrind => CodeOptions {
                cpu: Some(VALGRIND_CPU.to_owned()),
                ..code
            },
        }
    }

    fn command(self, executable: &Path) -> Command {
        match self {
            Self::Address => Command::new(executable),
            Self::Thread => {
                let mut command = Command::new(executable);
                command.env("TSAN_OPTIONS", TSAN_OPTIONS);
                command
            }
            Self::Valgrind => {
                let mut command = Command::new("valgrind");
                command
                    .env("COMB_IDLE_MEMORY", "0")
                    .args(["--quiet", &format!("--error-exitcode={VALGRIND_EXIT_CODE}")])
                    .arg(VALGRIND_INSTRUCTIONS)
                    .arg(executable);
                command
            }
        }
    }

    /// What was found, if anything. A program that fails loses the memory it had
    /// taken.
    fn finding(self, output: &Output) -> Option<String> {
        let text = String::from_utf8_lossy(&output.stderr);
        let found = match self {
            Self::Address if text.contains("ERROR: LeakSanitizer") => !has_failed(&text),
            Self::Address | Self::Thread => text.contains("Sanitizer"),
            Self::Valgrind => output.status.code() == Some(VALGRIND_EXIT_CODE),
        };
        found.then(|| text.into_owned())
    }
}

/// Whether a program ended with a run-time error, by what it wrote.
fn has_failed(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("error: "))
}

/// Compiles a program to an executable, and runs it.
///
/// # Errors
///
/// If one of the two fails, or the watcher found a fault.
pub fn run(
    compiler: &Compiler,
    program: &Program,
    settings: Compilation,
    watcher: Watcher,
) -> Result<Vec<Value>, RunError> {
    let code = watcher.code(settings.code());
    let compiled = settings.compile(compiler, program, code.cpu.as_deref())?;
    let executable = Watched::build(compiler, &compiled, code, watcher)?;
    let parameters = program.parameters.iter();
    let inputs: Vec<_> = parameters
        .map(|parameter| (parameter.name.as_str(), &parameter.value))
        .collect();
    executable
        .call("main", &inputs, settings.threads)
        .map_err(|error| match error {
            RunError::Fault(text) => RunError::Fault(format!("{settings}: {text}")),
            error => error,
        })
}

/// An executable that is watched when it runs.
pub(crate) struct Watched {
    folder: TempDir,
    entries: Vec<CompiledEntry>,
    watcher: Watcher,
}

impl Watched {
    /// Makes an executable of a program, given [how code is generated](Watcher::code).
    ///
    /// # Errors
    ///
    /// If that fails.
    pub(crate) fn build(
        compiler: &Compiler,
        compiled: &Compiled,
        code: CodeOptions,
        watcher: Watcher,
    ) -> Result<Self, RunError> {
        let executable = Self {
            folder: tempfile::tempdir().map_err(RunError::fault)?,
            entries: compiled.entries.clone(),
            watcher,
        };
        let (path, emit) = (executable.path(), Some(Emit::Executable));
        let build = Build::new(&path, emit, code, &[]).map_err(RunError::fault)?;
        aot::build(compiler, compiled, &build).map_err(RunError::fault)?;
        Ok(executable)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Calls a function with named inputs.
    ///
    /// # Errors
    ///
    /// If it fails, or the watcher found a fault.
    pub(crate) fn call(
        &self,
        function: &str,
        inputs: &[(&str, &Value)],
        threads: NonZeroU32,
    ) -> Result<Vec<Value>, RunError> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.signature.name == function);
        let entry = entry.ok_or_else(|| RunError::Fault(format!("there is no @{function}")))?;
        let (folder, watcher) = (self.folder.path(), self.watcher);
        let mut command = watcher.command(&self.path());
        if self.entries.len() > 1 {
            command.args(["--entry", function]);
        }
        add_arguments(&mut command, folder, inputs, entry).map_err(RunError::fault)?;
        let output = command
            .args(["--threads", &threads.to_string()])
            .output()
            .map_err(|error| RunError::Fault(format!("cannot run under {watcher}: {error}")))?;
        if let Some(text) = watcher.finding(&output) {
            return Err(RunError::Fault(text));
        }
        results(folder, entry, &output)
    }
}

/// Writes the inputs, and says where they are and where results go.
fn add_arguments(
    command: &mut Command,
    folder: &Path,
    inputs: &[(&str, &Value)],
    entry: &CompiledEntry,
) -> Result<(), npy::WriteError> {
    for (name, value) in inputs {
        let value = match value {
            array @ Value::Array(_) => {
                let path = folder.join(format!("{name}.npy"));
                npy::write(&path, array)?;
                path.display().to_string()
            }
            Value::Scalar(_, Scalar::Int(value)) => value.to_string(),
            Value::Scalar(_, Scalar::Float(value)) => value.to_string(),
        };
        command.arg(format!("-i{name}={value}"));
    }
    for result in &entry.signature.results {
        let path = result_path(folder, &result.name);
        command.arg(format!("-o{}={}", result.name, path.display()));
    }
    Ok(())
}

/// The results that an executable wrote.
fn results(folder: &Path, entry: &CompiledEntry, output: &Output) -> Result<Vec<Value>, RunError> {
    let text = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(1 | 23) if has_failed(&text) => return Err(RunError::Program(text.into_owned())),
        _ => {
            let status = output.status;
            return Err(RunError::Fault(format!("the executable: {status}: {text}")));
        }
    }
    let read = |result| {
        let place = ParameterPlace {
            function: &entry.signature.name,
            parameter: result,
        };
        npy::read_value(&result_path(folder, &result.name), place)
            .map(|input| input.value)
            .map_err(RunError::fault)
    };
    entry.signature.results.iter().map(read).collect()
}

fn result_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.result.npy"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    fn output(code: i32, text: &str) -> Output {
        Output {
            status: ExitStatus::from_raw(code << 8),
            stdout: vec![],
            stderr: text.into(),
        }
    }

    #[test]
    fn reports_are_found() {
        let finds = |watcher: Watcher, code, text| watcher.finding(&output(code, text)).is_some();
        let overflow = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address";
        assert!(finds(Watcher::Address, 1, overflow));
        assert!(finds(
            Watcher::Thread,
            66,
            "WARNING: ThreadSanitizer: data race (pid=7)"
        ));
        assert!(finds(Watcher::Valgrind, 99, "==7== Invalid read of size 4"));
        for watcher in [Watcher::Address, Watcher::Thread, Watcher::Valgrind] {
            assert!(!finds(watcher, 0, ""));
            assert!(!finds(
                watcher,
                1,
                "error: a.mlir:1:2: index 7 is out of range"
            ));
        }
    }

    #[test]
    fn a_program_that_fails_may_lose_memory() {
        let leak = "==7==ERROR: LeakSanitizer: detected memory leaks";
        let failed = format!("error: index 7 is out of range\n{leak}");
        assert!(Watcher::Address.finding(&output(23, leak)).is_some());
        assert!(Watcher::Address.finding(&output(23, &failed)).is_none());
    }
}
