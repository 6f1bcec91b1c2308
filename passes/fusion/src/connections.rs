//! What connects two nodes of a cluster directly.
//!
//! Nodes may share a loop only if they are connected (P-gather, 3.4: every merge
//! fuses at least one array), which also makes their loops equally long:
//!
//! * vertical and diagonal fusion: a use between them;
//! * horizontal fusion: both read one array in the same order, or in orders of
//!   one stencil class, which differ by constant offsets.
//!
//! After solving, clusters are split into connected parts, for the model does
//! not keep unconnected nodes apart.

use petgraph::unionfind::UnionFind;

use crate::{
    clustering::Clustering,
    graph::{FIRST_LABEL, Graph, NodeId, Order, UseId},
    stable_hash::Map,
};

/// An order, or all orders of a stencil class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadOrder {
    /// An order.
    One(Order),
    /// The orders of the gathers of a stencil.
    Stencil(u64),
    /// That of one use only, which is not aligned with its reader's loops (see
    /// [`Graph::unaligned_from`]).
    Unaligned(UseId),
}

/// How a use reads at a level (from 1).
pub fn read_class(graph: &Graph, clustering: &Clustering, id: UseId, level: usize) -> ReadOrder {
    let array_use = &graph.uses[id];
    let orders = &clustering.orders[array_use.to][..level];
    let unaligned = |&order: &Order| {
        graph
            .unaligned_from(array_use, order)
            .is_some_and(|first| level >= first)
    };
    if orders.iter().any(unaligned) {
        return ReadOrder::Unaligned(id);
    }
    let order = clustering.read_order(graph, array_use, level);
    match array_use.stencil.filter(|_| order >= FIRST_LABEL) {
        Some(class) => ReadOrder::Stencil(class),
        None => ReadOrder::One(order),
    }
}

/// How a use reads at the levels up to one (from 1): at the first, and at the others.
pub(crate) type ReadOrders = (ReadOrder, Vec<ReadOrder>);

/// How a use reads at the levels up to one (from 1).
pub(crate) fn read_orders(
    graph: &Graph,
    clustering: &Clustering,
    id: UseId,
    level: usize,
) -> ReadOrders {
    let at = |level| read_class(graph, clustering, id, level);
    // A list of none takes no memory.
    (at(1), (2..=level).map(at).collect())
}

/// The pairs of nodes of one cluster that are directly connected at a level
/// (from 1). Of several readers of an array in one order, each is connected to
/// the first.
pub fn connected_pairs(
    graph: &Graph,
    clustering: &Clustering,
    level: usize,
) -> Vec<(NodeId, NodeId)> {
    let mut pairs = vec![];
    let mut first_readers: Map<(usize, ReadOrders), NodeId> = Map::default();
    for array in 0..graph.nodes.len() {
        first_readers.clear();
        for &id in graph.uses_of(array) {
            let array_use = &graph.uses[id];
            let to = array_use.to;
            let together = clustering.together(level, array, to);
            if together && graph.fusible_levels(array_use) >= level {
                pairs.push((array, to));
            }
            let ordered =
                graph.ordered_levels(array_use) >= level && graph.nodes[to].depth >= level;
            if !together && ordered {
                let cluster = clustering.clusters[level - 1][to];
                let orders = read_orders(graph, clustering, id, level);
                let first = *first_readers.entry((cluster, orders)).or_insert(to);
                if first != to {
                    pairs.push((first, to));
                }
            }
        }
    }
    pairs
}

/// The clusters of every level, split into connected parts; numbered from 0.
pub(crate) fn split(graph: &Graph, clustering: &Clustering) -> Vec<Vec<usize>> {
    let mut result = clustering.clone();
    for level in 1..=graph.levels {
        let mut parts = UnionFind::new(graph.nodes.len());
        for (one, other) in connected_pairs(graph, &result, level) {
            parts.union(one, other);
        }
        // Inner clusters are split where the outer ones were.
        let refined: Vec<usize> = parts.into_labeling();
        for inner in level..=graph.levels {
            let mut numbers = Map::default();
            let clusters = &mut result.clusters[inner - 1];
            for (node, cluster) in clusters.iter_mut().enumerate() {
                let next = numbers.len();
                *cluster = *numbers.entry((*cluster, refined[node])).or_insert(next);
            }
        }
    }
    result.clusters
}

/// The uses of an array, with their readers, that read in a known order at a
/// level (from 1).
pub fn ordered_uses(graph: &Graph, array: NodeId, level: usize) -> Vec<UseId> {
    graph
        .uses_of(array)
        .iter()
        .copied()
        .filter(|&array_use| {
            let array_use = &graph.uses[array_use];
            graph.ordered_levels(array_use) >= level && graph.nodes[array_use.to].depth >= level
        })
        .collect()
}
