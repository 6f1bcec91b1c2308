//! What a fusion saves: the cost before it minus the cost after it, of the arrays
//! that it concerns.
//!
//! Orders that are still free count as forwards, as they do at the end if nothing
//! speaks against it.
//!
//! Cost: linear in the uses of the arrays that are accessed by nodes whose
//! cluster or order changes; of two clusters, only the smaller one's.

use std::collections::{BTreeSet, HashSet};

use super::candidates::Candidate;
use crate::{
    amount::Amount,
    contraction::{Contraction, ReadClass},
    cost::{Connection, Weights},
    graph::{FORWARDS, Graph, NodeId, UseId},
};

/// The costs of the parts of a graph.
pub(super) struct Savings<'g> {
    graph: &'g Graph,
    weights: &'g Weights,
    pairs_of: Vec<Vec<usize>>,
    /// By array: the crowds that it alone belongs to.
    crowds_of: Vec<Vec<usize>>,
    /// The crowds of several arrays.
    wide: Vec<Wide>,
}

/// A crowd of several arrays.
struct Wide {
    weight: Amount,
    /// By array: whether it belongs to it.
    holds: Vec<bool>,
}

/// A fusion that is possible.
pub(super) struct Fusion {
    pub(super) saving: Amount,
    /// The nodes whose cluster or order changes.
    pub(super) nodes: BTreeSet<NodeId>,
    /// By how many the clusters of the outermost level are fewer.
    pub(super) fewer_clusters: usize,
    /// Whether it decides an order that was free.
    pub(super) orders: bool,
}

impl<'g> Savings<'g> {
    pub(super) fn new(graph: &'g Graph, weights: &'g Weights) -> Self {
        let mut pairs_of = vec![vec![]; graph.nodes.len()];
        for (number, pair) in weights.pairs.iter().enumerate() {
            pairs_of[pair.nodes.0].push(number);
            pairs_of[pair.nodes.1].push(number);
        }
        let mut crowds_of = vec![vec![]; graph.nodes.len()];
        let mut wide = vec![];
        for (number, crowd) in weights.crowds.iter().enumerate() {
            if let [array] = crowd.arrays[..] {
                crowds_of[array].push(number);
                continue;
            }
            let mut holds = vec![false; graph.nodes.len()];
            crowd.arrays.iter().for_each(|&array| holds[array] = true);
            let weight = crowd.weight;
            wide.push(Wide { weight, holds });
        }
        Self {
            graph,
            weights,
            pairs_of,
            crowds_of,
            wide,
        }
    }

    /// What fusing a pair as deep as possible saves, if it is possible and
    /// changes anything. Nothing is changed.
    pub(super) fn of(
        &self,
        contraction: &mut Contraction,
        candidate: &Candidate,
    ) -> Option<Fusion> {
        let start = contraction.checkpoint();
        candidate.fuse(contraction);
        let changes = contraction.changes_since(start);
        contraction.rewind(start);
        let nodes = contraction.changed_nodes(&changes);
        if nodes.is_empty() {
            return None;
        }
        let before = self.cost(contraction, &nodes);
        candidate.fuse(contraction);
        let after = self.cost(contraction, &nodes);
        contraction.rewind(start);
        let fewer_clusters = changes.fewer_clusters();
        Some(Fusion {
            saving: self.weights.clusters * fewer_clusters + before - after,
            nodes,
            fewer_clusters,
            orders: changes.decide_an_order(),
        })
    }

    /// What is paid for the arrays that nodes access.
    fn cost(&self, contraction: &Contraction, nodes: &BTreeSet<NodeId>) -> Amount {
        let mut arrays = nodes.clone();
        let mut pairs = BTreeSet::new();
        for &node in nodes {
            let read = self.graph.uses_by(node).iter();
            arrays.extend(read.map(|&array_use| self.graph.uses[array_use].from));
            pairs.extend(&self.pairs_of[node]);
        }
        let arrays: Amount = arrays
            .iter()
            .map(|&array| self.cost_of_array(contraction, array))
            .sum();
        let pairs = pairs.iter().map(|&&pair| &self.weights.pairs[pair]);
        let pairs = pairs.filter(|pair| {
            let mut connections = pair.connections.iter();
            !connections.any(|&connection| self.is_connected(contraction, connection))
        });
        let wide = self.wide.iter();
        let connected: Amount = wide
            .map(|wide| wide.weight * self.count_connected(contraction, nodes, &wide.holds))
            .sum();
        arrays + pairs.map(|pair| pair.weight).sum() - connected
    }

    /// How many pairs with one of these nodes are connected over one of these arrays.
    fn count_connected(
        &self,
        contraction: &Contraction,
        nodes: &BTreeSet<NodeId>,
        holds: &[bool],
    ) -> usize {
        let graph = self.graph;
        let is_fused = |id: UseId| {
            let array_use = &graph.uses[id];
            !graph.is_input(array_use.from) && contraction.together(1, array_use.from, array_use.to)
        };
        let partners_of = |node: NodeId| {
            let mut partners = HashSet::new();
            if holds[node] {
                let fused = graph.uses_of(node).iter().filter(|&&id| is_fused(id));
                partners.extend(fused.map(|&id| graph.uses[id].to));
            }
            let read = graph.uses_by(node).iter().copied();
            for id in read.filter(|&id| holds[graph.uses[id].from]) {
                let array = graph.uses[id].from;
                if is_fused(id) {
                    partners.insert(array);
                }
                let class = self.class(contraction, id);
                let alike = graph.uses_of(array).iter().copied();
                let alike = alike
                    .filter(|&other| class.is_some() && self.class(contraction, other) == class);
                partners.extend(alike.map(|other| graph.uses[other].to));
            }
            partners
        };
        let counts = nodes.iter().map(|&node| {
            let partners = partners_of(node).into_iter();
            partners
                .filter(|&other| other > node || other < node && !nodes.contains(&other))
                .count()
        });
        counts.sum()
    }

    /// In which cluster and how a use reads at the outermost level, if it does so in an
    /// order.
    fn class(&self, contraction: &Contraction, id: UseId) -> Option<(usize, ReadClass)> {
        let array_use = &self.graph.uses[id];
        let is_ordered = self.graph.ordered_levels(array_use) >= 1;
        is_ordered.then(|| {
            let cluster = contraction.cluster(1, array_use.to);
            (cluster, read_class(contraction, id, 1))
        })
    }

    fn cost_of_array(&self, contraction: &Contraction, array: NodeId) -> Amount {
        let (graph, weights) = (self.graph, self.weights);
        let mut cost = Amount::ZERO;
        for level in 1..=graph.levels {
            let read = weights.reads[array][level - 1];
            if !read.is_zero() {
                cost += read * self.count_reads(contraction, array, level);
            }
            let stored = !graph.is_input(array) && graph.nodes[array].rank >= level;
            if stored && !self.is_contracted(contraction, array, level) {
                cost += weights.writes[array][level - 1];
            }
        }
        for &array_use in graph.uses_of(array) {
            if !contraction.together(1, array, graph.uses[array_use].to) {
                cost += weights.uses[array_use];
            }
        }
        for &crowd in &self.crowds_of[array] {
            let class = |id| self.class(contraction, id);
            let is_fused =
                |id: UseId| contraction.together(1, graph.uses[id].from, graph.uses[id].to);
            cost += weights.crowds[crowd].cost(graph, class, is_fused);
        }
        let again = weights.recomputation[array].iter();
        cost + again
            .filter(|(label, _)| {
                (1..=graph.levels).any(|level| contraction.order(array, level) == Some(**label))
            })
            .map(|(_, price)| price)
            .sum()
    }

    fn count_reads(&self, contraction: &Contraction, array: NodeId, level: usize) -> usize {
        let mut seen = HashSet::new();
        for &id in self.graph.uses_of(array) {
            let array_use = &self.graph.uses[id];
            let ordered = self.graph.ordered_levels(array_use) >= level
                && self.graph.nodes[array_use.to].depth >= level;
            if ordered && !contraction.together(level, array, array_use.to) {
                let cluster = contraction.cluster(level, array_use.to);
                seen.insert((cluster, self.read_classes(contraction, id, level)));
            }
        }
        seen.len()
    }

    fn is_contracted(&self, contraction: &Contraction, array: NodeId, level: usize) -> bool {
        !self.graph.nodes[array].result
            && self
                .graph
                .uses_of(array)
                .iter()
                .all(|&array_use| contraction.together(level, array, self.graph.uses[array_use].to))
    }

    /// How a use reads in the levels up to one.
    fn read_classes(&self, contraction: &Contraction, id: UseId, level: usize) -> Vec<ReadClass> {
        (1..=level)
            .map(|level| read_class(contraction, id, level))
            .collect()
    }

    fn is_connected(&self, contraction: &Contraction, connection: Connection) -> bool {
        let uses = &self.graph.uses;
        match connection {
            Connection::Fused(id) => contraction.together(1, uses[id].from, uses[id].to),
            Connection::Shared(one, other) => {
                let ordered = |id: UseId| self.graph.ordered_levels(&uses[id]) >= 1;
                ordered(one)
                    && ordered(other)
                    && contraction.together(1, uses[one].to, uses[other].to)
                    && self.read_classes(contraction, one, 1)
                        == self.read_classes(contraction, other, 1)
            }
        }
    }
}

/// How a use reads at a level, forwards if that is free.
fn read_class(contraction: &Contraction, id: UseId, level: usize) -> ReadClass {
    match contraction.read_class(id, level) {
        ReadClass::Free(_) => ReadClass::Order(FORWARDS),
        class => class,
    }
}
