//! Why nodes of a graph are not fused, in words and as JSON.

use comb_fusion::{
    exact::{self, NotFused, Reason},
    graph::{Graph, NodeId, UseId},
};
use serde_json::{Value, json};

use crate::solve::{
    interrupt,
    method::Answer,
    problem::Problem,
    report::{number, rounded},
};

/// The reasons for what an optimal answer does not fuse.
pub fn reasons(problem: &Problem, answer: &Answer) -> Vec<NotFused> {
    let options = exact::SolveOptions {
        time_limit: None,
        stop: Some(interrupt::stop()),
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
            Reason::DuplicatesWork { price } => ("duplicates-work", number(*price)),
            Reason::CostsMore { by, exact: true } => ("costs-more", number(*by)),
            Reason::CostsMore { by, exact: false } => ("costs-more-at-least", number(*by)),
            Reason::Forbidden => ("forbidden", Value::Null),
            Reason::LimitReached => ("limit-reached", Value::Null),
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
    let mut text = String::new();
    for pair in reasons {
        let [one, other, array] =
            [pair.nodes.0, pair.nodes.1, pair.array].map(|node| &graph.nodes[node].name);
        let over = match pair.array == pair.nodes.0 {
            true => String::new(),
            false => format!(" over {array}"),
        };
        let why = in_words(graph, &pair.reason);
        text += &format!("{one} and {other} are not fused{over}: {why}\n");
    }
    text
}

fn in_words(graph: &Graph, reason: &Reason) -> String {
    let name = |node: NodeId| &graph.nodes[node].name;
    let ends = |array_use: UseId| {
        let array_use = &graph.uses[array_use];
        (name(array_use.from), name(array_use.to))
    };
    match reason {
        Reason::UnfusibleUse { array_use } => {
            let (array, reader) = ends(*array_use);
            format!("{reader} does not read {array} element by element in a known order")
        }
        Reason::OrderConflict { with } => {
            format!("{} needs another order", name(*with))
        }
        Reason::SizeNotEqual { array_use } => {
            let (array, reader) = ends(*array_use);
            format!("{array} and {reader} are not known to be equally long")
        }
        Reason::Cycle { through } => {
            let names: Vec<&str> = through.iter().map(|&node| name(node).as_str()).collect();
            format!("{} has to run between them", names.join(", "))
        }
        Reason::DuplicatesWork { price } => {
            format!(
                "work would be done again, at a price of {}",
                rounded(*price)
            )
        }
        Reason::CostsMore { by, .. } if *by == 0.0 => {
            "another answer that fuses them costs no less".to_owned()
        }
        Reason::CostsMore { by, exact } => {
            let least = if *exact { "" } else { "at least " };
            format!("everything would cost {least}{} more", rounded(*by))
        }
        Reason::Forbidden => "that is forbidden".to_owned(),
        Reason::LimitReached => "a limit would be exceeded".to_owned(),
    }
}
