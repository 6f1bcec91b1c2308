//! Algorithms that try every pair once, in the order of the program.
//!
//! * Top-down and bottom-up greedy fusion (P-gather, section 5): the uses from
//!   the top, or bottom, of the graph, then the reads that may be shared.
//! * Linear fusion (P-wsp, V.E): every combinator joins the cluster of the one
//!   before it, if that alone is possible.
//!
//! Cost: one fusion for each pair.

use std::time::Instant;

use super::{
    candidates::{self, Candidate, partners},
    is_over,
    savings::Savings,
};
use crate::{amount::Amount, contraction::Contraction, cost::Weights, graph::Graph};

/// Tries all pairs from the top, or bottom, of the graph, until the deadline.
pub(super) fn greedy(
    contraction: &mut Contraction,
    weights: &Weights,
    from_the_top: bool,
    deadline: Option<Instant>,
) {
    let graph = contraction.graph();
    let savings = Savings::new(graph, weights);
    let computes_again = computes_again(weights);
    for mut pairs in [
        candidates::fusible_uses(graph),
        candidates::shared_reads(graph, partners(graph), deadline),
    ] {
        if !from_the_top {
            pairs
                .sort_by_key(|candidate| std::cmp::Reverse((candidate.nodes.1, candidate.nodes.0)));
        }
        for candidate in pairs {
            if is_over(deadline) {
                return;
            }
            if !computes_again || pays(&savings, contraction, &candidate) {
                candidate.fuse(contraction);
            }
        }
    }
}

/// Whether fusions may cost something.
fn computes_again(weights: &Weights) -> bool {
    weights
        .recomputation
        .iter()
        .any(|prices| !prices.is_empty())
}

fn pays(savings: &Savings, contraction: &mut Contraction, candidate: &Candidate) -> bool {
    savings
        .of(contraction, candidate)
        .is_some_and(|fusion| fusion.saving >= Amount::ZERO)
}

/// Lets every combinator join the cluster before it, until the deadline.
pub(super) fn linear(contraction: &mut Contraction, weights: &Weights, deadline: Option<Instant>) {
    let graph = contraction.graph();
    let savings = Savings::new(graph, weights);
    let earlier = earlier_partners(graph, deadline);
    let mut last = None;
    for node in (0..graph.nodes.len()).filter(|&node| !graph.is_input(node)) {
        if let Some(last) = last {
            for candidate in &earlier[node] {
                if is_over(deadline) {
                    return;
                }
                let partner = candidate.nodes.0;
                if contraction.together(1, partner, last) && pays(&savings, contraction, candidate)
                {
                    fuse_alone(contraction, candidate);
                }
            }
        }
        last = Some(node);
    }
}

/// By node, the pairs with nodes before it.
fn earlier_partners(graph: &Graph, deadline: Option<Instant>) -> Vec<Vec<Candidate>> {
    let mut earlier = vec![vec![]; graph.nodes.len()];
    let uses = candidates::fusible_uses(graph);
    for candidate in
        uses.into_iter()
            .chain(candidates::shared_reads(graph, partners(graph), deadline))
    {
        earlier[candidate.nodes.1].push(candidate);
    }
    earlier
}

/// Fuses a pair if no third cluster has to be fused with them.
fn fuse_alone(contraction: &mut Contraction, candidate: &Candidate) {
    let (one, other) = candidate.nodes;
    let start = contraction.checkpoint();
    let sizes = contraction.size(1, one) + contraction.size(1, other);
    let together = contraction.together(1, one, other);
    candidate.fuse(contraction);
    if !together && contraction.size(1, one) > sizes {
        contraction.rewind(start);
    }
}
