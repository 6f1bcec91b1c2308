//! Constraints that a solution of the linear program breaks, found exactly.
//!
//! * Cycles: for each dependence f = (u, v) of a level and each path P from v back
//!   to u, `x_f <= Σ cost of P`. Arcs forwards cost nothing; backwards over a pair
//!   that may be fused, x; over a sharing pair, 1 − y. A broken constraint is a
//!   path shorter than x_f (Dijkstra from every v). Of these, paths with few columns
//!   are preferred.
//! * Wishes: two nodes that must not be in one cluster are not connected by pairs
//!   that are fused; two that have to be, are.
//! * Forests: the links inside a set of nodes are fewer than the nodes.
//!
//! Cost: O(V (E log V)) for the cycles of a level.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
};

use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
    unionfind::UnionFind,
};

use super::{
    clock::Clock,
    linear::{Column, Linear},
    model::BlockModel,
};
use crate::graph::NodeId;

/// What is broken by less is not broken.
const TOLERANCE: f64 = 1e-6;

/// What every column costs more on a path, so that paths have few.
const SURCHARGE: f64 = 0.05;

/// So little that only paths of the same length are told apart.
const NO_SURCHARGE: f64 = 1e-10;

/// How often further paths are looked for.
const PASSES: usize = 6;

/// How one node is reached from another at a level, and what that costs.
#[derive(Clone, Copy)]
struct Arc {
    to: usize,
    cost: ArcCost,
}

/// What going along an arc costs.
#[derive(Clone, Copy)]
enum ArcCost {
    /// Along a dependence: nothing.
    Nothing,
    /// Against a dependence: its pair's not being fused.
    Column(Column),
    /// Against a dependence that is always fused: nothing.
    Joined,
    /// Across a sharing pair: its not being together.
    Complement(Column),
}

impl ArcCost {
    fn value(self, values: &[f64]) -> f64 {
        match self {
            Self::Nothing | Self::Joined => 0.0,
            Self::Column(column) => values[column].max(0.0),
            Self::Complement(column) => (1.0 - values[column]).max(0.0),
        }
    }

    /// The column that it depends on.
    fn column(self) -> Option<Column> {
        match self {
            Self::Nothing | Self::Joined => None,
            Self::Column(column) | Self::Complement(column) => Some(column),
        }
    }

    fn expression(self) -> Linear {
        match self {
            Self::Nothing | Self::Joined => Linear::default(),
            Self::Column(column) => Linear::column(column),
            Self::Complement(column) => Linear::column(column).complement(),
        }
    }
}

/// Finds broken constraints of a block's program.
pub(crate) struct Separator<'m, 'p> {
    model: &'m BlockModel<'p>,
    /// The nodes of the block, and their positions.
    nodes: Vec<NodeId>,
    position: BTreeMap<NodeId, usize>,
    /// By level and position.
    arcs: Vec<Vec<Vec<Arc>>>,
    clock: Clock<'m>,
}

impl<'m, 'p> Separator<'m, 'p> {
    /// Prepares the search.
    pub fn new(model: &'m BlockModel<'p>) -> Self {
        let nodes = model.nodes();
        let position: BTreeMap<NodeId, usize> = nodes
            .iter()
            .enumerate()
            .map(|(at, &node)| (node, at))
            .collect();
        let levels = (1..=model.graph.levels).map(|level| {
            let mut arcs: Vec<Vec<Arc>> = nodes.iter().map(|_| vec![]).collect();
            let mut add = |from: NodeId, to: NodeId, cost: ArcCost| {
                let to = position[&to];
                arcs[position[&from]].push(Arc { to, cost });
            };
            for &number in &model.pairs {
                let pair = &model.presolved.pairs[number];
                add(pair.from, pair.to, ArcCost::Nothing);
                if let Some(column) = model.unfused_column(number, level) {
                    add(pair.to, pair.from, ArcCost::Column(column));
                } else if model.is_joined(number, level) {
                    add(pair.to, pair.from, ArcCost::Joined);
                }
            }
            for &number in &model.sharing {
                if let Some(column) = model.together_column(number, level) {
                    let (one, other) = model.presolved.sharing[number].nodes;
                    add(one, other, ArcCost::Complement(column));
                    add(other, one, ArcCost::Complement(column));
                }
            }
            arcs
        });
        Self {
            model,
            nodes: nodes.to_vec(),
            arcs: levels.collect(),
            position,
            clock: Clock::without_deadline(None),
        }
    }

    /// The same, but the search ends when the clock says so.
    pub fn until(self, clock: Clock<'m>) -> Self {
        Self { clock, ..self }
    }

    /// Rows `expression >= 0` that the values break, the most broken first. When the
    /// time is over, these need not be all.
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

    /// Rows are better the fewer columns they have, and several paths for a
    /// dependence are better than one. So first, arcs cost a little more, and paths
    /// that share no column are looked for in a few passes; if there are none, the
    /// shortest paths decide.
    fn cycles(&self, level: usize, values: &[f64], rows: &mut Vec<(f64, Linear)>) {
        let mut taken = vec![false; values.len()];
        let before = rows.len();
        for _ in 0..PASSES {
            let known = rows.len();
            self.cycles_apart(level, values, SURCHARGE, &mut taken, rows);
            if rows.len() == known {
                break;
            }
        }
        if rows.len() == before {
            taken.fill(false);
            self.cycles_apart(level, values, NO_SURCHARGE, &mut taken, rows);
        }
    }

    /// For each dependence, a path that breaks it and uses no column that is taken;
    /// then, the columns of all these paths are taken.
    fn cycles_apart(
        &self,
        level: usize,
        values: &[f64],
        surcharge: f64,
        taken: &mut [bool],
        rows: &mut Vec<(f64, Linear)>,
    ) {
        let near = Near::new(&self.arcs[level - 1], values, surcharge, taken);
        let parts = near.parts();
        let mut into: BTreeMap<usize, Vec<(usize, usize, f64)>> = BTreeMap::new();
        for &number in &self.model.pairs {
            let pair = &self.model.presolved.pairs[number];
            let (from, to) = (self.position[&pair.from], self.position[&pair.to]);
            if parts[from] == parts[to] {
                let value = self.model.unfused(number, level).value(values);
                if value > TOLERANCE {
                    into.entry(to).or_default().push((from, number, value));
                }
            }
        }
        for (start, ends) in into {
            if self.clock.is_over() {
                return;
            }
            let farthest = ends.iter().fold(0.0f64, |most, end| most.max(end.2));
            let paths = near.shortest_paths(start, farthest, &parts);
            for (end, number, value) in ends {
                let Some(reached) = &paths[end] else {
                    continue;
                };
                if reached.length < value - TOLERANCE {
                    let unfused = self.model.unfused(number, level);
                    let path = path_cost(&paths, end);
                    for &(column, _) in &path.terms {
                        taken[column] = true;
                    }
                    rows.push((reached.length - value, path.plus(-1.0, &unfused)));
                }
            }
        }
    }

    /// Forbidden pairs in one cluster: a path of fused pairs between them.
    fn forbidden(&self, values: &[f64], rows: &mut Vec<(f64, Linear)>) {
        let forbidden: Vec<(usize, usize)> = self.inside(&self.model.graph.forbidden);
        if forbidden.is_empty() {
            return;
        }
        let arcs = self.undirected();
        let near = Near::new(&arcs, values, NO_SURCHARGE, &[]);
        let parts = near.parts();
        for (one, other) in forbidden {
            let paths = near.shortest_paths(one, 1.0, &parts);
            let Some(reached) = &paths[other] else {
                continue;
            };
            if reached.length < 1.0 - TOLERANCE {
                let path = path_cost(&paths, other);
                rows.push((
                    reached.length - 1.0,
                    path.plus(-1.0, &Linear::constant(1.0)),
                ));
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
                match arc.cost {
                    ArcCost::Nothing => {}
                    ArcCost::Column(_) | ArcCost::Joined => {
                        arcs[from].push(*arc);
                        arcs[arc.to].push(Arc { to: from, ..*arc });
                    }
                    ArcCost::Complement(_) => arcs[from].push(*arc),
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
                    across = across.plus(1.0, &arc.cost.expression().complement());
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
                let fused = arc.cost.value(values) < 0.5;
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

/// Where the search has come.
#[derive(Clone)]
struct Reached {
    length: f64,
    /// The length with what is added for each column.
    weight: f64,
    /// The node before, and what the arc from there costs; nothing at the start.
    before: Option<(usize, ArcCost)>,
}

/// The cost of the arcs of a path to a node.
fn path_cost(paths: &[Option<Reached>], end: usize) -> Linear {
    let mut sum = Linear::default();
    let mut node = end;
    while let Some(Reached {
        before: Some((from, cost)),
        ..
    }) = &paths[node]
    {
        sum = sum.plus(1.0, &cost.expression());
        node = *from;
    }
    sum
}

/// The arcs that cost less than 1 now: no path over others breaks a constraint.
struct Near<'a> {
    arcs: Vec<Vec<(&'a Arc, f64)>>,
    /// What a column adds to the weight of a path.
    surcharge: f64,
}

impl<'a> Near<'a> {
    fn new(arcs: &'a [Vec<Arc>], values: &[f64], surcharge: f64, taken: &[bool]) -> Self {
        let is_taken = |arc: &&Arc| {
            let column = arc.cost.column();
            column.is_some_and(|column| taken.get(column) == Some(&true))
        };
        let arcs = arcs.iter().map(|arcs| {
            arcs.iter()
                .filter(|arc| !is_taken(arc))
                .map(|arc| (arc, arc.cost.value(values)))
                .filter(|&(_, length)| length < 1.0 - TOLERANCE)
                .collect()
        });
        Self {
            arcs: arcs.collect(),
            surcharge,
        }
    }

    /// By node: its strongly connected component, in which every cycle lies.
    fn parts(&self) -> Vec<usize> {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.arcs.len(), 0);
        for _ in 0..self.arcs.len() {
            graph.add_node(());
        }
        for (from, arcs) in self.arcs.iter().enumerate() {
            for (arc, _) in arcs {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(arc.to), ());
            }
        }
        let mut parts = vec![0; self.arcs.len()];
        for (number, part) in kosaraju_scc(&graph).into_iter().enumerate() {
            for node in part {
                parts[node.index()] = number;
            }
        }
        parts
    }

    /// By node of the start's part: the path of least weight to it, among those
    /// shorter than `limit`.
    fn shortest_paths(&self, start: usize, limit: f64, parts: &[usize]) -> Vec<Option<Reached>> {
        let mut paths: Vec<Option<Reached>> = vec![None; self.arcs.len()];
        let mut done = vec![false; self.arcs.len()];
        paths[start] = Some(Reached {
            length: 0.0,
            weight: 0.0,
            before: None,
        });
        let mut queue = BinaryHeap::new();
        // Nodes that are as near as the nearest that wait.
        let mut nearest = vec![start];
        while let Some(node) = nearest.pop().or_else(|| {
            let next: Option<Waiting> = queue.pop();
            next.map(|next| next.node)
        }) {
            if std::mem::replace(&mut done[node], true) {
                continue;
            }
            let Some((length, weight)) =
                paths[node].as_ref().map(|path| (path.length, path.weight))
            else {
                continue;
            };
            for &(arc, cost) in &self.arcs[node] {
                let free = arc.cost.column().is_none();
                let added = if free { 0.0 } else { cost + self.surcharge };
                let (length, weight) = (length + cost, weight + added);
                let known = paths[arc.to].as_ref();
                if length >= limit
                    || known.is_some_and(|known| weight >= known.weight)
                    || parts[arc.to] != parts[start]
                {
                    continue;
                }
                paths[arc.to] = Some(Reached {
                    length,
                    weight,
                    before: Some((node, arc.cost)),
                });
                if free {
                    nearest.push(arc.to);
                } else {
                    queue.push(Waiting {
                        weight,
                        node: arc.to,
                    });
                }
            }
        }
        paths
    }
}

/// A node that waits, the nearest first.
struct Waiting {
    weight: f64,
    node: usize,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .weight
            .total_cmp(&self.weight)
            .then_with(|| other.node.cmp(&self.node))
    }
}
