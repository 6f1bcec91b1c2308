//! Algorithms that fuse without a solver.
//!
//! | name | algorithm | source |
//! |---|---|---|
//! | `singleton` | nothing is fused | P-wsp, VI |
//! | `linear` | each combinator joins the cluster before it | P-wsp, V.E |
//! | `unintrusive` | only fusions that forbid no other | P-wsp, Figure 6 |
//! | `greedy` | the fusion that saves most | P-wsp, Figure 7 |
//! | `greedy-top-down`, `greedy-bottom-up` | every use, in the order of the program | P-gather, 5 |
//! | `branch-and-bound` | all clusterings, as far as time permits | P-wsp, Figure 11 |
//!
//! All of them build a [`Contraction`], so that what they give is legal. They
//! begin with the pairs that the user wants to be fused, but for `singleton`;
//! pairs for which that is impossible are left out, which
//! [`legality`](crate::legality) reports.
//!
//! Ties are broken by the numbers of nodes, which follow from the structure of
//! the graph alone.

mod bound;
mod branch_and_bound;
mod by_position;
pub mod candidates;
mod greedy;
mod savings;
mod unintrusive;

use std::{fmt, str::FromStr, time::Instant};

use thiserror::Error;

use crate::{
    amount::Amount, clustering::Clustering, contraction::Contraction, cost::Weights,
    evaluate::evaluate, graph::Graph,
};

/// An algorithm; see the table above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table above")]
pub enum Algorithm {
    Singleton,
    Linear,
    Unintrusive,
    Greedy,
    GreedyTopDown,
    GreedyBottomUp,
    BranchAndBound,
}

/// Every name with its algorithm.
pub const ALGORITHMS: &[(&str, Algorithm)] = &[
    ("singleton", Algorithm::Singleton),
    ("linear", Algorithm::Linear),
    ("unintrusive", Algorithm::Unintrusive),
    ("greedy", Algorithm::Greedy),
    ("greedy-top-down", Algorithm::GreedyTopDown),
    ("greedy-bottom-up", Algorithm::GreedyBottomUp),
    ("branch-and-bound", Algorithm::BranchAndBound),
];

/// There is no such algorithm: the user's fault.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no algorithm '{name}'; there are {}", names())]
pub struct UnknownAlgorithm {
    /// What was written.
    pub name: String,
}

/// All names, as a message lists them.
pub(crate) fn names() -> String {
    let names: Vec<&str> = ALGORITHMS.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Self, UnknownAlgorithm> {
        let found = ALGORITHMS.iter().find(|(name, _)| *name == text);
        found
            .map(|&(_, algorithm)| algorithm)
            .ok_or_else(|| UnknownAlgorithm {
                name: text.to_owned(),
            })
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let found = ALGORITHMS.iter().find(|(_, algorithm)| algorithm == self);
        formatter.pad(found.map_or("", |(name, _)| name))
    }
}

/// What an algorithm gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The clustering.
    pub clustering: Clustering,
    /// What it costs.
    pub cost: Amount,
    /// No clustering costs less than this, if anything is known.
    pub bound: Option<Amount>,
    /// Whether no clustering costs less.
    pub optimal: bool,
}

/// Whether a deadline is over.
pub fn is_over(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Runs an algorithm. At the deadline it gives what it has done.
pub fn run(
    graph: &Graph,
    weights: &Weights,
    algorithm: Algorithm,
    deadline: Option<Instant>,
) -> Outcome {
    let mut contraction = Contraction::new(graph);
    if algorithm != Algorithm::Singleton {
        for &(one, other) in &graph.forced {
            contraction.try_fuse(one, other, 1);
        }
    }
    match algorithm {
        Algorithm::Singleton => {}
        Algorithm::Linear => by_position::linear(&mut contraction, weights, deadline),
        Algorithm::Unintrusive => {
            unintrusive::unintrusive(&mut contraction, weights, deadline);
        }
        Algorithm::Greedy => greedy::greedy(&mut contraction, weights, deadline),
        Algorithm::GreedyTopDown => {
            by_position::greedy(&mut contraction, weights, true, deadline);
        }
        Algorithm::GreedyBottomUp => {
            by_position::greedy(&mut contraction, weights, false, deadline);
        }
        Algorithm::BranchAndBound => {
            return branch_and_bound::branch_and_bound(contraction, weights, deadline);
        }
    }
    let clustering = contraction.finish();
    Outcome {
        cost: evaluate(graph, &clustering, weights),
        clustering,
        bound: None,
        optimal: false,
    }
}
