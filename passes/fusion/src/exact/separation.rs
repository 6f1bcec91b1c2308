//! Constraints that a solution of the linear program breaks, found exactly.
//!
//! * Cycles: for each dependence f = (u, v) of a level and each path P from v back
//!   to u, `x_f <= Σ cost of P`. Arcs forwards cost nothing; backwards over a pair
//!   that may be fused, x; over a sharing pair, 1 − y. A broken constraint is a
//!   path shorter than x_f (Dijkstra from every v).
//! * Wishes: two nodes that must not be in one cluster are not connected by pairs
//!   that are fused; two that have to be, are.
//! * Forests: the links inside a set of nodes are fewer than the nodes.
//!
//! Cost: O(V (E log V)) for the cycles of a level.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
};

use petgraph::unionfind::UnionFind;

use super::{linear::Linear, model::BlockModel};
use crate::graph::NodeId;

/// What is broken by less is not broken.
const TOLERANCE: f64 = 1e-6;

/// How one node is reached from another at a level.
struct Arc {
    to: usize,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    /// Along a dependence.
    Forwards,
    /// Against pair number …, at the cost of its not being fused.
    Against(usize),
    /// Across sharing pair number …, at the cost of its not being together.
    Across(usize),
}

/// Finds broken constraints of a block's program.
pub(crate) struct Separator<'m, 'p> {
    model: &'m BlockModel<'p>,
    /// The nodes of the block, and their positions.
    nodes: Vec<NodeId>,
    position: BTreeMap<NodeId, usize>,
    /// By level and position.
    arcs: Vec<Vec<Vec<Arc>>>,
}

impl<'m, 'p> Separator<'m, 'p> {
    /// Prepares the search.
    pub fn new(model: &'m BlockModel<'p>, nodes: &[NodeId]) -> Self {
        let position: BTreeMap<NodeId, usize> = nodes
            .iter()
            .enumerate()
            .map(|(at, &node)| (node, at))
            .collect();
        let levels = (1..=model.graph.levels).map(|level| {
            let mut arcs: Vec<Vec<Arc>> = nodes.iter().map(|_| vec![]).collect();
            let mut add = |from: NodeId, to: NodeId, step: Step| {
                let to = position[&to];
                arcs[position[&from]].push(Arc { to, step });
            };
            for &number in &model.pairs {
                let pair = &model.presolved.pairs[number];
                add(pair.from, pair.to, Step::Forwards);
                if pair.open >= level {
                    add(pair.to, pair.from, Step::Against(number));
                }
            }
            for &number in &model.sharing {
                let sharing = &model.presolved.sharing[number];
                if sharing.open >= level {
                    let (one, other) = sharing.nodes;
                    add(one, other, Step::Across(number));
                    add(other, one, Step::Across(number));
                }
            }
            arcs
        });
        Self {
            model,
            nodes: nodes.to_vec(),
            arcs: levels.collect(),
            position,
        }
    }

    /// Rows `expression >= 0` that the values break, the most broken first.
    pub fn broken(&self, values: &[f64]) -> Vec<Linear> {
        let mut rows = vec![];
        for level in 1..=self.model.graph.levels {
            self.cycles(level, values, &mut rows);
        }
        self.forbidden(values, &mut rows);
        self.forced(values, &mut rows);
        self.forests(values, &mut rows);
        rows.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn cost(&self, step: Step, level: usize) -> Linear {
        match step {
            Step::Forwards => Linear::default(),
            Step::Against(pair) => self.model.unfused(pair, level),
            Step::Across(sharing) => self.model.sharing_together(sharing, level).complement(),
        }
    }

    /// What every arc costs now.
    fn lengths(&self, level: usize, values: &[f64]) -> Vec<Vec<f64>> {
        self.arcs[level - 1]
            .iter()
            .map(|arcs| {
                arcs.iter()
                    .map(|arc| self.cost(arc.step, level).value(values).max(0.0))
                    .collect()
            })
            .collect()
    }

    fn cycles(&self, level: usize, values: &[f64], rows: &mut Vec<(f64, Linear)>) {
        let mut into: BTreeMap<usize, Vec<(usize, Linear, f64)>> = BTreeMap::new();
        for &number in &self.model.pairs {
            let pair = &self.model.presolved.pairs[number];
            let unfused = self.model.unfused(number, level);
            let value = unfused.value(values);
            if value > TOLERANCE {
                let (from, to) = (self.position[&pair.from], self.position[&pair.to]);
                into.entry(to).or_default().push((from, unfused, value));
            }
        }
        let lengths = self.lengths(level, values);
        for (start, ends) in into {
            let farthest = ends.iter().fold(0.0f64, |most, end| most.max(end.2));
            let paths = shortest_paths(&self.arcs[level - 1], &lengths, start, farthest, |_| true);
            for (end, unfused, value) in ends {
                let Some((length, _)) = paths[end] else {
                    continue;
                };
                if length < value - TOLERANCE {
                    let path = self.path_cost(level, &paths, start, end);
                    rows.push((length - value, path.plus(-1.0, &unfused)));
                }
            }
        }
    }

    /// The cost of the steps of a path.
    fn path_cost(
        &self,
        level: usize,
        paths: &[Option<(f64, Option<(usize, usize)>)>],
        start: usize,
        end: usize,
    ) -> Linear {
        let mut sum = Linear::default();
        let mut node = end;
        while node != start {
            let Some((_, Some((from, arc)))) = paths[node] else {
                break;
            };
            let step = self.arcs[level - 1][from][arc].step;
            sum = sum.plus(1.0, &self.cost(step, level));
            node = from;
        }
        sum
    }

    /// Forbidden pairs in one cluster: a path of fused pairs between them.
    fn forbidden(&self, values: &[f64], rows: &mut Vec<(f64, Linear)>) {
        let forbidden: Vec<(usize, usize)> = self.inside(&self.model.graph.forbidden);
        if forbidden.is_empty() {
            return;
        }
        let arcs = self.undirected();
        let lengths: Vec<Vec<f64>> = arcs
            .iter()
            .map(|arcs| {
                arcs.iter()
                    .map(|arc| self.cost(arc.step, 1).value(values).max(0.0))
                    .collect()
            })
            .collect();
        for (one, other) in forbidden {
            let paths = shortest_paths(&arcs, &lengths, one, 1.0, |_| true);
            let Some((length, _)) = paths[other] else {
                continue;
            };
            if length < 1.0 - TOLERANCE {
                let mut sum = Linear::constant(-1.0);
                let mut node = other;
                while let Some((_, Some((from, arc)))) = paths[node] {
                    sum = sum.plus(1.0, &self.cost(arcs[from][arc].step, 1));
                    node = from;
                }
                rows.push((length - 1.0, sum));
            }
        }
    }

    /// Pairs of the block, as positions.
    fn inside(&self, pairs: &[(NodeId, NodeId)]) -> Vec<(usize, usize)> {
        pairs
            .iter()
            .filter_map(|(one, other)| Some((*self.position.get(one)?, *self.position.get(other)?)))
            .collect()
    }

    /// Arcs both ways over everything that connects nodes at the outermost level.
    fn undirected(&self) -> Vec<Vec<Arc>> {
        let mut arcs: Vec<Vec<Arc>> = self.nodes.iter().map(|_| vec![]).collect();
        for (from, outgoing) in self.arcs[0].iter().enumerate() {
            for arc in outgoing {
                match arc.step {
                    Step::Forwards => {}
                    Step::Against(_) => {
                        let step = arc.step;
                        arcs[from].push(Arc { to: arc.to, step });
                        arcs[arc.to].push(Arc { to: from, step });
                    }
                    Step::Across(_) => arcs[from].push(Arc {
                        to: arc.to,
                        step: arc.step,
                    }),
                }
            }
        }
        arcs
    }

    /// Forced pairs in two clusters: something has to connect the one's cluster
    /// with the rest. The set is that which is reached over pairs that are more
    /// fused than not; for whole values, the cluster.
    fn forced(&self, values: &[f64], rows: &mut Vec<(f64, Linear)>) {
        let forced = self.inside(&self.model.graph.forced);
        if forced.is_empty() {
            return;
        }
        let arcs = self.undirected();
        for (one, other) in forced {
            let reached = self.reached(&arcs, values, one);
            if reached.contains(&other) {
                continue;
            }
            let mut across = Linear::constant(-1.0);
            for &from in &reached {
                for arc in arcs[from].iter().filter(|arc| !reached.contains(&arc.to)) {
                    across = across.plus(1.0, &self.cost(arc.step, 1).complement());
                }
            }
            let value = across.value(values);
            if value < -TOLERANCE {
                rows.push((value, across));
            }
        }
    }

    fn reached(&self, arcs: &[Vec<Arc>], values: &[f64], start: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([start]);
        let mut next = vec![start];
        while let Some(node) = next.pop() {
            for arc in &arcs[node] {
                let fused = self.cost(arc.step, 1).value(values) < 0.5;
                if fused && reached.insert(arc.to) {
                    next.push(arc.to);
                }
            }
        }
        reached
    }

    /// Sets of nodes with too many links: for whole values, the clusters; else
    /// also the parts that the larger links connect.
    fn forests(&self, values: &[f64], rows: &mut Vec<(f64, Linear)>) {
        let links = &self.model.links;
        if links.is_empty() {
            return;
        }
        let mut seen = BTreeSet::new();
        for threshold in [TOLERANCE, 0.5, 1.0 - TOLERANCE] {
            let mut parts = UnionFind::new(self.nodes.len());
            for link in links {
                if values[link.column] > threshold {
                    let (one, other) = link.nodes;
                    parts.union(self.position[&one], self.position[&other]);
                }
            }
            let labels = parts.into_labeling();
            let mut sums: BTreeMap<usize, (Linear, usize)> = BTreeMap::new();
            for &label in &labels {
                sums.entry(label).or_default().1 += 1;
            }
            for link in links {
                let (one, other) = (
                    labels[self.position[&link.nodes.0]],
                    labels[self.position[&link.nodes.1]],
                );
                if one == other {
                    let sum = &mut sums.entry(one).or_default().0;
                    *sum = std::mem::take(sum).plus(1.0, &Linear::column(link.column));
                }
            }
            for (sum, nodes) in sums.into_values() {
                let row = Linear::constant(nodes as f64 - 1.0).plus(-1.0, &sum);
                let value = row.value(values);
                let columns: Vec<usize> = row.terms.iter().map(|&(column, _)| column).collect();
                if value < -TOLERANCE && seen.insert(columns) {
                    rows.push((value, row));
                }
            }
        }
    }
}

/// A node of the search, the nearest first.
struct Reached {
    length: f64,
    node: usize,
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Reached {}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .length
            .total_cmp(&self.length)
            .then_with(|| other.node.cmp(&self.node))
    }
}

/// By node: how far it is from the start, and over which arc of which node it is
/// reached, as far as it is nearer than `limit`.
fn shortest_paths(
    arcs: &[Vec<Arc>],
    lengths: &[Vec<f64>],
    start: usize,
    limit: f64,
    allowed: impl Fn(usize) -> bool,
) -> Vec<Option<(f64, Option<(usize, usize)>)>> {
    let mut paths: Vec<Option<(f64, Option<(usize, usize)>)>> = vec![None; arcs.len()];
    let mut done = vec![false; arcs.len()];
    paths[start] = Some((0.0, None));
    let mut queue = BinaryHeap::from([Reached {
        length: 0.0,
        node: start,
    }]);
    while let Some(Reached { length, node }) = queue.pop() {
        if std::mem::replace(&mut done[node], true) {
            continue;
        }
        for (number, arc) in arcs[node].iter().enumerate() {
            let next = length + lengths[node][number];
            let shorter = paths[arc.to].is_none_or(|(known, _)| next < known);
            if next < limit && shorter && allowed(arc.to) {
                paths[arc.to] = Some((next, Some((node, number))));
                queue.push(Reached {
                    length: next,
                    node: arc.to,
                });
            }
        }
    }
    paths
}
