//! How a problem is solved: the exact solver, a paper's integer program given to
//! a solver, or an algorithm that needs none; with one kind of answer.
//!
//! Every answer is put into its normal form, checked and evaluated by code that
//! knows nothing of how it was found.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use thiserror::Error;

use crate::{
    algorithms::{self, Algorithm},
    amount::Amount,
    clustering::Clustering,
    cost::Weights,
    evaluate::evaluate,
    exact,
    graph::Graph,
    legality::{self, Illegal},
    limits::Limits,
    programs::{self, Backend, Formulation},
};

/// What the exact solution is called where algorithms are named.
pub const ILP: &str = "ilp";

/// How problems are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// comb's own exact solver.
    Exact,
    /// A paper's integer program, given to a solver.
    Program(Formulation, Backend),
    /// One that needs no solver.
    Other(Algorithm),
}

/// Why names do not say how to solve a problem: the user's fault.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MethodError {
    /// There is no such algorithm.
    #[error(
        "there is no algorithm '{name}'; there are {ILP}, {}",
        algorithms::names()
    )]
    Algorithm {
        /// What was written.
        name: String,
    },
    /// There is no such solver.
    #[error("there is no solver '{name}'; there are comb, highs, cbc")]
    Solver {
        /// What was written.
        name: String,
    },
    /// There is no such formulation.
    #[error("there is no formulation '{name}'; there are own, figure4, compact")]
    Formulation {
        /// What was written.
        name: String,
    },
    /// The names do not go together.
    #[error("{problem}")]
    Combination {
        /// Why not.
        problem: &'static str,
    },
}

impl Method {
    /// The method for an algorithm, a solver and a formulation, each of which may
    /// be left out.
    ///
    /// # Errors
    ///
    /// If a name is unknown, or they do not go together.
    pub fn named(
        algorithm: Option<&str>,
        solver: Option<&str>,
        formulation: Option<&str>,
    ) -> Result<Self, MethodError> {
        let combination = |problem| Err(MethodError::Combination { problem });
        if let Some(name) = algorithm.filter(|&name| name != ILP) {
            let unknown = |_| MethodError::Algorithm { name: name.into() };
            let algorithm = name.parse().map_err(unknown)?;
            return match (solver, formulation) {
                (None, None) => Ok(Self::Other(algorithm)),
                _ => combination("a solver and a formulation belong to the algorithm ilp"),
            };
        }
        let backend = match solver {
            None => None,
            Some("comb") => {
                return match formulation {
                    None | Some("own") => Ok(Self::Exact),
                    _ => combination("comb's own solver has a formulation of its own"),
                };
            }
            Some("highs") => Some(Backend::Highs),
            Some("cbc") => Some(Backend::Cbc),
            Some(name) => return Err(MethodError::Solver { name: name.into() }),
        };
        let formulation = match formulation {
            None if backend.is_none() => return Ok(Self::Exact),
            None | Some("compact") => Formulation::Compact,
            Some("figure4") => Formulation::Figure4,
            Some("own") if backend.is_none() => return Ok(Self::Exact),
            Some("own") => {
                return combination("the own formulation is for comb's own solver only");
            }
            Some(name) => return Err(MethodError::Formulation { name: name.into() }),
        };
        Ok(Self::Program(
            formulation,
            backend.unwrap_or(Backend::Highs),
        ))
    }

    /// Solves a problem; the answer is checked.
    ///
    /// # Errors
    ///
    /// If there is no answer, or none in time.
    pub fn solve(
        &self,
        graph: &Graph,
        weights: &Weights,
        bounds: &Bounds,
    ) -> Result<Answer, Unsolved> {
        let start = Instant::now();
        let found = match *self {
            Self::Exact => exact(graph, weights, bounds)?,
            Self::Program(formulation, backend) => {
                let time_limit = bounds.time_limit;
                let outcome = programs::solve(graph, weights, formulation, backend, time_limit)?;
                Found {
                    clustering: outcome.clustering,
                    bound: Some(outcome.bound),
                    optimal: outcome.optimal,
                }
            }
            Self::Other(algorithm) => {
                let limit = bounds.time_limit;
                let limit = limit.map(|limit| limit.saturating_sub(checking_time(graph, weights)));
                let deadline = limit.and_then(|limit| start.checked_add(limit));
                let outcome = algorithms::run(graph, weights, algorithm, deadline);
                Found {
                    clustering: outcome.clustering,
                    bound: outcome.bound,
                    optimal: outcome.optimal,
                }
            }
        };
        Ok(found.checked(graph, weights, start.elapsed())?)
    }
}

impl fmt::Display for Method {
    /// The algorithm's name; for a paper's program, with the formulation and solver.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Exact => formatter.write_str(ILP),
            Self::Other(algorithm) => algorithm.fmt(formatter),
            Self::Program(formulation, backend) => {
                let formulation = match formulation {
                    Formulation::Figure4 => "figure4",
                    Formulation::Compact => "compact",
                };
                let backend = match backend {
                    Backend::Highs => "highs",
                    Backend::Cbc => "cbc",
                };
                write!(formatter, "{ILP} ({formulation}, {backend})")
            }
        }
    }
}

/// When to stop, and what answers have to keep to.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Give the best answer known after this time.
    pub time_limit: Option<Duration>,
    /// Give the best answer known when this is set; for the exact solver.
    pub stop: Option<Arc<AtomicBool>>,
    /// Give the best answer known when the search takes so many bytes, by estimate;
    /// for the exact solver.
    pub memory: Option<usize>,
    /// What clusters must keep to; for the exact solver.
    pub limits: Limits,
}

/// What a method found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which nodes share loops, and their orders.
    pub clustering: Clustering,
    /// What that costs.
    pub cost: Amount,
    /// No clustering costs less, as far as the method knows.
    pub bound: Option<Amount>,
    /// Whether the cost is proven to be the least.
    pub optimal: bool,
    /// The time it took.
    pub elapsed: Duration,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Unsolved {
    /// The exact solver has none.
    #[error(transparent)]
    Exact(#[from] exact::SolveError),
    /// The integer program has none.
    #[error(transparent)]
    Program(#[from] programs::SolveError),
    /// The answer is wrong: the method's fault.
    #[error("internal error: the answer is not legal: {0}")]
    Illegal(#[from] Illegal),
}

/// About how long it takes to number, check and evaluate a clustering; for large graphs.
fn checking_time(graph: &Graph, weights: &Weights) -> Duration {
    const LARGE: usize = 10_000;
    const TIMES: u32 = 3;
    if graph.uses.len() < LARGE {
        return Duration::ZERO;
    }
    let start = Instant::now();
    let nothing_fused = Clustering::singletons(graph).normalized(graph);
    let _ = evaluate(graph, &nothing_fused, weights);
    start.elapsed() * TIMES
}

/// What a method gives before it is checked.
pub(crate) struct Found {
    pub(crate) clustering: Clustering,
    pub(crate) bound: Option<Amount>,
    pub(crate) optimal: bool,
}

impl Found {
    /// The answer in its normal form, checked and evaluated.
    pub(crate) fn checked(
        self,
        graph: &Graph,
        weights: &Weights,
        elapsed: Duration,
    ) -> Result<Answer, Illegal> {
        let clustering = self.clustering.normalized(graph);
        legality::check(graph, &clustering)?;
        Ok(Answer {
            cost: evaluate(graph, &clustering, weights),
            clustering,
            bound: self.bound,
            optimal: self.optimal,
            elapsed,
        })
    }
}

fn exact(graph: &Graph, weights: &Weights, bounds: &Bounds) -> Result<Found, exact::SolveError> {
    let options = exact::SolveOptions {
        time_limit: bounds.time_limit,
        stop: bounds.stop.clone(),
        memory: bounds.memory,
        limits: bounds.limits.clone(),
    };
    let solution = exact::solve(graph, weights, &options)?;
    Ok(Found {
        clustering: solution.clustering,
        bound: Some(solution.bound),
        optimal: solution.optimal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_follows_from_the_rest() {
        let named = |algorithm, solver, formulation| {
            Method::named(algorithm, solver, formulation).expect("names that go together")
        };
        let program = Method::Program;
        assert_eq!(named(None, None, None), Method::Exact);
        assert_eq!(named(Some(ILP), Some("comb"), Some("own")), Method::Exact);
        assert_eq!(
            named(None, Some("cbc"), None),
            program(Formulation::Compact, Backend::Cbc)
        );
        assert_eq!(
            named(None, None, Some("figure4")),
            program(Formulation::Figure4, Backend::Highs)
        );
        assert_eq!(
            named(Some("linear"), None, None),
            Method::Other(Algorithm::Linear)
        );
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (algorithm, solver, formulation) in [
            (Some("fastest"), None, None),
            (None, Some("gurobi"), None),
            (None, None, Some("figure5")),
            (Some("greedy"), Some("highs"), None),
            (None, Some("comb"), Some("figure4")),
            (None, Some("cbc"), Some("own")),
        ] {
            let method = Method::named(algorithm, solver, formulation);
            assert!(method.is_err(), "{method:?}");
        }
    }
}
