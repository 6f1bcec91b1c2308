//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use comb_driver::{aot::Emit, code::Optimization, compile::PassOptions};

const RUN_HELP: &str = "SPEC is a .npy file, a number, or a rule:\n  \
    random:f32[1000,1000]:SEED, random:index(0..100)[50]:SEED,\n  \
    zeros:i8[3], ones:f64[2,2], iota:i64[10]\n\n\
    Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted";

/// Compiles, runs and builds programs of array combinators.
#[derive(Parser)]
#[command(version, about)]
pub struct Options {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Compile a program and run it
    #[command(after_help = RUN_HELP)]
    Run(RunOptions),
    /// Compile a program to a file: an object, a shared library, an executable
    Build(BuildOptions),
    /// Show what this installation has
    Doctor,
}

/// How to compile.
#[derive(Args)]
pub struct CompileOptions {
    /// How hard to optimise
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2")]
    pub optimization: OptimizationLevel,

    /// Leave out all run-time checks: the behaviour of a program that fails is
    /// undefined (the interpreter always checks)
    #[arg(long)]
    pub unchecked: bool,
}

impl CompileOptions {
    /// What the passes are told.
    pub fn passes(&self) -> PassOptions {
        PassOptions {
            unchecked: self.unchecked,
        }
    }
}

/// `-O` on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum OptimizationLevel {
    /// Not at all; compiles fastest
    #[value(name = "0")]
    O0,
    /// A little
    #[value(name = "1")]
    O1,
    /// With vectorisation
    #[value(name = "2")]
    O2,
    /// Harder
    #[value(name = "3")]
    O3,
}

impl From<OptimizationLevel> for Optimization {
    fn from(level: OptimizationLevel) -> Self {
        match level {
            OptimizationLevel::O0 => Optimization::O0,
            OptimizationLevel::O1 => Optimization::O1,
            OptimizationLevel::O2 => Optimization::O2,
            OptimizationLevel::O3 => Optimization::O3,
        }
    }
}

/// `--target` on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Compiled for this CPU
    Cpu,
    /// In the reference interpreter: slow, plainly right
    Interp,
}

/// `comb run`.
#[derive(Args)]
pub struct RunOptions {
    /// The program, in MLIR's text or bytecode; - is standard input
    pub file: PathBuf,

    /// The function to call [default: the only public one, or else main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// The value of a parameter; see below for SPEC
    #[arg(short = 'i', long = "input", value_name = "NAME=SPEC")]
    pub inputs: Vec<String>,

    /// Write a result to a .npy file instead of showing it
    #[arg(short = 'o', long = "output", value_name = "NAME=PATH")]
    pub outputs: Vec<String>,

    /// Where to run the program
    #[arg(long, value_name = "TARGET", default_value = "cpu")]
    pub target: Target,

    /// How often to call the function, for timing
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Report results and timings as JSON
    #[arg(long)]
    pub json: bool,

    /// A library with functions that the program only declares
    #[arg(long = "shared-lib", value_name = "PATH")]
    pub shared_libraries: Vec<PathBuf>,

    /// How to compile.
    #[command(flatten)]
    pub compile: CompileOptions,
}

/// `comb build`.
#[derive(Args)]
pub struct BuildOptions {
    /// The program, in MLIR's text or bytecode; - is standard input
    pub file: PathBuf,

    /// The file to make; a C header is put beside objects and shared libraries
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: PathBuf,

    /// What to make [default: by OUT's ending: .o object, .so shared, .ll llvm,
    /// .s asm, .mlir mlir, none executable]
    #[arg(long, value_name = "KIND")]
    pub emit: Option<EmitKind>,

    /// A function to make callable; may be given several times [default: all
    /// public ones]
    #[arg(long = "entry", value_name = "FUNCTION")]
    pub entries: Vec<String>,

    /// An object or library with functions that the program only declares
    #[arg(long = "link", value_name = "PATH")]
    pub linked: Vec<PathBuf>,

    /// The CPU to make code for, as LLVM calls it
    #[arg(
        long,
        visible_alias = "mcpu",
        value_name = "CPU",
        default_value = "native"
    )]
    pub cpu: String,

    /// How to compile.
    #[command(flatten)]
    pub compile: CompileOptions,
}

/// `--emit` on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum EmitKind {
    /// An object file
    Object,
    /// A shared library
    Shared,
    /// An executable that reads and writes .npy files
    Executable,
    /// Optimised LLVM IR
    Llvm,
    /// Assembly
    Asm,
    /// The LLVM dialect
    Mlir,
}

impl From<EmitKind> for Emit {
    fn from(kind: EmitKind) -> Self {
        match kind {
            EmitKind::Object => Emit::Object,
            EmitKind::Shared => Emit::Shared,
            EmitKind::Executable => Emit::Executable,
            EmitKind::Llvm => Emit::Llvm,
            EmitKind::Asm => Emit::Assembly,
            EmitKind::Mlir => Emit::Mlir,
        }
    }
}
