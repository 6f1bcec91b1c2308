//! Why `comb` ends without success, and with which code.

use std::{io, process::ExitCode};

use crate::{explain::ExplainFailure, import::ImportFailure, solve::SolveFailure};
use comb_driver::{
    aot::BuildError,
    code::CodeError,
    compile::CompileError,
    entry::EntryError,
    jit::{JitError, RunError},
    load::LoadError,
};
use comb_passes::fuse::InvalidOption;
use comb_runtime::{
    abi::CallError, bind::BindError, device::DeviceError, environment::EnvironmentError,
    files::Conflict, npy, spec::InputError, threads::NoTeam,
};

/// Why `comb` ends without success.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Jit(#[from] JitError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Usage(#[from] BindError),
    #[error(transparent)]
    Threads(#[from] NoTeam),
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Interpreter(#[from] comb_interpreter::Failure),
    #[error("result '{name}' of @{function}: {source}")]
    InterpretedResult {
        function: String,
        name: String,
        source: comb_interpreter::Failure,
    },
    #[error(
        "internal error, please report it: result '{name}' of @{function} depends on the order in \
         which threads of a kernel run"
    )]
    DependsOnOrder { function: String, name: String },
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Solve(#[from] SolveFailure),
    #[error(transparent)]
    Explain(#[from] ExplainFailure),
    #[error(transparent)]
    Import(#[from] ImportFailure),
    #[error(transparent)]
    Fusion(#[from] InvalidOption),
    #[error(transparent)]
    Output(#[from] npy::WriteError),
    #[error(transparent)]
    Overwriting(#[from] Conflict),
    #[error(
        "{option} shows what is compiled, and the interpreter compiles nothing; leave out one of the two"
    )]
    NothingCompiled { option: &'static str },
    #[error("cannot write to standard output: {}", npy::reason(.0))]
    StandardOutput(io::Error),
}

impl Failure {
    /// What is printed. Diagnostics about a program's text begin with their
    /// place, all else with `error:`.
    pub fn message(&self) -> String {
        match self {
            Failure::Load(LoadError::Invalid(diagnostics))
            | Failure::Compile(CompileError::Passes(diagnostics))
            | Failure::Jit(JitError::Code(CodeError::Translation(diagnostics)))
            | Failure::Build(BuildError::Code(CodeError::Translation(diagnostics))) => {
                diagnostics.to_string()
            }
            Failure::Entry(EntryError::Signature(diagnostic)) => diagnostic.to_string(),
            other => format!("error: {other}"),
        }
    }

    /// 2 if the command line is wrong, else 1.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage(_)
            | Failure::Overwriting(_)
            | Failure::NothingCompiled { .. }
            | Failure::Solve(
                SolveFailure::OneGraphOnly { .. }
                | SolveFailure::Combination { .. }
                | SolveFailure::ForGraphs { .. }
                | SolveFailure::PartitionCost { .. }
                | SolveFailure::UnknownEnding { .. },
            )
            | Failure::Entry(EntryError::Unknown { .. } | EntryError::Ambiguous { .. })
            | Failure::Build(
                BuildError::UnknownEnding { .. }
                | BuildError::NotLinked { .. }
                | BuildError::NoSoname { .. },
            ) => ExitCode::from(2),
            Failure::Explain(failure) if failure.is_usage() => ExitCode::from(2),
            Failure::Fusion(_) => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}
