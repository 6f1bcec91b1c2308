//! The state of the algorithms (P-wsp, Definition 15): a partition with its weight
//! edges, and what depends on what in it.
//!
//! A weight edge is dropped when the blocks at its ends must not share a block: what
//! is fused later cannot change that.
//!
//! Cost: a merge is linear in the weight edges of the two blocks; the dependences
//! take the product of blocks and their dependences.

use std::collections::BTreeMap;

use petgraph::{
    algo::{
        toposort,
        tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure},
    },
    visit::IntoNeighbors,
};

use super::{Partition, Problem};

/// A legal partition. A block has the number of its first operation.
#[derive(Clone)]
pub(super) struct State<'p> {
    problem: &'p Problem<'p>,
    partition: Partition,
    /// By number: the operations of the block, if there is one.
    members: Vec<Vec<usize>>,
    /// What fusing two blocks saves, the lesser number first.
    weights: BTreeMap<(usize, usize), f64>,
}

impl<'p> State<'p> {
    /// Nothing is fused.
    pub(super) fn new(problem: &'p Problem<'p>) -> Self {
        let count = problem.operations.len();
        let weight =
            |&(one, other): &(usize, usize)| ((one, other), problem.saving(&[one], &[other]));
        Self {
            problem,
            partition: (0..count).collect(),
            members: (0..count).map(|operation| vec![operation]).collect(),
            weights: problem.edges.iter().map(weight).collect(),
        }
    }

    pub(super) fn partition(&self) -> &[usize] {
        &self.partition
    }

    /// Fuses two blocks (Definition 17).
    pub(super) fn merge(&mut self, one: usize, other: usize) {
        let (keep, gone) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut self.members[gone]);
        for &operation in &moved {
            self.partition[operation] = keep;
        }
        self.members[keep].extend(moved);
        let is_concerned = |(one, other): &(usize, usize)| {
            [keep, gone].contains(one) || [keep, gone].contains(other)
        };
        let concerned: Vec<(usize, usize)> =
            self.weights.keys().copied().filter(is_concerned).collect();
        for edge in concerned {
            self.weights.remove(&edge);
            let neighbour = match [keep, gone].contains(&edge.0) {
                true => edge.1,
                false => edge.0,
            };
            if neighbour != keep && neighbour != gone && !self.are_apart(keep, neighbour) {
                let saving = self
                    .problem
                    .saving(&self.members[keep], &self.members[neighbour]);
                let edge = (keep.min(neighbour), keep.max(neighbour));
                self.weights.insert(edge, saving);
            }
        }
    }

    /// The blocks that may be fused, and what that saves (Lemma 1).
    pub(super) fn weight_edges(&self, dependences: &Dependences) -> Vec<(usize, usize, f64)> {
        let saving = self.weights.iter().filter(|(_, saving)| **saving > 0.0);
        saving
            .filter(|((one, other), _)| dependences.have_nothing_between(*one, *other))
            .map(|(&(one, other), &saving)| (one, other, saving))
            .collect()
    }

    /// Whether two operations of two blocks must not share a block.
    pub(super) fn are_apart(&self, one: usize, other: usize) -> bool {
        let mut pairs = self.members[one]
            .iter()
            .flat_map(|one| self.members[other].iter().map(move |other| (one, other)));
        pairs.any(|(&one, &other)| self.problem.apart[one][other])
    }

    pub(super) fn dependences(&self) -> Dependences {
        let quotient = self.problem.quotient(&self.partition);
        let order = toposort(&quotient, None).expect("the partition is legal");
        let (sorted, _) = dag_to_toposorted_adjacency_list::<_, usize>(&quotient, &order);
        let (reduced, closure) = dag_transitive_reduction_closure(&sorted);
        let count = order.len();
        let mut dependences = Dependences {
            order: order.iter().map(|block| block.index()).collect(),
            direct: vec![vec![]; count],
            reached: vec![vec![false; count]; count],
        };
        for (place, &block) in order.iter().enumerate() {
            let numbers = |place: usize| order[place].index();
            dependences.direct[block.index()] = reduced.neighbors(place).map(numbers).collect();
            for later in closure.neighbors(place) {
                dependences.reached[block.index()][numbers(later)] = true;
            }
        }
        dependences
    }
}

/// What depends on what in a partition.
pub(super) struct Dependences {
    /// The blocks, each before those that depend on it.
    pub(super) order: Vec<usize>,
    /// By block: those that depend on it, without what follows from others.
    pub(super) direct: Vec<Vec<usize>>,
    /// By block: whether others depend on it, directly or not.
    pub(super) reached: Vec<Vec<bool>>,
}

impl Dependences {
    /// Whether no other block has to run between two blocks.
    fn have_nothing_between(&self, one: usize, other: usize) -> bool {
        let nothing = |first: usize, second: usize| {
            !self.reached[first][second] || self.direct[first].contains(&second)
        };
        nothing(one, other) && nothing(other, one)
    }
}
