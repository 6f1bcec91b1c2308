//! A program that goes through passes one after another, and can be interpreted in
//! between.

use std::{cell::RefCell, rc::Rc};

use comb_driver::{Compiler, load, source::Source};
use comb_interpreter::{Failure, Limits, interpret};
use comb_passes::soac_to_nest;
use comb_runtime::Value;
use melior::{
    ir::{Module, Operation, operation::OperationRef},
    pass::PassManager,
    utility::parse_pass_pipeline,
};

use crate::{fusion, program::Program};

/// A program in a compiler.
pub struct Staged<'c> {
    compiler: &'c Compiler,
    module: Module<'c>,
    inputs: Rc<[Value]>,
}

impl<'c> Staged<'c> {
    /// The program as it is written.
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn new(compiler: &'c Compiler, program: &Program) -> Result<Self, String> {
        let source = Source::new(format!("{}.mlir", program.name()), program.text());
        let parsed = load::parse(compiler, source).map_err(|error| error.to_string())?;
        let inputs = program
            .inputs()
            .map_err(|error| format!("inputs: {error}"))?
            .into();
        Ok(Self {
            compiler,
            module: parsed.module,
            inputs,
        })
    }

    /// Runs passes over a module, given in MLIR's syntax without the anchor.
    ///
    /// # Errors
    ///
    /// If one fails; with what it says.
    pub fn run(&mut self, passes: &str) -> Result<(), String> {
        let context = self.compiler.context();
        let messages = Rc::new(RefCell::new(vec![]));
        let target = Rc::clone(&messages);
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            target.borrow_mut().push(diagnostic.to_string());
            true
        });
        let manager = PassManager::new(context);
        let text = format!("builtin.module({passes})");
        let result = parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
            .and_then(|()| manager.run(&mut self.module));
        context.detach_diagnostic_handler(handler);
        result.map_err(|error| format!("{passes}: {error}: {}", messages.borrow().join("; ")))
    }

    /// Makes loop nests of what is fused ([`fusion::NESTS`]).
    ///
    /// # Errors
    ///
    /// If that fails, or a cluster is taken apart for it, which the fusion has to foresee.
    pub fn lower_to_nests(&mut self) -> Result<(), String> {
        self.compiler.context().get_or_load_dialect("nest");
        let counts = soac_to_nest::run(self.module(), false, false);
        let counts = counts.map_err(|error| format!("{}: {error}", fusion::NESTS))?;
        match counts.taken_apart {
            0 => Ok(()),
            count => Err(format!(
                "{}: {count} clusters are taken apart",
                fusion::NESTS
            )),
        }
    }

    /// The program as it is now, to go another way.
    pub fn copy(&self) -> Self {
        let module = self.module();
        Self {
            compiler: self.compiler,
            module: Module::from_operation(Operation::clone(&module))
                .expect("a copy of a module is one"),
            inputs: Rc::clone(&self.inputs),
        }
    }

    /// What the program gives now.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub fn interpret(&self) -> Result<Vec<Value>, Failure> {
        let module = self.module.as_operation();
        interpret(&module, "main", &self.inputs, &Limits::default())
    }

    /// The program as it is now.
    pub fn module(&self) -> OperationRef<'c, '_> {
        self.module.as_operation()
    }
}
