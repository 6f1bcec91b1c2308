//! Answers that are not proven: what a heuristic's clustering, or a fractional
//! solution, says of a block.

use std::time::{Duration, Instant};

use super::{clock::Clock, linear::Column, model::BlockModel, windows};
use crate::{
    algorithms::{Algorithm, run},
    amount::Amount,
    clustering::Clustering,
    contraction::Contraction,
    cost::Weights,
    evaluate::evaluate,
    graph::{BACKWARDS, Graph, UseId},
    legality,
    limits::Limits,
};

/// Pairs whose value is farther from being fused are not tried.
const UNLIKELY: f64 = 0.99;

/// How far from a whole number a whole column may be.
pub(crate) const WHOLE: f64 = 1e-6;

/// Whether a value is a whole number, as far as the linear program is exact.
pub(crate) fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() <= WHOLE
}

/// What is known before anything is proven.
#[derive(Clone)]
pub(crate) struct Known {
    /// A clustering; the best that was found.
    pub clustering: Clustering,
    /// Whether it is legal and keeps the limits.
    pub usable: bool,
    /// What it costs.
    pub cost: Amount,
    /// How long it takes to check a clustering and to find out what it costs.
    pub checking: Duration,
}

impl Known {
    /// A quick heuristic's answer.
    pub fn quick(graph: &Graph, weights: &Weights, limits: &Limits, clock: Clock) -> Self {
        let known = |algorithm| Self::by(graph, weights, limits, algorithm, clock);
        let mut best = known(Algorithm::GreedyBottomUp);
        if !best.usable {
            best.replace_by(known(Algorithm::Singleton));
        }
        best
    }

    fn by(
        graph: &Graph,
        weights: &Weights,
        limits: &Limits,
        algorithm: Algorithm,
        clock: Clock,
    ) -> Self {
        let clustering = run(graph, weights, algorithm, clock.deadline).clustering;
        let start = Instant::now();
        Self {
            usable: legality::check(graph, &clustering).is_ok() && limits.hold(graph, &clustering),
            cost: evaluate(graph, &clustering, weights),
            checking: start.elapsed().mul_f64(WITH_NUMBERING),
            clustering,
        }
    }

    /// This, or the best of the other heuristics' answers that fit in the time, the
    /// quickest first. One that does not fit gives what it has done.
    pub fn or_better(
        &self,
        graph: &Graph,
        weights: &Weights,
        limits: &Limits,
        clock: Clock,
    ) -> Self {
        let mut best = self.clone();
        for &(algorithm, part) in HEURISTICS {
            let clock = clock.earlier(best.checking).for_part(part);
            if clock.is_over() {
                break;
            }
            best.replace_by(Self::by(graph, weights, limits, algorithm, clock));
        }
        best
    }

    /// The same, improved as far as there is time.
    pub fn improved(&self, graph: &Graph, weights: &Weights, clock: Clock) -> Self {
        let (clustering, cost) = windows::improved(graph, weights, &self.clustering, clock);
        Self {
            clustering,
            cost,
            usable: self.usable,
            checking: self.checking,
        }
    }

    /// Takes the other one if it is better.
    fn replace_by(&mut self, other: Self) {
        let checking = self.checking.max(other.checking);
        let is_better = match (other.usable, self.usable) {
            (true, true) => other.cost < self.cost,
            (usable, _) => usable,
        };
        if is_better {
            *self = other;
        }
        self.checking = checking;
    }
}

/// To check a clustering, to evaluate and to number it takes about so many times as long
/// as without numbering.
const WITH_NUMBERING: f64 = 1.4;

/// How often a clustering is checked after the search.
pub(crate) const TIMES_CHECKED: u32 = 3;

/// The other heuristics, the quickest first, each with the part of the time that it may
/// take. The last is seldom better, and slow.
const HEURISTICS: &[(Algorithm, f64)] = &[
    (Algorithm::GreedyTopDown, 1.0),
    (Algorithm::Linear, 1.0),
    (Algorithm::Greedy, 1.0),
    (Algorithm::Unintrusive, 0.1),
];

/// The whole columns of a block as a clustering has them.
pub(crate) fn whole_values(model: &BlockModel, clustering: &Clustering) -> Vec<(Column, bool)> {
    let mut values = vec![];
    for (pair, level, column) in model.fused_columns() {
        let pair = &model.presolved.pairs[pair];
        values.push((column, !clustering.together(level, pair.from, pair.to)));
    }
    for (sharing, level, column) in model.together_columns() {
        let (one, other) = model.presolved.sharing[sharing].nodes;
        values.push((column, clustering.together(level, one, other)));
    }
    for (node, label, column) in model.label_columns() {
        let first = *model.presolved.orders.covered[&label].start();
        values.push((column, clustering.orders[node][first - 1] == label));
    }
    for (node, level, column) in model.reversed_columns() {
        values.push((column, clustering.orders[node][level - 1] == BACKWARDS));
    }
    values
}

/// Fuses what a fractional solution fuses, the most certain first, as long as
/// that is legal.
pub(crate) fn rounded(model: &BlockModel, values: &[f64], clock: Clock) -> Clustering {
    let mut candidates: Vec<(f64, usize, Candidate)> = vec![];
    for (pair, level, column) in model.fused_columns() {
        let pair = Candidate::Pair(pair);
        candidates.push((values[column], level, pair));
    }
    for (one, other, level, column) in model.same_columns() {
        let shared = Candidate::Shared(one, other);
        candidates.push((1.0 - values[column], level, shared));
    }
    candidates.retain(|&(distance, ..)| distance < UNLIKELY);
    candidates.sort_by(|one, other| {
        one.0
            .total_cmp(&other.0)
            .then_with(|| (one.1, &one.2).cmp(&(other.1, &other.2)))
    });
    let mut contraction = Contraction::new(model.graph);
    for &(one, other) in &model.graph.forced {
        contraction.try_fuse(one, other, 1);
    }
    for (_, level, candidate) in candidates {
        if clock.is_over() {
            break;
        }
        match candidate {
            Candidate::Pair(pair) => {
                let pair = &model.presolved.pairs[pair];
                contraction.try_fuse(pair.from, pair.to, level);
            }
            Candidate::Shared(one, other) => {
                contraction.try_share(one, other, level);
            }
        }
    }
    contraction.finish()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Candidate {
    Pair(usize),
    Shared(UseId, UseId),
}
