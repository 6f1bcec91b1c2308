//! The row of every node: arrows point to later rows, clusters are wholly below
//! those that they depend on, and the sum of the arrows' lengths is the least, or
//! small in large pictures.

use comb_fusion::graph::{Graph, NodeId};

use crate::{
    arrows::{Arrow, Look},
    differences::Differences,
    hierarchy::{GroupId, Hierarchy, ROOT},
};

/// What an arrow pays for every row that it crosses.
fn weight(look: Look) -> f64 {
    match look {
        Look::Fused => 3.0,
        Look::Fusible | Look::Unfusible => 1.0,
        Look::Before => 0.2,
    }
}

/// What a cluster pays for every row that it covers.
const HULL_WEIGHT: f64 = 0.5;

/// With more bounds, the linear program takes more than linear time.
const MOST_BOUNDS_SOLVED: usize = 10_000;

/// By node: its row, from 0.
pub(super) fn layers(graph: &Graph, hierarchy: &Hierarchy, arrows: &[Arrow]) -> Vec<usize> {
    let solve = |clusters_apart| {
        let program = program(graph, hierarchy, arrows, clusters_apart);
        match program.bounds() {
            0..=MOST_BOUNDS_SOLVED => program.solve(),
            _ => program.solve_roughly(),
        }
    };
    // The clusters of an illegal clustering may depend on each other; the nodes
    // of a graph never do.
    let values = solve(true).or_else(|| solve(false));
    let rows = values.unwrap_or_else(|| vec![0.0; graph.nodes.len()]);
    let rows = rows[..graph.nodes.len()]
        .iter()
        .map(|row| row.round() as usize);
    let rows: Vec<usize> = rows.collect();
    let first = rows.iter().copied().min().unwrap_or(0);
    rows.iter().map(|row| row - first).collect()
}

/// Variables: the nodes' rows, then the first and the last row of every group.
fn program(
    graph: &Graph,
    hierarchy: &Hierarchy,
    arrows: &[Arrow],
    clusters_apart: bool,
) -> Differences {
    let nodes = graph.nodes.len();
    let first = |group: GroupId| nodes + 2 * group;
    let last = |group: GroupId| nodes + 2 * group + 1;
    let mut program = Differences::new(nodes + 2 * hierarchy.groups.len());
    for arrow in arrows {
        let (from, to) = (arrow.from, arrow.to);
        program.bound(from, to, 1.0);
        program.pay_length(from, to, weight(arrow.look));
        let (above, below, _) = hierarchy.parting(from, to);
        if clusters_apart && (above.is_some() || below.is_some()) {
            program.bound(above.map_or(from, last), below.map_or(to, first), 1.0);
        }
    }
    for node in 0..nodes as NodeId {
        let group = hierarchy.group_of[node];
        program.bound(first(group), node, 0.0);
        program.bound(node, last(group), 0.0);
    }
    for (group, inside) in hierarchy.groups.iter().enumerate() {
        program.bound(first(group), last(group), 0.0);
        if group != ROOT {
            program.bound(first(inside.parent), first(group), 0.0);
            program.bound(last(group), last(inside.parent), 0.0);
            program.pay_length(first(group), last(group), HULL_WEIGHT);
        }
    }
    program
}
