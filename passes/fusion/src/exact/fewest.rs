//! The fewest clusters of a block, where nothing else is paid for but work that is
//! done again: by search over partial clusterings, for the linear relaxation says
//! next to nothing of a number of clusters.
//!
//! It is a colouring of graphs: clusters are colours, and nodes that no legal
//! clustering has in one cluster are neighbours. What follows from two nodes' being
//! in one cluster is found by [`Contraction`]; if that is a contradiction, they are
//! apart.
//!
//! 1. Pairs that are apart are found by trying. Nodes of which every two are apart (a
//!    clique) give the first colours, and a bound.
//! 2. The least number for which there is an answer is found from below. For each,
//!    the search decides for the node with the fewest colours left (DSATUR of Brélaz,
//!    1979) whether it has one of them, or a new one. After every decision, pairs are
//!    tried again; and a cluster can only have nodes that uses and shared reads
//!    connect with it, over nodes that may be in it, too.
//! 3. If all nodes have colours but some clusters are not connected, orders that are
//!    still free are decided in both ways.
//!
//! Sums are of prices, so that the least number is followed by a search for a lower
//! price as long as there is any.
//!
//! Cost: exponential. One step takes a fusion for each node and colour.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use petgraph::unionfind::UnionFind;

use super::{bits::BitMatrix, clique, clock::Clock, presolve::Presolved};
use crate::{
    amount::Amount,
    connections::ordered_uses,
    contraction::{Checkpoint, Contraction, ReadClass},
    cost::Weights,
    graph::{BACKWARDS, FORWARDS, Graph, NodeId, Order, UseId},
};

/// The time was over.
struct OutOfTime;

/// What was found for a block.
pub(super) struct Fewest {
    /// No clustering of the block costs less.
    pub bound: Amount,
    /// Whether the search has ended.
    pub complete: bool,
    /// Whether there is an answer; it is then what the contraction holds. If there
    /// is none, but the search has ended, the known one is the best, or there is none
    /// at all.
    pub found: bool,
    /// How many decisions were made.
    pub steps: usize,
}

/// Whether a cost counts clusters, and nothing else but work that is done again.
pub(super) fn counts_clusters_only(weights: &Weights) -> bool {
    let free = |prices: &[Amount]| prices.iter().all(|price| price.is_zero());
    !weights.clusters.is_zero()
        && weights.pairs.is_empty()
        && free(&weights.uses)
        && weights.reads.iter().all(|levels| free(levels))
        && weights.writes.iter().all(|levels| free(levels))
}

fn nodes_with_loops(graph: &Graph, nodes: &[NodeId]) -> impl Iterator<Item = NodeId> {
    let nodes = nodes.iter().copied();
    nodes.filter(|&node| !graph.is_input(node) && graph.nodes[node].depth > 0)
}

/// The search for the fewest clusters of a block.
pub(super) struct FewestClusters<'s, 'g> {
    contraction: &'s mut Contraction<'g>,
    weights: &'s Weights,
    clock: Clock<'s>,
    /// The nodes of the block that have loops.
    nodes: Vec<NodeId>,
    /// By node of the graph: its position among these.
    position: Vec<usize>,
    /// Uses that may be fused, by positions.
    fusible: Vec<(usize, usize)>,
    /// The ordered reads of each array by several nodes.
    reads: Vec<Vec<Read>>,
    /// Which nodes may be connected directly.
    links: BitMatrix,
    /// Which nodes are apart.
    apart: BitMatrix,
    separated: Vec<(usize, usize)>,
    /// By position: with how many nodes a node cannot be.
    rivals: Vec<usize>,
    /// The position of a node of every cluster that is begun.
    colours: Vec<usize>,
    /// What answers may cost at most.
    most: Amount,
    steps: usize,
}

/// A read of an array in an order.
struct Read {
    array_use: UseId,
    /// The position of the reader.
    reader: usize,
    /// How it may read while the order is free: first in those that are no gather's.
    possible: Vec<ReadClass>,
    directions: usize,
}

/// Which orders are those that are free?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Free {
    /// Any that the node may have.
    Any,
    /// Forwards or backwards.
    Directions,
    /// Forwards.
    Forwards,
}

/// The clusters of a state, each known by the position of one of its nodes.
struct View {
    /// By position: the cluster.
    of: Vec<usize>,
    /// By cluster: its nodes.
    members: BitMatrix,
    /// By cluster: the nodes that are apart from it.
    apart: BitMatrix,
    colours: Vec<usize>,
    /// The clusters that are no colours.
    undecided: Vec<usize>,
}

impl View {
    /// The colours that a cluster may have.
    fn options(&self, cluster: usize) -> impl Iterator<Item = usize> + '_ {
        let colours = self.colours.iter().copied();
        colours.filter(move |&colour| !self.are_apart(cluster, colour))
    }

    fn are_apart(&self, one: usize, other: usize) -> bool {
        self.apart.common(one, &self.members, other) > 0
    }
}

/// A state of the search to go back to.
#[derive(Clone, Copy)]
struct Mark {
    contraction: Checkpoint,
    separated: usize,
    colours: usize,
}

/// An answer: by position, the first node of the cluster, and the order.
struct Answer {
    cost: Amount,
    clusters: Vec<NodeId>,
    orders: Vec<Option<Order>>,
}

impl<'s, 'g> FewestClusters<'s, 'g> {
    /// Whether what is kept of every two of so many nodes fits in memory.
    pub fn fits(nodes: usize, memory: usize) -> bool {
        const BYTES_OF_A_PAIR: usize = 64;
        nodes * nodes <= memory / BYTES_OF_A_PAIR
    }

    /// Prepares the search.
    pub fn new(
        contraction: &'s mut Contraction<'g>,
        presolved: &'s Presolved,
        weights: &'s Weights,
        block: &[NodeId],
        clock: Clock<'s>,
    ) -> Self {
        let graph = contraction.graph();
        let nodes: Vec<NodeId> = nodes_with_loops(graph, block).collect();
        let mut position = vec![usize::MAX; graph.nodes.len()];
        for (at, &node) in nodes.iter().enumerate() {
            position[node] = at;
        }
        let mut arrays = BTreeSet::new();
        let mut fusible = vec![];
        for &node in &nodes {
            for &id in graph.uses_by(node) {
                let from = graph.uses[id].from;
                arrays.insert(from);
                let open = presolved.pair_of_use[id].map_or(0, |pair| presolved.pairs[pair].open);
                if open > 0 && position[from] != usize::MAX {
                    fusible.push((position[from], position[node]));
                }
            }
        }
        let reads = arrays.into_iter().map(|array| {
            let uses = ordered_uses(graph, array, 1).into_iter();
            let uses = uses.filter(|&id| position[graph.uses[id].to] != usize::MAX);
            uses.map(|id| read(graph, presolved, id, &position))
                .collect()
        });
        let reads: Vec<Vec<Read>> = reads.filter(|reads: &Vec<Read>| reads.len() > 1).collect();
        let count = nodes.len();
        let mut links = BitMatrix::new(count);
        for &(one, other) in &fusible {
            links.set(one, other);
            links.set(other, one);
        }
        for reads in &reads {
            for one in reads {
                for other in reads {
                    links.set(one.reader, other.reader);
                }
            }
        }
        Self {
            apart: BitMatrix::new(count),
            rivals: vec![0; count],
            separated: vec![],
            colours: vec![],
            most: Amount::ZERO,
            steps: 0,
            contraction,
            weights,
            clock,
            nodes,
            position,
            fusible,
            reads,
            links,
        }
    }

    /// Finds the fewest clusters, if an answer of a certain cost is known; more than any
    /// costs if none is.
    pub fn run(mut self, known: Amount) -> Fewest {
        let start = self.mark();
        let mut bound = self.weights.clusters;
        let answer = self.begin().and_then(|()| {
            bound = self.weights.clusters * self.colours.len();
            self.least(known, &mut bound)
        });
        let Ok(answer) = answer else {
            self.rewind(start);
            return Fewest {
                bound: bound.min(known),
                complete: false,
                found: false,
                steps: self.steps,
            };
        };
        self.rewind(start);
        if let Some(answer) = &answer {
            self.take(answer);
        }
        Fewest {
            bound: answer.as_ref().map_or(known, |answer| answer.cost),
            complete: true,
            found: answer.is_some(),
            steps: self.steps,
        }
    }

    /// Finds which nodes are apart, and the first colours.
    fn begin(&mut self) -> Result<(), OutOfTime> {
        let count = self.nodes.len();
        for one in 0..count {
            for other in one + 1..count {
                self.check_time()?;
                if !self.may_join(one, other) {
                    self.set_apart(one, other);
                }
            }
        }
        self.rivals = (0..count).map(|node| self.apart.count(node)).collect();
        self.colours = clique::large_clique(count, |one, other| self.apart.get(one, other));
        Ok(())
    }

    /// The best answer that is better than the known one; nothing if there is none.
    /// The bound rises on the way.
    fn least(&mut self, known: Amount, bound: &mut Amount) -> Result<Option<Answer>, OutOfTime> {
        let mut clusters = self.colours.len();
        let start = self.mark();
        loop {
            let most = match clusters < self.nodes.len() {
                true => self.weights.clusters * clusters,
                // What costs more than that does work again.
                false => Amount::MOST,
            };
            let limit = just_below(known);
            self.most = most.min(limit);
            let answer = self.cheapest(start, *bound)?;
            if answer.is_some() || most >= limit {
                return Ok(answer);
            }
            clusters += 1;
            *bound = match self.has_prices() {
                true => most,
                false => self.weights.clusters * clusters,
            };
        }
    }

    /// The cheapest of the answers that cost at most so much, of which none costs
    /// less than the bound.
    fn cheapest(&mut self, start: Mark, bound: Amount) -> Result<Option<Answer>, OutOfTime> {
        let mut best: Option<Answer> = None;
        while best.as_ref().is_none_or(|answer| answer.cost > bound) && self.search()? {
            let answer = self.answer();
            self.rewind(start);
            self.most = just_below(answer.cost);
            best = Some(answer);
        }
        self.rewind(start);
        Ok(best)
    }

    /// Decides for all nodes, if that is possible. If it is not, the state is any that
    /// follows from the one before.
    fn search(&mut self) -> Result<bool, OutOfTime> {
        loop {
            let Some(view) = self.propagate()? else {
                return Ok(false);
            };
            self.steps += 1;
            let Some(cluster) = self.most_constrained(&view) else {
                return self.decide_orders();
            };
            let links = |&colour: &usize| self.links_between(&view, cluster, colour);
            let Some(colour) = view.options(cluster).max_by_key(links) else {
                self.colours.push(cluster);
                continue;
            };
            let mark = self.mark();
            if self.join(cluster, colour) && self.search()? {
                return Ok(true);
            }
            self.rewind(mark);
            self.set_apart(cluster, colour);
        }
    }

    /// The undecided cluster with the fewest colours left; of several, one that may be
    /// connected with one of these.
    fn most_constrained(&self, view: &View) -> Option<usize> {
        let key = |&cluster: &usize| {
            let links = view
                .options(cluster)
                .map(|colour| self.links_between(view, cluster, colour))
                .max();
            let rivals = self.rivals[cluster];
            let options = view.options(cluster).count();
            (options, Reverse(links), Reverse(rivals), cluster)
        };
        view.undecided.iter().copied().min_by_key(key)
    }

    /// How many nodes of a colour nodes of a cluster may be connected with.
    fn links_between(&self, view: &View, cluster: usize, colour: usize) -> usize {
        let members = view.members.of_row(cluster);
        members
            .map(|node| self.links.common(node, &view.members, colour))
            .sum()
    }

    fn view(&self) -> View {
        let count = self.nodes.len();
        let mut view = View {
            of: vec![0; count],
            members: BitMatrix::new(count),
            apart: BitMatrix::new(count),
            colours: vec![],
            undecided: vec![],
        };
        for (at, &node) in self.nodes.iter().enumerate() {
            let cluster = self.position[self.contraction.cluster(1, node)];
            view.of[at] = cluster;
            view.members.set(cluster, at);
            view.apart.add_row(cluster, &self.apart, at);
        }
        let colours = self.colours.iter();
        view.colours = colours.map(|&node| view.of[node]).collect();
        view.undecided = (0..count)
            .filter(|&at| view.of[at] == at && !view.colours.contains(&at))
            .collect();
        view
    }

    /// What every answer costs that contains the clusters that are begun.
    fn least_cost(&self) -> Amount {
        self.weights.clusters * self.colours.len() + self.price()
    }

    /// What is paid for work that is done again for certain.
    fn price(&self) -> Amount {
        let contraction = &*self.contraction;
        let prices = self.nodes.iter().flat_map(|&node| {
            let levels = 1..=contraction.graph().levels;
            let orders: BTreeSet<Option<Order>> =
                levels.map(|level| contraction.order(node, level)).collect();
            let prices = self.weights.recomputation[node].iter();
            prices.filter(move |(label, _)| orders.contains(&Some(**label)))
        });
        prices.map(|(_, price)| price).sum()
    }

    fn has_prices(&self) -> bool {
        let mut nodes = self.nodes.iter();
        nodes.any(|&node| !self.weights.recomputation[node].is_empty())
    }

    /// Whether another cluster may be begun.
    fn may_begin(&self) -> bool {
        self.least_cost() + self.weights.clusters <= self.most
    }
}

/// What follows from decisions.
impl FewestClusters<'_, '_> {
    /// Decides what has only one possibility left. Gives the clusters, unless there
    /// cannot be an answer.
    fn propagate(&mut self) -> Result<Option<View>, OutOfTime> {
        loop {
            self.check_time()?;
            if self.least_cost() > self.most {
                return Ok(None);
            }
            let mut view = self.view();
            let mut changed = self.try_colours(&mut view)?;
            match self.separate_unconnected(&mut view) {
                Some(separated) => changed |= separated,
                None => return Ok(None),
            }
            for &cluster in &view.undecided {
                let mut options = view.options(cluster);
                match (options.next(), options.next(), self.may_begin()) {
                    (None, _, true) => self.colours.push(cluster),
                    (None, _, false) => return Ok(None),
                    (Some(colour), None, false) => {
                        if !self.join(cluster, colour) {
                            return Ok(None);
                        }
                    }
                    _ => continue,
                }
                changed = true;
                break;
            }
            if !changed {
                return Ok(Some(view));
            }
        }
    }

    /// Finds which undecided clusters cannot have which colours. Gives whether there
    /// are any.
    fn try_colours(&mut self, view: &mut View) -> Result<bool, OutOfTime> {
        let mut changed = false;
        for cluster in view.undecided.clone() {
            for colour in view.colours.clone() {
                if view.are_apart(cluster, colour) {
                    continue;
                }
                self.check_time()?;
                if !self.may_join(cluster, colour) {
                    self.separate(view, cluster, colour);
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    fn separate(&mut self, view: &mut View, cluster: usize, colour: usize) {
        self.set_apart(cluster, colour);
        view.apart.set(cluster, colour);
        view.apart.set(colour, cluster);
    }

    /// Keeps clusters from colours with which nothing can connect them. Gives whether
    /// there are any; nothing if a cluster cannot be connected.
    fn separate_unconnected(&mut self, view: &mut View) -> Option<bool> {
        let mut changed = false;
        for own in view.colours.clone() {
            let may_be_inside: Vec<bool> = (0..self.nodes.len())
                .map(|at| {
                    let cluster = view.of[at];
                    let is_undecided = !view.colours.contains(&cluster);
                    cluster == own || is_undecided && !view.are_apart(cluster, own)
                })
                .collect();
            let parts = self.connected(&may_be_inside, Free::Any);
            let part = parts.find(own);
            let is_reached = |cluster: usize| {
                let mut members = view.members.of_row(cluster);
                members.all(|node| parts.find(node) == part)
            };
            if !is_reached(own) {
                return None;
            }
            let mut unreached = view.undecided.clone();
            unreached.retain(|&cluster| may_be_inside[cluster] && !is_reached(cluster));
            for cluster in unreached {
                self.separate(view, cluster, own);
                changed = true;
            }
        }
        Some(changed)
    }

    /// The parts that uses and shared reads connect, of the nodes inside, by position.
    fn connected(&self, inside: &[bool], free: Free) -> UnionFind<usize> {
        let mut parts = UnionFind::new(self.nodes.len());
        for &(one, other) in &self.fusible {
            if inside[one] && inside[other] {
                parts.union(one, other);
            }
        }
        let mut readers: Vec<(ReadClass, usize)> = vec![];
        for reads in &self.reads {
            readers.clear();
            for read in reads.iter().filter(|read| inside[read.reader]) {
                let class = self.contraction.read_class(read.array_use, 1);
                let classes = match (class, free) {
                    (ReadClass::Free(_), Free::Any) => &read.possible[..],
                    (ReadClass::Free(_), Free::Directions) => &read.possible[..read.directions],
                    (ReadClass::Free(_), Free::Forwards) => &[ReadClass::Order(FORWARDS)],
                    _ => &[class],
                };
                for &class in classes {
                    match readers.iter().find(|(other, _)| *other == class) {
                        Some(&(_, first)) => {
                            parts.union(first, read.reader);
                        }
                        None => readers.push((class, read.reader)),
                    }
                }
            }
        }
        parts
    }

    /// All nodes have colours: decides free orders so that clusters are connected, if
    /// that is possible. No gather's order is free any more, for it comes from a use
    /// that is fused.
    fn decide_orders(&mut self) -> Result<bool, OutOfTime> {
        self.check_time()?;
        self.steps += 1;
        for colour in self.colours.clone() {
            if self.is_connected(colour, Free::Forwards) {
                continue;
            }
            let class = self.free_classes(colour).into_iter().next();
            let Some(class) = class.filter(|_| self.is_connected(colour, Free::Directions)) else {
                return Ok(false);
            };
            for order in [BACKWARDS, FORWARDS] {
                let mark = self.mark();
                self.contraction.decide_order(class, order);
                if self.decide_orders()? {
                    return Ok(true);
                }
                self.rewind(mark);
            }
            return Ok(false);
        }
        for colour in self.colours.clone() {
            for class in self.free_classes(colour) {
                self.contraction.decide_order(class, FORWARDS);
            }
        }
        Ok(true)
    }

    /// The classes of orders that are free and in which a cluster's nodes read.
    fn free_classes(&self, colour: usize) -> BTreeSet<usize> {
        let own = self.contraction.cluster(1, self.nodes[colour]);
        let reads = self.reads.iter().flatten();
        let reads =
            reads.filter(|read| self.contraction.cluster(1, self.nodes[read.reader]) == own);
        reads
            .filter_map(
                |read| match self.contraction.read_class(read.array_use, 1) {
                    ReadClass::Free(class) => Some(class),
                    _ => None,
                },
            )
            .collect()
    }

    /// Whether a cluster is connected.
    fn is_connected(&self, colour: usize, free: Free) -> bool {
        let own = self.contraction.cluster(1, self.nodes[colour]);
        let nodes = self.nodes.iter();
        let inside: Vec<bool> = nodes
            .map(|&node| self.contraction.cluster(1, node) == own)
            .collect();
        let parts = self.connected(&inside, free);
        let part = parts.find(colour);
        (0..inside.len()).all(|at| !inside[at] || parts.find(at) == part)
    }
}

/// States.
impl FewestClusters<'_, '_> {
    fn check_time(&self) -> Result<(), OutOfTime> {
        match self.clock.is_over() {
            true => Err(OutOfTime),
            false => Ok(()),
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            contraction: self.contraction.checkpoint(),
            separated: self.separated.len(),
            colours: self.colours.len(),
        }
    }

    fn rewind(&mut self, mark: Mark) {
        self.contraction.rewind(mark.contraction);
        self.colours.truncate(mark.colours);
        for (one, other) in self.separated.drain(mark.separated..) {
            self.apart.unset(one, other);
            self.apart.unset(other, one);
        }
    }

    fn join(&mut self, one: usize, other: usize) -> bool {
        self.contraction
            .try_join(self.nodes[one], self.nodes[other])
    }

    /// Whether nothing that is known keeps two nodes from one cluster.
    fn may_join(&mut self, one: usize, other: usize) -> bool {
        let start = self.contraction.checkpoint();
        let possible = self.join(one, other);
        self.contraction.rewind(start);
        possible
    }

    fn set_apart(&mut self, one: usize, other: usize) {
        self.apart.set(one, other);
        self.apart.set(other, one);
        self.separated.push((one, other));
        self.contraction
            .separate(self.nodes[one], self.nodes[other]);
    }

    /// The answer that the state is.
    fn answer(&self) -> Answer {
        let mut first = BTreeMap::new();
        let clusters = self.nodes.iter().map(|&node| {
            let cluster = self.contraction.cluster(1, node);
            *first.entry(cluster).or_insert(node)
        });
        let orders = self
            .nodes
            .iter()
            .map(|&node| self.contraction.order(node, 1));
        Answer {
            cost: self.least_cost(),
            clusters: clusters.collect(),
            orders: orders.collect(),
        }
    }

    /// Goes to the state of an answer.
    fn take(&mut self, answer: &Answer) {
        for (&node, &first) in self.nodes.iter().zip(&answer.clusters) {
            self.contraction.try_join(first, node);
        }
        for (&node, &order) in self.nodes.iter().zip(&answer.orders) {
            if let Some(order) = order {
                self.contraction.decide_order_of(node, order);
            }
        }
    }
}

/// A read, with the ways in which it may read while its order is free.
fn read(graph: &Graph, presolved: &Presolved, id: UseId, position: &[usize]) -> Read {
    let (array_use, orders) = (&graph.uses[id], &presolved.orders);
    let reader = array_use.to;
    let mut possible = vec![ReadClass::Order(FORWARDS)];
    if orders.may_reverse(graph, reader, 1) {
        possible.push(ReadClass::Order(BACKWARDS));
    }
    let directions = possible.len();
    let labels = orders.labels_at(reader, 1);
    possible.extend(labels.map(|label| match array_use.stencil {
        Some(class) => ReadClass::Stencil(class),
        None => ReadClass::Order(label),
    }));
    Read {
        array_use: id,
        reader: position[reader],
        possible,
        directions,
    }
}

/// The next lower amount.
fn just_below(cost: Amount) -> Amount {
    cost - Amount::from_millionths(1)
}
