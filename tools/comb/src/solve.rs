//! `comb solve`: decides which combinators of graphs, or which array operations of
//! lists, share loops.
//!
//! Phases: read all files, so that what is wrong is said before anything takes
//! time; solve one after another; draw; report. Or: write a program for other solvers.

mod export;
mod file;
pub mod interrupt;
mod method;
mod operations;
mod problem;
mod reasons;
mod report;

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use comb_drawing::{Picture, TooLarge};
use comb_fusion::{
    cost::WeightsError,
    exact::NotFused,
    format::FormatError,
    legality::Illegal,
    report::{Question, Report},
};
use comb_oracles::wsp::{Instance, InstanceError, UnknownCostModel};
use comb_runtime::{atomic_file::AtomicFile, files::Files, npy};

use crate::{
    failure::Failure,
    options::SolveOptions,
    print,
    progress::Progress,
    solve::{
        file::Text,
        method::{Answer, Method},
        operations::{Blocks, Task},
        problem::Problem,
    },
};

/// Why a file was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveFailure {
    #[error("{file}: {reason}")]
    Read { file: String, reason: String },
    #[error("{file}: {error}")]
    Graph { file: String, error: FormatError },
    #[error("{file}: {error}")]
    Operations { file: String, error: InstanceError },
    #[error("{file}: {option} is for graphs of combinators; this is a list of array operations")]
    ForGraphs { file: String, option: &'static str },
    #[error("{file}: {error}")]
    Weights { file: String, error: WeightsError },
    #[error("{file}: {error}")]
    PartitionCost {
        file: String,
        error: UnknownCostModel,
    },
    #[error("{file}: {wish}: {problem}")]
    Wish {
        file: String,
        wish: String,
        problem: String,
    },
    #[error("{file}: {reason}")]
    NoAnswer { file: String, reason: String },
    #[error("{file}: internal error: the answer is not legal: {error}")]
    Illegal { file: String, error: Illegal },
    #[error("{file}: {error}, which --dot writes")]
    TooLarge { file: String, error: TooLarge },
    #[error("{option} is for one graph, but {count} are given")]
    OneGraphOnly { option: &'static str, count: usize },
    #[error("{problem}")]
    Combination { problem: String },
    #[error("'{}' ends with neither .lp nor .mps", path.display())]
    UnknownEnding { path: PathBuf },
    #[error("cannot write '{}': {reason}", path.display())]
    Unwritable { path: PathBuf, reason: String },
}

/// What is to be solved.
enum Asked {
    Graph(Box<Problem>),
    Operations(Task),
}

impl Asked {
    fn read(path: &Path, options: &SolveOptions) -> Result<Self, SolveFailure> {
        let text = Text::read(path)?;
        if Instance::is_meant(&text.content) {
            Task::read(&text, options).map(Self::Operations)
        } else {
            let problem = Problem::read(&text, options)?;
            warn_of_no_result(&text.file, &problem);
            if options.svg.is_some() {
                let picture = Picture::new(&problem.graph, None, options.checks);
                let size = picture.check_size();
                size.map_err(|error| too_large(&text.file, error))?;
            }
            Ok(Self::Graph(Box::new(problem)))
        }
    }

    fn solve(self, method: Method, options: &SolveOptions) -> Result<Solved, SolveFailure> {
        let time_limit = options.time_limit;
        Ok(match self {
            Self::Graph(problem) => {
                let answer = method::solve(method, &problem, time_limit)?;
                let reasons = options.reasons.then(|| reasons::reasons(&problem, &answer));
                Solved::Graph(Box::new(SolvedGraph {
                    report: options
                        .report
                        .then(|| full_report(method, &problem, &answer, time_limit)),
                    problem: *problem,
                    answer,
                    reasons,
                }))
            }
            Self::Operations(task) => {
                let found = task.solve(time_limit)?;
                Solved::Operations(SolvedOperations { task, found })
            }
        })
    }
}

/// A graph that nobody needs anything of is usually one whose author forgot to say what.
fn warn_of_no_result(file: &str, problem: &Problem) {
    let graph = &problem.graph;
    let computes = (0..graph.nodes.len()).any(|node| !graph.is_input(node));
    if computes && !graph.nodes.iter().any(|node| node.result) {
        let _ = writeln!(
            std::io::stderr(),
            "warning: {file}: the graph has no 'results': no array has to be stored for others"
        );
    }
}

/// What was to be solved and what was found.
enum Solved {
    Graph(Box<SolvedGraph>),
    Operations(SolvedOperations),
}

struct SolvedGraph {
    problem: Problem,
    answer: Answer,
    /// Why others are not fused, if that is asked for.
    reasons: Option<Vec<NotFused>>,
    /// What every fusion is good for, if that is asked for.
    report: Option<Report>,
}

struct SolvedOperations {
    task: Task,
    found: Blocks,
}

fn full_report(
    method: Method,
    problem: &Problem,
    answer: &Answer,
    time_limit: Option<Duration>,
) -> Report {
    let question = Question {
        graph: &problem.graph,
        cost: &problem.cost,
        weights: &problem.weights,
        cost_options: &problem.cost_options,
        bounds: &method::bounds(problem, time_limit),
        method,
    };
    Report {
        graph: problem.name.clone(),
        ..Report::new(&question, answer)
    }
}

/// Whether an interrupt gives the best answer so far.
pub fn heeds_interrupts(options: &SolveOptions) -> bool {
    options.write_lp.is_none() && matches!(method::chosen(options), Ok(Method::Exact))
}

/// Runs the command.
pub fn solve(options: &SolveOptions) -> Result<(), Failure> {
    if let Some(path) = &options.write_lp {
        return export::export(options, path);
    }
    let method = method::chosen(options)?;
    check_pictures(options)?;
    let questions = options
        .files
        .iter()
        .map(|file| Asked::read(file, options))
        .collect::<Result<Vec<_>, SolveFailure>>()?;
    let progress = Progress::start();
    progress.count("solving", questions.len() as u32);
    let mut solved = vec![];
    for question in questions {
        solved.push(question.solve(method, options)?);
        progress.advance();
    }
    drop(progress);
    draw(options, &solved)?;
    print(&match options.json {
        true => report::json(&solved),
        false => report::text(&solved),
    })
}

fn pictures(options: &SolveOptions) -> impl Iterator<Item = (&'static str, &Path)> {
    [("--dot", &options.dot), ("--svg", &options.svg)]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
}

/// What can be known to be wrong is said before anything takes time.
fn check_pictures(options: &SolveOptions) -> Result<(), Failure> {
    let mut files = Files::default();
    for file in &options.files {
        files.reads(file);
    }
    for (option, path) in pictures(options) {
        let count = options.files.len();
        if count > 1 {
            return Err(SolveFailure::OneGraphOnly { option, count }.into());
        }
        if path == Path::new("-") {
            let problem = format!("{option} needs a file: the report goes to standard output");
            return Err(SolveFailure::Combination { problem }.into());
        }
        files.writes(path)?;
        AtomicFile::check_target(path).map_err(|error| unwritable(path, &error))?;
    }
    Ok(())
}

fn too_large(file: &str, error: TooLarge) -> SolveFailure {
    SolveFailure::TooLarge {
        file: file.to_owned(),
        error,
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> SolveFailure {
    SolveFailure::Unwritable {
        path: path.to_owned(),
        reason: npy::reason(error),
    }
}

fn draw(options: &SolveOptions, solved: &[Solved]) -> Result<(), SolveFailure> {
    for solved in solved {
        let Solved::Graph(solved) = solved else {
            continue;
        };
        let SolvedGraph {
            problem, answer, ..
        } = &**solved;
        for (option, path) in pictures(options) {
            let text = interrupt::unheeded(|| {
                let clustering = Some(&answer.clustering);
                let picture = Picture::new(&problem.graph, clustering, options.checks);
                match option {
                    "--dot" => Ok(picture.dot()),
                    _ => picture.svg(),
                }
            });
            let text = text.map_err(|error| too_large(&problem.file, error))?;
            AtomicFile::create(path)
                .and_then(|mut file| {
                    file.write_all(text.as_bytes())?;
                    file.commit()
                })
                .map_err(|error| unwritable(path, &error))?;
        }
    }
    Ok(())
}
