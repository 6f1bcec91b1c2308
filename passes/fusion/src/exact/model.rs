//! The integer linear program of one block.
//!
//! # Variables, all between 0 and 1
//!
//! * `fused(p, k)`: x of the papers; 1 if pair p is *not* fused at level k;
//! * `together(q, k)`: y; whether sharing pair q is in one cluster at level k;
//! * `label(v, l)`: z; whether v is computed in the order of gather l, at all
//!   levels that l covers;
//! * `reversed(v, k)`: z; whether v goes backwards at level k;
//! * `kept(v, k)`: 1 − m; whether v's array exists outside of the loops of level k;
//! * `read(u, k)`: r; whether use u at level k is a read that is paid for;
//! * `same(u, u', k)`: s; whether u' is the same read as u;
//! * `linked(c)`: t; whether a connection belongs to the forest that counts
//!   clusters, or a pair is connected.
//!
//! Only the first four kinds have to be whole: the others then are by
//! themselves, at the optimum.
//!
//! # Constraints (docs/src/fusion-model.md, "Model")
//!
//! Levels are nested; producer and consumer of a fused pair agree on orders; a
//! node with a label is contracted; reads have representatives. Cycles are cut
//! off by [`separation`](super::separation) when they show, and so are forests
//! with too many links.
//!
//! Cost: linear in the block, but quadratic in the number of readers of an array.

use std::collections::BTreeMap;

use super::{
    linear::{Column, Linear},
    presolve::{Presolved, SharedRead},
    size::ModelSize,
};
use crate::{
    amount::Amount,
    clustering::Clustering,
    connections::ReadOrder,
    cost::{Connection, Weights},
    evaluate::{Part, evaluate_part},
    graph::{BACKWARDS, FIRST_LABEL, Graph, NodeId, Order, UseId},
};

/// A direct connection of two nodes of the block at the outermost level, with
/// the expression that is 1 if it holds, and its forest variable.
pub(crate) struct Link {
    /// The nodes.
    pub nodes: (NodeId, NodeId),
    /// Whether it is in the forest.
    pub column: Column,
}

/// The integer linear program of a block.
pub(crate) struct BlockModel<'p> {
    pub graph: &'p Graph,
    pub presolved: &'p Presolved,
    weights: &'p Weights,
    part: Part<'p>,
    block: usize,
    /// The pairs inside the block.
    pub pairs: Vec<usize>,
    /// The sharing pairs inside the block.
    pub sharing: Vec<usize>,
    /// The objective's constant: what the block costs whatever is decided.
    pub constant: Amount,
    /// The objective's factors.
    pub costs: Vec<Amount>,
    /// Rows: each expression is 0 or more.
    pub rows: Vec<Linear>,
    /// The columns that have to be whole.
    pub whole: Vec<Column>,
    /// Links for counting clusters; empty if clusters cost nothing.
    pub links: Vec<Link>,
    fused: BTreeMap<(usize, usize), Column>,
    together: BTreeMap<(usize, usize), Column>,
    label: BTreeMap<(NodeId, Order), Column>,
    reversed: BTreeMap<(NodeId, usize), Column>,
    /// By pair of uses and level: whether they are one read.
    same: BTreeMap<(UseId, UseId, usize), Column>,
    /// By pair of uses: whether they read alike at the outermost level.
    alike: BTreeMap<(UseId, UseId), Column>,
    pair_of_nodes: BTreeMap<(NodeId, NodeId), usize>,
    sharing_of_nodes: BTreeMap<(NodeId, NodeId), usize>,
}

impl<'p> BlockModel<'p> {
    /// The model of a block.
    pub fn new(
        graph: &'p Graph,
        presolved: &'p Presolved,
        weights: &'p Weights,
        parts: &'p BlockParts,
        block: usize,
    ) -> Self {
        let (pairs, sharing) = (parts.pairs[block].clone(), parts.sharing[block].clone());
        let pair_of_nodes = pairs.iter().map(|&number| {
            let pair = &presolved.pairs[number];
            ((pair.from, pair.to), number)
        });
        let sharing_of_nodes = sharing
            .iter()
            .map(|&number| (presolved.sharing[number].nodes, number));
        let mut model = Self {
            graph,
            presolved,
            weights,
            part: Part {
                nodes: &parts.nodes[block],
                uses: &parts.uses[block],
                pairs: &parts.pair_weights[block],
            },
            block,
            pair_of_nodes: pair_of_nodes.collect(),
            sharing_of_nodes: sharing_of_nodes.collect(),
            pairs,
            sharing,
            constant: Amount::ZERO,
            costs: vec![],
            rows: vec![],
            whole: vec![],
            links: vec![],
            fused: BTreeMap::new(),
            together: BTreeMap::new(),
            label: BTreeMap::new(),
            reversed: BTreeMap::new(),
            same: BTreeMap::new(),
            alike: BTreeMap::new(),
        };
        model.add_fusion();
        model.add_orders();
        model.add_agreement();
        model.add_same_reads(&parts.shared_reads[block]);
        if !graph.forced.is_empty() {
            model.connect_sharing();
        }
        for &node in &parts.nodes[block] {
            model.add_kept(node);
        }
        model.add_reads(&parts.uses[block]);
        model.add_unfused_uses(&parts.uses[block]);
        model.add_pair_weights(&parts.pair_weights[block]);
        model.add_clusters(&parts.nodes[block]);
        model
    }

    fn add_column(&mut self, cost: Amount) -> Column {
        self.costs.push(cost);
        self.costs.len() - 1
    }

    fn add_whole_column(&mut self) -> Column {
        let column = self.add_column(Amount::ZERO);
        self.whole.push(column);
        column
    }

    /// `expression >= 0`, if that is not plain.
    fn require(&mut self, expression: Linear) {
        let least: f64 = expression
            .terms
            .iter()
            .map(|&(_, factor)| factor.min(0.0))
            .sum();
        if expression.constant + least < 0.0 {
            self.rows.push(expression);
        }
    }

    /// Adds `price * expression` to the objective; the factors of the expression are
    /// whole.
    fn pay(&mut self, price: Amount, expression: &Linear) {
        let times = |count: f64| Amount::from_millionths(price.millionths() * count as i128);
        self.constant += times(expression.constant);
        for &(column, weight) in &expression.terms {
            self.costs[column] += times(weight);
        }
    }

    /// 1 if a pair is not fused at a level (from 1).
    pub fn unfused(&self, pair: usize, level: usize) -> Linear {
        match self.fused.get(&(pair, level)) {
            Some(&column) => Linear::column(column),
            None if self.is_joined(pair, level) => Linear::constant(0.0),
            None => Linear::constant(1.0),
        }
    }

    /// Whether a pair is fused at a level (from 1) whatever is decided.
    pub fn is_joined(&self, pair: usize, level: usize) -> bool {
        self.presolved.pairs[pair].joined >= level
    }

    /// The pair of two nodes of the block, the producer first.
    pub fn pair_of(&self, nodes: (NodeId, NodeId)) -> Option<usize> {
        self.pair_of_nodes.get(&nodes).copied()
    }

    /// Decisions of which each fuses two nodes over an array at the outermost
    /// level.
    pub fn ways_to_fuse(&self, nodes: (NodeId, NodeId), array: NodeId) -> Vec<(Column, bool)> {
        if let Some(&pair) = self.pair_of_nodes.get(&nodes) {
            return self
                .unfused_column(pair, 1)
                .into_iter()
                .map(|column| (column, false))
                .collect();
        }
        let uses = &self.graph.uses;
        let same = self.same.iter().filter(|((_, _, level), _)| *level == 1);
        same.map(|(&(one, other, _), &column)| (one, other, column))
            .filter(|&(one, other, _)| {
                let readers = (uses[one].to, uses[other].to);
                let readers = (readers.0.min(readers.1), readers.0.max(readers.1));
                uses[one].from == array && readers == nodes
            })
            .map(|(one, other, column)| (*self.alike.get(&(one, other)).unwrap_or(&column), true))
            .collect()
    }

    /// The nodes of the block.
    pub fn nodes(&self) -> &[NodeId] {
        &self.presolved.blocks[self.block]
    }

    /// The column of a pair's not being fused at a level (from 1), if it may be.
    pub fn unfused_column(&self, pair: usize, level: usize) -> Option<Column> {
        self.fused.get(&(pair, level)).copied()
    }

    /// The column of a sharing pair's being together at a level (from 1), if it
    /// may be.
    pub fn together_column(&self, sharing: usize, level: usize) -> Option<Column> {
        self.together.get(&(sharing, level)).copied()
    }

    /// 1 if a sharing pair is in one cluster at a level (from 1).
    pub fn sharing_together(&self, sharing: usize, level: usize) -> Linear {
        match self.together.get(&(sharing, level)) {
            Some(&column) => Linear::column(column),
            None => Linear::constant(0.0),
        }
    }

    /// 1 if two nodes are in one cluster at a level, as far as one connection
    /// says so.
    fn nodes_together(&self, one: NodeId, other: NodeId, level: usize) -> Linear {
        if one == other {
            return Linear::constant(1.0);
        }
        let nodes = (one.min(other), one.max(other));
        if let Some(&pair) = self.pair_of_nodes.get(&nodes) {
            return self.unfused(pair, level).complement();
        }
        match self.sharing_of_nodes.get(&nodes) {
            Some(&sharing) => self.sharing_together(sharing, level),
            None => Linear::constant(0.0),
        }
    }

    fn add_fusion(&mut self) {
        for number in self.pairs.clone() {
            let pair = &self.presolved.pairs[number];
            for level in pair.joined + 1..=pair.open {
                let column = self.add_whole_column();
                self.fused.insert((number, level), column);
                if level > 1 {
                    let outer = self.unfused(number, level - 1);
                    self.require(self.unfused(number, level).plus(-1.0, &outer));
                }
            }
        }
        for number in self.sharing.clone() {
            for level in 1..=self.presolved.sharing[number].open {
                let column = self.add_whole_column();
                self.together.insert((number, level), column);
                if level > 1 {
                    let outer = self.sharing_together(number, level - 1);
                    self.require(outer.plus(-1.0, &self.sharing_together(number, level)));
                }
            }
        }
    }

    /// Order variables for the nodes whose order matters: those at the ends of
    /// pairs and shared reads inside the block.
    fn add_orders(&mut self) {
        let (graph, orders) = (self.graph, &self.presolved.orders);
        for &node in &self.presolved.blocks[self.block] {
            for &label in &orders.labels[node] {
                let column = self.add_whole_column();
                self.label.insert((node, label), column);
                if let Some(&price) = self.weights.recomputation[node].get(&label) {
                    self.pay(price, &Linear::column(column));
                }
            }
            for level in 1..=graph.levels.min(graph.nodes[node].depth) {
                if orders.may_reverse(graph, node, level) {
                    let column = self.add_whole_column();
                    self.reversed.insert((node, level), column);
                }
                let mut one_hot = Linear::constant(1.0);
                let mut choices = 0;
                for order in self.free_orders(node, level) {
                    one_hot = one_hot.plus(-1.0, &self.node_order(node, level, order));
                    choices += 1;
                }
                if choices > 1 {
                    self.require(one_hot);
                }
            }
        }
    }

    /// The orders other than forwards that a node may have by choice.
    fn free_orders(&self, node: NodeId, level: usize) -> Vec<Order> {
        let mut free: Vec<Order> = self.presolved.orders.labels_at(node, level).collect();
        if self.reversed.contains_key(&(node, level)) {
            free.push(BACKWARDS);
        }
        free
    }

    /// 1 if a node has an order (not forwards) at a level.
    fn node_order(&self, node: NodeId, level: usize, order: Order) -> Linear {
        if let Some(fixed) = self.graph.fixed_order(node, level) {
            return Linear::constant(f64::from(fixed == order));
        }
        let column = match order {
            BACKWARDS => self.reversed.get(&(node, level)),
            label => {
                let covers = self.presolved.orders.covered[&label].contains(&level);
                self.label.get(&(node, label)).filter(|_| covers)
            }
        };
        match column {
            Some(&column) => Linear::column(column),
            None => Linear::constant(0.0),
        }
    }

    /// 1 if a use reads in an order (not forwards) at a level.
    fn read_order(&self, id: UseId, level: usize, order: Order) -> Linear {
        let array_use = &self.graph.uses[id];
        match self
            .presolved
            .orders
            .fixed_read(self.graph, array_use, level)
        {
            Some(fixed) => Linear::constant(f64::from(fixed == order)),
            None => self.node_order(array_use.to, level, order),
        }
    }

    /// The orders (not forwards) in which a use may read at a level.
    fn possible_reads(&self, id: UseId, level: usize) -> Vec<Order> {
        let array_use = &self.graph.uses[id];
        let mut orders = self.presolved.orders.of_use(self.graph, array_use, level);
        orders.retain(|&order| order >= BACKWARDS);
        orders
    }

    /// Fused pairs agree on orders; labels do not straddle fused uses.
    fn add_agreement(&mut self) {
        for number in self.pairs.clone() {
            let pair = &self.presolved.pairs[number];
            for &id in &pair.uses {
                for level in 1..=pair.open {
                    self.agree(number, id, level);
                }
                self.keep_labels_whole(number, id);
            }
        }
    }

    fn agree(&mut self, pair: usize, id: UseId, level: usize) {
        let from = self.graph.uses[id].from;
        let mut orders = self.possible_reads(id, level);
        orders.extend(self.free_orders(from, level));
        if self.graph.fixed_order(from, level) == Some(BACKWARDS) {
            orders.push(BACKWARDS);
        }
        orders.sort_unstable();
        orders.dedup();
        let unfused = self.unfused(pair, level);
        for order in orders {
            // A label is decided at the first level that it covers.
            let first =
                order < FIRST_LABEL || *self.presolved.orders.covered[&order].start() == level;
            if !first {
                continue;
            }
            let computed = self.node_order(from, level, order);
            let read = self.read_order(id, level, order);
            self.require(unfused.clone().plus(1.0, &computed).plus(-1.0, &read));
            self.require(unfused.clone().plus(1.0, &read).plus(-1.0, &computed));
        }
    }

    fn keep_labels_whole(&mut self, pair: usize, id: UseId) {
        for (first, labelled) in self.unaligning_labels(id) {
            if self.presolved.pairs[pair].open >= first {
                let unfused = self.unfused(pair, first);
                self.require(unfused.plus(-1.0, &labelled));
            }
        }
    }

    /// The labels of its reader with which a use is not aligned, and from which
    /// level on.
    fn unaligning_labels(&self, id: UseId) -> Vec<(usize, Linear)> {
        let array_use = &self.graph.uses[id];
        self.presolved.orders.labels[array_use.to]
            .iter()
            .filter_map(|&label| {
                let first = self.graph.unaligned_from(array_use, label)?;
                let labelled = Linear::column(self.label[&(array_use.to, label)]);
                Some((first, labelled))
            })
            .collect()
    }

    /// Variables for reads that may be one, at the levels where that matters.
    fn add_same_reads(&mut self, shared: &[SharedRead]) {
        for &SharedRead { one, other, open } in shared {
            for level in 1..=open {
                if let Some(column) = self.add_alike(one, other, level) {
                    self.same.insert((one, other, level), column);
                }
            }
        }
    }

    /// Readers are together only if they share a read: without wishes nothing is
    /// gained by more, but a wish is fulfilled only by what connects.
    fn connect_sharing(&mut self) {
        let mut reads: BTreeMap<usize, Linear> = BTreeMap::new();
        for (one, other) in self.outermost_reads() {
            let nodes = (self.graph.uses[one].to, self.graph.uses[other].to);
            if let Some(&sharing) = self.sharing_of_nodes.get(&nodes)
                && let Some(column) = self.alike(one, other)
            {
                let sum = reads.entry(sharing).or_default();
                *sum = std::mem::take(sum).plus(1.0, &Linear::column(column));
            }
        }
        for sharing in self.sharing.clone() {
            let together = self.sharing_together(sharing, 1);
            let reads = reads.remove(&sharing).unwrap_or_default();
            self.require(reads.plus(-1.0, &together));
        }
    }

    /// The pairs of uses that may be one read at the outermost level.
    fn outermost_reads(&self) -> Vec<(UseId, UseId)> {
        let outermost = self.same.keys().filter(|&&(_, _, level)| level == 1);
        outermost.map(|&(one, other, _)| (one, other)).collect()
    }

    /// A column that is 1 only if two uses of an array, by nodes in one cluster,
    /// read in the same order at a level; nothing if they never do.
    fn add_alike(&mut self, one: UseId, other: UseId, level: usize) -> Option<Column> {
        let nodes = (self.graph.uses[one].to, self.graph.uses[other].to);
        let together = self.nodes_together(nodes.0, nodes.1, level);
        if together.is_constant() && together.constant == 0.0 {
            return None;
        }
        let column = self.add_column(Amount::ZERO);
        let alike = Linear::column(column);
        self.require(together.plus(-1.0, &alike));
        for outer in 1..=level {
            self.same_order(&alike, one, other, outer);
        }
        for id in [one, other] {
            for (first, labelled) in self.unaligning_labels(id) {
                if first <= level {
                    self.require(labelled.complement().plus(-1.0, &alike));
                }
            }
        }
        Some(column)
    }

    /// Whether two uses read alike at the outermost level, whether or not that is
    /// a read that is paid for: both may be fused with the producer.
    fn alike(&mut self, one: UseId, other: UseId) -> Option<Column> {
        let same = *self.same.get(&(one, other, 1))?;
        if self.weights.reads[self.graph.uses[one].from][0].is_zero() {
            return Some(same);
        }
        if let Some(&column) = self.alike.get(&(one, other)) {
            return Some(column);
        }
        let column = self.add_alike(one, other, 1)?;
        self.alike.insert((one, other), column);
        Some(column)
    }

    /// Makes it possible to ask for any two reads that may be one.
    pub fn add_alike_reads(&mut self) {
        for (one, other) in self.outermost_reads() {
            self.alike(one, other);
        }
    }

    fn same_order(&mut self, same: &Linear, one: UseId, other: UseId, level: usize) {
        let (left, right) = (
            self.reads_by_class(one, level),
            self.reads_by_class(other, level),
        );
        let mut classes: Vec<ReadOrder> = left.keys().chain(right.keys()).copied().collect();
        classes.sort_unstable();
        classes.dedup();
        let none = Linear::constant(0.0);
        for class in classes {
            let left = left.get(&class).unwrap_or(&none);
            let right = right.get(&class).unwrap_or(&none);
            for (more, less) in [(left, right), (right, left)] {
                let slack = Linear::constant(1.0).plus(-1.0, same);
                self.require(slack.plus(1.0, less).plus(-1.0, more));
            }
        }
    }

    /// The orders (not forwards) of a use, those of its stencil taken together.
    fn reads_by_class(&self, id: UseId, level: usize) -> BTreeMap<ReadOrder, Linear> {
        let stencil = self.graph.uses[id].stencil;
        let mut classes: BTreeMap<ReadOrder, Linear> = BTreeMap::new();
        for order in self.possible_reads(id, level) {
            let class = match stencil.filter(|_| order >= FIRST_LABEL) {
                Some(stencil) => ReadOrder::Stencil(stencil),
                None => ReadOrder::One(order),
            };
            let read = self.read_order(id, level, order);
            let sum = classes.remove(&class).unwrap_or_default();
            classes.insert(class, sum.plus(1.0, &read));
        }
        classes
    }

    /// What is paid for an array that is not contracted, and labels that need it
    /// to be.
    fn add_kept(&mut self, node: NodeId) {
        if self.graph.is_input(node) {
            return;
        }
        let levels = self.graph.nodes[node].rank.min(self.graph.levels);
        for level in 1..=levels {
            let weight = self.weights.writes[node][level - 1];
            let labels: Vec<Order> = self.presolved.orders.labels[node]
                .iter()
                .copied()
                .filter(|label| *self.presolved.orders.covered[label].start() == level)
                .collect();
            if weight.is_zero() && labels.is_empty() {
                continue;
            }
            let kept = self.kept(node, level);
            for label in labels {
                let labelled = Linear::column(self.label[&(node, label)]);
                self.require(kept.complement().plus(-1.0, &labelled));
            }
            self.pay(weight, &kept);
        }
    }

    /// 1 if an array exists outside of the loops of a level (from 1).
    fn kept(&mut self, node: NodeId, level: usize) -> Linear {
        if self.graph.nodes[node].result {
            return Linear::constant(1.0);
        }
        let mut pairs: Vec<usize> = vec![];
        for &id in self.graph.uses_of(node) {
            match self.presolved.pair_of_use[id] {
                Some(pair) if self.is_joined(pair, level) => {}
                Some(pair) if self.fused.contains_key(&(pair, level)) => pairs.push(pair),
                _ => return Linear::constant(1.0),
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        match pairs[..] {
            [] => Linear::constant(0.0),
            [pair] => self.unfused(pair, level),
            _ => {
                let kept = Linear::column(self.add_column(Amount::ZERO));
                for pair in pairs {
                    self.require(kept.clone().plus(-1.0, &self.unfused(pair, level)));
                }
                kept
            }
        }
    }

    /// Reads by representatives: a use pays, or is the same read as an earlier
    /// one that does.
    fn add_reads(&mut self, uses: &[UseId]) {
        for &id in uses {
            let array_use = &self.graph.uses[id];
            let levels = self.graph.ordered_levels(array_use);
            for level in 1..=levels.min(self.graph.nodes[array_use.to].depth) {
                let weight = self.weights.reads[array_use.from][level - 1];
                if !weight.is_zero() {
                    self.add_read(id, level, weight);
                }
            }
        }
    }

    fn add_read(&mut self, id: UseId, level: usize, weight: Amount) {
        let needed = match self.presolved.pair_of_use[id] {
            Some(pair) => self.unfused(pair, level),
            None => Linear::constant(1.0),
        };
        let array = self.graph.uses[id].from;
        let shared: Vec<((UseId, UseId), Column)> = self
            .graph
            .uses_of(array)
            .iter()
            .flat_map(|&other| [(id, other), (other, id)])
            .filter_map(|key| Some((key, *self.same.get(&(key.0, key.1, level))?)))
            .collect();
        if shared.is_empty() {
            self.pay(weight, &needed);
            return;
        }
        let read = Linear::column(self.add_column(weight));
        let mut paid = read.clone().plus(-1.0, &needed);
        for ((first, second), column) in shared {
            let same = Linear::column(column);
            if second == id {
                paid = paid.plus(1.0, &same);
            } else if first == id {
                self.require(read.clone().plus(-1.0, &same));
            }
        }
        self.require(paid);
    }

    fn add_unfused_uses(&mut self, uses: &[UseId]) {
        for &id in uses {
            let weight = self.weights.uses[id];
            let unfused = match self.presolved.pair_of_use[id] {
                Some(pair) => self.unfused(pair, 1),
                None => Linear::constant(1.0),
            };
            self.pay(weight, &unfused);
        }
    }

    fn add_pair_weights(&mut self, pair_weights: &[usize]) {
        for &number in pair_weights {
            let weights = self.weights;
            let pair = &weights.pairs[number];
            let connections: Vec<Linear> = pair
                .connections
                .iter()
                .map(|&connection| self.connected(connection))
                .filter(|connected| !connected.is_constant() || connected.constant > 0.0)
                .collect();
            match &connections[..] {
                [] => self.constant += pair.weight,
                [connected] => self.pay(pair.weight, &connected.complement()),
                _ => {
                    let any = Linear::column(self.add_column(Amount::ZERO));
                    let sum = connections
                        .iter()
                        .fold(Linear::default(), |sum, connected| sum.plus(1.0, connected));
                    self.require(sum.plus(-1.0, &any));
                    self.pay(pair.weight, &any.complement());
                }
            }
        }
    }

    /// 1 if a connection holds.
    fn connected(&mut self, connection: Connection) -> Linear {
        match connection {
            Connection::Fused(id) => match self.presolved.pair_of_use[id] {
                Some(pair) => self.unfused(pair, 1).complement(),
                None => Linear::constant(0.0),
            },
            Connection::Shared(one, other) => {
                match self.alike(one, other).or_else(|| self.alike(other, one)) {
                    Some(column) => Linear::column(column),
                    None => Linear::constant(0.0),
                }
            }
        }
    }

    /// The number of clusters is that of the nodes less the links of a spanning
    /// forest of their connections.
    fn add_clusters(&mut self, nodes: &[NodeId]) {
        let weight = self.weights.clusters;
        if weight.is_zero() {
            return;
        }
        let combinators = nodes.iter().filter(|&&node| {
            let has_loop = self.graph.nodes[node].depth > 0;
            has_loop && !self.graph.is_input(node)
        });
        self.constant += weight * combinators.count();
        let mut connections: BTreeMap<(NodeId, NodeId), Linear> = BTreeMap::new();
        for &number in &self.pairs {
            let pair = &self.presolved.pairs[number];
            if pair.open > 0 {
                let fused = self.unfused(number, 1).complement();
                connections.insert((pair.from, pair.to), fused);
            }
        }
        for (&(one, other, level), &column) in &self.same {
            let nodes = (self.graph.uses[one].to, self.graph.uses[other].to);
            if level == 1 && self.sharing_of_nodes.contains_key(&nodes) {
                let sum = connections.entry(nodes).or_default();
                *sum = std::mem::take(sum).plus(1.0, &Linear::column(column));
            }
        }
        for (nodes, connected) in connections {
            let column = self.add_column(-weight);
            self.require(connected.plus(-1.0, &Linear::column(column)));
            self.links.push(Link { nodes, column });
        }
    }

    /// What a clustering, of which other blocks share no cluster with this one, costs
    /// in this block, by definition.
    pub fn evaluate(&self, clustering: &Clustering) -> Amount {
        evaluate_part(self.graph, clustering, self.weights, &self.part)
    }

    /// The unfused pairs' columns with their pairs and levels.
    pub fn fused_columns(&self) -> impl Iterator<Item = (usize, usize, Column)> {
        self.fused
            .iter()
            .map(|(&(pair, level), &column)| (pair, level, column))
    }

    /// The sharing pairs' columns, with the level.
    pub fn together_columns(&self) -> impl Iterator<Item = (usize, usize, Column)> {
        self.together
            .iter()
            .map(|(&(sharing, level), &column)| (sharing, level, column))
    }

    /// The columns of labels.
    pub fn label_columns(&self) -> impl Iterator<Item = (NodeId, Order, Column)> {
        self.label
            .iter()
            .map(|(&(node, label), &column)| (node, label, column))
    }

    /// The columns of directions, with the level.
    pub fn reversed_columns(&self) -> impl Iterator<Item = (NodeId, usize, Column)> {
        self.reversed
            .iter()
            .map(|(&(node, level), &column)| (node, level, column))
    }

    /// The reads of pairs that are in one cluster at a level (from 1) and may be
    /// one read there.
    pub fn shared_reads(&self, level: usize, values: &[f64]) -> Vec<(UseId, UseId)> {
        let uses = &self.graph.uses;
        self.same
            .keys()
            .filter(|&&(_, _, at)| at == level)
            .filter(|&&(one, other, at)| {
                let together = self.nodes_together(uses[one].to, uses[other].to, at);
                together.value(values) > 0.5
            })
            .map(|&(one, other, _)| (one, other))
            .collect()
    }

    /// The columns of reads that are one, with the level.
    pub fn same_columns(&self) -> impl Iterator<Item = (UseId, UseId, usize, Column)> {
        self.same
            .iter()
            .map(|(&(one, other, level), &column)| (one, other, level, column))
    }

    /// The order of a node of the block at a level (from 1), for values of the
    /// columns.
    pub fn order_of(&self, node: NodeId, level: usize, values: &[f64]) -> Order {
        if let Some(fixed) = self.graph.fixed_order(node, level) {
            return fixed;
        }
        self.free_orders(node, level)
            .into_iter()
            .find(|&order| self.node_order(node, level, order).value(values) > 0.5)
            .unwrap_or(crate::graph::FORWARDS)
    }
}

/// What belongs to every block.
pub(crate) struct BlockParts {
    /// The nodes.
    pub nodes: Vec<Vec<NodeId>>,
    pub pairs: Vec<Vec<usize>>,
    sharing: Vec<Vec<usize>>,
    shared_reads: Vec<Vec<SharedRead>>,
    /// Uses by the nodes of the block.
    pub uses: Vec<Vec<UseId>>,
    pub pair_weights: Vec<Vec<usize>>,
}

impl BlockParts {
    /// Distributes a graph over its blocks: what connects two blocks belongs to
    /// that of the reader, and of pairs, to that of the second node.
    pub fn new(graph: &Graph, presolved: &Presolved, weights: &Weights) -> Self {
        let count = presolved.blocks.len();
        let block_of = &presolved.block_of;
        let mut parts = Self {
            nodes: presolved.blocks.clone(),
            pairs: vec![vec![]; count],
            sharing: vec![vec![]; count],
            shared_reads: vec![vec![]; count],
            uses: vec![vec![]; count],
            pair_weights: vec![vec![]; count],
        };
        for (number, pair) in presolved.pairs.iter().enumerate() {
            if block_of[pair.from] == block_of[pair.to] {
                parts.pairs[block_of[pair.to]].push(number);
            }
        }
        for (number, sharing) in presolved.sharing.iter().enumerate() {
            parts.sharing[block_of[sharing.nodes.0]].push(number);
        }
        for shared in &presolved.shared_reads {
            let (one, other) = (graph.uses[shared.one].to, graph.uses[shared.other].to);
            if block_of[one] == block_of[other] {
                parts.shared_reads[block_of[one]].push(*shared);
            }
        }
        for (id, array_use) in graph.uses.iter().enumerate() {
            parts.uses[block_of[array_use.to]].push(id);
        }
        for (number, pair) in weights.pairs.iter().enumerate() {
            parts.pair_weights[block_of[pair.nodes.1]].push(number);
        }
        parts
    }

    /// How large the program of a block is.
    pub fn size(&self, graph: &Graph, block: usize) -> ModelSize {
        ModelSize::new(
            graph.levels,
            self.pairs[block].len(),
            self.shared_reads[block].len(),
            self.uses[block].len() + self.pair_weights[block].len(),
        )
    }
}
