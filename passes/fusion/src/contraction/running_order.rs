//! The clusters of one level, and an order in which they can be run.
//!
//! When two clusters are joined, so is everything on a path between them, and
//! the order is repaired locally (Pearce and Kelly, *A dynamic topological sort
//! algorithm for directed acyclic graphs*, 2006): only clusters between the two
//! are looked at, and only those that depend on the first or that the second
//! depends on.
//!
//! Cost: linear in the size of these clusters.

use super::classes::Classes;
use crate::graph::{Graph, NodeId};

/// What each node has to come before and after, without inputs.
#[derive(Clone, Debug)]
pub(super) struct Dependences {
    pub(super) successors: Vec<Vec<NodeId>>,
    pub(super) predecessors: Vec<Vec<NodeId>>,
}

impl Dependences {
    /// The uses of a graph, and the pairs of which one has to be earlier.
    pub(super) fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        let mut successors = vec![vec![]; nodes];
        let mut predecessors = vec![vec![]; nodes];
        let uses = graph.uses.iter();
        for (from, to) in uses
            .map(|array_use| (array_use.from, array_use.to))
            .chain(graph.before.iter().copied())
        {
            if !graph.is_input(from) {
                successors[from].push(to);
                predecessors[to].push(from);
            }
        }
        for list in successors.iter_mut().chain(&mut predecessors) {
            list.sort_unstable();
            list.dedup();
        }
        Self {
            successors,
            predecessors,
        }
    }
}

/// The clusters of a level.
#[derive(Clone, Debug)]
pub(super) struct RunningOrder {
    pub(super) clusters: Classes,
    /// By root of a cluster; no two are the same.
    position: Vec<usize>,
    /// By root: the last search that found it, forwards and backwards.
    found: [Vec<usize>; 2],
    searches: usize,
}

/// What has to change for two clusters to be one.
pub(super) struct Joining {
    /// The roots of other clusters that have to be joined, too.
    pub(super) between: Vec<usize>,
    /// Where other clusters have to go.
    pub(super) moves: Vec<(usize, usize)>,
    /// Where the one cluster goes.
    pub(super) position: usize,
}

const FORWARDS: usize = 0;
const BACKWARDS: usize = 1;

impl RunningOrder {
    /// Every node alone; they are numbered in an order in which they can be run.
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            clusters: Classes::new(nodes),
            position: (0..nodes).collect(),
            found: [vec![0; nodes], vec![0; nodes]],
            searches: 0,
        }
    }

    /// By root of a cluster: where it is.
    #[cfg(test)]
    pub(super) fn positions(&self) -> &[usize] {
        &self.position
    }

    /// Moves a cluster, given by its root, and gives where it was.
    pub(super) fn put(&mut self, cluster: usize, position: usize) -> usize {
        std::mem::replace(&mut self.position[cluster], position)
    }

    /// Finds what joining two clusters, given by their roots, joins and moves.
    pub(super) fn joining(
        &mut self,
        dependences: &Dependences,
        one: usize,
        other: usize,
    ) -> Joining {
        let (first, last) = if self.position[one] < self.position[other] {
            (one, other)
        } else {
            (other, one)
        };
        self.searches += 1;
        let mut after = self.search(&dependences.successors, FORWARDS, first, last);
        if after.is_empty() {
            return Joining {
                between: vec![],
                moves: vec![],
                position: self.position[last],
            };
        }
        let mut before = self.search(&dependences.predecessors, BACKWARDS, last, first);
        let search = self.searches;
        let is_after = |root: &usize| self.found[FORWARDS][*root] == search;
        let between: Vec<usize> = before.iter().copied().filter(is_after).collect();
        before.retain(|root| !is_after(root));
        after.retain(|&root| self.found[BACKWARDS][root] != search);
        let joined = [&[first, last], between.as_slice()].concat();
        let (moves, position) = self.rearranged(&joined, before, after);
        Joining {
            between,
            moves,
            position,
        }
    }

    /// The clusters between two that depend on the start, or that it depends on.
    fn search(
        &mut self,
        arcs: &[Vec<NodeId>],
        direction: usize,
        start: usize,
        end: usize,
    ) -> Vec<usize> {
        let mut found = vec![start];
        let mut next = 0;
        let limit = self.position[end];
        while let Some(&cluster) = found.get(next) {
            next += 1;
            for member in self.clusters.members(cluster) {
                for &neighbour in &arcs[member] {
                    let root = self.clusters.find(neighbour);
                    let within = match direction {
                        FORWARDS => self.position[root] < limit,
                        _ => self.position[root] > limit,
                    };
                    if within && root != start && self.found[direction][root] != self.searches {
                        self.found[direction][root] = self.searches;
                        found.push(root);
                    }
                }
            }
        }
        found.swap_remove(0);
        found
    }

    /// Puts what the last cluster depends on first, and what depends on the
    /// first cluster last, in the places that they and the joined clusters had.
    fn rearranged(
        &self,
        joined: &[usize],
        mut before: Vec<usize>,
        mut after: Vec<usize>,
    ) -> (Vec<(usize, usize)>, usize) {
        before.sort_unstable_by_key(|&root| self.position[root]);
        after.sort_unstable_by_key(|&root| self.position[root]);
        let all = joined.iter().chain(&before).chain(&after);
        let mut places: Vec<usize> = all.map(|&root| self.position[root]).collect();
        places.sort_unstable();
        let position = places[before.len()];
        let last_places = places.split_off(places.len() - after.len());
        let moves = before.into_iter().zip(places);
        (
            moves.chain(after.into_iter().zip(last_places)).collect(),
            position,
        )
    }
}
