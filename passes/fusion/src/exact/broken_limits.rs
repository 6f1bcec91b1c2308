//! Rows that rule out whole solutions which break a limit.
//!
//! Fusing more can bring a cluster back below a limit, so only what was decided is
//! ruled out: one of the cluster's connections has to go, or another one has to
//! come, or an order has to change (for memory: anywhere). For memory that is
//! little, so that proofs take long.

use std::collections::BTreeSet;

use petgraph::unionfind::UnionFind;

use super::{linear::Linear, model::BlockModel};
use crate::{
    clustering::Clustering,
    connections::read_class,
    graph::{Graph, NodeId, UseId},
    limits::Limits,
};

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
    for &node in model.nodes() {
        for level in 1..=graph.levels {
            clustering.orders[node][level - 1] = model.order_of(node, level, values);
        }
    }
    for level in 1..=graph.levels {
        let mut together = UnionFind::new(graph.nodes.len());
        for &number in &model.pairs {
            let pair = &model.presolved.pairs[number];
            if model.is_joined(number, level) {
                together.union(pair.from, pair.to);
            }
        }
        for (pair, at, column) in model.fused_columns() {
            if at == level && values[column] < 0.5 {
                let pair = &model.presolved.pairs[pair];
                together.union(pair.from, pair.to);
            }
        }
        for (one, other) in model.shared_reads(level, values) {
            if reads_alike(graph, &clustering, one, other, level) {
                together.union(graph.uses[one].to, graph.uses[other].to);
            }
        }
        clustering.clusters[level - 1] = together.into_labeling();
    }
    clustering
}

fn reads_alike(
    graph: &Graph,
    clustering: &Clustering,
    one: UseId,
    other: UseId,
    level: usize,
) -> bool {
    (1..=level).all(|level| {
        read_class(graph, clustering, one, level) == read_class(graph, clustering, other, level)
    })
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
    for (sharing, level, column) in model.together_columns() {
        let (one, other) = model.presolved.sharing[sharing].nodes;
        if level == 1 && concerns(one, other) {
            add(column);
        }
    }
    for (node, _, column) in model.label_columns() {
        if concerns(node, node) {
            add(column);
        }
    }
    for (node, level, column) in model.reversed_columns() {
        if level == 1 && concerns(node, node) {
            add(column);
        }
    }
    changes
}
