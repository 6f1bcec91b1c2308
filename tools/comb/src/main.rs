//! `comb`: compiles, runs and builds programs of array combinators, and solves
//! fusion problems.
//!
//! Exit codes: 0 success, 1 failure (the program, a file, memory, a run-time
//! error), 2 wrong usage, 128 + n ended by signal n.

mod build;
mod doctor;
mod explain;
mod explain_loops;
mod explain_memory;
mod failure;
mod import;
mod options;
mod progress;
mod run;
mod solve;

use std::{
    io::{self, Write},
    panic,
    process::ExitCode,
    thread,
};

use clap::Parser;

use crate::{
    failure::Failure,
    options::{Command, Options},
};

/// Ends with an error where Rust would abort.
#[global_allocator]
static ALLOCATOR: comb_driver::fatal::Allocator = comb_driver::fatal::Allocator;

/// What the loader runs before it initialises libraries.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".preinit_array")]
static BEFORE_LIBRARIES: extern "C" fn() = comb_driver::fatal::mind_memory;

/// Deeply nested programs need a deep stack; only what is used takes memory.
const STACK_SIZE: usize = 512 << 20;

fn main() -> ExitCode {
    panic::set_hook(Box::new(|info| {
        let _ = writeln!(
            io::stderr(),
            "error: internal error in comb, please report it: {info}"
        );
    }));
    let options = Options::parse();
    if let Err(error) = handle_signals(&options.command) {
        let _ = writeln!(io::stderr(), "warning: interrupts are not handled: {error}");
    }
    comb_driver::fatal::report_fatal_errors();
    comb_oracles::provide();
    let worker = thread::Builder::new()
        .stack_size(STACK_SIZE)
        .spawn(move || execute(&options));
    let outcome = match worker {
        Ok(worker) => worker.join(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: cannot start a thread: {error}");
            return ExitCode::FAILURE;
        }
    };
    match outcome {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            let _ = writeln!(io::stderr(), "{}", failure.message());
            failure.exit_code()
        }
        // The hook above has said what happened.
        Err(_) => ExitCode::FAILURE,
    }
}

/// An interrupted solver still gives its best answer; all else ends. A file that grows too large
/// is an error like any other.
fn handle_signals(command: &Command) -> io::Result<()> {
    comb_runtime::interrupt::fail_large_writes();
    match command {
        Command::Solve(options) if solve::heeds_interrupts(options) => solve::interrupt::install(),
        _ => comb_runtime::interrupt::install_interrupt_cleanup(),
    }
}

fn execute(options: &Options) -> Result<(), Failure> {
    match &options.command {
        Command::Run(options) => run::run(options),
        Command::Build(options) => build::build(options),
        Command::Solve(options) => solve::solve(options),
        Command::Explain(options) => explain::run(options),
        Command::Import(options) => import::import(options),
        Command::Doctor => doctor::doctor(),
    }
}

/// Writes to standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut standard_output = io::stdout().lock();
    standard_output
        .write_all(text.as_bytes())
        .and_then(|()| standard_output.flush())
        .map_err(Failure::StandardOutput)
}
