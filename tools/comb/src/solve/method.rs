//! How a problem is solved: the algorithms, solvers and formulations of
//! comb-fusion, with one kind of answer.

use std::time::{Duration, Instant};

use comb_fusion::{
    algorithms::{self, Algorithm},
    clustering::Clustering,
    evaluate::evaluate,
    exact::{self, SolveError, Wish},
    formulation::{self, Backend, Formulation},
    graph::Graph,
    legality,
};

use crate::{
    options::{AlgorithmName, FormulationName, SolveOptions, SolverName},
    solve::{SolveFailure, interrupt, problem::Problem},
};

/// What a method found.
pub struct Answer {
    pub clustering: Clustering,
    pub cost: f64,
    /// No clustering costs less, as far as the method knows.
    pub bound: Option<f64>,
    /// Whether the cost is proven to be the least.
    pub optimal: bool,
    pub elapsed: Duration,
}

/// How problems are solved.
#[derive(Clone, Copy)]
pub enum Method {
    /// comb's own exact solver.
    Exact,
    /// A paper's integer program, given to a solver.
    Program(Formulation, Backend),
    /// One that needs no solver.
    Other(Algorithm),
}

impl Method {
    /// What the command line asks for.
    pub fn new(options: &SolveOptions) -> Result<Self, SolveFailure> {
        let combination = |problem| Err(SolveFailure::Combination { problem });
        let has_limits = options.max_arguments.is_some() || options.max_memory.is_some();
        match Self::without_limits(options)? {
            Self::Exact => Ok(Self::Exact),
            _ if options.reasons => combination("--reasons is for comb's own solver only"),
            _ if has_limits => {
                combination("--max-arguments and --max-memory are for comb's own solver only")
            }
            method => Ok(method),
        }
    }

    fn without_limits(options: &SolveOptions) -> Result<Self, SolveFailure> {
        let combination = |problem| Err(SolveFailure::Combination { problem });
        if let AlgorithmName::Other(algorithm) = options.algorithm {
            if options.solver.is_some() || options.formulation.is_some() {
                return combination("--solver and --formulation belong to --algorithm ilp");
            }
            return Ok(Self::Other(algorithm));
        }
        let backend = match options.solver {
            None | Some(SolverName::Highs) => Backend::Highs,
            Some(SolverName::Cbc) => Backend::Cbc,
            Some(SolverName::Comb) => match options.formulation {
                None | Some(FormulationName::Own) => return Ok(Self::Exact),
                _ => return combination("comb's own solver has a formulation of its own"),
            },
        };
        match (options.solver, options.formulation) {
            (None, None | Some(FormulationName::Own)) => Ok(Self::Exact),
            (_, Some(FormulationName::Own)) => {
                combination("the own formulation is for comb's own solver only")
            }
            (_, Some(FormulationName::Figure4)) => Ok(Self::Program(Formulation::Figure4, backend)),
            (_, None | Some(FormulationName::Compact)) => {
                Ok(Self::Program(Formulation::Compact, backend))
            }
        }
    }

    /// Solves a problem; the answer is checked.
    pub fn solve(
        &self,
        problem: &Problem,
        time_limit: Option<Duration>,
    ) -> Result<Answer, SolveFailure> {
        let start = Instant::now();
        let found = match self {
            Self::Exact => exact(problem, time_limit),
            Self::Program(formulation, backend) => {
                program(problem, time_limit, *formulation, *backend)
            }
            Self::Other(algorithm) => Ok(other(problem, time_limit, *algorithm)),
        };
        let elapsed = start.elapsed();
        let found = found.map_err(|reason| SolveFailure::NoAnswer {
            file: problem.file.clone(),
            reason,
        })?;
        let clustering = found.clustering.normalized(&problem.graph);
        legality::check(&problem.graph, &clustering).map_err(|error| SolveFailure::Illegal {
            file: problem.file.clone(),
            error,
        })?;
        let cost = evaluate(&problem.graph, &clustering, &problem.weights);
        Ok(Answer {
            cost,
            clustering,
            bound: found.bound,
            optimal: found.optimal,
            elapsed,
        })
    }
}

/// What a method gives before it is checked.
struct Found {
    clustering: Clustering,
    bound: Option<f64>,
    optimal: bool,
}

fn exact(problem: &Problem, time_limit: Option<Duration>) -> Result<Found, String> {
    let options = exact::SolveOptions {
        time_limit,
        stop: Some(interrupt::stop()),
        limits: problem.limits.clone(),
    };
    let solution = exact::solve(&problem.graph, &problem.weights, &options)
        .map_err(|error| why_unsolved(&problem.graph, &error))?;
    Ok(Found {
        clustering: solution.clustering,
        bound: Some(solution.bound),
        optimal: solution.optimal,
    })
}

/// The error's message, and the wishes that contradict each other.
fn why_unsolved(graph: &Graph, error: &SolveError) -> String {
    let SolveError::Infeasible { conflict } = error else {
        return error.to_string();
    };
    let wishes = conflict.iter().map(|wish| {
        let (what, (one, other)) = match *wish {
            Wish::Forced(number) => ("forced", graph.forced[number]),
            Wish::Forbidden(number) => ("forbidden", graph.forbidden[number]),
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

fn program(
    problem: &Problem,
    time_limit: Option<Duration>,
    formulation: Formulation,
    backend: Backend,
) -> Result<Found, String> {
    let (graph, weights) = (&problem.graph, &problem.weights);
    let outcome = formulation::solve(graph, weights, formulation, backend, time_limit)
        .map_err(|error| error.to_string())?;
    Ok(Found {
        clustering: outcome.clustering,
        bound: Some(outcome.bound),
        optimal: outcome.optimal,
    })
}

fn other(problem: &Problem, time_limit: Option<Duration>, algorithm: Algorithm) -> Found {
    let deadline = time_limit.map(|limit| Instant::now() + limit);
    let outcome = algorithms::run(&problem.graph, &problem.weights, algorithm, deadline);
    Found {
        clustering: outcome.clustering,
        bound: outcome.bound,
        optimal: outcome.optimal,
    }
}
