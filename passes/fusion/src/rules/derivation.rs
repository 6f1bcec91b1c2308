//! Derivations as data and text.

use std::fmt::Write;

use crate::{
    graph::{Graph, NodeId},
    rules::{merge::Merge, notation::Notation},
};

/// A proof that a clustering follows the rules: its clusters in the order in
/// which they are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The clusters.
    pub clusters: Vec<ClusterDerivation>,
}

/// How the nodes of a cluster come together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterDerivation {
    /// The nodes.
    pub nodes: Vec<NodeId>,
    /// The merges, the first one first; one less than there are nodes.
    pub merges: Vec<Merge>,
    /// The cluster as it is seen from outside.
    pub notation: Notation,
}

impl Derivation {
    /// A line for every cluster, for every merge, and for every array in it.
    pub fn to_text(&self, graph: &Graph) -> String {
        let mut text = String::new();
        for cluster in &self.clusters {
            let names = names(graph, &cluster.nodes);
            let notation = cluster.notation.to_text(graph);
            line(&mut text, 0, &format!("{names}: {notation}"));
            for merge in &cluster.merges {
                write_merge(&mut text, graph, merge);
            }
        }
        text
    }
}

fn write_merge(text: &mut String, graph: &Graph, merge: &Merge) {
    let (first, second) = (names(graph, &merge.first), names(graph, &merge.second));
    let notation = merge.notation.to_text(graph);
    line(text, 1, &format!("{first} with {second}: {notation}"));
    for step in &merge.steps {
        let access = step.access.to_text(graph);
        line(text, 2, &format!("{} {access}", step.rule));
    }
}

fn line(text: &mut String, depth: usize, line: &str) {
    writeln!(text, "{}{line}", "  ".repeat(depth)).expect("a string takes any text");
}

fn names(graph: &Graph, nodes: &[NodeId]) -> String {
    let names: Vec<&str> = nodes
        .iter()
        .map(|&node| graph.nodes[node].name.as_str())
        .collect();
    names.join(", ")
}
