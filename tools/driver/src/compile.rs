//! Lowers a program to the LLVM dialect, with an entry point for each function
//! that is to be called.

use std::{fmt, rc::Rc, time::Instant};

use comb_machine::Machine;
use comb_passes::{
    fuse::OptionsText,
    machine::{self, MACHINE},
    pipelines::{self, GpuTarget, Part, Phase, PipelineOptions, fusion_pass},
    switches::{self, Wanted},
};
use comb_runtime::{Signature, timings::PassTimes};
use melior::{
    Context, Error,
    dialect::llvm::attributes::{Linkage, linkage},
    ir::{
        Module, OperationRef, RegionLike, ValueLike,
        attribute::StringAttribute,
        block::BlockLike,
        operation::{OperationLike, OperationMutLike},
    },
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use serde::{Deserialize, Serialize};
use soac_dialect::{cast::Parts, location::emit_error, view::op_name};

use crate::{
    Compiler, Diagnostics, bridge,
    c_names::{Names, identifier},
    diagnostics,
    entry::defined_functions,
    entry_point,
    gpu::Gpu,
    load::Program,
    signature::{arguments, function_name},
    source::Source,
};

/// How the passes treat a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassOptions {
    /// Take for granted that the program does not fail: no run-time checks.
    pub unchecked: bool,
    /// The pass `soac-fuse` with its options; nothing if it does not run.
    pub fusion: Option<String>,
    /// How accurate functions of the math dialect are.
    pub math: Math,
    /// What the CPU is called that code is for.
    pub cpu: String,
    /// What passes know of it; a program may say otherwise by `comb.machine`.
    pub machine: Machine,
    /// Which optional transformations are off, and after how many the others stop. If all is as
    /// usual, a program may say otherwise by `comb.transformations`.
    pub transformations: Wanted,
    /// Verify the program after each pass, and not only after the last one: for tests of
    /// the compiler.
    pub verify_each: bool,
    /// The GPU that runs the program's kernels; none if all is for the CPU.
    pub gpu: Option<Gpu>,
}

/// What [`Machine::DEFAULT`] is called.
const DEFAULT_CPU: &str = "default";

impl Default for PassOptions {
    fn default() -> Self {
        Self {
            unchecked: false,
            fusion: fusion_pass(&OptionsText::default()),
            math: Math::default(),
            cpu: DEFAULT_CPU.to_owned(),
            machine: Machine::DEFAULT,
            transformations: Wanted::default(),
            verify_each: false,
            gpu: None,
        }
    }
}

impl PassOptions {
    /// What a function makes of the same options as pipelines have them.
    pub(crate) fn with<T>(&self, make: impl FnOnce(&PipelineOptions) -> T) -> T {
        let gpu = self.gpu.as_ref();
        let set_gpu = gpu.map(|gpu| pipelines::set_gpu(&gpu.chip, ""));
        make(&PipelineOptions {
            unchecked: self.unchecked,
            fusion: self.fusion.as_deref(),
            machine: set_gpu.as_deref().unwrap_or(pipelines::SET_MACHINE),
            transformations: pipelines::SET_TRANSFORMATIONS,
            math: &self.math.to_string(),
            target: gpu.map_or_else(GpuTarget::default, |gpu| gpu.target),
            chip: gpu.map_or("", |gpu| &gpu.chip),
            toolkit: gpu.map_or("", |gpu| &gpu.toolkit),
            loadable: true,
        })
    }

    /// The passes that lower a program, one by one, each in MLIR's syntax. Functions that are not
    /// called go first.
    pub fn pass_list(&self) -> Vec<String> {
        let mut passes = vec![UNCALLED.to_owned()];
        passes.extend(self.with(pipelines::cpu_passes));
        passes
    }
}

/// How accurate functions of the math dialect are: the modes of
/// `comb-expand-math`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Math {
    /// Within about one unit in the last place.
    #[default]
    Precise,
    /// Within four units; subnormal numbers may count as 0.
    Fast,
}

impl fmt::Display for Math {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Precise => "precise",
            Self::Fast => "fast",
        })
    }
}

/// The names of a program's functions become local with this, so that a
/// function called `main` or `exp` is not taken for the C library's.
pub(crate) const LOCAL_PREFIX: &str = "comb.";

/// What is between a build's prefix and a function's name, in the symbol of its entry point.
pub(crate) const ENTRY_INFIX: &str = "_entry_";

/// The pass that removes functions that are not called, before all others.
pub(crate) const UNCALLED: &str = "symbol-dce";

/// A program in the LLVM dialect.
pub struct Compiled<'c> {
    /// The module.
    pub module: Module<'c>,
    /// What the program was parsed from.
    pub source: Rc<Source>,
    /// The functions that can be called.
    pub entries: Vec<CompiledEntry>,
    /// What the passes said about the program.
    pub warnings: Diagnostics,
    /// How long the passes took.
    pub times: PassTimes,
}

/// A function that can be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompiledEntry {
    /// What it takes and gives.
    pub signature: Signature,
    /// The symbol of its entry point, which follows
    /// [`comb_runtime::abi`]'s convention.
    pub symbol: String,
}

/// Why a program could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A pass refuses the program: it has something that the compiler cannot
    /// handle, or the compiler has a fault; the messages say.
    #[error("{0}")]
    Passes(Diagnostics),
    /// A pass failed and did not say why: the compiler's fault.
    #[error("internal error: '{program}' could not be lowered, and no pass said why")]
    Silent {
        /// The program's file.
        program: String,
    },
    /// The pipeline or the entry points are wrong: the compiler's fault.
    #[error("internal error: {0}")]
    Internal(#[from] Error),
}

impl CompileError {
    /// What passes said of a program that they refused.
    pub(crate) fn of_passes(diagnostics: Diagnostics, program: &str) -> Self {
        match diagnostics.0.is_empty() {
            true => Self::Silent {
                program: program.to_owned(),
            },
            false => Self::Passes(diagnostics),
        }
    }
}

/// Compiles a program for the functions with these signatures. The symbol of
/// an entry point is `PREFIX_entry_FUNCTION`.
pub fn compile<'c>(
    compiler: &'c Compiler,
    mut program: Program<'c>,
    mut entries: Vec<Signature>,
    prefix: &str,
    options: PassOptions,
) -> Result<Compiled<'c>, CompileError> {
    for entry in &mut entries {
        entry.device = options.gpu.as_ref().map(Gpu::vendor);
    }
    let entries = Entries::isolate(compiler, &program, entries)?;
    let (warnings, times) = lower(compiler, &mut program, &options)?;
    let compiled = entries.finish(compiler, program, prefix)?;
    Ok(Compiled {
        warnings,
        times,
        ..compiled
    })
}

/// The functions of a program that are to be called, while passes lower the program.
#[derive(Clone, Debug)]
pub struct Entries {
    entries: Vec<(Signature, Vec<String>)>,
}

impl Entries {
    /// Gives every function of a program its local name, and leaves only these public.
    ///
    /// # Errors
    ///
    /// If MLIR cannot rename a function.
    pub fn isolate<'c>(
        compiler: &'c Compiler,
        program: &Program<'c>,
        entries: Vec<Signature>,
    ) -> Result<Self, Error> {
        let places: Vec<_> = entries
            .iter()
            .map(|entry| parameter_places(program, entry))
            .collect();
        isolate(compiler.context(), program, &entries)?;
        let entries = entries.into_iter().zip(places).collect();
        Ok(Self { entries })
    }

    /// Adds the entry points, when the passes have run.
    ///
    /// # Errors
    ///
    /// If the program is not in the LLVM dialect.
    pub fn finish<'c>(
        self,
        compiler: &'c Compiler,
        program: Program<'c>,
        prefix: &str,
    ) -> Result<Compiled<'c>, Error> {
        let context = compiler.context();
        let Program { module, source, .. } = program;
        make_local(context, &module);
        let mut symbols = Names::default();
        let mut compiled = vec![];
        entry_point::declare_runtime(context, &module)?;
        for (signature, places) in self.entries {
            let name = identifier(&signature.name);
            let symbol = symbols.unique(&format!("{prefix}{ENTRY_INFIX}{name}"));
            entry_point::add(
                context,
                &module,
                &signature,
                &places,
                &local_name(&signature.name),
                &symbol,
            )?;
            compiled.push(CompiledEntry { signature, symbol });
        }
        Ok(Compiled {
            module,
            source,
            entries: compiled,
            warnings: Diagnostics(vec![]),
            times: PassTimes::default(),
        })
    }
}

/// Where the parameters of a function are, as messages begin.
fn parameter_places(program: &Program, signature: &Signature) -> Vec<String> {
    let function = defined_functions(program)
        .into_iter()
        .find(|&function| function_name(function).as_ref() == Some(&signature.name));
    let locations: Vec<_> = function
        .map(arguments)
        .unwrap_or_default()
        .iter()
        .map(ValueLike::location)
        .collect();
    (0..signature.parameters.len())
        .map(|index| {
            let position = diagnostics::position(*locations.get(index)?, &program.source)?;
            Some(format!("{}: ", position.place()))
        })
        .map(Option::unwrap_or_default)
        .collect()
}

fn local_name(function: &str) -> String {
    format!("{LOCAL_PREFIX}{function}")
}

/// Gives every function its local name, and leaves only the entries public.
fn isolate<'c>(
    context: &'c Context,
    program: &Program<'c>,
    entries: &[Signature],
) -> Result<(), Error> {
    let mut functions: Vec<(String, OperationRef)> = defined_functions(program)
        .into_iter()
        .filter_map(|function| Some((function_name(function)?, function)))
        .collect();
    // Longest first, so that no new name is one that is yet to be changed.
    functions.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, function) in functions {
        let public = entries.iter().any(|entry| entry.name == name);
        bridge::rename_symbol(context, &program.module, function, &local_name(&name))?;
        set_public(context, function, public);
    }
    Ok(())
}

/// Leaves only one function public, which is to be called.
pub(crate) fn hide_all_but(context: &Context, program: &Program, entry: &str) {
    for function in defined_functions(program) {
        let is_entry = function_name(function).is_some_and(|name| name == entry);
        set_public(context, function, is_entry);
    }
}

fn set_public<'c>(context: &'c Context, function: OperationRef<'c, '_>, is_public: bool) {
    let mut function = bridge::mutable(function);
    if is_public {
        let _ = function.remove_attribute("sym_visibility");
    } else {
        let private = StringAttribute::new(context, "private");
        function.set_attribute("sym_visibility", private.into());
    }
}

/// Says at a program what machine it is for, if it does not say so itself. What it says must not
/// be instructions that the CPU has not.
fn set_machine(
    compiler: &Compiler,
    program: &Program,
    options: &PassOptions,
) -> Result<(), CompileError> {
    let module = program.module.as_operation();
    if !module.has_attribute(MACHINE) {
        machine::write(module, &options.cpu, &options.machine);
        return Ok(());
    }
    let check = || match machine::of(module) {
        Ok(given) => {
            let Some(fact) = given.beyond(&options.machine) else {
                return Some(());
            };
            let message = format!(
                "'{MACHINE}' has '{fact}', but '{}', which code is made for, has no such \
                 instructions; name another one by --cpu, or set '{fact}' to false",
                options.cpu
            );
            emit_error(module.location(), &message);
            None
        }
        Err(error) => {
            error.emit(module.location());
            None
        }
    };
    let checked = compiler.captured(&program.source, check);
    checked.map(|_| ()).map_err(CompileError::Passes)
}

/// Lowers a program to the LLVM dialect, part by part.
fn lower(
    compiler: &Compiler,
    program: &mut Program,
    options: &PassOptions,
) -> Result<(Diagnostics, PassTimes), CompileError> {
    if options.gpu.is_none() {
        set_machine(compiler, program, options)?;
    }
    if !options.transformations.is_usual() {
        switches::write(program.module.as_operation(), &options.transformations);
    }
    let parts = options.with(match options.gpu {
        None => pipelines::cpu_parts,
        Some(_) => pipelines::gpu_parts,
    });
    let mut warnings = Diagnostics(vec![]);
    let mut times = PassTimes::default();
    for Part { phase, text } in parts {
        let start = Instant::now();
        warnings
            .0
            .extend(run_part(compiler, program, phase, &text, options)?.0);
        *match phase {
            Phase::Fusion => &mut times.fusion,
            Phase::Loops => &mut times.loops,
            Phase::Lowering => &mut times.lowering,
        } = start.elapsed();
    }
    Ok((warnings, times))
}

/// Runs a part of the pipeline. What passes make is verified once, in the end, unless the
/// options want more: it takes a quarter of the time to do so after each pass.
fn run_part(
    compiler: &Compiler,
    program: &mut Program,
    phase: Phase,
    passes: &str,
    options: &PassOptions,
) -> Result<Diagnostics, CompileError> {
    let passes = match phase {
        Phase::Fusion => format!("{UNCALLED},{passes}"),
        Phase::Loops | Phase::Lowering => passes.to_owned(),
    };
    let verified = match (options.verify_each, phase) {
        (true, _) => Verified::Each,
        (false, Phase::Lowering) => Verified::Last,
        (false, _) => Verified::Nothing,
    };
    run_passes(compiler, program, &passes, verified)
}

/// What is verified when passes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// What each of them makes.
    Each,
    /// What the last one makes.
    Last,
    /// Nothing.
    Nothing,
}

/// Runs passes over a program, in MLIR's syntax without the anchor, and gives what they say.
///
/// # Errors
///
/// If one fails, or what is verified is not valid.
pub fn run_passes(
    compiler: &Compiler,
    program: &mut Program,
    passes: &str,
    verified: Verified,
) -> Result<Diagnostics, CompileError> {
    let manager = PassManager::new(compiler.context());
    manager.enable_verifier(verified == Verified::Each);
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)?;
    let source = Rc::clone(&program.source);
    let result = compiler.captured(&source, || {
        manager.run(&mut program.module).ok()?;
        (verified != Verified::Last || program.module.as_operation().verify()).then_some(())
    });
    match result {
        Ok(((), warnings)) => Ok(warnings),
        Err(diagnostics) => Err(CompileError::of_passes(diagnostics, source.name())),
    }
}

/// Hides every function with a body from the linker, so that only entry points
/// are seen and what they call can be inlined.
fn make_local<'c>(context: &'c Context, module: &Module<'c>) {
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let defined = op_name(op) == "llvm.func"
            && op
                .region_at(0)
                .is_some_and(|region| region.first_block().is_some());
        if defined {
            bridge::mutable(op).set_attribute("linkage", linkage(context, Linkage::Internal));
        }
    }
}
