//! Which orders a node can have, and how a use reads.

use std::{collections::BTreeMap, ops::RangeInclusive};

use crate::graph::{BACKWARDS, FORWARDS, Graph, Kind, NodeId, Order, Use};

/// The orders that are left for every node.
pub(crate) struct Orders {
    /// By node: the labels of gathers in whose order it may be computed.
    pub labels: Vec<Vec<Order>>,
    /// By label: the levels that it covers.
    pub covered: BTreeMap<Order, RangeInclusive<usize>>,
    /// By level (from 0 for level 1): whether anything goes backwards.
    backwards: Vec<bool>,
}

impl Orders {
    /// No labels yet.
    pub fn new(graph: &Graph) -> Self {
        let backwards = (1..=graph.levels).map(|level| {
            graph
                .nodes
                .iter()
                .any(|node| node.kind == Kind::ScanRight && node.rank == level)
        });
        Self {
            labels: vec![vec![]; graph.nodes.len()],
            covered: graph.label_levels().clone(),
            backwards: backwards.collect(),
        }
    }

    /// Whether a node may go backwards at a level (from 1) by choice.
    pub fn may_reverse(&self, graph: &Graph, node: NodeId, level: usize) -> bool {
        self.backwards[level - 1]
            && !graph.is_input(node)
            && graph.nodes[node].depth >= level
            && graph.fixed_order(node, level).is_none()
    }

    /// The labels that a node may have at a level (from 1).
    pub fn labels_at(&self, node: NodeId, level: usize) -> impl Iterator<Item = Order> {
        self.labels[node]
            .iter()
            .copied()
            .filter(move |label| self.covered[label].contains(&level))
    }

    /// All orders that a node may have at a level (from 1).
    pub fn of_node(&self, graph: &Graph, node: NodeId, level: usize) -> Vec<Order> {
        if let Some(fixed) = graph.fixed_order(node, level) {
            return vec![fixed];
        }
        let mut orders = vec![FORWARDS];
        if self.may_reverse(graph, node, level) {
            orders.push(BACKWARDS);
        }
        orders.extend(self.labels_at(node, level));
        orders
    }

    /// The order in which a use reads at a level (from 1), if it does not depend
    /// on the order of its reader.
    pub fn fixed_read(&self, graph: &Graph, array_use: &Use, level: usize) -> Option<Order> {
        match array_use.label {
            Some(label) if level > array_use.prefix => Some(label),
            _ => graph.fixed_order(array_use.to, level),
        }
    }

    /// All orders in which a use may read at a level (from 1).
    pub fn of_use(&self, graph: &Graph, array_use: &Use, level: usize) -> Vec<Order> {
        match self.fixed_read(graph, array_use, level) {
            Some(order) => vec![order],
            None => self.of_node(graph, array_use.to, level),
        }
    }

    /// Whether producer and consumer can agree on an order at a level (from 1).
    pub fn can_agree(&self, graph: &Graph, array_use: &Use, level: usize) -> bool {
        let read = self.of_use(graph, array_use, level);
        self.of_node(graph, array_use.from, level)
            .iter()
            .any(|order| read.contains(order))
    }

    /// Whether a use can read in a label's order, given the labels of its reader.
    pub fn can_read_in(&self, graph: &Graph, array_use: &Use, label: Order) -> bool {
        let covered = &self.covered[&label];
        if array_use.label == Some(label) {
            return true;
        }
        let scanned = |level: usize| graph.fixed_order(array_use.to, level).is_some();
        self.labels[array_use.to].contains(&label)
            && array_use.prefix >= *covered.end()
            && !covered.clone().any(scanned)
    }
}
