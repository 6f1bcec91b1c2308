//! Fusions that forbid no other (P-wsp, Figure 6).
//!
//! Two clusters are fused if
//!
//! * that saves something, and no third cluster has to be fused with them,
//! * one of the two has no other such partner,
//! * both have the same non-fusible sets (Definition 18): the clusters that they
//!   are connected with by a path of dependences of which one cannot be fused,
//! * and no order is decided that was free, which the paper does not know of.
//!
//! Cost: for every fusion, O(E V / 64) for the non-fusible sets, and the savings
//! of the pairs that it concerns.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use petgraph::{
    Direction,
    algo::toposort,
    graph::{DiGraph, NodeIndex},
};

use super::{candidates::Candidates, is_over, savings::Savings};
use crate::{
    amount::Amount,
    contraction::Contraction,
    cost::Weights,
    graph::{Graph, NodeId},
};

/// Fuses what forbids nothing else, until the deadline.
pub(super) fn unintrusive(
    contraction: &mut Contraction,
    weights: &Weights,
    deadline: Option<Instant>,
) {
    let graph = contraction.graph();
    let savings = Savings::new(graph, weights);
    let candidates = Candidates::new(graph, deadline);
    let mut edges = BTreeSet::new();
    let mut concerned: BTreeSet<usize> = (0..candidates.pairs.len()).collect();
    loop {
        for pair in concerned {
            if is_over(deadline) {
                return;
            }
            edges.remove(&pair);
            let fusion = savings.of(contraction, &candidates.pairs[pair]);
            if fusion
                .is_some_and(|fusion| fusion.saving > Amount::ZERO && fusion.fewer_clusters == 1)
            {
                edges.insert(pair);
            }
        }
        if is_over(deadline) {
            return;
        }
        let found = find_candidate(contraction, &savings, &candidates, &edges);
        let Some((pair, nodes)) = found else {
            return;
        };
        candidates.pairs[pair].fuse(contraction);
        concerned = candidates.concerned(graph, &nodes);
        concerned.insert(pair);
    }
}

/// The first edge whose clusters may be fused, and the nodes that this changes.
fn find_candidate(
    contraction: &mut Contraction,
    savings: &Savings,
    candidates: &Candidates,
    edges: &BTreeSet<usize>,
) -> Option<(usize, BTreeSet<NodeId>)> {
    let ends = |contraction: &Contraction, pair: usize| {
        let (one, other) = candidates.pairs[pair].nodes;
        (contraction.cluster(1, one), contraction.cluster(1, other))
    };
    let mut partners: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &pair in edges {
        let (one, other) = ends(contraction, pair);
        partners.entry(one).or_default().insert(other);
        partners.entry(other).or_default().insert(one);
    }
    let apart = non_fusible_sets(contraction);
    edges.iter().find_map(|&pair| {
        let (one, other) = ends(contraction, pair);
        let pendant = partners[&one].len() < 2 || partners[&other].len() < 2;
        if one == other || !pendant || apart[one] != apart[other] {
            return None;
        }
        let fusion = savings.of(contraction, &candidates.pairs[pair])?;
        (!fusion.orders && fusion.fewer_clusters == 1).then_some((pair, fusion.nodes))
    })
}

/// A set of clusters, as bits.
type Bits = Vec<u64>;

fn add(bits: &mut [u64], others: &[u64]) {
    for (bits, others) in bits.iter_mut().zip(others) {
        *bits |= others;
    }
}

/// By cluster: those that a path with a dependence that cannot be fused leads to
/// or comes from.
fn non_fusible_sets(contraction: &Contraction) -> Vec<Bits> {
    let graph = contraction.graph();
    let quotient = quotient(contraction, graph);
    let order = toposort(&quotient, None).unwrap_or_default();
    let mut below = far_sets(&quotient, order.iter().rev(), Direction::Outgoing);
    let above = far_sets(&quotient, order.iter(), Direction::Incoming);
    for (below, above) in below.iter_mut().zip(&above) {
        add(below, above);
    }
    below
}

/// The clusters of the outermost level; edges say whether they can be fused.
fn quotient(contraction: &Contraction, graph: &Graph) -> DiGraph<(), bool> {
    let mut quotient = DiGraph::new();
    for _ in 0..graph.nodes.len() {
        quotient.add_node(());
    }
    let uses = graph.uses.iter().map(|array_use| {
        let fusible = graph.fusible_levels(array_use) > 0;
        (array_use.from, array_use.to, fusible)
    });
    let before = graph.before.iter().map(|&(one, other)| (one, other, false));
    for (from, to, fusible) in uses.chain(before) {
        let (from, to) = (contraction.cluster(1, from), contraction.cluster(1, to));
        if from != to {
            quotient.add_edge(NodeIndex::new(from), NodeIndex::new(to), fusible);
        }
    }
    quotient
}

/// The clusters that a path in one direction leads to, one of whose edges cannot
/// be fused.
fn far_sets<'a>(
    quotient: &DiGraph<(), bool>,
    order: impl Iterator<Item = &'a NodeIndex>,
    direction: Direction,
) -> Vec<Bits> {
    use petgraph::visit::EdgeRef;
    let words = quotient.node_count().div_ceil(64);
    let mut reached = vec![vec![0; words]; quotient.node_count()];
    let mut far = reached.clone();
    for &node in order {
        let (mut all, mut apart) = (vec![0; words], vec![0; words]);
        for edge in quotient.edges_directed(node, direction) {
            let next = match direction {
                Direction::Outgoing => edge.target().index(),
                Direction::Incoming => edge.source().index(),
            };
            add(&mut all, &reached[next]);
            add(
                &mut apart,
                if *edge.weight() {
                    &far[next]
                } else {
                    &reached[next]
                },
            );
        }
        far[node.index()] = apart;
        all[node.index() / 64] |= 1 << (node.index() % 64);
        reached[node.index()] = all;
    }
    far
}
