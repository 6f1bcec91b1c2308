//! The picture as text for Graphviz, for those who want to change it.

use std::fmt::Write;

use comb_fusion::{
    clustering::Clustering,
    graph::{Graph, NodeId},
};

use crate::{
    arrows::{self, Look},
    captions::Captions,
    hierarchy::{GroupId, Hierarchy, ROOT},
};

/// The whole text.
pub(super) fn draw(graph: &Graph, clustering: Option<&Clustering>) -> String {
    let hierarchy = Hierarchy::new(graph, clustering);
    let mut dot = format!("digraph {} {{\n", quoted(&graph.name));
    dot += "  compound=true; newrank=true;\n  node [shape=box, style=\"rounded,filled\", \
            fillcolor=white, fontname=Helvetica];\n";
    let drawing = Drawing {
        graph,
        captions: Captions::new(graph, &hierarchy),
        contents: contents(&hierarchy),
        hierarchy,
    };
    drawing.draw_group(ROOT, 1, &mut dot);
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

/// What is drawn.
struct Drawing<'g> {
    graph: &'g Graph,
    hierarchy: Hierarchy,
    captions: Captions,
    /// By group.
    contents: Vec<Contents>,
}

/// What is directly in a group.
#[derive(Clone, Default)]
struct Contents {
    groups: Vec<GroupId>,
    nodes: Vec<NodeId>,
}

fn contents(hierarchy: &Hierarchy) -> Vec<Contents> {
    let mut contents = vec![Contents::default(); hierarchy.groups.len()];
    for (group, inside) in hierarchy.groups.iter().enumerate().skip(1) {
        contents[inside.parent].groups.push(group);
    }
    for (node, &group) in hierarchy.group_of.iter().enumerate() {
        contents[group].nodes.push(node);
    }
    contents
}

impl Drawing<'_> {
    fn draw_group(&self, group: GroupId, depth: usize, dot: &mut String) {
        let indent = "  ".repeat(depth);
        for &inner in &self.contents[group].groups {
            let _ = writeln!(
                dot,
                "{indent}subgraph cluster_{inner} {{\n{indent}  style=\"rounded,filled\"; \
                 color=\"#1c6e8c22\"; label=\"loop {}\"; labeljust=l; fontname=Helvetica;",
                self.hierarchy.groups[inner].number
            );
            self.draw_group(inner, depth + 1, dot);
            let _ = writeln!(dot, "{indent}}}");
        }
        for &node in &self.contents[group].nodes {
            let _ = writeln!(dot, "{indent}{node} [{}];", self.attributes(node));
        }
    }

    fn attributes(&self, node: NodeId) -> String {
        let label = quoted(&self.captions.of(node).join("\n"));
        let shape = match (self.graph.is_input(node), self.graph.nodes[node].result) {
            (true, _) => ", shape=ellipse, style=\"dashed,filled\", fillcolor=\"#eceef1\"",
            (false, true) => ", peripheries=2",
            (false, false) => "",
        };
        format!("label={label}{shape}")
    }
}

/// A string as Graphviz reads it.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n").replace('\r', " "))
}
