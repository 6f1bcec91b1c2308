//! Rows that rule out whole solutions which break a limit.
//!
//! Fusing more can bring a cluster back below a limit, so only what was decided is
//! ruled out: one of the cluster's connections has to go, or another one has to
//! come (for memory: anywhere).

use std::collections::BTreeSet;

use petgraph::unionfind::UnionFind;

use super::{linear::Linear, model::BlockModel};
use crate::{clustering::Clustering, graph::NodeId, limits::Limits};

impl Limits {
    /// Rows `expression >= 0` that a whole solution breaks.
    pub(crate) fn broken(&self, model: &BlockModel, values: &[f64]) -> Vec<Linear> {
        if self.is_empty() {
            return vec![];
        }
        let clustering = clustering_of(model, values).normalized(model.graph);
        let mut rows: Vec<Linear> = self
            .crowded(model.graph, &clustering)
            .into_iter()
            .map(|nodes| change(model, values, Some(&nodes.into_iter().collect())))
            .collect();
        if self.exceeds_memory(model.graph, &clustering) {
            rows.push(change(model, values, None));
        }
        rows
    }
}

/// The clustering that a whole solution stands for, nodes of other blocks alone.
pub(crate) fn clustering_of(model: &BlockModel, values: &[f64]) -> Clustering {
    let graph = model.graph;
    let mut clustering = Clustering::singletons(graph);
    for level in 1..=graph.levels {
        let mut together = UnionFind::new(graph.nodes.len());
        for (pair, at, column) in model.fused_columns() {
            if at == level && values[column] < 0.5 {
                let pair = &model.presolved.pairs[pair];
                together.union(pair.from, pair.to);
            }
        }
        // One read in an inner loop is one in the loops around it, even where
        // that saves nothing.
        for (one, other, at, column) in model.same_columns() {
            if at >= level && values[column] > 0.5 {
                together.union(graph.uses[one].to, graph.uses[other].to);
            }
        }
        clustering.clusters[level - 1] = together.into_labeling();
        for &node in model.nodes() {
            clustering.orders[node][level - 1] = model.order_of(node, level, values);
        }
    }
    clustering
}

/// At least one connection that concerns the nodes changes.
fn change(model: &BlockModel, values: &[f64], nodes: Option<&BTreeSet<NodeId>>) -> Linear {
    let concerns = |one: NodeId, other: NodeId| {
        nodes.is_none_or(|nodes| nodes.contains(&one) || nodes.contains(&other))
    };
    let mut changes = Linear::constant(-1.0);
    let mut add = |column: usize| {
        let now = Linear::column(column);
        let change = if values[column] > 0.5 {
            now.complement()
        } else {
            now
        };
        changes = std::mem::take(&mut changes).plus(1.0, &change);
    };
    for (pair, level, column) in model.fused_columns() {
        let pair = &model.presolved.pairs[pair];
        if level == 1 && concerns(pair.from, pair.to) {
            add(column);
        }
    }
    for (one, other, level, column) in model.same_columns() {
        let uses = &model.graph.uses;
        if level == 1 && concerns(uses[one].to, uses[other].to) {
            add(column);
        }
    }
    changes
}
