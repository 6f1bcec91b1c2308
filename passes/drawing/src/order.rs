//! The order of the leaves in every row, with few crossings.
//!
//! The children of every group have one order for all rows, so that groups stay
//! in one piece and hulls cannot lock each other. Phases: sweeps over the rows,
//! down and up, move leaves to the mean of their neighbours' places and sort, after
//! every row or, in large pictures, after several; the best order seen is kept; then
//! children are exchanged with their next neighbour while that removes crossings.

use crate::{
    chains::{Chains, LeafId},
    hierarchy::{GroupId, Hierarchy, ROOT},
};

/// Between things of a row.
pub(super) const GAP: f64 = 16.0;

/// Between bends.
const BEND_GAP: f64 = 9.0;

/// Between a hull and what is in it.
pub(super) const HULL_MARGIN: f64 = 11.0;

/// The most sweeps.
const SWEEPS: usize = 24;

/// Large pictures are sorted less often in a sweep, so that leaves times sorts times
/// sweeps is not much more than this.
const MOST_WORK: usize = 5_000_000;

/// Pictures with more segments are not improved by exchanging.
const MOST_SEGMENTS_EXCHANGED: usize = 1500;

const EXCHANGE_ROUNDS: usize = 12;

/// A leaf or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Leaf(LeafId),
    Group(GroupId),
}

/// By group: its children, from left to right.
#[derive(Clone)]
pub(super) struct TreeOrder {
    pub children: Vec<Vec<Item>>,
}

/// A least distance between the reference points of two things: the middle of a
/// leaf, a side of a group.
pub(super) struct Separation {
    pub left: Side,
    pub right: Side,
    pub distance: f64,
}

/// What a separation is between.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Middle(LeafId),
    Left(GroupId),
    Right(GroupId),
}

impl TreeOrder {
    fn new(hierarchy: &Hierarchy, chains: &Chains) -> Self {
        let mut children = vec![vec![]; hierarchy.groups.len()];
        for (group, inside) in hierarchy.groups.iter().enumerate().skip(1) {
            children[inside.parent].push(Item::Group(group));
        }
        for (leaf, place) in chains.leaves.iter().enumerate() {
            children[place.group].push(Item::Leaf(leaf));
        }
        Self { children }
    }

    /// All leaves, from left to right.
    pub fn sequence(&self) -> Vec<LeafId> {
        let mut result = vec![];
        self.append(ROOT, &mut result);
        result
    }

    fn append(&self, group: GroupId, result: &mut Vec<LeafId>) {
        for &child in &self.children[group] {
            match child {
                Item::Leaf(leaf) => result.push(leaf),
                Item::Group(group) => self.append(group, result),
            }
        }
    }

    /// What keeps things apart, each after those with the same right side's left
    /// neighbours.
    pub fn separations(&self, chains: &Chains) -> Vec<Separation> {
        let mut result = vec![];
        self.separate(chains, ROOT, &mut result);
        result
    }

    fn separate(&self, chains: &Chains, group: GroupId, result: &mut Vec<Separation>) {
        let (group_start, group_end) = chains.spans[group];
        let rows = group_end.saturating_sub(group_start) + 1;
        let mut last: Vec<Option<Item>> = vec![None; rows];
        for &child in &self.children[group] {
            let mut before: Vec<Item> = vec![];
            let (first_row, last_row) = span(chains, child);
            for slot in &mut last[first_row - group_start..=last_row - group_start] {
                if let Some(left) = slot.replace(child)
                    && !before.contains(&left)
                {
                    before.push(left);
                }
            }
            let (left_side, left_half) = left_side(chains, child);
            for left in before {
                let (side, half) = right_side(chains, left);
                result.push(Separation {
                    left: side,
                    right: left_side,
                    distance: half + gap(chains, left, child) + left_half,
                });
            }
            result.push(Separation {
                left: Side::Left(group),
                right: left_side,
                distance: HULL_MARGIN + left_half,
            });
            if let Item::Group(inner) = child {
                self.separate(chains, inner, result);
            }
            let (right_side, right_half) = right_side(chains, child);
            result.push(Separation {
                left: right_side,
                right: Side::Right(group),
                distance: HULL_MARGIN + right_half,
            });
        }
    }

    /// Sorts the children of every group; a group is where its leaves are on
    /// average.
    fn sort(&mut self, places: &[f64]) {
        let mut sums = vec![(0.0, 0.0); self.children.len()];
        for group in (0..self.children.len()).rev() {
            let key = |item: &Item, sums: &[(f64, f64)]| match *item {
                Item::Leaf(leaf) => (places[leaf], 1.0),
                Item::Group(group) => sums[group],
            };
            let mut keyed: Vec<(f64, Item)> = vec![];
            for child in &self.children[group] {
                let (sum, count) = key(child, &sums);
                keyed.push((sum / f64::max(count, 1.0), *child));
                sums[group].0 += sum;
                sums[group].1 += count;
            }
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            self.children[group] = keyed.into_iter().map(|(_, child)| child).collect();
        }
    }
}

fn span(chains: &Chains, item: Item) -> (usize, usize) {
    match item {
        Item::Leaf(leaf) => (chains.leaves[leaf].row, chains.leaves[leaf].row),
        Item::Group(group) => chains.spans[group],
    }
}

fn left_side(chains: &Chains, item: Item) -> (Side, f64) {
    match item {
        Item::Leaf(leaf) => (Side::Middle(leaf), chains.leaves[leaf].width / 2.0),
        Item::Group(group) => (Side::Left(group), 0.0),
    }
}

fn right_side(chains: &Chains, item: Item) -> (Side, f64) {
    match item {
        Item::Leaf(leaf) => (Side::Middle(leaf), chains.leaves[leaf].width / 2.0),
        Item::Group(group) => (Side::Right(group), 0.0),
    }
}

fn gap(chains: &Chains, left: Item, right: Item) -> f64 {
    let is_bend = |item| matches!(item, Item::Leaf(leaf) if !chains.is_node(leaf));
    match (is_bend(left), is_bend(right)) {
        (true, true) => BEND_GAP,
        _ => GAP,
    }
}

/// The best order found.
pub(super) fn order(hierarchy: &Hierarchy, chains: &Chains) -> TreeOrder {
    let neighbours = Neighbours::new(chains);
    let mut order = TreeOrder::new(hierarchy, chains);
    let start: Vec<f64> = vec![0.0; chains.leaves.len()];
    let mut places = separated(&order, chains, &start);
    let mut best = (crossings(&order, chains), order.clone());
    let sorts = MOST_WORK / (SWEEPS * chains.leaves.len()).max(1);
    let rows_at_once = chains.rows().div_ceil(sorts.max(1)).max(1);
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for step in 0..chains.rows() {
            let row = if down { step } else { chains.rows() - 1 - step };
            neighbours.pull(row, down, &mut places);
            if (step + 1) % rows_at_once == 0 || step + 1 == chains.rows() {
                order.sort(&places);
                places = separated(&order, chains, &places);
            }
        }
        let found = crossings(&order, chains);
        if found < best.0 {
            best = (found, order.clone());
        }
    }
    if chains.segments.len() <= MOST_SEGMENTS_EXCHANGED {
        exchange(&mut best, chains);
    }
    best.1
}

/// By row and leaf: the leaves above and below.
struct Neighbours {
    rows: Vec<Vec<LeafId>>,
    above: Vec<Vec<LeafId>>,
    below: Vec<Vec<LeafId>>,
}

impl Neighbours {
    fn new(chains: &Chains) -> Self {
        let leaves = chains.leaves.len();
        let mut result = Self {
            rows: vec![vec![]; chains.rows()],
            above: vec![vec![]; leaves],
            below: vec![vec![]; leaves],
        };
        for (leaf, place) in chains.leaves.iter().enumerate() {
            result.rows[place.row].push(leaf);
        }
        for segment in &chains.segments {
            result.above[segment.lower].push(segment.upper);
            result.below[segment.upper].push(segment.lower);
        }
        result
    }

    /// Moves the leaves of a row to the mean of those that they hang on.
    fn pull(&self, row: usize, down: bool, places: &mut [f64]) {
        for &leaf in &self.rows[row] {
            let neighbours = match down {
                true => &self.above[leaf],
                false => &self.below[leaf],
            };
            if !neighbours.is_empty() {
                let sum: f64 = neighbours.iter().map(|&neighbour| places[neighbour]).sum();
                places[leaf] = sum / neighbours.len() as f64;
            }
        }
    }
}

/// Places close to the wanted ones that keep an order's distances: the mean of
/// moving to the right only and moving to the left only, which keep them both.
fn separated(order: &TreeOrder, chains: &Chains, wanted: &[f64]) -> Vec<f64> {
    let separations = order.separations(chains);
    let leaves = chains.leaves.len();
    let groups = chains.spans.len();
    let index = |side: Side| match side {
        Side::Middle(leaf) => leaf,
        Side::Left(group) => leaves + group,
        Side::Right(group) => leaves + groups + group,
    };
    let mut right = wanted.to_vec();
    right.resize(leaves + 2 * groups, f64::NEG_INFINITY);
    for separation in &separations {
        let least = right[index(separation.left)] + separation.distance;
        let value = &mut right[index(separation.right)];
        *value = value.max(least);
    }
    let mut left = wanted.to_vec();
    left.resize(leaves + 2 * groups, f64::INFINITY);
    for separation in separations.iter().rev() {
        let most = left[index(separation.right)] - separation.distance;
        let value = &mut left[index(separation.left)];
        *value = value.min(most);
    }
    (0..leaves)
        .map(|leaf| (right[leaf] + left[leaf]) / 2.0)
        .collect()
}

/// Rounds of [`balanced`].
const BALANCE_ROUNDS: usize = 8;

/// Places for an order that are good, but not the best.
pub(super) fn balanced(order: &TreeOrder, chains: &Chains) -> Vec<f64> {
    let neighbours = Neighbours::new(chains);
    let mut places = separated(order, chains, &vec![0.0; chains.leaves.len()]);
    for round in 0..BALANCE_ROUNDS {
        let down = round % 2 == 0;
        for step in 0..chains.rows() {
            let row = if down { step } else { chains.rows() - 1 - step };
            neighbours.pull(row, down, &mut places);
        }
        places = separated(order, chains, &places);
    }
    places
}

/// How often segments cross.
fn crossings(order: &TreeOrder, chains: &Chains) -> usize {
    let mut position = vec![0; chains.leaves.len()];
    for (place, leaf) in order.sequence().into_iter().enumerate() {
        position[leaf] = place;
    }
    let mut by_row: Vec<Vec<(usize, usize)>> = vec![vec![]; chains.rows()];
    for segment in &chains.segments {
        let row = chains.leaves[segment.upper].row;
        by_row[row].push((position[segment.upper], position[segment.lower]));
    }
    by_row.iter_mut().map(|row| inversions(row)).sum()
}

fn inversions(segments: &mut [(usize, usize)]) -> usize {
    segments.sort_unstable();
    let mut seen: Vec<usize> = Vec::with_capacity(segments.len());
    let mut count = 0;
    for &(_, lower) in segments.iter() {
        let place = seen.partition_point(|&other| other <= lower);
        count += seen.len() - place;
        seen.insert(place, lower);
    }
    count
}

/// Exchanges neighbours while that removes crossings.
fn exchange(best: &mut (usize, TreeOrder), chains: &Chains) {
    for _ in 0..EXCHANGE_ROUNDS {
        let before = best.0;
        for group in 0..best.1.children.len() {
            for position in 0..best.1.children[group].len() {
                if best.0 == 0 {
                    return;
                }
                exchange_at(best, chains, group, position);
            }
        }
        if best.0 == before {
            return;
        }
    }
}

/// Moves a child behind the next one that it shares a row with.
fn exchange_at(best: &mut (usize, TreeOrder), chains: &Chains, group: GroupId, position: usize) {
    let children = &best.1.children[group];
    let (first, last) = span(chains, children[position]);
    let next = children[position + 1..].iter().position(|&other| {
        let (other_first, other_last) = span(chains, other);
        other_first <= last && first <= other_last
    });
    let Some(next) = next else {
        return;
    };
    best.1.children[group][position..=position + 1 + next].rotate_left(1);
    let found = crossings(&best.1, chains);
    if found < best.0 {
        best.0 = found;
    } else {
        best.1.children[group][position..=position + 1 + next].rotate_right(1);
    }
}
