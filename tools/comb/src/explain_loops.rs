//! `comb explain --loops`: says how the loops of a program run, and why.

use comb_driver::{
    Compiler,
    code::CodeError,
    cpu::Cpu,
    explain_loops::{ExplainedKernel, ExplainedLoop, explain_loops},
};

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
    let machine = (cpu.name.as_str(), &cpu.machine());
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
    let reasons: String = reasons
        .map(|reason| format!("{indent}  - {reason}\n"))
        .collect();
    format!("{indent}loop {name}{length}\n{reasons}")
}

fn json(kernels: &[ExplainedKernel]) -> String {
    let kernels = kernels.iter().map(|kernel| {
        let loops = kernel.loops.iter().map(|explained| {
            serde_json::json!({
                "depth": explained.depth,
                "length": explained.length,
                "lanes": explained.schedule.lanes,
                "accumulators": explained.schedule.accumulators,
                "chunk": explained.schedule.chunk,
                "jam": explained.schedule.jam,
                "stream": explained.schedule.stream,
                "reasons": explained.reasons,
            })
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
