//! From the LLVM dialect to machine code, assembly or optimised LLVM IR.

use std::{
    collections::BTreeSet,
    fmt, thread,
    time::{Duration, Instant},
};

use comb_runtime::timings::CodeTimes;
use inkwell::{
    OptimizationLevel,
    context::Context,
    module::Module,
    targets::{CodeModel, FileType, RelocMode, Target, TargetMachine, TargetTriple},
};

use crate::{
    Compiler, Diagnostics, byte_shuffles,
    compile::Compiled,
    cpu::{Cpu, CpuError},
    frames,
    optimize::{optimize, optimize_calls, optimize_functions, run_passes},
    parts,
    sanitizer::Sanitizer,
    translate,
    watchdog::Watch,
};

/// LLVM's names for the C library's functions for memory, and the runtime's
/// functions that take their places after optimisation: they do not return when
/// there is no memory, and keep large blocks. MLIR has other names where the memory is a GPU's.
const ALLOCATION: [(&str, &str); 6] = [
    ("malloc", "comb_runtime_allocate"),
    ("calloc", "comb_runtime_allocate_zeroed"),
    ("aligned_alloc", "comb_runtime_allocate_aligned"),
    ("free", "comb_runtime_free"),
    ("_mlir_memref_to_llvm_alloc", "comb_device_allocate"),
    ("_mlir_memref_to_llvm_free", "comb_runtime_free"),
];

/// How hard LLVM tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimization {
    /// Not at all; compiles fastest.
    O0,
    /// A little.
    O1,
    /// With vectorisation.
    #[default]
    O2,
    /// Harder.
    O3,
}

/// What machine code is for, and how good it should be.
#[derive(Clone, Debug, Default)]
pub struct CodeOptions {
    /// How hard LLVM tries.
    pub optimization: Optimization,
    /// The CPU as LLVM calls it; none for this one.
    pub cpu: Option<String>,
    /// What the code looks for while it runs, if anything.
    pub sanitizer: Option<Sanitizer>,
}

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// An object file.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM IR text.
    LlvmIr,
}

/// Generated code.
#[derive(Debug)]
pub struct Code {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// The functions that it calls and does not define, except those that LLVM
    /// itself brings in.
    pub externals: Vec<String>,
    /// How long it took.
    pub times: CodeTimes,
}

/// Why there is no code.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// There is none for the CPU.
    #[error(transparent)]
    Cpu(#[from] CpuError),
    /// Something in the program has no translation to LLVM IR.
    #[error("{0}")]
    Translation(Diagnostics),
    /// LLVM failed: the compiler's fault.
    #[error("internal error: LLVM: {0}")]
    Llvm(String),
    /// There is no thread for a part of the code.
    #[error("cannot start a thread: {0}")]
    Thread(String),
}

impl fmt::Display for Optimization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Generated code, in parts that are linked together.
#[derive(Debug)]
pub struct Objects {
    /// The object files.
    pub objects: Vec<Vec<u8>>,
    /// The functions that they call and do not define, except those that LLVM itself
    /// brings in.
    pub externals: Vec<String>,
    /// How long it took.
    pub times: CodeTimes,
}

/// Makes code of a compiled program.
pub fn generate(
    compiler: &Compiler,
    compiled: &Compiled,
    options: &CodeOptions,
    kind: CodeKind,
) -> Result<Code, CodeError> {
    let _watch = Watch::begin();
    let start = Instant::now();
    let machine = target_machine(options, level(compiled, options.optimization))?;
    let context = Context::create();
    let module = translate(compiler, compiled, options, &machine, &context)?;
    let translation = start.elapsed();
    let code = finish(&module, &context, &machine, options, kind)?;
    Ok(Code {
        times: CodeTimes {
            translation,
            ..code.times
        },
        ..code
    })
}

/// Makes object files of a compiled program, several at a time if there are as many
/// processors: see [`parts`].
pub fn generate_objects(
    compiler: &Compiler,
    compiled: &Compiled,
    options: &CodeOptions,
) -> Result<Objects, CodeError> {
    let watch = Watch::begin();
    let start = Instant::now();
    let machine = target_machine(options, level(compiled, options.optimization))?;
    let context = Context::create();
    let module = translate(compiler, compiled, options, &machine, &context)?;
    let translation = start.elapsed();
    let start = Instant::now();
    let can_be_cut = options.sanitizer.is_none() && options.optimization == Optimization::O2;
    let codes = match can_be_cut {
        true => {
            optimize_calls(&module, &machine)?;
            // Each part is watched for itself.
            drop(watch);
            in_parts(&module, &machine, options)?
        }
        false => vec![finish(
            &module,
            &context,
            &machine,
            options,
            CodeKind::Object,
        )?],
    };
    let all = start.elapsed();
    let generation = codes.iter().map(|code| code.times.generation).max();
    let generation = generation.unwrap_or_default();
    let externals: BTreeSet<String> = codes
        .iter()
        .flat_map(|code| code.externals.clone())
        .collect();
    Ok(Objects {
        externals: externals.into_iter().collect(),
        objects: codes.into_iter().map(|code| code.bytes).collect(),
        times: CodeTimes {
            translation,
            optimization: all.saturating_sub(generation),
            generation,
            ..CodeTimes::default()
        },
    })
}

/// Makes an object of each part of a module whose calls are inlined.
fn in_parts(
    module: &Module,
    machine: &TargetMachine,
    options: &CodeOptions,
) -> Result<Vec<Code>, CodeError> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let parts = parts::deal(module, processors);
    if parts.len() <= 1 {
        let _watch = Watch::begin();
        return Ok(vec![finish_functions(module, machine, "no-op-module")?]);
    }
    let defined: BTreeSet<String> = parts.iter().flatten().cloned().collect();
    let mut codes = parts::compile(module, &parts, |module| {
        let _watch = Watch::begin();
        let machine = target_machine(options, options.optimization)?;
        finish_functions(module, &machine, parts::DROP_OTHERS)
    })?;
    for code in &mut codes {
        code.externals.retain(|name| !defined.contains(name));
    }
    Ok(codes)
}

/// Translates a compiled program for a machine.
fn translate<'l>(
    compiler: &Compiler,
    compiled: &Compiled,
    options: &CodeOptions,
    machine: &TargetMachine,
    context: &'l Context,
) -> Result<Module<'l>, CodeError> {
    if let Some(sanitizer) = options.sanitizer {
        sanitizer
            .bound_arrays(compiler.context(), &compiled.module)
            .map_err(|error| CodeError::Llvm(error.to_string()))?;
    }
    let (module, _) = compiler
        .captured(&compiled.source, || {
            translate::to_llvm_ir(&compiled.module, context)
        })
        .map_err(CodeError::Translation)?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    Ok(module)
}

/// Optimises a module, and generates code.
fn finish(
    module: &Module,
    context: &Context,
    machine: &TargetMachine,
    options: &CodeOptions,
    kind: CodeKind,
) -> Result<Code, CodeError> {
    let start = Instant::now();
    match options.sanitizer {
        None => {
            optimize(module, machine, options.optimization)?;
            replace_allocation(module);
            align_frames(module, machine);
        }
        // A sanitizer has its own `malloc` and `free`.
        Some(sanitizer) => {
            sanitizer.mark(module, context);
            optimize(module, machine, options.optimization)?;
            run_passes(module, machine, sanitizer.passes())?;
        }
    }
    emit_code(module, machine, kind, start.elapsed())
}

/// Optimises the functions of a module after other passes, and makes an object of them.
fn finish_functions(
    module: &Module,
    machine: &TargetMachine,
    before: &str,
) -> Result<Code, CodeError> {
    let start = Instant::now();
    optimize_functions(module, machine, before)?;
    replace_allocation(module);
    align_frames(module, machine);
    emit_code(module, machine, CodeKind::Object, start.elapsed())
}

/// Aligns the frames of functions that do not find registers for all of their vectors.
fn align_frames(module: &Module, machine: &TargetMachine) {
    let bits = Cpu::of(machine).machine().register_bits().unsigned_abs();
    frames::align(module, &machine.get_target_data(), bits);
}

/// Generates code of an optimised module.
fn emit_code(
    module: &Module,
    machine: &TargetMachine,
    kind: CodeKind,
    optimization: Duration,
) -> Result<Code, CodeError> {
    let start = Instant::now();
    byte_shuffles::mark(module, machine);
    let bytes = match kind {
        CodeKind::LlvmIr => module.print_to_string().to_bytes().to_vec(),
        CodeKind::Object => emit(module, machine, FileType::Object)?,
        CodeKind::Assembly => emit(module, machine, FileType::Assembly)?,
    };
    Ok(Code {
        bytes,
        externals: externals(module),
        times: CodeTimes {
            optimization,
            generation: start.elapsed(),
            ..CodeTimes::default()
        },
    })
}

/// The version of LLVM.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// How hard LLVM tries when it generates code of a program. Without any optimisation it rounds
/// numbers of bf16 wherever they are moved, which loses subnormal ones, and gets signs wrong.
fn level(compiled: &Compiled, optimization: Optimization) -> Optimization {
    let has_bf16 = || compiled.module.as_operation().to_string().contains("bf16");
    match optimization {
        Optimization::O0 if has_bf16() => Optimization::O1,
        optimization => optimization,
    }
}

fn target_machine(
    options: &CodeOptions,
    optimization: Optimization,
) -> Result<TargetMachine, CodeError> {
    let cpu = Cpu::named(options.cpu.as_deref())?;
    let triple = TargetTriple::create(&cpu.triple);
    let target =
        Target::from_triple(&triple).map_err(|error| CodeError::Llvm(error.to_string()))?;
    target
        .create_target_machine(
            &triple,
            &cpu.name,
            &cpu.features,
            optimization.level(),
            RelocMode::PIC,
            CodeModel::Default,
        )
        .ok_or_else(|| CodeError::Llvm(format!("no code generator for {}", cpu.name)))
}

impl Optimization {
    fn level(self) -> OptimizationLevel {
        match self {
            Optimization::O0 => OptimizationLevel::None,
            Optimization::O1 => OptimizationLevel::Less,
            Optimization::O2 => OptimizationLevel::Default,
            Optimization::O3 => OptimizationLevel::Aggressive,
        }
    }
}

/// Only now, so that the optimiser could see what the calls are.
fn replace_allocation(module: &Module) {
    for (name, replacement) in ALLOCATION {
        if let Some(function) = module.get_function(name)
            && function.count_basic_blocks() == 0
        {
            function.as_global_value().set_name(replacement);
        }
    }
}

fn emit(module: &Module, machine: &TargetMachine, kind: FileType) -> Result<Vec<u8>, CodeError> {
    machine
        .write_to_memory_buffer(module, kind)
        .map(|buffer| buffer.as_slice().to_vec())
        .map_err(|error| CodeError::Llvm(error.to_string()))
}

fn externals(module: &Module) -> Vec<String> {
    module
        .get_functions()
        .filter(|function| function.count_basic_blocks() == 0)
        .map(|function| function.get_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with("llvm."))
        .collect()
}
