//! Graphs that are built by a program.
//!
//! Nodes and uses get numbers in the order in which they are added; those of the
//! finished graph are others (module `numbering`), and [`Numbering`] says which.

use crate::{
    format::FormatError,
    graph::{Graph, Node, NodeId, Use, UseId},
};

pub use crate::numbering::Numbering;

/// A graph that is not finished.
///
/// ```
/// use comb_fusion::{
///     builder::GraphBuilder,
///     graph::{Kind, Node, Use},
/// };
///
/// let mut builder = GraphBuilder::new("squares", 1);
/// let numbers = builder.node(Node::new("numbers", 0, Kind::Generate, 1));
/// let squares = builder.node(Node {
///     result: true,
///     ..Node::new("squares", 1, Kind::Map, 1)
/// });
/// let operand = builder.array_use(Use::new(0, numbers, squares, 1));
/// let (graph, numbering) = builder.finish()?;
/// let array_use = &graph.uses[numbering.uses[operand]];
/// assert_eq!(array_use.to, numbering.nodes[squares]);
/// # Ok::<(), comb_fusion::format::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    graph: Graph,
}

impl GraphBuilder {
    /// A graph without nodes, with a number of levels.
    pub fn new(name: impl Into<String>, levels: usize) -> Self {
        Self {
            graph: Graph {
                name: name.into(),
                levels,
                ..Graph::default()
            },
        }
    }

    /// Adds a node, and gives its number.
    pub fn node(&mut self, node: Node) -> NodeId {
        self.graph.nodes.push(node);
        self.graph.nodes.len() - 1
    }

    /// Adds a use, whose ends are numbers that [`node`](Self::node) gave, and gives
    /// its number.
    pub fn array_use(&mut self, array_use: Use) -> UseId {
        self.graph.uses.push(array_use);
        self.graph.uses.len() - 1
    }

    /// The node with a number, to be changed.
    pub fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.graph.nodes[node]
    }

    /// Puts one node into an earlier cluster than another.
    pub fn before(&mut self, first: NodeId, second: NodeId) {
        self.graph.before.push((first, second));
    }

    /// Wishes that two nodes are in one cluster.
    pub fn forced(&mut self, one: NodeId, other: NodeId) {
        self.graph.forced.push((one, other));
    }

    /// Wishes that two nodes are not in one cluster.
    pub fn forbidden(&mut self, one: NodeId, other: NodeId) {
        self.graph.forbidden.push((one, other));
    }

    /// The graph, and what the numbers of its nodes and uses are now.
    ///
    /// # Errors
    ///
    /// If nodes depend on themselves, or what is said of them does not agree.
    pub fn finish(self) -> Result<(Graph, Numbering), FormatError> {
        self.graph.finish_numbered()
    }
}
