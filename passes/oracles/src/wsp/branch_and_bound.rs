//! The best partition along weight edges (P-wsp, Figure 11).
//!
//! A part of the search space fuses some weight edges and cuts others; what is not
//! decided may be fused. Its bound is what the blocks cost that are left if all of
//! that is fused, as costs are monotonic. Operations that cannot be together there
//! do not save anything together: those with a cut edge between their blocks, and
//! those that are apart, or have two operations between them that are. If the blocks
//! of the bound are legal, they are the best ones of the part.
//!
//! The heaviest edge in blocks that are not legal is decided next, and first fused.
//! The search begins with the better one of greedy fusion, and that after
//! unintrusive fusion. Unlike in the paper, it is not confined to what contains the
//! latter: a pendant weight edge of operations that are alone need not be one later,
//! so that this may lose the optimum.
//!
//! Cost: exponential in the weight edges; quadratic in the operations for every part.

use std::time::Instant;

use petgraph::unionfind::UnionFind;

use super::{
    Partition, Problem, blocks,
    partition::{greedy, unintrusive_then_greedy},
};
use comb_fusion::algorithms::is_over;

/// By weight edge: whether it is fused or cut, if that is decided.
type Decisions = Vec<Option<bool>>;

/// The best partition yet.
struct Search<'p> {
    problem: &'p Problem<'p>,
    /// The heaviest first.
    edges: Vec<(usize, usize)>,
    /// By pair of operations: whether no legal partition fuses them.
    separate: Vec<Vec<bool>>,
    best: Partition,
    cost: f64,
}

/// The best partition along weight edges, and whether that is proven in time.
pub(super) fn branch_and_bound(problem: &Problem, deadline: Option<Instant>) -> (Partition, bool) {
    let (one, other) = (
        greedy(problem, deadline),
        unintrusive_then_greedy(problem, deadline),
    );
    let first = match problem.cost(&one) <= problem.cost(&other) {
        true => one,
        false => other,
    };
    if is_over(deadline) {
        return (first, false);
    }
    let mut search = Search::new(problem, first);
    let mut waiting = vec![vec![None; search.edges.len()]];
    while let Some(decisions) = waiting.pop() {
        if is_over(deadline) {
            return (search.best, false);
        }
        if let Some(edge) = search.explore(&decisions) {
            for fuse in [false, true] {
                let mut next = decisions.clone();
                next[edge] = Some(fuse);
                waiting.push(next);
            }
        }
    }
    (search.best, true)
}

impl<'p> Search<'p> {
    fn new(problem: &'p Problem<'p>, best: Partition) -> Self {
        let separate = separate(problem);
        let mut edges: Vec<(usize, usize, f64)> = problem
            .edges
            .iter()
            .filter(|&&(one, other)| !separate[one][other])
            .map(|&(one, other)| (one, other, problem.saving(&[one], &[other])))
            .collect();
        edges.sort_by(|one, other| other.2.total_cmp(&one.2));
        Self {
            problem,
            edges: edges
                .into_iter()
                .map(|(one, other, _)| (one, other))
                .collect(),
            separate,
            cost: problem.cost(&best),
            best,
        }
    }

    /// Looks at a part of the search space: gives the edge to decide next, unless
    /// nothing better is in it.
    fn explore(&mut self, decisions: &Decisions) -> Option<usize> {
        let fused = self.partition(decisions, |_| false);
        let apart = self.blocks_apart(&fused, decisions);
        let are_apart = |one: usize, other: usize| apart[fused[one]][fused[other]];
        if (0..apart.len()).any(|block| apart[block][block]) {
            return None;
        }
        let most = self.partition(decisions, |(one, other)| !are_apart(one, other));
        let blocks = blocks(&most);
        let together = |one: usize, other: usize| !are_apart(one, other);
        let costs = blocks
            .iter()
            .map(|block| self.problem.least_cost(block, &together));
        if costs.sum::<f64>() >= self.cost {
            return None;
        }
        let mut broken = vec![false; most.len()];
        for block in &blocks {
            broken[most[block[0]]] = block
                .iter()
                .any(|&one| block.iter().any(|&other| are_apart(one, other)));
        }
        let is_any_broken = broken.contains(&true);
        if !is_any_broken && self.problem.is_acyclic(&most) {
            self.cost = self.problem.cost(&most);
            self.best = most;
            return None;
        }
        (0..self.edges.len()).find(|&number| {
            let (one, other) = self.edges[number];
            decisions[number].is_none()
                && fused[one] != fused[other]
                && !are_apart(one, other)
                && (!is_any_broken || broken[most[one]])
        })
    }

    /// The blocks of what is fused, and of the undecided edges of some kind.
    fn partition(
        &self,
        decisions: &Decisions,
        undecided: impl Fn((usize, usize)) -> bool,
    ) -> Partition {
        let mut parts = UnionFind::<usize>::new(self.problem.operations.len());
        for (&(one, other), decision) in self.edges.iter().zip(decisions) {
            if decision.unwrap_or_else(|| undecided((one, other))) {
                parts.union(one, other);
            }
        }
        parts.into_labeling()
    }

    /// By pair of blocks of a partition: whether they cannot be fused.
    fn blocks_apart(&self, partition: &[usize], decisions: &Decisions) -> Vec<Vec<bool>> {
        let count = partition.len();
        let mut apart = vec![vec![false; count]; count];
        for (one, row) in self.separate.iter().enumerate() {
            for (other, &separate) in row.iter().enumerate() {
                apart[partition[one]][partition[other]] |= separate;
            }
        }
        for (&(one, other), decision) in self.edges.iter().zip(decisions) {
            if *decision == Some(false) {
                let (one, other) = (partition[one], partition[other]);
                apart[one][other] = true;
                apart[other][one] = true;
            }
        }
        apart
    }
}

/// By pair of operations: whether they are apart, or two operations are that a block
/// with them would hold, as they are between them or these themselves.
fn separate(problem: &Problem) -> Vec<Vec<bool>> {
    let count = problem.operations.len();
    let mut reached: Vec<Vec<bool>> = (0..count)
        .map(|operation| (0..count).map(|other| other == operation).collect())
        .collect();
    for first in (0..count).rev() {
        for &second in &problem.later[first] {
            let beyond = reached[second].clone();
            for (is_reached, is_beyond) in reached[first].iter_mut().zip(beyond) {
                *is_reached |= is_beyond;
            }
        }
    }
    let mut separate = problem.apart.clone();
    for first in 0..count {
        for last in (first + 1..count).filter(|&last| reached[first][last]) {
            let between: Vec<usize> = (first..=last)
                .filter(|&other| reached[first][other] && reached[other][last])
                .collect();
            let found = between.iter().any(|&one| {
                let row = &problem.apart[one];
                between.iter().any(|&other| row[other])
            });
            separate[first][last] |= found;
            separate[last][first] |= found;
        }
    }
    separate
}
