//! What fusion decides: which nodes share their loops, and in which order every
//! node goes over its array.

use std::ops::RangeInclusive;

use petgraph::{graph::DiGraph, graph::NodeIndex};

use crate::graph::{FORWARDS, Graph, NodeId, Order, Use};

/// A partition of the nodes for every level, each finer than the one outside of
/// it, with orders. Inputs, and nodes that have no loop at a level, are alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clustering {
    /// By level (from 0 for level 1) and node: the number of its cluster.
    pub clusters: Vec<Vec<usize>>,
    /// By node and level: the order of the array that the node gives, and of
    /// what it reads in its own order.
    pub orders: Vec<Vec<Order>>,
}

impl Clustering {
    /// Every node alone: nothing is fused, not even inseparable uses.
    pub fn singletons(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        let orders = (0..nodes).map(|node| {
            (1..=graph.levels)
                .map(|level| graph.fixed_order(node, level).unwrap_or(FORWARDS))
                .collect()
        });
        Self {
            clusters: vec![(0..nodes).collect(); graph.levels],
            orders: orders.collect(),
        }
    }

    /// Whether two nodes share the loop of a level (from 1).
    pub fn together(&self, level: usize, one: NodeId, other: NodeId) -> bool {
        let clusters = &self.clusters[level - 1];
        clusters[one] == clusters[other]
    }

    /// The order in which a use reads at a level (from 1).
    pub fn read_order(&self, graph: &Graph, array_use: &Use, level: usize) -> Order {
        match array_use.label {
            Some(label) if level > array_use.prefix => label,
            _ => match graph.fixed_order(array_use.to, level) {
                Some(order) if array_use.scan => order,
                _ => self.orders[array_use.to][level - 1],
            },
        }
    }

    /// Whether the array of a node does not exist outside of the loops of a
    /// level (from 1): it is no result, and all that use it are in its cluster.
    pub fn is_contracted(&self, graph: &Graph, level: usize, node: NodeId) -> bool {
        !graph.nodes[node].result
            && graph.uses_of(node).iter().all(|&array_use| {
                let array_use = &graph.uses[array_use];
                graph.fusible_levels(array_use) >= level && self.together(level, node, array_use.to)
            })
    }

    /// The gather in whose order a node is, and the levels that its label covers, if the gather has more
    /// loops than these; also if that is because it is in the order of such a gather.
    pub fn host(&self, graph: &Graph, node: NodeId) -> Option<(NodeId, RangeInclusive<usize>)> {
        self.orders[node].iter().find_map(|&label| {
            let gather = graph.gather(label)?;
            let covered = graph.label_levels().get(&label)?.clone();
            let has_more =
                graph.nodes[gather].depth > *covered.end() || self.host(graph, gather).is_some();
            has_more.then_some((gather, covered))
        })
    }

    /// The cluster of a level (from 1) in whose loop a node runs; nothing if it has no loop there. What is
    /// in the order of a gather with more loops runs in these, and so does what is in the order of that;
    /// further loops of its own are deeper than clusters can say.
    pub fn cluster_of(&self, graph: &Graph, level: usize, node: NodeId) -> Option<usize> {
        match self.host(graph, node) {
            Some((host, covered)) if level >= *covered.start() => {
                self.cluster_of(graph, level, host)
            }
            _ => (graph.nodes[node].depth >= level).then(|| self.clusters[level - 1][node]),
        }
    }

    /// The level (from 1) whose order says how a node goes over its array in the loop of a level: one in a
    /// host's loops goes as in those that the label covers.
    pub fn level_of_order(&self, graph: &Graph, level: usize, node: NodeId) -> usize {
        match self.host(graph, node) {
            Some((host, covered)) => self.level_of_order(graph, level.min(*covered.end()), host),
            None => level,
        }
    }

    /// The clusters of a level (from 1) that hold combinators, each sorted.
    pub fn groups(&self, graph: &Graph, level: usize) -> Vec<Vec<NodeId>> {
        let mut groups: Vec<Vec<NodeId>> = vec![vec![]; graph.nodes.len()];
        for node in (0..graph.nodes.len()).filter(|&node| !graph.is_input(node)) {
            if let Some(cluster) = self.cluster_of(graph, level, node) {
                groups[cluster].push(node);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Numbers the clusters of every level in an order in which they can be
    /// run, and splits those whose nodes are not connected (see
    /// [`connections`](crate::connections)). Clusters that could be next are
    /// taken by their first node.
    pub fn normalized(&self, graph: &Graph) -> Self {
        let mut clusters = crate::connections::split(graph, self);
        for level in &mut clusters {
            *level = in_running_order(graph, level);
        }
        Self {
            clusters,
            orders: self.orders.clone(),
        }
    }
}

/// Renumbers clusters so that each comes after those that it depends on; if
/// there is no such order, in that of their first nodes.
fn in_running_order(graph: &Graph, clusters: &[usize]) -> Vec<usize> {
    let count = clusters.iter().max().map_or(0, |&most| most + 1);
    let mut first = vec![usize::MAX; count];
    for (node, &cluster) in clusters.iter().enumerate() {
        first[cluster] = first[cluster].min(node);
    }
    let mut quotient: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..count {
        quotient.add_node(());
    }
    let pairs = graph
        .uses
        .iter()
        .map(|array_use| (array_use.from, array_use.to))
        .chain(graph.before.iter().copied());
    let mut between: Vec<(usize, usize)> = pairs
        .map(|(from, to)| (clusters[from], clusters[to]))
        .filter(|(from, to)| from != to)
        .collect();
    between.sort_unstable();
    between.dedup();
    for (from, to) in between {
        quotient.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    let order = first_possible_order(&quotient, &first);
    let mut number = vec![0; count];
    for (position, cluster) in order.into_iter().enumerate() {
        number[cluster] = position;
    }
    clusters.iter().map(|&cluster| number[cluster]).collect()
}

fn first_possible_order(quotient: &DiGraph<(), ()>, first: &[usize]) -> Vec<usize> {
    use std::{cmp::Reverse, collections::BinaryHeap};
    let count = first.len();
    let mut waiting = vec![0usize; count];
    for edge in quotient.raw_edges() {
        waiting[edge.target().index()] += 1;
    }
    let mut ready: BinaryHeap<_> = (0..count)
        .filter(|&cluster| waiting[cluster] == 0)
        .map(|cluster| Reverse((first[cluster], cluster)))
        .collect();
    let mut order = Vec::with_capacity(count);
    let mut done = vec![false; count];
    while let Some(Reverse((_, cluster))) = ready.pop() {
        order.push(cluster);
        done[cluster] = true;
        for next in quotient.neighbors(NodeIndex::new(cluster)) {
            let next = next.index();
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(Reverse((first[next], next)));
            }
        }
    }
    let mut rest: Vec<usize> = (0..count).filter(|&cluster| !done[cluster]).collect();
    rest.sort_by_key(|&cluster| first[cluster]);
    order.extend(rest);
    order
}
