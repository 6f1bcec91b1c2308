//! Says how the loops of a program run, and why.

use std::rc::Rc;

use comb_machine::Machine;
use comb_passes::{
    fuse::OptionsText,
    machine,
    nest_schedule::{choices, choose::Versions},
    nests::{kernels, length_of},
    pipelines,
};
use melior::{
    ir::{OperationRef, operation::OperationLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use nest_dialect::schedule::Schedule;
use soac_dialect::{
    location::place,
    text::{shown, symbol_bytes},
    view::op_name,
};

use crate::{Compiler, Diagnostics, compile::CompileError, load::Program};

/// A loop of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedLoop {
    /// In how many loops it is.
    pub depth: usize,
    /// How often it runs, if that is known.
    pub length: Option<u64>,
    /// How it runs.
    pub schedule: Schedule,
    /// Why.
    pub reasons: Vec<String>,
}

/// The loops that one cluster of combinators became, or one combinator in none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedKernel {
    /// The function that it is in.
    pub function: String,
    /// Where it comes from, if that is known.
    pub place: Option<String>,
    /// Its loops, outer ones before those inside.
    pub loops: Vec<ExplainedLoop>,
}

/// Makes loop nests of a program, and explains how the loops run on a machine that is called `cpu`;
/// with what the passes said about the program. A program that says itself what it is for is
/// explained for that.
///
/// # Errors
///
/// If the program is refused, or wishes for fusion cannot be fulfilled.
pub fn explain_loops(
    compiler: &Compiler,
    program: &mut Program,
    fusion: &OptionsText,
    (cpu, described): (&str, &Machine),
) -> Result<(Vec<ExplainedKernel>, Diagnostics), CompileError> {
    let passes = format!("builtin.module({})", pipelines::explained(fusion).join(","));
    let manager = PassManager::new(compiler.context());
    parse_pass_pipeline(manager.as_operation_pass_manager(), &passes)?;
    let source = Rc::clone(&program.source);
    let result = compiler.captured(&source, || {
        manager.run(&mut program.module).ok()?;
        let module = program.module.as_operation();
        if !module.has_attribute(machine::MACHINE) {
            machine::write(module, cpu, described);
        }
        let machine = machine::of(module);
        let machine = machine
            .map_err(|error| error.emit(module.location()))
            .ok()?;
        let found = kernels(module).into_iter();
        Some(found.map(|kernel| explained(kernel, &machine)).collect())
    });
    result.map_err(|diagnostics| CompileError::of_passes(diagnostics, source.name()))
}

fn explained<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, machine: &Machine) -> ExplainedKernel {
    let mut around = std::iter::successors(kernel.parent_operation(), |op| op.parent_operation());
    let function = around.find(|&op| op_name(op) == "func.func");
    let function = function.and_then(symbol_bytes).unwrap_or_default();
    let loops = choices(kernel, machine, Versions::ALL).into_iter();
    ExplainedKernel {
        function: shown(function),
        place: place(kernel.location()),
        loops: loops
            .map(|choice| ExplainedLoop {
                depth: choice.depth,
                length: length_of(choice.op),
                schedule: choice.schedule,
                reasons: choice.reasons.iter().map(ToString::to_string).collect(),
            })
            .collect(),
    }
}
