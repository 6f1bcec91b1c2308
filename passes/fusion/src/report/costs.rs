//! What answers cost.

use serde::Serialize;

use super::Question;
use crate::{
    algorithms::Algorithm,
    amount::Amount,
    clustering::Clustering,
    cost::{CostOptions, Weights, bytes_of_arrays},
    evaluate::{distinct_reads, stored_arrays},
    graph::Graph,
    legality,
    method::{Answer, Method},
};

/// What the answer of an algorithm costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostRow {
    /// The algorithm.
    pub algorithm: String,
    /// Whether this is the answer that the report is about.
    pub chosen: bool,
    /// Whether it fulfils all wishes and keeps all limits.
    pub allowed: bool,
    /// What it costs.
    pub cost: Amount,
    /// The outermost loops.
    pub loops: usize,
    /// Arrays that the outermost loops read, once for each loop and order.
    pub reads: usize,
    /// Arrays that are stored.
    pub writes: usize,
    /// The bytes that these reads and writes move, if all sizes are known.
    pub bytes: Option<f64>,
}

/// The answers that are compared with the one of the report: no fusion, what the
/// exact solver starts with, and the exact solution, if it is proven.
pub(super) fn costs(question: &Question, weights: &Weights, answer: &Answer) -> Vec<CostRow> {
    let others = [
        Method::Other(Algorithm::Singleton),
        Method::Other(Algorithm::GreedyBottomUp),
        Method::Exact,
    ];
    let mut rows: Vec<CostRow> = others
        .into_iter()
        .filter(|&method| method != question.method)
        .filter_map(|method| {
            let clustering = other_clustering(question, weights, method)?;
            Some(row(question, weights, &clustering, method))
        })
        .collect();
    rows.push(CostRow {
        chosen: true,
        ..row(question, weights, &answer.clustering, question.method)
    });
    rows
}

/// What another method gives, whether or not that fulfils wishes and keeps limits.
fn other_clustering(question: &Question, weights: &Weights, method: Method) -> Option<Clustering> {
    if let Method::Other(algorithm) = method {
        let outcome = crate::algorithms::run(question.graph, weights, algorithm, None);
        return Some(outcome.clustering);
    }
    let answer = method.solve(question.graph, weights, question.bounds);
    let proven = answer.ok().filter(|answer| answer.optimal);
    proven.map(|answer| answer.clustering)
}

fn row(question: &Question, weights: &Weights, clustering: &Clustering, method: Method) -> CostRow {
    let graph = question.graph;
    let legal = legality::check(graph, clustering).is_ok();
    CostRow {
        algorithm: method.to_string(),
        chosen: false,
        allowed: legal && question.bounds.limits.hold(graph, clustering),
        cost: crate::evaluate::evaluate(graph, clustering, weights),
        loops: clustering.groups(graph, 1).len(),
        reads: distinct_reads(graph, clustering, 1).len(),
        writes: stored_arrays(graph, clustering, 1).len(),
        bytes: bytes_moved(graph, clustering, question.cost_options),
    }
}

fn bytes_moved(graph: &Graph, clustering: &Clustering, options: &CostOptions) -> Option<f64> {
    let bytes = bytes_of_arrays(graph, options);
    let mut moved = distinct_reads(graph, clustering, 1);
    moved.extend(stored_arrays(graph, clustering, 1));
    let known = moved.iter().all(|&node| graph.nodes[node].size.is_some());
    // A sum of nothing is -0 in Rust.
    known.then(|| moved.iter().fold(0.0, |sum, &node| sum + bytes[node]))
}
