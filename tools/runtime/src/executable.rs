//! The `main` of an executable made by `comb build`: reads its arguments,
//! loads the inputs, calls the compiled function, stores and shows the results.
//!
//! Exit codes: 0 success, 1 failure (a file, memory, a run-time error of the
//! program), 2 wrong usage, 128 + n ended by signal n.

use std::ffi::{CStr, OsString, c_char, c_int};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::os::unix::ffi::OsStrExt;
use std::panic;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{CommandFactory, FromArgMatches};

use crate::Value;
use crate::abi::{CallError, Entry, PreparedCall};
use crate::bind::{self, BindError};
use crate::environment::{self, EnvironmentError};
use crate::files::{Conflict, Files};
use crate::interrupt;
use crate::npy::{self, WriteError};
use crate::report::{Report, ReportedResult};
use crate::sign::{self, Sign};
use crate::signature::Signature;
use crate::spec::{self, InputError};
use crate::threads::{self, NoTeam, set_thread_count};
use crate::timings::Timings;

const SUCCESS: c_int = 0;
const FAILURE: c_int = 1;
const USAGE: c_int = 2;

/// What stands behind the name that the executable goes by.
const VERSION: &str = concat!("(compiled by comb ", env!("CARGO_PKG_VERSION"), ")");

#[derive(clap::Parser)]
#[command(version = VERSION, about = "A program compiled by comb")]
struct Options {
    /// The value of a parameter; see below for SPEC
    #[arg(short = 'i', long = "input", value_name = "NAME=SPEC")]
    inputs: Vec<OsString>,

    /// Write a result to a .npy file instead of showing it; - is standard output
    #[arg(short = 'o', long = "output", value_name = "NAME=PATH")]
    outputs: Vec<OsString>,

    /// The function to call [default: the only one, or else main]
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// How often to call it, for timing; if more than once, a first call is not counted
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Threads for parallel loops [default: OMP_NUM_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = threads::parse_count)]
    threads: Option<NonZeroU32>,

    /// Report results and timings as JSON
    #[arg(long)]
    json: bool,
}

/// Why the executable ends without success.
#[derive(Debug, thiserror::Error)]
enum ExecutableError {
    #[error("the executable's embedded signatures are damaged: {0}")]
    Signatures(#[from] serde_json::Error),
    #[error("there is no function '{name}'; there is:\n  {known}")]
    UnknownEntry { name: String, known: String },
    #[error("there are several functions; choose one with --entry:\n  {known}")]
    Ambiguous { known: String },
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    #[error(transparent)]
    Usage(#[from] BindError),
    #[error(transparent)]
    Threads(#[from] NoTeam),
    #[error(transparent)]
    Files(#[from] Conflict),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Output(#[from] WriteError),
    #[error("cannot write to standard output: {}", npy::reason(.0))]
    StandardOutput(io::Error),
}

impl ExecutableError {
    fn exit_code(&self) -> c_int {
        match self {
            ExecutableError::UnknownEntry { .. }
            | ExecutableError::Ambiguous { .. }
            | ExecutableError::Usage(_)
            | ExecutableError::Files(_) => USAGE,
            _ => FAILURE,
        }
    }
}

/// Runs the executable and returns its exit code.
///
/// # Safety
///
/// `argv` points to `argc` NUL-terminated strings. `signatures_json` is a
/// NUL-terminated JSON array of signatures, and `entries` points to the entry
/// point of each, in the same order, which fulfil what
/// [`PreparedCall::new`] asks for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comb_executable_main(
    argc: c_int,
    argv: *const *const c_char,
    signatures_json: *const c_char,
    entries: *const Entry,
) -> c_int {
    panic::set_hook(Box::new(report_panic));
    let outcome = panic::catch_unwind(|| {
        // SAFETY: the caller's promise.
        let arguments = unsafe { arguments(argc, argv) };
        // SAFETY: the caller's promise.
        let json = unsafe { CStr::from_ptr(signatures_json) }.to_string_lossy();
        let signatures: Vec<Signature> = match serde_json::from_str(&json) {
            Ok(signatures) => signatures,
            Err(error) => return Err(error.into()),
        };
        // SAFETY: the caller's promise; one entry per signature.
        let entries = unsafe { std::slice::from_raw_parts(entries, signatures.len()) };
        run(&arguments, &signatures, entries)
    });
    match outcome {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            error.exit_code()
        }
        Err(_) => FAILURE,
    }
}

fn report_panic(info: &panic::PanicHookInfo<'_>) {
    let _ = writeln!(
        io::stderr(),
        "error: internal error in comb's runtime library, please report it: {info}"
    );
}

/// # Safety
///
/// `argv` points to `argc` NUL-terminated strings.
unsafe fn arguments(argc: c_int, argv: *const *const c_char) -> Vec<OsString> {
    (0..usize::try_from(argc).unwrap_or(0))
        .map(|position| {
            // SAFETY: the caller's promise.
            let argument = unsafe { CStr::from_ptr(*argv.add(position)) };
            std::ffi::OsStr::from_bytes(argument.to_bytes()).to_owned()
        })
        .collect()
}

fn run(
    arguments: &[OsString],
    signatures: &[Signature],
    entries: &[Entry],
) -> Result<c_int, ExecutableError> {
    interrupt::fail_large_writes();
    if let Err(error) = interrupt::install_interrupt_cleanup() {
        let _ = writeln!(io::stderr(), "warning: interrupts are not handled: {error}");
    }
    let options = match parse_options(arguments, signatures) {
        Ok(options) => options,
        Err(message) => {
            // Help and version are such messages too, with code 0.
            let printed = message.print();
            return match (printed, message.exit_code()) {
                (Err(error), SUCCESS) => Err(ExecutableError::StandardOutput(error)),
                (_, code) => Ok(code),
            };
        }
    };
    environment::check()?;
    let chosen = choose(signatures, options.entry.as_deref())?;
    let report = execute(&options, &signatures[chosen], entries[chosen])?;
    print(&report, &options)?;
    Ok(SUCCESS)
}

fn parse_options(arguments: &[OsString], signatures: &[Signature]) -> Result<Options, clap::Error> {
    let name = arguments
        .first()
        .and_then(|path| Path::new(path).file_name())
        .map_or_else(
            || "program".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
    let mut command = Options::command()
        .display_name(name.clone())
        .bin_name(name)
        .after_help(format!(
            "Functions:\n  {}\n\n{}",
            list(signatures),
            spec::HELP
        ));
    let matches = command.try_get_matches_from_mut(arguments)?;
    Options::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn list(signatures: &[Signature]) -> String {
    let lines: Vec<String> = signatures.iter().map(Signature::to_string).collect();
    lines.join("\n  ")
}

fn choose(signatures: &[Signature], entry: Option<&str>) -> Result<usize, ExecutableError> {
    let find = |name: &str| {
        signatures
            .iter()
            .position(|signature| signature.name == name)
    };
    let unknown = |name: &str| ExecutableError::UnknownEntry {
        name: name.to_owned(),
        known: list(signatures),
    };
    match entry {
        Some(name) => {
            let name = name.strip_prefix('@').unwrap_or(name);
            find(name).ok_or_else(|| unknown(name))
        }
        None if signatures.len() == 1 => Ok(0),
        None => find("main").ok_or_else(|| ExecutableError::Ambiguous {
            known: list(signatures),
        }),
    }
}

fn execute(
    options: &Options,
    signature: &Signature,
    entry: Entry,
) -> Result<Report, ExecutableError> {
    let specs = bind::inputs(signature, &options.inputs)?;
    let paths = bind::outputs(signature, &options.outputs)?;
    let mut files = Files::default();
    for path in bind::files(&specs) {
        files.reads(path);
    }
    for path in paths.iter().flatten() {
        files.writes(path)?;
        npy::check_target(path)?;
    }
    let mut timings = Timings::default();

    let start = Instant::now();
    let inputs = bind::load(signature, &specs)?;
    timings.load = Some(start.elapsed());
    let signs = sign::of_results(signature, &inputs);
    let inputs = sign::values(inputs);

    if let Some(threads) = options.threads {
        set_thread_count(threads)?;
    }
    // SAFETY: comb_executable_main's caller vouches for the entry points.
    let mut call = unsafe { PreparedCall::new(entry, signature, &inputs) }?;
    match options.repeat {
        1 => {
            let start = Instant::now();
            let is_started = threads::start_team(&inputs)?;
            timings.team = is_started.then(|| start.elapsed());
        }
        _ => {
            call.invoke();
            call.finish().map_err(CallError::from)?;
        }
    }
    for _ in 0..options.repeat {
        let start = Instant::now();
        call.invoke();
        call.finish().map_err(CallError::from)?;
        timings.runs.push(start.elapsed());
    }
    let values = call.take_results()?;

    if paths.iter().any(Option::is_some) {
        let start = Instant::now();
        store(&values, &signs, &paths)?;
        timings.store = Some(start.elapsed());
    }
    let values = values.into_iter().zip(signs);
    let results = signature.results.iter().zip(values).zip(paths);
    Ok(Report {
        entry: signature.name.clone(),
        results: results
            .map(|((result, (value, sign)), path)| ReportedResult {
                name: result.name.clone(),
                value,
                sign,
                path,
            })
            .collect(),
        timings,
    })
}

fn store(values: &[Value], signs: &[Sign], paths: &[Option<PathBuf>]) -> Result<(), WriteError> {
    let outputs: Vec<(&Path, &Value, Sign)> = paths
        .iter()
        .zip(values)
        .zip(signs)
        .filter_map(|((path, value), sign)| Some((path.as_deref()?, value, *sign)))
        .collect();
    npy::write_all(&outputs)
}

/// The report goes to standard output, unless a result went there.
fn print(report: &Report, options: &Options) -> Result<(), ExecutableError> {
    let text = if options.json {
        format!("{:#}\n", report.to_json())
    } else {
        report.to_text()
    };
    let result_on_standard_output = report
        .results
        .iter()
        .any(|result| result.path.as_deref() == Some(Path::new(bind::STANDARD_OUTPUT)));
    if result_on_standard_output {
        let _ = io::stderr().write_all(text.as_bytes());
        return Ok(());
    }
    let mut standard_output = io::stdout().lock();
    standard_output
        .write_all(text.as_bytes())
        .and_then(|()| standard_output.flush())
        .map_err(ExecutableError::StandardOutput)
}
