//! Pairs of nodes that share accesses of arrays, where they are too many to be listed.
//!
//! Every two nodes that access one of some arrays pay a weight once, unless they are
//! connected over one of them: one uses what the other gives and is fused with it, or
//! both read the array in one cluster and alike. That is what lists of
//! [`PairWeight`](crate::cost::PairWeight) say, too, which grow with the square of the
//! readers.
//!
//! Cost: linear in the uses for one array that no node reads twice. Otherwise, each
//! node looks at those with which it shares an access, but at none once it has met all
//! that there are.

use std::hash::Hash;

use crate::{
    amount::Amount,
    graph::{Graph, NodeId, UseId},
    stable_hash::Map,
};

/// The pairs of nodes that access one of some arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    /// What a pair pays that is not connected.
    pub weight: Amount,
    /// The arrays.
    pub arrays: Vec<NodeId>,
    /// How many pairs there are.
    pub pairs: usize,
}

impl Crowd {
    /// All pairs of nodes that access one of these arrays.
    pub fn new(graph: &Graph, arrays: Vec<NodeId>, weight: Amount) -> Self {
        let everything = Groups::new(graph, &arrays, |_| Some(()), |_| true);
        Self {
            weight,
            pairs: everything.pairs(graph),
            arrays,
        }
    }

    /// What is paid: `class` says in which cluster and how a use reads, if it does so in
    /// an order; `is_fused` whether it is fused.
    pub fn cost<K: Hash + Eq>(
        &self,
        graph: &Graph,
        class: impl Fn(UseId) -> Option<K>,
        is_fused: impl Fn(UseId) -> bool,
    ) -> Amount {
        let connected = Groups::new(graph, &self.arrays, class, is_fused).pairs(graph);
        self.weight * self.pairs.saturating_sub(connected)
    }
}

/// How many pairs of accesses an array has, by the number of its uses.
pub(crate) fn count_pairs(graph: &Graph, array: NodeId) -> usize {
    let uses = graph.uses_of(array).len();
    uses * (uses + 1) / 2
}

/// Sets of nodes of which every two are connected, each in the order of the nodes.
struct Groups {
    nodes: Vec<Vec<NodeId>>,
    /// By node: the groups that it may have partners with greater numbers in.
    of: Map<NodeId, Vec<usize>>,
}

impl Groups {
    fn new<K: Hash + Eq>(
        graph: &Graph,
        arrays: &[NodeId],
        class: impl Fn(UseId) -> Option<K>,
        is_fused: impl Fn(UseId) -> bool,
    ) -> Self {
        let mut groups = Self {
            nodes: vec![],
            of: Map::default(),
        };
        for &array in arrays {
            let mut readers: Map<K, Vec<NodeId>> = Map::default();
            let mut fused = vec![];
            for &id in graph.uses_of(array) {
                let reader = graph.uses[id].to;
                if let Some(class) = class(id) {
                    readers.entry(class).or_default().push(reader);
                }
                if !graph.is_input(array) && is_fused(id) {
                    fused.push(reader);
                }
            }
            fused.dedup();
            if !fused.is_empty() {
                groups.of.entry(array).or_default().push(groups.nodes.len());
                groups.nodes.push(fused);
            }
            for mut readers in readers.into_values() {
                readers.dedup();
                for &reader in &readers {
                    groups
                        .of
                        .entry(reader)
                        .or_default()
                        .push(groups.nodes.len());
                }
                groups.nodes.push(readers);
            }
        }
        groups
    }

    /// How many pairs are in one group.
    fn pairs(&self, graph: &Graph) -> usize {
        let mut seen = vec![usize::MAX; graph.nodes.len()];
        let partners = self.of.iter().map(|(&node, groups)| {
            let later = |group: &usize| {
                let nodes = &self.nodes[*group];
                &nodes[nodes.partition_point(|&other| other <= node)..]
            };
            if let [group] = &groups[..] {
                return later(group).len();
            }
            let most = graph.nodes.len() - 1 - node;
            let mut count = 0;
            for group in groups {
                if count == most {
                    break;
                }
                for &other in later(group) {
                    count += usize::from(seen[other] != node);
                    seen[other] = node;
                }
            }
            count
        });
        partners.sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        algorithms::{Algorithm, run},
        cost::{CostOptions, Weights},
        evaluate::evaluate,
        random::{RandomOptions, random_graph},
    };

    /// What crowds cost is what lists of pairs cost.
    #[test]
    fn crowds_cost_what_their_pairs_cost() {
        for seed in 0..60 {
            let options = RandomOptions {
                combinators: 25,
                tuples: 0.1,
                ..RandomOptions::ranked(1 + (seed % 2) as usize)
            };
            let graph = random_graph(seed, options);
            for cost in ["max-locality", "robinson", "filter-weights"] {
                let cost = cost.parse().expect("a cost");
                let options = CostOptions::default();
                let listed = Weights::new(&graph, &cost, &options).unwrap();
                let crowded = Weights::with_most_pairs(&graph, &cost, &options, 5).unwrap();
                assert!(listed.crowds.is_empty() && !crowded.crowds.is_empty());
                for algorithm in [
                    Algorithm::Singleton,
                    Algorithm::Linear,
                    Algorithm::Greedy,
                    Algorithm::GreedyBottomUp,
                ] {
                    let found = run(&graph, &listed, algorithm, None);
                    let again = run(&graph, &crowded, algorithm, None);
                    let cost = evaluate(&graph, &found.clustering, &crowded);
                    assert_eq!(found.cost, cost, "seed {seed}");
                    assert_eq!(found.clustering, again.clustering, "seed {seed}");
                }
            }
        }
    }
}
