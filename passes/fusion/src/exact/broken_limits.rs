//! Rows that rule out whole solutions which break a limit.
//!
//! Fusing more can bring a cluster back below a limit, so only what was decided is
//! ruled out: one of the cluster's connections has to go, or another one has to
//! come, or an order has to change (for memory: anywhere).
//!
//! For memory there is often more to say. When the cluster of a node runs, all stored
//! arrays are in use on which the node depends, or which it computes, and that it or
//! something that depends on it reads, in whatever order clusters run. If these are
//! too much, then one of them has to be contracted as long as anything is fused at
//! all: the limit is no matter with nothing fused. As few arrays as possible are
//! taken, for these rows are the stronger ones. Cost: quadratic in the nodes.

use std::collections::BTreeSet;

use petgraph::unionfind::UnionFind;

use super::{linear::Linear, model::BlockModel};
use crate::{
    clustering::Clustering,
    connections::read_class,
    cost::bytes_of_arrays,
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
            match self.too_much_at_once(model.graph, &clustering) {
                Some(arrays) => rows.extend(contract_one(model, values, &arrays)),
                None => rows.push(change(model, values, None)),
            }
        }
        rows
    }

    /// Stored arrays that are in use together in whatever order clusters run, and are
    /// too much; the largest ones of those at the node with the most bytes.
    fn too_much_at_once(&self, graph: &Graph, clustering: &Clustering) -> Option<Vec<NodeId>> {
        let (most, options) = self.memory.as_ref()?;
        let bytes = bytes_of_arrays(graph, options);
        let in_use = |node: NodeId, after: &[bool]| -> Vec<NodeId> {
            let is_needed = |array: &NodeId| {
                let mut readers = graph.uses_of(*array).iter().map(|&id| graph.uses[id].to);
                graph.nodes[*array].result || readers.any(|reader| after[reader])
            };
            let before = ancestors(graph, node).into_iter();
            before
                .filter(|&array| !graph.is_input(array) && !graph.is_tuple(array))
                .filter(|&array| !clustering.is_contracted(graph, 1, array))
                .filter(is_needed)
                .collect()
        };
        let total = |arrays: &[NodeId]| arrays.iter().map(|&array| bytes[array]).sum::<f64>();
        let nodes = (0..graph.nodes.len()).filter(|&node| !graph.is_input(node));
        let mut arrays = nodes
            .map(|node| in_use(node, &descendants(graph, node)))
            .max_by(|one, other| total(one).total_cmp(&total(other)))?;
        arrays.sort_by(|&one, &other| bytes[other].total_cmp(&bytes[one]));
        let count = (1..=arrays.len()).find(|&count| total(&arrays[..count]) > *most)?;
        arrays.truncate(count);
        Some(arrays)
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

/// A node and all on which it depends.
fn ancestors(graph: &Graph, node: NodeId) -> Vec<NodeId> {
    let mut found = vec![false; node + 1];
    found[node] = true;
    for first in (0..node).rev() {
        found[first] = graph.uses_of(first).iter().any(|&id| {
            let reader = graph.uses[id].to;
            reader <= node && found[reader]
        });
    }
    (0..=node).filter(|&other| found[other]).collect()
}

/// Which nodes are a node or depend on it.
fn descendants(graph: &Graph, node: NodeId) -> Vec<bool> {
    let mut found = vec![false; graph.nodes.len()];
    found[node] = true;
    for later in node + 1..graph.nodes.len() {
        let mut read = graph.uses_by(later).iter().map(|&id| graph.uses[id].from);
        found[later] = read.any(|array| found[array]);
    }
    found
}

/// One of the stored arrays is contracted, or nothing is connected but what is
/// inseparable: for every connection, a row that says so of it.
fn contract_one(model: &BlockModel, values: &[f64], arrays: &[NodeId]) -> Vec<Linear> {
    let mut contracted = Linear::constant(0.0);
    for &array in arrays {
        if let Some(unfused) = unfused_use(model, values, array) {
            let fused = Linear::column(unfused).complement();
            contracted = contracted.plus(1.0, &fused);
        }
    }
    let graph = model.graph;
    let joins_units = |one: NodeId, other: NodeId| graph.unit(one) != graph.unit(other);
    let fused = model.fused_columns().filter(|&(pair, level, column)| {
        let pair = &model.presolved.pairs[pair];
        level == 1 && values[column] < 0.5 && joins_units(pair.from, pair.to)
    });
    let fused = fused.map(|(_, _, column)| Linear::column(column).complement());
    let shared = model
        .together_columns()
        .filter(|&(sharing, level, column)| {
            let (one, other) = model.presolved.sharing[sharing].nodes;
            level == 1 && values[column] > 0.5 && joins_units(one, other)
        });
    let shared = shared.map(|(_, _, column)| Linear::column(column));
    fused
        .chain(shared)
        .map(|connected| contracted.clone().plus(-1.0, &connected))
        .collect()
}

/// The column of a use that has to be fused before an array is contracted, and is
/// not; nothing if the array never is.
fn unfused_use(model: &BlockModel, values: &[f64], array: NodeId) -> Option<usize> {
    let graph = model.graph;
    if graph.nodes[array].result {
        return None;
    }
    let separable = graph.uses_of(array).iter();
    let separable = separable.filter(|&&id| graph.inseparable_levels(&graph.uses[id]) == 0);
    let columns = separable.map(|&id| {
        let pair = model.presolved.pair_of_use[id]?;
        model.unfused_column(pair, 1)
    });
    let columns: Option<Vec<usize>> = columns.collect();
    columns?.into_iter().find(|&column| values[column] > 0.5)
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
