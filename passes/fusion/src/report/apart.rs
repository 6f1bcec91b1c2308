//! Ops that are no combinators: they give an array of which combinators read
//! elements, and take one from a combinator, so that the two are never in one loop.

use serde::Serialize;

use super::{NodeName, words::list};
use crate::graph::{Graph, Kind, NodeId};

/// An op that keeps combinators apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeptApart {
    /// The op.
    pub by: NodeName,
    /// The combinators whose arrays it takes.
    pub first: Vec<NodeName>,
    /// The combinators that read what it gives.
    pub second: Vec<NodeName>,
    /// That in a sentence without its point.
    pub sentence: String,
}

/// All ops that keep combinators apart.
pub(super) fn apart(graph: &Graph) -> Vec<KeptApart> {
    let nodes = 0..graph.nodes.len();
    nodes.filter_map(|node| kept_apart(graph, node)).collect()
}

fn kept_apart(graph: &Graph, node: NodeId) -> Option<KeptApart> {
    if graph.nodes[node].kind != Kind::External {
        return None;
    }
    let given = graph.uses_by(node).iter().map(|&id| graph.uses[id].from);
    let given_arrays = std::iter::once(node).chain(parts(graph, node));
    let read = given_arrays.flat_map(|array| graph.uses_of(array));
    let read = read.map(|&id| graph.uses[id].to);
    let (first, second) = (combinators(graph, given), combinators(graph, read));
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let by = NodeName::of(graph, node);
    let names = |nodes: &[NodeName]| list(nodes.iter().map(|node| node.name.as_str()));
    let op = by
        .op
        .as_ref()
        .map_or_else(String::new, |op| format!(" ('{op}')"));
    let sentence = format!(
        "{}{op} is never fused, and keeps {} apart from {}",
        by.name,
        names(&first),
        names(&second)
    );
    Some(KeptApart {
        by,
        first,
        second,
        sentence,
    })
}

/// The nodes of an op's arrays, if it gives several.
fn parts(graph: &Graph, node: NodeId) -> impl Iterator<Item = NodeId> {
    let later = graph.before.iter().filter(move |pair| pair.0 == node);
    later
        .map(|pair| pair.1)
        .filter(|&part| graph.nodes[part].kind == Kind::External && graph.uses_by(part).is_empty())
}

/// Those of some nodes that are combinators, each once.
fn combinators(graph: &Graph, nodes: impl Iterator<Item = NodeId>) -> Vec<NodeName> {
    let mut nodes: Vec<NodeId> = nodes
        .filter(|&node| !matches!(graph.nodes[node].kind, Kind::External | Kind::Input))
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
        .into_iter()
        .map(|node| NodeName::of(graph, node))
        .collect()
}
