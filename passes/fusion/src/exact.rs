//! The exact solver: branch and cut on the model of FUSION.md.
//!
//! Phases: [`presolve`] decides what is plain and splits the graph into blocks;
//! each block's integer program ([`model`]) is solved by branch and bound over a
//! linear program with warm starts, to which broken constraints are added
//! ([`separation`], [`search`]); the blocks' answers are put together.

mod bits;
mod linear;
mod model;
mod orders;
mod presolve;
mod search;
mod separation;

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use petgraph::unionfind::UnionFind;
use thiserror::Error;

use crate::{
    clustering::Clustering,
    cost::Weights,
    evaluate::evaluate,
    graph::{Graph, NodeId},
    legality::{self, Illegal},
};
use model::{BlockModel, BlockParts};
use presolve::Presolved;
use search::{BlockAnswer, Clock, Search};
use separation::Separator;

/// When to stop, and what else is asked for.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Give the best answer known after this time.
    pub time_limit: Option<Duration>,
    /// Give the best answer known when this is set.
    pub stop: Option<Arc<AtomicBool>>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Which nodes share loops, and their orders.
    pub clustering: Clustering,
    /// What that costs.
    pub cost: f64,
    /// No clustering costs less.
    pub bound: f64,
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
    /// The wishes cannot be fulfilled together: the user's fault.
    #[error("no clustering fulfils all wishes")]
    Infeasible,
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
/// If the user's wishes cannot be fulfilled.
pub fn solve(
    graph: &Graph,
    weights: &Weights,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let start = Instant::now();
    if !weights.stencils
        && graph
            .uses
            .iter()
            .any(|array_use| array_use.stencil.is_some())
    {
        return solve(&graph.without_stencils(), weights, options);
    }
    let clock = Clock {
        deadline: options.time_limit.map(|limit| start + limit),
        stop: options.stop.as_deref(),
    };
    let presolved = Presolved::new(graph);
    let parts = BlockParts::new(graph, &presolved, weights);
    let mut assembly = Assembly::new(graph);
    for block in smallest_first(&presolved) {
        let model = BlockModel::new(graph, &presolved, weights, &parts, block);
        let answer = if model.costs.is_empty() {
            fixed_answer(&model)
        } else {
            let separator = Separator::new(&model, &parts.nodes[block]);
            Search::new(&model, separator, clock).run()
        };
        assembly.add(&model, &parts.nodes[block], answer)?;
    }
    assembly.finish(weights, start)
}

/// Small blocks first: they are quick, and count if the time is short.
fn smallest_first(presolved: &Presolved) -> Vec<usize> {
    let mut order: Vec<usize> = (0..presolved.blocks.len()).collect();
    order.sort_by_key(|&block| presolved.blocks[block].len());
    order
}

/// The answer where there is nothing to decide.
fn fixed_answer(model: &BlockModel) -> BlockAnswer {
    BlockAnswer {
        best: Some((vec![], model.constant)),
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
    bound: f64,
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
            bound: 0.0,
            complete: true,
            blocks: 0,
            nodes: 0,
        }
    }

    fn add(
        &mut self,
        model: &BlockModel,
        nodes: &[NodeId],
        answer: BlockAnswer,
    ) -> Result<(), SolveError> {
        self.blocks += usize::from(answer.nodes > 0);
        self.nodes += answer.nodes;
        self.complete &= answer.complete;
        let Some((values, _)) = answer.best else {
            if answer.complete {
                return Err(SolveError::Infeasible);
            }
            self.bound += answer.bound;
            return Ok(());
        };
        self.bound += answer.bound;
        for (pair, level, column) in model.fused_columns() {
            if values[column] < 0.5 {
                let pair = &model.presolved.pairs[pair];
                self.together[level - 1].union(pair.from, pair.to);
            }
        }
        for (one, other, level, column) in model.same_columns() {
            if values[column] > 0.5 {
                // One read in an inner loop is one in the loops around it, even
                // where that saves nothing.
                let uses = &self.graph.uses;
                for outer in &mut self.together[..level] {
                    outer.union(uses[one].to, uses[other].to);
                }
            }
        }
        for &node in nodes {
            for level in 1..=self.graph.levels {
                let order = model.order_of(node, level, &values);
                self.clustering.orders[node][level - 1] = order;
            }
        }
        Ok(())
    }

    fn finish(mut self, weights: &Weights, start: Instant) -> Result<Solution, SolveError> {
        for (clusters, together) in self.clustering.clusters.iter_mut().zip(self.together) {
            *clusters = together.into_labeling();
        }
        let clustering = self.clustering.normalized(self.graph);
        match legality::check(self.graph, &clustering) {
            Err(Illegal::NotForced { .. }) if !self.complete => return Err(SolveError::NotInTime),
            checked => checked?,
        }
        let cost = evaluate(self.graph, &clustering, weights);
        Ok(Solution {
            bound: if self.complete {
                cost
            } else {
                self.bound.min(cost)
            },
            optimal: self.complete,
            clustering,
            cost,
            blocks: self.blocks,
            nodes: self.nodes,
            elapsed: start.elapsed(),
        })
    }
}
