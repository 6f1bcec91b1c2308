//! What it would cost to keep nodes apart that are in one cluster.
//!
//! The model is asked: the block is solved again with the two apart. If one uses the
//! other, that is a decision; otherwise they are forbidden, which presolves anew.
//!
//! Cost: one small search for each pair.

use std::{collections::BTreeSet, rc::Rc};

use super::{
    SolveOptions,
    clock::Clock,
    fixed_answer,
    incumbents::whole_values,
    model::{BlockModel, BlockParts},
    objective::Objective,
    presolve::Presolved,
    search::{Least, Search},
    separation::Separator,
};
use crate::{
    amount::Amount,
    clustering::Clustering,
    cost::Weights,
    graph::{Graph, NodeId},
};

/// A pair is looked at in this many nodes of the search at most; then its cost is
/// a lower bound.
const MOST_NODES: usize = 20;

/// What it means to keep two nodes apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Apart {
    /// It is not possible.
    Impossible,
    /// The whole program costs more.
    Costs {
        /// By this much.
        more: Amount,
        /// Whether there is an answer that costs just that.
        exact: bool,
    },
}

/// What it costs to keep each of some pairs apart, the producer or lesser number
/// first, that are in one cluster of the outermost level of an optimal clustering.
pub(crate) fn costs_apart(
    graph: &Graph,
    weights: &Weights,
    clustering: &Clustering,
    options: &SolveOptions,
    pairs: &[(NodeId, NodeId)],
) -> Vec<Apart> {
    let asking = Asking {
        graph,
        weights,
        clustering,
        options,
    };
    let presolved = Presolved::new(graph, options.limits.memory.is_some());
    let parts = BlockParts::new(graph, &presolved, weights);
    let mut answers = vec![Apart::Impossible; pairs.len()];
    let blocks: BTreeSet<usize> = pairs
        .iter()
        .map(|pair| presolved.block_of[pair.1])
        .collect();
    for block in blocks {
        let model = BlockModel::new(graph, &presolved, weights, &parts, block);
        if model.costs.is_empty() {
            continue;
        }
        let first = || Rc::new(clustering.clone());
        let separator = Separator::new(&model);
        let objective = Objective::new(&model);
        let (clock, limits) = (asking.clock(), &options.limits);
        let mut search = Search::new(&model, &objective, separator, clock, limits, &first);
        let least = search.cost_with(&whole_values(&model, clustering), MOST_NODES);
        let now = least.map_or(Amount::ZERO, |least| least.cost);
        for (pair, answer) in pairs.iter().zip(&mut answers) {
            if presolved.block_of[pair.1] != block {
                continue;
            }
            let unfused = model.pair_of(*pair);
            let column = unfused.and_then(|pair| model.unfused_column(pair, 1));
            let least = match (unfused, column) {
                (_, Some(column)) => search.cost_with(&[(column, true)], MOST_NODES),
                (Some(_), None) => None,
                (None, None) => asking.forbidden(model.nodes(), *pair),
            };
            if let Some(least) = least {
                *answer = Apart::Costs {
                    more: (least.cost - now).max(Amount::ZERO),
                    exact: least.exact,
                };
            }
        }
    }
    answers
}

struct Asking<'a> {
    graph: &'a Graph,
    weights: &'a Weights,
    clustering: &'a Clustering,
    options: &'a SolveOptions,
}

impl Asking<'_> {
    fn clock(&self) -> Clock<'_> {
        Clock::without_deadline(self.options.stop.as_deref())
    }

    /// What the nodes of a block cost if two of them are forbidden to be together,
    /// if there is such an answer.
    fn forbidden(&self, nodes: &[NodeId], pair: (NodeId, NodeId)) -> Option<Least> {
        let mut graph = self.graph.clone();
        graph.forbidden.push(pair);
        let presolved = Presolved::new(&graph, self.options.limits.memory.is_some());
        if presolved.is_infeasible() {
            return None;
        }
        let parts = BlockParts::new(&graph, &presolved, self.weights);
        let blocks: BTreeSet<usize> = nodes.iter().map(|&node| presolved.block_of[node]).collect();
        let first = || Rc::new(self.clustering.clone());
        let mut sum = Least {
            cost: Amount::ZERO,
            exact: true,
            values: None,
        };
        for block in blocks {
            let model = BlockModel::new(&graph, &presolved, self.weights, &parts, block);
            let separator = Separator::new(&model);
            let limits = &self.options.limits;
            if model.costs.is_empty() {
                sum.cost += fixed_answer(&model, &separator).best?.1;
                continue;
            }
            let objective = Objective::new(&model);
            let clock = self.clock();
            let mut search = Search::new(&model, &objective, separator, clock, limits, &first);
            let least = search.cost_with(&[], MOST_NODES)?;
            sum.cost += least.cost;
            sum.exact &= least.exact;
        }
        Some(sum)
    }
}
