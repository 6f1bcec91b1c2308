//! Clusters as their inputs and outputs: [I | O] (P-gather, 3.1 and Table 1).
//!
//! Reads at constant offsets from each other, those of one stencil class, are in
//! different orders that may be shared nevertheless; the paper does not have them.
//!
//! Calls, which the paper does not have, give their arrays in an unknown order, as
//! scatters do; filters, which it does not have either, forwards: what reads the
//! elements runs at the iterations at which one is kept.

use std::collections::BTreeSet;

use crate::{
    clustering::Clustering,
    graph::{BACKWARDS, FIRST_LABEL, Graph, Kind, NodeId, Order, Traversal},
    rules::RuleError,
};

/// An array that is read or given, with its order if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// The array.
    pub array: NodeId,
    /// Its order.
    pub order: Option<Order>,
    /// Whether the array has to be complete: it is an input, or behind a force.
    pub forced: bool,
    /// The stencil class of the order, if it is that of a gather.
    pub stencil: Option<u64>,
}

/// A cluster as it is seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    /// I: what it reads.
    pub inputs: BTreeSet<Access>,
    /// O: what it gives to others.
    pub outputs: BTreeSet<Access>,
}

impl Notation {
    /// As in the paper: `[is:0, xs:2 | bs:0]`.
    pub fn to_text(&self, graph: &Graph) -> String {
        let list = |accesses: &BTreeSet<Access>| {
            let texts: Vec<String> = accesses
                .iter()
                .map(|access| access.to_text(graph))
                .collect();
            texts.join(", ")
        };
        format!("[{} | {}]", list(&self.inputs), list(&self.outputs))
    }
}

impl Access {
    /// The array's name and its order.
    pub fn to_text(&self, graph: &Graph) -> String {
        let name = &graph.nodes[self.array].name;
        match self.order {
            Some(order) => format!("{name}:{order}"),
            None => name.clone(),
        }
    }
}

/// A combinator by itself.
pub(super) fn of_node(
    graph: &Graph,
    clustering: &Clustering,
    node: NodeId,
) -> Result<Notation, RuleError> {
    let order = clustering.orders[node][0];
    check_order(graph, node, order)?;
    let kind = graph.nodes[node].kind;
    let unknown = matches!(kind, Kind::Scatter | Kind::External);
    let output = Access {
        array: node,
        order: (!unknown).then_some(order),
        forced: false,
        stencil: None,
    };
    let inputs = graph.uses_by(node).iter().map(|&array_use| {
        let array_use = &graph.uses[array_use];
        let own = match kind {
            Kind::ScanLeft | Kind::Filter => 0,
            Kind::ScanRight => 1,
            _ => order,
        };
        let read = match (array_use.label, array_use.prefix) {
            (Some(label), _) => Some(label),
            (None, 0) => None,
            (None, _) => Some(own),
        };
        Access {
            array: array_use.from,
            order: read,
            forced: !array_use.fusible,
            stencil: array_use.stencil.filter(|_| read >= Some(FIRST_LABEL)),
        }
    });
    Ok(Notation {
        inputs: inputs.collect(),
        outputs: [output].into(),
    })
}

/// The orders that Table 1 allows: any d, a scan's own, and 0 or 1 where nothing
/// can be left out.
fn check_order(graph: &Graph, node: NodeId, order: Order) -> Result<(), RuleError> {
    let known = order <= BACKWARDS
        || graph
            .uses
            .iter()
            .any(|array_use| array_use.label == Some(order));
    let allowed = match graph.nodes[node].kind {
        _ if graph.nodes[node].traversal == Traversal::Forwards => order == 0,
        Kind::ScanLeft | Kind::Filter => order == 0,
        Kind::ScanRight => order == 1,
        _ if graph.needs_all(node) => order <= BACKWARDS,
        Kind::Scatter | Kind::External => order <= BACKWARDS,
        _ => known,
    };
    match allowed {
        true => Ok(()),
        false => Err(RuleError::WrongOrder { node, order }),
    }
}
