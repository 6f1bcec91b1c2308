//! What is drawn between nodes.

use std::collections::BTreeMap;

use comb_fusion::{
    clustering::Clustering,
    graph::{FORWARDS, Graph, NodeId, Order, Use},
};

/// How an arrow looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// Fused in this clustering.
    Fused,
    /// It may be fused.
    Fusible,
    /// It cannot.
    Unfusible,
    /// No use: the one has to run before the other.
    Before,
}

/// One or more uses that look alike.
#[derive(Clone, Debug)]
pub(super) struct Arrow {
    pub from: NodeId,
    pub to: NodeId,
    pub look: Look,
    /// The orders in which it reads, other than forwards, and how often; or
    /// nothing.
    pub tag: String,
    /// Whether only its head is drawn, with the name of where it comes from in its tag.
    pub is_stub: bool,
}

/// The arrows of a graph, by reader.
pub(super) fn arrows(graph: &Graph, clustering: Option<&Clustering>) -> Vec<Arrow> {
    let mut counts: BTreeMap<(NodeId, NodeId, Look, String), usize> = BTreeMap::new();
    for array_use in &graph.uses {
        let key = (
            array_use.to,
            array_use.from,
            look(graph, clustering, array_use),
            orders(graph, clustering, array_use),
        );
        *counts.entry(key).or_default() += 1;
    }
    for &(first, second) in &graph.before {
        counts
            .entry((second, first, Look::Before, String::new()))
            .or_insert(1);
    }
    counts
        .into_iter()
        .map(|((to, from, look, orders), count)| Arrow {
            from,
            to,
            look,
            tag: match count {
                1 => orders,
                _ => format!("{orders}×{count}"),
            },
            is_stub: false,
        })
        .collect()
}

fn look(graph: &Graph, clustering: Option<&Clustering>, array_use: &Use) -> Look {
    let together =
        clustering.is_some_and(|clustering| clustering.together(1, array_use.from, array_use.to));
    match graph.fusible_levels(array_use) {
        0 => Look::Unfusible,
        _ if together => Look::Fused,
        _ => Look::Fusible,
    }
}

fn orders(graph: &Graph, clustering: Option<&Clustering>, array_use: &Use) -> String {
    let mut orders: Vec<Order> = match clustering {
        None => array_use.label.into_iter().collect(),
        Some(clustering) => (1..=graph.ordered_levels(array_use))
            .map(|level| clustering.read_order(graph, array_use, level))
            .collect(),
    };
    orders.retain(|&order| order != FORWARDS);
    orders.sort_unstable();
    orders.dedup();
    let orders: Vec<String> = orders.iter().map(Order::to_string).collect();
    orders.join(",")
}
