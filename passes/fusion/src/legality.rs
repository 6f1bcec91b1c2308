//! Whether a clustering is legal: the rules of P-gather, 3.2 to 3.4, at every
//! level.
//!
//! 1. Clusters of a level lie inside those of the level outside of it.
//! 2. Every use inside a cluster is fused: it may be, and the orders of producer
//!    and consumer agree (VERTICAL and DIAGONAL of Figure 2).
//! 3. Nodes that have to be in earlier clusters are (constraint 9), and clusters
//!    do not depend on each other in a cycle.
//! 4. A node whose order is a gather's label is contracted, and all that use it
//!    read it so: all its elements are computed ('simple3' of 3.3). It must not be
//!    one that needs all elements for itself.
//! 5. Scans go in their own order; labels cover their levels as a whole. A use is
//!    not fused over levels of a label of its reader that covers more than what
//!    the use reads in the reader's order.
//! 6. The nodes of a cluster are connected.
//! 7. Inseparable uses are fused where they can be, and the user's wishes are
//!    fulfilled.
//!
//! Cost: linear in the size of the graph, for each level.

use petgraph::{algo::kosaraju_scc, graph::DiGraph, graph::NodeIndex};
use thiserror::Error;

use crate::{
    clustering::Clustering,
    connections,
    graph::{FIRST_LABEL, Graph, NodeId, Order, UseId},
};

/// Why a clustering is not legal. Levels count from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named in the messages")]
pub enum Illegal {
    #[error("it does not have a cluster and an order for every node and level")]
    Shape,
    #[error("at level {level}, nodes {one} and {other} share a loop, but not the loop around it")]
    NotNested {
        level: usize,
        one: NodeId,
        other: NodeId,
    },
    #[error("at level {level}, a cluster holds use {array_use}, which cannot be fused")]
    Unfusible { level: usize, array_use: UseId },
    #[error(
        "at level {level}, use {array_use} is fused, but its array is computed in order \
         {computed} and read in order {read}"
    )]
    OrderConflict {
        level: usize,
        array_use: UseId,
        computed: Order,
        read: Order,
    },
    #[error(
        "at level {level}, use {array_use} is fused, but its reader's order {label} is that of \
         more coordinates than those that are read"
    )]
    Straddled {
        level: usize,
        array_use: UseId,
        label: Order,
    },
    #[error(
        "at level {level}, nodes {first} and {second} are in one cluster, not one before the other"
    )]
    NotBefore {
        level: usize,
        first: NodeId,
        second: NodeId,
    },
    #[error("at level {level}, the clusters of nodes {0:?} depend on each other", .nodes)]
    Cycle { level: usize, nodes: Vec<NodeId> },
    #[error("node {node} is computed in the order of gather {label}, which may not need all of it")]
    Incomplete { node: NodeId, label: Order },
    #[error("at level {level}, node {node} cannot be computed in order {order}")]
    WrongOrder {
        level: usize,
        node: NodeId,
        order: Order,
    },
    #[error("at level {level}, nodes {one} and {other} are in one cluster, but not connected")]
    NotConnected {
        level: usize,
        one: NodeId,
        other: NodeId,
    },
    #[error("at level {level}, use {array_use} is not fused, though it is inseparable")]
    Separated { level: usize, array_use: UseId },
    #[error("nodes {one} and {other} are not in one cluster, as they have to be")]
    NotForced { one: NodeId, other: NodeId },
    #[error("nodes {one} and {other} are in one cluster, which is forbidden")]
    Forbidden { one: NodeId, other: NodeId },
}

/// Checks a clustering.
///
/// # Errors
///
/// The first rule that it breaks.
pub fn check(graph: &Graph, clustering: &Clustering) -> Result<(), Illegal> {
    check_shape(graph, clustering)?;
    for level in 1..=graph.levels {
        check_nesting(graph, clustering, level)?;
        check_uses(graph, clustering, level)?;
        check_order_of_clusters(graph, clustering, level)?;
        check_connected(graph, clustering, level)?;
    }
    for node in 0..graph.nodes.len() {
        check_orders(graph, clustering, node)?;
    }
    check_inseparable(graph, clustering)?;
    check_wishes(graph, clustering)
}

fn check_shape(graph: &Graph, clustering: &Clustering) -> Result<(), Illegal> {
    let nodes = graph.nodes.len();
    let clusters = clustering.clusters.len() == graph.levels
        && clustering
            .clusters
            .iter()
            .all(|level| level.len() == nodes && level.iter().all(|&cluster| cluster < nodes));
    let orders = clustering.orders.len() == nodes
        && clustering
            .orders
            .iter()
            .all(|orders| orders.len() == graph.levels);
    if clusters && orders {
        Ok(())
    } else {
        Err(Illegal::Shape)
    }
}

fn check_nesting(graph: &Graph, clustering: &Clustering, level: usize) -> Result<(), Illegal> {
    let mut first = vec![None; graph.nodes.len()];
    for (node, &cluster) in clustering.clusters[level - 1].iter().enumerate() {
        let one = *first[cluster].get_or_insert(node);
        let has_loop = |node: NodeId| !graph.is_input(node) && graph.nodes[node].depth >= level;
        let nested = level == 1 || clustering.together(level - 1, one, node);
        if one != node && !(has_loop(one) && has_loop(node) && nested) {
            let other = node;
            return Err(Illegal::NotNested { level, one, other });
        }
    }
    Ok(())
}

fn check_uses(graph: &Graph, clustering: &Clustering, level: usize) -> Result<(), Illegal> {
    for (id, array_use) in graph.uses.iter().enumerate() {
        if !clustering.together(level, array_use.from, array_use.to) {
            continue;
        }
        if graph.fusible_levels(array_use) < level {
            let array_use = id;
            return Err(Illegal::Unfusible { level, array_use });
        }
        let computed = clustering.orders[array_use.from][level - 1];
        let read = clustering.read_order(graph, array_use, level);
        if computed != read {
            return Err(Illegal::OrderConflict {
                level,
                array_use: id,
                computed,
                read,
            });
        }
        let straddling = clustering.orders[array_use.to].iter().find(|&&order| {
            graph
                .unaligned_from(array_use, order)
                .is_some_and(|first| level >= first)
        });
        if let Some(&label) = straddling {
            let array_use = id;
            return Err(Illegal::Straddled {
                level,
                array_use,
                label,
            });
        }
    }
    Ok(())
}

fn check_order_of_clusters(
    graph: &Graph,
    clustering: &Clustering,
    level: usize,
) -> Result<(), Illegal> {
    let clusters = &clustering.clusters[level - 1];
    for &(first, second) in &graph.before {
        if clusters[first] == clusters[second] {
            return Err(Illegal::NotBefore {
                level,
                first,
                second,
            });
        }
    }
    let mut quotient: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..graph.nodes.len() {
        quotient.add_node(());
    }
    let uses = graph.uses.iter();
    for (from, to) in uses
        .map(|array_use| (array_use.from, array_use.to))
        .chain(graph.before.iter().copied())
    {
        if clusters[from] != clusters[to] {
            let ends = (NodeIndex::new(clusters[from]), NodeIndex::new(clusters[to]));
            quotient.add_edge(ends.0, ends.1, ());
        }
    }
    match kosaraju_scc(&quotient).iter().find(|part| part.len() > 1) {
        None => Ok(()),
        Some(part) => Err(Illegal::Cycle {
            level,
            nodes: (0..graph.nodes.len())
                .filter(|&node| part.contains(&NodeIndex::new(clusters[node])))
                .collect(),
        }),
    }
}

fn check_connected(graph: &Graph, clustering: &Clustering, level: usize) -> Result<(), Illegal> {
    let mut parts = petgraph::unionfind::UnionFind::new(graph.nodes.len());
    for (one, other) in connections::connected_pairs(graph, clustering, level) {
        parts.union(one, other);
    }
    let mut first = vec![None; graph.nodes.len()];
    for (node, &cluster) in clustering.clusters[level - 1].iter().enumerate() {
        let one = *first[cluster].get_or_insert(node);
        if !parts.equiv(one, node) {
            let other = node;
            return Err(Illegal::NotConnected { level, one, other });
        }
    }
    Ok(())
}

/// Rules 4 and 5.
fn check_orders(graph: &Graph, clustering: &Clustering, node: NodeId) -> Result<(), Illegal> {
    if graph.is_input(node) {
        return Ok(());
    }
    let labels = graph.label_levels();
    let depth = graph.nodes[node].depth.min(graph.levels);
    for level in 1..=depth {
        let order = clustering.orders[node][level - 1];
        let wrong = Illegal::WrongOrder { level, node, order };
        if graph
            .fixed_order(node, level)
            .is_some_and(|fixed| fixed != order)
        {
            return Err(wrong);
        }
        if order < FIRST_LABEL {
            continue;
        }
        let Some(covered) = labels.get(&order) else {
            return Err(wrong);
        };
        let scanned = |level| graph.fixed_order(node, level).is_some();
        let whole = covered.contains(&level)
            && !covered.clone().any(scanned)
            && *covered.end() <= graph.nodes[node].rank.min(graph.nodes[node].depth)
            && covered
                .clone()
                .filter(|&other| other <= graph.levels)
                .all(|other| clustering.orders[node][other - 1] == order);
        if !whole {
            return Err(wrong);
        }
        let complete = !graph.needs_all(node)
            && !graph.uses_of(node).is_empty()
            && clustering.is_contracted(graph, *covered.start(), node)
            && graph.uses_of(node).iter().all(|&array_use| {
                clustering.read_order(graph, &graph.uses[array_use], level) == order
            });
        if !complete {
            return Err(Illegal::Incomplete { node, label: order });
        }
    }
    Ok(())
}

fn check_inseparable(graph: &Graph, clustering: &Clustering) -> Result<(), Illegal> {
    for (id, array_use) in graph.uses.iter().enumerate() {
        for level in 1..=graph.inseparable_levels(array_use) {
            if !clustering.together(level, array_use.from, array_use.to) {
                let array_use = id;
                return Err(Illegal::Separated { level, array_use });
            }
        }
    }
    Ok(())
}

fn check_wishes(graph: &Graph, clustering: &Clustering) -> Result<(), Illegal> {
    for &(one, other) in &graph.forced {
        if !clustering.together(1, one, other) {
            return Err(Illegal::NotForced { one, other });
        }
    }
    for &(one, other) in &graph.forbidden {
        if clustering.together(1, one, other) {
            return Err(Illegal::Forbidden { one, other });
        }
    }
    Ok(())
}
