//! The orders of a partial clustering: classes of slots that are the same.
//!
//! A slot is a level of a node; its order is that of the node's array, and of
//! what the node reads in its own order. A class has one order, or none yet: it
//! may then go forwards or backwards.

use super::classes::Classes;
use crate::graph::{Graph, NodeId, Order, Use};

/// A level (from 1) of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) node: NodeId,
    pub(super) level: usize,
}

/// In which order a use reads at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Always this one.
    In(Order),
    /// That of its reader.
    As(Slot),
}

impl Read {
    /// How a use reads at a level (from 1).
    pub(super) fn of(graph: &Graph, array_use: &Use, level: usize) -> Self {
        let node = array_use.to;
        match (array_use.label, graph.fixed_order(node, level)) {
            (Some(label), _) if level > array_use.prefix => Self::In(label),
            (_, Some(order)) if array_use.scan => Self::In(order),
            _ => Self::As(Slot { node, level }),
        }
    }
}

/// What is known of the order of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Resolved {
    /// It is this one.
    Order(Order),
    /// It is that of a class, given by its root, which has none yet.
    Free(usize),
}

/// The classes of slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Orders {
    pub(super) classes: Classes,
    /// By root of a class.
    order: Vec<Option<Order>>,
    levels: usize,
}

impl Orders {
    /// Every slot alone; only orders that a node cannot choose are fixed.
    pub(super) fn new(graph: &Graph) -> Self {
        let levels = graph.levels;
        let slots = graph.nodes.len() * levels;
        Self {
            classes: Classes::new(slots),
            order: (0..slots)
                .map(|slot| graph.fixed_order(slot / levels, slot % levels + 1))
                .collect(),
            levels,
        }
    }

    /// The root of a slot's class.
    pub(super) fn class(&self, slot: Slot) -> usize {
        self.classes.find(slot.node * self.levels + slot.level - 1)
    }

    /// The slots of a class.
    pub(super) fn slots(&self, class: usize) -> Vec<Slot> {
        let slot = |number: usize| Slot {
            node: number / self.levels,
            level: number % self.levels + 1,
        };
        self.classes.members(class).map(slot).collect()
    }

    /// The order of a slot, if it is known.
    pub(super) fn order(&self, slot: Slot) -> Option<Order> {
        self.order[self.class(slot)]
    }

    /// The order of a class, given by its root.
    pub(super) fn of_class(&self, class: usize) -> Option<Order> {
        self.order[class]
    }

    /// Sets the order of a class, given by its root.
    pub(super) fn set(&mut self, class: usize, order: Option<Order>) {
        self.order[class] = order;
    }

    /// What is known of the order of a read.
    pub(super) fn resolve(&self, read: Read) -> Resolved {
        match read {
            Read::In(order) => Resolved::Order(order),
            Read::As(slot) => {
                let class = self.class(slot);
                self.order[class].map_or(Resolved::Free(class), Resolved::Order)
            }
        }
    }
}
