//! `comb build`: compiles a program to a file.

use std::iter;

use comb_driver::{
    Compiler,
    aot::{self, Build, BuildError},
    code::CodeOptions,
    compile::{PassOptions, compile},
    entry, load,
};

use comb_runtime::files::Files;

use crate::{failure::Failure, options::BuildOptions, print, progress::Progress, run::warn};

/// Runs the command.
pub fn build(options: &BuildOptions) -> Result<(), Failure> {
    let progress = Progress::start();
    progress.step("compiling");
    let _compiling = options.compile.begin();
    let fusion = options.compile.fusion_pass()?;
    let build = Build::new(
        &options.output,
        options.emit.map(Into::into),
        CodeOptions {
            optimization: options.compile.optimization.into(),
            cpu: Some(options.compile.cpu.clone()),
            sanitizer: options.sanitize.map(Into::into),
        },
        &options.linked,
    )?;
    let build = match &options.soname {
        Some(soname) => build.with_soname(soname.clone())?,
        None => build,
    };
    let mut files = Files::default();
    for path in iter::once(&options.file).chain(&options.linked) {
        files.reads(path);
    }
    for path in build.files() {
        files.writes(&path)?;
    }
    let compiler = Compiler::new();
    let program = load::load(&compiler, &options.file)?;
    warn(&program.warnings);
    let entries = entry::choose_several(&program, &options.entries)?;
    let cpu = options.compile.cpu().map_err(BuildError::from)?;
    let kernels = options.target.of_kernels();
    let passes = PassOptions {
        gpu: kernels.map(|target| options.device.for_target(target)),
        ..options.compile.passes(cpu, fusion)
    };
    if !options.compile.fusion.extents.is_empty() {
        comb_driver::parameter_names::write(&compiler, &program);
    }
    let compiled = compile(&compiler, program, entries, build.prefix(), passes)?;
    warn(&compiled.warnings);
    let files = aot::build(&compiler, &compiled, &build)?;
    drop(progress);
    if !build.is_for_device() {
        for file in files {
            print(&format!("{}\n", file.display()))?;
        }
    }
    Ok(())
}
