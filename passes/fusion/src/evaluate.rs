//! What a clustering costs, by definition: the objective of the exact solver and
//! the heuristics is checked against it.

use crate::{
    amount::Amount,
    clustering::Clustering,
    connections::{ReadOrders, read_class, read_orders},
    cost::{Connection, Weights},
    graph::{Graph, NodeId, Order, UseId},
    stable_hash::Set,
};

/// The cost of a legal clustering.
pub fn evaluate(graph: &Graph, clustering: &Clustering, weights: &Weights) -> Amount {
    let everything = Part {
        nodes: &Vec::from_iter(0..graph.nodes.len()),
        uses: &Vec::from_iter(0..graph.uses.len()),
        pairs: &Vec::from_iter(0..weights.pairs.len()),
    };
    evaluate_part(graph, clustering, weights, &everything)
}

/// What belongs to a part of a graph that shares no cluster with the rest. It is all of
/// the graph if the weights have crowds.
pub(crate) struct Part<'a> {
    /// Its nodes.
    pub nodes: &'a [NodeId],
    /// The uses by these.
    pub uses: &'a [UseId],
    /// The weighted pairs, by their numbers.
    pub pairs: &'a [usize],
}

/// What a part of a graph costs.
pub(crate) fn evaluate_part(
    graph: &Graph,
    clustering: &Clustering,
    weights: &Weights,
    part: &Part,
) -> Amount {
    let mut cost = Amount::ZERO;
    for level in 1..=graph.levels {
        let read = reads_among(graph, clustering, level, part.uses);
        let stored = stored_among(graph, clustering, level, part.nodes);
        let reads = read
            .into_iter()
            .map(|array| weights.reads[array][level - 1]);
        let writes = stored
            .into_iter()
            .map(|node| weights.writes[node][level - 1]);
        cost += reads.chain(writes).sum();
    }
    for &id in part.uses {
        let array_use = &graph.uses[id];
        if !clustering.together(1, array_use.from, array_use.to) {
            cost += weights.uses[id];
        }
    }
    if !weights.clusters.is_zero() {
        let has_loop = |node: &&NodeId| !graph.is_input(**node) && graph.nodes[**node].depth > 0;
        let nodes = part.nodes.iter().filter(has_loop);
        let clusters: Set<usize> = nodes.map(|&node| clustering.clusters[0][node]).collect();
        cost += weights.clusters * clusters.len();
    }
    for pair in part.pairs.iter().map(|&pair| &weights.pairs[pair]) {
        let connected = pair
            .connections
            .iter()
            .any(|&connection| is_connected(graph, clustering, connection));
        if !connected {
            cost += pair.weight;
        }
    }
    for crowd in &weights.crowds {
        let class = |id: UseId| {
            let is_ordered = graph.ordered_levels(&graph.uses[id]) >= 1;
            let cluster = clustering.clusters[0][graph.uses[id].to];
            is_ordered.then(|| (cluster, read_class(graph, clustering, id, 1)))
        };
        let is_fused = |id: UseId| clustering.together(1, graph.uses[id].from, graph.uses[id].to);
        cost += crowd.cost(graph, class, is_fused);
    }
    let again = part.nodes.iter();
    cost + again
        .map(|&node| recomputation_of(clustering, weights, node))
        .sum()
}

/// The arrays that are read at a level (from 1), once for each cluster and
/// order.
pub fn distinct_reads(graph: &Graph, clustering: &Clustering, level: usize) -> Vec<NodeId> {
    let uses: Vec<UseId> = (0..graph.uses.len()).collect();
    reads_among(graph, clustering, level, &uses)
}

fn reads_among(
    graph: &Graph,
    clustering: &Clustering,
    level: usize,
    uses: &[UseId],
) -> Vec<NodeId> {
    let mut uses = uses.to_vec();
    uses.sort_unstable_by_key(|&id| graph.uses[id].from);
    let mut seen: Set<(usize, ReadOrders)> = Set::default();
    let mut arrays = vec![];
    for uses in uses.chunk_by(|&one, &other| graph.uses[one].from == graph.uses[other].from) {
        seen.clear();
        for &id in uses {
            let array_use = &graph.uses[id];
            let ordered = graph.ordered_levels(array_use) >= level
                && graph.nodes[array_use.to].depth >= level;
            let (from, to) = (array_use.from, array_use.to);
            let of_tuple = array_use.inseparable && graph.is_tuple(from);
            if !ordered || of_tuple || clustering.together(level, from, to) {
                continue;
            }
            let orders = read_orders(graph, clustering, id, level);
            let cluster = clustering.clusters[level - 1][to];
            if seen.insert((cluster, orders)) {
                arrays.push(from);
            }
        }
    }
    arrays
}

/// The arrays that are computed and exist outside of the loops of a level (from
/// 1).
pub fn stored_arrays(graph: &Graph, clustering: &Clustering, level: usize) -> Vec<NodeId> {
    let nodes: Vec<NodeId> = (0..graph.nodes.len()).collect();
    stored_among(graph, clustering, level, &nodes)
}

fn stored_among(
    graph: &Graph,
    clustering: &Clustering,
    level: usize,
    nodes: &[NodeId],
) -> Vec<NodeId> {
    let nodes = nodes.iter().copied();
    nodes
        .filter(|&node| !graph.is_input(node) && graph.nodes[node].rank >= level)
        .filter(|&node| !graph.is_tuple(node) && !clustering.is_contracted(graph, level, node))
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
pub(crate) fn recomputation(graph: &Graph, clustering: &Clustering, weights: &Weights) -> Amount {
    (0..graph.nodes.len())
        .map(|node| recomputation_of(clustering, weights, node))
        .sum()
}

fn recomputation_of(clustering: &Clustering, weights: &Weights, node: NodeId) -> Amount {
    let orders: &[Order] = &clustering.orders[node];
    let prices = weights.recomputation[node].iter();
    prices
        .filter(|(label, _)| orders.contains(label))
        .map(|(_, price)| price)
        .sum()
}
