//! Programs for the interpreter, which knows no ops of `linalg` and `tensor` that are lowered as
//! combinators only.

use std::rc::Rc;

use comb_passes::{create, raise_linalg};
use melior::pass::PassManager;

use crate::{Compiler, compile::CompileError, load::Program};

/// Makes combinators of such ops, if there are any; with them, of all that have a form as such.
///
/// # Errors
///
/// If an op is certain to fail.
pub fn prepare(compiler: &Compiler, program: &mut Program) -> Result<(), CompileError> {
    if !raise_linalg::is_needed(program.module.as_operation()) {
        return Ok(());
    }
    let passes = PassManager::new(compiler.context());
    passes.add_pass(create::comb_raise_linalg());
    let source = Rc::clone(&program.source);
    let raised = compiler.captured(&source, || passes.run(&mut program.module).ok());
    raised.map(|_| ()).map_err(CompileError::Passes)
}
