//! Connected clusters, where a cost or wish depends on them.
//!
//! Nodes with one position may be unconnected, and are then not in one cluster.
//! That matters in two places only: where clusters are counted, and where a pair is
//! forced. What connects two nodes directly is a fused use, or an array that both
//! read in one order.
//!
//! * Two nodes are connected if a unit can flow from one to the other.
//! * A cluster is a tree: every node hangs on one that it is connected with, and
//!   is deeper by 1, or is a root. Roots are counted.

use std::collections::BTreeMap;

use comb_fusion::{
    connections::ordered_uses,
    graph::{Graph, NodeId},
};
use good_lp::{Expression, Variable};

use crate::formulation::{
    clusters::Clusters,
    costs::shared_read,
    model::Model,
    names::{of_nodes, of_pairs},
    orders::Orders,
};
use comb_fusion::programs::SolveError;

/// By pair of nodes, the lesser number first: 1 only if they are directly
/// connected.
pub(super) struct Connectivity {
    pairs: BTreeMap<(NodeId, NodeId), Variable>,
    nodes: usize,
}

impl Connectivity {
    pub(super) fn new(
        model: &mut Model,
        graph: &Graph,
        clusters: &mut Clusters,
        orders: &dyn Orders,
    ) -> Self {
        let mut ways: BTreeMap<(NodeId, NodeId), Expression> = BTreeMap::new();
        for array_use in &graph.uses {
            let pair = (array_use.from, array_use.to);
            if graph.fusible_levels(array_use) > 0 {
                ways.insert(pair, 1 - clusters.unfused(pair.0, pair.1));
            }
        }
        for array in 0..graph.nodes.len() {
            let uses = ordered_uses(graph, array, 1);
            for (position, &one) in uses.iter().enumerate() {
                for &other in &uses[position + 1..] {
                    let readers = (graph.uses[one].to, graph.uses[other].to);
                    if readers.0 != readers.1 {
                        let pair = (readers.0.min(readers.1), readers.0.max(readers.1));
                        let shared = shared_read(model, graph, clusters, orders, (one, other));
                        *ways.entry(pair).or_default() += shared;
                    }
                }
            }
        }
        let mut pairs = BTreeMap::new();
        for (pair, ways) in ways {
            let connected = model.implied(of_nodes(graph, "connected", &[pair.0, pair.1]));
            model.require((connected - ways).leq(0));
            pairs.insert(pair, connected);
        }
        let nodes = graph.nodes.len();
        Self { pairs, nodes }
    }

    /// Requires that a unit can flow from one node to another.
    fn require_connected(
        &self,
        model: &mut Model,
        graph: &Graph,
        (source, sink): (NodeId, NodeId),
    ) {
        let mut surplus = vec![Expression::default(); self.nodes];
        for (&(one, other), &connected) in &self.pairs {
            for (from, to) in [(one, other), (other, one)] {
                let name = of_pairs(graph, "flow", (from, to), (source, sink));
                let flow = model.fraction(name);
                model.require((flow - connected).leq(0));
                surplus[from] += flow;
                surplus[to] -= flow;
            }
        }
        surplus[source] -= 1;
        surplus[sink] += 1;
        for surplus in surplus {
            model.require(surplus.eq(0));
        }
    }

    /// Keeps forced pairs in one cluster.
    pub(super) fn fulfil(&self, model: &mut Model, graph: &Graph) -> Result<(), SolveError> {
        for &(one, other) in &graph.forced {
            if graph.is_input(one) || graph.is_input(other) {
                return Err(SolveError::Infeasible);
            }
            self.require_connected(model, graph, (one, other));
        }
        Ok(())
    }

    /// The number of clusters, or more.
    pub(super) fn clusters(&self, model: &mut Model, graph: &Graph) -> Expression {
        let deepest = graph.combinators();
        let computed: Vec<NodeId> = (0..self.nodes)
            .filter(|&node| !graph.is_input(node))
            .collect();
        let depths: BTreeMap<NodeId, Variable> = computed
            .iter()
            .map(|&node| {
                let name = of_nodes(graph, "depth", &[node]);
                (node, model.integer(name, deepest))
            })
            .collect();
        let mut hangs: BTreeMap<NodeId, Expression> = BTreeMap::new();
        for (&(one, other), &connected) in &self.pairs {
            for (above, below) in [(one, other), (other, one)] {
                let hung = model.binary(of_nodes(graph, "hung", &[below, above]));
                model.require((hung - connected).leq(0));
                let slack = (deepest + 1) as f64 * (1 - hung);
                model.require((depths[&above] + 1 - depths[&below]).leq(slack));
                *hangs.entry(below).or_default() += hung;
            }
        }
        let mut count = Expression::default();
        for node in computed {
            let root = model.binary(of_nodes(graph, "root", &[node]));
            let hung = hangs.remove(&node).unwrap_or_default();
            model.require((hung + root).eq(1));
            count += root;
        }
        count
    }
}
