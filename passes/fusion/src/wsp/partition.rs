//! The algorithms of P-wsp, section V, on the problem itself.
//!
//! * `singleton`, `linear` (V.E), `greedy` (Figure 7).
//! * `unintrusive` (Figure 6): weight edges of which one end has no other are
//!   fused, if the non-fusible sets agree. These are the operations that must not
//!   share a block with one of the block's, and those that a path with such a
//!   pair leads to or comes from.
//! * `branch-and-bound` (Figure 11): the cost of fusing along all weight edges
//!   that are not cut bounds what is left, for costs are monotonic. It begins with
//!   greedy fusion; unintrusive fusion is not done before, for it may lose the
//!   optimum: a pendant weight edge of operations that are alone need not be one
//!   later.
//!
//! Cost: greedy is cubic in the operations, branch and bound exponential in the
//! weight edges.

use std::time::Instant;

use petgraph::unionfind::UnionFind;

use super::{Partition, Problem, blocks};
use crate::algorithms::Algorithm;

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
        Algorithm::Singleton => (alone(problem), false),
        Algorithm::Linear => (linear(problem), false),
        Algorithm::Unintrusive => (unintrusive(problem), false),
        Algorithm::Greedy => (greedy(problem), false),
        Algorithm::BranchAndBound => branch_and_bound(problem, deadline),
        Algorithm::GreedyTopDown | Algorithm::GreedyBottomUp => return None,
    };
    Some(Found {
        cost: problem.cost(&partition),
        partition,
        optimal,
    })
}

fn alone(problem: &Problem) -> Partition {
    (0..problem.operations.len()).collect()
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

/// A partition with two blocks fused; blocks are numbered by their first
/// operations.
fn fused(partition: &[usize], one: usize, other: usize) -> Partition {
    let keep = one.min(other);
    let gone = one.max(other);
    let number = |&block: &usize| if block == gone { keep } else { block };
    partition.iter().map(number).collect()
}

/// The pairs of blocks that may be fused and have a weight edge, with what fusing
/// them saves.
fn weight_edges(problem: &Problem, partition: &[usize]) -> Vec<(usize, usize, f64)> {
    let mut pairs: Vec<(usize, usize)> = problem
        .edges
        .iter()
        .map(|&(one, other)| (partition[one], partition[other]))
        .filter(|(one, other)| one != other)
        .map(|(one, other)| (one.min(other), one.max(other)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let cost = problem.cost(partition);
    let edges = pairs.into_iter().filter_map(|(one, other)| {
        let next = fused(partition, one, other);
        let saving = cost - problem.cost(&next);
        (saving > 0.0 && problem.is_legal(&next)).then_some((one, other, saving))
    });
    edges.collect()
}

pub(super) fn greedy(problem: &Problem) -> Partition {
    let mut partition = alone(problem);
    loop {
        let edges = weight_edges(problem, &partition);
        let mut best: Option<(usize, usize, f64)> = None;
        for edge in edges {
            if best.is_none_or(|best| edge.2 > best.2) {
                best = Some(edge);
            }
        }
        let Some((one, other, _)) = best else {
            return partition;
        };
        partition = fused(&partition, one, other);
    }
}

fn unintrusive(problem: &Problem) -> Partition {
    let mut partition = alone(problem);
    loop {
        let edges = weight_edges(problem, &partition);
        let apart = non_fusible_sets(problem, &partition);
        let degree = |block: usize| {
            let ends = edges
                .iter()
                .filter(|edge| edge.0 == block || edge.1 == block);
            ends.count()
        };
        let found = edges.iter().find(|&&(one, other, _)| {
            (degree(one) < 2 || degree(other) < 2) && apart[one] == apart[other]
        });
        let Some(&(one, other, _)) = found else {
            return partition;
        };
        partition = fused(&partition, one, other);
    }
}

/// By block: which operations cannot join it.
fn non_fusible_sets(problem: &Problem, partition: &[usize]) -> Vec<Vec<bool>> {
    let count = problem.operations.len();
    let mut sets = vec![vec![false; count]; count];
    let mut far = vec![vec![false; count]; count];
    let mut reached = far.clone();
    for first in (0..count).rev() {
        for &second in &problem.later[first] {
            reached[first][second] = true;
            for other in second + 1..count {
                let through = reached[second][other];
                reached[first][other] |= through;
                far[first][other] |=
                    far[second][other] || (through && problem.apart[first][second]);
            }
            far[first][second] |= problem.apart[first][second];
        }
    }
    for one in 0..count {
        for other in 0..count {
            let apart = problem.apart[one][other] || far[one][other] || far[other][one];
            sets[partition[one]][other] |= apart;
        }
    }
    sets
}

/// The best partition yet.
struct Search<'p> {
    problem: &'p Problem<'p>,
    best: Partition,
    cost: f64,
    complete: bool,
}

fn branch_and_bound(problem: &Problem, deadline: Option<Instant>) -> (Partition, bool) {
    let best = greedy(problem);
    let mut search = Search {
        cost: problem.cost(&best),
        best,
        problem,
        complete: true,
    };
    let mut waiting = vec![vec![]];
    while let Some(decisions) = waiting.pop() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            search.complete = false;
            break;
        }
        search.explore(decisions, &mut waiting);
    }
    (search.best, search.complete)
}

impl Search<'_> {
    /// Looks at the partitions in which the first weight edges are fused or cut
    /// as decided.
    fn explore(&mut self, decisions: Vec<bool>, waiting: &mut Vec<Vec<bool>>) {
        let decided = self.partition(&decisions, false);
        let edges = &self.problem.edges;
        let broken = decisions
            .iter()
            .zip(edges)
            .any(|(&fuse, &(one, other))| !fuse && decided[one] == decided[other]);
        if broken || self.holds_apart(&decided) {
            return;
        }
        let most = self.partition(&decisions, true);
        let cost = self.problem.cost(&most);
        if cost >= self.cost {
            return;
        }
        if self.problem.is_legal(&most) {
            self.best = most;
            self.cost = cost;
        } else if decisions.len() < edges.len() {
            for fuse in [false, true] {
                let mut next = decisions.clone();
                next.push(fuse);
                waiting.push(next);
            }
        }
    }

    /// The blocks of what is fused, and of what may be.
    fn partition(&self, decisions: &[bool], undecided: bool) -> Partition {
        let mut parts = UnionFind::<usize>::new(self.problem.operations.len());
        for (number, &(one, other)) in self.problem.edges.iter().enumerate() {
            if decisions.get(number).copied().unwrap_or(undecided) {
                parts.union(one, other);
            }
        }
        parts.into_labeling()
    }

    fn holds_apart(&self, partition: &[usize]) -> bool {
        let apart = |block: &Vec<usize>| {
            let mut pairs = block
                .iter()
                .flat_map(|one| block.iter().map(move |other| (one, other)));
            pairs.any(|(&one, &other)| self.problem.apart[one][other])
        };
        blocks(partition).iter().any(apart)
    }
}
