//! What a clustering costs, by definition: the objective of the exact solver and
//! the heuristics is checked against it.

use std::collections::HashSet;

use crate::{
    clustering::Clustering,
    connections::{ReadOrder, read_class},
    cost::{Connection, Weights},
    graph::{Graph, NodeId, Order, UseId},
};

/// The cost of a legal clustering.
pub fn evaluate(graph: &Graph, clustering: &Clustering, weights: &Weights) -> f64 {
    let mut cost = 0.0;
    for level in 1..=graph.levels {
        cost += reads(graph, clustering, weights, level);
        cost += writes(graph, clustering, weights, level);
    }
    for (array_use, weight) in graph.uses.iter().zip(&weights.uses) {
        if !clustering.together(1, array_use.from, array_use.to) {
            cost += weight;
        }
    }
    if weights.clusters > 0.0 {
        cost += weights.clusters * clustering.groups(graph, 1).len() as f64;
    }
    for pair in &weights.pairs {
        let connected = pair
            .connections
            .iter()
            .any(|&connection| is_connected(graph, clustering, connection));
        if !connected {
            cost += pair.weight;
        }
    }
    cost + recomputation(graph, clustering, weights)
}

/// The arrays that are read at a level (from 1), once for each cluster and
/// order.
pub fn distinct_reads(graph: &Graph, clustering: &Clustering, level: usize) -> Vec<NodeId> {
    let mut seen: HashSet<(NodeId, usize, Vec<ReadOrder>)> = HashSet::new();
    let mut arrays = vec![];
    for (id, array_use) in graph.uses.iter().enumerate() {
        let ordered =
            graph.ordered_levels(array_use) >= level && graph.nodes[array_use.to].depth >= level;
        let (from, to) = (array_use.from, array_use.to);
        let of_tuple = array_use.inseparable && graph.is_tuple(from);
        if !ordered || of_tuple || clustering.together(level, from, to) {
            continue;
        }
        let orders = read_orders(graph, clustering, id, level);
        let cluster = clustering.clusters[level - 1][to];
        if seen.insert((from, cluster, orders)) {
            arrays.push(from);
        }
    }
    arrays
}

/// The arrays that are computed and exist outside of the loops of a level (from
/// 1).
pub fn stored_arrays(graph: &Graph, clustering: &Clustering, level: usize) -> Vec<NodeId> {
    (0..graph.nodes.len())
        .filter(|&node| !graph.is_input(node) && graph.nodes[node].rank >= level)
        .filter(|&node| !graph.is_tuple(node) && !clustering.is_contracted(graph, level, node))
        .collect()
}

fn reads(graph: &Graph, clustering: &Clustering, weights: &Weights, level: usize) -> f64 {
    distinct_reads(graph, clustering, level)
        .into_iter()
        .map(|array| weights.reads[array][level - 1])
        .sum()
}

fn writes(graph: &Graph, clustering: &Clustering, weights: &Weights, level: usize) -> f64 {
    stored_arrays(graph, clustering, level)
        .into_iter()
        .map(|node| weights.writes[node][level - 1])
        .sum()
}

fn read_orders(graph: &Graph, clustering: &Clustering, id: UseId, level: usize) -> Vec<ReadOrder> {
    (1..=level)
        .map(|level| read_class(graph, clustering, id, level))
        .collect()
}

fn is_connected(graph: &Graph, clustering: &Clustering, connection: Connection) -> bool {
    let array_use = |id: UseId| &graph.uses[id];
    match connection {
        Connection::Fused(id) => clustering.together(1, array_use(id).from, array_use(id).to),
        Connection::Shared(one, other) => {
            let ordered = |id| graph.ordered_levels(array_use(id)) >= 1;
            let orders = |id| read_orders(graph, clustering, id, 1);
            ordered(one)
                && ordered(other)
                && clustering.together(1, array_use(one).to, array_use(other).to)
                && orders(one) == orders(other)
        }
    }
}

/// The price of the work that is done again.
pub(crate) fn recomputation(graph: &Graph, clustering: &Clustering, weights: &Weights) -> f64 {
    (0..graph.nodes.len())
        .map(|node| {
            let labels: HashSet<Order> = clustering.orders[node].iter().copied().collect();
            weights.recomputation[node]
                .iter()
                .filter(|(label, _)| labels.contains(label))
                .map(|(_, price)| price)
                .sum::<f64>()
        })
        .sum()
}
