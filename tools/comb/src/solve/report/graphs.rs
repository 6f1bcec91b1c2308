//! What is said of graphs.

use comb_fusion::{
    amount::Amount,
    evaluate::{distinct_reads, stored_arrays},
    graph::{FORWARDS, Graph, NodeId},
    report::Report,
};
use serde_json::{Map, Value, json};

use crate::solve::{SolvedGraph, interrupt, reasons};

/// One object.
pub fn json(solved: &SolvedGraph) -> Value {
    let SolvedGraph {
        problem, answer, ..
    } = solved;
    let graph = &problem.graph;
    let mut report = Map::new();
    let mut put = |key: &str, value: Value| {
        report.insert(key.to_owned(), value);
    };
    put("name", json!(problem.name));
    put("file", json!(problem.file));
    put("combinators", json!(graph.combinators()));
    put("objective", json!(problem.cost.to_string()));
    put("cost", json!(answer.cost));
    put("bound", json!(answer.bound));
    put("optimal", json!(answer.optimal));
    let stored = problem.stored_optimum();
    put("stored_optimum", json!(stored));
    put("reads", json!(reads(solved)));
    put("writes", json!(writes(solved)));
    put("seconds", json!(answer.elapsed.as_secs_f64()));
    put("interrupted", json!(interrupt::is_wanted()));
    let mut levels: Vec<Value> = (1..=graph.levels)
        .map(|level| loops(solved, level))
        .collect();
    put(
        "clusters",
        match graph.levels {
            1 => levels.swap_remove(0),
            _ => Value::Array(levels),
        },
    );
    put("orders", orders(solved));
    if let Some(found) = &solved.reasons {
        put("reasons", reasons::json(graph, found));
    }
    if let Some(report) = &solved.report {
        put("report", json!(report));
    }
    Value::Object(report)
}

fn id(graph: &Graph, node: NodeId) -> u64 {
    graph.nodes[node].external_id
}

fn loops(solved: &SolvedGraph, level: usize) -> Value {
    let graph = &solved.problem.graph;
    let groups = solved.answer.clustering.groups(graph, level);
    let ids = groups.iter().map(|group| {
        let ids: Vec<u64> = group.iter().map(|&node| id(graph, node)).collect();
        json!(ids)
    });
    ids.collect()
}

/// By id, the orders of the levels; those that go forwards are left out.
fn orders(solved: &SolvedGraph) -> Value {
    let graph = &solved.problem.graph;
    let mut result = Map::new();
    for (node, orders) in solved.answer.clustering.orders.iter().enumerate() {
        if graph.is_input(node) || orders.iter().all(|&order| order == FORWARDS) {
            continue;
        }
        let value = match graph.levels {
            1 => json!(orders[0]),
            _ => json!(orders),
        };
        result.insert(id(graph, node).to_string(), value);
    }
    Value::Object(result)
}

fn reads(solved: &SolvedGraph) -> usize {
    let SolvedGraph {
        problem, answer, ..
    } = solved;
    distinct_reads(&problem.graph, &answer.clustering, 1).len()
}

fn writes(solved: &SolvedGraph) -> usize {
    stored_arrays(&solved.problem.graph, &solved.answer.clustering, 1).len()
}

/// A table with a row for each graph.
pub fn table(solved: &[&SolvedGraph]) -> String {
    let header = [
        "graph",
        "combinators",
        "loops",
        "reads",
        "writes",
        "cost",
        "stored",
        "",
        "seconds",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(solved.iter().map(|solved| row(solved)));
    super::table(&rows)
}

/// The loops of a graph, and why others are not fused; or the whole report, if that
/// is asked for.
pub fn details(solved: &SolvedGraph) -> String {
    if let Some(report) = report(solved) {
        return report;
    }
    let everything = all_combinators(&solved.problem.graph);
    let loops = inner_loops(solved, 1, &everything);
    let lines = loops.iter().enumerate().map(|(position, nodes)| {
        let inside = in_words(solved, 1, nodes);
        format!("loop {}: {inside}\n", position + 1)
    });
    let mut text: String = lines.collect();
    if let Some(found) = &solved.reasons {
        text.push('\n');
        text += &reasons::text(&solved.problem.graph, found);
    }
    text
}

/// What every fusion is good for, if that is asked for.
pub fn report(solved: &SolvedGraph) -> Option<String> {
    solved.report.as_ref().map(Report::to_text)
}

fn row(solved: &SolvedGraph) -> Vec<String> {
    let SolvedGraph {
        problem, answer, ..
    } = solved;
    vec![
        problem.name.clone(),
        problem.graph.combinators().to_string(),
        answer
            .clustering
            .groups(&problem.graph, 1)
            .len()
            .to_string(),
        reads(solved).to_string(),
        writes(solved).to_string(),
        answer.cost.to_string(),
        stored(solved),
        judgement(solved),
        format!("{:.3}", answer.elapsed.as_secs_f64()),
    ]
}

/// The optimum that the file says, if it says one.
fn stored(solved: &SolvedGraph) -> String {
    let optimum = solved.problem.stored_optimum();
    optimum.map_or_else(|| "-".to_owned(), |optimum| optimum.to_string())
}

/// What is known of a cost.
fn judgement(solved: &SolvedGraph) -> String {
    let SolvedGraph {
        problem, answer, ..
    } = solved;
    let is_stored = problem.stored_optimum().map(|stored| answer.cost == stored);
    match (answer.optimal, is_stored, answer.bound) {
        (true, Some(false), _) => "optimal; the file is wrong".to_owned(),
        (true, ..) => "optimal".to_owned(),
        (false, Some(true), _) => "as stored".to_owned(),
        (false, _, Some(bound)) if answer.cost > Amount::ZERO => {
            let gap = (answer.cost - bound).to_f64() / answer.cost.to_f64();
            format!("at least {bound}, gap {:.1} %", 100.0 * gap)
        }
        (false, Some(false), _) => "more than stored".to_owned(),
        (false, None, _) => "not proven".to_owned(),
    }
}

fn all_combinators(graph: &Graph) -> Vec<NodeId> {
    (0..graph.nodes.len())
        .filter(|&node| !graph.is_input(node))
        .collect()
}

/// The loops of a level that some nodes are in.
fn inner_loops(solved: &SolvedGraph, level: usize, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
    let graph = &solved.problem.graph;
    let mut is_inside = vec![false; graph.nodes.len()];
    nodes.iter().for_each(|&node| is_inside[node] = true);
    let mut groups = solved.answer.clustering.groups(graph, level);
    groups.retain(|group| is_inside[group[0]]);
    groups
}

/// The nodes of a loop of a level, each inner loop in parentheses, after those
/// that are in no inner one.
fn in_words(solved: &SolvedGraph, level: usize, nodes: &[NodeId]) -> String {
    let graph = &solved.problem.graph;
    let is_inside = |node: NodeId| level < graph.levels && graph.nodes[node].depth > level;
    let outside = nodes.iter().filter(|&&node| !is_inside(node));
    let mut parts: Vec<String> = outside.map(|&node| node_in_words(solved, node)).collect();
    if level < graph.levels {
        let inner = inner_loops(solved, level + 1, nodes);
        let inner = inner.iter().map(|nodes| in_words(solved, level + 1, nodes));
        parts.extend(inner.map(|nodes| format!("({nodes})")));
    }
    parts.join(", ")
}

/// Its name, and the orders that are not forwards.
fn node_in_words(solved: &SolvedGraph, node: NodeId) -> String {
    let name = &solved.problem.graph.nodes[node].name;
    let orders = &solved.answer.clustering.orders[node];
    if orders.iter().all(|&order| order == FORWARDS) {
        return name.clone();
    }
    let orders: Vec<String> = orders.iter().map(ToString::to_string).collect();
    format!("{name} in order {}", orders.join("/"))
}
