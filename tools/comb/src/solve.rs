//! `comb solve`: decides which combinators of graphs share loops.
//!
//! Phases: read all graphs, so that what is wrong is said before anything takes
//! time; solve one after another; report; draw.

pub mod interrupt;
mod method;
mod problem;
mod report;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use comb_fusion::{drawing, format::FormatError, legality::Illegal};
use comb_runtime::{atomic_file::AtomicFile, npy};

use crate::{
    failure::Failure,
    options::SolveOptions,
    print,
    progress::Progress,
    solve::{
        method::{Answer, Method},
        problem::Problem,
    },
};

/// Why a graph was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveFailure {
    #[error("{file}: {reason}")]
    Read { file: String, reason: String },
    #[error("{file}: {error}")]
    Graph { file: String, error: FormatError },
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
    #[error("{option} draws one graph, but {count} are given")]
    OneGraphOnly { option: &'static str, count: usize },
    #[error("{problem}")]
    Combination { problem: &'static str },
    #[error("cannot write '{}': {reason}", path.display())]
    Picture { path: PathBuf, reason: String },
}

impl SolveFailure {
    /// Whether the message begins with a file's name.
    pub fn has_place(&self) -> bool {
        !matches!(
            self,
            Self::OneGraphOnly { .. } | Self::Combination { .. } | Self::Picture { .. }
        )
    }
}

/// A problem and what was found.
struct Solved {
    problem: Problem,
    answer: Answer,
}

/// Whether an interrupt gives the best answer so far.
pub fn heeds_interrupts(options: &SolveOptions) -> bool {
    matches!(Method::new(options), Ok(Method::Exact))
}

/// Runs the command.
pub fn solve(options: &SolveOptions) -> Result<(), Failure> {
    let method = Method::new(options)?;
    check_pictures(options)?;
    let problems = options
        .files
        .iter()
        .map(|file| Problem::read(file, options))
        .collect::<Result<Vec<_>, _>>()?;
    let progress = Progress::start();
    progress.count("solving", problems.len() as u32);
    let mut solved = vec![];
    for problem in problems {
        let answer = method.solve(&problem, options.time_limit)?;
        solved.push(Solved { problem, answer });
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
fn check_pictures(options: &SolveOptions) -> Result<(), SolveFailure> {
    for (option, path) in pictures(options) {
        let count = options.files.len();
        if count > 1 {
            return Err(SolveFailure::OneGraphOnly { option, count });
        }
        AtomicFile::check_target(path).map_err(|error| unwritable(path, &error))?;
    }
    Ok(())
}

fn unwritable(path: &Path, error: &std::io::Error) -> SolveFailure {
    SolveFailure::Picture {
        path: path.to_owned(),
        reason: npy::reason(error),
    }
}

fn draw(options: &SolveOptions, solved: &[Solved]) -> Result<(), SolveFailure> {
    for Solved { problem, answer } in solved {
        for (option, path) in pictures(options) {
            let picture = match option {
                "--dot" => drawing::dot,
                _ => drawing::svg,
            };
            let text = picture(&problem.graph, Some(&answer.clustering));
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
