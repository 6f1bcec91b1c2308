//! Which nodes share a loop: positions π of clusters, x for uses, m for arrays.
//!
//! Positions go up to the number of combinators, so that every legal clustering
//! has one in which no two clusters have the same. Unconnected nodes may have one
//! position; splitting them afterwards changes no cost.

use std::collections::BTreeMap;

use comb_fusion::graph::{Graph, NodeId};
use good_lp::{Expression, Variable};

use crate::formulation::{model::Model, names::of_nodes};
use comb_fusion::programs::Formulation;

/// Whether the ends of a use are in one cluster.
#[derive(Clone, Copy)]
enum Unfused {
    Always,
    Never,
    /// x: 1 if they are not.
    If(Variable),
}

/// The variables that say which nodes share a loop.
pub(super) struct Clusters {
    /// By node: π, if it is computed here.
    positions: Vec<Option<Variable>>,
    /// By pair of nodes of which the second uses the first.
    unfused: BTreeMap<(NodeId, NodeId), Unfused>,
    /// By node: m, 1 if its array is contracted.
    contracted: Vec<Option<Variable>>,
    /// By pair of other nodes: 1 only if they are in one cluster.
    together: BTreeMap<(NodeId, NodeId), Variable>,
    /// Positions differ by less.
    count: f64,
}

impl Clusters {
    pub(super) fn new(model: &mut Model, graph: &Graph) -> Self {
        let count = graph.combinators();
        let mut computed = |make: &mut dyn FnMut(&mut Model, NodeId) -> Variable| -> Vec<_> {
            (0..graph.nodes.len())
                .map(|node| (!graph.is_input(node)).then(|| make(model, node)))
                .collect()
        };
        let name = |what, node| of_nodes(graph, what, &[node]);
        let mut clusters = Self {
            positions: computed(&mut |model, node| {
                model.integer(name("position", node), count - 1)
            }),
            contracted: computed(&mut |model, node| model.implied(name("contracted", node))),
            unfused: BTreeMap::new(),
            together: BTreeMap::new(),
            count: count as f64,
        };
        for array_use in &graph.uses {
            clusters.add_pair(model, graph, (array_use.from, array_use.to));
        }
        for &(first, second) in &graph.before {
            clusters.require_before(model, first, second);
        }
        for node in 0..graph.nodes.len() {
            clusters.restrict_contraction(model, graph, node);
        }
        clusters
    }

    /// Constraints 1 to 5: x ≤ π_to − π_from ≤ n x.
    fn add_pair(&mut self, model: &mut Model, graph: &Graph, pair: (NodeId, NodeId)) {
        if self.unfused.contains_key(&pair) {
            return;
        }
        let mut uses = graph
            .uses_by(pair.1)
            .iter()
            .map(|&found| &graph.uses[found]);
        let fusible = uses.all(|found| found.from != pair.0 || graph.fusible_levels(found) > 0);
        let (Some(from), Some(to)) = (self.positions[pair.0], self.positions[pair.1]) else {
            self.unfused.insert(pair, Unfused::Always);
            return;
        };
        if is_inseparable(graph, pair) {
            self.unfused.insert(pair, Unfused::Never);
            model.require((to - from).eq(0));
        }
        if !fusible {
            self.unfused.insert(pair, Unfused::Always);
            self.require_before(model, pair.0, pair.1);
        }
        if self.unfused.contains_key(&pair) {
            return;
        }
        let unfused = model.binary(of_nodes(graph, "unfused", &[pair.0, pair.1]));
        self.unfused.insert(pair, Unfused::If(unfused));
        model.require((to - from).geq(unfused));
        model.require((to - from).leq(self.count * unfused));
    }

    /// One node is in an earlier cluster than another.
    fn require_before(&mut self, model: &mut Model, first: NodeId, second: NodeId) {
        if let (Some(first), Some(second)) = (self.positions[first], self.positions[second]) {
            model.require((second - first).geq(1));
        }
    }

    /// Constraint 6; results are stored.
    fn restrict_contraction(&mut self, model: &mut Model, graph: &Graph, node: NodeId) {
        let Some(contracted) = self.contracted[node] else {
            return;
        };
        if graph.nodes[node].result {
            model.require(Expression::from(contracted).leq(0));
        }
        for &array_use in graph.uses_of(node) {
            let unfused = self.unfused(node, graph.uses[array_use].to);
            model.require((unfused + contracted).leq(1));
        }
    }

    /// π.
    pub(super) fn position(&self, node: NodeId) -> Option<Variable> {
        self.positions[node]
    }

    /// m; an input's array is there anyway.
    pub(super) fn contracted(&self, node: NodeId) -> Expression {
        self.contracted[node].map_or_else(Expression::default, Expression::from)
    }

    /// x of a node and one that uses its array.
    pub(super) fn unfused(&self, from: NodeId, to: NodeId) -> Expression {
        match self.unfused.get(&(from, to)) {
            Some(&Unfused::If(unfused)) => unfused.into(),
            Some(Unfused::Never) => Expression::default(),
            _ => Expression::from_other_affine(1.0),
        }
    }

    /// Requires that two nodes are in one cluster if a 0–1 variable is 1.
    pub(super) fn require_together(
        &mut self,
        model: &mut Model,
        graph: &Graph,
        (one, other): (NodeId, NodeId),
        shared: Variable,
    ) {
        let pair = (one.min(other), one.max(other));
        if one == other {
            return;
        }
        if model.formulation == Formulation::Figure4 {
            return self.require_one_position(model, pair, shared);
        }
        if self.unfused.contains_key(&pair) {
            let unfused = self.unfused(pair.0, pair.1);
            return model.require((unfused + shared).leq(1));
        }
        let together = match self.together.get(&pair) {
            Some(&together) => together,
            None => {
                let together = model.binary(of_nodes(graph, "together", &[pair.0, pair.1]));
                self.together.insert(pair, together);
                self.require_one_position(model, pair, together);
                together
            }
        };
        model.require((shared - together).leq(0));
    }

    fn require_one_position(&self, model: &mut Model, pair: (NodeId, NodeId), shared: Variable) {
        if let (Some(one), Some(other)) = (self.positions[pair.0], self.positions[pair.1]) {
            model.require_close(one, other, self.count * (1 - shared));
        }
    }

    /// Keeps forbidden pairs apart.
    pub(super) fn separate(&self, model: &mut Model, graph: &Graph) {
        for &(one, other) in &graph.forbidden {
            let later = of_nodes(graph, "later", &[one, other]);
            if let (Some(one), Some(other)) = (self.positions[one], self.positions[other]) {
                let later = model.binary(later);
                let count = self.count;
                model.require((one - other + 1).leq(count * (1 - later)));
                model.require((other - one + 1).leq(count * later));
            }
        }
    }
}

/// Whether a node uses another inseparably.
fn is_inseparable(graph: &Graph, (from, to): (NodeId, NodeId)) -> bool {
    let mut uses = graph.uses_by(to).iter().map(|&found| &graph.uses[found]);
    uses.any(|found| found.from == from && graph.inseparable_levels(found) > 0)
}
