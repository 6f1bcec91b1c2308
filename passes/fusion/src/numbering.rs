//! The numbers of the nodes of a graph.
//!
//! Algorithms break ties by the numbers of nodes. For their answers not to depend
//! on the order in which independent nodes were written, or on names and labels,
//! numbers follow from the structure alone: nodes are sorted so that every array
//! is computed before it is used, and among those that may be next, by a hash of
//! what is above and below them (colour refinement). Only nodes that refinement
//! cannot tell apart are left in the order of the file.
//!
//! Cost: O(rounds · (V + E) log V); the rounds are limited.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

use petgraph::{Direction, visit::EdgeRef};

use crate::{
    format::FormatError,
    graph::{Graph, Node, NodeId, Traversal, Use, UseId},
    stable_hash::hash,
};

/// Rounds of refinement; symmetric parts rarely differ only farther away.
const ROUNDS: usize = 8;

/// What the numbers of nodes and uses have become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// By the number that a node had.
    pub nodes: Vec<NodeId>,
    /// By the number that a use had.
    pub uses: Vec<UseId>,
}

/// The same graph with its nodes, uses and pairs in their final order.
///
/// # Errors
///
/// If nodes depend on themselves.
pub(crate) fn numbered(graph: Graph) -> Result<(Graph, Numbering), FormatError> {
    let order = topological_order(&graph)?;
    let mut number = vec![0; graph.nodes.len()];
    for (position, &node) in order.iter().enumerate() {
        number[node] = position;
    }
    let mut nodes: Vec<Option<Node>> = graph.nodes.into_iter().map(Some).collect();
    let mut uses: Vec<(UseId, Use)> = graph.uses.into_iter().enumerate().collect();
    for (_, array_use) in &mut uses {
        (array_use.from, array_use.to) = (number[array_use.from], number[array_use.to]);
    }
    uses.sort_by_key(|(_, array_use)| (array_use.to, array_use.from, kind_of_use(array_use)));
    let mut number_of_use = vec![0; uses.len()];
    for (position, &(old, _)) in uses.iter().enumerate() {
        number_of_use[old] = position;
    }
    let renumber = |pairs: Vec<(NodeId, NodeId)>| {
        let mut pairs: Vec<_> = pairs
            .into_iter()
            .map(|(first, second)| (number[first], number[second]))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    let graph = Graph {
        nodes: order
            .into_iter()
            .map(|node| nodes[node].take().expect("every node has one number"))
            .collect(),
        uses: uses.into_iter().map(|(_, array_use)| array_use).collect(),
        before: renumber(graph.before),
        forced: renumber(graph.forced),
        forbidden: renumber(graph.forbidden),
        name: graph.name,
        levels: graph.levels,
        optimum: graph.optimum,
        ..Graph::default()
    };
    let numbering = Numbering {
        nodes: number,
        uses: number_of_use,
    };
    Ok((graph, numbering))
}

/// What tells the uses of an array by a node apart.
fn kind_of_use(array_use: &Use) -> (usize, bool, bool, bool, bool) {
    (
        array_use.prefix,
        array_use.label.is_some(),
        array_use.scan,
        array_use.fusible,
        array_use.inseparable,
    )
}

fn topological_order(graph: &Graph) -> Result<Vec<NodeId>, FormatError> {
    let colours = colours(graph);
    let dependences = graph.dependences();
    let mut waiting: Vec<usize> = dependences
        .node_indices()
        .map(|node| {
            dependences
                .edges_directed(node, Direction::Incoming)
                .count()
        })
        .collect();
    let mut ready: BinaryHeap<_> = (0..graph.nodes.len())
        .filter(|&node| waiting[node] == 0)
        .map(|node| Reverse((colours[node], graph.nodes[node].external_id, node)))
        .collect();
    let mut order = Vec::with_capacity(graph.nodes.len());
    while let Some(Reverse((_, _, node))) = ready.pop() {
        order.push(node);
        for edge in dependences.edges(petgraph::graph::NodeIndex::new(node)) {
            let next = edge.target().index();
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(Reverse((
                    colours[next],
                    graph.nodes[next].external_id,
                    next,
                )));
            }
        }
    }
    if order.len() == graph.nodes.len() {
        Ok(order)
    } else {
        Err(FormatError::Cycle(a_cycle(graph, &waiting)))
    }
}

/// Walks backwards among the nodes that wait until it meets one again.
fn a_cycle(graph: &Graph, waiting: &[usize]) -> Vec<u64> {
    let dependences = graph.dependences();
    let mut path = vec![];
    let mut seen = BTreeSet::new();
    let mut node = waiting.iter().position(|&count| count > 0).unwrap_or(0);
    while seen.insert(node) {
        path.push(node);
        node = dependences
            .neighbors_directed(petgraph::graph::NodeIndex::new(node), Direction::Incoming)
            .map(|previous| previous.index())
            .filter(|&previous| waiting[previous] > 0)
            .min()
            .unwrap_or(node);
    }
    let start = path.iter().position(|&other| other == node).unwrap_or(0);
    let mut cycle: Vec<u64> = path[start..]
        .iter()
        .rev()
        .map(|&node| graph.nodes[node].external_id)
        .collect();
    cycle.insert(0, *cycle.last().unwrap_or(&0));
    cycle
}

/// A hash of every node and its surroundings.
fn colours(graph: &Graph) -> Vec<u64> {
    let mut colours: Vec<u64> = graph.nodes.iter().map(colour_of_node).collect();
    let mut distinct = count_distinct(&colours);
    for _ in 0..ROUNDS {
        let mut around: Vec<Vec<u64>> = vec![vec![]; colours.len()];
        for array_use in &graph.uses {
            let (prefix, labelled, scan, fusible, inseparable) = kind_of_use(array_use);
            let mut kind = hash(&(prefix, labelled, scan, fusible));
            if inseparable {
                kind = hash(&(kind, inseparable));
            }
            around[array_use.to].push(hash(&(0, kind, colours[array_use.from])));
            around[array_use.from].push(hash(&(1, kind, colours[array_use.to])));
        }
        for (tag, pairs) in [&graph.before, &graph.forced, &graph.forbidden]
            .into_iter()
            .enumerate()
        {
            for &(first, second) in pairs {
                around[first].push(hash(&(2 + tag, 0, colours[second])));
                around[second].push(hash(&(2 + tag, 1, colours[first])));
            }
        }
        let refined: Vec<u64> = around
            .iter_mut()
            .zip(&colours)
            .map(|(around, colour)| {
                around.sort_unstable();
                hash(&(colour, around))
            })
            .collect();
        colours = refined;
        let now = count_distinct(&colours);
        if now == distinct {
            break;
        }
        distinct = now;
    }
    colours
}

fn colour_of_node(node: &Node) -> u64 {
    let prices: Vec<u64> = node.prices.iter().map(|price| price.to_bits()).collect();
    let colour = hash(&(
        node.kind,
        (node.rank, node.depth, node.available, node.result),
        prices,
        node.size.as_ref().map(Vec::len),
        node.width.to_bits(),
        node.work.to_bits(),
    ));
    match (node.traversal, node.ordered_reduction) {
        (Traversal::Any, false) => colour,
        bound => hash(&(colour, bound)),
    }
}

fn count_distinct(colours: &[u64]) -> usize {
    colours.iter().collect::<BTreeSet<_>>().len()
}
