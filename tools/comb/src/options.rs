//! The command line.

use std::{ffi::OsString, iter, num::NonZeroU32, path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use comb_driver::{
    aot::Emit,
    code::{CodeError, Optimization},
    compile::{Math, PassOptions},
    cpu::Cpu,
    fatal::Compiling,
    gpu::Gpu,
    sanitizer::Sanitizer,
    watchdog,
};
use comb_fusion::{
    algorithms::{ALGORITHMS, Algorithm},
    cost::Cost,
    size::{InvalidExtent, parse_extent},
};
use comb_machine::Machine;
use comb_passes::{
    fuse::{self, InvalidOption, OptionsText},
    pipelines::{GpuTarget, NO_FUSION, fusion_pass},
    switches::Wanted,
    transformations::{self, Transformation},
};
use comb_runtime::{spec, threads};

/// `comb run --help`, at its end.
fn run_help() -> String {
    format!(
        "{}\n\nExit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted",
        spec::HELP
    )
}

const SOLVE_HELP: &str = "COST is a sum such as reads+writes or 2*reads+0.1*clusters; of\n  \
    clusters, edges, manifest (or writes), reads, ext-bytes, max-contract,\n  \
    max-locality, robinson, filter-weights, prices. For lists of array operations it\n  \
    is one of ext-bytes, max-contract, max-locality, robinson\n\n\
    Interrupted, comb's own solver gives the best answer so far. Exit codes: 0 an\n\
    answer for every file, 1 failure, 2 wrong usage";

/// Compiles, runs and builds programs of array combinators, and solves fusion
/// problems.
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
    #[command(after_help = run_help())]
    Run(RunOptions),
    /// Compile a program to a file: an object, a shared library, an executable
    Build(BuildOptions),
    /// Decide which combinators or array operations share loops, at least cost
    #[command(after_help = SOLVE_HELP)]
    Solve(SolveOptions),
    /// Say what would be fused in a program, and why
    Explain(ExplainOptions),
    /// Make combinators of a program of JAX or another front end, and print them
    Import(ImportOptions),
    /// Show what this installation has
    Doctor,
}

/// How to compile.
#[derive(Args)]
pub struct CompileOptions {
    /// How hard to optimise
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2")]
    pub optimization: OptimizationLevel,

    /// The CPU to make code for, as LLVM calls it
    #[arg(
        long,
        visible_alias = "mcpu",
        value_name = "CPU",
        default_value = "native"
    )]
    pub cpu: String,

    /// Leave out all run-time checks: the behaviour of a program that fails is
    /// undefined (the interpreter always checks)
    #[arg(long)]
    pub unchecked: bool,

    /// What combinators share loops: the optimum (ilp), what a heuristic finds, or
    /// none (off)
    #[arg(
        long,
        alias = "fusion",
        value_name = "ALGORITHM",
        default_value = ILP,
        value_parser = fusions()
    )]
    pub algorithm: &'static str,

    /// How combinators are fused.
    #[command(flatten)]
    pub fusion: FusionOptions,

    /// How accurate functions such as exp and sin are
    #[arg(long, value_name = "MODE", default_value = "precise")]
    pub math: MathMode,

    /// End with an error if LLVM takes more seconds than this for the code of a
    /// program, or of a part of it that a thread compiles; 0 is no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub compile_limit: u64,

    /// Optional transformations that are off, or all; the book lists them
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = transformations(),
        hide_possible_values = true
    )]
    pub disable: Vec<String>,

    /// Apply no more than so many optional transformations, in program order, and say which was
    /// the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
    pub comb_limit: Option<i64>,

    /// About how many instructions a thread takes at a time, if not the usual
    /// number: with few, small arrays are cut into chunks, for tests
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(i64).range(1..))]
    pub chunk: Option<i64>,

    /// Write results with more bytes than this past the caches, if not with more than the
    /// usual number: with few, small arrays are written so, for tests
    #[arg(long, value_name = "BYTES", hide = true, value_parser = clap::value_parser!(i64).range(0..))]
    pub large: Option<i64>,
}

impl CompileOptions {
    /// Begins to compile: with a limit of time, and an error if there is no memory.
    pub fn begin(&self) -> Compiling {
        let limit = Some(self.compile_limit).filter(|&seconds| seconds > 0);
        watchdog::limit_code_generation(limit);
        Compiling::begin()
    }

    /// The pass that fuses; nothing if none does.
    pub fn fusion_pass(&self) -> Result<Option<String>, InvalidOption> {
        let extents = self.fusion.extents();
        let text = self.fusion.text(self.algorithm, &extents);
        if self.algorithm != NO_FUSION {
            fuse::Options::from_text(&text)?;
        }
        Ok(fusion_pass(&text))
    }

    /// The CPU that code is for.
    ///
    /// # Errors
    ///
    /// If LLVM does not know it.
    pub fn cpu(&self) -> Result<Cpu, CodeError> {
        Ok(Cpu::named(Some(&self.cpu))?)
    }

    /// Which optional transformations are off, and after how many the others stop.
    fn transformations(&self) -> Wanted {
        let names = self.disable.iter();
        let named = names.filter_map(|name| Transformation::named(name).ok());
        Wanted {
            disabled: named.flatten().collect(),
            limit: self.comb_limit,
        }
    }

    /// What the passes are told, for code for a CPU; and which one fuses.
    pub fn passes(&self, cpu: Cpu, fusion: Option<String>) -> PassOptions {
        let machine = cpu.machine();
        PassOptions {
            unchecked: self.unchecked,
            fusion,
            math: self.math.into(),
            machine: Machine {
                chunk_instructions: self.chunk.unwrap_or(machine.chunk_instructions),
                last_cache_bytes: self.large.unwrap_or(machine.last_cache_bytes),
                ..machine
            },
            cpu: cpu.name,
            transformations: self.transformations(),
            verify_each: false,
            gpu: None,
        }
    }
}

/// How combinators are fused, but for the algorithm: the options of the pass `soac-fuse`.
#[derive(Args)]
pub struct FusionOptions {
    /// What is to be least: a sum such as 2*reads+writes+0.1*clusters; see comb
    /// solve
    #[arg(
        long,
        value_name = "COST",
        default_value = "prices",
        allow_hyphen_values = true
    )]
    pub cost: String,

    /// What solves the integer program: comb, highs, cbc
    #[arg(long, value_name = "SOLVER", default_value = "comb")]
    pub solver: String,

    /// How the integer program is written: own, figure4, compact
    #[arg(long, value_name = "FORMULATION", default_value = "own")]
    pub formulation: String,

    /// Take the best answer known after so many seconds, for all blocks together;
    /// with 0, what is found at once
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time_limit: Option<Duration>,

    /// Take the best answer known when the solver takes so many MiB, by estimate; 0 is
    /// the usual number [default: 2048]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true)]
    pub solver_memory: Option<u32>,

    /// How many loops may be shared
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        allow_negative_numbers = true
    )]
    pub levels: i64,

    /// The most arrays that a loop may get and give; 0 is any number
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub max_arguments: i64,

    /// The most bytes of stored arrays at a time; 0 is any number
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub max_memory: i64,

    /// Leave work that is done again out of the cost
    #[arg(long)]
    pub no_recomputation: bool,

    /// How large a size usually is, for the cost: a parameter n, or xs.0 for the first
    /// dimension of xs; the others are 1000
    #[arg(long = "extent", value_name = "NAME=N", value_parser = extent)]
    pub extents: Vec<(String, u64)>,
}

impl FusionOptions {
    /// The sizes as the pass reads them.
    pub fn extents(&self) -> String {
        let extents = self.extents.iter();
        let extents = extents.map(|(name, extent)| format!("{name}={extent}"));
        extents.collect::<Vec<_>>().join(",")
    }

    /// The options with an algorithm, as the pass reads them.
    pub fn text<'t>(&'t self, algorithm: &'t str, extents: &'t str) -> OptionsText<'t> {
        let seconds = self.time_limit.map(|limit| limit.as_secs_f64());
        OptionsText {
            cost: &self.cost,
            algorithm,
            solver: &self.solver,
            formulation: &self.formulation,
            time_limit: seconds.unwrap_or(f64::INFINITY),
            levels: self.levels,
            max_arguments: self.max_arguments,
            max_memory: self.max_memory,
            recomputation: !self.no_recomputation,
            solver_memory: self.solver_memory.map_or(0, i64::from),
            extents,
        }
    }
}

/// `--math` on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum MathMode {
    /// Off by about one unit in the last place at most
    Precise,
    /// Off by four units at most; subnormal numbers may count as 0
    Fast,
}

impl From<MathMode> for Math {
    fn from(mode: MathMode) -> Self {
        match mode {
            MathMode::Precise => Math::Precise,
            MathMode::Fast => Math::Fast,
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
    /// Compiled for a CPU
    Cpu,
    /// In the reference interpreter: slow, plainly right
    Interp,
    /// As kernels for a GPU, thread by thread in the interpreter, which finds
    /// races and whatever else a GPU would not tell
    Emulate,
    /// On a GPU of NVIDIA
    Nvvm,
    /// On a GPU of AMD
    Rocdl,
}

/// `--target` of `comb build` on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BuildTarget {
    /// Code for a CPU
    Cpu,
    /// Kernels for GPUs of NVIDIA, and code for a CPU that launches them
    Nvvm,
    /// Kernels for GPUs of AMD, and code for a CPU that launches them
    Rocdl,
}

/// The GPU that kernels are for.
#[derive(Args)]
pub struct GpuOptions {
    /// The GPU that kernels are for, as LLVM calls it [default: to run on NVIDIA's, what is in this
    /// machine; else sm_90 or gfx942]
    #[arg(long, value_name = "GPU")]
    pub gpu: Option<String>,

    /// The folder of ROCm, or one that has its device libraries in amdgcn and LLVM in llvm
    #[arg(long, value_name = "FOLDER")]
    pub toolkit: Option<PathBuf>,
}

impl GpuOptions {
    /// The GPU that is emulated.
    pub fn emulated(&self) -> &str {
        let usual = || GpuTarget::Emulate.usual_chip();
        self.gpu.as_deref().unwrap_or_else(usual)
    }

    /// The GPU that kernels are made for.
    pub fn for_target(&self, target: GpuTarget) -> Gpu {
        let usual = || target.usual_chip().to_owned();
        let toolkit = self.toolkit.as_ref();
        Gpu {
            target,
            chip: self.gpu.clone().unwrap_or_else(usual),
            toolkit: toolkit.map_or_else(String::new, |folder| folder.display().to_string()),
        }
    }
}

impl BuildTarget {
    /// What kernels become, if there are some.
    pub fn of_kernels(self) -> Option<GpuTarget> {
        match self {
            Self::Cpu => None,
            Self::Nvvm => Some(GpuTarget::Nvvm),
            Self::Rocdl => Some(GpuTarget::Rocdl),
        }
    }
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
    pub inputs: Vec<OsString>,

    /// Write a result to a .npy file instead of showing it; - is standard output
    #[arg(short = 'o', long = "output", value_name = "NAME=PATH")]
    pub outputs: Vec<OsString>,

    /// Where to run the program
    #[arg(long, value_name = "TARGET", default_value = "cpu")]
    pub target: Target,

    /// The GPU, if there is one.
    #[command(flatten)]
    pub device: GpuOptions,

    /// How often to call the function, for timing; if more than once, a first
    /// call is not counted
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Threads for parallel loops [default: OMP_NUM_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = threads::parse_count)]
    pub threads: Option<NonZeroU32>,

    /// Report results and timings as JSON
    #[arg(long)]
    pub json: bool,

    /// Compile even if the program was run before, and keep no machine code
    #[arg(long)]
    pub no_cache: bool,

    /// Write the optimised LLVM IR to a file [default: standard error]
    #[arg(
        long,
        value_name = "PATH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "/dev/stderr"
    )]
    pub print_llvm: Option<PathBuf>,

    /// Write the assembly to a file [default: standard error]
    #[arg(
        long,
        value_name = "PATH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "/dev/stderr"
    )]
    pub print_asm: Option<PathBuf>,

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

    /// The file to make, or - for standard output; a C header is put beside objects and
    /// shared libraries
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

    /// What runs the program
    #[arg(long, value_name = "TARGET", default_value = "cpu")]
    pub target: BuildTarget,

    /// The GPU, if there is one.
    #[command(flatten)]
    pub device: GpuOptions,

    /// An object or library with functions that the program only declares
    #[arg(long = "link", value_name = "PATH")]
    pub linked: Vec<PathBuf>,

    /// What programs that are linked with a shared library look for [default: OUT's name, with
    /// the first number of a version in it: libx.so.1 for libx.so.1.2]
    #[arg(long, value_name = "NAME")]
    pub soname: Option<String>,

    /// Look for faults of the compiler while the program runs: accesses outside of
    /// arrays, or races between threads
    #[arg(long, value_name = "FAULT", hide = true)]
    pub sanitize: Option<SanitizeKind>,

    /// How to compile.
    #[command(flatten)]
    pub compile: CompileOptions,
}

/// `--sanitize` on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum SanitizeKind {
    /// Accesses outside of memory that is in use
    Address,
    /// Races between threads
    Thread,
}

impl From<SanitizeKind> for Sanitizer {
    fn from(kind: SanitizeKind) -> Self {
        match kind {
            SanitizeKind::Address => Sanitizer::Address,
            SanitizeKind::Thread => Sanitizer::Thread,
        }
    }
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

/// `comb import`.
#[derive(Args)]
pub struct ImportOptions {
    /// The program: a portable artifact of StableHLO, its text, or any program that
    /// comb runs; - is standard input
    pub file: PathBuf,

    /// What to print: combinators, or StableHLO in generic form
    #[arg(long, value_name = "FORM", default_value = "soac")]
    pub to: ImportForm,

    /// Leave out places in the front end's source
    #[arg(long)]
    pub no_places: bool,

    /// Write to a file instead of standard output, which - is, too
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    pub output: Option<PathBuf>,
}

/// In which dialect `comb import` prints a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportForm {
    /// Combinators
    Soac,
    /// StableHLO in generic form
    Stablehlo,
}

/// `comb explain`.
#[derive(Args)]
pub struct ExplainOptions {
    /// The program, in MLIR's text or bytecode; - is standard input
    pub file: PathBuf,

    /// In which form: dot and svg are pictures, of one block
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ExplainFormat,

    /// Write to a file instead of standard output, which - is, too
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    pub output: Option<PathBuf>,

    /// Only the blocks of a function
    #[arg(long, value_name = "FUNCTION")]
    pub function: Option<String>,

    /// Only the block of this number, as the text shows them
    #[arg(long, value_name = "N")]
    pub block: Option<usize>,

    /// Show checks in pictures that the program does not have
    #[arg(long)]
    pub checks: bool,

    /// Say instead how the loops run, made by way of loop nests, and why; as text or json
    #[arg(long, conflicts_with_all = ["block", "checks"])]
    pub loops: bool,

    /// Say instead which blocks of memory there are and what is copied, before arrays share memory and then; as text,
    /// json, or a picture (svg)
    #[arg(long, conflicts_with_all = ["block", "checks", "loops"])]
    pub memory: bool,

    /// The CPU that loops are explained for, as LLVM calls it
    #[arg(long, value_name = "CPU", default_value = "native", requires = "loops")]
    pub cpu: String,

    /// What loops are explained for
    #[arg(long, value_name = "TARGET", default_value = "cpu", requires = "loops")]
    pub target: BuildTarget,

    /// The GPU that loops are explained for, as LLVM calls it [default: sm_90 or gfx942]
    #[arg(long, value_name = "GPU", requires = "loops")]
    pub gpu: Option<String>,

    /// How to find an answer: ilp, greedy, greedy-top-down, greedy-bottom-up,
    /// linear, unintrusive, singleton, branch-and-bound
    #[arg(long, value_name = "ALGORITHM", default_value = ILP)]
    pub algorithm: String,

    /// How combinators are fused.
    #[command(flatten)]
    pub fusion: FusionOptions,
}

/// `--format` on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// Tables
    Text,
    /// One object for each block
    Json,
    /// The graph of one block, for comb solve
    Graph,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

/// `comb solve`.
#[derive(Args)]
pub struct SolveOptions {
    /// Graphs of combinators, or lists of array operations, as JSON; - is standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What is to be least; see below [default: reads+writes, prices for graphs
    /// with levels, ext-bytes for lists of array operations]
    #[arg(long, value_name = "COST", allow_hyphen_values = true)]
    pub cost: Option<Cost>,

    /// How to find an answer
    #[arg(long, value_name = "ALGORITHM", default_value = ILP, value_parser = algorithms())]
    pub algorithm: AlgorithmName,

    /// What solves the integer program [default: comb, or highs for the other
    /// formulations]
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<SolverName>,

    /// How the integer program is written [default: own, or compact for the other
    /// solvers]
    #[arg(long, value_name = "FORMULATION")]
    pub formulation: Option<FormulationName>,

    /// Give the best answer known after so many seconds of solving, which begin when all
    /// files are read, for each file; with 0, what is found at once
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time_limit: Option<Duration>,

    /// Give the best answer known when the solver takes so many MiB, by estimate; 0 is
    /// the usual number [default: 2048]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true)]
    pub solver_memory: Option<u32>,

    /// Report as JSON, one line for each file
    #[arg(long)]
    pub json: bool,

    /// Write the integer program for other solvers instead of solving it, as .lp or .mps; - is
    /// standard output
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["algorithm", "solver", "time_limit", "solver_memory", "json", "dot", "svg",
            "reasons", "report"]
    )]
    pub write_lp: Option<PathBuf>,

    /// Draw the answer, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// Draw the answer, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Show checks in pictures that the program does not have
    #[arg(long)]
    pub checks: bool,

    /// Say why nodes that share an array are not fused
    #[arg(long)]
    pub reasons: bool,

    /// Say what every fusion gains, and what is read and written with and without
    #[arg(long)]
    pub report: bool,

    /// Count reads that differ by constant offsets once, as caches see them
    #[arg(long)]
    pub stencils: bool,

    /// Leave work that is done again out of the cost
    #[arg(long)]
    pub no_recomputation: bool,

    /// The value of a name in sizes; the others are 1000
    #[arg(long = "extent", value_name = "NAME=N", value_parser = extent)]
    pub extents: Vec<(String, u64)>,

    /// Two nodes, by id or name, that have to share a loop
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pub force: Vec<(String, String)>,

    /// Two nodes, by id or name, that must not share a loop
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pub forbid: Vec<(String, String)>,

    /// The most arrays that a loop may get and give; 0 is any number
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub max_arguments: usize,

    /// The most bytes of stored arrays at a time, inputs left out; 0 is any number
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub max_memory: u64,
}

impl SolveOptions {
    /// Whether loops have to keep to limits.
    pub fn has_limits(&self) -> bool {
        self.max_arguments > 0 || self.max_memory > 0
    }
}

/// `--algorithm` on the command line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AlgorithmName {
    /// Integer programming: the least cost.
    Ilp,
    /// One that needs no solver.
    Other(Algorithm),
}

const ILP: &str = "ilp";

/// `--algorithm` of commands that compile.
fn fusions() -> impl TypedValueParser<Value = &'static str> {
    let names = || {
        ALGORITHMS
            .iter()
            .map(|&(name, _)| name)
            .chain([ILP, NO_FUSION])
    };
    PossibleValuesParser::new(names()).map(move |chosen| {
        let mut names = names();
        names.find(|&name| name == chosen).unwrap_or(ILP)
    })
}

/// `--disable`.
fn transformations() -> PossibleValuesParser {
    let names = Transformation::ALL.iter().map(|one| one.name());
    PossibleValuesParser::new(names.chain([transformations::ALL]))
}

fn algorithms() -> impl TypedValueParser<Value = AlgorithmName> {
    let others = ALGORITHMS.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(iter::once(ILP).chain(others)).map(|name| {
        let found = ALGORITHMS.iter().find(|(known, _)| *known == name);
        found.map_or(AlgorithmName::Ilp, |&(_, algorithm)| {
            AlgorithmName::Other(algorithm)
        })
    })
}

/// `--solver` on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SolverName {
    /// comb's own branch and cut
    Comb,
    /// HiGHS
    Highs,
    /// CBC
    Cbc,
}

/// `--formulation` on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormulationName {
    /// That of comb's own solver
    Own,
    /// Figure 4 of van Balen et al. (2024), corrected
    Figure4,
    /// The same answers with fewer variables
    Compact,
}

/// More is no limit.
const MOST_SECONDS: f64 = 1e9;

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=MOST_SECONDS).contains(&seconds) => {
            Ok(Duration::from_secs_f64(seconds))
        }
        _ => Err("a number of seconds is expected, 0 or more".to_owned()),
    }
}

fn extent(text: &str) -> Result<(String, u64), InvalidExtent> {
    parse_extent(text)
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once(',') {
        Some((one, other)) if !one.is_empty() && !other.is_empty() => {
            Ok((one.trim().to_owned(), other.trim().to_owned()))
        }
        _ => Err("two nodes are expected, such as 3,5".to_owned()),
    }
}
