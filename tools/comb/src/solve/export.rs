//! The integer program of a graph as a file for other solvers.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use comb_fusion::programs::Formulation;
use comb_oracles::formulation::{self, Export, FileFormat};
use comb_runtime::{atomic_file::AtomicFile, files::Files};

use crate::{
    failure::Failure,
    options::{FormulationName, SolveOptions},
    solve::{Asked, SolveFailure, unwritable},
};

const OPTION: &str = "--write-lp";

/// Writes the program of the graph that is given.
pub fn export(options: &SolveOptions, path: &Path) -> Result<(), Failure> {
    let formulation = formulation(options)?;
    let file = one_graph(options)?;
    if path == Path::new("-") {
        let program = program(options, file, formulation)?;
        return written(&program, FileFormat::Lp, &mut io::stdout().lock())
            .map_err(Failure::StandardOutput);
    }
    let format = format(path)?;
    let mut files = Files::default();
    files.reads(file);
    files.writes(path)?;
    AtomicFile::check_target(path).map_err(|error| unwritable(path, &error))?;
    let program = program(options, file, formulation)?;
    AtomicFile::create(path)
        .and_then(|mut file| {
            written(&program, format, &mut file)?;
            file.commit()
        })
        .map_err(|error| unwritable(path, &error).into())
}

fn formulation(options: &SolveOptions) -> Result<Formulation, SolveFailure> {
    let problem = match options.formulation {
        _ if options.has_limits() => {
            "--max-arguments and --max-memory are for comb's own solver only, not for --write-lp"
        }
        Some(FormulationName::Own) => {
            "the own formulation cannot be written: most of its constraints are found while it \
             is solved; take compact or figure4"
        }
        Some(FormulationName::Figure4) => return Ok(Formulation::Figure4),
        None | Some(FormulationName::Compact) => return Ok(Formulation::Compact),
    };
    Err(SolveFailure::Combination {
        problem: problem.to_owned(),
    })
}

fn one_graph(options: &SolveOptions) -> Result<&Path, SolveFailure> {
    match &options.files[..] {
        [file] => Ok(file),
        files => Err(SolveFailure::OneGraphOnly {
            option: OPTION,
            count: files.len(),
        }),
    }
}

fn format(path: &Path) -> Result<FileFormat, SolveFailure> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("lp") => Ok(FileFormat::Lp),
        Some("mps") => Ok(FileFormat::Mps),
        _ => Err(SolveFailure::UnknownEnding {
            path: path.to_owned(),
        }),
    }
}

fn program(
    options: &SolveOptions,
    file: &Path,
    formulation: Formulation,
) -> Result<Export, SolveFailure> {
    let problem = match Asked::read(file, options)? {
        Asked::Graph(problem) => problem,
        Asked::Operations(task) => {
            return Err(SolveFailure::ForGraphs {
                file: task.file,
                option: OPTION,
            });
        }
    };
    let title = format!("comb: fusion of {}, cost {}", problem.name, problem.cost);
    formulation::export(&problem.graph, &problem.weights, formulation, title).map_err(|error| {
        SolveFailure::NoAnswer {
            file: problem.file.clone(),
            reason: error.to_string(),
        }
    })
}

fn written(program: &Export, format: FileFormat, output: &mut dyn Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    program.write(format, &mut output)?;
    output.flush()
}
