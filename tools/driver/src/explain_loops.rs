//! Says how the loops of a program run, and why.

use std::rc::Rc;

use comb_machine::{Gpu, Machine};
use comb_passes::{
    fuse::OptionsText,
    machine,
    nest_schedule::{choices, choose::Versions},
    nest_schedule_gpu,
    nests::{kernels, length_of},
    pipelines,
};
use melior::{
    ir::{OperationRef, operation::OperationLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use nest_dialect::{gpu_schedule::GpuSchedule, schedule::Schedule};
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
    pub schedule: LoopSchedule,
    /// Why.
    pub reasons: Vec<String>,
}

/// How a loop runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopSchedule {
    /// On a CPU.
    Cpu(Schedule),
    /// On a GPU.
    Gpu(GpuSchedule),
}

/// What loops run on: its name, as LLVM has it, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub enum RunsOn<'m> {
    /// A CPU.
    Cpu(&'m str, &'m Machine),
    /// A GPU.
    Gpu(&'m str, &'m Gpu),
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

/// Makes loop nests of a program, and explains how the loops run on a machine; with what the passes said about the program. A program that says itself what it is for is
/// explained for that.
///
/// # Errors
///
/// If the program is refused, or wishes for fusion cannot be fulfilled.
pub fn explain_loops(
    compiler: &Compiler,
    program: &mut Program,
    fusion: &OptionsText,
    machine: RunsOn,
) -> Result<(Vec<ExplainedKernel>, Diagnostics), CompileError> {
    let passes = format!("builtin.module({})", pipelines::explained(fusion).join(","));
    let manager = PassManager::new(compiler.context());
    parse_pass_pipeline(manager.as_operation_pass_manager(), &passes)?;
    let source = Rc::clone(&program.source);
    let result = compiler.captured(&source, || {
        manager.run(&mut program.module).ok()?;
        let module = program.module.as_operation();
        let is_given = module.has_attribute(machine::MACHINE);
        let found = kernels(module).into_iter();
        match machine {
            RunsOn::Cpu(name, described) => {
                if !is_given {
                    machine::write(module, name, described);
                }
                let machine = machine::of(module);
                let machine = machine
                    .map_err(|error| error.emit(module.location()))
                    .ok()?;
                let loops = |kernel| cpu_loops(kernel, &machine);
                Some(found.map(|kernel| explained(kernel, loops)).collect())
            }
            RunsOn::Gpu(name, described) => {
                if !is_given {
                    machine::write_gpu(module, name, described);
                }
                let gpu = machine::gpu_of(module);
                let gpu = gpu.map_err(|error| error.emit(module.location())).ok()?;
                let loops = |kernel| gpu_loops(kernel, &gpu);
                Some(found.map(|kernel| explained(kernel, loops)).collect())
            }
        }
    });
    result.map_err(|diagnostics| CompileError::of_passes(diagnostics, source.name()))
}

fn explained<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    loops: impl Fn(OperationRef<'c, 'a>) -> Vec<ExplainedLoop>,
) -> ExplainedKernel {
    let mut around = std::iter::successors(kernel.parent_operation(), |op| op.parent_operation());
    let function = around.find(|&op| op_name(op) == "func.func");
    let function = function.and_then(symbol_bytes).unwrap_or_default();
    ExplainedKernel {
        function: shown(function),
        place: place(kernel.location()),
        loops: loops(kernel),
    }
}

fn cpu_loops(kernel: OperationRef, machine: &Machine) -> Vec<ExplainedLoop> {
    let loops = choices(kernel, machine, Versions::ALL).into_iter();
    let explained = loops.map(|choice| ExplainedLoop {
        depth: choice.depth,
        length: length_of(choice.op),
        schedule: LoopSchedule::Cpu(choice.schedule),
        reasons: choice.reasons.iter().map(ToString::to_string).collect(),
    });
    explained.collect()
}

fn gpu_loops(kernel: OperationRef, gpu: &Gpu) -> Vec<ExplainedLoop> {
    let loops = nest_schedule_gpu::choices(kernel, gpu).into_iter();
    let explained = loops.map(|choice| ExplainedLoop {
        depth: choice.depth,
        length: length_of(choice.op),
        schedule: LoopSchedule::Gpu(choice.schedule),
        reasons: vec![choice.reason.to_string()],
    });
    explained.collect()
}
