//! What `comb solve` prints: tables, the loops of a single graph or list, or JSON.

mod graphs;
mod operations;

use serde_json::{Value, json};
use std::fmt::Write;

use crate::solve::{Solved, interrupt};

/// One line of JSON for each file.
pub fn json(solved: &[Solved]) -> String {
    let lines = solved.iter().map(|solved| match solved {
        Solved::Graph(graph) => graphs::json(graph),
        Solved::Operations(list) => operations::json(list),
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// A table of graphs and one of lists; of a single file also the loops.
pub fn text(solved: &[Solved]) -> String {
    let mut graphs = vec![];
    let mut lists = vec![];
    for solved in solved {
        match solved {
            Solved::Graph(graph) => graphs.push(&**graph),
            Solved::Operations(list) => lists.push(list),
        }
    }
    let mut parts = vec![];
    if !graphs.is_empty() {
        parts.push(graphs::table(&graphs));
    }
    if !lists.is_empty() {
        parts.push(operations::table(&lists));
    }
    match solved {
        [_, _, ..] => parts.extend(graphs.iter().filter_map(|graph| graphs::report(graph))),
        [Solved::Graph(graph)] => parts.push(graphs::details(graph)),
        [Solved::Operations(list)] => parts.push(operations::details(list)),
        [] => {}
    }
    if interrupt::is_wanted() {
        parts.push("interrupted: these are the best answers so far\n".to_owned());
    }
    parts.join("\n")
}

/// Whole numbers without a fraction.
pub fn number(value: f64) -> Value {
    const EXACT: f64 = (1u64 << 53) as f64;
    if value.fract() == 0.0 && value.abs() < EXACT {
        json!(value as i64)
    } else {
        json!(value)
    }
}

/// With three digits behind the point at most.
pub fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// Columns two blanks apart: the first and the judgement, which has no header, to
/// the left, the others to the right.
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
            let _ = if column == 0 || rows[0][column].is_empty() {
                write!(line, "{cell:<width$}  ")
            } else {
                write!(line, "{cell:>width$}  ")
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
