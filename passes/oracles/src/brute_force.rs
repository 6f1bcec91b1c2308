//! The optimum of a small graph, by trying everything.
//!
//! Phases, from the outermost level inwards:
//!
//! 1. Partition the nodes of every cluster of the level outside in all ways in
//!    which no two nodes have to be apart, no two clusters depend on each other,
//!    and every cluster could be connected if orders were right.
//! 2. Give every node every order that its fused uses allow, readers first.
//! 3. Keep what [`legality`] accepts, and of that what [`evaluate`](mod@evaluate)
//!    finds cheapest.
//!
//! Legality and cost are decided by those two modules alone; what is left out
//! before is what they would refuse, or what is no better than something else.
//! That is one thing only: a level goes backwards only in clusters that hold a
//! right scan along that level. In others, turning every 1 into 0 keeps
//! everything that is fused and shared.
//!
//! Cost: exponential in the number of combinators. Eight flat ones, or five with
//! three levels, take a fraction of a second.

use comb_fusion::{
    amount::Amount,
    clustering::Clustering,
    cost::Weights,
    evaluate::evaluate,
    graph::{BACKWARDS, FORWARDS, Graph, Kind, NodeId, Order},
    legality,
};
use petgraph::{algo::toposort, graph::DiGraph, graph::NodeIndex, unionfind::UnionFind};

/// The least cost of a legal clustering, and one that has it; nothing if the
/// user's wishes cannot be fulfilled.
pub fn optimum(graph: &Graph, weights: &Weights) -> Option<(Amount, Clustering)> {
    let mut best: Option<(Amount, Clustering)> = None;
    for_each_legal(graph, &mut |clustering| {
        let cost = evaluate(graph, clustering, weights);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, clustering.clone()));
        }
    });
    best.map(|(cost, clustering)| (cost, clustering.normalized(graph)))
}

/// Visits all legal clusterings, but those that go backwards without need.
pub fn for_each_legal(graph: &Graph, visit: &mut impl FnMut(&Clustering)) {
    let mut search = Search {
        graph,
        rivals: (1..=graph.levels)
            .map(|level| rivals(graph, level))
            .collect(),
        clustering: Clustering::singletons(graph),
    };
    search.partition(1, 0, visit);
}

struct Search<'a> {
    graph: &'a Graph,
    /// By level and pair of nodes: whether they have to be apart.
    rivals: Vec<Vec<Vec<bool>>>,
    /// A cluster has the number of its first node.
    clustering: Clustering,
}

/// The pairs of nodes that no rule lets into one cluster of a level.
fn rivals(graph: &Graph, level: usize) -> Vec<Vec<bool>> {
    let count = graph.nodes.len();
    let mut rivals = vec![vec![false; count]; count];
    let unfusible = graph
        .uses
        .iter()
        .filter(|array_use| graph.fusible_levels(array_use) < level)
        .map(|array_use| (array_use.from, array_use.to));
    let pairs = unfusible
        .chain(graph.before.iter().copied())
        .chain(graph.forbidden.iter().copied());
    for (one, other) in pairs {
        rivals[one][other] = true;
        rivals[other][one] = true;
    }
    rivals
}

impl Search<'_> {
    /// Chooses the cluster of a node and those after it, at a level and those
    /// inside it.
    fn partition(&mut self, level: usize, node: NodeId, visit: &mut impl FnMut(&Clustering)) {
        if level > self.graph.levels {
            return self.order(self.graph.nodes.len(), visit);
        }
        if node == self.graph.nodes.len() {
            if self.is_possible(level) {
                self.partition(level + 1, 0, visit);
            }
            return;
        }
        let producer = self.inseparable_producer(node, level);
        if self.has_loop(node, level) {
            for first in 0..node {
                let clusters = &self.clustering.clusters[level - 1];
                let possible = producer.is_none_or(|producer| clusters[producer] == first);
                if possible && self.may_join(level, node, first) {
                    self.clustering.clusters[level - 1][node] = first;
                    self.partition(level, node + 1, visit);
                }
            }
        }
        self.clustering.clusters[level - 1][node] = node;
        if producer.is_none() {
            self.partition(level, node + 1, visit);
        }
    }

    /// A node that one has to share the loop of a level with, and that is before it.
    fn inseparable_producer(&self, node: NodeId, level: usize) -> Option<NodeId> {
        let uses = self.graph.uses_by(node).iter();
        uses.map(|&array_use| &self.graph.uses[array_use])
            .find(|array_use| self.graph.inseparable_levels(array_use) >= level)
            .map(|array_use| array_use.from)
    }

    fn has_loop(&self, node: NodeId, level: usize) -> bool {
        !self.graph.is_input(node) && self.graph.nodes[node].depth >= level
    }

    /// Whether a node may join the cluster that has a given first node.
    fn may_join(&self, level: usize, node: NodeId, first: NodeId) -> bool {
        let clusters = &self.clustering.clusters[level - 1];
        let apart = |other: NodeId| self.rivals[level - 1][node][other];
        clusters[first] == first
            && self.has_loop(first, level)
            && (level == 1 || self.clustering.together(level - 1, node, first))
            && !(first..node).any(|other| clusters[other] == first && apart(other))
    }

    /// Whether the clusters of a level are free of cycles, and could be
    /// connected.
    fn is_possible(&self, level: usize) -> bool {
        let wished = self.graph.forced.iter();
        wished
            .copied()
            .all(|(one, other)| self.clustering.together(1, one, other))
            && self.is_acyclic(level)
            && self.may_be_connected(level)
    }

    fn is_acyclic(&self, level: usize) -> bool {
        let clusters = &self.clustering.clusters[level - 1];
        let dependences = self.graph.dependences();
        let mut quotient: DiGraph<(), ()> = DiGraph::new();
        for _ in clusters {
            quotient.add_node(());
        }
        for edge in dependences.raw_edges() {
            let from = clusters[edge.source().index()];
            let to = clusters[edge.target().index()];
            if from != to {
                quotient.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
        toposort(&quotient, None).is_ok()
    }

    fn may_be_connected(&self, level: usize) -> bool {
        let clusters = &self.clustering.clusters[level - 1];
        let mut parts = UnionFind::new(clusters.len());
        for array in 0..clusters.len() {
            let uses = self.graph.uses_of(array);
            let readers: Vec<NodeId> = uses
                .iter()
                .map(|&array_use| self.graph.uses[array_use].to)
                .collect();
            for &reader in &readers {
                for &other in readers.iter().chain([&array]) {
                    if clusters[reader] == clusters[other] {
                        parts.union(reader, other);
                    }
                }
            }
        }
        (0..clusters.len()).all(|node| parts.equiv(node, clusters[node]))
    }

    /// Chooses the orders of the nodes before a given one; those after it, which
    /// read their arrays, have theirs.
    fn order(&mut self, end: NodeId, visit: &mut impl FnMut(&Clustering)) {
        let Some(node) = end.checked_sub(1) else {
            if legality::check(self.graph, &self.clustering).is_ok() {
                visit(&self.clustering);
            }
            return;
        };
        if self.graph.is_input(node) {
            return self.order(node, visit);
        }
        self.order_level(node, 1, visit);
    }

    fn order_level(&mut self, node: NodeId, level: usize, visit: &mut impl FnMut(&Clustering)) {
        if level > self.graph.levels.min(self.graph.nodes[node].depth) {
            return self.order(node, visit);
        }
        for order in self.possible_orders(node, level) {
            self.clustering.orders[node][level - 1] = order;
            self.order_level(node, level + 1, visit);
        }
        let alone = self.graph.fixed_order(node, level).unwrap_or(FORWARDS);
        self.clustering.orders[node][level - 1] = alone;
    }

    /// The orders that a node may have by itself and that its fused uses read.
    fn possible_orders(&self, node: NodeId, level: usize) -> Vec<Order> {
        let mut orders = match self.graph.fixed_order(node, level) {
            Some(order) => vec![order],
            None => vec![FORWARDS],
        };
        if self.graph.fixed_order(node, level).is_none() {
            if self.is_with_right_scan(node, level) {
                orders.push(BACKWARDS);
            }
            for (label, covered) in self.graph.label_levels() {
                let contracted = self
                    .clustering
                    .is_contracted(self.graph, *covered.start(), node);
                if covered.contains(&level) && contracted && !self.graph.needs_all(node) {
                    orders.push(*label);
                }
            }
        }
        let uses = self.graph.uses_of(node).iter();
        let fused: Vec<Order> = uses
            .map(|&array_use| &self.graph.uses[array_use])
            .filter(|array_use| self.clustering.together(level, node, array_use.to))
            .map(|array_use| self.clustering.read_order(self.graph, array_use, level))
            .collect();
        orders.retain(|order| fused.iter().all(|read| read == order));
        orders
    }

    fn is_with_right_scan(&self, node: NodeId, level: usize) -> bool {
        let mut nodes = 0..self.graph.nodes.len();
        nodes.any(|scan| {
            self.graph.nodes[scan].kind == Kind::ScanRight
                && self.graph.nodes[scan].rank == level
                && self.clustering.together(level, node, scan)
        })
    }
}
