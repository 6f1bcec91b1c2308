//! Limits of clusterings: how many arrays a cluster may take and give, and how
//! much memory may be in use at a time.
//!
//! A node alone, with those that are inseparable from it, may always be: limits are
//! about fusing. The array of a tuple is none; its results are. Memory is counted when
//! clusters run one after another in the order of their numbers; an array takes
//! its bytes from the cluster that computes it to the last that reads it, results
//! to the end. Inputs belong to the caller.

use std::collections::BTreeSet;

use crate::{
    clustering::Clustering,
    cost::{CostOptions, bytes_of_arrays},
    graph::{Graph, NodeId},
};

/// Limits; none by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The most arrays that a cluster of the outermost level reads from outside
    /// or stores.
    pub arguments: Option<usize>,
    /// The most bytes of stored arrays at a time, with the sizes that the options
    /// give.
    pub memory: Option<(f64, CostOptions)>,
}

impl Limits {
    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_none() && self.memory.is_none()
    }

    /// Whether a clustering, in its normal form, keeps the limits.
    pub fn hold(&self, graph: &Graph, clustering: &Clustering) -> bool {
        self.crowded(graph, clustering).is_empty() && !self.exceeds_memory(graph, clustering)
    }

    /// The clusters with too many arguments.
    pub fn crowded(&self, graph: &Graph, clustering: &Clustering) -> Vec<Vec<NodeId>> {
        let Some(most) = self.arguments else {
            return vec![];
        };
        let mut clusters = clustering.groups(graph, 1);
        clusters.retain(|nodes| {
            let fused = nodes
                .iter()
                .any(|&node| graph.unit(node) != graph.unit(nodes[0]));
            fused && arguments(graph, clustering, nodes) > most
        });
        clusters
    }

    /// Whether more memory is in use than the limit, unless that is so with
    /// nothing fused.
    pub fn exceeds_memory(&self, graph: &Graph, clustering: &Clustering) -> bool {
        let Some((most, options)) = &self.memory else {
            return false;
        };
        let has_loop = |node: &NodeId| !graph.is_input(*node) && graph.nodes[*node].depth > 0;
        let nodes = (0..graph.nodes.len()).filter(has_loop);
        let units: BTreeSet<NodeId> = nodes.map(|node| graph.unit(node)).collect();
        let fused = clustering.groups(graph, 1).len() < units.len();
        fused && peak_memory(graph, clustering, options) > *most
    }
}

/// The number of arrays that a cluster of the outermost level reads from outside
/// or stores.
pub fn arguments(graph: &Graph, clustering: &Clustering, nodes: &[NodeId]) -> usize {
    let mut arrays = BTreeSet::new();
    for &node in nodes {
        for &array_use in graph.uses_by(node) {
            let array_use = &graph.uses[array_use];
            let array = array_use.from;
            if !array_use.inseparable && !clustering.together(1, array, node) {
                arrays.insert(array);
            }
        }
        if graph.is_tuple(node) {
            let results = graph.uses_of(node).iter();
            let results = results.map(|&array_use| graph.uses[array_use].to);
            arrays.extend(results.filter(|&result| !clustering.is_contracted(graph, 1, result)));
        } else if !clustering.is_contracted(graph, 1, node) {
            arrays.insert(node);
        }
    }
    arrays.len()
}

/// The most bytes of stored arrays at a time.
pub fn peak_memory(graph: &Graph, clustering: &Clustering, options: &CostOptions) -> f64 {
    let bytes = bytes_of_arrays(graph, options);
    let clusters = &clustering.clusters[0];
    let end = graph.nodes.len();
    let mut changes = vec![0.0; end + 2];
    for node in (0..end).filter(|&node| !graph.is_input(node)) {
        if graph.is_tuple(node) || clustering.is_contracted(graph, 1, node) {
            continue;
        }
        let readers = graph.uses_of(node).iter();
        let last = readers
            .map(|&array_use| clusters[graph.uses[array_use].to])
            .fold(clusters[node], usize::max);
        let last = if graph.nodes[node].result { end } else { last };
        changes[clusters[node]] += bytes[node];
        changes[last + 1] -= bytes[node];
    }
    let mut in_use = 0.0;
    changes.into_iter().fold(0.0, |most: f64, change| {
        in_use += change;
        most.max(in_use)
    })
}
