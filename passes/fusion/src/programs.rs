//! The integer linear programs of the papers, as far as methods name them.
//!
//! What writes and solves them needs solvers of others. It is a crate of its own, `comb-oracles`, which those
//! who want it [provide]: a compiler that links comb needs no solver but comb's own.

use std::{sync::OnceLock, time::Duration};

use thiserror::Error;

use crate::{
    amount::Amount, clustering::Clustering, cost::Weights, graph::Graph, legality::Illegal,
};

/// An integer linear program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulation {
    /// Figure 4 of P-gather, corrected.
    Figure4,
    /// With 0–1 variables for orders and pairs.
    Compact,
}

/// What solves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// HiGHS.
    Highs,
    /// COIN-OR CBC.
    Cbc,
}

/// What the solver found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The cost of the clustering.
    pub cost: Amount,
    /// No legal clustering costs less, as far as the solver is exact.
    pub bound: Amount,
    /// Whether no clustering costs less than this one: the solver says so, and its
    /// tolerances are too small to hide one.
    pub optimal: bool,
    /// A legal clustering, normalized.
    pub clustering: Clustering,
}

/// Why there is no outcome.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolveError {
    /// The formulations cannot say it.
    #[error("the formulation does not support {what}")]
    Unsupported {
        /// What is asked for.
        what: String,
    },
    /// The user's wishes cannot be fulfilled, or inseparable uses not be fused.
    #[error("no clustering fulfils what is forced, forbidden and inseparable")]
    Infeasible,
    /// The time was too short.
    #[error("the solver found nothing within the time limit")]
    NoSolution,
    /// The solver failed.
    #[error("the solver failed: {message}")]
    Solver {
        /// What it said.
        message: String,
    },
    /// Nobody has [provided](provide) what solves it.
    #[error(
        "the papers' integer programs, and solvers for them, are not a part of this library: comb and \
         comb-opt have them; 'comb' is the solver here"
    )]
    NotProvided,
    /// The solver's answer is no clustering: a bug here or there.
    #[error("the solver's answer is not legal: {0}")]
    Illegal(#[from] Illegal),
}

/// What solves programs: takes a graph, weights, a program, a solver, and when to stop.
pub type Solve =
    fn(&Graph, &Weights, Formulation, Backend, Option<Duration>) -> Result<Outcome, SolveError>;

static SOLVE: OnceLock<Solve> = OnceLock::new();

/// Says what solves programs, for the whole process; what was said first stays.
pub fn provide(solve: Solve) {
    let _ = SOLVE.set(solve);
}

/// Finds the cheapest clustering of a flat graph.
///
/// # Errors
///
/// If nobody has provided what does, or it has none.
pub fn solve(
    graph: &Graph,
    weights: &Weights,
    formulation: Formulation,
    backend: Backend,
    time_limit: Option<Duration>,
) -> Result<Outcome, SolveError> {
    let solve = SOLVE.get().ok_or(SolveError::NotProvided)?;
    solve(graph, weights, formulation, backend, time_limit)
}
