//! How the command line says a problem is to be solved, and what it says if there
//! is no answer.

use std::time::Duration;

use comb_fusion::{
    exact::{SolveError, Wish},
    graph::Graph,
    method::{Bounds, ILP, Unsolved},
};

pub use comb_fusion::method::{Answer, Method};

use crate::{
    options::{AlgorithmName, FormulationName, SolveOptions, SolverName},
    solve::{SolveFailure, interrupt, problem::Problem},
};

/// The method that the command line asks for.
pub fn chosen(options: &SolveOptions) -> Result<Method, SolveFailure> {
    let combination = |problem: &str| {
        Err(SolveFailure::Combination {
            problem: problem.to_owned(),
        })
    };
    match named(options)? {
        Method::Exact => Ok(Method::Exact),
        _ if options.solver_memory.is_some() => {
            combination("--solver-memory is for comb's own solver only")
        }
        _ if options.reasons => combination("--reasons is for comb's own solver only"),
        _ if options.has_limits() => {
            combination("--max-arguments and --max-memory are for comb's own solver only")
        }
        method => Ok(method),
    }
}

fn named(options: &SolveOptions) -> Result<Method, SolveFailure> {
    let algorithm = match options.algorithm {
        AlgorithmName::Ilp => ILP.to_owned(),
        AlgorithmName::Other(algorithm) => algorithm.to_string(),
    };
    let solver = options.solver.map(|solver| match solver {
        SolverName::Comb => "comb",
        SolverName::Highs => "highs",
        SolverName::Cbc => "cbc",
    });
    let formulation = options.formulation.map(|formulation| match formulation {
        FormulationName::Own => "own",
        FormulationName::Figure4 => "figure4",
        FormulationName::Compact => "compact",
    });
    Method::named(Some(&algorithm), solver, formulation).map_err(|error| {
        SolveFailure::Combination {
            problem: error.to_string(),
        }
    })
}

/// Solves a problem; the answer is checked.
pub fn solve(
    method: Method,
    problem: &Problem,
    time_limit: Option<Duration>,
) -> Result<Answer, SolveFailure> {
    let bounds = bounds(problem, time_limit);
    let (graph, file) = (&problem.graph, problem.file.clone());
    let answer = method.solve(graph, &problem.weights, &bounds);
    answer.map_err(|error| match error {
        Unsolved::Illegal(error) => SolveFailure::Illegal { file, error },
        Unsolved::Exact(SolveError::Infeasible { conflict }) => SolveFailure::NoAnswer {
            file,
            reason: why_infeasible(graph, &conflict),
        },
        other => SolveFailure::NoAnswer {
            file,
            reason: other.to_string(),
        },
    })
}

/// When to stop, and what answers have to keep to.
pub fn bounds(problem: &Problem, time_limit: Option<Duration>) -> Bounds {
    Bounds {
        time_limit,
        stop: Some(interrupt::stop()),
        memory: problem.solver_memory,
        limits: problem.limits.clone(),
    }
}

/// The wishes that contradict each other.
fn why_infeasible(graph: &Graph, conflict: &[Wish]) -> String {
    let wishes = conflict.iter().map(|wish| {
        let (what, (one, other)) = match *wish {
            Wish::Forced(number) => ("forced", graph.forced[number]),
            Wish::Forbidden(number) => ("forbidden", graph.forbidden[number]),
            Wish::Inseparable(array_use) => {
                let array_use = &graph.uses[array_use];
                ("inseparable", (array_use.from, array_use.to))
            }
        };
        let [one, other] = [one, other].map(|node| graph.nodes[node].external_id);
        format!("{what} [{one}, {other}]")
    });
    let wishes: Vec<String> = wishes.collect();
    match wishes[..] {
        [] => "the wishes cannot be fulfilled within the limits".to_owned(),
        [ref wish] => format!("{wish}: this cannot be fulfilled"),
        _ => format!("{}: these cannot be fulfilled together", wishes.join(", ")),
    }
}
