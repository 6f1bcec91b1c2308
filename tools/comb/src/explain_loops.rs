//! `comb explain --loops`: says how the loops of a program run, and why.

use comb_driver::{
    Compiler,
    code::CodeError,
    cpu::Cpu,
    explain_loops::{ExplainedKernel, ExplainedLoop, LoopSchedule, RunsOn, explain_loops},
};
use comb_machine::{Gpu, describe_gpu};
use nest_dialect::gpu_schedule::{GpuSchedule, Grid, Team};

use crate::{
    explain::{ExplainFailure, fusion_options, load_program},
    failure::Failure,
    options::{ExplainFormat, ExplainOptions},
    progress::Progress,
};

/// What loops are called, from the outermost one on, as in printed nests.
const NAMES: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

/// How the loops of a program run, as text or JSON.
pub fn explained(options: &ExplainOptions) -> Result<String, Failure> {
    fusion_options(options).map_err(ExplainFailure::from)?;
    if !matches!(options.format, ExplainFormat::Text | ExplainFormat::Json) {
        return Err(ExplainFailure::NoPicture.into());
    }
    let progress = Progress::start();
    progress.step("fusing");
    let cpu = Cpu::named(Some(&options.cpu)).map_err(CodeError::from);
    let cpu = cpu.map_err(ExplainFailure::from)?;
    let compiler = Compiler::new();
    let (mut program, function) = load_program(&compiler, options)?;
    let extents = options.fusion.extents();
    let fusion = options.fusion.text(&options.algorithm, &extents);
    let cpu_machine = cpu.machine();
    let gpu = described_gpu(options)?;
    let machine = match &gpu {
        Some((name, gpu)) => RunsOn::Gpu(name, gpu),
        None => RunsOn::Cpu(&cpu.name, &cpu_machine),
    };
    let (mut kernels, warnings) = explain_loops(&compiler, &mut program, &fusion, machine)?;
    drop(progress);
    crate::run::warn(&warnings);
    kernels.retain(|kernel| function.is_none_or(|function| function == kernel.function));
    if kernels.is_empty() {
        let of = function.map_or_else(String::new, |function| format!(" in '{function}'"));
        let file = options.file.display().to_string();
        return Err(ExplainFailure::NoLoops { file, of }.into());
    }
    Ok(match options.format {
        ExplainFormat::Json => json(&kernels),
        _ => text(&kernels),
    })
}

/// The GPU that loops are explained for, if it is one.
fn described_gpu(options: &ExplainOptions) -> Result<Option<(String, Gpu)>, ExplainFailure> {
    let Some(target) = options.target.of_kernels() else {
        return Ok(None);
    };
    let usual = || target.usual_chip().to_owned();
    let name = options.gpu.clone().unwrap_or_else(usual);
    let gpu = describe_gpu(&name, [])?;
    Ok(Some((name, gpu)))
}

fn text(kernels: &[ExplainedKernel]) -> String {
    let shown = (1..).zip(kernels).map(|(number, kernel)| {
        let place = kernel.place.as_ref();
        let place = place.map_or_else(String::new, |place| format!(", {place}"));
        let heading = format!("kernel {number}, in {}{place}", kernel.function);
        let rule = "=".repeat(heading.chars().count());
        let loops: String = kernel.loops.iter().map(loop_text).collect();
        format!("{heading}\n{rule}\n\n{loops}")
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn loop_text(explained: &ExplainedLoop) -> String {
    let indent = "  ".repeat(explained.depth);
    let name = NAMES.get(explained.depth).copied();
    let name = name.map_or_else(|| format!("i{}", explained.depth), str::to_owned);
    let length = explained.length;
    let length = length.map_or_else(String::new, |length| format!(" to {length}"));
    let reasons = explained.reasons.iter();
    let shared = match &explained.schedule {
        LoopSchedule::Cpu(_) => String::new(),
        LoopSchedule::Gpu(schedule) => format!("{indent}  - {}\n", who_runs(schedule)),
    };
    let reasons: String = reasons
        .map(|reason| format!("{indent}  - {reason}\n"))
        .collect();
    format!("{indent}loop {name}{length}\n{shared}{reasons}")
}

/// Who runs the iterations of a loop.
fn who_runs(schedule: &GpuSchedule) -> String {
    let Grid {
        team,
        axis,
        threads,
        blocks,
        unroll,
        ..
    } = match schedule {
        GpuSchedule::Grid(grid) => grid,
        GpuSchedule::Team => return "shared by the threads of the team around it".to_owned(),
        GpuSchedule::Sequential => return "run by each thread that comes to it".to_owned(),
        GpuSchedule::Single => return "run by one thread, in a kernel of its own".to_owned(),
    };
    let team = match team {
        Team::Thread => "a thread",
        Team::Warp => "a warp",
        Team::Block => "a block",
    };
    let axis = ["x", "y", "z"].get(*axis as usize).unwrap_or(&"?");
    let unrolled = match unroll {
        1 => String::new(),
        unroll => format!(", {unroll} iterations of a thread unrolled"),
    };
    format!(
        "along {axis} of the grid: {team} for each iteration, {threads} threads in a block, at most \
         {blocks} blocks{unrolled}"
    )
}

/// What a loop's schedule is, as JSON.
fn schedule_json(schedule: &LoopSchedule) -> serde_json::Value {
    match schedule {
        LoopSchedule::Cpu(schedule) => serde_json::json!({
            "lanes": schedule.lanes,
            "accumulators": schedule.accumulators,
            "chunk": schedule.chunk,
            "jam": schedule.jam,
            "stream": schedule.stream,
        }),
        LoopSchedule::Gpu(GpuSchedule::Grid(grid)) => serde_json::json!({
            "level": "grid",
            "team": match grid.team {
                Team::Thread => "thread",
                Team::Warp => "warp",
                Team::Block => "block",
            },
            "axis": grid.axis,
            "threads": grid.threads,
            "blocks": grid.blocks,
            "part": grid.part,
            "unroll": grid.unroll,
        }),
        LoopSchedule::Gpu(other) => serde_json::json!({ "level": other.level() }),
    }
}

fn json(kernels: &[ExplainedKernel]) -> String {
    let kernels = kernels.iter().map(|kernel| {
        let loops = kernel.loops.iter().map(|explained| {
            let mut json = schedule_json(&explained.schedule);
            json["depth"] = explained.depth.into();
            json["length"] = explained.length.into();
            json["reasons"] = explained.reasons.clone().into();
            json
        });
        serde_json::json!({
            "function": kernel.function,
            "place": kernel.place,
            "loops": loops.collect::<Vec<_>>(),
        })
    });
    let kernels: Vec<_> = kernels.collect();
    serde_json::to_string_pretty(&kernels).expect("text and numbers are JSON") + "\n"
}
