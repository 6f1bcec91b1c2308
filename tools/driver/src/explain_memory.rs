//! Says how much memory a program uses, and what it copies: before its arrays share memory, and then.

use std::rc::Rc;

use comb_passes::{
    fuse::OptionsText,
    memory::usage::{Usage, has_arrays, usage},
    pipelines::explained,
};
use melior::{ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use soac_dialect::text::{shown, symbol_bytes};

use crate::{Compiler, Diagnostics, compile::CompileError, load::Program};

/// What a function uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedMemory {
    /// Its name.
    pub function: String,
    /// As bufferization leaves it.
    pub before: Usage,
    /// What is left.
    pub after: Usage,
}

/// Makes loop nests of a program, and says what memory its functions use; with what the passes said about the
/// program.
///
/// # Errors
///
/// If the program is refused, or wishes for fusion cannot be fulfilled.
pub fn explain_memory(
    compiler: &Compiler,
    program: &mut Program,
    fusion: &OptionsText,
) -> Result<(Vec<ExplainedMemory>, Diagnostics), CompileError> {
    let [form, share] = explained(fusion).map(|passes| {
        let passes = format!("builtin.module({passes})");
        let manager = PassManager::new(compiler.context());
        parse_pass_pipeline(manager.as_operation_pass_manager(), &passes).map(|()| manager)
    });
    let (form, share) = (form?, share?);
    let source = Rc::clone(&program.source);
    let result = compiler.captured(&source, || {
        form.run(&mut program.module).ok()?;
        let before = usages(&program.module);
        share.run(&mut program.module).ok()?;
        let after = usages(&program.module);
        let pairs = before.into_iter().zip(after);
        let functions = pairs.map(|((function, before), (_, after))| ExplainedMemory {
            function,
            before,
            after,
        });
        Some(functions.collect())
    });
    result.map_err(|diagnostics| CompileError::of_passes(diagnostics, source.name()))
}

/// Those of all functions that use arrays, by name.
fn usages(module: &Module) -> Vec<(String, Usage)> {
    let functions = comb_passes::walk::functions(module.as_operation());
    let functions = functions.into_iter().filter(|&op| has_arrays(op));
    functions
        .map(|function| {
            let name = symbol_bytes(function).unwrap_or_default();
            (shown(name), usage(function))
        })
        .collect()
}
