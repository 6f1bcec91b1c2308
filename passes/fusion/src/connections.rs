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

use std::collections::HashMap;

use petgraph::unionfind::UnionFind;

use crate::{
    clustering::Clustering,
    graph::{FIRST_LABEL, Graph, NodeId, Order, UseId},
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

/// The pairs of nodes of one cluster that are directly connected at a level
/// (from 1). Of several readers of an array in one order, each is connected to
/// the first.
pub fn connected_pairs(
    graph: &Graph,
    clustering: &Clustering,
    level: usize,
) -> Vec<(NodeId, NodeId)> {
    let mut pairs = vec![];
    let mut first_readers: HashMap<(NodeId, usize, Vec<ReadOrder>), NodeId> = HashMap::new();
    for (id, array_use) in graph.uses.iter().enumerate() {
        let (from, to) = (array_use.from, array_use.to);
        let together = clustering.together(level, from, to);
        if together && graph.fusible_levels(array_use) >= level {
            pairs.push((from, to));
        }
        if !together && graph.ordered_levels(array_use) >= level && graph.nodes[to].depth >= level {
            let cluster = clustering.clusters[level - 1][to];
            let orders = (1..=level)
                .map(|level| read_class(graph, clustering, id, level))
                .collect();
            let first = *first_readers.entry((from, cluster, orders)).or_insert(to);
            if first != to {
                pairs.push((first, to));
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
            let mut numbers = HashMap::new();
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
