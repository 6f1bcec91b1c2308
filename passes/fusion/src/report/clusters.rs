//! The clusters of an answer, each with those inside it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::NodeName;
use crate::{
    clustering::Clustering,
    graph::{Graph, NodeId, Order},
    loops::{Loop, loops},
};

/// A cluster: a loop, and what shares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClusterReport {
    /// Its number among those around it, from the outermost level inwards: `2.1`.
    pub number: String,
    /// Its level, from 1.
    pub level: usize,
    /// The combinators that are in no cluster inside this one.
    pub members: Vec<ClusterMember>,
    /// What its loop reads from outside.
    pub inputs: Vec<ClusterInput>,
    /// The arrays that exist outside of its loop.
    pub outputs: Vec<NodeName>,
    /// The clusters inside, in an order in which they can run.
    pub clusters: Vec<ClusterReport>,
}

/// A combinator of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClusterMember {
    /// The combinator.
    pub node: NodeName,
    /// The order in which it goes over its array, by level.
    pub orders: Vec<Order>,
}

/// An array that a cluster reads from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClusterInput {
    /// The array.
    pub array: NodeName,
    /// How the loop reads it.
    pub read: ClusterRead,
}

/// How the loop of a cluster reads an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClusterRead {
    /// In an order.
    Order(Order),
    /// One element, which the loops around it give.
    OneElement,
    /// At any positions.
    Random,
}

/// The clusters of the outermost level.
pub(super) fn clusters(graph: &Graph, clustering: &Clustering) -> Vec<ClusterReport> {
    let loops = loops(graph, clustering);
    let mut inside: Vec<Vec<ClusterReport>> = vec![vec![]; loops.len()];
    let mut outermost = vec![];
    for (position, found) in loops.iter().enumerate().rev() {
        let mut clusters = std::mem::take(&mut inside[position]);
        clusters.reverse();
        let cluster = cluster(graph, clustering, found, clusters);
        match found.parent {
            Some(parent) => inside[parent].push(cluster),
            None => outermost.push(cluster),
        }
    }
    outermost.reverse();
    outermost
}

fn cluster(
    graph: &Graph,
    clustering: &Clustering,
    found: &Loop,
    clusters: Vec<ClusterReport>,
) -> ClusterReport {
    let (level, nodes) = (found.level, &found.nodes);
    let is_inside = |node: NodeId| {
        level < graph.levels && clustering.cluster_of(graph, level + 1, node).is_some()
    };
    let outside = nodes.iter().copied().filter(|&node| !is_inside(node));
    let outputs = nodes.iter().copied().filter(|&node| {
        let exists = graph.nodes[node].rank >= level && !graph.is_tuple(node);
        exists && !clustering.is_contracted(graph, level, node)
    });
    ClusterReport {
        level,
        members: outside
            .map(|node| ClusterMember {
                node: NodeName::of(graph, node),
                orders: clustering.orders[node].clone(),
            })
            .collect(),
        inputs: inputs(graph, clustering, level, nodes),
        outputs: outputs.map(|node| NodeName::of(graph, node)).collect(),
        clusters,
        number: found.number.clone(),
    }
}

fn inputs(
    graph: &Graph,
    clustering: &Clustering,
    level: usize,
    group: &[NodeId],
) -> Vec<ClusterInput> {
    let mut reads: BTreeSet<(NodeId, ClusterRead)> = BTreeSet::new();
    for &node in group {
        for &id in graph.uses_by(node) {
            let array_use = &graph.uses[id];
            let cluster_of = |node| clustering.cluster_of(graph, level, node);
            if cluster_of(array_use.from) == cluster_of(node) {
                continue;
            }
            let level = clustering.level_of_order(graph, level, node);
            let read = if graph.ordered_levels(array_use) >= level {
                ClusterRead::Order(clustering.read_order(graph, array_use, level))
            } else if array_use.prefix == graph.nodes[array_use.from].rank {
                ClusterRead::OneElement
            } else {
                ClusterRead::Random
            };
            reads.insert((array_use.from, read));
        }
    }
    let reads = reads.into_iter();
    reads
        .map(|(array, read)| ClusterInput {
            array: NodeName::of(graph, array),
            read,
        })
        .collect()
}
