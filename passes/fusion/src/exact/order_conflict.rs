//! Which gather or scan keeps two nodes apart that no answer fuses.
//!
//! It is one without whose order they could be fused: the graph is asked again, in
//! which it reads its arrays in the order of its own loop. The nearest such node is
//! named, and one of the two only if there is no other: a gather alone could be fused. If there is none, several are at fault: they are let go one after the
//! other, the nearest first, and the one that makes it possible is named.
//!
//! Cost: one small search for each gather and scan of the block, or for each of a few
//! readers of an array.

use std::{collections::VecDeque, rc::Rc};

use super::{
    clock::Clock,
    model::{BlockModel, BlockParts},
    objective::Objective,
    presolve::Presolved,
    reasons::cheapest,
    search::Search,
    separation::Separator,
};
use crate::{
    clustering::Clustering,
    cost::Weights,
    graph::{Graph, Kind, NodeId, Traversal, UseId},
    limits::Limits,
};

/// The gather or scan whose order keeps two nodes apart that access an array, of some
/// nodes; nothing if it is not an order.
pub(super) fn order_conflict(
    graph: &Graph,
    among: &[NodeId],
    nodes: (NodeId, NodeId),
    array: NodeId,
) -> Option<NodeId> {
    let distances = distances(graph, nodes);
    let mut insisting: Vec<NodeId> = among.to_vec();
    insisting.retain(|&node| insists(graph, node));
    let is_of_pair = |node: NodeId| node == nodes.0 || node == nodes.1;
    insisting.sort_by_key(|&node| (is_of_pair(node), distances[node], node));
    let is_enough = |&&node: &&NodeId| can_be_fused(&let_go(graph, &[node]), nodes, array);
    let alone = insisting.iter().find(is_enough).copied();
    alone.or_else(|| {
        let mut counts = 2..=insisting.len();
        let count =
            counts.find(|&count| can_be_fused(&let_go(graph, &insisting[..count]), nodes, array));
        count.map(|count| insisting[count - 1])
    })
}

/// The reader whose order keeps an array from being computed in that of a gather: it
/// reads the same array, or one that is computed together with it. Nothing if the
/// array cannot be in the gather's order anyway, or readers are many.
pub(super) fn other_reader(graph: &Graph, (array, gather): (NodeId, NodeId)) -> Option<NodeId> {
    const MOST: usize = 8;
    let unit = graph.unit(array);
    let together = (0..graph.nodes.len()).filter(|&node| graph.unit(node) == unit);
    let uses = together.flat_map(|node| graph.uses_of(node));
    let mut readers: Vec<NodeId> = uses.map(|&id| graph.uses[id].to).collect();
    readers.retain(|&reader| reader != gather && insists(graph, reader));
    readers.sort_unstable();
    readers.dedup();
    let is_enough = |&reader: &NodeId| {
        let others = [
            Some(let_go(graph, &[reader])),
            in_one_order(graph, reader, gather),
        ];
        let mut others = others.iter().flatten();
        others.any(|other| can_be_fused(other, (array, gather), array))
    };
    readers.into_iter().take(MOST).find(is_enough)
}

/// The graph in which one gather reads in the order of another one, if both leave out
/// as many dimensions.
fn in_one_order(graph: &Graph, gather: NodeId, model: NodeId) -> Option<Graph> {
    let shape = |graph: &Graph, id: UseId| {
        let array_use = &graph.uses[id];
        (array_use.prefix, graph.nodes[array_use.from].rank)
    };
    let gathered = |node: NodeId| {
        let uses = graph.uses_by(node).iter().copied();
        uses.filter(|&id| graph.uses[id].label.is_some())
    };
    let source = gathered(model).next()?;
    let mut other = graph.clone();
    for id in gathered(gather) {
        if shape(graph, id) != shape(graph, source) {
            return None;
        }
        other.uses[id].label = graph.uses[source].label;
    }
    other.index_uses();
    Some(other)
}

/// Whether a legal clustering without limits fuses two nodes that access an array.
pub(super) fn can_be_fused(graph: &Graph, nodes: (NodeId, NodeId), array: NodeId) -> bool {
    let weights = Weights::nothing(graph);
    let presolved = Presolved::new(graph, false);
    let parts = BlockParts::new(graph, &presolved, &weights);
    let block = presolved.block_of[nodes.1];
    let mut model = BlockModel::new(graph, &presolved, &weights, &parts, block);
    model.add_alike_reads();
    let clock = Clock::without_deadline(None);
    let first = || Rc::new(Clustering::singletons(graph));
    let limits = Limits::default();
    let objective = Objective::new(&model);
    let separator = Separator::new(&model);
    let mut search = Search::new(&model, &objective, separator, clock, &limits, &first);
    cheapest(&mut search, &model.ways_to_fuse(nodes, array)).is_some()
}

/// Whether a node reads an array in an order of its own, or has one.
fn insists(graph: &Graph, node: NodeId) -> bool {
    let mut uses = graph.uses_by(node).iter();
    uses.any(|&id| graph.uses[id].label.is_some())
        || graph.has_fixed_order(node)
        || graph.needs_all(node)
}

/// The graph without wishes, in which some nodes do not insist on orders.
fn let_go(graph: &Graph, nodes: &[NodeId]) -> Graph {
    let mut graph = graph.clone();
    graph.forced.clear();
    graph.forbidden.clear();
    for &node in nodes {
        for id in graph.uses_by(node).to_vec() {
            let array_use = &mut graph.uses[id];
            if array_use.label.take().is_some() {
                let rank = graph.nodes[array_use.from].rank;
                array_use.prefix = rank.min(graph.nodes[node].depth);
                array_use.stencil = None;
            }
            array_use.scan = false;
        }
        graph.nodes[node].traversal = Traversal::Any;
        if graph.nodes[node].kind.innermost_order().is_some() {
            graph.nodes[node].kind = Kind::Map;
        }
    }
    graph.index_uses();
    graph
}

/// By node: how many uses lie between it and the nearer one of two nodes.
fn distances(graph: &Graph, nodes: (NodeId, NodeId)) -> Vec<usize> {
    let mut distances = vec![usize::MAX; graph.nodes.len()];
    let mut queue = VecDeque::from([nodes.0, nodes.1]);
    for node in [nodes.0, nodes.1] {
        distances[node] = 0;
    }
    while let Some(node) = queue.pop_front() {
        let before = graph.uses_by(node).iter().map(|&id| graph.uses[id].from);
        let after = graph.uses_of(node).iter().map(|&id| graph.uses[id].to);
        for next in before.chain(after) {
            if distances[next] == usize::MAX {
                distances[next] = distances[node] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}
