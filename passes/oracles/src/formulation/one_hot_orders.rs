//! Orders as a 0–1 variable each, for those that are possible.

use std::collections::{BTreeMap, BTreeSet};

use comb_fusion::graph::{BACKWARDS, FIRST_LABEL, FORWARDS, Graph, Kind, NodeId, Order, UseId};
use good_lp::{Expression, Variable};

use crate::formulation::{
    backend::Answer,
    clusters::Clusters,
    model::Model,
    names::of_order,
    orders::{self, Orders},
};

/// An order, or the class of those that count as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    One(Order),
    Stencil(u64),
}

/// z, by node and order; one is 1.
pub(super) struct OneHotOrders {
    orders: Vec<BTreeMap<Order, Variable>>,
}

impl OneHotOrders {
    pub(super) fn new(model: &mut Model, graph: &Graph, clusters: &Clusters) -> Self {
        let possible = possible_orders(graph);
        let mut result = Self { orders: vec![] };
        for (node, possible) in possible.iter().enumerate() {
            let orders: BTreeMap<Order, Variable> = possible
                .iter()
                .map(|&order| {
                    let name = of_order(graph, node, "is", order);
                    (order, model.binary(name))
                })
                .collect();
            if !graph.is_input(node) {
                let sum: Expression = orders.values().sum();
                model.require(sum.eq(1));
            }
            for (_, &has) in orders.range(FIRST_LABEL..) {
                model.require((has - clusters.contracted(node)).leq(0));
            }
            result.orders.push(orders);
        }
        result
    }

    fn computed(&self, node: NodeId) -> BTreeMap<Class, Expression> {
        let orders = self.orders[node].iter();
        orders
            .map(|(&order, &has)| (Class::One(order), has.into()))
            .collect()
    }

    /// By order, or class of orders: 1 if a use reads in it.
    fn read(&self, graph: &Graph, array_use: UseId) -> BTreeMap<Class, Expression> {
        let mut classes: BTreeMap<Class, Expression> = BTreeMap::new();
        for (order, has) in self.read_orders(graph, array_use) {
            let stencil = graph.uses[array_use].stencil;
            let class = match stencil.filter(|_| order >= FIRST_LABEL) {
                Some(class) => Class::Stencil(class),
                None => Class::One(order),
            };
            *classes.entry(class).or_default() += has;
        }
        classes
    }

    /// By order: 1 if a use reads in it.
    fn read_orders(&self, graph: &Graph, array_use: UseId) -> Vec<(Order, Expression)> {
        let array_use = &graph.uses[array_use];
        let fixed = graph.fixed_order(array_use.to, 1);
        match array_use.label.or(fixed.filter(|_| array_use.scan)) {
            Some(order) => vec![(order, Expression::from_other_affine(1.0))],
            None => {
                let own = self.orders[array_use.to].iter();
                own.map(|(&order, &has)| (order, has.into())).collect()
            }
        }
    }
}

/// The orders that nodes may have; inputs have none. A label is possible if all
/// uses of the array may be fused and may read it so.
fn possible_orders(graph: &Graph) -> Vec<BTreeSet<Order>> {
    let labels = orders::labels(graph);
    let mut kinds = graph.nodes.iter().map(|node| node.kind);
    let backwards = kinds.any(|kind| kind == Kind::ScanRight);
    let mut possible = vec![BTreeSet::new(); graph.nodes.len()];
    for node in (0..graph.nodes.len()).rev() {
        if graph.is_input(node) {
            continue;
        }
        if let Some(fixed) = graph.fixed_order(node, 1) {
            possible[node].insert(fixed);
            continue;
        }
        let mut orders = BTreeSet::from([FORWARDS]);
        if backwards {
            orders.insert(BACKWARDS);
        }
        if !graph.nodes[node].result && !orders::needs_all(graph, node) {
            let uses = graph.uses_of(node);
            let readable = |label: &&Order| {
                uses.iter()
                    .all(|&array_use| may_read(graph, &possible, array_use, **label))
            };
            orders.extend(labels.iter().filter(readable));
        }
        possible[node] = orders;
    }
    possible
}

/// Whether a use may be fused and read in the order of a gather.
fn may_read(graph: &Graph, possible: &[BTreeSet<Order>], array_use: UseId, label: Order) -> bool {
    let array_use = &graph.uses[array_use];
    let reads = match array_use.label {
        Some(own) => own == label,
        None => possible[array_use.to].contains(&label),
    };
    reads && graph.fusible_levels(array_use) > 0
}

/// Requires that two orders are one, but for a slack.
fn require_equal(
    model: &mut Model,
    one: &BTreeMap<Class, Expression>,
    other: &BTreeMap<Class, Expression>,
    slack: &Expression,
) {
    let classes: BTreeSet<Class> = one.keys().chain(other.keys()).copied().collect();
    let part = |of: &BTreeMap<Class, Expression>, class: &Class| {
        of.get(class).cloned().unwrap_or_default()
    };
    for class in &classes {
        model.require_close(part(one, class), part(other, class), slack.clone());
    }
}

impl Orders for OneHotOrders {
    fn fuse(&self, model: &mut Model, graph: &Graph, array_use: UseId, unfused: Expression) {
        let computed = self.computed(graph.uses[array_use].from);
        let read = self.read_orders(graph, array_use);
        let read = read
            .into_iter()
            .map(|(order, has)| (Class::One(order), has));
        require_equal(model, &computed, &read.collect(), &unfused);
    }

    fn share(&self, model: &mut Model, graph: &Graph, uses: (UseId, UseId), shared: Variable) {
        let one = self.read(graph, uses.0);
        let other = self.read(graph, uses.1);
        require_equal(model, &one, &other, &(1 - shared));
    }

    fn has_label(
        &self,
        _model: &mut Model,
        _graph: &Graph,
        node: NodeId,
        label: Order,
    ) -> Expression {
        let has = self.orders[node].get(&label);
        has.map_or_else(Expression::default, |&has| has.into())
    }

    fn order(&self, node: NodeId, answer: &Answer) -> Order {
        let mut orders = self.orders[node].iter();
        let chosen = orders.find(|(_, has)| answer.value(**has) > 0.5);
        chosen.map_or(FORWARDS, |(&order, _)| order)
    }
}
