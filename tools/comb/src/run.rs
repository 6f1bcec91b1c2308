//! `comb run`: compiles a program, runs it, and stores or shows its results.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use comb_driver::{
    Compiler, Diagnostics, aot,
    code::{self, CodeError, CodeKind, CodeOptions},
    code_cache::{CodeCache, Key},
    compile::{Compiled, PassOptions, compile},
    emulation, entry,
    gpu::{self, Gpu},
    interpretable,
    jit::{Executable, JitError},
    load::{self, Program as LoadedProgram},
    machine_code::MachineCode,
    source::Source,
};
use comb_interpreter::{Limits, Program};
use comb_passes::pipelines::GpuTarget;
use comb_runtime::{
    Signature, Value, bind,
    device::DeviceError,
    environment,
    files::Files,
    npy,
    report::{Report, ReportedResult},
    sign::{self, Sign},
    threads::{self, set_thread_count},
    timings::{CodeTimes, CompileTimes, Timings},
};

use crate::{
    failure::Failure,
    options::{RunOptions, Target},
    print,
    progress::Progress,
};

/// The prefix of entry points' symbols.
const PREFIX: &str = "comb";

/// Runs the command.
pub fn run(options: &RunOptions) -> Result<(), Failure> {
    let progress = Progress::start();
    let report = execute(options, &progress)?;
    drop(progress);
    show(&report, options)
}

fn execute(options: &RunOptions, progress: &Progress) -> Result<Report, Failure> {
    environment::check()?;
    check_shown(options)?;
    progress.step("compiling");
    let compiling = options.compile.begin();
    let compiler = Compiler::new();
    let (program, parse) = timed(|| load::load(&compiler, &options.file));
    let program = program?;
    warn(&program.warnings);
    let signature = entry::choose(&program, options.entry.as_deref())?;

    // What can be known to be wrong is said before anything takes time.
    let specs = bind::inputs(&signature, &options.inputs)?;
    if options.file == Path::new("-") {
        bind::check_standard_input(&signature, &specs, Some("the program"))?;
    }
    let paths = bind::outputs(&signature, &options.outputs)?;
    let printed = [&options.print_llvm, &options.print_asm];
    let mut files = Files::default();
    files.reads(&options.file);
    for path in options.shared_libraries.iter().chain(bind::files(&specs)) {
        files.reads(path);
    }
    for path in paths.iter().chain(printed).flatten() {
        files.writes(path)?;
        npy::check_target(path)?;
    }

    let mut timings = Timings::default();
    let compile_times = timings.compile.insert(CompileTimes {
        parse: Some(parse),
        ..CompileTimes::default()
    });
    let runnable = match options.target {
        Target::Cpu | Target::Nvvm | Target::Rocdl => {
            compiled(&compiler, program, &signature, options, compile_times)?
        }
        Target::Interp => {
            let mut program = program;
            interpretable::prepare(&compiler, &mut program)?;
            Runnable::Interpreted(Program::read(&program.module.as_operation())?)
        }
        Target::Emulate => {
            let mut program = program;
            let cpu = options.compile.cpu().map_err(JitError::from)?;
            let passes = options.compile.passes(cpu, options.compile.fusion_pass()?);
            let entry = &signature.name;
            let gpu = options.device.emulated();
            let said = emulation::prepare(&compiler, &mut program, entry, &passes, gpu)?;
            warn(&said);
            Runnable::Emulated(Program::read(&program.module.as_operation())?)
        }
    };

    drop(compiling);
    progress.step("loading inputs");
    let (inputs, load) = timed(|| bind::load(&signature, &specs));
    let inputs = inputs?;
    timings.load = Some(load);
    let signs = sign::of_results(&signature, &inputs);
    let inputs = sign::values(inputs);

    if let Some(threads) = options.threads {
        set_thread_count(threads)?;
    }
    progress.count("running", options.repeat);
    let values = runnable.run(&signature, &inputs, options.repeat, &mut timings, progress)?;

    if paths.iter().any(Option::is_some) {
        progress.step("storing results");
        let (stored, time) = timed(|| store(&values, &signs, &paths));
        stored?;
        timings.store = Some(time);
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

/// A program ready to run.
enum Runnable {
    Compiled(Executable),
    Interpreted(Program),
    /// Its kernels run in both orders of threads.
    Emulated(Program),
}

fn compiled<'c>(
    compiler: &'c Compiler,
    program: LoadedProgram<'c>,
    signature: &Signature,
    options: &RunOptions,
    times: &mut CompileTimes,
) -> Result<Runnable, Failure> {
    let fusion = options.compile.fusion_pass()?;
    let cpu = options.compile.cpu().map_err(JitError::from)?;
    cpu.runs_here()
        .map_err(CodeError::from)
        .map_err(JitError::from)?;
    let passes = PassOptions {
        gpu: gpu(options)?,
        ..options.compile.passes(cpu, fusion)
    };
    if !options.compile.fusion.extents.is_empty() {
        comb_driver::parameter_names::write(compiler, &program);
    }
    let code_options = CodeOptions {
        optimization: options.compile.optimization.into(),
        cpu: Some(options.compile.cpu.clone()),
        sanitizer: None,
    };
    let libraries = &options.shared_libraries;
    let place = Place::new(options, &program.source, signature, &passes, &code_options);
    let (found, loading) = timed(|| place.as_ref().and_then(Place::load));
    if let Some(code) = found {
        let (executable, linking) = timed(|| Executable::link(&code, libraries));
        times.code = Some(CodeTimes {
            linking: loading + linking,
            ..CodeTimes::default()
        });
        times.cached = true;
        return Ok(Runnable::Compiled(executable?));
    }
    let entries = vec![signature.clone()];
    let compiled = compile(compiler, program, entries, PREFIX, passes)?;
    times.passes = Some(compiled.times);
    warn(&compiled.warnings);
    let generated = MachineCode::generate(compiler, &compiled, &code_options);
    let (code, code_times) = generated.map_err(JitError::from)?;
    print_code(compiler, &compiled, &code_options, options)?;
    // Warnings would be lost with the passes that give them.
    if let Some(place) = place.filter(|_| compiled.warnings.0.is_empty()) {
        place.store(&code);
    }
    let (executable, linking) = timed(|| Executable::link(&code, libraries));
    times.code = Some(CodeTimes {
        linking,
        ..code_times
    });
    Ok(Runnable::Compiled(executable?))
}

/// The GPU that runs the program, if one does: this machine's, unless another is named.
fn gpu(options: &RunOptions) -> Result<Option<Gpu>, DeviceError> {
    let target = match options.target {
        Target::Nvvm => GpuTarget::Nvvm,
        Target::Rocdl => GpuTarget::Rocdl,
        Target::Cpu | Target::Interp | Target::Emulate => return Ok(None),
    };
    let mut gpu = options.device.for_target(target);
    if target == GpuTarget::Nvvm && options.device.gpu.is_none() {
        gpu.chip = gpu::nvidia_here()?;
    }
    Ok(Some(gpu))
}

/// Where the code of a program is kept.
struct Place {
    cache: CodeCache,
    key: Key,
}

impl Place {
    /// Nothing if code is not to be kept, or to be shown.
    fn new(
        options: &RunOptions,
        source: &Source,
        signature: &Signature,
        passes: &PassOptions,
        code: &CodeOptions,
    ) -> Option<Self> {
        if options.no_cache || options.print_llvm.is_some() || options.print_asm.is_some() {
            return None;
        }
        let cache = CodeCache::from_environment()?;
        let key = Key::new(source, signature, PREFIX, passes, code)?;
        Some(Self { cache, key })
    }

    fn load(&self) -> Option<MachineCode> {
        self.cache.load(&self.key)
    }

    fn store(&self, code: &MachineCode) {
        self.cache.store(&self.key, code);
    }
}

/// Refuses to show code where none is generated.
fn check_shown(options: &RunOptions) -> Result<(), Failure> {
    let wanted = [
        (&options.print_llvm, "--print-llvm"),
        (&options.print_asm, "--print-asm"),
    ];
    let shown = wanted.into_iter().find(|(path, _)| path.is_some());
    match (options.target, shown) {
        (Target::Interp | Target::Emulate, Some((_, option))) => {
            Err(Failure::NothingCompiled { option })
        }
        _ => Ok(()),
    }
}

/// Shows the code as `--print-llvm` and `--print-asm` say.
fn print_code(
    compiler: &Compiler,
    compiled: &Compiled,
    code_options: &CodeOptions,
    options: &RunOptions,
) -> Result<(), Failure> {
    let wanted = [
        (&options.print_llvm, CodeKind::LlvmIr),
        (&options.print_asm, CodeKind::Assembly),
    ];
    for (path, kind) in wanted {
        if let Some(path) = path {
            let code = code::generate(compiler, compiled, code_options, kind);
            aot::write_text(path, &code.map_err(JitError::from)?.bytes)?;
        }
    }
    Ok(())
}

impl Runnable {
    /// Calls the function `repeat` times and gives the results of the last
    /// call.
    fn run(
        &self,
        signature: &Signature,
        inputs: &[Value],
        repeat: u32,
        timings: &mut Timings,
        progress: &Progress,
    ) -> Result<Vec<Value>, Failure> {
        match self {
            Runnable::Compiled(executable) => {
                let mut call = executable.function(&signature.name)?.prepare(inputs)?;
                if repeat > 1 {
                    let (outcome, time) = timed(|| call.invoke());
                    outcome?;
                    timings.first_run = Some(time);
                } else {
                    let (is_started, time) = timed(|| threads::start_team(inputs));
                    timings.team = is_started?.then_some(time);
                }
                for _ in 0..repeat {
                    let (outcome, time) = timed(|| call.invoke());
                    outcome?;
                    timings.runs.push(time);
                    progress.advance();
                }
                timings.first_run = timings.first_run.or(timings.runs.first().copied());
                Ok(call.take_results()?)
            }
            Runnable::Interpreted(program) => {
                let mut results = vec![];
                for _ in 0..repeat {
                    let inputs = inputs.iter().map(Into::into).collect();
                    let (outcome, time) =
                        timed(|| program.run(&signature.name, inputs, &Limits::default()));
                    results = outcome?;
                    timings.runs.push(time);
                    progress.advance();
                }
                shown(&results, signature)
            }
            Runnable::Emulated(program) => {
                let run = |backwards| {
                    let limits = Limits {
                        backwards,
                        ..Limits::default()
                    };
                    let inputs = inputs.iter().map(Into::into).collect();
                    program.run(&signature.name, inputs, &limits)
                };
                let (results, time) = timed(|| run(false));
                timings.runs.push(time);
                let (results, others) = (results?, run(true)?);
                let names = signature.results.iter().map(|result| &result.name);
                let mut pairs = names.zip(results.iter().zip(&others));
                match pairs.find(|(_, (one, other))| one != other) {
                    Some((name, _)) => Err(Failure::DependsOnOrder {
                        function: signature.name.clone(),
                        name: name.clone(),
                    }),
                    None => shown(&results, signature),
                }
            }
        }
    }
}

/// What the interpreter gives, to be shown.
fn shown(
    results: &[comb_interpreter::Value],
    signature: &Signature,
) -> Result<Vec<Value>, Failure> {
    let named = results.iter().zip(&signature.results);
    named
        .map(|(value, result)| {
            Value::try_from(value).map_err(|source| Failure::InterpretedResult {
                function: signature.name.clone(),
                name: result.name.clone(),
                source,
            })
        })
        .collect()
}

fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = action();
    (result, start.elapsed())
}

/// Shows what the compiler has to say about a program that it accepts.
pub fn warn(warnings: &Diagnostics) {
    if !warnings.0.is_empty() {
        let _ = writeln!(io::stderr(), "{warnings}");
    }
}

fn store(
    values: &[Value],
    signs: &[Sign],
    paths: &[Option<PathBuf>],
) -> Result<(), npy::WriteError> {
    let outputs: Vec<(&Path, &Value, Sign)> = paths
        .iter()
        .zip(values)
        .zip(signs)
        .filter_map(|((path, value), sign)| Some((path.as_deref()?, value, *sign)))
        .collect();
    npy::write_all(&outputs)
}

/// The report goes to standard output, unless a result went there.
fn show(report: &Report, options: &RunOptions) -> Result<(), Failure> {
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
    print(&text)
}
