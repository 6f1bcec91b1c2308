//! Better answers for large graphs, when time is limited: a few neighbouring clusters
//! are taken apart and put together anew, by the exact solver (large neighbourhood
//! search).
//!
//! The nodes of these clusters are a window; a graph of their own says all that the
//! rest of the clustering leaves open:
//!
//! * Arrays from outside are inputs, and arrays that are read outside are results.
//! * If a path over other clusters leads from one node to another, the first has to be
//!   in an earlier cluster.
//!
//! So an answer for a window is one for the whole graph, and saves there what it saves
//! here. Windows are taken along the running order, again and again as long as they
//! save anything, and then larger ones.
//!
//! Cost: one small search for each window, and linear in the graph for each that saves
//! something.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use super::{SolveOptions, clock::Clock, solve_once};
use crate::{
    amount::Amount,
    clustering::Clustering,
    cost::{Connection, PairWeight, Weights},
    evaluate::evaluate,
    graph::{Graph, Kind, Node, NodeId, Use, UseId},
    legality,
};

/// The nodes of a window, at first.
const NODES: usize = 25;

/// Larger windows are not looked at.
const MOST_NODES: usize = 120;

/// A window may take so long.
const MOST_TIME: Duration = Duration::from_millis(500);

/// Improves a legal clustering in its normal form as far as there is time, and gives it
/// with its cost.
pub(super) fn improved(
    graph: &Graph,
    weights: &Weights,
    clustering: &Clustering,
    clock: Clock,
) -> (Clustering, Amount) {
    let mut best = clustering.clone();
    let mut cost = evaluate(graph, &best, weights);
    let mut size = NODES;
    while size <= MOST_NODES {
        let mut has_changed = false;
        let mut clusters = Clusters::new(graph, &best);
        let mut seed = 0;
        while seed < clusters.members.len() {
            if clock.is_over() {
                return (best, cost);
            }
            let window = clusters.window(seed, size);
            seed += 1;
            if window.len() < 2 {
                continue;
            }
            let window = Window::new(graph, weights, &clusters, &window);
            let Some(other) = window.better(&best, clock) else {
                continue;
            };
            let other = other.normalized(graph);
            let other_cost = evaluate(graph, &other, weights);
            if other_cost < cost && legality::check(graph, &other).is_ok() {
                (best, cost) = (other, other_cost);
                clusters = Clusters::new(graph, &best);
                has_changed = true;
            }
        }
        if !has_changed {
            size *= 2;
        }
    }
    (best, cost)
}

/// The clusters of the outermost level, and what lies around them.
struct Clusters {
    /// By cluster: its nodes.
    members: Vec<Vec<NodeId>>,
    /// By node: its cluster.
    of: Vec<usize>,
    /// By cluster: those that have to come later.
    after: Vec<BTreeSet<usize>>,
    /// By cluster: those that access one of its arrays, or one array with it.
    near: Vec<BTreeSet<usize>>,
}

impl Clusters {
    fn new(graph: &Graph, clustering: &Clustering) -> Self {
        let of = clustering.clusters[0].clone();
        let count = of.iter().max().map_or(0, |&last| last + 1);
        let mut clusters = Self {
            members: vec![vec![]; count],
            after: vec![BTreeSet::new(); count],
            near: vec![BTreeSet::new(); count],
            of,
        };
        for node in (0..graph.nodes.len()).filter(|&node| !graph.is_input(node)) {
            clusters.members[clusters.of[node]].push(node);
        }
        let uses = graph
            .uses
            .iter()
            .map(|array_use| (array_use.from, array_use.to));
        for (from, to) in uses.chain(graph.before.iter().copied()) {
            let (one, other) = (clusters.of[from], clusters.of[to]);
            if one != other && !graph.is_input(from) {
                clusters.after[one].insert(other);
                clusters.connect(one, other);
            }
        }
        for array in 0..graph.nodes.len() {
            let readers = graph.uses_of(array).iter();
            let mut readers: Vec<usize> =
                readers.map(|&id| clusters.of[graph.uses[id].to]).collect();
            readers.sort_unstable();
            for pair in readers.windows(2).filter(|pair| pair[0] != pair[1]) {
                clusters.connect(pair[0], pair[1]);
            }
        }
        clusters
    }

    fn connect(&mut self, one: usize, other: usize) {
        self.near[one].insert(other);
        self.near[other].insert(one);
    }

    /// A cluster with those around it, as far as they do not have too many nodes.
    fn window(&self, seed: usize, size: usize) -> Vec<usize> {
        let mut window = vec![];
        let mut nodes = 0;
        let mut seen = BTreeSet::from([seed]);
        let mut queue = VecDeque::from([seed]);
        while let Some(cluster) = queue.pop_front() {
            if nodes + self.members[cluster].len() > size {
                continue;
            }
            nodes += self.members[cluster].len();
            window.push(cluster);
            let mut near: Vec<usize> = self.near[cluster].iter().copied().collect();
            near.sort_by_key(|&other| other.abs_diff(seed));
            queue.extend(near.into_iter().filter(|&other| seen.insert(other)));
        }
        window
    }

    /// The clusters of a window that paths over clusters outside of it lead to from a
    /// cluster's node that these clusters depend on.
    fn reached(&self, window: &BTreeSet<usize>, next: BTreeSet<usize>) -> BTreeSet<usize> {
        let last = window.last().copied().unwrap_or(0);
        let mut seen = next.clone();
        let mut waiting: Vec<usize> = next.into_iter().collect();
        let mut reached = BTreeSet::new();
        while let Some(cluster) = waiting.pop() {
            reached.insert(cluster);
            let after = self.after[cluster].range(..=last);
            for &other in after.filter(|other| !window.contains(other)) {
                if seen.insert(other) {
                    waiting.push(other);
                }
            }
        }
        reached
    }
}

/// A part of a graph as a problem of its own.
struct Window {
    graph: Graph,
    weights: Weights,
    /// By node: what it is in the whole graph.
    nodes: Vec<NodeId>,
}

impl Window {
    fn new(graph: &Graph, weights: &Weights, clusters: &Clusters, window: &[usize]) -> Self {
        let mut inside: Vec<NodeId> = window
            .iter()
            .flat_map(|&cluster| clusters.members[cluster].iter().copied())
            .collect();
        inside.sort_unstable();
        let is_inside = |node: NodeId| inside.binary_search(&node).is_ok();
        let uses: Vec<UseId> = {
            let uses = inside.iter().flat_map(|&node| graph.uses_by(node));
            uses.copied().collect()
        };
        let read = uses.iter().map(|&id| graph.uses[id].from);
        let inputs: BTreeSet<NodeId> = read.filter(|&array| !is_inside(array)).collect();
        let nodes: Vec<NodeId> = inputs.into_iter().chain(inside.iter().copied()).collect();
        let numbers: BTreeMap<NodeId, NodeId> = nodes.iter().copied().zip(0..).collect();
        let both = |pairs: &[(NodeId, NodeId)]| -> Vec<(NodeId, NodeId)> {
            let pairs = pairs
                .iter()
                .filter(|(one, other)| is_inside(*one) && is_inside(*other));
            pairs
                .map(|(one, other)| (numbers[one], numbers[other]))
                .collect()
        };
        let mut before = both(&graph.before);
        before.extend(
            paths_outside(graph, clusters, window, &inside)
                .into_iter()
                .map(|(one, other)| (numbers[&one], numbers[&other])),
        );
        before.sort_unstable();
        before.dedup();
        let mut part = Graph {
            name: graph.name.clone(),
            levels: graph.levels,
            nodes: nodes
                .iter()
                .map(|&node| node_of_window(graph, node, &is_inside))
                .collect(),
            uses: uses
                .iter()
                .map(|&id| {
                    let array_use = &graph.uses[id];
                    Use {
                        from: numbers[&array_use.from],
                        to: numbers[&array_use.to],
                        ..array_use.clone()
                    }
                })
                .collect(),
            before,
            forced: both(&graph.forced),
            forbidden: both(&graph.forbidden),
            ..Graph::default()
        };
        part.index_uses();
        Self {
            weights: weights_of_window(weights, &nodes, &numbers, &uses),
            graph: part,
            nodes,
        }
    }

    /// A clustering of the whole graph that costs less than the one before; nothing if
    /// there is none, or none was found in time.
    fn better(&self, whole: &Clustering, clock: Clock) -> Option<Clustering> {
        let now = self.part_of(whole).normalized(&self.graph);
        let cost = evaluate(&self.graph, &now, &self.weights);
        let options = SolveOptions {
            time_limit: Some(clock.left().map_or(MOST_TIME, |left| left.min(MOST_TIME))),
            ..SolveOptions::default()
        };
        let solution = solve_once(&self.graph, &self.weights, &options).ok()?;
        (solution.cost < cost).then(|| self.in_whole(whole, &solution.clustering))
    }

    fn part_of(&self, whole: &Clustering) -> Clustering {
        let part = |level: &Vec<usize>| {
            let mut numbers = BTreeMap::new();
            let clusters = self.nodes.iter().map(|&node| level[node]);
            clusters
                .map(|cluster| {
                    let next = numbers.len();
                    *numbers.entry(cluster).or_insert(next)
                })
                .collect()
        };
        Clustering {
            clusters: whole.clusters.iter().map(part).collect(),
            orders: self
                .nodes
                .iter()
                .map(|&node| whole.orders[node].clone())
                .collect(),
        }
    }

    fn in_whole(&self, whole: &Clustering, part: &Clustering) -> Clustering {
        let mut whole = whole.clone();
        let inside = self.nodes.iter().enumerate();
        for (at, &node) in inside.filter(|&(at, _)| !self.graph.is_input(at)) {
            for (level, part) in whole.clusters.iter_mut().zip(&part.clusters) {
                // Other clusters have lesser numbers.
                let count = level.len();
                level[node] = count + part[at];
            }
            whole.orders[node].clone_from(&part.orders[at]);
        }
        whole
    }
}

/// A node as it is for a window: an input if it is outside of it, a result if it is read
/// outside.
fn node_of_window(graph: &Graph, node: NodeId, is_inside: &dyn Fn(NodeId) -> bool) -> Node {
    let mut copy = graph.nodes[node].clone();
    if is_inside(node) {
        let mut readers = graph.uses_of(node).iter().map(|&id| graph.uses[id].to);
        copy.result |= readers.any(|reader| !is_inside(reader));
    } else {
        copy.kind = Kind::Input;
        copy.depth = 0;
        copy.available = 0;
        copy.result = false;
    }
    copy
}

/// The pairs of nodes of a window of which the second depends on the first over clusters
/// outside.
fn paths_outside(
    graph: &Graph,
    clusters: &Clusters,
    window: &[usize],
    inside: &[NodeId],
) -> Vec<(NodeId, NodeId)> {
    let window: BTreeSet<usize> = window.iter().copied().collect();
    let last = window.last().copied().unwrap_or(0);
    let is_outside = |&cluster: &usize| cluster <= last && !window.contains(&cluster);
    let mut before: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    let mut first_after: BTreeMap<NodeId, BTreeSet<usize>> = BTreeMap::new();
    let mut later: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    let mut earlier: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for &(one, other) in &graph.before {
        later.entry(one).or_default().push(other);
        earlier.entry(other).or_default().push(one);
    }
    for &node in inside {
        let readers = graph.uses_of(node).iter().map(|&id| graph.uses[id].to);
        let after = readers.chain(later.get(&node).into_iter().flatten().copied());
        let after: BTreeSet<usize> = after
            .map(|other| clusters.of[other])
            .filter(is_outside)
            .collect();
        if !after.is_empty() {
            first_after.insert(node, after);
        }
        let read = graph.uses_by(node).iter().map(|&id| graph.uses[id].from);
        let needed = read.chain(earlier.get(&node).into_iter().flatten().copied());
        for cluster in needed.map(|other| clusters.of[other]).filter(is_outside) {
            before.entry(cluster).or_default().push(node);
        }
    }
    let mut pairs = vec![];
    for (first, next) in first_after {
        for cluster in clusters.reached(&window, next) {
            let second = before.get(&cluster).into_iter().flatten();
            pairs.extend(second.map(|&second| (first, second)));
        }
    }
    pairs
}

fn weights_of_window(
    weights: &Weights,
    nodes: &[NodeId],
    numbers: &BTreeMap<NodeId, NodeId>,
    uses: &[UseId],
) -> Weights {
    let use_numbers: BTreeMap<UseId, UseId> = uses.iter().copied().zip(0..).collect();
    let pairs = weights.pairs.iter().filter_map(|pair| {
        let (one, other) = pair.nodes;
        let connections = pair.connections.iter().map(|connection| {
            Some(match connection {
                Connection::Fused(id) => Connection::Fused(*use_numbers.get(id)?),
                Connection::Shared(one, other) => {
                    Connection::Shared(*use_numbers.get(one)?, *use_numbers.get(other)?)
                }
            })
        });
        Some(PairWeight {
            nodes: (*numbers.get(&one)?, *numbers.get(&other)?),
            weight: pair.weight,
            connections: connections.collect::<Option<_>>()?,
        })
    });
    Weights {
        reads: nodes
            .iter()
            .map(|&node| weights.reads[node].clone())
            .collect(),
        writes: nodes
            .iter()
            .map(|&node| weights.writes[node].clone())
            .collect(),
        uses: uses.iter().map(|&id| weights.uses[id]).collect(),
        clusters: weights.clusters,
        pairs: pairs.collect(),
        crowds: vec![],
        recomputation: nodes
            .iter()
            .map(|&node| weights.recomputation[node].clone())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        algorithms::{Algorithm, run},
        cost::CostOptions,
        random::{RandomOptions, random_graph},
    };

    /// An answer for a window is one for the whole, and saves as much there.
    #[test]
    fn windows_say_what_the_whole_costs() {
        let mut better = 0;
        for seed in 0..30 {
            let options = RandomOptions {
                combinators: 30,
                tuples: 0.1,
                ..RandomOptions::ranked(1 + (seed % 2) as usize)
            };
            let graph = random_graph(seed, options);
            for cost in ["reads+writes", "clusters", "max-locality", "prices"] {
                let cost = cost.parse().expect("a cost");
                let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
                let before = run(&graph, &weights, Algorithm::Linear, None).clustering;
                let before = before.normalized(&graph);
                let clusters = Clusters::new(&graph, &before);
                for seed in 0..clusters.members.len() {
                    let window =
                        Window::new(&graph, &weights, &clusters, &clusters.window(seed, 9));
                    let part = window.part_of(&before).normalized(&window.graph);
                    legality::check(&window.graph, &part).expect("a legal part");
                    let clock = Clock::without_deadline(None);
                    let Some(after) = window.better(&before, clock) else {
                        continue;
                    };
                    let after = after.normalized(&graph);
                    legality::check(&graph, &after).expect("a legal clustering");
                    let saved =
                        evaluate(&graph, &before, &weights) - evaluate(&graph, &after, &weights);
                    assert!(saved > Amount::ZERO, "seed {seed}");
                    better += 1;
                }
            }
        }
        assert!(better > 50, "{better}");
    }
}
