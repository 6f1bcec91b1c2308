//! Programs for a GPU that is emulated: kernels and a host, which the interpreter runs.

use comb_passes::{
    pipelines::{self, GpuTarget, PipelineOptions, set_gpu},
    switches,
};

use crate::{
    Compiler, Diagnostics,
    compile::{CompileError, PassOptions, UNCALLED, Verified, hide_all_but, run_passes},
    load::Program,
};

/// Makes kernels of a function and what it calls, for a GPU of the table, unless the program names
/// another one; gives what passes say.
///
/// # Errors
///
/// If something has no form on a GPU.
pub fn prepare(
    compiler: &Compiler,
    program: &mut Program,
    entry: &str,
    options: &PassOptions,
    gpu: &str,
) -> Result<Diagnostics, CompileError> {
    if !options.transformations.is_usual() {
        switches::write(program.module.as_operation(), &options.transformations);
    }
    hide_all_but(compiler.context(), program, entry);
    let passes = options.with(|options| {
        pipelines::gpu_text(&PipelineOptions {
            machine: &set_gpu(gpu, ""),
            target: GpuTarget::Emulate,
            ..*options
        })
    });
    let passes = format!("{UNCALLED},{passes}");
    run_passes(compiler, program, &passes, Verified::Last)
}
