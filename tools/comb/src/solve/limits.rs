//! Limits of single loops: the arguments of a kernel, the memory for buffers.
//!
//! Such limits are not part of the integer program, whose relaxation they would
//! spoil. If a loop breaks one, its first and its last node are kept apart, and
//! the problem is solved again; so the bound of the first answer holds, but an
//! answer that costs more is not proven to be the best. Every turn keeps another
//! pair apart, so there is an end.

use comb_fusion::{
    clustering::Clustering,
    cost::CostOptions,
    graph::{Graph, NodeId},
    size::Size,
};

use crate::options::SolveOptions;

/// What every outermost loop has to keep.
#[derive(Clone, Copy, PartialEq)]
pub struct Limits {
    arguments: Option<usize>,
    memory: Option<f64>,
}

/// A loop that does not keep a limit.
pub struct Excess {
    /// Its nodes, in an order in which they can be computed.
    pub nodes: Vec<NodeId>,
    /// What it needs.
    pub needs: String,
}

impl Limits {
    /// What the command line asks for, if anything.
    pub fn new(options: &SolveOptions) -> Option<Self> {
        let limits = Self {
            arguments: options.max_arguments,
            memory: options.max_memory.map(|bytes| bytes as f64),
        };
        (limits.arguments.is_some() || limits.memory.is_some()).then_some(limits)
    }

    /// The first loop that does not keep them.
    pub fn excess(
        &self,
        graph: &Graph,
        clustering: &Clustering,
        options: &CostOptions,
    ) -> Option<Excess> {
        clustering.groups(graph, 1).into_iter().find_map(|nodes| {
            let arguments = arguments(graph, clustering, &nodes);
            let memory = memory(graph, clustering, options, &nodes);
            let needs = if self.arguments.is_some_and(|most| arguments > most) {
                format!("{arguments} arguments")
            } else if self.memory.is_some_and(|most| memory > most) {
                format!("{memory} bytes for buffers")
            } else {
                return None;
            };
            Some(Excess { nodes, needs })
        })
    }
}

/// The arrays that a loop gets from outside and gives to it.
fn arguments(graph: &Graph, clustering: &Clustering, nodes: &[NodeId]) -> usize {
    let mut taken: Vec<NodeId> = nodes
        .iter()
        .flat_map(|&node| graph.uses_by(node))
        .map(|&array_use| &graph.uses[array_use])
        .filter(|array_use| !clustering.together(1, array_use.from, array_use.to))
        .map(|array_use| array_use.from)
        .collect();
    taken.sort_unstable();
    taken.dedup();
    let given = nodes.iter().filter(|&&node| {
        let is_array = graph.nodes[node].rank > 0;
        is_array && !clustering.is_contracted(graph, 1, node)
    });
    taken.len() + given.count()
}

/// The bytes of what a loop keeps of the arrays that are not stored whole: for
/// one iteration of the loops that they are contracted to.
fn memory(graph: &Graph, clustering: &Clustering, options: &CostOptions, nodes: &[NodeId]) -> f64 {
    let buffers = nodes.iter().map(|&node| {
        let rank = graph.nodes[node].rank;
        let contracted = (1..=rank.min(graph.levels))
            .take_while(|&level| clustering.is_contracted(graph, level, node))
            .count();
        match contracted {
            0 => 0.0,
            _ => graph.nodes[node].width * elements_inside(graph, options, node, contracted),
        }
    });
    buffers.sum()
}

/// The elements of an array in one iteration of its outermost loops.
fn elements_inside(graph: &Graph, options: &CostOptions, node: NodeId, loops: usize) -> f64 {
    let node = &graph.nodes[node];
    match &node.size {
        Some(sizes) => {
            let inside = sizes.get(loops..).unwrap_or_default();
            Size::product(inside).evaluate(&options.extents, options.default_extent)
        }
        None => options.default_extent.powi((node.rank - loops) as i32),
    }
}
