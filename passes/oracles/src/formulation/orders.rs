//! The orders in which arrays are computed and read.

use std::collections::BTreeSet;

use comb_fusion::graph::{Graph, Kind, NodeId, Order, UseId};

use crate::formulation::{
    backend::Answer, clusters::Clusters, integer_orders::IntegerOrders, model::Model,
    one_hot_orders::OneHotOrders,
};
use comb_fusion::programs::Formulation;
use good_lp::{Expression, Variable};

/// Variables for orders.
pub(super) trait Orders {
    /// Requires that the order in which a use reads is that in which its array is
    /// computed, unless x is 1.
    fn fuse(&self, model: &mut Model, graph: &Graph, array_use: UseId, unfused: Expression);

    /// Requires that two uses read in one order, or in orders of one stencil
    /// class, if a 0–1 variable is 1.
    fn share(&self, model: &mut Model, graph: &Graph, uses: (UseId, UseId), shared: Variable);

    /// At least 1 if a node has the order of a gather.
    fn has_label(&self, model: &mut Model, graph: &Graph, node: NodeId, label: Order)
    -> Expression;

    /// The order of a node in an answer.
    fn order(&self, node: NodeId, answer: &Answer) -> Order;
}

/// The variables of a formulation, with the constraints of fused uses.
pub(super) fn new(model: &mut Model, graph: &Graph, clusters: &Clusters) -> Box<dyn Orders> {
    let orders: Box<dyn Orders> = match model.formulation {
        Formulation::Figure4 => Box::new(IntegerOrders::new(model, graph, clusters)),
        Formulation::Compact => Box::new(OneHotOrders::new(model, graph, clusters)),
    };
    for (id, array_use) in graph.uses.iter().enumerate() {
        if graph.fusible_levels(array_use) > 0 {
            let unfused = clusters.unfused(array_use.from, array_use.to);
            orders.fuse(model, graph, id, unfused);
        }
    }
    orders
}

/// The labels of all gathers.
pub(super) fn labels(graph: &Graph) -> BTreeSet<Order> {
    let labels = graph.uses.iter().filter_map(|array_use| array_use.label);
    labels.collect()
}

/// Whether a node cannot be computed in the order of a gather, even if its array
/// is not stored: it has effects, or no gather needs it.
pub(super) fn needs_all(graph: &Graph, node: NodeId) -> bool {
    let has_effects = matches!(graph.nodes[node].kind, Kind::Scatter | Kind::External);
    has_effects || graph.needs_all(node) || graph.uses_of(node).is_empty()
}
