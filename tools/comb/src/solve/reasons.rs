//! Why nodes of a graph are not fused, in words and as JSON.

use comb_fusion::{
    exact::{self, NotFused, Reason},
    graph::{Graph, NodeId, UseId},
    report,
};
use serde_json::{Value, json};

use crate::solve::{interrupt, method::Answer, problem::Problem};

/// The reasons for what an optimal answer does not fuse.
pub fn reasons(problem: &Problem, answer: &Answer) -> Vec<NotFused> {
    let options = exact::SolveOptions {
        time_limit: None,
        stop: Some(interrupt::stop()),
        memory: problem.solver_memory,
        limits: problem.limits.clone(),
    };
    let (graph, weights) = (&problem.graph, &problem.weights);
    exact::reasons(graph, weights, &answer.clustering, &options)
}

/// One object for each pair.
pub fn json(graph: &Graph, reasons: &[NotFused]) -> Value {
    let id = |node: NodeId| graph.nodes[node].external_id;
    let ends = |array_use: UseId| {
        let array_use = &graph.uses[array_use];
        json!([id(array_use.from), id(array_use.to)])
    };
    let pairs = reasons.iter().map(|pair| {
        let (kind, detail) = match &pair.reason {
            Reason::UnfusibleUse { array_use } => ("unfusible-use", ends(*array_use)),
            Reason::OrderConflict { with } => ("order-conflict", json!(id(*with))),
            Reason::SizeNotEqual { array_use } => ("size-not-equal", ends(*array_use)),
            Reason::Cycle { through } => {
                let ids: Vec<u64> = through.iter().map(|&node| id(node)).collect();
                ("cycle", json!(ids))
            }
            Reason::DuplicatesWork { price } => ("duplicates-work", json!(price)),
            Reason::CostsMore { by, exact: true } => ("costs-more", json!(by)),
            Reason::CostsMore { by, exact: false } => ("costs-more-at-least", json!(by)),
            Reason::Forbidden => ("forbidden", Value::Null),
            Reason::LimitReached => ("limit-reached", Value::Null),
            Reason::Impossible => ("impossible", Value::Null),
        };
        json!({
            "nodes": [id(pair.nodes.0), id(pair.nodes.1)],
            "array": id(pair.array),
            "reason": kind,
            "detail": detail,
        })
    });
    pairs.collect()
}

/// One line for each pair.
pub fn text(graph: &Graph, reasons: &[NotFused]) -> String {
    let lines = reasons.iter().map(|pair| report::not_fused(graph, pair));
    lines.map(|line| format!("{line}\n")).collect()
}
