//! What was fused, what that gains, and what was not fused and why: reports for
//! those whose program it is.
//!
//! A [`Report`] is data, which becomes JSON ([`Report::to_json`]) or text
//! ([`Report::to_text`]). Parts:
//!
//! 1. what answers cost, those of other algorithms too (module `costs`);
//! 2. how far the answer is proven;
//! 3. how often every array is read and written (module `arrays`);
//! 4. the clusters, from the outermost level inwards (module `clusters`);
//! 5. the fusions that were done, and what each gains (module `fusions`);
//! 6. the fusions that were not, with the reasons of the exact solver (modules
//!    `missed` and `words`);
//! 7. ops that are never fused, and what they keep apart (module `apart`).
//!
//! Cost: a small search for every pair of nodes that share an array. Where the graph
//! is large, only some pairs are asked about, which depends on its size and not on
//! time.

mod apart;
mod arrays;
mod clusters;
mod costs;
mod fusions;
mod missed;
mod text;
mod words;

use serde::Serialize;

pub use apart::KeptApart;
pub use arrays::{ArrayReport, ArrayTraffic};
pub use clusters::{ClusterInput, ClusterMember, ClusterRead, ClusterReport};
pub use costs::CostRow;
pub use fusions::{Fusion, FusionKind, Gain};
pub use missed::MissedFusion;
pub use words::{in_words, not_fused};

use crate::{
    amount::Amount,
    cost::{Cost, CostOptions, Weights},
    exact::SolveOptions,
    graph::{Graph, NodeId},
    method::{Answer, Bounds, Method},
};

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// What was to be least.
    pub cost: &'a Cost,
    /// What that means in the graph.
    pub weights: &'a Weights,
    /// What else decides costs.
    pub cost_options: &'a CostOptions,
    /// What clusters had to keep to. The time limit is that of finding the exact
    /// solution for comparison, where another method was asked for.
    pub bounds: &'a Bounds,
    /// How the answer was found.
    pub method: Method,
}

/// A node, as the program knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeName {
    /// Its number in the file or program.
    pub id: u64,
    /// What it is called.
    pub name: String,
    /// Where the program has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// What op the program has there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
}

impl NodeName {
    fn of(graph: &Graph, node: NodeId) -> Self {
        let node = &graph.nodes[node];
        Self {
            id: node.external_id,
            name: node.name.clone(),
            location: node.location.clone(),
            op: node.op.clone(),
        }
    }
}

/// How far an answer is proven.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Optimality {
    /// Whether no answer costs less.
    pub optimal: bool,
    /// No answer costs less than this.
    pub bound: Option<Amount>,
    /// What the cost exceeds the bound by, as a part of the cost.
    pub gap: Option<f64>,
    /// The time it took to find the answer.
    pub seconds: f64,
}

/// What was fused, and what that is good for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What the graph is called.
    pub graph: String,
    /// The number of levels.
    pub levels: usize,
    /// What was to be least.
    pub objective: String,
    /// How the answer was found.
    pub algorithm: String,
    /// What the answer and others cost.
    pub costs: Vec<CostRow>,
    /// How far the answer is proven.
    pub optimality: Optimality,
    /// The clusters of the outermost level, in an order in which they can run.
    pub clusters: Vec<ClusterReport>,
    /// How often arrays are read and written.
    pub arrays: Vec<ArrayReport>,
    /// What was fused.
    pub fusions: Vec<Fusion>,
    /// What was not.
    pub missed: Vec<MissedFusion>,
    /// Ops that are no combinators, between others that are.
    pub apart: Vec<KeptApart>,
}

impl Report {
    /// The report on an answer.
    pub fn new(question: &Question, answer: &Answer) -> Self {
        let graph = question.graph;
        let weights = question.weights;
        let clustering = &answer.clustering;
        let options = SolveOptions {
            time_limit: None,
            stop: question.bounds.stop.clone(),
            memory: question.bounds.memory,
            limits: question.bounds.limits.clone(),
        };
        Self {
            graph: graph.name.clone(),
            levels: graph.levels,
            objective: question.cost.to_string(),
            algorithm: question.method.to_string(),
            costs: costs::costs(question, weights, answer),
            optimality: optimality(answer),
            clusters: clusters::clusters(graph, clustering),
            arrays: arrays::arrays(graph, clustering),
            fusions: fusions::fusions(graph, weights, answer, &options),
            missed: missed::missed(graph, weights, answer, &options),
            apart: apart::apart(graph),
        }
    }

    /// The report as JSON, its fields in the order of the definitions.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only strings as keys")
    }

    /// The report as text, of 100 columns at most.
    pub fn to_text(&self) -> String {
        text::text(self)
    }
}

fn optimality(answer: &Answer) -> Optimality {
    let bound = match answer.optimal {
        true => Some(answer.cost),
        false => answer.bound,
    };
    let gap = bound.filter(|_| answer.cost > Amount::ZERO);
    Optimality {
        optimal: answer.optimal,
        bound,
        gap: gap.map(|bound| (answer.cost - bound).to_f64() / answer.cost.to_f64()),
        seconds: answer.elapsed.as_secs_f64(),
    }
}

/// So many pairs of nodes are asked about at most: fewer in large graphs, and where an array has
/// many readers, whose pairs are what the model's size grows with.
fn most_questions(graph: &Graph) -> usize {
    const EFFORT: usize = 100_000;
    const FEW_PAIRS: usize = 1_000;
    let readers = (0..graph.nodes.len()).map(|node| graph.uses_of(node).len());
    let pairs: usize = readers.map(|count| count * count / 2).sum();
    let crowd = pairs.saturating_mul(pairs) / FEW_PAIRS;
    EFFORT / (graph.nodes.len() + graph.uses.len() + pairs + crowd).max(1)
}
