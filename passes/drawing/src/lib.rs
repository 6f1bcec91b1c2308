//! Pictures of graphs and clusterings: SVG laid out here, and text for Graphviz.
//!
//! The layout is that of Sugiyama, Tagawa and Toda (1981), with clusters as in
//! Sander (1996), and linear programs where Gansner et al. (1993) use a network
//! simplex. Phases:
//!
//! 1. `shown`: checks that nobody wrote are left out;
//! 2. `hierarchy`: which cluster lies in which; clusters of one node have no hull;
//! 3. `captions`: what stands in the boxes;
//! 4. `arrows`: uses that look alike become one arrow;
//! 5. `layers`: the row of every node, so that arrows point downwards and
//!    clusters are below those that they depend on;
//! 6. `stubs`: the longest of many long arrows are drawn at their heads only;
//! 7. `chains`: arrows over several rows get a bend in each row between;
//! 8. `order`: the order in every row, with few crossings; clusters stay in one
//!    piece;
//! 9. `coordinates`: the places of nodes, bends and hulls;
//! 10. `columns`: tall pictures stand in several columns;
//! 11. `svg`: the picture.
//!
//! Hulls are rectangles that contain exactly the nodes of their clusters, and
//! nothing overlaps, by the constraints of phase 9. The result depends on the
//! graph and the clustering only. Cost: two linear programs and sweeps over the
//! picture; where it is large, rough solutions and fewer steps in their place, whose
//! cost is near to linear.

#![warn(missing_docs)]

mod arrows;
mod captions;
mod chains;
mod columns;
mod coordinates;
mod differences;
mod dot;
mod hierarchy;
mod layers;
mod order;
mod shown;
mod stubs;
mod svg;
mod text;

use comb_fusion::{
    clustering::Clustering,
    graph::{Graph, NodeId},
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
    /// The number that reports give its loop.
    pub number: String,
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
    let captions = captions::Captions::new(graph, &hierarchy);
    place(graph, clustering, hierarchy, &captions)
}

fn place(
    graph: &Graph,
    clustering: Option<&Clustering>,
    hierarchy: hierarchy::Hierarchy,
    captions: &captions::Captions,
) -> Layout {
    let arrows = arrows::arrows(graph, clustering);
    let layers = layers::layers(graph, &hierarchy, &arrows);
    let arrows = stubs::cut_long(graph, arrows, &layers);
    let chains = chains::Chains::new(captions, &hierarchy, &arrows, layers);
    let order = order::order(&hierarchy, &chains);
    coordinates::place(captions, hierarchy, arrows, &chains, &order)
}

/// Graphs with more nodes and uses are not drawn: nobody could find a way through them.
pub const MOST_THINGS: usize = 10_000;

/// A graph has so many nodes and uses that it is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a graph of {things} nodes and uses is too large for SVG, which shows {MOST_THINGS} at most; \
     Graphviz's sfdp draws larger ones from its own format"
)]
pub struct TooLarge {
    /// Its nodes and uses that would be shown.
    pub things: usize,
}

/// A picture of a graph.
pub struct Picture {
    graph: Graph,
    clustering: Option<Clustering>,
}

impl Picture {
    /// That of a graph, with the clusters of a clustering if there is one, and with the
    /// checks that nobody wrote if they are asked for.
    pub fn new(graph: &Graph, clustering: Option<&Clustering>, checks: bool) -> Self {
        let (graph, clustering) = shown::shown(graph, clustering, checks);
        Self { graph, clustering }
    }

    /// Whether it can be drawn here.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn check_size(&self) -> Result<(), TooLarge> {
        let graph = &self.graph;
        let things = graph.nodes.len() + graph.uses.len() + graph.before.len();
        match things > MOST_THINGS {
            true => Err(TooLarge { things }),
            false => Ok(()),
        }
    }

    /// The picture as SVG.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn svg(&self) -> Result<String, TooLarge> {
        self.check_size()?;
        let clustering = self.clustering.as_ref();
        let hierarchy = hierarchy::Hierarchy::new(&self.graph, clustering);
        let captions = captions::Captions::new(&self.graph, &hierarchy);
        let layout = place(&self.graph, clustering, hierarchy, &captions);
        Ok(svg::draw(&self.graph, &captions, &layout))
    }

    /// The picture as text for Graphviz.
    pub fn dot(&self) -> String {
        dot::draw(&self.graph, self.clustering.as_ref())
    }
}
