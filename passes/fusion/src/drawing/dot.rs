//! The picture as text for Graphviz, for those who want to change it.

use std::fmt::Write;

use crate::{
    clustering::Clustering,
    drawing::{
        arrows::{self, Look},
        captions,
        hierarchy::{GroupId, Hierarchy, ROOT},
    },
    graph::{Graph, NodeId},
};

/// The whole text.
pub(super) fn draw(graph: &Graph, clustering: Option<&Clustering>) -> String {
    let hierarchy = Hierarchy::new(graph, clustering);
    let mut dot = format!("digraph {} {{\n", quoted(&graph.name));
    dot += "  compound=true; newrank=true;\n  node [shape=box, style=\"rounded,filled\", \
            fillcolor=white, fontname=Helvetica];\n";
    draw_group(graph, &hierarchy, ROOT, 1, &mut dot);
    for arrow in arrows::arrows(graph, clustering) {
        let style = match arrow.look {
            Look::Fused => "color=\"#1c6e8c\", penwidth=2.4",
            Look::Fusible => "color=\"#4b525d\"",
            Look::Unfusible => "color=\"#4b525d:invis:#4b525d\"",
            Look::Before => "color=\"#9aa0aa\", style=dotted",
        };
        let _ = write!(dot, "  {} -> {} [{style}", arrow.from, arrow.to);
        if !arrow.tag.is_empty() {
            let _ = write!(dot, ", headlabel={}", quoted(&arrow.tag));
        }
        dot += "];\n";
    }
    dot + "}\n"
}

fn draw_group(
    graph: &Graph,
    hierarchy: &Hierarchy,
    group: GroupId,
    depth: usize,
    dot: &mut String,
) {
    let indent = "  ".repeat(depth);
    for (inner, inside) in hierarchy.groups.iter().enumerate().skip(1) {
        if inside.parent == group {
            let _ = writeln!(dot, "{indent}subgraph cluster_{inner} {{");
            let _ = writeln!(
                dot,
                "{indent}  style=\"rounded,filled\"; color=\"#1c6e8c22\";"
            );
            draw_group(graph, hierarchy, inner, depth + 1, dot);
            let _ = writeln!(dot, "{indent}}}");
        }
    }
    for (node, &innermost) in hierarchy.group_of.iter().enumerate() {
        if innermost == group {
            let _ = writeln!(dot, "{indent}{node} [{}];", attributes(graph, node));
        }
    }
}

fn attributes(graph: &Graph, node: NodeId) -> String {
    let label = quoted(&captions(graph, node).join("\n"));
    let shape = match (graph.is_input(node), graph.nodes[node].result) {
        (true, _) => ", shape=ellipse, style=\"dashed,filled\", fillcolor=\"#eceef1\"",
        (false, true) => ", peripheries=2",
        (false, false) => "",
    };
    format!("label={label}{shape}")
}

/// A string as Graphviz reads it.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n").replace('\r', " "))
}
