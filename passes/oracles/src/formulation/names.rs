//! What variables are called, by the ids that nodes have in their file: letters, digits,
//! `_` and `.`, which every format of linear programs takes.

use comb_fusion::graph::{BACKWARDS, FORWARDS, Graph, NodeId, Order};

/// What a variable says of nodes, such as `unfused_3_5`.
pub(super) fn of_nodes(graph: &Graph, what: &str, nodes: &[NodeId]) -> String {
    nodes.iter().fold(what.to_owned(), |name, &node| {
        format!("{name}_{}", graph.nodes[node].external_id)
    })
}

/// What a variable says of two pairs of nodes, such as `shared_0_3_and_0_5`.
pub(super) fn of_pairs(
    graph: &Graph,
    what: &str,
    one: (NodeId, NodeId),
    other: (NodeId, NodeId),
) -> String {
    let one = of_nodes(graph, what, &[one.0, one.1]);
    of_nodes(graph, &format!("{one}_and"), &[other.0, other.1])
}

/// What a variable says of the order of a node, such as `order_3_is_backwards`.
pub(super) fn of_order(graph: &Graph, node: NodeId, relation: &str, order: Order) -> String {
    let node = of_nodes(graph, "order", &[node]);
    match order {
        FORWARDS => format!("{node}_{relation}_forwards"),
        BACKWARDS => format!("{node}_{relation}_backwards"),
        label => format!("{node}_{relation}_{label}"),
    }
}
