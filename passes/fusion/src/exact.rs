//! The exact solver: branch and cut on the model of docs/src/fusion-model.md.
//!
//! Phases: [`presolve`] decides what is plain and splits the graph into blocks;
//! each block's integer program ([`model`]) is solved by branch and bound over a
//! linear program with warm starts, to which broken constraints and cuts are added
//! ([`relaxation`], [`separation`], [`zero_half`], [`search`]); the blocks' answers
//! are put together. If only clusters count, there is a search for their number
//! ([`fewest`]). If the time is limited, heuristics come before presolve; blocks that
//! are too large for the time or memory that is left get a bound only
//! ([`mod@plain_bound`]).

mod bits;
mod broken_limits;
mod certificate;
mod clique;
mod clock;
mod conflict;
mod correction;
mod fewest;
mod gains;
mod incumbents;
mod linear;
mod model;
mod objective;
mod order_conflict;
mod orders;
mod plain_bound;
mod presolve;
mod reasons;
mod relaxation;
mod sat;
mod search;
mod separation;
mod size;
mod windows;
mod zero_half;

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use petgraph::unionfind::UnionFind;
use thiserror::Error;

use crate::{
    amount::Amount,
    clustering::Clustering,
    contraction::Contraction,
    cost::Weights,
    evaluate::{Part, evaluate, evaluate_part},
    graph::{FORWARDS, Graph, NodeId},
    legality::{self, Illegal},
    limits::Limits,
};
use broken_limits::clustering_of;
use clock::{Clock, DEFAULT_MEMORY};
pub use conflict::Wish;
use fewest::{FewestClusters, counts_clusters_only};
pub(crate) use gains::{Apart, costs_apart};
use incumbents::{Known, TIMES_CHECKED};
use model::{BlockModel, BlockParts};
use objective::Objective;
use plain_bound::{plain_bound, plainest_bound};
use presolve::Presolved;
pub(crate) use reasons::plain_reasons;
pub use reasons::{NotFused, Reason, reasons};
use search::{BlockAnswer, Search};
use separation::Separator;

/// When to stop, and what else is asked for.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Give the best answer known after this time.
    pub time_limit: Option<Duration>,
    /// Give the best answer known when this is set.
    pub stop: Option<Arc<AtomicBool>>,
    /// Give the best answer known when the search takes so many bytes, by estimate;
    /// 2 GiB if nothing is said.
    pub memory: Option<usize>,
    /// What clusters must keep to.
    pub limits: Limits,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Which nodes share loops, and their orders.
    pub clustering: Clustering,
    /// What that costs.
    pub cost: Amount,
    /// No clustering costs less.
    pub bound: Amount,
    /// Whether the cost is proven to be the least.
    pub optimal: bool,
    /// How many blocks there were to be solved.
    pub blocks: usize,
    /// How many linear programs with fixed columns were looked at.
    pub nodes: usize,
    /// The time it took.
    pub elapsed: Duration,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The wishes cannot be fulfilled together, or inseparable uses not be fused:
    /// the user's fault.
    #[error("no clustering fulfils all wishes: {} of them contradict each other", .conflict.len())]
    Infeasible {
        /// Wishes of which none can be left out; empty if one of them cannot be
        /// fulfilled within the limits.
        conflict: Vec<Wish>,
    },
    /// The wishes were not fulfilled in time.
    #[error("no clustering that fulfils all wishes was found in time")]
    NotInTime,
    /// The answer is wrong: the solver's fault.
    #[error("internal error: the solver's answer is not legal: {0}")]
    Illegal(#[from] Illegal),
}

/// Finds a clustering that costs least.
///
/// # Errors
///
/// If the user's wishes cannot be fulfilled, or inseparable uses not be fused.
pub fn solve(
    graph: &Graph,
    weights: &Weights,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let deadline = options
        .time_limit
        .and_then(|limit| Instant::now().checked_add(limit));
    solve_once(graph, weights, options).map_err(|error| match error {
        SolveError::Infeasible { .. } => SolveError::Infeasible {
            conflict: conflict::conflict(graph, options, deadline),
        },
        other => other,
    })
}

/// [`solve`], without saying which wishes contradict each other.
fn solve_once(
    graph: &Graph,
    weights: &Weights,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let clock = Clock {
        deadline: options
            .time_limit
            .and_then(|limit| start.checked_add(limit)),
        stop: options.stop.as_deref(),
        memory: options.memory.unwrap_or(DEFAULT_MEMORY),
    };
    let known = OnceCell::new();
    let first =
        || -> &Known { known.get_or_init(|| Known::quick(graph, weights, &options.limits, clock)) };
    let clock = match clock.deadline {
        Some(_) => clock.earlier(TIMES_CHECKED * first().checking),
        None => clock,
    };
    if clock.deadline.is_some() && clock.is_over() && first().usable {
        return Ok(unproven(graph, weights, first(), start));
    }
    let presolved = Presolved::within(graph, is_one_block(weights, &options.limits), clock);
    if presolved.is_infeasible() {
        return Err(SolveError::Infeasible { conflict: vec![] });
    }
    let parts = BlockParts::new(graph, &presolved, weights);
    let problem = Solving {
        graph,
        presolved: &presolved,
        weights,
        parts: &parts,
        limits: &options.limits,
        clock,
        first: &first,
        improved: OnceCell::new(),
    };
    let mut assembly = Assembly::new(graph);
    if counts_clusters_only(weights) && options.limits.is_empty() {
        problem.solve_clusters(&mut assembly)?;
    } else {
        for block in smallest_first(&presolved) {
            problem.solve_block(block, &mut assembly)?;
        }
    }
    let known = problem.improved.get().or(known.get());
    assembly.finish(weights, known.filter(|known| known.usable), start)
}

/// What is known, when there is no time for any proof.
fn unproven(graph: &Graph, weights: &Weights, known: &Known, start: Instant) -> Solution {
    let bound = plainest_bound(graph, weights);
    Solution {
        clustering: known.clustering.clone(),
        cost: known.cost,
        optimal: bound == known.cost,
        bound,
        blocks: 0,
        nodes: 0,
        elapsed: start.elapsed(),
    }
}

/// Whether everything has to be decided together: limits of memory and crowds concern
/// all clusters.
fn is_one_block(weights: &Weights, limits: &Limits) -> bool {
    limits.memory.is_some() || !weights.crowds.is_empty()
}

/// What is to be solved block by block.
struct Solving<'s> {
    graph: &'s Graph,
    presolved: &'s Presolved,
    weights: &'s Weights,
    parts: &'s BlockParts,
    limits: &'s Limits,
    clock: Clock<'s>,
    /// The best of the heuristics' answers.
    first: &'s dyn Fn() -> &'s Known,
    /// A better one, for large blocks.
    improved: OnceCell<Known>,
}

impl Solving<'_> {
    /// Finds the least cost of a block by integer programming.
    fn solve_block(&self, block: usize, assembly: &mut Assembly) -> Result<(), SolveError> {
        let nodes = &self.parts.nodes[block];
        let size = self.parts.size(self.graph, block);
        let is_crowded = !self.weights.crowds.is_empty()
            || self
                .presolved
                .is_crowded(self.graph, &self.parts.uses[block]);
        let is_large = size.bytes > LARGE || self.clock.deadline.is_some();
        if is_crowded || is_large && nodes.len() > 1 {
            let first = (self.first)();
            let bound = self.plain_bound(block);
            let is_done = self.limits.is_empty()
                && first.usable
                && self.cost_of(block, &first.clustering) <= bound;
            let is_too_large = is_crowded || size.bytes > self.clock.memory;
            if is_done {
                assembly.settle(nodes, bound, &first.clustering);
                return Ok(());
            }
            let first = self.best_known();
            if is_too_large || first.usable && self.clock.is_over_in(size.time()) {
                assembly.skip(nodes, bound, first);
                return Ok(());
            }
        }
        let (graph, presolved, weights) = (self.graph, self.presolved, self.weights);
        let model = BlockModel::new(graph, presolved, weights, self.parts, block);
        let mut answer = if model.costs.is_empty() {
            fixed_answer(&model, &Separator::new(&model))
        } else {
            let separator = Separator::new(&model);
            let first = || Rc::new(self.best_known().clustering.clone());
            let objective = Objective::new(&model);
            Search::new(
                &model,
                &objective,
                separator,
                self.clock,
                self.limits,
                &first,
            )
            .run()
        };
        if answer.complete && answer.best.is_none() {
            return Err(SolveError::Infeasible { conflict: vec![] });
        }
        if !answer.complete {
            answer.bound = answer.bound.max(self.plain_bound(block));
            let first = self.best_known();
            let is_better = |(_, cost): &(Vec<f64>, Amount)| {
                !first.usable || *cost < self.cost_of(block, &first.clustering)
            };
            answer.best = answer.best.filter(is_better);
        }
        assembly.add(&model, answer, &|| self.best_known());
        Ok(())
    }

    /// The best that is known: if the time is limited, of all heuristics; and if there
    /// are large blocks, after it was improved in a part of the time.
    fn best_known(&self) -> &Known {
        let first = (self.first)();
        if self.clock.deadline.is_none() {
            return first;
        }
        self.improved.get_or_init(|| {
            let (graph, weights) = (self.graph, self.weights);
            let best = first.or_better(graph, weights, self.limits, self.clock);
            let has_many = self.parts.nodes.iter().any(|nodes| nodes.len() > MANY);
            let may_be_improved =
                best.usable && self.limits.is_empty() && self.weights.crowds.is_empty();
            match has_many && may_be_improved && !self.clock.is_over() {
                true => best.improved(graph, weights, self.clock.for_part(IMPROVING_PART)),
                false => best,
            }
        })
    }

    fn plain_bound(&self, block: usize) -> Amount {
        plain_bound(self.graph, self.presolved, self.weights, self.parts, block)
    }

    /// What a clustering costs in a block.
    fn cost_of(&self, block: usize, clustering: &Clustering) -> Amount {
        let parts = self.parts;
        let part = Part {
            nodes: &parts.nodes[block],
            uses: &parts.uses[block],
            pairs: &parts.pair_weights[block],
        };
        evaluate_part(self.graph, clustering, self.weights, &part)
    }

    /// Finds the fewest clusters of all blocks.
    fn solve_clusters(&self, assembly: &mut Assembly) -> Result<(), SolveError> {
        let graph = self.graph;
        let mut contraction = Contraction::new(graph);
        let mut inseparable = graph.inseparable_uses();
        let is_joined = inseparable
            .all(|(array_use, levels)| contraction.together(levels, array_use.from, array_use.to));
        let mut forced = graph.forced.iter();
        if !is_joined || !forced.all(|&(one, other)| contraction.try_join(one, other)) {
            return Err(SolveError::Infeasible { conflict: vec![] });
        }
        for block in smallest_first(self.presolved) {
            self.fewest_clusters(block, &mut contraction, assembly)?;
        }
        Ok(())
    }

    fn fewest_clusters(
        &self,
        block: usize,
        contraction: &mut Contraction,
        assembly: &mut Assembly,
    ) -> Result<(), SolveError> {
        let nodes = &self.parts.nodes[block];
        let first = (self.first)();
        let cost = match first.usable {
            true => self.cost_of(block, &first.clustering),
            false => Amount::MOST,
        };
        let bound = self.plain_bound(block);
        if cost <= bound {
            assembly.settle(nodes, bound, &first.clustering);
            return Ok(());
        }
        let first = self.best_known();
        let cost = match first.usable {
            true => self.cost_of(block, &first.clustering),
            false => Amount::MOST,
        };
        if self.clock.is_over() || !FewestClusters::fits(nodes.len(), self.clock.memory) {
            assembly.skip(nodes, bound, first);
            return Ok(());
        }
        let begin = contraction.checkpoint();
        let (presolved, weights) = (self.presolved, self.weights);
        let search = FewestClusters::new(contraction, presolved, weights, nodes, self.clock);
        let fewest = search.run(cost);
        if fewest.found {
            assembly.take(nodes, fewest.bound, contraction);
        } else if !fewest.complete {
            assembly.skip(nodes, fewest.bound.max(bound), first);
        } else if first.usable {
            assembly.settle(nodes, fewest.bound, &first.clustering);
        } else {
            return Err(SolveError::Infeasible { conflict: vec![] });
        }
        assembly.blocks += 1;
        assembly.nodes += fewest.steps;
        contraction.rewind(begin);
        Ok(())
    }
}

/// If blocks have more nodes, the first answer is improved, in this part of the time at
/// most.
const MANY: usize = 200;
const IMPROVING_PART: f64 = 0.4;

/// Heuristics are asked first about larger blocks.
const LARGE: usize = 20 << 20;

/// Small blocks first: they are quick, and count if the time is short.
fn smallest_first(presolved: &Presolved) -> Vec<usize> {
    let mut order: Vec<usize> = (0..presolved.blocks.len()).collect();
    order.sort_by_key(|&block| presolved.blocks[block].len());
    order
}

/// The answer where there is nothing to decide, which is none if it is wrong.
fn fixed_answer(model: &BlockModel, separator: &Separator) -> BlockAnswer {
    let possible = model.rows.is_empty() && separator.broken(&[]).is_empty();
    BlockAnswer {
        best: possible.then(|| (vec![], model.constant)),
        bound: model.constant,
        complete: true,
        nodes: 0,
    }
}

/// Puts the answers of blocks together.
struct Assembly<'g> {
    graph: &'g Graph,
    /// By level: nodes that share loops.
    together: Vec<UnionFind<NodeId>>,
    clustering: Clustering,
    bound: Amount,
    complete: bool,
    blocks: usize,
    nodes: usize,
}

impl<'g> Assembly<'g> {
    fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            together: vec![UnionFind::new(graph.nodes.len()); graph.levels],
            clustering: Clustering::singletons(graph),
            bound: Amount::ZERO,
            complete: true,
            blocks: 0,
            nodes: 0,
        }
    }

    /// Takes over the answer for a block; if there is none, that of the heuristics,
    /// unless it breaks a limit.
    fn add<'k>(&mut self, model: &BlockModel, answer: BlockAnswer, first: &dyn Fn() -> &'k Known) {
        self.blocks += usize::from(answer.nodes > 0);
        self.nodes += answer.nodes;
        match answer.best {
            Some((values, _)) => {
                self.complete &= answer.complete;
                self.bound += answer.bound;
                let clustering = clustering_of(model, &values);
                self.add_clustering(model.nodes(), &clustering);
            }
            None => self.skip(model.nodes(), answer.bound, first()),
        }
    }

    /// Takes over what a partial clustering says of a block's nodes.
    fn take(&mut self, nodes: &[NodeId], bound: Amount, contraction: &Contraction) {
        self.bound += bound;
        for (level, together) in (1..).zip(&mut self.together) {
            for &node in nodes {
                together.union(contraction.cluster(level, node), node);
            }
        }
        for &node in nodes {
            for (level, order) in (1..).zip(&mut self.clustering.orders[node]) {
                *order = contraction.order(node, level).unwrap_or(FORWARDS);
            }
        }
    }

    /// Takes over a clustering for a block of which no other costs less.
    fn settle(&mut self, nodes: &[NodeId], cost: Amount, clustering: &Clustering) {
        self.bound += cost;
        self.add_clustering(nodes, clustering);
    }

    /// Takes over what is known, if it keeps the limits, for a block for which there
    /// is no time or memory.
    fn skip(&mut self, nodes: &[NodeId], bound: Amount, known: &Known) {
        self.complete = false;
        self.bound += bound;
        if known.usable {
            self.add_clustering(nodes, &known.clustering);
        }
    }

    /// Takes over what a clustering says of a block's nodes.
    fn add_clustering(&mut self, nodes: &[NodeId], clustering: &Clustering) {
        for (level, together) in self.together.iter_mut().enumerate() {
            let mut leaders = BTreeMap::new();
            for &node in nodes {
                let cluster = clustering.clusters[level][node];
                together.union(*leaders.entry(cluster).or_insert(node), node);
            }
        }
        for &node in nodes {
            self.clustering.orders[node].clone_from(&clustering.orders[node]);
        }
    }

    fn finish(
        mut self,
        weights: &Weights,
        known: Option<&Known>,
        start: Instant,
    ) -> Result<Solution, SolveError> {
        for (clusters, together) in self.clustering.clusters.iter_mut().zip(self.together) {
            *clusters = together.into_labeling();
        }
        let mut clustering = self.clustering.normalized(self.graph);
        match legality::check(self.graph, &clustering) {
            Err(Illegal::NotForced { .. } | Illegal::Separated { .. }) if !self.complete => {
                return Err(SolveError::NotInTime);
            }
            checked => checked?,
        }
        let mut cost = evaluate(self.graph, &clustering, weights);
        if let Some(known) = known.filter(|known| !self.complete && known.cost < cost) {
            clustering.clone_from(&known.clustering);
            cost = known.cost;
        }
        let bound = self.bound.min(cost);
        Ok(Solution {
            bound,
            optimal: bound == cost,
            clustering,
            cost,
            blocks: self.blocks,
            nodes: self.nodes,
            elapsed: start.elapsed(),
        })
    }
}
