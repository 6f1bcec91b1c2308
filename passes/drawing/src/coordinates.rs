//! The places of everything: y by rows, x by a linear program that keeps the
//! order's distances and makes arrows straight and hulls narrow.

use comb_fusion::graph::NodeId;

use crate::{
    Hull, Layout, Rectangle,
    arrows::Arrow,
    captions::Captions,
    chains::{Chains, Ends, LeafId, PORT_DISTANCE},
    columns::in_columns,
    differences::Differences,
    hierarchy::{GroupId, Hierarchy, ROOT},
    order::{HULL_MARGIN, Side, TreeOrder, balanced},
};

/// The height of a box with one line of text.
const LINE_HEIGHT: f64 = 26.0;

/// What every further line adds.
const FURTHER_LINE_HEIGHT: f64 = 15.0;

/// Between the boxes of neighbouring rows.
const ROW_GAP: f64 = 38.0;

/// Above what is in a hull, for the number of its loop.
const NUMBER_HEIGHT: f64 = 19.0;

/// Between the upper side of a box and what is above it in its hull, if tags are there.
const TAG_ROOM: f64 = 25.0;

/// How far above a box the arrows begin of which only the head is drawn.
const STUB_LENGTH: f64 = 10.0;

/// What is added to that for an arrow, as part of how far it goes sideways.
const SLOPE: f64 = 0.07;

/// The most that is added.
const MOST_SLOPE_GAP: f64 = 44.0;

/// Around the picture.
const MARGIN: f64 = 16.0;

/// Above it, for the title.
const TITLE_HEIGHT: f64 = 26.0;

/// Places everything.
pub(super) fn place(
    captions: &Captions,
    hierarchy: Hierarchy,
    arrows: Vec<Arrow>,
    chains: &Chains,
    order: &TreeOrder,
) -> Layout {
    let ports = Ports::new(&arrows, chains, order);
    let middles = from_the_margin(&hierarchy, chains, horizontal(chains, order, &ports));
    let rows = Rows::new(captions, &hierarchy, &arrows, chains, &middles);
    let nodes = boxes(chains, &middles, &rows);
    let hulls = hulls(&hierarchy, chains, &middles, &rows, &nodes);
    let paths: Vec<_> = (0..arrows.len())
        .map(|arrow| path(chains, &ports, arrow, &middles, &rows))
        .collect();
    let places = nodes.iter().chain(hulls.iter().map(|hull| &hull.place));
    let bottom = places
        .clone()
        .fold(TITLE_HEIGHT, |most, place| most.max(place.bottom));
    let points = paths.iter().flatten();
    let right = places
        .map(|place| place.right)
        .chain(points.map(|point| point.0))
        .fold(0.0, f64::max);
    let layout = Layout {
        width: right + MARGIN,
        height: bottom + MARGIN,
        nodes,
        hulls,
        arrows,
        paths,
    };
    in_columns(layout, MARGIN + TITLE_HEIGHT, MARGIN)
}

/// Moves everything so that the leftmost hull or box is at the margin, and to
/// whole places.
fn from_the_margin(hierarchy: &Hierarchy, chains: &Chains, middles: Vec<f64>) -> Vec<f64> {
    let leftmost = chains
        .leaves
        .iter()
        .zip(&middles)
        .map(|(leaf, middle)| {
            let hulls = hierarchy.around(leaf.group).len() - 1;
            middle - leaf.width / 2.0 - hulls as f64 * HULL_MARGIN
        })
        .fold(f64::INFINITY, f64::min);
    middles
        .iter()
        .map(|middle| (middle - leftmost + MARGIN).round())
        .collect()
}

/// By node: its box.
fn boxes(chains: &Chains, middles: &[f64], rows: &Rows) -> Vec<Rectangle> {
    (0..chains.nodes)
        .map(|node| {
            let half = (chains.leaves[node].width / 2.0).floor();
            let row = chains.leaves[node].row;
            Rectangle {
                left: middles[node] - half,
                top: rows.tops[row],
                right: middles[node] + half,
                bottom: rows.bottom(row),
            }
        })
        .collect()
}

/// By arrow: how far from the middle of its nodes it starts and ends.
struct Ports {
    tails: Vec<f64>,
    heads: Vec<f64>,
}

impl Ports {
    fn new(arrows: &[Arrow], chains: &Chains, order: &TreeOrder) -> Self {
        let mut position = vec![0; chains.leaves.len()];
        for (place, leaf) in order.sequence().into_iter().enumerate() {
            position[leaf] = place;
        }
        let mut ports = Self {
            tails: vec![0.0; arrows.len()],
            heads: vec![0.0; arrows.len()],
        };
        let nodes = chains.nodes;
        let mut tails_of = by_node(nodes, arrows, |arrow| arrow.from);
        let mut heads_of = by_node(nodes, arrows, |arrow| arrow.to);
        for (node, ends) in Ends::of(nodes, arrows).iter().enumerate() {
            let next = |arrow: usize| chains.chains[arrow][1];
            let previous = |arrow: usize| {
                let chain = &chains.chains[arrow];
                chain[chain.len().saturating_sub(2)]
            };
            let tails = &mut tails_of[node];
            tails.retain(|&arrow| !arrows[arrow].is_stub);
            tails.sort_by_key(|&arrow| position[next(arrow)]);
            let distance = PORT_DISTANCE.min(160.0 / tails.len().max(1) as f64);
            spread(&mut ports.tails, tails, distance);
            let heads = &mut heads_of[node];
            heads.sort_by_key(|&arrow| position[previous(arrow)]);
            spread(&mut ports.heads, heads, ends.distance_of_heads);
        }
        ports
    }
}

/// The arrows of each node, by the one of their ends.
fn by_node(nodes: usize, arrows: &[Arrow], end: impl Fn(&Arrow) -> usize) -> Vec<Vec<usize>> {
    let mut result = vec![vec![]; nodes];
    for (number, arrow) in arrows.iter().enumerate() {
        result[end(arrow)].push(number);
    }
    result
}

fn spread(offsets: &mut [f64], arrows: &[usize], distance: f64) {
    let middle = (arrows.len().max(1) - 1) as f64 / 2.0;
    for (position, &arrow) in arrows.iter().enumerate() {
        offsets[arrow] = (position as f64 - middle) * distance;
    }
}

/// Pictures with more leaves are placed without a linear program, which takes more
/// than linear time.
const MOST_LEAVES_SOLVED: usize = 3000;

/// By leaf: its middle.
fn horizontal(chains: &Chains, order: &TreeOrder, ports: &Ports) -> Vec<f64> {
    let leaves = chains.leaves.len();
    if leaves > MOST_LEAVES_SOLVED {
        return balanced(order, chains);
    }
    let groups = chains.spans.len();
    let variable = |side: Side| match side {
        Side::Middle(leaf) => leaf,
        Side::Left(group) => leaves + group,
        Side::Right(group) => leaves + groups + group,
    };
    let mut program = Differences::new(leaves + 2 * groups);
    for separation in order.separations(chains) {
        let (left, right) = (variable(separation.left), variable(separation.right));
        program.bound(left, right, separation.distance);
    }
    for group in 0..groups {
        let weight = if group == ROOT { 0.05 } else { 0.5 };
        let (left, right) = (variable(Side::Left(group)), variable(Side::Right(group)));
        program.bound(left, right, 0.0);
        program.pay_length(left, right, weight);
    }
    for segment in &chains.segments {
        let bends = [segment.upper, segment.lower].map(|leaf| !chains.is_node(leaf));
        let straightness = match bends {
            [true, true] => 8.0,
            [false, false] => 1.0,
            _ => 2.0,
        };
        let tail = if bends[0] {
            0.0
        } else {
            ports.tails[segment.arrow]
        };
        let head = if bends[1] {
            0.0
        } else {
            ports.heads[segment.arrow]
        };
        let weight = straightness * chains.weights[segment.arrow];
        program.pay_distance(segment.upper, segment.lower, tail - head, weight);
    }
    program.solve().map_or_else(
        || balanced(order, chains),
        |places| places[..leaves].to_vec(),
    )
}

/// The rows, from above.
struct Rows {
    /// The upper sides of their boxes.
    tops: Vec<f64>,
    heights: Vec<f64>,
    /// Between the boxes and what is above them in their hull.
    rooms: Vec<f64>,
}

impl Rows {
    fn new(
        captions: &Captions,
        hierarchy: &Hierarchy,
        arrows: &[Arrow],
        chains: &Chains,
        middles: &[f64],
    ) -> Self {
        let count = chains.rows();
        let mut lines = vec![1usize; count];
        let mut rooms = vec![HULL_MARGIN; count];
        for (node, leaf) in chains.leaves[..chains.nodes].iter().enumerate() {
            lines[leaf.row] = lines[leaf.row].max(captions.of(node).len());
        }
        for arrow in arrows.iter().filter(|arrow| !arrow.tag.is_empty()) {
            rooms[chains.leaves[arrow.to].row] = TAG_ROOM;
        }
        let heights: Vec<f64> = lines
            .iter()
            .map(|&lines| LINE_HEIGHT + (lines - 1) as f64 * FURTHER_LINE_HEIGHT)
            .collect();
        Self {
            tops: tops(hierarchy, chains, middles, &heights, &rooms),
            heights,
            rooms,
        }
    }

    /// The lower side of a row's boxes.
    fn bottom(&self, row: usize) -> f64 {
        self.tops[row] + self.heights[row]
    }
}

/// By row: the upper side of its boxes.
fn tops(
    hierarchy: &Hierarchy,
    chains: &Chains,
    middles: &[f64],
    heights: &[f64],
    rooms: &[f64],
) -> Vec<f64> {
    let rows = chains.rows();
    let mut starting = vec![0usize; rows];
    let mut ending = vec![0usize; rows];
    for group in 1..hierarchy.groups.len() {
        let (first, last) = chains.spans[group];
        let around = hierarchy.around(group);
        let count = |same: &dyn Fn(GroupId) -> bool| {
            let proper = around.iter().filter(|&&outer| outer != ROOT);
            proper.filter(|&&outer| same(outer)).count()
        };
        starting[first] = starting[first].max(count(&|outer| chains.spans[outer].0 == first));
        ending[last] = ending[last].max(count(&|outer| chains.spans[outer].1 == last));
    }
    let mut steepest = vec![0.0f64; rows];
    for segment in &chains.segments {
        let row = chains.leaves[segment.upper].row;
        let sideways = (middles[segment.upper] - middles[segment.lower]).abs();
        steepest[row] = steepest[row].max((SLOPE * sideways).min(MOST_SLOPE_GAP));
    }
    let mut tops = Vec::with_capacity(rows);
    let mut y = MARGIN + TITLE_HEIGHT;
    for row in 0..rows {
        y += match starting[row] {
            // The first row is right below the title.
            0 if row > 0 || rooms[row] == HULL_MARGIN => 0.0,
            hulls => hulls as f64 * NUMBER_HEIGHT + rooms[row],
        };
        tops.push(y.round());
        y += heights[row] + ending[row] as f64 * HULL_MARGIN + ROW_GAP + steepest[row];
    }
    tops
}

fn hulls(
    hierarchy: &Hierarchy,
    chains: &Chains,
    middles: &[f64],
    rows: &Rows,
    nodes: &[Rectangle],
) -> Vec<Hull> {
    let mut places: Vec<Option<Rectangle>> = vec![None; hierarchy.groups.len()];
    for (leaf, place) in chains.leaves.iter().enumerate() {
        let here = match nodes.get(leaf) {
            Some(&node) => Rectangle {
                top: node.top - rows.rooms[place.row],
                ..node
            },
            // A bend keeps its distance to the sides, but its row need not be
            // as high as a node's.
            None => match places[place.group] {
                Some(hull) => Rectangle {
                    left: middles[leaf],
                    right: middles[leaf],
                    ..hull
                },
                None => continue,
            },
        };
        places[place.group] = Some(joined(places[place.group], here));
    }
    for group in (1..hierarchy.groups.len()).rev() {
        let Some(inner) = places[group] else { continue };
        let hull = Rectangle {
            left: inner.left - HULL_MARGIN,
            top: inner.top - NUMBER_HEIGHT,
            right: inner.right + HULL_MARGIN,
            bottom: inner.bottom + HULL_MARGIN,
        };
        places[group] = Some(hull);
        let parent = hierarchy.groups[group].parent;
        places[parent] = Some(joined(places[parent], hull));
    }
    let mut members = members(hierarchy);
    (1..hierarchy.groups.len())
        .filter_map(|group| {
            Some(Hull {
                level: hierarchy.groups[group].level,
                number: hierarchy.groups[group].number.clone(),
                nodes: std::mem::take(&mut members[group]),
                place: places[group]?,
                hue: hierarchy.groups[group].hue,
            })
        })
        .collect()
}

/// By group: the nodes in it.
fn members(hierarchy: &Hierarchy) -> Vec<Vec<NodeId>> {
    let mut members = vec![vec![]; hierarchy.groups.len()];
    for (node, &innermost) in hierarchy.group_of.iter().enumerate() {
        for group in hierarchy.around(innermost) {
            members[group].push(node);
        }
    }
    members
}

fn joined(one: Option<Rectangle>, other: Rectangle) -> Rectangle {
    match one {
        None => other,
        Some(one) => Rectangle {
            left: one.left.min(other.left),
            top: one.top.min(other.top),
            right: one.right.max(other.right),
            bottom: one.bottom.max(other.bottom),
        },
    }
}

/// From the lower side of a box, upright through the rows between, to the upper
/// side of another.
fn path(
    chains: &Chains,
    ports: &Ports,
    arrow: usize,
    middles: &[f64],
    rows: &Rows,
) -> Vec<(f64, f64)> {
    let row = |leaf: LeafId| chains.leaves[leaf].row;
    let chain = &chains.chains[arrow];
    let (from, to) = (chain[0], chain[chain.len() - 1]);
    let end = (middles[to] + ports.heads[arrow], rows.tops[row(to)]);
    if chain.len() == 1 {
        return vec![(end.0, end.1 - STUB_LENGTH), end];
    }
    let mut points = vec![(middles[from] + ports.tails[arrow], rows.bottom(row(from)))];
    for &bend in &chain[1..chain.len() - 1] {
        points.push((middles[bend], rows.tops[row(bend)]));
        points.push((middles[bend], rows.bottom(row(bend))));
    }
    points.push(end);
    points
}
