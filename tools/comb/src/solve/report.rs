//! What `comb solve` prints: a table, the loops of a single graph, or JSON.

use std::fmt::Write;

use comb_fusion::{
    evaluate::distinct_reads,
    graph::{FORWARDS, Graph, NodeId},
};
use serde_json::{Map, Value, json};

use crate::solve::{Solved, interrupt};

/// Costs are sums of rounded numbers.
const TOLERANCE: f64 = 1e-6;

/// One line of JSON for each graph.
pub fn json(solved: &[Solved]) -> String {
    solved
        .iter()
        .map(|solved| format!("{}\n", json_of(solved)))
        .collect()
}

fn json_of(solved: &Solved) -> Value {
    let Solved { problem, answer } = solved;
    let graph = &problem.graph;
    let mut report = Map::new();
    let mut put = |key: &str, value: Value| {
        report.insert(key.to_owned(), value);
    };
    put("name", json!(problem.name));
    put("file", json!(problem.file));
    put("combinators", json!(graph.combinators()));
    put("objective", json!(problem.cost.to_string()));
    put("cost", number(answer.cost));
    put("bound", answer.bound.map_or(Value::Null, number));
    put("optimal", json!(answer.optimal));
    let stored = problem.stored_optimum();
    put("stored_optimum", stored.map_or(Value::Null, number));
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
    Value::Object(report)
}

/// Whole numbers without a fraction.
fn number(value: f64) -> Value {
    const EXACT: f64 = (1u64 << 53) as f64;
    if value.fract() == 0.0 && value.abs() < EXACT {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn id(graph: &Graph, node: NodeId) -> u64 {
    graph.nodes[node].external_id
}

fn loops(solved: &Solved, level: usize) -> Value {
    let graph = &solved.problem.graph;
    let groups = solved.answer.clustering.groups(graph, level);
    let ids = groups.iter().map(|group| {
        let ids: Vec<u64> = group.iter().map(|&node| id(graph, node)).collect();
        json!(ids)
    });
    ids.collect()
}

/// By id, the orders of the levels; those that go forwards are left out.
fn orders(solved: &Solved) -> Value {
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

fn reads(solved: &Solved) -> usize {
    let Solved { problem, answer } = solved;
    let stencils = problem.cost_options.stencils;
    distinct_reads(&problem.graph, &answer.clustering, stencils, 1).len()
}

fn writes(solved: &Solved) -> usize {
    let graph = &solved.problem.graph;
    let clustering = &solved.answer.clustering;
    (0..graph.nodes.len())
        .filter(|&node| !graph.is_input(node) && graph.nodes[node].rank > 0)
        .filter(|&node| !clustering.is_contracted(graph, 1, node))
        .count()
}

/// A table with a row for each graph; of a single one also its loops.
pub fn text(solved: &[Solved]) -> String {
    let header = [
        "graph", "nodes", "loops", "reads", "writes", "cost", "", "seconds",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(solved.iter().map(row));
    let mut text = table(&rows);
    if let [solved] = solved {
        text.push('\n');
        for level in 1..=solved.problem.graph.levels {
            text += &loops_in_words(solved, level);
        }
    }
    if interrupt::is_wanted() {
        text += "\ninterrupted: these are the best answers so far\n";
    }
    text
}

fn row(solved: &Solved) -> Vec<String> {
    let Solved { problem, answer } = solved;
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
        rounded(answer.cost),
        judgement(solved),
        format!("{:.3}", answer.elapsed.as_secs_f64()),
    ]
}

/// What is known of a cost.
fn judgement(solved: &Solved) -> String {
    let answer = &solved.answer;
    if answer.optimal {
        return "optimal".to_owned();
    }
    if let Some(stored) = solved.problem.stored_optimum() {
        let over = answer.cost - stored;
        return match over <= TOLERANCE * stored.max(1.0) {
            true => "the optimum of the file".to_owned(),
            false => format!("optimum of the file: {}", rounded(stored)),
        };
    }
    match answer.bound {
        Some(bound) if answer.cost > 0.0 => {
            let gap = (answer.cost - bound) / answer.cost;
            format!("at least {}, gap {:.1} %", rounded(bound), 100.0 * gap)
        }
        _ => "not proven".to_owned(),
    }
}

/// With three digits behind the point at most.
fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// Columns two blanks apart: the first and the judgement to the left, the others
/// to the right.
fn table(rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 | 6 => write!(line, "{cell:<width$}  "),
                _ => write!(line, "{cell:>width$}  "),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn loops_in_words(solved: &Solved, level: usize) -> String {
    let graph = &solved.problem.graph;
    let groups = solved.answer.clustering.groups(graph, level);
    let title = match graph.levels {
        1 => "loop".to_owned(),
        _ => format!("level {level}, loop"),
    };
    let lines = groups.iter().enumerate().map(|(position, group)| {
        let nodes: Vec<String> = group
            .iter()
            .map(|&node| node_in_words(solved, node, level))
            .collect();
        format!("{title} {}: {}\n", position + 1, nodes.join(", "))
    });
    lines.collect()
}

fn node_in_words(solved: &Solved, node: NodeId, level: usize) -> String {
    let name = &solved.problem.graph.nodes[node].name;
    match solved.answer.clustering.orders[node][level - 1] {
        FORWARDS => name.clone(),
        order => format!("{name} (order {order})"),
    }
}
