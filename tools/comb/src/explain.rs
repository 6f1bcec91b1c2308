//! `comb explain`: says what would be fused in a program, and why.

use std::{io::Write, path::Path};

use comb_drawing::{Picture, TooLarge};
use comb_driver::{
    Compiler,
    code::CodeError,
    entry,
    explain::explain,
    load::{self, Program},
    parameter_names,
};
use comb_machine::InvalidFact;
use comb_passes::fuse::{Explanation, InvalidOption, Options};
use comb_runtime::{atomic_file::AtomicFile, files::Files, npy};
use serde_json::Value;

use crate::{
    failure::Failure,
    options::{ExplainFormat, ExplainOptions},
    print,
    progress::Progress,
};

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum ExplainFailure {
    #[error("{0}")]
    Option(#[from] InvalidOption),
    #[error("'{file}' has no block with two combinators that could be fused{of}")]
    Nothing { file: String, of: String },
    #[error("there is no block {block}; there are {count}")]
    NoBlock { block: usize, count: usize },
    #[error("{what} one block, but there are {count}: {blocks}; choose one with --block")]
    OneBlockOnly {
        what: &'static str,
        count: usize,
        blocks: String,
    },
    #[error("{place}: {error}, which --format dot writes")]
    TooLarge { place: String, error: TooLarge },
    #[error(transparent)]
    Cpu(#[from] CodeError),
    #[error(transparent)]
    Gpu(#[from] InvalidFact),
    #[error("'{file}' has no loops{of}")]
    NoLoops { file: String, of: String },
    #[error("loops are explained as text or json")]
    NoPicture,
    #[error("'{file}' has no function with arrays{of}")]
    NoMemory { file: String, of: String },
    #[error("memory is explained as text, json or svg")]
    NoGraph,
    #[error("cannot write '{path}': {reason}")]
    Picture { path: String, reason: String },
}

impl ExplainFailure {
    /// Whether the command line is wrong.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            Self::Picture { .. }
                | Self::Nothing { .. }
                | Self::NoLoops { .. }
                | Self::NoMemory { .. }
                | Self::TooLarge { .. }
        )
    }
}

/// Runs the command.
pub fn run(options: &ExplainOptions) -> Result<(), Failure> {
    let output = options.output.as_deref();
    let output = output.filter(|&path| path != Path::new("-"));
    if let Some(path) = output {
        let mut files = Files::default();
        files.reads(&options.file);
        files.writes(path)?;
        AtomicFile::check_target(path).map_err(|error| unwritable(options, &error))?;
    }
    let text = match (options.loops, options.memory) {
        (true, _) => crate::explain_loops::explained(options)?,
        (_, true) => crate::explain_memory::explained(options)?,
        _ => explained(options)?,
    };
    match output {
        None => print(&text),
        Some(path) => {
            let written = AtomicFile::create(path).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.commit()
            });
            Ok(written.map_err(|error| unwritable(options, &error))?)
        }
    }
}

/// The program, and the function that is asked for.
pub fn load_program<'c, 'o>(
    compiler: &'c Compiler,
    options: &'o ExplainOptions,
) -> Result<(Program<'c>, Option<&'o str>), Failure> {
    let program = load::load(compiler, &options.file)?;
    let function = options.function.as_deref();
    let function = function
        .map(|function| entry::defined(&program, function))
        .transpose()?;
    if !options.fusion.extents.is_empty() {
        parameter_names::write(compiler, &program);
    }
    Ok((program, function))
}

/// What would be fused, and why.
fn explained(options: &ExplainOptions) -> Result<String, Failure> {
    let fusion = fusion_options(options).map_err(ExplainFailure::from)?;
    let progress = Progress::start();
    progress.step("fusing");
    let compiler = Compiler::new();
    let (mut program, function) = load_program(&compiler, options)?;
    let (explanations, warnings) = explain(&compiler, &mut program, &fusion)?;
    drop(progress);
    crate::run::warn(&warnings);
    let chosen = chosen(options, function, explanations)?;
    Ok(match options.format {
        ExplainFormat::Text => text(&chosen),
        ExplainFormat::Json => json(&chosen),
        ExplainFormat::Graph => one(&chosen, "a graph is that of")?.graph.to_json() + "\n",
        ExplainFormat::Dot => picture(&chosen, options)?.dot(),
        ExplainFormat::Svg => svg(&chosen, options)?,
    })
}

fn unwritable(options: &ExplainOptions, error: &std::io::Error) -> ExplainFailure {
    let path = options.output.as_deref().unwrap_or(&options.file);
    ExplainFailure::Picture {
        path: path.display().to_string(),
        reason: npy::reason(error),
    }
}

pub fn fusion_options(options: &ExplainOptions) -> Result<Options, InvalidOption> {
    let extents = options.fusion.extents();
    Options::from_text(&options.fusion.text(&options.algorithm, &extents))
}

/// The blocks that are asked for, with their numbers.
fn chosen(
    options: &ExplainOptions,
    function: Option<&str>,
    explanations: Vec<Explanation>,
) -> Result<Vec<(usize, Explanation)>, ExplainFailure> {
    let count = explanations.len();
    let mut numbered: Vec<_> = (1..).zip(explanations).collect();
    if let Some(function) = function {
        numbered.retain(|(_, explanation)| explanation.function == function);
    }
    if let Some(block) = options.block {
        numbered.retain(|&(number, _)| number == block);
        if numbered.is_empty() && count > 0 {
            return Err(ExplainFailure::NoBlock { block, count });
        }
    }
    if numbered.is_empty() {
        return Err(ExplainFailure::Nothing {
            file: options.file.display().to_string(),
            of: function.map_or_else(String::new, |function| format!(" in '{function}'")),
        });
    }
    Ok(numbered)
}

fn text(chosen: &[(usize, Explanation)]) -> String {
    let blocks = chosen.iter().map(|(number, explanation)| {
        let heading = format!("block {number}, in {}", explanation.function);
        let rule = "=".repeat(heading.len());
        format!("{heading}\n{rule}\n\n{}", explanation.report.to_text())
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn json(chosen: &[(usize, Explanation)]) -> String {
    let blocks = chosen.iter().map(|(number, explanation)| {
        let report: Value =
            serde_json::from_str(&explanation.report.to_json()).expect("a report is JSON");
        let graph: Value =
            serde_json::from_str(&explanation.graph.to_json()).expect("a graph is JSON");
        serde_json::json!({
            "block": number,
            "function": explanation.function,
            "report": report,
            "graph": graph,
        })
    });
    let blocks: Vec<Value> = blocks.collect();
    let text = serde_json::to_string_pretty(&blocks).expect("text is JSON");
    text + "\n"
}

fn picture(
    chosen: &[(usize, Explanation)],
    options: &ExplainOptions,
) -> Result<Picture, ExplainFailure> {
    let explanation = one(chosen, "a picture shows")?;
    let clustering = Some(&explanation.clustering);
    Ok(Picture::new(&explanation.graph, clustering, options.checks))
}

fn svg(
    chosen: &[(usize, Explanation)],
    options: &ExplainOptions,
) -> Result<String, ExplainFailure> {
    let svg = picture(chosen, options)?.svg();
    svg.map_err(|error| ExplainFailure::TooLarge {
        place: place(chosen, options),
        error,
    })
}

/// Where the first block begins.
fn place(chosen: &[(usize, Explanation)], options: &ExplainOptions) -> String {
    let first = chosen.first().map(|(_, explanation)| &explanation.graph);
    let mut nodes = first.into_iter().flat_map(|graph| &graph.nodes);
    nodes
        .find_map(|node| node.location.clone())
        .unwrap_or_else(|| options.file.display().to_string())
}

/// The only block.
fn one<'e>(
    chosen: &'e [(usize, Explanation)],
    what: &'static str,
) -> Result<&'e Explanation, ExplainFailure> {
    match chosen {
        [(_, explanation)] => Ok(explanation),
        _ => {
            let blocks = chosen
                .iter()
                .map(|(number, explanation)| format!("{number} in {}", explanation.function));
            Err(ExplainFailure::OneBlockOnly {
                what,
                count: chosen.len(),
                blocks: blocks.collect::<Vec<_>>().join(", "),
            })
        }
    }
}
