//! Reports as text: tables, and lists that are wrapped.

use super::{
    ClusterInput, ClusterMember, ClusterRead, ClusterReport, Fusion, FusionKind, Gain, NodeName,
    Optimality, Report, words::rounded,
};
use crate::graph::FORWARDS;

/// The most columns of a line.
const WIDTH: usize = 100;

/// The report as text.
pub(super) fn text(report: &Report) -> String {
    let mut parts = vec![
        format!(
            "{}: {} by {}\n",
            report.graph, report.objective, report.algorithm
        ),
        costs(report) + &optimality(&report.optimality),
        section("Loops", &clusters(&report.clusters, 0)),
        section("Arrays", &arrays(report)),
        section("Fused", &fusions(&report.fusions)),
    ];
    let missed = report.missed.iter();
    let apart = report.apart.iter().map(|apart| &apart.sentence);
    let missed = missed.map(|pair| &pair.sentence).chain(apart);
    let missed: String = missed.map(|sentence| wrapped(sentence, 0)).collect();
    parts.push(section("Not fused", &missed));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn section(title: &str, content: &str) -> String {
    match content {
        "" => String::new(),
        _ => format!("{title}\n\n{content}"),
    }
}

fn costs(report: &Report) -> String {
    let mut rows = vec![header(["algorithm", "cost", "loops", "reads", "writes"])];
    let bytes = report.costs.iter().any(|row| row.bytes.is_some());
    if bytes {
        rows[0].push("bytes".to_owned());
    }
    rows[0].push(String::new());
    for row in &report.costs {
        let mut cells = vec![
            row.algorithm.clone(),
            row.cost.to_string(),
            row.loops.to_string(),
            row.reads.to_string(),
            row.writes.to_string(),
        ];
        if bytes {
            cells.push(row.bytes.map_or_else(|| "-".to_owned(), rounded));
        }
        let remarks = [
            (row.chosen, "this answer"),
            (!row.allowed, "breaks a wish or limit"),
        ];
        let remarks = remarks.into_iter().filter(|(holds, _)| *holds);
        let remarks: Vec<&str> = remarks.map(|(_, remark)| remark).collect();
        cells.push(remarks.join(", "));
        rows.push(cells);
    }
    table(&rows, &[0, rows[0].len() - 1])
}

fn optimality(optimality: &Optimality) -> String {
    let proven = match (optimality.optimal, optimality.bound, optimality.gap) {
        (true, ..) => "No answer costs less.".to_owned(),
        (false, Some(bound), Some(gap)) => format!(
            "No answer costs less than {}; the gap is {:.1} %.",
            bound,
            100.0 * gap
        ),
        _ => "Nothing is known of what others cost at least.".to_owned(),
    };
    format!("\n{proven} It took {:.3} s.\n", optimality.seconds)
}

fn clusters(clusters: &[ClusterReport], depth: usize) -> String {
    let mut text = String::new();
    let indent = 2 * depth;
    for cluster in clusters {
        let members: Vec<String> = cluster.members.iter().map(member).collect();
        let head = format!("loop {}: {}", cluster.number, members.join(", "));
        text += &wrapped(head.trim_end(), indent);
        let inputs: Vec<String> = cluster.inputs.iter().map(input).collect();
        let outputs: Vec<String> = cluster.outputs.iter().map(name).collect();
        for (verb, arrays) in [("reads", inputs), ("writes", outputs)] {
            if !arrays.is_empty() {
                let list = format!("{verb} {}", arrays.join(", "));
                text += &wrapped(&list, indent + 2);
            }
        }
        text += &self::clusters(&cluster.clusters, depth + 1);
    }
    text
}

fn name(node: &NodeName) -> String {
    node.name.clone()
}

fn member(member: &ClusterMember) -> String {
    let mut text = name(&member.node);
    if let Some(location) = &member.node.location {
        text += &format!(" ({location})");
    }
    if member.orders.iter().any(|&order| order != FORWARDS) {
        let orders: Vec<String> = member.orders.iter().map(ToString::to_string).collect();
        text += &format!(" in order {}", orders.join("/"));
    }
    text
}

fn input(input: &ClusterInput) -> String {
    let array = name(&input.array);
    match input.read {
        ClusterRead::Order(FORWARDS) => array,
        ClusterRead::Order(order) => format!("{array} in order {order}"),
        ClusterRead::OneElement => format!("{array} at one index"),
        ClusterRead::Random => format!("{array} at random"),
    }
}

fn arrays(report: &Report) -> String {
    let mut rows = vec![header([
        "array", "level", "reads", "fused", "saved", "writes", "fused", "saved",
    ])];
    for array in &report.arrays {
        for traffic in &array.traffic {
            let written = |written: bool| usize::from(written).to_string();
            rows.push(vec![
                name(&array.array),
                traffic.level.to_string(),
                traffic.reads_unfused.to_string(),
                traffic.reads.to_string(),
                traffic.saved_reads().to_string(),
                written(traffic.written_unfused),
                written(traffic.written),
                written(traffic.saves_write()),
            ]);
        }
    }
    match rows.len() {
        1 => String::new(),
        _ => table(&rows, &[0]),
    }
}

fn fusions(fusions: &[Fusion]) -> String {
    let mut rows = vec![header(["kind", "first", "second", "over", "level", "gain"])];
    for fusion in fusions {
        let kind = match fusion.kind {
            FusionKind::Vertical => "vertical",
            FusionKind::Diagonal => "diagonal",
            FusionKind::Horizontal => "horizontal",
        };
        rows.push(vec![
            kind.to_owned(),
            name(&fusion.first),
            name(&fusion.second),
            name(&fusion.array),
            fusion.level.to_string(),
            gain(fusion.gain),
        ]);
    }
    match rows.len() {
        1 => String::new(),
        _ => table(&rows, &[0, 1, 2, 3]),
    }
}

fn gain(gain: Gain) -> String {
    match gain {
        Gain::Exactly(more) => more.to_string(),
        Gain::AtLeast(more) => format!("{more} or more"),
        Gain::Local(saved) => format!("{saved} by itself"),
        Gain::Everything => "needed".to_owned(),
    }
}

fn header<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Columns two blanks apart, some of them to the left. Where they are too wide
/// together, the widest are cut.
fn table(rows: &[Vec<String>], to_the_left: &[usize]) -> String {
    let widths = widths(rows);
    let lines = rows.iter().map(|row| {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                let cell = cut(cell, width);
                match to_the_left.contains(&column) {
                    true => format!("{cell:<width$}"),
                    false => format!("{cell:>width$}"),
                }
            })
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    });
    lines.collect()
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let mut widths: Vec<usize> = (0..rows[0].len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        })
        .collect();
    let between = 2 * (widths.len() - 1);
    while widths.iter().sum::<usize>() + between > WIDTH {
        let widest = widths.iter_mut().max();
        *widest.expect("a table has columns") -= 1;
    }
    widths
}

fn cut(cell: &str, width: usize) -> String {
    match cell.chars().count() > width {
        true => cell.chars().take(width - 1).chain(['…']).collect(),
        false => cell.to_owned(),
    }
}

/// Lines of words, the first with an indent, and the others with four blanks more.
/// Words that are too long for a line are broken.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = vec![];
    let mut line = " ".repeat(indent);
    let mut length = 0;
    for word in text.split(' ') {
        let mut left: Vec<char> = word.chars().collect();
        loop {
            let used = line.chars().count() + usize::from(length > 0);
            let room = WIDTH.saturating_sub(used).max(1);
            if left.len() > room && length > 0 {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent + 4)));
                length = 0;
                continue;
            }
            if length > 0 {
                line.push(' ');
            }
            let rest = left.split_off(left.len().min(room));
            length += left.len() + 1;
            line.extend(left);
            if rest.is_empty() {
                break;
            }
            left = rest;
        }
    }
    lines.push(line);
    lines.iter().map(|line| format!("{line}\n")).collect()
}
