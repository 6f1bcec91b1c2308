//! The algorithms of P-wsp, section V, on the problem itself.
//!
//! * `singleton`, `linear` (V.E), `greedy` (Figure 7).
//! * `unintrusive` (Figure 6): weight edges of which one end has no other are
//!   fused, if the two blocks and the fused one have the same non-fusible set
//!   (Definition 18, Theorem 3). Dependences that follow from others are left out.
//! * `branch-and-bound` (Figure 11): module `branch_and_bound`.
//!
//! Cost: greedy and unintrusive fusion take a merge for every operation at most; for
//! each, they look at all weight edges and dependences.

use std::time::Instant;

use super::{
    Partition, Problem,
    branch_and_bound::branch_and_bound,
    state::{Dependences, State},
};
use comb_fusion::algorithms::{Algorithm, is_over};

/// What an algorithm gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The partition.
    pub partition: Partition,
    /// What it costs.
    pub cost: f64,
    /// Whether no partition along weight edges costs less.
    pub optimal: bool,
}

/// Runs an algorithm; nothing for those that belong to P-gather.
pub fn run(problem: &Problem, algorithm: Algorithm, deadline: Option<Instant>) -> Option<Found> {
    let (partition, optimal) = match algorithm {
        Algorithm::Singleton => ((0..problem.operations.len()).collect(), false),
        Algorithm::Linear => (linear(problem), false),
        Algorithm::Unintrusive => {
            let mut state = State::new(problem);
            unintrusive(&mut state, deadline);
            (state.partition().to_vec(), false)
        }
        Algorithm::Greedy => (greedy(problem, deadline), false),
        Algorithm::BranchAndBound => branch_and_bound(problem, deadline),
        Algorithm::GreedyTopDown | Algorithm::GreedyBottomUp => return None,
    };
    Some(Found {
        cost: problem.cost(&partition),
        partition,
        optimal,
    })
}

fn linear(problem: &Problem) -> Partition {
    let mut partition: Partition = vec![];
    let mut block = 0;
    for operation in 0..problem.operations.len() {
        let apart = |other: usize| partition[other] == block && problem.apart[other][operation];
        if (0..operation).any(apart) {
            block += 1;
        }
        partition.push(block);
    }
    partition
}

/// Always fuses what saves most.
pub(super) fn greedy(problem: &Problem, deadline: Option<Instant>) -> Partition {
    let mut state = State::new(problem);
    fuse_greedily(&mut state, deadline);
    state.partition().to_vec()
}

/// The same, after unintrusive fusion.
pub(super) fn unintrusive_then_greedy(problem: &Problem, deadline: Option<Instant>) -> Partition {
    let mut state = State::new(problem);
    unintrusive(&mut state, deadline);
    fuse_greedily(&mut state, deadline);
    state.partition().to_vec()
}

fn fuse_greedily(state: &mut State, deadline: Option<Instant>) {
    while !is_over(deadline) {
        let mut best: Option<(usize, usize, f64)> = None;
        for edge in state.weight_edges(&state.dependences()) {
            if best.is_none_or(|best| edge.2 > best.2) {
                best = Some(edge);
            }
        }
        let Some((one, other, _)) = best else { return };
        state.merge(one, other);
    }
}

fn unintrusive(state: &mut State, deadline: Option<Instant>) {
    while !is_over(deadline) {
        let dependences = state.dependences();
        let edges = state.weight_edges(&dependences);
        let sets = non_fusible_sets(state, &dependences);
        let degree = |block: usize| {
            let ends = edges
                .iter()
                .filter(|edge| edge.0 == block || edge.1 == block);
            ends.count()
        };
        let found = edges.iter().find(|&&(one, other, _)| {
            !is_over(deadline)
                && (degree(one) < 2 || degree(other) < 2)
                && keeps_non_fusible_sets(state, &sets, (one, other))
        });
        let Some(&(one, other, _)) = found else {
            return;
        };
        state.merge(one, other);
    }
}

/// Whether two blocks, and the block of both, cannot be fused with the same other
/// blocks (Theorem 3, condition 1).
fn keeps_non_fusible_sets(state: &State, sets: &[Vec<bool>], (one, other): (usize, usize)) -> bool {
    let agree = |first: &[bool], second: &[bool]| {
        let mut pairs = first.iter().zip(second).enumerate();
        pairs.all(|(block, (first, second))| first == second || block == one || block == other)
    };
    agree(&sets[one], &sets[other]) && {
        let mut next = state.clone();
        next.merge(one, other);
        let both = &non_fusible_sets(&next, &next.dependences())[one.min(other)];
        agree(&sets[one], both)
    }
}

/// By block: the blocks to or from which a path leads that holds two neighbours that
/// must not share a block (Definition 18).
fn non_fusible_sets(state: &State, dependences: &Dependences) -> Vec<Vec<bool>> {
    let count = dependences.order.len();
    let mut far = vec![vec![false; count]; count];
    for &first in dependences.order.iter().rev() {
        for &next in &dependences.direct[first] {
            let (beyond, itself) = match state.are_apart(first, next) {
                true => (&dependences.reached[next], true),
                false => (&far[next], false),
            };
            let mut beyond = beyond.clone();
            beyond[next] |= itself;
            for (is_far, is_beyond) in far[first].iter_mut().zip(beyond) {
                *is_far |= is_beyond;
            }
        }
    }
    (0..count)
        .map(|one| {
            (0..count)
                .map(|other| far[one][other] || far[other][one])
                .collect()
        })
        .collect()
}
