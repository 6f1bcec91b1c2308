//! What every clustering costs in which certain pairs are not fused.
//!
//! An array is stored if a use of it is certainly not fused, and then read at
//! least as often as there are such uses of which no two share their read.
//! Undecided pairs count as fused.
//!
//! Cost: linear in the graph, but for the reads of one array.

use std::collections::HashMap;

use petgraph::unionfind::UnionFind;

use super::candidates::{self, Candidate};
use crate::{
    amount::Amount,
    contraction::Contraction,
    cost::{Connection, Weights},
    graph::{Graph, NodeId, UseId},
};

/// Whether a pair is fused directly at a level (from 1).
pub(super) struct Decision {
    pair: Candidate,
    level: usize,
}

impl Decision {
    /// Fuses the pair at this level and those outside of it, if possible.
    pub(super) fn fuse(&self, contraction: &mut Contraction) -> bool {
        let (one, other) = self.pair.nodes;
        match self.pair.connection {
            Connection::Fused(_) => contraction.try_fuse(one, other, self.level),
            Connection::Shared(one, other) => contraction.try_share(one, other, self.level),
        }
    }

    /// Whether the pair is fused directly.
    pub(super) fn is_fused(&self, contraction: &Contraction) -> bool {
        let (one, other) = self.pair.nodes;
        contraction.together(self.level, one, other)
            && match self.pair.connection {
                Connection::Fused(_) => true,
                Connection::Shared(one, other) => contraction.read_alike(one, other, self.level),
            }
    }
}

/// Bounds of a graph.
pub(super) struct Bound<'g> {
    graph: &'g Graph,
    weights: &'g Weights,
    /// All decisions, by nodes and level.
    pub(super) decisions: Vec<Decision>,
    cut: Vec<bool>,
    fused: HashMap<(UseId, usize), usize>,
    shared: HashMap<(UseId, UseId, usize), usize>,
}

impl<'g> Bound<'g> {
    pub(super) fn new(graph: &'g Graph, weights: &'g Weights) -> Self {
        let mut pairs = candidates::fusible_uses(graph);
        pairs.extend(candidates::shared_reads(graph, usize::MAX, None));
        pairs.sort_by_key(|candidate| candidate.nodes);
        let decisions: Vec<Decision> = pairs
            .into_iter()
            .flat_map(|pair| (1..=pair.levels).map(move |level| Decision { pair, level }))
            .collect();
        let (mut fused, mut shared) = (HashMap::new(), HashMap::new());
        for (number, decision) in decisions.iter().enumerate() {
            match decision.pair.connection {
                Connection::Fused(id) => fused.insert((id, decision.level), number),
                Connection::Shared(one, other) => {
                    shared.insert((one, other, decision.level), number)
                }
            };
        }
        Self {
            graph,
            weights,
            cut: vec![false; decisions.len()],
            decisions,
            fused,
            shared,
        }
    }

    /// Says whether a pair is not fused directly.
    pub(super) fn set_cut(&mut self, decision: usize, cut: bool) {
        self.cut[decision] = cut;
    }

    /// What every clustering costs that contains these fusions, and not what is
    /// cut.
    pub(super) fn of(&self, contraction: &Contraction) -> Amount {
        let arrays: Amount = (0..self.graph.nodes.len())
            .map(|array| self.of_array(contraction, array))
            .sum();
        let pairs = self.weights.pairs.iter().filter(|pair| {
            let mut connections = pair.connections.iter();
            connections.all(|&connection| self.is_apart(contraction, connection))
        });
        arrays + pairs.map(|pair| pair.weight).sum() + self.of_loops(contraction)
    }

    fn of_array(&self, contraction: &Contraction, array: NodeId) -> Amount {
        let node = &self.graph.nodes[array];
        let mut cost = Amount::ZERO;
        for level in 1..=self.graph.levels {
            let unfused: Vec<UseId> = self
                .graph
                .uses_of(array)
                .iter()
                .copied()
                .filter(|&array_use| self.is_unfused(contraction, array_use, level))
                .collect();
            let computed = !self.graph.is_input(array) && node.rank >= level;
            if computed && (node.result || !unfused.is_empty()) {
                cost += self.weights.writes[array][level - 1];
            }
            cost += self.weights.reads[array][level - 1] * self.count_reads(&unfused, level);
            if level == 1 {
                cost += unfused.iter().map(|&id| self.weights.uses[id]).sum();
            }
        }
        let again = self.weights.recomputation[array].iter();
        cost + again
            .filter(|(label, _)| {
                let mut levels = 1..=self.graph.levels;
                levels.any(|level| contraction.order(array, level) == Some(**label))
            })
            .map(|(_, price)| price)
            .sum()
    }

    /// Whether a use is not fused at a level in any clustering.
    fn is_unfused(&self, contraction: &Contraction, id: UseId, level: usize) -> bool {
        let array_use = &self.graph.uses[id];
        let undecided = |decision: &usize| !self.cut[*decision];
        !contraction.together(level, array_use.from, array_use.to)
            && !self.fused.get(&(id, level)).is_some_and(undecided)
    }

    /// How many of these uses do not share their reads in any clustering.
    fn count_reads(&self, unfused: &[UseId], level: usize) -> usize {
        let mut separate: Vec<UseId> = vec![];
        for &id in unfused {
            let array_use = &self.graph.uses[id];
            let ordered = self.graph.ordered_levels(array_use) >= level
                && self.graph.nodes[array_use.to].depth >= level;
            let is_separate = |&other: &UseId| {
                let decision = self.shared.get(&(other, id, level));
                decision.is_some_and(|&decision| self.cut[decision])
            };
            if ordered && separate.iter().all(is_separate) {
                separate.push(id);
            }
        }
        separate.len()
    }

    fn is_apart(&self, contraction: &Contraction, connection: Connection) -> bool {
        match connection {
            Connection::Fused(id) => self.is_unfused(contraction, id, 1),
            Connection::Shared(one, other) => {
                let undecided = |decision: &usize| !self.cut[*decision];
                !self.shared.get(&(one, other, 1)).is_some_and(undecided)
            }
        }
    }

    /// Clusters that cannot be fused any more.
    fn of_loops(&self, contraction: &Contraction) -> Amount {
        if self.weights.clusters.is_zero() {
            return Amount::ZERO;
        }
        let nodes = self.graph.nodes.len();
        let mut parts = UnionFind::new(nodes);
        for node in 0..nodes {
            parts.union(node, contraction.cluster(1, node));
        }
        for (decision, &cut) in self.decisions.iter().zip(&self.cut) {
            if !cut {
                parts.union(decision.pair.nodes.0, decision.pair.nodes.1);
            }
        }
        let loops = (0..nodes).filter(|&node| {
            let node_has_loop = !self.graph.is_input(node) && self.graph.nodes[node].depth >= 1;
            node_has_loop && parts.find(node) == node
        });
        self.weights.clusters * loops.count()
    }
}
