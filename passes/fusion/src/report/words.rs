//! Why nodes are not fused, in words.

use crate::{
    exact::{NotFused, Reason},
    graph::{Graph, NodeId, UseId},
};

/// Why two nodes are not fused, as a sentence without its point.
pub fn not_fused(graph: &Graph, pair: &NotFused) -> String {
    let reason = in_words(graph, &pair.reason);
    sentence(graph, pair.nodes, pair.array, &reason)
}

/// A sentence about two nodes that access an array and are not fused.
pub(super) fn sentence(
    graph: &Graph,
    nodes: (NodeId, NodeId),
    array: NodeId,
    reason: &str,
) -> String {
    let [one, other, over] = [nodes.0, nodes.1, array].map(|node| &graph.nodes[node].name);
    let over = match array == nodes.0 {
        true => String::new(),
        false => format!(" over {over}"),
    };
    format!("{one} and {other} are not fused{over}: {reason}")
}

/// A reason as a clause.
pub fn in_words(graph: &Graph, reason: &Reason) -> String {
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
            format!("work would be done again, at a price of {}", price)
        }
        Reason::CostsMore { by, .. } if by.is_zero() => {
            "another answer that fuses them costs no less".to_owned()
        }
        Reason::CostsMore { by, exact } => {
            let least = if *exact { "" } else { "at least " };
            format!("everything would cost {least}{by} more")
        }
        Reason::Forbidden => "that is forbidden".to_owned(),
        Reason::LimitReached => "a limit would be exceeded".to_owned(),
    }
}

/// With three digits behind the point at most.
pub(super) fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
