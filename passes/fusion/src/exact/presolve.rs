//! What can be decided without search.
//!
//! To a fixpoint (docs/src/fusion-model.md, "Presolve"):
//!
//! 1. A gather's label is a possible order of a node only if the node is no
//!    result, all its uses may still be fused, and every one can read in it.
//! 2. A pair is not fused if producer and consumer have no common order, or if
//!    another path between them has a pair that is not fused.
//!
//! Then the readers of one array that may share the read are paired, and the
//! graph is split into blocks: strongly connected components of dependences
//! forwards, pairs that may be fused backwards, and sharing pairs both ways. Every
//! cycle that an answer must not have lies in one block, so blocks are solved by
//! themselves.
//!
//! Cost: O(rounds · levels · V E / 64) for reachability by bit sets.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::{algo::kosaraju_scc, graph::DiGraph, graph::NodeIndex};

use super::{bits::BitMatrix, clock::Clock, orders::Orders, size::MOST_BYTES_OF_A_SHARED_READ};
use crate::graph::{Graph, NodeId, Order, UseId};

/// A producer and a consumer, or two nodes of which the first comes before.
pub(crate) struct Pair {
    /// The producer.
    pub from: NodeId,
    /// The consumer.
    pub to: NodeId,
    /// All uses of the one by the other.
    pub uses: Vec<UseId>,
    /// At how many levels the pair may be fused.
    pub open: usize,
    /// At how many levels it has to be: an inseparable use.
    pub joined: usize,
}

/// Two readers of arrays, without a dependence between them.
pub(crate) struct Sharing {
    /// The nodes, the lesser number first.
    pub nodes: (NodeId, NodeId),
    /// At how many levels they may share reads.
    pub open: usize,
}

/// Two uses of one array, the reader of the first having the lesser number, and
/// at how many levels they may be one read.
#[derive(Clone, Copy)]
pub(crate) struct SharedRead {
    /// The first use.
    pub one: UseId,
    /// The second use.
    pub other: UseId,
    /// At how many levels.
    pub open: usize,
}

/// A graph with what is decided.
pub(crate) struct Presolved {
    /// The orders that are left.
    pub orders: Orders,
    /// All dependences between combinators.
    pub pairs: Vec<Pair>,
    /// By use: its pair, unless it reads an input.
    pub pair_of_use: Vec<Option<usize>>,
    /// Pairs of readers that may share a read.
    pub sharing: Vec<Sharing>,
    /// Reads that may be one.
    pub shared_reads: Vec<SharedRead>,
    /// By array: whether reads of it that may be one were left out, since there are too
    /// many, or there was no time.
    pub crowded: Vec<bool>,
    strict: Strict,
    /// By node: its block.
    pub block_of: Vec<usize>,
    /// The nodes of every block.
    pub blocks: Vec<Vec<NodeId>>,
}

impl Presolved {
    /// Presolves a graph; with `one_block`, everything is decided together.
    pub fn new(graph: &Graph, one_block: bool) -> Self {
        Self::within(graph, one_block, Clock::without_deadline(None))
    }

    /// The same as far as there are time and memory. What is not decided then is open.
    pub fn within(graph: &Graph, one_block: bool, clock: Clock) -> Self {
        let mut pairs = dependence_pairs(graph);
        let mut orders = Orders::new(graph);
        let pair_of_use = pairs_of_uses(graph, &pairs);
        let mut strict = Strict::new(graph, &pairs, clock);
        loop {
            let mut changed = restrict_labels(graph, &mut orders, &pairs, &pair_of_use);
            changed |= restrict_pairs(graph, &orders, &mut pairs);
            strict.update(&pairs, clock);
            changed |= forbid_detours(&mut pairs, &strict);
            if !changed || clock.is_over() {
                break;
            }
        }
        let mut crowded = crowded_arrays(graph, clock.memory);
        let (sharing, shared_reads) = sharing(graph, &orders, &pairs, &strict, &mut crowded, clock);
        let (block_of, blocks) = if one_block {
            let all = (0..graph.nodes.len()).collect();
            (vec![0; graph.nodes.len()], vec![all])
        } else {
            blocks(graph, &pairs, &sharing, &crowded)
        };
        Self {
            orders,
            pairs,
            pair_of_use,
            sharing,
            shared_reads,
            crowded,
            strict,
            block_of,
            blocks,
        }
    }

    /// Whether reads of an array by nodes of a block were left out.
    pub fn is_crowded(&self, graph: &Graph, uses: &[UseId]) -> bool {
        uses.iter().any(|&id| self.crowded[graph.uses[id].from])
    }

    /// Whether two uses of an array are one read at a level (from 1) in no answer.
    pub fn never_one_read(&self, graph: &Graph, one: UseId, other: UseId, level: usize) -> bool {
        let readers = (graph.uses[one].to, graph.uses[other].to);
        let nodes = (readers.0.min(readers.1), readers.0.max(readers.1));
        let limit = open_together(graph, &self.strict, nodes);
        open_read(graph, &self.orders, one, other, limit) < level
    }

    /// Whether a use cannot be fused that is inseparable.
    pub fn is_infeasible(&self) -> bool {
        self.pairs.iter().any(|pair| pair.open < pair.joined)
    }
}

/// One pair for all uses of one combinator by another; pairs that have to be in
/// order, or are forbidden, cannot be fused.
fn dependence_pairs(graph: &Graph) -> Vec<Pair> {
    let mut pairs: BTreeMap<(NodeId, NodeId), Pair> = BTreeMap::new();
    let new = |from, to| Pair {
        from,
        to,
        uses: vec![],
        open: graph.levels,
        joined: 0,
    };
    for (id, array_use) in graph.uses.iter().enumerate() {
        let (from, to) = (array_use.from, array_use.to);
        if !graph.is_input(from) {
            let pair = pairs.entry((from, to)).or_insert_with(|| new(from, to));
            pair.uses.push(id);
            pair.open = pair.open.min(graph.fusible_levels(array_use));
            pair.joined = pair.joined.max(graph.inseparable_levels(array_use));
        }
    }
    for &(from, to) in &graph.before {
        if !graph.is_input(from) {
            pairs
                .entry((from, to))
                .or_insert_with(|| new(from, to))
                .open = 0;
        }
    }
    if graph.forbidden.is_empty() || graph.nodes.len() > MOST_NODES {
        return pairs.into_values().collect();
    }
    let Some(reachable) = reachability(graph, pairs.values(), Clock::without_deadline(None)) else {
        return pairs.into_values().collect();
    };
    for &(one, other) in &graph.forbidden {
        let (from, to) = (one.min(other), one.max(other));
        if reachable.get(from, to) {
            pairs
                .entry((from, to))
                .or_insert_with(|| new(from, to))
                .open = 0;
        }
    }
    pairs.into_values().collect()
}

/// All nodes that depend on each node; nothing if the time is over.
fn reachability<'p>(
    graph: &Graph,
    pairs: impl Iterator<Item = &'p Pair>,
    clock: Clock,
) -> Option<BitMatrix> {
    let mut after: Vec<Vec<NodeId>> = vec![vec![]; graph.nodes.len()];
    for pair in pairs {
        after[pair.from].push(pair.to);
    }
    let mut reachable = BitMatrix::new(graph.nodes.len());
    for node in (0..graph.nodes.len()).rev() {
        if clock.is_over() {
            return None;
        }
        for &next in &after[node] {
            reachable.set(node, next);
            reachable.unite(node, next);
        }
    }
    Some(reachable)
}

fn pairs_of_uses(graph: &Graph, pairs: &[Pair]) -> Vec<Option<usize>> {
    let mut pair_of_use = vec![None; graph.uses.len()];
    for (number, pair) in pairs.iter().enumerate() {
        for &array_use in &pair.uses {
            pair_of_use[array_use] = Some(number);
        }
    }
    pair_of_use
}

/// Finds the labels of every node anew, consumers first. As pairs are closed,
/// there are only ever fewer.
fn restrict_labels(
    graph: &Graph,
    orders: &mut Orders,
    pairs: &[Pair],
    pair_of_use: &[Option<usize>],
) -> bool {
    let mut changed = false;
    for node in (0..graph.nodes.len()).rev() {
        let left = labels_of(graph, orders, pairs, pair_of_use, node);
        changed |= left != orders.labels[node];
        orders.labels[node] = left;
    }
    changed
}

/// The labels in which all uses of a node can read, if it need not be stored.
fn labels_of(
    graph: &Graph,
    orders: &Orders,
    pairs: &[Pair],
    pair_of_use: &[Option<usize>],
    node: NodeId,
) -> Vec<Order> {
    let uses = graph.uses_of(node);
    let Some(&first) = uses.first() else {
        return vec![];
    };
    if graph.is_input(node) || graph.nodes[node].result || graph.needs_all(node) {
        return vec![];
    }
    let first = &graph.uses[first];
    let mut candidates = orders.labels[first.to].clone();
    candidates.extend(first.label);
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|&label| {
        let covered = &orders.covered[&label];
        let fits = *covered.start() <= graph.levels
            && *covered.end() <= graph.nodes[node].rank.min(graph.nodes[node].depth)
            && covered
                .clone()
                .all(|level| graph.fixed_order(node, level).is_none());
        fits && uses.iter().all(|&id| {
            let open = pair_of_use[id].map_or(0, |pair| pairs[pair].open);
            open >= *covered.start() && orders.can_read_in(graph, &graph.uses[id], label)
        })
    });
    candidates
}

fn restrict_pairs(graph: &Graph, orders: &Orders, pairs: &mut [Pair]) -> bool {
    let mut changed = false;
    for pair in pairs {
        let agreeing = (1..=pair.open).take_while(|&level| {
            pair.uses
                .iter()
                .all(|&id| orders.can_agree(graph, &graph.uses[id], level))
        });
        let open = agreeing.count();
        changed |= open < pair.open;
        pair.open = open;
    }
    changed
}

/// With more nodes, reachability is not looked at, for it takes their number
/// squared; the search then finds by itself what follows from it.
const MOST_NODES: usize = 20_000;

/// Which nodes come later than others in every answer.
struct Strict {
    /// All nodes that depend on each node; nothing if that is not looked at.
    reachable: Option<BitMatrix>,
    /// The same by level, of those that come later.
    levels: Vec<BitMatrix>,
}

impl Strict {
    fn new(graph: &Graph, pairs: &[Pair], clock: Clock) -> Self {
        let nodes = graph.nodes.len();
        let reachable = match nodes > MOST_NODES {
            true => None,
            false => reachability(graph, pairs.iter(), clock),
        };
        if reachable.is_none() {
            return Self {
                reachable,
                levels: vec![],
            };
        }
        Self {
            reachable,
            levels: (1..=graph.levels).map(|_| BitMatrix::new(nodes)).collect(),
        }
    }

    /// Takes into account that pairs were closed. The pairs are in the order of their
    /// producers.
    fn update(&mut self, pairs: &[Pair], clock: Clock) {
        let Some(reachable) = &self.reachable else {
            return;
        };
        for (level, strict) in (1..).zip(&mut self.levels) {
            for pair in pairs.iter().rev() {
                if clock.is_over() {
                    return;
                }
                if pair.open < level {
                    strict.set(pair.from, pair.to);
                    strict.unite_with(pair.from, reachable, pair.to);
                } else {
                    strict.unite(pair.from, pair.to);
                }
            }
        }
    }

    /// Whether one node is known to come before another at a level (from 1).
    fn is_before(&self, level: usize, one: NodeId, other: NodeId) -> bool {
        self.levels
            .get(level - 1)
            .is_some_and(|strict| strict.get(one, other))
    }
}

fn forbid_detours(pairs: &mut [Pair], strict: &Strict) -> bool {
    let mut changed = false;
    for pair in pairs {
        let open = (1..=pair.open)
            .take_while(|&level| !strict.is_before(level, pair.from, pair.to))
            .count();
        changed |= open < pair.open;
        pair.open = open;
    }
    changed
}

/// The arrays with so many reads that pairs of them do not fit in memory: those with
/// the most, so that all others fit.
fn crowded_arrays(graph: &Graph, memory: usize) -> Vec<bool> {
    let pairs = |array: NodeId| {
        let count = graph.uses_of(array).len();
        count * count.saturating_sub(1) / 2
    };
    let mut arrays: Vec<NodeId> = (0..graph.nodes.len()).collect();
    arrays.sort_by_key(|&array| pairs(array));
    let mut left = memory / (MOST_BYTES_OF_A_SHARED_READ * graph.levels.max(1));
    let mut crowded = vec![false; arrays.len()];
    for array in arrays {
        match left.checked_sub(pairs(array)) {
            Some(less) => left = less,
            None => crowded[array] = true,
        }
    }
    crowded
}

/// Pairs of readers that may share reads of arrays that are not crowded. All arrays
/// are that for which there is no time.
fn sharing(
    graph: &Graph,
    orders: &Orders,
    pairs: &[Pair],
    strict: &Strict,
    crowded: &mut [bool],
    clock: Clock,
) -> (Vec<Sharing>, Vec<SharedRead>) {
    let dependent: BTreeMap<(NodeId, NodeId), usize> = pairs
        .iter()
        .map(|pair| ((pair.from, pair.to), pair.open))
        .collect();
    let mut levels: BTreeMap<(NodeId, NodeId), usize> = BTreeMap::new();
    let mut shared_reads = vec![];
    for (array, is_crowded) in crowded.iter_mut().enumerate() {
        let uses = graph.uses_of(array);
        for (position, &one) in uses.iter().enumerate() {
            *is_crowded |= uses.len() > 1 && clock.is_over();
            if *is_crowded {
                break;
            }
            for &other in &uses[position + 1..] {
                let (one, other) = match graph.uses[one].to <= graph.uses[other].to {
                    true => (one, other),
                    false => (other, one),
                };
                let nodes = (graph.uses[one].to, graph.uses[other].to);
                let limit = match dependent.get(&nodes) {
                    Some(&open) => open,
                    None => open_together(graph, strict, nodes),
                };
                let open = open_read(graph, orders, one, other, limit);
                if open == 0 {
                    continue;
                }
                shared_reads.push(SharedRead { one, other, open });
                if nodes.0 != nodes.1 && !dependent.contains_key(&nodes) {
                    let levels = levels.entry(nodes).or_insert(0);
                    *levels = (*levels).max(open);
                }
            }
        }
    }
    let sharing = levels
        .into_iter()
        .map(|(nodes, open)| Sharing { nodes, open })
        .collect();
    (sharing, shared_reads)
}

/// At how many levels two nodes without a dependence may be in one cluster.
fn open_together(graph: &Graph, strict: &Strict, nodes: (NodeId, NodeId)) -> usize {
    if nodes.0 == nodes.1 {
        return graph.levels;
    }
    let forbidden = graph
        .forbidden
        .iter()
        .any(|&(one, other)| (one.min(other), one.max(other)) == nodes);
    let depth = graph.nodes[nodes.0].depth.min(graph.nodes[nodes.1].depth);
    (1..=graph.levels.min(depth))
        .take_while(|&level| !forbidden && !strict.is_before(level, nodes.0, nodes.1))
        .count()
}

/// At how many levels two uses may read in the same order.
fn open_read(graph: &Graph, orders: &Orders, one: UseId, other: UseId, limit: usize) -> usize {
    let (one, other) = (&graph.uses[one], &graph.uses[other]);
    let ordered = graph.ordered_levels(one).min(graph.ordered_levels(other));
    let same_stencil = one.stencil.is_some() && one.stencil == other.stencil;
    (1..=ordered.min(limit))
        .take_while(|&level| {
            let read = orders.of_use(graph, other, level);
            same_stencil
                || orders
                    .of_use(graph, one, level)
                    .iter()
                    .any(|order| read.contains(order))
        })
        .count()
}

/// The blocks. All readers of a crowded array are in one block.
fn blocks(
    graph: &Graph,
    pairs: &[Pair],
    sharing: &[Sharing],
    crowded: &[bool],
) -> (Vec<usize>, Vec<Vec<NodeId>>) {
    let mut arcs: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..graph.nodes.len() {
        arcs.add_node(());
    }
    let mut connect = |from: NodeId, to: NodeId| {
        arcs.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    };
    for pair in pairs {
        connect(pair.from, pair.to);
        if pair.open > 0 {
            connect(pair.to, pair.from);
        }
    }
    let both = sharing
        .iter()
        .map(|sharing| sharing.nodes)
        .chain(graph.forced.iter().copied());
    let crowded = (0..graph.nodes.len()).filter(|&array| crowded[array]);
    let readers = crowded.flat_map(|array| {
        let uses = graph.uses_of(array).windows(2);
        uses.map(|uses| (graph.uses[uses[0]].to, graph.uses[uses[1]].to))
    });
    for (one, other) in both.chain(readers) {
        connect(one, other);
        connect(other, one);
    }
    // Kosaraju's algorithm: petgraph's of Tarjan recurses as deep as the graph.
    let mut blocks: Vec<Vec<NodeId>> = kosaraju_scc(&arcs)
        .into_iter()
        .map(|part| {
            let nodes: BTreeSet<NodeId> = part.into_iter().map(NodeIndex::index).collect();
            nodes.into_iter().collect()
        })
        .collect();
    blocks.sort();
    let mut block_of = vec![0; graph.nodes.len()];
    for (number, block) in blocks.iter().enumerate() {
        for &node in block {
            block_of[node] = number;
        }
    }
    (block_of, blocks)
}
