//! What a block costs at least, as far as presolve says so: arrays that are stored
//! for certain, the reads of each that nodes of the block read from memory for certain
//! and of which no two are one, and clusters that follow each other. If a heuristic's
//! answer costs no more, a large block is done; and it is for blocks for which there is
//! no time or memory to build a model.
//!
//! Cost: linear in the block.

use std::collections::BTreeMap;

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
    let mut read: BTreeMap<(NodeId, usize), Vec<UseId>> = BTreeMap::new();
    for &id in &parts.uses[block] {
        let array_use = &graph.uses[id];
        let levels = graph.ordered_levels(array_use);
        for level in 1..=levels.min(graph.nodes[array_use.to].depth) {
            if is_unfused(id, level) && !weights.reads[array_use.from][level - 1].is_zero() {
                read.entry((array_use.from, level)).or_default().push(id);
            }
        }
        if is_unfused(id, 1) {
            bound += weights.uses[id];
        }
    }
    for ((array, level), uses) in read {
        let count = separate_reads(graph, presolved, uses, level);
        bound += weights.reads[array][level - 1] * count;
    }
    bound + weights.clusters * chain(graph, presolved, parts, block)
}

/// The same of a whole graph when there is no time to presolve it: results and what is
/// never fused.
pub(super) fn plainest_bound(graph: &Graph, weights: &Weights) -> Amount {
    let mut bound = Amount::ZERO;
    let mut has_loops = false;
    for (array, node) in graph.nodes.iter().enumerate() {
        let is_open = |id: &UseId| graph.fusible_levels(&graph.uses[*id]) == 0;
        let unfused = || graph.uses_of(array).iter().filter(|&id| is_open(id));
        let is_ordered = |&id: &UseId| {
            let array_use = &graph.uses[id];
            graph.ordered_levels(array_use) > 0 && graph.nodes[array_use.to].depth > 0
        };
        let is_input = graph.is_input(array);
        has_loops |= !is_input && node.depth > 0;
        if !is_input && node.rank > 0 && (node.result || unfused().next().is_some()) {
            bound += weights.writes[array][0];
        }
        if unfused().any(is_ordered) {
            bound += weights.reads[array][0];
        }
        bound += unfused().map(|&id| weights.uses[id]).sum();
    }
    bound + weights.clusters * usize::from(has_loops)
}

/// A number of uses of an array of which no two are one read: those with the fewest
/// orders first, as long as there are few.
fn separate_reads(
    graph: &Graph,
    presolved: &Presolved,
    mut uses: Vec<UseId>,
    level: usize,
) -> usize {
    let orders = |id: &UseId| {
        presolved
            .orders
            .of_use(graph, &graph.uses[*id], level)
            .len()
    };
    uses.sort_by_cached_key(orders);
    let mut separate: Vec<UseId> = vec![];
    for id in uses {
        let is_apart = |&other: &UseId| presolved.never_one_read(graph, other, id, level);
        if separate.iter().all(is_apart) {
            separate.push(id);
        }
        if separate.len() == MOST_SEPARATE {
            break;
        }
    }
    separate.len()
}

/// More reads are not told apart, so that time is linear.
const MOST_SEPARATE: usize = 100;

/// The most clusters that follow each other for certain: one more than pairs that are
/// not fused on a path.
fn chain(graph: &Graph, presolved: &Presolved, parts: &BlockParts, block: usize) -> usize {
    let has_loop = |node: &&NodeId| !graph.is_input(**node) && graph.nodes[**node].depth > 0;
    let nodes = parts.nodes[block].iter().filter(has_loop);
    let mut clusters: BTreeMap<NodeId, usize> = nodes.map(|&node| (node, 1)).collect();
    // Pairs are in the order of their producers.
    for &number in &parts.pairs[block] {
        let pair = &presolved.pairs[number];
        if let Some(&before) = clusters.get(&pair.from)
            && let Some(count) = clusters.get_mut(&pair.to)
        {
            *count = (*count).max(before + usize::from(pair.open == 0));
        }
    }
    clusters.into_values().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cost::CostOptions,
        exact::{SolveOptions, solve},
        random::{RandomOptions, random_graph},
    };

    #[test]
    fn nothing_costs_less_than_the_plainest_bound() {
        let mut tight = 0;
        for seed in 0..60 {
            let options = RandomOptions {
                combinators: 8,
                tuples: 0.1,
                ..RandomOptions::ranked(1 + (seed % 2) as usize)
            };
            let graph = random_graph(seed, options);
            for cost in ["reads+writes", "clusters", "edges", "prices"] {
                let cost = cost.parse().expect("a cost");
                let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
                let least = solve(&graph, &weights, &SolveOptions::default()).unwrap();
                let bound = plainest_bound(&graph, &weights);
                assert!(bound <= least.cost, "seed {seed}");
                tight += usize::from(bound == least.cost);
            }
        }
        assert!(tight > 10, "{tight}");
    }
}
