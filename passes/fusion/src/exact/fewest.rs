//! The fewest clusters of a block, where nothing else is paid for but work that is
//! done again: by search over assignments of nodes to clusters, for the linear relaxation
//! says next to nothing of a number of clusters.
//!
//! 1. What follows from two nodes' being in one cluster is found by [`Contraction`]; if
//!    that is a contradiction, they are apart. All pairs are tried. Nodes of which every
//!    two are apart (a clique) are a bound.
//! 2. Whether there is an answer with a number of clusters is a formula (module
//!    `program`) that is searched by learning from conflicts ([`super::sat`]). The least
//!    number is looked for from below, and better answers from above, in turns that
//!    become longer.
//! 3. An answer is rebuilt as a contraction. What breaks a rule that the formula does not
//!    know, such as one of inner levels, is ruled out, and the search goes on.
//!
//! Sums are of prices, so that the least number is followed by a search for a lower
//! price as long as there is any.
//!
//! Cost: exponential. A formula is as large as the pairs of nodes times the clusters.

mod program;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use petgraph::unionfind::UnionFind;

use super::{bits::BitMatrix, clique, clock::Clock, presolve::Presolved};
use crate::{
    amount::Amount,
    connections::ordered_uses,
    contraction::{Checkpoint, Contraction},
    cost::Weights,
    graph::{FIRST_LABEL, Graph, NodeId, Order, UseId},
    stable_hash::Map,
};
use program::{Found, Frame, FramedUse, Pairs, Program, ReadAs, SharedUse};

/// The time was over, or the memory.
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
    /// How many numbers of clusters, and turns, were looked at.
    pub steps: usize,
}

/// Whether a cost counts clusters, and nothing else but work that is done again.
pub(super) fn counts_clusters_only(weights: &Weights) -> bool {
    let free = |prices: &[Amount]| prices.iter().all(|price| price.is_zero());
    !weights.clusters.is_zero()
        && weights.pairs.is_empty()
        && weights.crowds.is_empty()
        && free(&weights.uses)
        && weights.reads.iter().all(|levels| free(levels))
        && weights.writes.iter().all(|levels| free(levels))
}

fn nodes_with_loops(graph: &Graph, nodes: &[NodeId]) -> impl Iterator<Item = NodeId> {
    let nodes = nodes.iter().copied();
    nodes.filter(|&node| !graph.is_input(node) && graph.nodes[node].depth > 0)
}

/// The first turn has so many conflicts, and each has this many times those of the one
/// before.
const CONFLICTS: u64 = 1000;
const LONGER: u64 = 2;

/// The search for the fewest clusters of a block.
pub(super) struct FewestClusters<'s, 'g> {
    contraction: &'s mut Contraction<'g>,
    presolved: &'s Presolved,
    weights: &'s Weights,
    clock: Clock<'s>,
    /// The nodes of the block that have loops.
    nodes: Vec<NodeId>,
    /// By node of the graph: its position among these.
    position: Vec<usize>,
    /// Which nodes are apart, by positions.
    apart: BitMatrix,
    start: Checkpoint,
    steps: usize,
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
        Self {
            apart: BitMatrix::new(nodes.len()),
            steps: 0,
            start: contraction.checkpoint(),
            contraction,
            presolved,
            weights,
            clock,
            nodes,
            position,
        }
    }

    /// Finds the fewest clusters, if an answer of a certain cost is known; more than any
    /// costs if none is.
    pub fn run(mut self, known: Amount) -> Fewest {
        let mut bound = self.weights.clusters;
        let mut best = None;
        let ended = self.least(known, &mut bound, &mut best);
        self.contraction.rewind(self.start);
        let cost = best.as_ref().map_or(known, |answer: &Answer| answer.cost);
        if let Some(answer) = &best {
            self.take(answer);
        }
        Fewest {
            bound: match ended {
                Ok(()) => cost,
                Err(OutOfTime) => bound.min(cost),
            },
            complete: ended.is_ok(),
            found: best.is_some(),
            steps: self.steps,
        }
    }

    /// Looks for the best answer that is better than the known one. The bound rises on
    /// the way.
    fn least(
        &mut self,
        known: Amount,
        bound: &mut Amount,
        best: &mut Option<Answer>,
    ) -> Result<(), OutOfTime> {
        let one = self.weights.clusters;
        self.find_apart()?;
        let count = self.nodes.len();
        let clique = clique::large_clique(count, |one, other| self.apart.get(one, other));
        let mut least = clique.len().max(1);
        let certain = self.price();
        *bound = one * least + certain;
        let frame = self.frame();
        let mut programs: BTreeMap<usize, Program> = BTreeMap::new();
        let (mut conflicts, mut cost) = (CONFLICTS, known);
        loop {
            let free = one * least + certain;
            *bound = free.min(cost);
            if free >= cost || least > count {
                return Ok(());
            }
            let most = most_clusters(cost, one).min(count);
            programs.retain(|&clusters, _| clusters == least || clusters == most);
            let mut sides = vec![least];
            // Of two numbers of clusters, either may have the lower price.
            sides.extend(Some(most).filter(|&most| most > least && frame.prices.is_empty()));
            let mut is_open = true;
            for clusters in sides {
                self.steps += 1;
                let program = self.program(&frame, &mut programs, clusters)?;
                match self.search(program, cost - free, conflicts)? {
                    Search::Answer(answer) => {
                        cost = answer.cost;
                        *best = Some(answer);
                        is_open = false;
                    }
                    Search::Nothing if clusters == least => {
                        least += 1;
                        is_open = false;
                    }
                    Search::Nothing => return Ok(()),
                    Search::Open => {}
                }
                if !is_open {
                    break;
                }
            }
            if is_open {
                conflicts *= LONGER;
            }
        }
    }

    /// Finds which nodes are apart.
    fn find_apart(&mut self) -> Result<(), OutOfTime> {
        for one in 0..self.nodes.len() {
            for other in one + 1..self.nodes.len() {
                self.check_time()?;
                if !self.may_join(one, other) {
                    self.apart.set(one, other);
                    self.apart.set(other, one);
                }
            }
        }
        Ok(())
    }

    /// The formula for a number of clusters, if there are time and memory for it.
    fn program<'p, 'f>(
        &self,
        frame: &'f Frame,
        programs: &'p mut BTreeMap<usize, Program<'f>>,
        clusters: usize,
    ) -> Result<&'p mut Program<'f>, OutOfTime> {
        let bytes = Program::bytes(frame, clusters);
        let is_new = !programs.contains_key(&clusters);
        if is_new && (bytes > self.clock.memory || self.clock.is_over_in(building_time(bytes))) {
            return Err(OutOfTime);
        }
        let program = programs.entry(clusters);
        Ok(program.or_insert_with(|| Program::new(frame, clusters)))
    }

    /// Looks for an answer for whose orders less is paid than an amount.
    fn search(
        &mut self,
        program: &mut Program,
        below: Amount,
        conflicts: u64,
    ) -> Result<Search, OutOfTime> {
        loop {
            match program.search(below, conflicts, self.clock) {
                Found::Answer(positions, orders) => {
                    if let Some(answer) = self.rebuilt(program, &positions, &orders) {
                        return Ok(Search::Answer(answer));
                    }
                }
                Found::Nothing => return Ok(Search::Nothing),
                Found::Open => return Ok(Search::Open),
                Found::OutOfTime => return Err(OutOfTime),
            }
        }
    }

    fn check_time(&self) -> Result<(), OutOfTime> {
        match self.clock.is_over() {
            true => Err(OutOfTime),
            false => Ok(()),
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

    /// The answer that the state is.
    fn answer(&self) -> Answer {
        let mut first = BTreeMap::new();
        let clusters: Vec<NodeId> = self
            .nodes
            .iter()
            .map(|&node| {
                let cluster = self.contraction.cluster(1, node);
                *first.entry(cluster).or_insert(node)
            })
            .collect();
        let orders = self
            .nodes
            .iter()
            .map(|&node| self.contraction.order(node, 1));
        Answer {
            cost: self.weights.clusters * first.len() + self.price(),
            orders: orders.collect(),
            clusters,
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

/// How a turn ended.
enum Search {
    Answer(Answer),
    Nothing,
    Open,
}

/// Formulas and answers.
impl FewestClusters<'_, '_> {
    /// What formulas for all numbers of clusters have in common.
    fn frame(&self) -> Frame {
        let graph = self.contraction.graph();
        let mut first_of = BTreeMap::new();
        let clusters = self
            .nodes
            .iter()
            .map(|&node| self.contraction.cluster(1, node));
        let first: Vec<usize> = clusters
            .enumerate()
            .map(|(at, cluster)| *first_of.entry(cluster).or_insert(at))
            .collect();
        let uses = self.nodes.iter().enumerate().flat_map(|(from, &node)| {
            let uses = graph.uses_of(node).iter();
            uses.map(move |&id| self.framed_use(from, id))
        });
        Frame {
            nodes: self.nodes.len(),
            pairs: self.pairs(&first),
            orders: self.nodes.iter().map(|&node| self.orders(node)).collect(),
            uses: uses.collect(),
            shared: self.shared_reads(&first),
            prices: self.prices(),
            first,
        }
    }

    /// Pairs that have to be in order, each with whether they are apart, and other pairs
    /// that are apart; of the first, those that do not follow from others.
    fn pairs(&self, first: &[usize]) -> Pairs {
        let count = self.nodes.len();
        let before = self.dependences();
        let mut reached = BitMatrix::new(count);
        for to in (0..count).rev() {
            for &from in &before[to] {
                reached.set(from, to);
            }
        }
        for from in (0..count).rev() {
            let next: Vec<usize> = reached.of_row(from).collect();
            next.into_iter().for_each(|next| reached.unite(from, next));
        }
        let mut ordered = BTreeMap::new();
        let mut apart = BTreeSet::new();
        for to in 0..count {
            for from in 0..to {
                let (one, other) = (first[from], first[to]);
                let is_apart = self.apart.get(from, to);
                if one == other || !is_apart && !before[to].contains(&from) {
                    continue;
                }
                if !reached.get(from, to) {
                    apart.insert((one.min(other), one.max(other)));
                    continue;
                }
                let follows = !before[to].contains(&from)
                    && before[to].iter().any(|&between| {
                        reached.get(from, between)
                            && (self.apart.get(from, between) || self.apart.get(between, to))
                    });
                if !follows {
                    *ordered.entry((one, other)).or_insert(false) |= is_apart;
                }
            }
        }
        let ordered = ordered.into_iter();
        let ordered = ordered.map(|((one, other), strict)| (one, other, strict));
        Pairs {
            ordered: ordered.collect(),
            apart: apart.into_iter().collect(),
        }
    }

    /// By node: those that it depends on directly.
    fn dependences(&self) -> Vec<BTreeSet<usize>> {
        let graph = self.contraction.graph();
        let mut before = vec![BTreeSet::new(); self.nodes.len()];
        let uses = graph
            .uses
            .iter()
            .map(|array_use| (array_use.from, array_use.to));
        for (from, to) in uses.chain(graph.before.iter().copied()) {
            let (from, to) = (self.position[from], self.position[to]);
            if from != usize::MAX && to != usize::MAX {
                before[to].insert(from);
            }
        }
        before
    }

    fn orders(&self, node: NodeId) -> Vec<Order> {
        match self.contraction.order(node, 1) {
            Some(order) => vec![order],
            None => {
                let graph = self.contraction.graph();
                self.presolved.orders.of_node(graph, node, 1)
            }
        }
    }

    fn framed_use(&self, from: usize, id: UseId) -> FramedUse {
        let to = self.position[self.contraction.graph().uses[id].to];
        let pair = self.presolved.pair_of_use[id];
        let open = pair.map_or(0, |pair| self.presolved.pairs[pair].open);
        let may_be_fused = open > 0 && to != usize::MAX && !self.apart.get(from, to);
        FramedUse {
            from,
            to: may_be_fused.then_some(to),
            order: self.read_as(id),
        }
    }

    fn read_as(&self, id: UseId) -> ReadAs {
        let graph = self.contraction.graph();
        let array_use = &graph.uses[id];
        match self.presolved.orders.fixed_read(graph, array_use, 1) {
            Some(order) => ReadAs::Fixed(order),
            None => match self.position[array_use.to] {
                usize::MAX => ReadAs::Unknown,
                reader => ReadAs::Reader(reader),
            },
        }
    }

    /// Pairs of reads that may connect nodes.
    fn shared_reads(&self, first: &[usize]) -> Vec<[SharedUse; 2]> {
        let graph = self.contraction.graph();
        let read = self.nodes.iter().flat_map(|&node| graph.uses_by(node));
        let arrays: BTreeSet<NodeId> = read.map(|&id| graph.uses[id].from).collect();
        let mut shared = vec![];
        for array in arrays {
            let uses = ordered_uses(graph, array, 1).into_iter();
            let uses = uses.map(|id| SharedUse {
                reader: self.position[graph.uses[id].to],
                order: self.read_as(id),
                stencil: graph.uses[id].stencil,
            });
            let uses: Vec<SharedUse> = uses.filter(|found| found.reader != usize::MAX).collect();
            for (place, one) in uses.iter().enumerate() {
                let others = uses[place + 1..].iter().filter(|other| {
                    first[one.reader] != first[other.reader]
                        && !self.apart.get(one.reader, other.reader)
                });
                shared.extend(others.map(|other| [*one, *other]));
            }
        }
        shared
    }

    /// What is paid for orders that are not decided.
    fn prices(&self) -> Vec<(usize, Order, Amount)> {
        let nodes = self.nodes.iter().enumerate();
        let open = nodes.filter(|&(_, &node)| self.contraction.order(node, 1).is_none());
        let prices = open.flat_map(|(at, &node)| {
            let prices = self.weights.recomputation[node].iter();
            prices.map(move |(&label, &price)| (at, label, price))
        });
        prices.collect()
    }

    /// The answer with these positions and orders. If it breaks a rule, the program is
    /// told so.
    fn rebuilt(
        &mut self,
        program: &mut Program,
        positions: &[usize],
        orders: &[Order],
    ) -> Option<Answer> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (node, &position) in positions.iter().enumerate() {
            groups.entry(position).or_default().push(node);
        }
        let mut is_legal = true;
        for group in groups.values() {
            if let Some(conflict) = self.conflict(group) {
                program.forbid_together(&conflict);
                is_legal = false;
            }
        }
        if !is_legal {
            return None;
        }
        self.contraction.rewind(self.start);
        let mut groups_joined = groups.values();
        let are_joined = groups_joined.all(|group| {
            let mut others = group[1..].iter();
            others.all(|&other| self.join(group[0], other))
        });
        for (at, &order) in orders.iter().enumerate().filter(|_| are_joined) {
            if order < FIRST_LABEL {
                self.contraction.decide_order_of(self.nodes[at], order);
            }
        }
        let mut in_order = self.nodes.iter().zip(orders);
        if !are_joined
            || !in_order.all(|(&node, &order)| self.contraction.order(node, 1) == Some(order))
        {
            program.forbid(positions, orders);
            return None;
        }
        for group in groups.values() {
            let parts = self.connected(group);
            let part = |&&node: &&usize| parts.equiv(node, group[0]);
            if let Some(&other) = group.iter().find(|node| !part(node)) {
                let inside: Vec<usize> = group.iter().filter(part).copied().collect();
                program.forbid_part((positions, orders), &inside, other);
                is_legal = false;
            }
        }
        is_legal.then(|| self.answer())
    }

    /// Some of these nodes that cannot be in one cluster, each of which is needed for
    /// that; nothing if they can.
    fn conflict(&mut self, nodes: &[usize]) -> Option<Vec<usize>> {
        let (&first, others) = nodes.split_first()?;
        self.contraction.rewind(self.start);
        let failing = others.iter().position(|&other| !self.join(first, other))?;
        let mut conflict = nodes[..failing + 2].to_vec();
        let mut tried = 0;
        while tried < conflict.len() {
            let mut fewer = conflict.clone();
            fewer.remove(tried);
            self.contraction.rewind(self.start);
            let mut others = fewer[1..].iter();
            match others.all(|&other| self.join(fewer[0], other)) {
                true => tried += 1,
                false => conflict = fewer,
            }
        }
        Some(conflict)
    }

    /// The parts of a cluster that fused uses and shared reads connect.
    fn connected(&self, nodes: &[usize]) -> UnionFind<usize> {
        let graph = self.contraction.graph();
        let mut parts = UnionFind::new(self.nodes.len());
        let mut readers = Map::default();
        for &at in nodes {
            let node = self.nodes[at];
            for &id in graph.uses_by(node) {
                let array_use = &graph.uses[id];
                if self.contraction.together(1, array_use.from, node) {
                    parts.union(self.position[array_use.from], at);
                }
                if graph.ordered_levels(array_use) > 0 {
                    let class = self.contraction.read_class(id, 1);
                    let first = *readers.entry((array_use.from, class)).or_insert(at);
                    parts.union(first, at);
                }
            }
        }
        parts
    }
}

/// The most clusters that cost less than an amount.
fn most_clusters(cost: Amount, one: Amount) -> usize {
    let most = (cost.millionths() - 1) / one.millionths();
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// About how long it takes to build a formula of so many bytes.
fn building_time(bytes: usize) -> Duration {
    const TIME_FOR_A_BYTE: Duration = Duration::from_nanos(3);
    TIME_FOR_A_BYTE.mul_f64(bytes as f64)
}
