//! Answers that are not proven: what a heuristic's clustering, or a fractional
//! solution, says of a block.

use std::time::Instant;

use super::{linear::Column, model::BlockModel};
use crate::{
    algorithms::{Algorithm, run},
    clustering::Clustering,
    contraction::Contraction,
    cost::Weights,
    graph::{BACKWARDS, Graph, UseId},
};

/// Pairs whose value is farther from being fused are not tried.
const UNLIKELY: f64 = 0.99;

/// How far from a whole number a whole column may be.
pub(crate) const WHOLE: f64 = 1e-6;

/// Whether a value is a whole number, as far as the linear program is exact.
pub(crate) fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() <= WHOLE
}

/// The clustering that a solver starts with, as far as there is time.
pub(crate) fn first_clustering(
    graph: &Graph,
    weights: &Weights,
    deadline: Option<Instant>,
) -> Clustering {
    run(graph, weights, Algorithm::GreedyBottomUp, deadline).clustering
}

/// The whole columns of a block as a clustering has them.
pub(crate) fn whole_values(model: &BlockModel, clustering: &Clustering) -> Vec<(Column, bool)> {
    let mut values = vec![];
    for (pair, level, column) in model.fused_columns() {
        let pair = &model.presolved.pairs[pair];
        values.push((column, !clustering.together(level, pair.from, pair.to)));
    }
    for (sharing, level, column) in model.together_columns() {
        let (one, other) = model.presolved.sharing[sharing].nodes;
        values.push((column, clustering.together(level, one, other)));
    }
    for (node, label, column) in model.label_columns() {
        let first = *model.presolved.orders.covered[&label].start();
        values.push((column, clustering.orders[node][first - 1] == label));
    }
    for (node, level, column) in model.reversed_columns() {
        values.push((column, clustering.orders[node][level - 1] == BACKWARDS));
    }
    values
}

/// Fuses what a fractional solution fuses, the most certain first, as long as
/// that is legal.
pub(crate) fn rounded(model: &BlockModel, values: &[f64]) -> Clustering {
    let mut candidates: Vec<(f64, usize, Candidate)> = vec![];
    for (pair, level, column) in model.fused_columns() {
        let pair = Candidate::Pair(pair);
        candidates.push((values[column], level, pair));
    }
    for (one, other, level, column) in model.same_columns() {
        let shared = Candidate::Shared(one, other);
        candidates.push((1.0 - values[column], level, shared));
    }
    candidates.retain(|&(distance, ..)| distance < UNLIKELY);
    candidates.sort_by(|one, other| {
        one.0
            .total_cmp(&other.0)
            .then_with(|| (one.1, &one.2).cmp(&(other.1, &other.2)))
    });
    let mut contraction = Contraction::new(model.graph);
    for &(one, other) in &model.graph.forced {
        contraction.try_fuse(one, other, 1);
    }
    for (_, level, candidate) in candidates {
        match candidate {
            Candidate::Pair(pair) => {
                let pair = &model.presolved.pairs[pair];
                contraction.try_fuse(pair.from, pair.to, level);
            }
            Candidate::Shared(one, other) => {
                contraction.try_share(one, other, level);
            }
        }
    }
    contraction.finish()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Candidate {
    Pair(usize),
    Shared(UseId, UseId),
}
