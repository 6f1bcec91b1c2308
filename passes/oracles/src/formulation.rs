//! The integer linear programs of the papers, given to a solver in one call.
//!
//! They are what the exact solver is compared with: slower, but plain. For flat
//! graphs only.
//!
//! * [`Formulation::Figure4`]: Figure 4 of P-gather, corrected. Positions π of
//!   clusters, x for unfused uses, m for contracted arrays, orders as numbers, and
//!   big constants that switch constraints off. Corrections: only the edge of a
//!   scatter's destination is unfusible, not that of its source; constraint 9 is
//!   for two different nodes; results are stored (m = 0); the order in which an
//!   array is read belongs to the edge, and a gather's indices are read in the
//!   order of its output; reads of inputs count; reads are counted by
//!   representatives, one for each cluster and order.
//! * [`Formulation::Compact`]: orders as one 0–1 variable each, restricted to
//!   those that are possible, and 0–1 variables for pairs of readers in one
//!   cluster, so that big constants are left only where clusters are put in
//!   order.
//!
//! Phases: check that the problem can be said; variables and constraints of
//! clusters, then of orders, then the objective (modules `clusters`, `orders`,
//! `costs`); solve (module `backend`); round, split unconnected clusters, and
//! check the answer.
//!
//! Instead of being solved, a model may be written to a file for other solvers (module
//! `export`).
//!
//! Counted clusters and forced pairs add that clusters are connected (module
//! `connectivity`), which the paper leaves to splitting them afterwards.
//!
//! Cost: exponential; the model is quadratic in the uses of an array.

use std::{collections::BTreeMap, time::Duration};

use comb_fusion::{
    amount::Amount,
    clustering::Clustering,
    cost::Weights,
    evaluate::evaluate,
    graph::{Graph, NodeId},
    legality,
    programs::{Backend, Formulation, Outcome, SolveError},
};

mod backend;
mod clusters;
mod connectivity;
mod costs;
mod export;
mod integer_orders;
mod model;
mod names;
mod one_hot_orders;
mod orders;

use backend::Answer;
use clusters::Clusters;
use connectivity::Connectivity;
pub use export::{Export, FileFormat, export};
use model::Model;
use orders::Orders;

/// Finds the cheapest clustering of a flat graph.
///
/// # Errors
///
/// If the problem is not supported or has no solution, or the solver fails.
pub fn solve(
    graph: &Graph,
    weights: &Weights,
    formulation: Formulation,
    backend: Backend,
    time_limit: Option<Duration>,
) -> Result<Outcome, SolveError> {
    check_supported(graph, weights)?;
    if graph.combinators() == 0 {
        let clustering = Clustering::singletons(graph).normalized(graph);
        let cost = evaluate(graph, &clustering, weights);
        return Ok(Outcome {
            cost,
            bound: cost,
            optimal: true,
            clustering,
        });
    }
    let Program {
        model,
        clusters,
        orders,
    } = write(graph, weights, formulation)?;
    let (constant, unit) = (model.constant(), Unit::new(weights));
    let answer = backend::solve(model, backend, time_limit)?;
    let clustering = read_answer(graph, &clusters, orders.as_ref(), &answer);
    match legality::check(graph, &clustering) {
        Err(_) if !answer.optimal => return Err(SolveError::NoSolution),
        checked => checked?,
    }
    let cost = evaluate(graph, &clustering, weights);
    let bound = unit.least(answer.bound + constant).min(cost);
    Ok(Outcome {
        cost,
        bound,
        optimal: answer.optimal && bound == cost && unit.is_fine_enough(cost),
        clustering,
    })
}

/// Solvers are exact to about 1e-9 of the cost: if answers cost more steps than this,
/// one that costs a step less may be overlooked.
const MOST_STEPS: i128 = 100_000_000;

/// Larger costs are scaled: solvers take them for infinite.
const GREATEST_COST: f64 = 1e15;

/// What a solver's objective counts: steps, the largest amount of which all weights are
/// whole multiples, or many of them.
struct Unit {
    step: i128,
    steps: f64,
}

impl Unit {
    fn new(weights: &Weights) -> Self {
        let step = weights.step().millionths();
        let greatest = weights.greatest().millionths() / step;
        Self {
            step,
            steps: (greatest as f64 / GREATEST_COST).max(1.0),
        }
    }

    /// An amount as the objective counts it.
    fn count(&self, amount: Amount) -> f64 {
        (amount.millionths() / self.step) as f64 / self.steps
    }

    /// Whether all weights are counted without being rounded.
    fn is_exact(&self) -> bool {
        self.steps == 1.0
    }

    /// What is counted, if it is not rounded.
    fn amount(&self, count: f64) -> Amount {
        Amount::from_millionths(count as i128 * self.step)
    }

    /// What answers cost at least, given a solver's bound.
    fn least(&self, bound: f64) -> Amount {
        let steps = bound * self.steps;
        let steps = (steps - 1e-3 - 1e-9 * steps.abs()).ceil() as i128;
        Amount::from_millionths(steps.saturating_mul(self.step))
    }

    /// Whether no answer that costs less than this one can be overlooked.
    fn is_fine_enough(&self, cost: Amount) -> bool {
        cost.millionths() / self.step <= MOST_STEPS
    }
}

/// A model, and what its variables mean.
struct Program {
    model: Model,
    clusters: Clusters,
    orders: Box<dyn Orders>,
}

fn write(
    graph: &Graph,
    weights: &Weights,
    formulation: Formulation,
) -> Result<Program, SolveError> {
    let mut model = Model::new(formulation);
    let mut clusters = Clusters::new(&mut model, graph);
    clusters.separate(&mut model, graph);
    let orders = orders::new(&mut model, graph, &clusters);
    let connected = !weights.clusters.is_zero() || !graph.forced.is_empty();
    let connectivity =
        connected.then(|| Connectivity::new(&mut model, graph, &mut clusters, orders.as_ref()));
    if let Some(connectivity) = &connectivity {
        connectivity.fulfil(&mut model, graph)?;
    }
    costs::minimise(
        &mut model,
        graph,
        weights,
        &mut clusters,
        orders.as_ref(),
        connectivity.as_ref(),
    );
    Ok(Program {
        model,
        clusters,
        orders,
    })
}

fn check_supported(graph: &Graph, weights: &Weights) -> Result<(), SolveError> {
    if !weights.crowds.is_empty() {
        let what = "so many pairs of accesses of one array".to_owned();
        return Err(SolveError::Unsupported { what });
    }
    let is_flat = |node: NodeId| {
        let loops = usize::from(!graph.is_input(node));
        let node = &graph.nodes[node];
        node.rank <= 1 && node.depth <= loops
    };
    match graph.levels == 1 && (0..graph.nodes.len()).all(is_flat) {
        true => Ok(()),
        false => Err(SolveError::Unsupported {
            what: "graphs of several levels or ranks".to_owned(),
        }),
    }
}

/// The clustering that the values of an answer stand for.
fn read_answer(
    graph: &Graph,
    clusters: &Clusters,
    orders: &dyn Orders,
    answer: &Answer,
) -> Clustering {
    let mut clustering = Clustering::singletons(graph);
    let mut first_at: BTreeMap<i64, NodeId> = BTreeMap::new();
    for node in 0..graph.nodes.len() {
        if let Some(position) = clusters.position(node) {
            let position = answer.value(position).round() as i64;
            clustering.clusters[0][node] = *first_at.entry(position).or_insert(node);
            clustering.orders[node][0] = orders.order(node, answer);
        }
    }
    clustering.normalized(graph)
}
