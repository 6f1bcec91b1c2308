//! Orders as numbers: 0, 1, and 2 … g + 1 for the g gathers (P-gather, 4.2).

use std::collections::BTreeMap;

use comb_fusion::graph::{BACKWARDS, FIRST_LABEL, FORWARDS, Graph, NodeId, Order, UseId};
use good_lp::{Expression, Variable};

use crate::formulation::{
    backend::Answer,
    clusters::Clusters,
    model::Model,
    names::{of_nodes, of_order, of_pairs},
    orders::{self, Orders},
};

/// d, by node.
pub(super) struct IntegerOrders {
    orders: Vec<Option<Variable>>,
    /// The numbers of labels: theirs may be sparse.
    numbers: BTreeMap<Order, f64>,
    /// Orders differ by less: g + 2.
    count: f64,
}

impl IntegerOrders {
    pub(super) fn new(model: &mut Model, graph: &Graph, clusters: &Clusters) -> Self {
        let labels = orders::labels(graph);
        let gathers = labels.len();
        let numbers = labels.into_iter().zip(FIRST_LABEL..);
        let mut orders = vec![];
        for node in 0..graph.nodes.len() {
            if graph.is_input(node) {
                orders.push(None);
                continue;
            }
            let order = model.integer(of_nodes(graph, "order", &[node]), gathers + 1);
            orders.push(Some(order));
            if let Some(fixed) = graph.fixed_order(node, 1) {
                model.require(Expression::from(order).eq(f64::from(fixed)));
            }
            if orders::needs_all(graph, node) {
                model.require(Expression::from(order).leq(1));
            }
            // Constraint 11.
            let contracted = clusters.contracted(node);
            model.require((order - gathers as f64 * contracted).leq(1));
        }
        Self {
            orders,
            numbers: numbers
                .map(|(label, number)| (label, f64::from(number)))
                .collect(),
            count: gathers as f64 + 2.0,
        }
    }

    fn computed(&self, node: NodeId) -> Expression {
        self.orders[node].map_or_else(Expression::default, Expression::from)
    }

    fn read(&self, graph: &Graph, array_use: UseId) -> Expression {
        let array_use = &graph.uses[array_use];
        let fixed = graph.fixed_order(array_use.to, 1);
        match (array_use.label, fixed.filter(|_| array_use.scan)) {
            (Some(label), _) => Expression::from_other_affine(self.numbers[&label]),
            (None, Some(fixed)) => Expression::from_other_affine(f64::from(fixed)),
            (None, None) => self.computed(array_use.to),
        }
    }
}

impl Orders for IntegerOrders {
    /// Constraint 12.
    fn fuse(&self, model: &mut Model, graph: &Graph, array_use: UseId, unfused: Expression) {
        let computed = self.computed(graph.uses[array_use].from);
        let read = self.read(graph, array_use);
        model.require_close(computed, read, self.count * unfused);
    }

    fn share(&self, model: &mut Model, graph: &Graph, uses: (UseId, UseId), shared: Variable) {
        let (one, other) = (self.read(graph, uses.0), self.read(graph, uses.1));
        let class = |array_use: UseId| graph.uses[array_use].stencil;
        let slack = self.count * (1 - shared);
        match (class(uses.0), class(uses.1)) {
            (None, None) => model.require_close(one, other, slack),
            (first, second) if first == second => {
                let (one_use, other_use) = (&graph.uses[uses.0], &graph.uses[uses.1]);
                let pairs = [one_use, other_use].map(|found| (found.from, found.to));
                let name = of_pairs(graph, "gathered", pairs[0], pairs[1]);
                let gathered = model.binary(name);
                for read in [one.clone(), other.clone()] {
                    model.require((read - 2 * gathered).geq(0));
                }
                model.require_close(one, other, slack + self.count * gathered);
            }
            _ => {
                model.require(one.clone().leq(1 + slack.clone()));
                model.require_close(one, other, slack);
            }
        }
    }

    /// The order is less than the label, greater, or the label.
    fn has_label(
        &self,
        model: &mut Model,
        graph: &Graph,
        node: NodeId,
        label: Order,
    ) -> Expression {
        let (Some(order), Some(&number)) = (self.orders[node], self.numbers.get(&label)) else {
            return Expression::default();
        };
        let [less, greater, equal] = ["below", "above", "is"]
            .map(|relation| model.binary(of_order(graph, node, relation, label)));
        model.require((order + 1).leq(number + self.count * (1 - less)));
        model.require((order - 1).geq(number - self.count * (1 - greater)));
        model.require((less + greater + equal).geq(1));
        equal.into()
    }

    fn order(&self, node: NodeId, answer: &Answer) -> Order {
        let Some(order) = self.orders[node] else {
            return FORWARDS;
        };
        let value = answer.value(order).round();
        let labelled = self.numbers.iter().find(|(_, number)| **number == value);
        match labelled {
            Some((&label, _)) => label,
            None if value == 0.0 => FORWARDS,
            None => BACKWARDS,
        }
    }
}
