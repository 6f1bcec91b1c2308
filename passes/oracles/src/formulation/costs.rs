//! The objective, term by term as in [`evaluate`](mod@comb_fusion::evaluate), in the
//! solver's unit.

use comb_fusion::{
    amount::Amount,
    connections::ordered_uses,
    cost::{Connection, PairWeight, Weights},
    graph::{Graph, NodeId, UseId},
};
use good_lp::{Expression, Variable};

use crate::formulation::{
    Unit,
    clusters::Clusters,
    connectivity::Connectivity,
    model::Model,
    names::{of_nodes, of_pairs},
    orders::Orders,
};

/// Adds what is paid to the objective.
pub(super) fn minimise(
    model: &mut Model,
    graph: &Graph,
    weights: &Weights,
    clusters: &mut Clusters,
    orders: &dyn Orders,
    connectivity: Option<&Connectivity>,
) {
    let unit = Unit::new(weights);
    let counted = |weight: Amount| unit.count(weight);
    for node in 0..graph.nodes.len() {
        let weight = counted(weights.writes[node][0]);
        if !graph.is_input(node) && graph.nodes[node].rank > 0 {
            model.objective += weight * (1 - clusters.contracted(node));
        }
        for (&label, &weight) in &weights.recomputation[node] {
            let paid = orders.has_label(model, graph, node, label);
            model.objective += counted(weight) * paid;
        }
    }
    for (array_use, &weight) in graph.uses.iter().zip(&weights.uses) {
        model.objective += counted(weight) * clusters.unfused(array_use.from, array_use.to);
    }
    if let Some(connectivity) = connectivity {
        let clusters = connectivity.clusters(model, graph);
        model.objective += counted(weights.clusters) * clusters;
    }
    let mut accesses = Accesses {
        graph,
        clusters,
        orders,
    };
    for array in 0..graph.nodes.len() {
        accesses.add_reads(model, array, counted(weights.reads[array][0]));
    }
    for pair in &weights.pairs {
        accesses.add_pair(model, pair, counted(pair.weight));
    }
}

/// Which uses share their accesses of an array.
struct Accesses<'a> {
    graph: &'a Graph,
    clusters: &'a mut Clusters,
    orders: &'a dyn Orders,
}

impl Accesses<'_> {
    /// Counts a read for the first use of every cluster and order: r of a use is 1
    /// unless it is fused, or s says that it shares the read of one before it.
    fn add_reads(&mut self, model: &mut Model, array: NodeId, weight: f64) {
        if weight == 0.0 {
            return;
        }
        let mut before: Vec<(UseId, Variable)> = vec![];
        for array_use in ordered_uses(self.graph, array, 1) {
            let reader = self.graph.uses[array_use].to;
            let unfused = self.clusters.unfused(array, reader);
            let reads = model.implied(of_nodes(self.graph, "read", &[array, reader]));
            let mut covered = Expression::from(reads);
            for &(other, other_reads) in &before {
                let shared = self.shared(model, (other, array_use));
                model.require((shared - other_reads).leq(0));
                covered += shared;
            }
            model.require(covered.geq(unfused));
            model.objective += weight * reads;
            before.push((array_use, reads));
        }
    }

    /// A weight that is paid unless one of the connections is there.
    fn add_pair(&mut self, model: &mut Model, pair: &PairWeight, weight: f64) {
        let connected = model.implied(self.joined(pair));
        let mut ways = Expression::default();
        for &connection in &pair.connections {
            match connection {
                Connection::Fused(array_use) => {
                    let array_use = &self.graph.uses[array_use];
                    ways += 1 - self.clusters.unfused(array_use.from, array_use.to);
                }
                Connection::Shared(one, other) => {
                    let mut uses = [one, other].into_iter().map(|id| &self.graph.uses[id]);
                    if uses.all(|array_use| self.graph.ordered_levels(array_use) > 0) {
                        ways += self.shared(model, (one, other));
                    }
                }
            }
        }
        model.require((connected - ways).leq(0));
        model.objective += weight * (1 - connected);
    }

    /// The name of whether two accesses are joined.
    fn joined(&self, pair: &PairWeight) -> String {
        let uses = &self.graph.uses;
        let nodes = pair
            .connections
            .first()
            .map(|&connection| match connection {
                Connection::Fused(id) => [uses[id].from, uses[id].to],
                Connection::Shared(one, other) => [uses[one].to, uses[other].to],
            });
        of_nodes(
            self.graph,
            "joined",
            nodes.as_ref().map_or(&[], |nodes| nodes),
        )
    }

    fn shared(&mut self, model: &mut Model, uses: (UseId, UseId)) -> Variable {
        shared_read(model, self.graph, self.clusters, self.orders, uses)
    }
}

/// A variable that is 1 only if two uses read in one cluster, and in one order or
/// class of orders.
pub(super) fn shared_read(
    model: &mut Model,
    graph: &Graph,
    clusters: &mut Clusters,
    orders: &dyn Orders,
    uses: (UseId, UseId),
) -> Variable {
    let (one, other) = (&graph.uses[uses.0], &graph.uses[uses.1]);
    let name = of_pairs(graph, "shared", (one.from, one.to), (other.from, other.to));
    let shared = model.implied(name);
    clusters.require_together(model, graph, (one.to, other.to), shared);
    orders.share(model, graph, uses, shared);
    shared
}
