//! The best clustering, by trying them all (P-wsp, Figure 11).
//!
//! Decisions are whether two nodes are fused directly, for every pair and level.
//! The paper begins with everything fused, which is seldom legal, and cuts; here,
//! what is fused is legal at all times, so that most of the paper's search space
//! does not exist, and a clustering is bounded by what its cuts cost. A pair is
//! first fused and then cut, depth first. Greedy clusterings are the first to
//! beat. The paper's preconditioner, unintrusive fusion, is left out: with orders,
//! what it fuses need not be in an optimal clustering.
//!
//! Cost: exponential; linear in the graph for every decision. At the deadline, the
//! least bound of what was left is a bound for all clusterings.

use std::time::Instant;

use super::{Outcome, bound::Bound, by_position, candidates, greedy};
use crate::{
    amount::Amount,
    contraction::{Checkpoint, Contraction},
    cost::Weights,
    evaluate::evaluate,
};

/// A part of the search space.
struct Branch {
    /// The state to begin with, and how many cuts there are in it.
    start: Checkpoint,
    cuts: usize,
    /// What is decided then: which decision, and whether to fuse.
    decision: Option<(usize, bool)>,
    /// No clustering in it costs less.
    bound: Amount,
}

struct Search<'g> {
    contraction: Contraction<'g>,
    weights: &'g Weights,
    bound: Bound<'g>,
    cuts: Vec<usize>,
    branches: Vec<Branch>,
    best: Outcome,
}

/// The best clustering that contains what is already fused, as far as time
/// permits.
pub(super) fn branch_and_bound(
    contraction: Contraction,
    weights: &Weights,
    deadline: Option<Instant>,
) -> Outcome {
    let graph = contraction.graph();
    if deadline.is_some() && candidates::are_many(graph) {
        return without_search(contraction, weights, deadline);
    }
    let mut search = Search {
        best: outcome(&contraction, weights),
        bound: Bound::new(graph, weights),
        weights,
        cuts: vec![],
        branches: vec![],
        contraction,
    };
    search.begin(deadline);
    while let Some(branch) = search.branches.pop() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            search.branches.push(branch);
            break;
        }
        search.explore(branch);
    }
    search.end()
}

/// Only the first clustering to beat, if there are too many decisions for a limited
/// time.
fn without_search(
    mut contraction: Contraction,
    weights: &Weights,
    deadline: Option<Instant>,
) -> Outcome {
    by_position::greedy(&mut contraction, weights, false, deadline);
    outcome(&contraction, weights)
}

fn outcome(contraction: &Contraction, weights: &Weights) -> Outcome {
    let clustering = contraction.finish();
    Outcome {
        cost: evaluate(contraction.graph(), &clustering, weights),
        clustering,
        bound: None,
        optimal: false,
    }
}

impl Search<'_> {
    fn begin(&mut self, deadline: Option<Instant>) {
        let start = self.contraction.checkpoint();
        greedy::greedy(&mut self.contraction, self.weights, deadline);
        self.keep_if_better();
        self.contraction.rewind(start);
        by_position::greedy(&mut self.contraction, self.weights, false, deadline);
        self.keep_if_better();
        self.contraction.rewind(start);
        let bound = self.bound.of(&self.contraction);
        self.branches.push(Branch {
            start,
            cuts: 0,
            decision: None,
            bound,
        });
    }

    fn keep_if_better(&mut self) {
        let found = outcome(&self.contraction, self.weights);
        if found.cost < self.best.cost {
            self.best = found;
        }
    }

    /// Whether no clustering of this bound can be better than the best one.
    fn is_useless(&self, bound: Amount) -> bool {
        bound >= self.best.cost
    }

    fn explore(&mut self, branch: Branch) {
        self.contraction.rewind(branch.start);
        for cut in self.cuts.drain(branch.cuts..) {
            self.bound.set_cut(cut, false);
        }
        if self.is_useless(branch.bound) || !self.decide(branch.decision) {
            return;
        }
        let bound = self.bound.of(&self.contraction);
        if self.is_useless(bound) {
            return;
        }
        let first = branch.decision.map_or(0, |(decision, _)| decision + 1);
        let next = (first..self.bound.decisions.len())
            .find(|&decision| !self.bound.decisions[decision].is_fused(&self.contraction));
        let Some(next) = next else {
            self.keep_if_better();
            return;
        };
        for fuse in [false, true] {
            self.branches.push(Branch {
                start: self.contraction.checkpoint(),
                cuts: self.cuts.len(),
                decision: Some((next, fuse)),
                bound,
            });
        }
    }

    /// Fuses or cuts. Gives whether that is possible.
    fn decide(&mut self, decision: Option<(usize, bool)>) -> bool {
        match decision {
            None => true,
            Some((number, false)) => {
                self.bound.set_cut(number, true);
                self.cuts.push(number);
                true
            }
            Some((number, true)) => {
                let decisions = &self.bound.decisions;
                decisions[number].fuse(&mut self.contraction)
                    && !self
                        .cuts
                        .iter()
                        .any(|&cut| decisions[cut].is_fused(&self.contraction))
            }
        }
    }

    fn end(self) -> Outcome {
        let open = self.branches.iter().map(|branch| branch.bound);
        let bound = open.fold(self.best.cost, Amount::min);
        Outcome {
            bound: Some(bound),
            optimal: self
                .branches
                .iter()
                .all(|branch| self.is_useless(branch.bound)),
            ..self.best
        }
    }
}
