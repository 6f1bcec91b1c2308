//! Arrows as chains of leaves, one in every row: the nodes at their ends, and
//! bends between.

use crate::{
    arrows::{Arrow, Look},
    captions::Captions,
    hierarchy::{GroupId, Hierarchy},
    text,
};

/// The number of a leaf; a node's leaf has its number.
pub(super) type LeafId = usize;

/// The size of the nodes' text.
pub(super) const FONT_SIZE: f64 = 13.0;

/// The size of the lines below the first.
pub(super) const SMALL_FONT_SIZE: f64 = 11.0;

/// Between the sides of a node and its text.
const TEXT_MARGIN: f64 = 11.0;

/// Between the arrows that end at a node.
pub(super) const PORT_DISTANCE: f64 = 13.0;

/// The size of the text at arrows.
pub(super) const TAG_SIZE: f64 = 10.0;

/// A node, or a bend of an arrow.
pub(super) struct Leaf {
    pub row: usize,
    pub group: GroupId,
    pub width: f64,
}

/// Part of an arrow, between neighbouring rows.
pub(super) struct Segment {
    pub upper: LeafId,
    pub lower: LeafId,
    pub arrow: usize,
}

/// The leaves, and the arrows as chains of them.
pub(super) struct Chains {
    /// The number of leaves that are nodes.
    pub nodes: usize,
    pub leaves: Vec<Leaf>,
    /// By arrow; a stub's is only the node that it points to.
    pub chains: Vec<Vec<LeafId>>,
    pub segments: Vec<Segment>,
    /// The first and last row of every group.
    pub spans: Vec<(usize, usize)>,
    /// How much straight lines are wanted, by arrow.
    pub weights: Vec<f64>,
}

impl Chains {
    /// Puts bends where arrows cross rows.
    pub fn new(
        captions: &Captions,
        hierarchy: &Hierarchy,
        arrows: &[Arrow],
        rows: Vec<usize>,
    ) -> Self {
        let spans = spans(hierarchy, &rows);
        let ends = Ends::of(rows.len(), arrows);
        let leaves = (0..rows.len())
            .map(|node| Leaf {
                row: rows[node],
                group: hierarchy.group_of[node],
                width: node_width(captions.of(node), &ends[node]).max(
                    hierarchy
                        .title(hierarchy.group_of[node])
                        .map_or(0.0, |title| text::width(&title, SMALL_FONT_SIZE)),
                ),
            })
            .collect();
        let mut result = Self {
            nodes: rows.len(),
            leaves,
            chains: vec![],
            segments: vec![],
            spans,
            weights: vec![],
        };
        for (number, arrow) in arrows.iter().enumerate() {
            result.add(hierarchy, number, arrow);
        }
        result
    }

    fn add(&mut self, hierarchy: &Hierarchy, number: usize, arrow: &Arrow) {
        self.weights.push(match arrow.look {
            Look::Fused => 3.0,
            Look::Fusible => 1.5,
            Look::Unfusible => 1.0,
            Look::Before => 0.3,
        });
        if arrow.is_stub {
            self.chains.push(vec![arrow.to]);
            return;
        }
        let mut chain = vec![arrow.from];
        for row in self.leaves[arrow.from].row + 1..self.leaves[arrow.to].row {
            chain.push(self.leaves.len());
            self.leaves.push(Leaf {
                row,
                group: self.group_of_bend(hierarchy, arrow, row),
                width: 4.0,
            });
        }
        chain.push(arrow.to);
        for pair in chain.windows(2) {
            self.segments.push(Segment {
                upper: pair[0],
                lower: pair[1],
                arrow: number,
            });
        }
        self.chains.push(chain);
    }

    /// A bend is inside of the clusters that it starts in, until they end.
    fn group_of_bend(&self, hierarchy: &Hierarchy, arrow: &Arrow, row: usize) -> GroupId {
        let (.., common) = hierarchy.parting(arrow.from, arrow.to);
        let covers = |group: &GroupId| {
            let (first, last) = self.spans[*group];
            (first..=last).contains(&row)
        };
        [arrow.from, arrow.to]
            .into_iter()
            .find_map(|node| {
                let around = hierarchy.around(hierarchy.group_of[node]);
                around
                    .into_iter()
                    .take_while(|&group| group != common)
                    .find(covers)
            })
            .unwrap_or(common)
    }

    /// Whether a leaf is a node.
    pub fn is_node(&self, leaf: LeafId) -> bool {
        leaf < self.nodes
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.leaves
            .iter()
            .map(|leaf| leaf.row + 1)
            .max()
            .unwrap_or(0)
    }
}

fn spans(hierarchy: &Hierarchy, rows: &[usize]) -> Vec<(usize, usize)> {
    let mut spans = vec![(usize::MAX, 0); hierarchy.groups.len()];
    for (node, &row) in rows.iter().enumerate() {
        for group in hierarchy.around(hierarchy.group_of[node]) {
            let (first, last) = spans[group];
            spans[group] = (first.min(row), last.max(row));
        }
    }
    spans
}

/// The arrows at a node.
#[derive(Clone)]
pub(super) struct Ends {
    heads: usize,
    tails: usize,
    /// The distance between the ends of incoming arrows: their tags have to fit.
    pub distance_of_heads: f64,
}

impl Ends {
    /// By node.
    pub fn of(nodes: usize, arrows: &[Arrow]) -> Vec<Self> {
        let none = Self {
            heads: 0,
            tails: 0,
            distance_of_heads: PORT_DISTANCE,
        };
        let mut ends = vec![none; nodes];
        for arrow in arrows {
            ends[arrow.from].tails += usize::from(!arrow.is_stub);
            let head = &mut ends[arrow.to];
            head.heads += 1;
            head.distance_of_heads = head.distance_of_heads.max(tag_width(&arrow.tag) + 3.0);
        }
        ends
    }
}

/// The width of an arrow's tag, with its frame.
pub(super) fn tag_width(tag: &str) -> f64 {
    match tag {
        "" => 0.0,
        _ => (text::width(tag, TAG_SIZE) + 6.0).max(13.0),
    }
}

fn node_width(lines: &[String], ends: &Ends) -> f64 {
    let text = lines
        .iter()
        .enumerate()
        .map(|(position, line)| match position {
            0 => text::width(line, FONT_SIZE),
            _ => text::width(line, SMALL_FONT_SIZE),
        })
        .fold(0.0, f64::max);
    let heads = ends.heads as f64 * ends.distance_of_heads;
    let tails = ends.tails as f64 * PORT_DISTANCE.min(160.0 / ends.tails.max(1) as f64);
    (text + 2.0 * TEXT_MARGIN).max(heads + 6.0).max(tails + 6.0)
}
