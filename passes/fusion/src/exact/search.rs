//! Branch and cut over one block.
//!
//! Best first, but each node is followed by one of its children as long as that
//! is not cut off (plunging). A node's linear program is solved from the basis of
//! the one before; constraints that its solution breaks are added until there are
//! none. Branching: the candidate whose children's bounds rise most, by trying
//! (strong branching) until a column has been tried often enough, then by what
//! it gave before (pseudo-costs).
//!
//! All decisions are made with whole numbers, in [steps](super::objective): what an
//! answer costs is evaluated by definition, a bound is proven by a
//! [certificate](super::certificate). What the linear program's floating-point numbers
//! say decides only where to look first; where they say too little, the solution that
//! belongs to [corrected prices](super::correction) takes their place. A node whose
//! program is whole, or has no solution, but that cannot be proven, is split further,
//! until everything is fixed.
//!
//! The first node is worked on longer: cuts are added as long as they raise the
//! bound, answers are tried in between, and then columns are fixed by their reduced
//! costs and the linear program is built anew without them.

use std::{cmp::Ordering, collections::BinaryHeap, rc::Rc, time::Instant};

use super::{
    broken_limits::clustering_of,
    certificate::Certificate,
    clock::Clock,
    incumbents::{WHOLE, rounded, whole_values},
    linear::{Column, Optimum, Unsolved},
    model::BlockModel,
    objective::Objective,
    relaxation::Relaxation,
    separation::Separator,
};
use crate::{amount::Amount, clustering::Clustering, limits::Limits};

/// Cuts are looked for when fewer constraints than this were broken.
const FEW_BROKEN: usize = 20;

/// At the first node, cuts are added as long as so many rounds of them raise the
/// bound by at least this part of the least difference of costs.
const PATIENCE: usize = 3;
const LEAST_GAIN: f64 = 0.1;

/// So many rounds of cuts are added at the other nodes at most.
const LATER_ROUNDS: usize = 4;

/// At the first node, after how many rounds of cuts a heuristic's answer is tried.
const ROUNDS_TO_ANSWER: usize = 3;

/// Candidates that are tried at a node.
const CANDIDATES: usize = 8;

/// A column's pseudo-costs count after this many tries.
const RELIABLE: u32 = 4;

/// If the first node is not solved in time, this share of the time is left for an
/// answer.
const ANSWER_SHARE: f64 = 0.15;

/// The answer for a block.
pub(crate) struct BlockAnswer {
    /// The values of the columns, and what they cost; nothing if there is no
    /// answer, or none was found in time.
    pub best: Option<(Vec<f64>, Amount)>,
    /// No answer costs less.
    pub bound: Amount,
    /// Whether the search has ended.
    pub complete: bool,
    /// How many nodes were looked at.
    pub nodes: usize,
}

/// The least cost of a part of the search space.
pub(crate) struct Least {
    /// It costs at least this.
    pub cost: Amount,
    /// Whether there is an answer that costs just that.
    pub exact: bool,
    /// The values of the columns of the best answer found.
    pub values: Option<Vec<f64>>,
}

/// A part of the search space: columns with their values.
struct Node {
    bound: i128,
    number: usize,
    fixed: Vec<(Column, bool)>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        let bounds = other.bound.cmp(&self.bound);
        bounds.then_with(|| other.number.cmp(&self.number))
    }
}

/// A node's linear program with no constraint broken.
struct Relaxed {
    optimum: Optimum,
    /// Nothing in the node costs less.
    bound: i128,
    /// Why not.
    certificate: Option<Certificate>,
}

/// What fixing a column to 0 and to 1 raised the bound by, for each unit of
/// distance, summed up.
#[derive(Clone, Copy, Default)]
struct PseudoCost {
    sums: [f64; 2],
    tries: [u32; 2],
}

impl PseudoCost {
    fn learn(&mut self, side: bool, gain: f64, distance: f64) {
        self.sums[usize::from(side)] += gain / distance.max(WHOLE);
        self.tries[usize::from(side)] += 1;
    }

    fn estimate(&self, side: bool, distance: f64) -> f64 {
        let side = usize::from(side);
        match self.tries[side] {
            0 => distance,
            tries => self.sums[side] / f64::from(tries) * distance,
        }
    }

    fn is_reliable(&self) -> bool {
        self.tries.iter().all(|&tries| tries >= RELIABLE)
    }
}

/// The search for the best answer of a block.
pub(crate) struct Search<'m, 'p> {
    model: &'m BlockModel<'p>,
    relaxation: Relaxation<'m, 'p>,
    objective: &'m Objective,
    pseudo_costs: Vec<PseudoCost>,
    clock: Clock<'m>,
    /// When to stop at the first node, so that there is time for an answer.
    first_deadline: Option<Instant>,
    /// Whether heuristics' answers are tried; they know nothing of fixed columns.
    suggesting: bool,
    /// Gives the clustering to start with.
    first: &'m dyn Fn() -> Rc<Clustering>,
    best: Option<(Vec<f64>, i128)>,
    /// What the first node costs at least.
    first_certificate: Option<Certificate>,
    first_is_tried: bool,
    nodes: usize,
}

impl<'m, 'p> Search<'m, 'p> {
    /// Prepares the search.
    pub fn new(
        model: &'m BlockModel<'p>,
        objective: &'m Objective,
        separator: Separator<'m, 'p>,
        clock: Clock<'m>,
        limits: &'m Limits,
        first: &'m dyn Fn() -> Rc<Clustering>,
    ) -> Self {
        let columns = model.costs.len();
        Self {
            first_deadline: clock.deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                deadline - left.mul_f64(ANSWER_SHARE)
            }),
            relaxation: Relaxation::new(model, &objective.costs, separator, limits, clock),
            pseudo_costs: vec![PseudoCost::default(); columns],
            objective,
            model,
            clock,
            suggesting: true,
            first,
            best: None,
            first_certificate: None,
            first_is_tried: false,
            nodes: 0,
        }
    }

    /// Tries an answer: that of a clustering.
    fn suggest(&mut self, clustering: &Clustering) {
        let fixed = whole_values(self.model, clustering);
        if let Some(optimum) = self.relaxation.answer(&fixed) {
            self.accept(&optimum.values);
        }
    }

    /// Tries the answer that a fractional solution suggests; the first time, also
    /// that of a heuristic.
    fn suggest_answers(&mut self, values: &[f64]) {
        if !self.suggesting {
            return;
        }
        if !self.first_is_tried {
            self.first_is_tried = true;
            let first = (self.first)();
            self.suggest(&first);
        }
        self.suggest(&rounded(self.model, values, self.clock));
    }

    /// Searches until the answer is proven or the time is over.
    pub fn run(mut self) -> BlockAnswer {
        let unexplored = self.explore(vec![], usize::MAX);
        let amount = |steps: i128| self.objective.amount(steps);
        let complete = unexplored.is_none_or(|bound| self.is_cut_off(bound));
        let best = self.best.map(|(values, cost)| (values, amount(cost)));
        let known = best.as_ref().map(|(_, cost)| *cost);
        BlockAnswer {
            complete,
            bound: match (unexplored, known) {
                (Some(bound), Some(known)) => amount(bound).min(known),
                (Some(bound), None) => amount(bound),
                (None, known) => known.unwrap_or_default(),
            },
            best,
            nodes: self.nodes,
        }
    }

    /// What the block costs at least with columns fixed: exactly, if the search
    /// ends within some nodes; nothing if there is no such answer.
    pub fn cost_with(&mut self, fixed: &[(Column, bool)], most_nodes: usize) -> Option<Least> {
        let best = self.best.take();
        self.suggesting = false;
        let unexplored = self.explore(fixed.to_vec(), most_nodes);
        let found = std::mem::replace(&mut self.best, best);
        let amount = |steps: i128| self.objective.amount(steps);
        match found {
            Some((values, cost)) => Some(Least {
                cost: amount(unexplored.map_or(cost, |bound| bound.min(cost))),
                exact: unexplored.is_none_or(|bound| bound >= cost),
                values: Some(values),
            }),
            None => unexplored.map(|bound| Least {
                cost: amount(bound),
                exact: false,
                values: None,
            }),
        }
    }

    /// Explores the part of the search space with columns fixed, and gives a
    /// bound of what was left unexplored, if anything was.
    fn explore(&mut self, fixed: Vec<(Column, bool)>, most_nodes: usize) -> Option<i128> {
        let mut open = BinaryHeap::new();
        let mut next = Some(Node {
            bound: self.objective.least(),
            number: 0,
            fixed,
        });
        let mut unexplored: Vec<i128> = vec![];
        let mut left = most_nodes;
        while let Some(node) = next.take().or_else(|| open.pop()) {
            if self.is_cut_off(node.bound) {
                continue;
            }
            if self.clock.is_over() || left == 0 || self.is_too_large(&open) {
                unexplored.push(node.bound);
                break;
            }
            left -= 1;
            self.nodes += 1;
            match self.relax(&node.fixed) {
                Ok(relaxed) => {
                    if let Some([near, far]) = self.branch(&node, &relaxed) {
                        open.push(far);
                        next = Some(near);
                    }
                }
                Err(Unsolved::Infeasible) => {}
                Err(Unsolved::OutOfTime { bound }) => {
                    unexplored.push(bound.map_or(node.bound, |bound| bound.max(node.bound)));
                    break;
                }
                Err(Unsolved::Failed(_)) => match self.relaxation.undecided(&node.fixed, None) {
                    Some(column) => {
                        let [near, far] = self.children(&node, column, true, node.bound);
                        open.push(far);
                        next = Some(near);
                    }
                    None => unexplored.push(node.bound),
                },
            }
        }
        let open = open.iter().chain(&next).map(|node| node.bound);
        open.chain(unexplored).min()
    }

    /// Whether program and open nodes take more memory than they may.
    fn is_too_large(&self, open: &BinaryHeap<Node>) -> bool {
        // The deepest node is one of the last.
        let deepest = open.iter().map(|node| node.fixed.len()).max().unwrap_or(0);
        let of_node = size_of::<Node>() + deepest * size_of::<(Column, bool)>();
        self.relaxation.bytes() + open.len() * of_node > self.clock.memory
    }

    /// Whether what costs so much at least is no better than the best answer.
    fn is_cut_off(&self, bound: i128) -> bool {
        self.best.as_ref().is_some_and(|(_, best)| bound >= *best)
    }

    /// Whether nothing costs less than the best answer where a program has this optimum,
    /// and why nothing costs less than that.
    fn proven(&self, optimum: &Optimum, known: i128) -> (bool, i128, Option<Certificate>) {
        let wanted = self.best.as_ref().map(|(_, best)| *best);
        let certificate = self.relaxation.certificate(optimum, wanted);
        let bound = certificate
            .as_ref()
            .map_or(known, |found| found.bound().max(known));
        (self.is_cut_off(bound), bound, certificate)
    }

    /// The linear program with columns fixed and no constraint broken, as far as
    /// it is not cut off.
    fn relax(&mut self, fixed: &[(Column, bool)]) -> Result<Relaxed, Unsolved> {
        let is_first = self.nodes == 1 && self.suggesting;
        let mut deadline = match is_first {
            true => self.first_deadline,
            false => self.clock.deadline,
        };
        let mut bound = self.objective.least();
        let mut last: Option<Optimum> = None;
        let mut bounds_of_cuts = vec![];
        loop {
            let optimum = match self.relaxation.solve(fixed, deadline) {
                Err(Unsolved::OutOfTime { bound: known }) => {
                    bound = known.map_or(bound, |known| known.max(bound));
                    match last.take().filter(|_| deadline < self.clock.deadline) {
                        Some(last) => self.suggest_answers(&last.values),
                        None => return Err(Unsolved::OutOfTime { bound: Some(bound) }),
                    }
                    deadline = self.clock.deadline;
                    continue;
                }
                other => other?,
            };
            if self.seems_cut_off(&optimum) {
                let (is_proven, bound, certificate) = self.proven(&optimum, bound);
                if is_proven {
                    return Ok(Relaxed {
                        optimum,
                        bound,
                        certificate,
                    });
                }
            }
            let mut added = self.relaxation.add_broken(&optimum.values);
            if self.suggesting && self.model.links.is_empty() && added < FEW_BROKEN {
                added += self.cut(&optimum, is_first, &mut bounds_of_cuts);
            }
            let is_over = self.clock.is_over() || self.relaxation.bytes() > self.clock.memory;
            if added == 0 || is_over {
                let (is_proven, bound, certificate) = self.proven(&optimum, bound);
                if is_over {
                    return Err(Unsolved::OutOfTime { bound: Some(bound) });
                }
                let corrected = certificate.as_ref().and_then(|found| found.values.as_ref());
                let corrected = corrected.filter(|_| !is_proven);
                if corrected.is_some_and(|values| self.relaxation.add_broken(values) > 0) {
                    last = Some(optimum);
                    continue;
                }
                return Ok(Relaxed {
                    optimum: optimum.with_values(corrected),
                    bound,
                    certificate,
                });
            }
            last = Some(optimum);
        }
    }

    /// Whether an optimum is as much as the best answer costs, as far as floating-point
    /// numbers say so.
    fn seems_cut_off(&self, optimum: &Optimum) -> bool {
        self.best.as_ref().is_some_and(|(_, best)| {
            let tolerance = WHOLE * optimum.objective.abs().max(1.0);
            optimum.objective + tolerance > (*best - 1) as f64
        })
    }

    /// Adds cuts to a node's linear program if that is promising, given the bound at
    /// every earlier round of them; gives how many. Where clusters are counted, cuts
    /// do not raise the bound, and only make programs larger.
    fn cut(&mut self, optimum: &Optimum, is_first: bool, bounds: &mut Vec<f64>) -> usize {
        bounds.push(optimum.objective);
        if self.relaxation.fractional(&optimum.values).is_empty()
            || !is_first && bounds.len() > LATER_ROUNDS
            || !self.is_rising(bounds)
        {
            return 0;
        }
        if is_first && bounds.len().is_multiple_of(ROUNDS_TO_ANSWER) {
            self.suggest_answers(&optimum.values);
        }
        self.relaxation.add_cuts(&optimum.values)
    }

    /// Whether cuts still raise the bound, given what it was at every round of them.
    fn is_rising(&self, bounds: &[f64]) -> bool {
        let now = bounds[bounds.len() - 1];
        let before = bounds.len().checked_sub(PATIENCE + 1);
        let least = LEAST_GAIN.max(WHOLE * now.abs());
        before.is_none_or(|before| now - bounds[before] >= least)
    }

    /// Takes a whole solution as the best answer if it is better.
    fn accept(&mut self, values: &[f64]) -> bool {
        if !self.relaxation.fractional(values).is_empty() {
            return false;
        }
        let cost = self.model.evaluate(&clustering_of(self.model, values));
        let cost = self.objective.steps(cost);
        if self.is_cut_off(cost) {
            return false;
        }
        self.best = Some((values.to_vec(), cost));
        self.fix_by_reduced_costs();
        true
    }

    /// Fixes columns with which no better answer than the best can be had: if such a
    /// column changed, the first node's bound would rise too much.
    fn fix_by_reduced_costs(&mut self) {
        let (Some(first), Some((_, best)), true) =
            (&self.first_certificate, &self.best, self.suggesting)
        else {
            return;
        };
        let columns = self.model.whole.iter().copied();
        let fixed: Vec<(Column, bool)> = columns
            .filter(|&column| self.relaxation.is_free(column))
            .filter_map(|column| Some((column, first.value_below(*best, column)?)))
            .collect();
        self.relaxation.fix_everywhere(&fixed);
    }

    /// Makes the linear program smaller once the first node is solved.
    fn shrink(&mut self, relaxed: &Relaxed) {
        self.first_certificate.clone_from(&relaxed.certificate);
        self.fix_by_reduced_costs();
        self.relaxation.shrink(&relaxed.optimum.values);
    }

    /// The children of a node, the one to follow first; nothing if there is
    /// nothing more to find below it.
    fn branch(&mut self, node: &Node, relaxed: &Relaxed) -> Option<[Node; 2]> {
        let bound = relaxed.bound.max(node.bound);
        if self.is_cut_off(bound) {
            return None;
        }
        let optimum = &relaxed.optimum;
        let fractional = self.relaxation.fractional(&optimum.values);
        if fractional.is_empty() {
            self.accept(&optimum.values);
            if self.is_cut_off(bound) {
                return None;
            }
            let values = Some(&optimum.values[..]);
            let column = self.relaxation.undecided(&node.fixed, values)?;
            let nearer = optimum.values[column] >= 0.5;
            return Some(self.children(node, column, nearer, bound));
        }
        if self.nodes.is_power_of_two() {
            self.suggest_answers(&optimum.values);
        }
        if self.is_cut_off(bound) {
            return None;
        }
        if self.nodes == 1 && self.suggesting {
            self.shrink(relaxed);
        }
        let column = self.choose(node, optimum, &fractional)?;
        let nearer = optimum.values[column] >= 0.5;
        Some(self.children(node, column, nearer, bound))
    }

    /// The parts of a node in which a column has one value, and the other.
    fn children(&self, node: &Node, column: Column, first: bool, bound: i128) -> [Node; 2] {
        let number = 2 * self.nodes;
        [(first, number), (!first, number + 1)].map(|(value, number)| {
            let mut fixed = node.fixed.clone();
            fixed.push((column, value));
            Node {
                bound,
                number,
                fixed,
            }
        })
    }

    /// The column whose children's bounds rise most.
    fn choose(&mut self, node: &Node, optimum: &Optimum, fractional: &[Column]) -> Option<Column> {
        let mut candidates: Vec<(f64, Column)> = fractional
            .iter()
            .map(|&column| (self.estimated_score(column, optimum.values[column]), column))
            .collect();
        candidates.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut best: Option<(f64, Column)> = None;
        for &(estimate, column) in candidates.iter().take(CANDIDATES) {
            let score = if self.pseudo_costs[column].is_reliable() || self.clock.is_over() {
                estimate
            } else {
                self.tried_score(node, optimum, column)
            };
            if best.is_none_or(|(most, _)| score > most + WHOLE) {
                best = Some((score, column));
            }
        }
        best.map(|(_, column)| column)
    }

    fn estimated_score(&self, column: Column, value: f64) -> f64 {
        let pseudo_cost = &self.pseudo_costs[column];
        let down = pseudo_cost.estimate(false, value);
        let up = pseudo_cost.estimate(true, 1.0 - value);
        down.max(WHOLE) * up.max(WHOLE)
    }

    fn tried_score(&mut self, node: &Node, optimum: &Optimum, column: Column) -> f64 {
        let value = optimum.values[column];
        let mut gains = [0.0; 2];
        for (side, gain) in [(false, 0), (true, 1)] {
            let distance = if side { 1.0 - value } else { value };
            let mut fixed = node.fixed.clone();
            fixed.push((column, side));
            gains[gain] = match self.relaxation.try_out(&fixed, self.clock.deadline) {
                Ok(child) => (child.objective - optimum.objective).max(0.0),
                Err(Unsolved::Infeasible) => optimum.objective.abs() + 1.0,
                Err(_) => 0.0,
            };
            self.pseudo_costs[column].learn(side, gains[gain], distance);
        }
        gains[0].max(WHOLE) * gains[1].max(WHOLE)
    }
}
