//! `comb build`: compiles a program to a file.

use comb_driver::{
    Compiler,
    aot::{self, Build, BuildError},
    code::CodeOptions,
    compile::compile,
    entry, load,
};

use crate::{
    failure::Failure, options::BuildOptions, overwriting, print, progress::Progress, run::warn,
};

/// Runs the command.
pub fn build(options: &BuildOptions) -> Result<(), Failure> {
    let progress = Progress::start();
    progress.step("compiling");
    let build = Build::new(
        &options.output,
        options.emit.map(Into::into),
        CodeOptions {
            optimization: options.compile.optimization.into(),
            cpu: Some(options.cpu.clone()),
            sanitizer: options.sanitize.map(Into::into),
        },
        &options.linked,
    )?;
    overwriting::refuse(&options.file, &options.output)?;
    let compiler = Compiler::new();
    let program = load::load(&compiler, &options.file)?;
    warn(&program.warnings);
    let entries = entry::choose_several(&program, &options.entries)?;
    let passes = options
        .compile
        .passes(Some(&options.cpu))
        .map_err(BuildError::from)?;
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
