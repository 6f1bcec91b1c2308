//! Says what would be fused in a program, and why.

use std::rc::Rc;

use comb_passes::fuse::{self, Explanation, Options};
use melior::{ir::operation::OperationLike, pass::PassManager, utility::parse_pass_pipeline};

use crate::{
    Compiler, Diagnostics, compile::CompileError, load::Program, source_names::ProgramText,
};

/// What happens before fusion, as in the pipeline `comb-fuse`.
const PREPARATION: &str = "builtin.module(comb-prepare-fusion)";

/// Prepares a program for fusion, fuses it, and explains each decision, inner blocks
/// before those around them; with what the passes said about the program.
///
/// # Errors
///
/// If the program is refused, or wishes for fusion cannot be fulfilled.
pub fn explain(
    compiler: &Compiler,
    program: &mut Program,
    options: &Options,
) -> Result<(Vec<Explanation>, Diagnostics), CompileError> {
    let manager = PassManager::new(compiler.context());
    parse_pass_pipeline(manager.as_operation_pass_manager(), PREPARATION)?;
    let source = Rc::clone(&program.source);
    let result = compiler.captured(&source, || {
        manager.run(&mut program.module).ok()?;
        let explained = fuse::explain(
            program.module.as_operation(),
            options,
            &ProgramText(&source),
        );
        let place = program.module.as_operation().location();
        explained.map_err(|error| error.emit(place)).ok()
    });
    result.map_err(|diagnostics| CompileError::of_passes(diagnostics, source.name()))
}
