//! How a problem is solved: the algorithms, solvers and formulations of
//! comb-fusion, with one kind of answer.

use std::time::{Duration, Instant};

use comb_fusion::{
    algorithms::{self, Algorithm},
    clustering::Clustering,
    evaluate::evaluate,
    exact,
    formulation::{self, Backend, Formulation},
    graph::Graph,
    legality,
};

use crate::{
    options::{AlgorithmName, FormulationName, SolveOptions, SolverName},
    solve::{SolveFailure, interrupt, limits::Limits, problem::Problem},
};

/// Costs are sums of rounded numbers.
const TOLERANCE: f64 = 1e-9;

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
    /// comb's own exact solver, with limits that every loop has to keep.
    Exact(Option<Limits>),
    /// A paper's integer program, given to a solver.
    Program(Formulation, Backend),
    /// One that needs no solver.
    Other(Algorithm),
}

impl Method {
    /// What the command line asks for.
    pub fn new(options: &SolveOptions) -> Result<Self, SolveFailure> {
        let combination = |problem| Err(SolveFailure::Combination { problem });
        let limits = Limits::new(options);
        let method = Self::without_limits(options)?;
        match method {
            Self::Exact(_) => Ok(Self::Exact(limits)),
            _ if limits.is_some() => {
                combination("--max-arguments and --max-memory are for comb's own solver only")
            }
            _ => Ok(method),
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
                None | Some(FormulationName::Own) => return Ok(Self::Exact(None)),
                _ => return combination("comb's own solver has a formulation of its own"),
            },
        };
        match (options.solver, options.formulation) {
            (None, None | Some(FormulationName::Own)) => Ok(Self::Exact(None)),
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
            Self::Exact(None) => exact(problem, &problem.graph, time_limit),
            Self::Exact(Some(limits)) => limited(problem, time_limit, limits),
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
        let meets_bound = found.bound.is_some_and(|bound| cost <= bound + TOLERANCE);
        Ok(Answer {
            cost,
            clustering,
            bound: found.bound,
            optimal: found.optimal || meets_bound,
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

fn exact(problem: &Problem, graph: &Graph, time_limit: Option<Duration>) -> Result<Found, String> {
    let options = exact::SolveOptions {
        time_limit,
        stop: Some(interrupt::stop()),
        ..exact::SolveOptions::default()
    };
    let solution =
        exact::solve(graph, &problem.weights, &options).map_err(|error| error.to_string())?;
    Ok(Found {
        clustering: solution.clustering,
        bound: Some(solution.bound),
        optimal: solution.optimal,
    })
}

/// Solves again and again, until all loops keep the limits.
fn limited(
    problem: &Problem,
    time_limit: Option<Duration>,
    limits: &Limits,
) -> Result<Found, String> {
    let deadline = time_limit.map(|limit| Instant::now() + limit);
    let mut graph = problem.graph.clone();
    let mut bound = None;
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let mut found = exact(problem, &graph, left)?;
        found.optimal &= bound.is_none();
        found.bound = *bound.get_or_insert(found.bound);
        let clustering = found.clustering.normalized(&graph);
        let Some(excess) = limits.excess(&graph, &clustering, &problem.cost_options) else {
            return Ok(found);
        };
        match excess.nodes[..] {
            [first, .., last] => graph.forbidden.push((first, last)),
            _ => {
                let name = &graph.nodes[excess.nodes[0]].name;
                return Err(format!("node {name} alone needs {}", excess.needs));
            }
        }
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
