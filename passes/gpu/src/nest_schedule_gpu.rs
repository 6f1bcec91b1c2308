//! Decides how a GPU runs loop nests, and writes it at the loops. It changes nothing else.
//!
//! Phases, for each kernel:
//! 1. its loops are read as for a CPU ([`nests`](comb_nest::nests),
//!    [`obstacles`](comb_cpu::nest_schedule::obstacles));
//! 2. [`choose`] decides, a pure function of the kernel and the GPU (`comb.machine`), with
//!    [`reasons`];
//! 3. the decisions are written as attributes, but for loops that have one: what is said by hand
//!    stays. [`nest_to_gpu`](crate::nest_to_gpu) only obeys.
//!
//! The reasons are remarks.
//!
//! Cost: that of [`choose`].

pub mod choose;
pub mod host;
pub mod reasons;

use choose::{Choice, choose};
use comb_kit::{
    machine,
    pass_error::PassError,
    remarks::{Kind as RemarkKind, Remark},
    walk::ancestors,
};
use comb_machine::Gpu;
use comb_nest::nests::kernels;
use melior::ir::{OperationRef, operation::OperationLike};
use nest_dialect::gpu_schedule::{GPU, GpuSchedule};
use reasons::Reason;
use soac_dialect::{
    text::{shown, symbol_bytes},
    view::op_name,
};

/// Writes a schedule at all loops of kernels that have none.
///
/// # Errors
///
/// If the module is for no GPU.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for kernel in kernels(module) {
        let gpu = machine::gpu_of(kernel)?;
        for choice in choices(kernel, &gpu) {
            if !choice.op.has_attribute(GPU) {
                choice.schedule.write(choice.op);
            }
            remark(&choice);
        }
    }
    Ok(())
}

/// How the loops of a kernel run: as they say, or as is best for a GPU.
pub fn choices<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, gpu: &Gpu) -> Vec<Choice<'c, 'a>> {
    let mut choices = choose(kernel, gpu);
    for choice in &mut choices {
        if let Ok(Some(given)) = GpuSchedule::of(choice.op) {
            choice.schedule = given;
            choice.reason = Reason::Given;
        }
    }
    choices
}

fn remark(choice: &Choice) {
    let function = ancestors(choice.op).find(|&op| op_name(op) == "func.func");
    let function = function.and_then(symbol_bytes).unwrap_or_default();
    let remark = Remark {
        pass: "nest-schedule-gpu",
        kind: RemarkKind::Analysis,
        name: "Schedule",
        function: &shown(function),
        location: choice.op.location(),
    };
    remark.emit(&|| format!("a loop: {}", choice.reason));
}
