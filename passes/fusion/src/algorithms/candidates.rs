//! The pairs of nodes that may be fused directly: by a use between them, or by an
//! array that both read.
//!
//! Cost: linear in the uses, for the readers of one array that are paired with
//! each other are limited.

use std::{collections::BTreeSet, time::Instant};

use super::is_over;
use crate::{
    connections::ordered_uses,
    contraction::Contraction,
    cost::Connection,
    graph::{Graph, NodeId, Use, UseId},
};

/// Heuristics pair a read with so many other reads of the same array at most.
const MOST_PARTNERS: usize = 32;

/// They look at so many pairs of reads of one array, or at one for each read.
const MOST_SHARED: usize = 500_000;

/// With how many other reads of the same array heuristics pair a read.
pub fn partners(graph: &Graph) -> usize {
    let pairs = |partners: usize| {
        let readers = (0..graph.nodes.len()).map(|array| graph.uses_of(array).len());
        readers
            .map(|readers| readers * partners.min(readers))
            .sum::<usize>()
    };
    let fits = |&partners: &usize| pairs(partners) <= MOST_SHARED;
    (1..=MOST_PARTNERS).rev().find(fits).unwrap_or(1)
}

/// Whether there are more pairs of reads of one array than heuristics look at.
pub fn are_many(graph: &Graph) -> bool {
    let readers = (0..graph.nodes.len()).map(|array| graph.uses_of(array).len());
    let pairs = readers.map(|readers| readers * readers.saturating_sub(1) / 2);
    pairs.sum::<usize>() > MOST_SHARED
}

/// A pair of nodes that may be fused directly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// What they have in common.
    pub connection: Connection,
    /// The nodes, the lesser number first.
    pub nodes: (NodeId, NodeId),
    /// In how many levels they may be fused.
    pub levels: usize,
}

impl Candidate {
    /// Fuses the pair in as many levels as possible. Gives how many these are;
    /// at 0, nothing has changed.
    pub fn fuse(&self, contraction: &mut Contraction) -> usize {
        let (one, other) = self.nodes;
        (1..=self.levels)
            .rev()
            .find(|&level| match self.connection {
                Connection::Fused(_) => contraction.try_fuse(one, other, level),
                Connection::Shared(one, other) => contraction.try_share(one, other, level),
            })
            .unwrap_or(0)
    }

    /// Whether nothing is left to fuse.
    pub fn is_fused(&self, contraction: &Contraction) -> bool {
        let alike = match self.connection {
            Connection::Fused(_) => true,
            Connection::Shared(one, other) => contraction.read_alike(one, other, self.levels),
        };
        alike && contraction.together(self.levels, self.nodes.0, self.nodes.1)
    }
}

/// The uses that may be fused, by producer and then reader.
pub fn fusible_uses(graph: &Graph) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = graph
        .uses
        .iter()
        .enumerate()
        .map(|(id, array_use)| Candidate {
            connection: Connection::Fused(id),
            nodes: (array_use.from, array_use.to),
            levels: graph.fusible_levels(array_use),
        })
        .filter(|candidate| candidate.levels > 0)
        .collect();
    candidates.sort_by_key(|candidate| candidate.nodes);
    candidates
}

/// The reads that may be shared, by nodes; each with so many others at most. At the
/// deadline, those that were found.
pub fn shared_reads(
    graph: &Graph,
    most_partners: usize,
    deadline: Option<Instant>,
) -> Vec<Candidate> {
    let mut candidates = vec![];
    for array in 0..graph.nodes.len() {
        if is_over(deadline) {
            break;
        }
        let uses = ordered_uses(graph, array, 1);
        for (position, &one) in uses.iter().enumerate() {
            let partners = uses[position + 1..].iter().take(most_partners);
            candidates.extend(partners.filter_map(|&other| shared_read(graph, one, other)));
        }
    }
    candidates.sort_by_key(|candidate| candidate.nodes);
    candidates
}

fn shared_read(graph: &Graph, one: UseId, other: UseId) -> Option<Candidate> {
    let readers = [&graph.uses[one], &graph.uses[other]];
    let (first, second) = (readers[0].to, readers[1].to);
    let levels = readers
        .iter()
        .map(|array_use| {
            let depth = graph.nodes[array_use.to].depth;
            graph.ordered_levels(array_use).min(depth)
        })
        .min()
        .unwrap_or(0);
    (first != second).then_some(Candidate {
        connection: Connection::Shared(one, other),
        nodes: (first.min(second), first.max(second)),
        levels,
    })
}

/// Whether fusing two candidates is the same: of two readers, which share inputs that both read in one way.
fn are_equal(graph: &Graph, one: &Candidate, other: &Candidate) -> bool {
    let reads = |candidate: &Candidate| match candidate.connection {
        Connection::Shared(first, second) => Some([first, second].map(|id| &graph.uses[id])),
        Connection::Fused(_) => None,
    };
    let (Some(reads), Some(others)) = (reads(one), reads(other)) else {
        return false;
    };
    let are_alike = |(one, other): (&Use, &Use)| {
        let is_plain = |read: &Use| {
            graph.is_input(read.from) && read.label.is_none() && read.stencil.is_none()
        };
        is_plain(one)
            && is_plain(other)
            && one.to == other.to
            && (one.prefix, one.scan) == (other.prefix, other.scan)
    };
    one.nodes == other.nodes
        && one.levels == other.levels
        && reads.into_iter().zip(others).all(are_alike)
}

/// All candidates of a graph.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The pairs, by nodes.
    pub pairs: Vec<Candidate>,
    /// By node, the numbers of its pairs.
    pairs_of: Vec<Vec<usize>>,
}

impl Candidates {
    /// The candidates of a graph, for heuristics; at the deadline, those that were
    /// found.
    pub fn new(graph: &Graph, deadline: Option<Instant>) -> Self {
        let mut pairs = fusible_uses(graph);
        pairs.extend(shared_reads(graph, partners(graph), deadline));
        pairs.sort_by_key(|candidate| candidate.nodes);
        pairs.dedup_by(|other, one| are_equal(graph, one, other));
        let mut pairs_of = vec![vec![]; graph.nodes.len()];
        for (number, pair) in pairs.iter().enumerate() {
            for node in [pair.nodes.0, pair.nodes.1] {
                pairs_of[node].push(number);
            }
        }
        Self { pairs, pairs_of }
    }

    /// The pairs of nodes, and of the arrays that they read.
    pub fn concerned(&self, graph: &Graph, nodes: &BTreeSet<NodeId>) -> BTreeSet<usize> {
        let mut accessed = nodes.clone();
        for &node in nodes {
            let read = graph.uses_by(node).iter();
            accessed.extend(read.map(|&array_use| graph.uses[array_use].from));
        }
        let pairs = accessed.iter().flat_map(|&node| &self.pairs_of[node]);
        pairs.copied().collect()
    }
}
