//! The inference rules of P-gather (3.2 to 3.4), replayed on a flat clustering.
//!
//! [`legality`](crate::legality) decides by conditions on nodes and uses; this
//! module builds the proof that the paper asks for, and says where there is none.
//! The two know nothing of each other.
//!
//! Phases:
//!
//! 1. Every combinator becomes a cluster [I | O] (Table 1; module `notation`).
//! 2. The clusters of combinators that share a loop are merged two by two by the
//!    rules of Figure 2 (module `merge`); in every merge, HORIZONTAL, VERTICAL or
//!    DIAGONAL applies to at least one array. Any two may be merged between which
//!    nothing else has to run, for what was possible before is possible then.
//! 3. The clusters are put in sequence: outputs are computed forwards or
//!    backwards, arrays before what reads them, and other uses of a scatter's
//!    destination before the scatter (3.4).
//!
//! Inseparable uses, which the paper does not have, lie within clusters.
//!
//! What is fused away: an array that is no result and that is used in its cluster
//! and nowhere else. One that nobody uses is an output.
//!
//! Cost: cubic in the size of the clusters, for every merge.

use std::collections::BTreeMap;

use petgraph::{
    algo::{Cycle, toposort},
    graph::{DiGraph, NodeIndex},
};
use thiserror::Error;

use crate::{
    clustering::Clustering,
    graph::{FIRST_LABEL, Graph, NodeId, Order},
};

mod derivation;
mod merge;
mod notation;

pub use derivation::{ClusterDerivation, Derivation};
pub use merge::{Merge, Rule, Step};
pub use notation::{Access, Notation};

/// Why a clustering has no derivation.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named in the messages")]
pub enum RuleError {
    #[error("the rules are for graphs of one level, not {levels}")]
    NotFlat { levels: usize },
    #[error("the clustering does not have a cluster and an order for every node")]
    Shape,
    #[error("node {node} is computed elsewhere, but in one cluster with others")]
    Input { node: NodeId },
    #[error("Table 1: node {node} cannot have order {order}")]
    WrongOrder { node: NodeId, order: Order },
    #[error(
        "{rule} does not apply to array {array} in the merge of nodes {first:?} with nodes \
         {second:?}: {problem}"
    )]
    NoRule {
        rule: Rule,
        array: NodeId,
        first: Vec<NodeId>,
        second: Vec<NodeId>,
        problem: &'static str,
    },
    #[error(
        "neither HORIZONTAL, VERTICAL nor DIAGONAL applies to any array in a merge of nodes \
         {first:?} with other nodes of their cluster"
    )]
    NothingFused { first: Vec<NodeId> },
    #[error("array {array} is an output of its cluster in order {order}, that of a gather")]
    Incomplete { array: NodeId, order: Order },
    #[error("the cluster of nodes {nodes:?} has to come before itself")]
    Sequence { nodes: Vec<NodeId> },
    #[error("nodes {from} and {to} are in two clusters, though they are inseparable")]
    Separated { from: NodeId, to: NodeId },
    #[error("node {reader} uses what node {scatter} destroys, and is in its cluster")]
    NotUnique { reader: NodeId, scatter: NodeId },
}

/// Derives a clustering by the rules.
///
/// # Errors
///
/// If there is no derivation; where and why.
pub fn check(graph: &Graph, clustering: &Clustering) -> Result<Derivation, RuleError> {
    if graph.levels != 1 {
        let levels = graph.levels;
        return Err(RuleError::NotFlat { levels });
    }
    check_shape(graph, clustering)?;
    for (array_use, _) in graph.inseparable_uses() {
        let (from, to) = (array_use.from, array_use.to);
        if !clustering.together(1, from, to) {
            return Err(RuleError::Separated { from, to });
        }
    }
    let mut members: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for (node, &cluster) in clustering.clusters[0].iter().enumerate() {
        members.entry(cluster).or_default().push(node);
    }
    let mut derivations = BTreeMap::new();
    for (&cluster, nodes) in &members {
        if let Some(derivation) = derive(graph, clustering, nodes)? {
            derivations.insert(cluster, derivation);
        }
    }
    let sequence = sequence(graph, &clustering.clusters[0])?;
    let clusters = sequence
        .iter()
        .filter_map(|cluster| derivations.remove(cluster));
    Ok(Derivation {
        clusters: clusters.collect(),
    })
}

fn check_shape(graph: &Graph, clustering: &Clustering) -> Result<(), RuleError> {
    let count = graph.nodes.len();
    let orders = &clustering.orders;
    let is_shaped = clustering.clusters.len() == 1
        && clustering.clusters[0].len() == count
        && clustering.clusters[0]
            .iter()
            .all(|&cluster| cluster < count)
        && orders.len() == count
        && orders.iter().all(|orders| orders.len() == 1);
    match is_shaped {
        true => Ok(()),
        false => Err(RuleError::Shape),
    }
}

/// Derives one cluster; an input is none.
fn derive(
    graph: &Graph,
    clustering: &Clustering,
    nodes: &[NodeId],
) -> Result<Option<ClusterDerivation>, RuleError> {
    if let Some(&node) = nodes.iter().find(|&&node| graph.is_input(node)) {
        return match nodes.len() {
            1 => Ok(None),
            _ => Err(RuleError::Input { node }),
        };
    }
    let parts = nodes
        .iter()
        .map(|&node| Ok((vec![node], notation::of_node(graph, clustering, node)?)))
        .collect::<Result<_, _>>()?;
    let (merges, notation) = merge::all(graph, parts)?;
    for access in &notation.outputs {
        if let Some(order) = access.order.filter(|&order| order >= FIRST_LABEL) {
            let array = access.array;
            return Err(RuleError::Incomplete { array, order });
        }
    }
    Ok(Some(ClusterDerivation {
        nodes: nodes.to_vec(),
        merges,
        notation,
    }))
}

/// The clusters, and nodes that are none, in an order in which they can be run.
fn sequence(graph: &Graph, clusters: &[usize]) -> Result<Vec<usize>, RuleError> {
    for &(reader, scatter) in &graph.before {
        if clusters[reader] == clusters[scatter] {
            return Err(RuleError::NotUnique { reader, scatter });
        }
    }
    let uses = graph.uses.iter();
    let pairs = uses
        .map(|array_use| (array_use.from, array_use.to))
        .chain(graph.before.iter().copied())
        .map(|(from, to)| (clusters[from], clusters[to]))
        .filter(|(from, to)| from != to);
    let mut later: DiGraph<(), ()> = DiGraph::new();
    for _ in clusters {
        later.add_node(());
    }
    for (from, to) in pairs {
        later.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    let in_cycle = |cycle: Cycle<NodeIndex>| {
        let cluster = cycle.node_id().index();
        let nodes = (0..clusters.len()).filter(|&node| clusters[node] == cluster);
        RuleError::Sequence {
            nodes: nodes.collect(),
        }
    };
    let sequence = toposort(&later, None).map_err(in_cycle)?;
    Ok(sequence.into_iter().map(NodeIndex::index).collect())
}
