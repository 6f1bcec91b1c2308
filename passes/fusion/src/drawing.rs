//! Pictures of graphs and clusterings: SVG laid out here, and text for Graphviz.
//!
//! The layout is that of Sugiyama, Tagawa and Toda (1981), with clusters as in
//! Sander (1996), and linear programs where Gansner et al. (1993) use a network
//! simplex. Phases:
//!
//! 1. `hierarchy`: which cluster lies in which; clusters of one node are left
//!    out;
//! 2. `arrows`: uses that look alike become one arrow;
//! 3. `layers`: the row of every node, so that arrows point downwards and
//!    clusters are below those that they depend on;
//! 4. `chains`: arrows over several rows get a bend in each row between;
//! 5. `order`: the order in every row, with few crossings; clusters stay in one
//!    piece;
//! 6. `coordinates`: the places of nodes, bends and hulls;
//! 7. `columns`: tall pictures stand in several columns;
//! 8. `svg`: the picture.
//!
//! Hulls are rectangles that contain exactly the nodes of their clusters, and
//! nothing overlaps, by the constraints of phase 6. The result depends on the
//! graph and the clustering only. Cost: two linear programs of the size of the
//! picture, and sweeps over it, fewer if it is large.

mod arrows;
mod chains;
mod columns;
mod coordinates;
mod differences;
mod dot;
mod hierarchy;
mod layers;
mod order;
mod svg;
mod text;

use crate::{
    clustering::Clustering,
    graph::{Graph, Kind, NodeId},
};

/// A rectangle in the picture; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The left side.
    pub left: f64,
    /// The upper side.
    pub top: f64,
    /// The right side.
    pub right: f64,
    /// The lower side.
    pub bottom: f64,
}

impl Rectangle {
    /// Whether the other lies within.
    pub fn contains(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }

    /// Whether the two have more than their borders in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// The outline of a cluster.
#[derive(Clone, Debug)]
pub struct Hull {
    /// The level of the cluster, from 1.
    pub level: usize,
    /// The nodes of the cluster.
    pub nodes: Vec<NodeId>,
    /// Where it is.
    pub place: Rectangle,
    /// The number of the cluster of level 1, which gives its colour.
    hue: usize,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By node: its box.
    pub nodes: Vec<Rectangle>,
    /// The clusters of more than one node, each after those around it.
    pub hulls: Vec<Hull>,
    arrows: Vec<arrows::Arrow>,
    /// By arrow: from the node, through the bends, to the node.
    paths: Vec<Vec<(f64, f64)>>,
    width: f64,
    height: f64,
}

/// Lays out a graph, with the clusters of a clustering if there is one.
pub fn layout(graph: &Graph, clustering: Option<&Clustering>) -> Layout {
    let hierarchy = hierarchy::Hierarchy::new(graph, clustering);
    let arrows = arrows::arrows(graph, clustering);
    let layers = layers::layers(graph, &hierarchy, &arrows);
    let chains = chains::Chains::new(graph, &hierarchy, &arrows, layers);
    let order = order::order(&hierarchy, &chains);
    coordinates::place(graph, hierarchy, arrows, &chains, &order)
}

/// Graphs with more nodes and uses take minutes to lay out, and nobody could find a way through
/// them.
pub const MOST_THINGS: usize = 10_000;

/// The nodes and uses of a graph.
pub fn things(graph: &Graph) -> usize {
    graph.nodes.len() + graph.uses.len() + graph.before.len()
}

/// The picture as SVG.
pub fn svg(graph: &Graph, clustering: Option<&Clustering>) -> String {
    svg::draw(graph, &layout(graph, clustering))
}

/// The picture as text for Graphviz.
pub fn dot(graph: &Graph, clustering: Option<&Clustering>) -> String {
    dot::draw(graph, clustering)
}

/// What a kind is called.
fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "input",
        Kind::Generate => "generate",
        Kind::Map => "map",
        Kind::Fold => "fold",
        Kind::ScanLeft => "scanl",
        Kind::ScanRight => "scanr",
        Kind::Gather => "gather",
        Kind::Scatter => "scatter",
        Kind::Filter => "filter",
        Kind::External => "external",
    }
}

/// Longer names are cut.
const LONGEST_NAME: usize = 24;

/// The lines in a node's box: its name and kind, or kind and number if it has no
/// name of its own.
fn captions(graph: &Graph, node: NodeId) -> Vec<String> {
    let node = &graph.nodes[node];
    let kind = kind_name(node.kind);
    if node.name == node.external_id.to_string() {
        return vec![format!("{kind} {}", node.name)];
    }
    let mut name: String = node.name.chars().take(LONGEST_NAME).collect();
    if name.len() < node.name.len() {
        name.push('…');
    }
    vec![name, kind.to_owned()]
}
