//! The loops of a clustering, with the numbers that reports and pictures give them.
//!
//! Cost: linear in the number of nodes for each level.

use crate::{
    clustering::Clustering,
    graph::{Graph, NodeId},
};

/// A cluster of combinators, each of which runs in its loop.
pub struct Loop {
    /// The position of the loop around it, unless it is an outermost one.
    pub parent: Option<usize>,
    /// Its level, from 1.
    pub level: usize,
    /// Its number among those around it, from the outermost level inwards: `2.1`.
    pub number: String,
    /// All that run in it.
    pub nodes: Vec<NodeId>,
}

/// All loops, each after the one around it; those inside of one in an order in which
/// they can run.
pub fn loops(graph: &Graph, clustering: &Clustering) -> Vec<Loop> {
    let mut loops: Vec<Loop> = vec![];
    let mut inside = vec![0; 1];
    let mut around: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    for level in 1..=graph.levels {
        for nodes in clustering.groups(graph, level) {
            let parent = around[nodes[0]];
            let position = parent.map_or(0, |parent| parent + 1);
            inside[position] += 1;
            let number = match parent {
                None => inside[position].to_string(),
                Some(parent) => format!("{}.{}", loops[parent].number, inside[position]),
            };
            inside.push(0);
            for &node in &nodes {
                around[node] = Some(loops.len());
            }
            loops.push(Loop {
                parent,
                level,
                number,
                nodes,
            });
        }
    }
    loops
}
