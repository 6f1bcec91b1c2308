//! The exact solver: branch and cut on the model of docs/src/fusion-model.md.
//!
//! Phases: [`presolve`] decides what is plain and splits the graph into blocks;
//! each block's integer program ([`model`]) is solved by branch and bound over a
//! linear program with warm starts, to which broken constraints and cuts are added
//! ([`relaxation`], [`separation`], [`zero_half`], [`search`]); the blocks' answers
//! are put together. If the time is short, greedy fusion comes before presolve, and
//! blocks that are too large for what is left get a bound only ([`mod@plain_bound`]).

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
mod search;
mod separation;
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
    evaluate::evaluate,
    graph::{FORWARDS, Graph, NodeId},
    legality::{self, Illegal},
    limits::Limits,
};
use broken_limits::clustering_of;
use clock::Clock;
pub use conflict::Wish;
use fewest::{FewestClusters, cost_in_block, counts_clusters_only};
pub(crate) use gains::{Apart, costs_apart};
use incumbents::first_clustering;
use model::{BlockModel, BlockParts};
use objective::Objective;
use plain_bound::plain_bound;
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
    solve_once(graph, weights, options).map_err(|error| match error {
        SolveError::Infeasible { .. } => SolveError::Infeasible {
            conflict: conflict::conflict(graph, options),
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
    };
    let cache: OnceCell<Rc<Clustering>> = OnceCell::new();
    let first = || {
        let now = Instant::now();
        let deadline = clock.deadline.map(|deadline| {
            // Something is left for the search and for putting things together.
            now + deadline.saturating_duration_since(now).mul_f64(FIRST_SHARE)
        });
        Rc::clone(cache.get_or_init(|| Rc::new(first_clustering(graph, weights, deadline))))
    };
    if clock.deadline.is_some() {
        first();
    }
    let presolved = Presolved::new(graph, options.limits.memory.is_some());
    if presolved.is_infeasible() {
        return Err(SolveError::Infeasible { conflict: vec![] });
    }
    if counts_clusters_only(weights) && options.limits.is_empty() {
        return solve_clusters(graph, &presolved, weights, clock, start);
    }
    let parts = BlockParts::new(graph, &presolved, weights);
    let mut assembly = Assembly::new(graph, presolved.truncated);
    for block in smallest_first(&presolved) {
        let nodes = &parts.nodes[block];
        let plain_bound = || plain_bound(graph, &presolved, weights, &parts, block);
        if nodes.len() > 1 && options.limits.is_empty() && clock.is_over_in(time_to_build(nodes)) {
            assembly.skip(nodes, plain_bound(), &first());
            continue;
        }
        let model = BlockModel::new(graph, &presolved, weights, &parts, block);
        let mut answer = if model.costs.is_empty() {
            fixed_answer(&model, &Separator::new(&model))
        } else {
            let separator = Separator::new(&model);
            let objective = Objective::new(&model);
            Search::new(
                &model,
                &objective,
                separator,
                clock,
                &options.limits,
                &first,
            )
            .run()
        };
        if answer.complete && answer.best.is_none() {
            return Err(SolveError::Infeasible { conflict: vec![] });
        }
        if !answer.complete {
            answer.bound = answer.bound.max(plain_bound());
        }
        assembly.add(&model, answer, &first, &options.limits);
    }
    assembly.finish(weights, start)
}

/// Finds the fewest clusters, block by block.
fn solve_clusters(
    graph: &Graph,
    presolved: &Presolved,
    weights: &Weights,
    clock: Clock,
    start: Instant,
) -> Result<Solution, SolveError> {
    let first = first_clustering(graph, weights, clock.deadline);
    let is_known = legality::check(graph, &first).is_ok();
    let mut contraction = Contraction::new(graph);
    let inseparable = |contraction: &Contraction| {
        let mut uses = graph.inseparable_uses();
        uses.all(|(array_use, levels)| contraction.together(levels, array_use.from, array_use.to))
    };
    let forced = |contraction: &mut Contraction| {
        let mut pairs = graph.forced.iter();
        pairs.all(|&(one, other)| contraction.try_join(one, other))
    };
    if !inseparable(&contraction) || !forced(&mut contraction) {
        return Err(SolveError::Infeasible { conflict: vec![] });
    }
    let begin = contraction.checkpoint();
    let mut assembly = Assembly::new(graph, presolved.truncated);
    for block in smallest_first(presolved) {
        let nodes = &presolved.blocks[block];
        let known = match is_known {
            true => cost_in_block(graph, weights, nodes, &first),
            false => Amount::MOST,
        };
        let search = FewestClusters::new(&mut contraction, presolved, weights, nodes, clock);
        let fewest = search.run(known);
        if fewest.found {
            assembly.take(nodes, fewest.bound, &contraction);
        } else if fewest.complete && is_known {
            assembly.bound += fewest.bound;
            assembly.add_clustering(nodes, &first);
        } else if fewest.complete {
            return Err(SolveError::Infeasible { conflict: vec![] });
        } else {
            assembly.skip(nodes, fewest.bound, &first);
        }
        assembly.blocks += usize::from(fewest.steps > 0);
        assembly.nodes += fewest.steps;
        contraction.rewind(begin);
    }
    assembly.finish(weights, start)
}

/// If the time is limited, there is a first answer before anything else; it may
/// take this share of the time that is left.
const FIRST_SHARE: f64 = 0.5;

/// About how long it takes to build a block's linear program.
fn time_to_build(nodes: &[NodeId]) -> Duration {
    const FOR_ONE_NODE: Duration = Duration::from_micros(15);
    FOR_ONE_NODE.mul_f64(nodes.len() as f64)
}

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
    /// Whether there are answers that were not looked at, so that bounds are none.
    truncated: bool,
    blocks: usize,
    nodes: usize,
}

impl<'g> Assembly<'g> {
    fn new(graph: &'g Graph, truncated: bool) -> Self {
        Self {
            graph,
            together: vec![UnionFind::new(graph.nodes.len()); graph.levels],
            clustering: Clustering::singletons(graph),
            bound: Amount::ZERO,
            complete: !truncated,
            truncated,
            blocks: 0,
            nodes: 0,
        }
    }

    /// Takes over the answer for a block; if there is none yet, that of the
    /// heuristics, unless it could break a limit.
    fn add(
        &mut self,
        model: &BlockModel,
        answer: BlockAnswer,
        first: &dyn Fn() -> Rc<Clustering>,
        limits: &Limits,
    ) {
        self.blocks += usize::from(answer.nodes > 0);
        self.nodes += answer.nodes;
        self.complete &= answer.complete;
        self.bound += answer.bound;
        match answer.best {
            Some((values, _)) => {
                let clustering = clustering_of(model, &values);
                self.add_clustering(model.nodes(), &clustering);
            }
            None if limits.is_empty() => self.add_clustering(model.nodes(), &first()),
            None => {}
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

    /// Takes over a clustering for a block for which there is no time.
    fn skip(&mut self, nodes: &[NodeId], bound: Amount, clustering: &Clustering) {
        self.complete = false;
        self.bound += bound;
        self.add_clustering(nodes, clustering);
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

    fn finish(mut self, weights: &Weights, start: Instant) -> Result<Solution, SolveError> {
        for (clusters, together) in self.clustering.clusters.iter_mut().zip(self.together) {
            *clusters = together.into_labeling();
        }
        let clustering = self.clustering.normalized(self.graph);
        match legality::check(self.graph, &clustering) {
            Err(Illegal::NotForced { .. } | Illegal::Separated { .. }) if !self.complete => {
                return Err(SolveError::NotInTime);
            }
            checked => checked?,
        }
        let cost = evaluate(self.graph, &clustering, weights);
        let bound = match self.truncated {
            true => Amount::ZERO,
            false => self.bound.min(cost),
        };
        Ok(Solution {
            bound,
            optimal: self.complete && bound == cost,
            clustering,
            cost,
            blocks: self.blocks,
            nodes: self.nodes,
            elapsed: start.elapsed(),
        })
    }
}
