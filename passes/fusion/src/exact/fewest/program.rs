//! Whether a block can be put into a number of clusters, as a formula.
//!
//! Clusters have positions in the order in which they run, so that what follows from
//! dependences is found by propagation:
//!
//! * π(v) ≤ i for each node and position; from that, π(v) = i.
//! * Producers are not later than consumers, and earlier if the two are apart. Other
//!   nodes that are apart are in different positions.
//! * A node has one order. If the nodes of a use are in one position, it is fused: orders
//!   agree. If a node's order is a gather's, all its uses are fused, and read in it.
//! * A connection, a fused use or a shared read, holds only in one position.
//!
//! Whether clusters are connected is looked at when there is an answer: each path that
//! leaves a part of a cluster begins with a connection, so that one of those that leave
//! it has to hold, if something outside is in the cluster.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use crate::{
    amount::Amount,
    connections::ReadOrder,
    exact::{
        clock::Clock,
        sat::{Literal, Solver, Verdict},
    },
    graph::{FIRST_LABEL, Order},
};

/// What is the same for every number of clusters. Nodes are positions in the block's
/// list.
pub(super) struct Frame {
    /// How many nodes there are.
    pub nodes: usize,
    /// By node: the first of those that are in its cluster in every answer.
    pub first: Vec<usize>,
    /// What is known of their positions.
    pub pairs: Pairs,
    /// By node: its possible orders.
    pub orders: Vec<Vec<Order>>,
    /// Uses of nodes by others.
    pub uses: Vec<FramedUse>,
    /// Reads of arrays that may be one.
    pub shared: Vec<[SharedUse; 2]>,
    /// What is paid if a node has an order.
    pub prices: Vec<(usize, Order, Amount)>,
}

/// What is known of the positions of two nodes.
pub(super) struct Pairs {
    /// Pairs of which the first is not in a later cluster than the second, and whether
    /// it is in an earlier one.
    pub ordered: Vec<(usize, usize, bool)>,
    /// Other pairs that are in different clusters.
    pub apart: Vec<(usize, usize)>,
}

/// A use of a node's array.
pub(super) struct FramedUse {
    pub from: usize,
    /// The reader, if it is in the block and the two may be in one cluster.
    pub to: Option<usize>,
    pub order: ReadAs,
}

/// A use that may share its read.
#[derive(Clone, Copy)]
pub(super) struct SharedUse {
    pub reader: usize,
    pub order: ReadAs,
    /// The class of gathers that count as one.
    pub stencil: Option<u64>,
}

/// In which order a use reads.
#[derive(Clone, Copy)]
pub(super) enum ReadAs {
    /// In this one.
    Fixed(Order),
    /// In its reader's.
    Reader(usize),
    /// In its reader's, which is no node of the block.
    Unknown,
}

/// What connects two nodes if they are in one cluster.
#[derive(Clone, Copy)]
enum Connection {
    Use,
    /// The number of the shared read.
    Shared(usize),
}

struct Link {
    nodes: [usize; 2],
    connection: Connection,
    literal: Literal,
    /// By position: that it holds there; made when it is needed.
    here: Vec<Option<Literal>>,
}

/// How a search ended.
pub(super) enum Found {
    /// By node, its position and its order.
    Answer(Vec<usize>, Vec<Order>),
    /// There is none.
    Nothing,
    /// It is not known after as many conflicts as were allowed.
    Open,
    OutOfTime,
}

/// The formula for a number of clusters.
pub(super) struct Program<'f> {
    frame: &'f Frame,
    solver: Solver,
    clusters: usize,
    always: Literal,
    /// By node that is the first of its unit, and position.
    at: Vec<Vec<Literal>>,
    /// By node: its orders.
    orders: Vec<Vec<(Order, Literal)>>,
    links: Vec<Link>,
    /// By node: the links that it is an end of.
    links_of: Vec<Vec<usize>>,
}

impl<'f> Program<'f> {
    /// About how many bytes a formula takes.
    pub fn bytes(frame: &Frame, clusters: usize) -> usize {
        const BYTES: usize = 120;
        let pairs = frame.pairs.ordered.len() + frame.pairs.apart.len() + 3 * frame.shared.len();
        BYTES * clusters * (pairs + 3 * frame.uses.len() + 4 * frame.nodes)
    }

    /// The formula.
    pub fn new(frame: &'f Frame, clusters: usize) -> Self {
        let mut solver = Solver::new();
        let always = Literal::new(solver.variable(), true);
        solver.demand(&[always]);
        let mut program = Self {
            frame,
            solver,
            clusters,
            always,
            at: vec![],
            orders: vec![],
            links: vec![],
            links_of: vec![vec![]; frame.nodes],
        };
        program.add_positions();
        program.add_orders();
        program.add_uses();
        program.add_shared_reads();
        program
    }

    fn literal(&mut self) -> Literal {
        Literal::new(self.solver.variable(), true)
    }

    fn add_positions(&mut self) {
        let last = self.clusters - 1;
        let mut until: Vec<Vec<Literal>> = vec![];
        for node in 0..self.frame.nodes {
            if self.frame.first[node] != node {
                until.push(vec![]);
                self.at.push(vec![]);
                continue;
            }
            let mut own: Vec<Literal> = (0..last).map(|_| self.literal()).collect();
            own.push(self.always);
            let mut at = vec![own[0]];
            for position in 1..self.clusters {
                let (before, now) = (own[position - 1], own[position]);
                self.solver.demand(&[!before, now]);
                let here = self.literal();
                self.solver.demand(&[!here, now]);
                self.solver.demand(&[!here, !before]);
                self.solver.demand(&[here, !now, before]);
                at.push(here);
            }
            until.push(own);
            self.at.push(at);
        }
        for &(one, other, strict) in &self.frame.pairs.ordered {
            let (one, other) = (&until[one], &until[other]);
            for position in 0..self.clusters {
                match (strict, position) {
                    (false, _) => self.solver.demand(&[!other[position], one[position]]),
                    (true, 0) => self.solver.demand(&[!other[0]]),
                    (true, _) => self.solver.demand(&[!other[position], one[position - 1]]),
                }
            }
        }
        for &(one, other) in &self.frame.pairs.apart {
            for (&one, &other) in self.at[one].iter().zip(&self.at[other]) {
                self.solver.demand(&[!one, !other]);
            }
        }
    }

    fn add_orders(&mut self) {
        for node in 0..self.frame.nodes {
            let orders = &self.frame.orders[node];
            let orders: Vec<(Order, Literal)> = match orders[..] {
                [order] => vec![(order, self.always)],
                _ => orders
                    .iter()
                    .map(|&order| (order, self.literal()))
                    .collect(),
            };
            let literals: Vec<Literal> = orders.iter().map(|&(_, literal)| literal).collect();
            self.solver.demand(&literals);
            for (place, &one) in literals.iter().enumerate() {
                for &other in &literals[..place] {
                    self.solver.demand(&[!one, !other]);
                }
            }
            self.orders.push(orders);
        }
    }

    /// That a node has an order.
    fn has(&self, node: usize, order: Order) -> Literal {
        let mut orders = self.orders[node].iter();
        let found = orders.find(|(own, _)| *own == order);
        found.map_or(!self.always, |&(_, literal)| literal)
    }

    /// In which orders a use may read.
    fn reads(&self, read: ReadAs) -> Vec<(Order, Literal)> {
        match read {
            ReadAs::Fixed(order) => vec![(order, self.always)],
            ReadAs::Reader(reader) => self.orders[reader].clone(),
            ReadAs::Unknown => vec![],
        }
    }

    fn at(&self, node: usize, position: usize) -> Literal {
        self.at[self.frame.first[node]][position]
    }

    /// A literal that is true only if two nodes are in one position.
    fn together(&mut self, one: usize, other: usize) -> Literal {
        if self.frame.first[one] == self.frame.first[other] {
            return self.always;
        }
        let together = self.literal();
        for position in 0..self.clusters {
            let (one, other) = (self.at(one, position), self.at(other, position));
            self.solver.demand(&[!together, !one, other]);
            self.solver.demand(&[!together, one, !other]);
        }
        together
    }

    fn add_uses(&mut self) {
        let frame = self.frame;
        let mut fused: BTreeMap<(usize, usize), Literal> = BTreeMap::new();
        for array_use in &frame.uses {
            let together = match array_use.to {
                None => !self.always,
                Some(to) => match fused.get(&(array_use.from, to)) {
                    Some(&known) => known,
                    None => {
                        let together = self.fused(array_use.from, to);
                        fused.insert((array_use.from, to), together);
                        together
                    }
                },
            };
            self.add_use(array_use, together);
        }
    }

    /// A literal that is true if and only if a producer and a consumer are in one
    /// position.
    fn fused(&mut self, from: usize, to: usize) -> Literal {
        let together = self.together(from, to);
        for position in 0..self.clusters {
            let (from, to) = (self.at(from, position), self.at(to, position));
            self.solver.demand(&[together, !from, !to]);
        }
        self.add_link([from, to], Connection::Use, together);
        together
    }

    fn add_link(&mut self, nodes: [usize; 2], connection: Connection, literal: Literal) {
        for node in nodes {
            self.links_of[node].push(self.links.len());
        }
        self.links.push(Link {
            nodes,
            connection,
            literal,
            here: vec![None; self.clusters],
        });
    }

    fn add_use(&mut self, array_use: &FramedUse, fused: Literal) {
        let read = self.reads(array_use.order);
        let computed = self.orders[array_use.from].clone();
        let among = |orders: &[(Order, Literal)], order: Order| {
            let found = orders.iter().find(|(own, _)| *own == order);
            found.map_or(!self.always, |&(_, literal)| literal)
        };
        let mut demands = vec![];
        for &(order, literal) in &computed {
            let same = among(&read, order);
            demands.push(vec![!fused, !literal, same]);
            if order >= FIRST_LABEL {
                demands.push(vec![!literal, fused]);
            }
        }
        for &(order, literal) in &read {
            demands.push(vec![!fused, !literal, among(&computed, order)]);
        }
        for demand in demands {
            self.solver.demand(&demand);
        }
    }

    fn add_shared_reads(&mut self) {
        for (number, uses) in self.frame.shared.iter().enumerate() {
            let [one, other] = uses.map(|shared| self.classes(&shared));
            let is_common = |class: &ReadOrder| other.contains_key(class);
            if !one.keys().any(is_common) {
                continue;
            }
            let nodes = uses.map(|shared| shared.reader);
            let literal = self.literal();
            let together = self.together(nodes[0], nodes[1]);
            self.solver.demand(&[!literal, together]);
            for (these, those) in [(&one, &other), (&other, &one)] {
                for (class, literals) in these {
                    for &own in literals {
                        let mut demand = vec![!literal, !own];
                        demand.extend(those.get(class).into_iter().flatten());
                        self.solver.demand(&demand);
                    }
                }
            }
            self.add_link(nodes, Connection::Shared(number), literal);
        }
    }

    /// How a use may read, each with what makes it do so.
    fn classes(&self, shared: &SharedUse) -> BTreeMap<ReadOrder, Vec<Literal>> {
        let mut classes: BTreeMap<ReadOrder, Vec<Literal>> = BTreeMap::new();
        for (order, literal) in self.reads(shared.order) {
            let class = class_of(shared, order);
            classes.entry(class).or_default().push(literal);
        }
        classes
    }

    /// Looks for an answer whose clusters are connected, and for which less is paid than
    /// an amount.
    pub fn search(&mut self, below: Amount, conflicts: u64, clock: Clock) -> Found {
        let end = self.solver.conflicts() + conflicts;
        loop {
            if self.solver.bytes() > clock.memory {
                return Found::OutOfTime;
            }
            let left = end.saturating_sub(self.solver.conflicts());
            match self.solver.search(left, clock) {
                Verdict::Fulfilled => {}
                Verdict::Contradictory => return Found::Nothing,
                Verdict::Open => return Found::Open,
                Verdict::OutOfTime => return Found::OutOfTime,
            }
            let (positions, orders) = (self.positions(), self.chosen_orders());
            if !self.demand_connections(&positions, &orders) && !self.demand_price(&orders, below) {
                return Found::Answer(positions, orders);
            }
        }
    }

    fn positions(&self) -> Vec<usize> {
        let nodes = 0..self.frame.nodes;
        let position = |node: usize| {
            let mut at = self.at[self.frame.first[node]].iter();
            at.position(|&literal| self.solver.is_true(literal))
        };
        nodes.map(|node| position(node).unwrap_or(0)).collect()
    }

    fn chosen_orders(&self) -> Vec<Order> {
        let chosen = |orders: &Vec<(Order, Literal)>| {
            let mut orders = orders.iter();
            let chosen = orders.find(|(_, literal)| self.solver.is_true(*literal));
            chosen.map_or(0, |&(order, _)| order)
        };
        self.orders.iter().map(chosen).collect()
    }

    /// The parts of clusters that are connected.
    fn parts(&self, positions: &[usize], orders: &[Order]) -> UnionFind<usize> {
        let mut parts = UnionFind::new(self.frame.nodes);
        for link in &self.links {
            if self.holds(link, positions, orders) {
                parts.union(link.nodes[0], link.nodes[1]);
            }
        }
        parts
    }

    fn holds(&self, link: &Link, positions: &[usize], orders: &[Order]) -> bool {
        let [one, other] = link.nodes;
        positions[one] == positions[other]
            && match link.connection {
                Connection::Use => true,
                Connection::Shared(number) => {
                    let class = |shared: &SharedUse| match shared.order {
                        ReadAs::Fixed(order) => class_of(shared, order),
                        _ => class_of(shared, orders[shared.reader]),
                    };
                    let [one, other] = &self.frame.shared[number];
                    class(one) == class(other)
                }
            }
    }

    /// Demands that the parts of clusters are connected. Gives whether they are not.
    fn demand_connections(&mut self, positions: &[usize], orders: &[Order]) -> bool {
        let parts = self.parts(positions, orders);
        let mut firsts: Vec<Vec<usize>> = vec![vec![]; self.clusters];
        for node in 0..self.frame.nodes {
            let firsts = &mut firsts[positions[node]];
            if firsts.iter().all(|&first| !parts.equiv(first, node)) {
                firsts.push(node);
            }
        }
        let split: Vec<Vec<usize>> = firsts
            .into_iter()
            .filter(|firsts| firsts.len() > 1)
            .collect();
        for firsts in &split {
            for (number, &first) in firsts.iter().enumerate() {
                let inside: Vec<usize> = (0..self.frame.nodes)
                    .filter(|&node| parts.equiv(first, node))
                    .collect();
                let other = firsts[usize::from(number == 0)];
                self.demand_way_out(&inside, other, &[]);
            }
        }
        !split.is_empty()
    }

    /// Demands for every position that a connection leaves a part of a cluster if
    /// another node is there, too; or that one of other literals is true.
    fn demand_way_out(&mut self, inside: &[usize], other: usize, or: &[Literal]) {
        let mut is_inside = vec![false; self.frame.nodes];
        inside.iter().for_each(|&node| is_inside[node] = true);
        let leaving: Vec<(usize, usize)> = inside
            .iter()
            .flat_map(|&node| self.links_of[node].iter().map(move |&link| (node, link)))
            .filter(|&(node, link)| {
                let [one, other] = self.links[link].nodes;
                !is_inside[if one == node { other } else { one }]
            })
            .collect();
        for position in 0..self.clusters {
            let (one, other) = (self.at(inside[0], position), self.at(other, position));
            let mut demand = vec![!one, !other];
            demand.extend(or);
            for &(node, link) in &leaving {
                let here = self.here(link, node, position);
                demand.push(here);
            }
            self.solver.demand(&demand);
        }
    }

    /// A literal that is true only if a link of a node holds in a position.
    fn here(&mut self, link: usize, node: usize, position: usize) -> Literal {
        if let Some(here) = self.links[link].here[position] {
            return here;
        }
        let here = self.literal();
        let holds = self.links[link].literal;
        let at = self.at(node, position);
        self.solver.demand(&[!here, holds]);
        self.solver.demand(&[!here, at]);
        self.links[link].here[position] = Some(here);
        here
    }

    /// Demands that less is paid for orders than an amount. Gives whether it is not.
    fn demand_price(&mut self, orders: &[Order], below: Amount) -> bool {
        let mut paid: Vec<(Amount, Literal)> = vec![];
        for &(node, order, price) in &self.frame.prices {
            if orders[node] == order {
                paid.push((price, self.has(node, order)));
            }
        }
        paid.sort_by_key(|&(price, _)| std::cmp::Reverse(price));
        let mut sum = Amount::ZERO;
        let mut demand = vec![];
        for (price, literal) in paid {
            if sum >= below {
                break;
            }
            sum += price;
            demand.push(!literal);
        }
        let is_too_much = sum >= below;
        if is_too_much {
            self.solver.demand(&demand);
        }
        is_too_much
    }

    /// Demands that these nodes are not all in one position.
    pub fn forbid_together(&mut self, nodes: &[usize]) {
        for position in 0..self.clusters {
            let at = nodes.iter().map(|&node| !self.at(node, position));
            let demand: Vec<Literal> = at.collect();
            self.solver.demand(&demand);
        }
    }

    /// Demands another answer.
    pub fn forbid(&mut self, positions: &[usize], orders: &[Order]) {
        let nodes = 0..self.frame.nodes;
        let demand = nodes.flat_map(|node| {
            [
                !self.at(node, positions[node]),
                !self.has(node, orders[node]),
            ]
        });
        let demand: Vec<Literal> = demand.collect();
        self.solver.demand(&demand);
    }

    /// Demands another answer than one whose part of a cluster is not connected with
    /// another node of it, although it seems to be: another way out, or other orders.
    pub fn forbid_part(&mut self, answer: (&[usize], &[Order]), inside: &[usize], other: usize) {
        let (positions, orders) = answer;
        let position = positions[other];
        let mut is_inside = vec![false; self.frame.nodes];
        inside.iter().for_each(|&node| is_inside[node] = true);
        let mut demand: Vec<Literal> = inside
            .iter()
            .chain([&other])
            .map(|&node| !self.at(node, position))
            .collect();
        for node in (0..self.frame.nodes).filter(|&node| positions[node] == position) {
            demand.push(!self.has(node, orders[node]));
        }
        for &node in inside {
            for link in self.links_of[node].clone() {
                let [one, other] = self.links[link].nodes;
                let leaves = !is_inside[if one == node { other } else { one }];
                if leaves && !self.holds(&self.links[link], positions, orders) {
                    demand.push(self.here(link, node, position));
                }
            }
        }
        self.solver.demand(&demand);
    }
}

fn class_of(shared: &SharedUse, order: Order) -> ReadOrder {
    match shared.stencil {
        Some(class) if order >= FIRST_LABEL => ReadOrder::Stencil(class),
        _ => ReadOrder::One(order),
    }
}
