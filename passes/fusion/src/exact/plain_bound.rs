//! What a block costs at least, as far as presolve says so: arrays that are stored
//! for certain, and one read of each that a node of the block reads from memory for
//! certain. For blocks for which there is no time to build a model.
//!
//! Cost: linear in the block.

use std::collections::BTreeSet;

use super::{model::BlockParts, presolve::Presolved};
use crate::{
    amount::Amount,
    cost::Weights,
    graph::{Graph, NodeId, UseId},
};

/// The least that a block can cost.
pub(crate) fn plain_bound(
    graph: &Graph,
    presolved: &Presolved,
    weights: &Weights,
    parts: &BlockParts,
    block: usize,
) -> Amount {
    let is_unfused = |id: UseId, level: usize| {
        presolved.pair_of_use[id].is_none_or(|pair| presolved.pairs[pair].open < level)
    };
    let is_kept = |node: NodeId, level: usize| {
        let uses = graph.uses_of(node);
        graph.nodes[node].result || uses.iter().any(|&id| is_unfused(id, level))
    };
    let mut bound = Amount::ZERO;
    for &node in parts.nodes[block]
        .iter()
        .filter(|&&node| !graph.is_input(node))
    {
        let levels = graph.nodes[node].rank.min(graph.levels);
        let kept = (1..=levels).filter(|&level| is_kept(node, level));
        bound += kept.map(|level| weights.writes[node][level - 1]).sum();
    }
    let mut read = BTreeSet::new();
    for &id in &parts.uses[block] {
        let array_use = &graph.uses[id];
        let levels = graph.ordered_levels(array_use);
        for level in 1..=levels.min(graph.nodes[array_use.to].depth) {
            if is_unfused(id, level) && read.insert((array_use.from, level)) {
                bound += weights.reads[array_use.from][level - 1];
            }
        }
        if is_unfused(id, 1) {
            bound += weights.uses[id];
        }
    }
    bound
}
