//! Tall pictures in several columns.
//!
//! Phases: places between rows are found that no hull covers; the picture is cut at
//! some of them, with few arrows across, and the parts stand side by side. An arrow
//! across a cut goes on below its column, through the gap between the columns, and
//! from above into the next one, each on tracks of its own, so that it runs through
//! no box.
//!
//! Cost: linear in the picture for each number of columns that is tried.

use crate::{Hull, Layout, Rectangle};

/// Pictures that are higher than this many times their width are cut.
const MOST_RATIO: f64 = 3.0;

/// Pictures that are no higher are not.
const TALL: f64 = 1500.0;

/// More columns are not tried.
const MOST_COLUMNS: usize = 24;

/// Between the tracks of arrows.
const TRACK: f64 = 7.0;

/// Between tracks and what is beside them.
const CLEARANCE: f64 = 12.0;

/// Above a row, for the heads and tags of arrows that come from above.
const HEAD_ROOM: f64 = 30.0;

/// How far a cut may be from its ideal place to avoid an arrow, as part of the height
/// of a column.
const COST_OF_ARROW: f64 = 0.03;

/// The picture in columns, if it is too tall otherwise.
pub(super) fn in_columns(layout: Layout, top: f64, margin: f64) -> Layout {
    let ratio = |layout: &Layout| layout.height / layout.width;
    if layout.height <= TALL || ratio(&layout) <= MOST_RATIO {
        return layout;
    }
    let cuts = possible_cuts(&layout);
    let mut best = layout.clone();
    for columns in 2..=MOST_COLUMNS {
        let chosen = choose(&layout, &cuts, columns);
        let next = Columns::new(&layout, &chosen, top, margin).fold(&layout);
        if ratio(&next) < ratio(&best) {
            best = next;
        }
        if ratio(&best) <= MOST_RATIO {
            break;
        }
    }
    best
}

/// A place between two rows, with the number of arrows across.
struct Cut {
    y: f64,
    arrows: usize,
}

fn possible_cuts(layout: &Layout) -> Vec<Cut> {
    let mut tops: Vec<f64> = layout.nodes.iter().map(|place| place.top).collect();
    tops.sort_by(f64::total_cmp);
    tops.dedup();
    // By row: the lowest place above it, the highest one from it on.
    let mut bottoms = vec![0.0f64; tops.len() + 1];
    let mut highest = vec![f64::INFINITY; tops.len() + 1];
    let row = |y: f64| tops.partition_point(|&top| top < y);
    for place in &layout.nodes {
        let row = row(place.top);
        bottoms[row + 1] = bottoms[row + 1].max(place.bottom);
        highest[row] = highest[row].min(place.top);
    }
    for Hull { place, .. } in &layout.hulls {
        let (first, after) = (row(place.top), row(place.bottom));
        bottoms[after] = bottoms[after].max(place.bottom);
        highest[first] = highest[first].min(place.top);
    }
    for row in 1..bottoms.len() {
        bottoms[row] = bottoms[row].max(bottoms[row - 1]);
    }
    for row in (0..tops.len()).rev() {
        highest[row] = highest[row].min(highest[row + 1]);
    }
    let places = (1..tops.len()).map(|row| (bottoms[row], highest[row]));
    let places: Vec<f64> = places
        .filter(|(bottom, top)| bottom < top)
        .map(|(bottom, top)| (bottom + top) / 2.0)
        .collect();
    let covered = counts(
        &places,
        layout
            .hulls
            .iter()
            .map(|hull| (hull.place.top, hull.place.bottom)),
    );
    let ends = layout
        .paths
        .iter()
        .filter_map(|path| Some((path.first()?.1, path.last()?.1)));
    let arrows = counts(&places, ends);
    let cuts = places.iter().zip(covered).zip(arrows);
    cuts.filter(|((_, covered), _)| *covered == 0)
        .map(|((&y, _), arrows)| Cut { y, arrows })
        .collect()
}

/// By place: how many of some spans it is in.
fn counts(places: &[f64], spans: impl Iterator<Item = (f64, f64)>) -> Vec<usize> {
    let mut begin = vec![0; places.len() + 1];
    let mut end = vec![0; places.len() + 1];
    for (top, bottom) in spans {
        let first = places.partition_point(|&y| y <= top);
        let after = places.partition_point(|&y| y < bottom);
        if first < after {
            begin[first] += 1;
            end[after] += 1;
        }
    }
    let mut open = 0;
    (0..places.len())
        .map(|place| {
            open = open + begin[place] - end[place];
            open
        })
        .collect()
}

fn crosses(path: &[(f64, f64)], y: f64) -> bool {
    path.windows(2).any(|ends| ends[0].1 < y && y < ends[1].1)
}

/// The cuts for some columns, from above.
fn choose(layout: &Layout, cuts: &[Cut], columns: usize) -> Vec<f64> {
    let height = layout.height / columns as f64;
    let mut chosen: Vec<f64> = (1..columns)
        .filter_map(|column| {
            let ideal = column as f64 * height;
            let badness =
                |cut: &Cut| (cut.y - ideal).abs() + COST_OF_ARROW * height * cut.arrows as f64;
            let best = cuts
                .iter()
                .min_by(|one, other| badness(one).total_cmp(&badness(other)));
            best.map(|cut| cut.y)
        })
        .collect();
    chosen.dedup();
    chosen
}

/// Where the columns are.
struct Columns {
    cuts: Vec<f64>,
    /// By column: how far its contents move.
    moves: Vec<(f64, f64)>,
    /// By cut: the arrows across.
    across: Vec<Vec<usize>>,
    /// By column: the lowest and the rightmost place of its boxes and hulls.
    ends: Vec<(f64, f64)>,
    /// Where rows may begin.
    top: f64,
    margin: f64,
}

impl Columns {
    fn new(layout: &Layout, cuts: &[f64], top: f64, margin: f64) -> Self {
        let across: Vec<Vec<usize>> = cuts
            .iter()
            .map(|&y| {
                let arrows = 0..layout.paths.len();
                arrows
                    .filter(|&arrow| crosses(&layout.paths[arrow], y))
                    .collect()
            })
            .collect();
        let mut columns = Self {
            cuts: cuts.to_vec(),
            moves: vec![],
            across,
            ends: vec![],
            top,
            margin,
        };
        let mut left = margin;
        for column in 0..=cuts.len() {
            let bounds = columns.bounds(layout, column);
            let room = match column {
                0 => 0.0,
                _ => columns.width_of_tracks(column - 1) + HEAD_ROOM,
            };
            let shift = (left - bounds.left, top + room - bounds.top);
            columns.moves.push(shift);
            columns
                .ends
                .push((bounds.bottom + shift.1, bounds.right + shift.0));
            let gap = match column < cuts.len() {
                true => columns.width_of_tracks(column) + CLEARANCE,
                false => 0.0,
            };
            left = bounds.right + shift.0 + gap;
        }
        columns
    }

    /// How much the tracks of the arrows across a cut take, with their clearance.
    fn width_of_tracks(&self, cut: usize) -> f64 {
        self.across[cut].len() as f64 * TRACK + CLEARANCE
    }

    fn column(&self, y: f64) -> usize {
        self.cuts.partition_point(|&cut| cut < y)
    }

    /// What is in a column, before it moves.
    fn bounds(&self, layout: &Layout, column: usize) -> Rectangle {
        let nothing = Rectangle {
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
        };
        let places = layout
            .nodes
            .iter()
            .chain(layout.hulls.iter().map(|hull| &hull.place))
            .copied();
        let points = layout.paths.iter().flatten().map(|&(x, y)| Rectangle {
            left: x,
            top: y,
            right: x,
            bottom: y,
        });
        let here = places
            .chain(points)
            .filter(|place| self.column(place.top) == column);
        here.fold(nothing, |all, place| Rectangle {
            left: all.left.min(place.left),
            top: all.top.min(place.top),
            right: all.right.max(place.right),
            bottom: all.bottom.max(place.bottom),
        })
    }

    fn moved(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (right, down) = self.moves[self.column(y)];
        (x + right, y + down)
    }

    fn moved_place(&self, place: &Rectangle) -> Rectangle {
        let (left, top) = self.moved((place.left, place.top));
        Rectangle {
            left,
            top,
            right: left + place.right - place.left,
            bottom: top + place.bottom - place.top,
        }
    }

    fn moved_path(&self, arrow: usize, path: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut points = vec![];
        for (position, &point) in path.iter().enumerate() {
            if position > 0 {
                let first = self.column(path[position - 1].1);
                for cut in first..self.column(point.1) {
                    self.detour(cut, arrow, &mut points, self.moved(point).0);
                }
            }
            points.push(self.moved(point));
        }
        points
    }

    /// Below a column, to the right of it, and above the next one, to a place there.
    fn detour(&self, cut: usize, arrow: usize, points: &mut Vec<(f64, f64)>, x: f64) {
        let Some(track) = self.across[cut].iter().position(|&other| other == arrow) else {
            return;
        };
        let Some(&(start, _)) = points.last() else {
            return;
        };
        let track = track as f64 * TRACK + CLEARANCE;
        let (bottom, right) = self.ends[cut];
        let (below, beside) = (bottom + track, right + track);
        let above = self.top + track - CLEARANCE;
        points.extend([(start, below), (beside, below), (beside, above), (x, above)]);
    }

    fn fold(&self, layout: &Layout) -> Layout {
        let hulls = layout.hulls.iter().map(|hull| Hull {
            place: self.moved_place(&hull.place),
            ..hull.clone()
        });
        let tracks = |column: usize| match column < self.cuts.len() {
            true => self.width_of_tracks(column),
            false => 0.0,
        };
        let bottoms = self.ends.iter().enumerate();
        let bottom = bottoms
            .map(|(column, end)| end.0 + tracks(column))
            .fold(0.0, f64::max);
        let right = self.ends.last().map_or(0.0, |end| end.1);
        let paths = layout.paths.iter().enumerate();
        Layout {
            nodes: layout
                .nodes
                .iter()
                .map(|place| self.moved_place(place))
                .collect(),
            hulls: hulls.collect(),
            arrows: layout.arrows.clone(),
            paths: paths
                .map(|(arrow, path)| self.moved_path(arrow, path))
                .collect(),
            width: right + self.margin,
            height: bottom + self.margin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use comb_fusion::graph::Graph;

    /// Whether an upright or level line runs through a box.
    fn runs_through(ends: &[(f64, f64)], place: &Rectangle) -> bool {
        let line = Rectangle {
            left: ends[0].0.min(ends[1].0) - 0.5,
            top: ends[0].1.min(ends[1].1) - 0.5,
            right: ends[0].0.max(ends[1].0) + 0.5,
            bottom: ends[0].1.max(ends[1].1) + 0.5,
        };
        let inside = Rectangle {
            left: place.left + 1.0,
            top: place.top + 1.0,
            right: place.right - 1.0,
            bottom: place.bottom - 1.0,
        };
        line.overlaps(&inside)
    }

    #[test]
    fn arrows_between_columns_run_through_no_box() {
        let graph = Graph::from_json(include_str!("../../fusion/graphs/MG99.json")).unwrap();
        let layout = layout(&graph, None);
        let mut level = 0;
        for path in &layout.paths {
            for ends in path.windows(2) {
                level += usize::from(ends[0].1 == ends[1].1);
                if ends[0].0 == ends[1].0 || ends[0].1 == ends[1].1 {
                    let mut boxes = layout.nodes.iter();
                    assert!(!boxes.any(|place| runs_through(ends, place)), "{ends:?}");
                }
                for &(x, y) in ends {
                    assert!((0.0..=layout.width).contains(&x));
                    assert!((0.0..=layout.height).contains(&y));
                }
            }
        }
        assert!(level > 0);
    }
}
