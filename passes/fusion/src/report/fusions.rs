//! The fusions of an answer, and what each gains.
//!
//! A pair is listed for each use inside a cluster, and for each read of a cluster
//! that several share: every reader with the first. Inseparable uses are left out,
//! since nobody decides about them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{NodeName, most_questions};
use crate::{
    amount::Amount,
    clustering::Clustering,
    connections::read_class,
    cost::Weights,
    exact::{Apart, SolveOptions, costs_apart},
    graph::{Graph, NodeId, UseId},
    method::Answer,
};

/// How two combinators are fused (P-gather, 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FusionKind {
    /// A producer into its only consumer.
    Vertical,
    /// A producer into a consumer, while the array is stored or used elsewhere.
    Diagonal,
    /// Two that share a read.
    Horizontal,
}

/// What a fusion gains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gain {
    /// Without it, the best answer costs so much more.
    Exactly(Amount),
    /// Without it, the best answer costs at least so much more.
    AtLeast(Amount),
    /// The reads and writes that it saves by itself cost so much.
    Local(Amount),
    /// There is no answer without it.
    Everything,
}

/// A fusion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fusion {
    /// How.
    pub kind: FusionKind,
    /// The producer, or the first reader.
    pub first: NodeName,
    /// The consumer, or the other reader.
    pub second: NodeName,
    /// The array that is not read again.
    pub array: NodeName,
    /// The number of loops that the two share over it.
    pub level: usize,
    /// What it gains.
    pub gain: Gain,
}

/// A fusion before anything is known of its gain.
struct Found {
    kind: FusionKind,
    nodes: (NodeId, NodeId),
    array: NodeId,
    level: usize,
    local: Amount,
}

/// All fusions.
pub(super) fn fusions(
    graph: &Graph,
    weights: &Weights,
    answer: &Answer,
    options: &SolveOptions,
) -> Vec<Fusion> {
    let clustering = &answer.clustering;
    let mut found = fused_uses(graph, weights, clustering);
    found.extend(shared_reads(graph, weights, clustering));
    let gains = gains(graph, weights, answer, options, &found);
    found
        .into_iter()
        .zip(gains)
        .map(|(found, gain)| Fusion {
            kind: found.kind,
            first: NodeName::of(graph, found.nodes.0),
            second: NodeName::of(graph, found.nodes.1),
            array: NodeName::of(graph, found.array),
            level: found.level,
            gain,
        })
        .collect()
}

/// Asks the model if the answer is proven and the graph is not too large.
fn gains(
    graph: &Graph,
    weights: &Weights,
    answer: &Answer,
    options: &SolveOptions,
    found: &[Found],
) -> Vec<Gain> {
    let asked = match answer.optimal {
        true => found.len().min(most_questions(graph)),
        false => 0,
    };
    let pairs: Vec<(NodeId, NodeId)> = found[..asked]
        .iter()
        .map(|found| {
            let (one, other) = found.nodes;
            (one.min(other), one.max(other))
        })
        .collect();
    let apart = costs_apart(graph, weights, &answer.clustering, options, &pairs);
    let known = apart.into_iter().map(|apart| match apart {
        Apart::Impossible => Gain::Everything,
        Apart::Costs { more, exact: true } => Gain::Exactly(more),
        Apart::Costs { more, exact: false } => Gain::AtLeast(more),
    });
    let local = found[asked..].iter().map(|found| Gain::Local(found.local));
    known.chain(local).collect()
}

/// One for each producer and consumer.
fn fused_uses(graph: &Graph, weights: &Weights, clustering: &Clustering) -> Vec<Found> {
    let mut levels: BTreeMap<(NodeId, NodeId), usize> = BTreeMap::new();
    for array_use in graph.uses.iter().filter(|found| !found.inseparable) {
        let (from, to) = (array_use.from, array_use.to);
        let shared = (1..=graph.levels).take_while(|&level| clustering.together(level, from, to));
        let level = shared.count();
        if level > 0 {
            let known = levels.entry((from, to)).or_default();
            *known = level.max(*known);
        }
    }
    levels
        .into_iter()
        .map(|((from, to), level)| {
            let mut readers = graph.uses_of(from).iter().map(|&id| graph.uses[id].to);
            let only = !graph.nodes[from].result && readers.all(|reader| reader == to);
            let saved = 0..level.min(weights.reads[from].len());
            let reads: Amount = saved.clone().map(|level| weights.reads[from][level]).sum();
            let writes = saved.filter(|&level| clustering.is_contracted(graph, level + 1, from));
            let writes: Amount = writes.map(|level| weights.writes[from][level]).sum();
            Found {
                kind: match only {
                    true => FusionKind::Vertical,
                    false => FusionKind::Diagonal,
                },
                nodes: (from, to),
                array: from,
                level,
                local: reads + writes,
            }
        })
        .collect()
}

/// One for each reader but the first of a read that is shared.
fn shared_reads(graph: &Graph, weights: &Weights, clustering: &Clustering) -> Vec<Found> {
    let mut found = vec![];
    for array in 0..graph.nodes.len() {
        let mut first_readers: BTreeMap<_, UseId> = BTreeMap::new();
        let mut paired = vec![];
        for &id in graph.uses_of(array) {
            let reader = graph.uses[id].to;
            if !is_read(graph, clustering, id, 1) {
                continue;
            }
            let class = read_class(graph, clustering, id, 1);
            let key = (clustering.clusters[0][reader], class);
            let first = *first_readers.entry(key).or_insert(id);
            let nodes = (graph.uses[first].to, reader);
            if nodes.0 == nodes.1 || paired.contains(&nodes) {
                continue;
            }
            paired.push(nodes);
            let shared = (1..=graph.levels)
                .take_while(|&level| is_shared(graph, clustering, (first, id), level));
            let level = shared.count();
            found.push(Found {
                kind: FusionKind::Horizontal,
                nodes,
                array,
                level,
                local: weights.reads[array][..level].iter().sum(),
            });
        }
    }
    found
}

/// Whether a use reads an array from outside of its cluster, in a known order.
fn is_read(graph: &Graph, clustering: &Clustering, id: UseId, level: usize) -> bool {
    let array_use = &graph.uses[id];
    graph.ordered_levels(array_use) >= level
        && graph.nodes[array_use.to].depth >= level
        && !clustering.together(level, array_use.from, array_use.to)
}

/// Whether two uses are one read at a level, if they are at those outside of it.
fn is_shared(
    graph: &Graph,
    clustering: &Clustering,
    (one, other): (UseId, UseId),
    level: usize,
) -> bool {
    let readers = (graph.uses[one].to, graph.uses[other].to);
    [one, other]
        .into_iter()
        .all(|id| is_read(graph, clustering, id, level))
        && clustering.together(level, readers.0, readers.1)
        && read_class(graph, clustering, one, level) == read_class(graph, clustering, other, level)
}
