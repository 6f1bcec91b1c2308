//! Greedy fusion by savings (P-wsp, Figure 7): the pair of clusters whose fusion
//! saves most is fused, until none saves anything.
//!
//! Savings are kept in a heap and brought up to date lazily. After a fusion,
//! those of the pairs that access an array of the smaller cluster are entered
//! again: a saving of two clusters only grows by what the smaller cluster
//! accesses. Savings that fell are noticed when they are taken from the heap.
//!
//! Cost: O(c log c) for the c savings that are entered, and one fusion for each.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
    time::Instant,
};

use super::{
    candidates::Candidates,
    is_over,
    savings::{Fusion, Savings},
};
use crate::{amount::Amount, contraction::Contraction, cost::Weights};

/// A pair with what fusing it saved when it was entered.
#[derive(PartialEq)]
struct Entry {
    saving: Amount,
    pair: usize,
}

impl Eq for Entry {}

impl Ord for Entry {
    /// By saving, and then the least number.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |entry: &Self| Reverse(entry.pair);
        self.saving
            .cmp(&other.saving)
            .then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Heap<'g> {
    savings: Savings<'g>,
    candidates: Candidates,
    entries: BinaryHeap<Entry>,
}

/// Fuses greedily, until the deadline.
pub(super) fn greedy(contraction: &mut Contraction, weights: &Weights, deadline: Option<Instant>) {
    let graph = contraction.graph();
    let mut heap = Heap {
        savings: Savings::new(graph, weights),
        candidates: Candidates::new(graph, deadline),
        entries: BinaryHeap::new(),
    };
    for pair in 0..heap.candidates.pairs.len() {
        if is_over(deadline) {
            break;
        }
        heap.enter(contraction, pair);
    }
    while let Some(entry) = heap.entries.pop() {
        if is_over(deadline) {
            return;
        }
        let candidate = heap.candidates.pairs[entry.pair];
        let Some(fusion) = heap.savings.of(contraction, &candidate) else {
            continue;
        };
        if fusion.saving != entry.saving {
            heap.push(entry.pair, &fusion);
            continue;
        }
        candidate.fuse(contraction);
        for pair in heap.candidates.concerned(graph, &fusion.nodes) {
            if is_over(deadline) {
                return;
            }
            heap.enter(contraction, pair);
        }
    }
}

impl Heap<'_> {
    fn enter(&mut self, contraction: &mut Contraction, pair: usize) {
        let candidate = self.candidates.pairs[pair];
        if candidate.is_fused(contraction) {
            return;
        }
        if let Some(fusion) = self.savings.of(contraction, &candidate) {
            self.push(pair, &fusion);
        }
    }

    fn push(&mut self, pair: usize, fusion: &Fusion) {
        if fusion.saving > Amount::ZERO {
            self.entries.push(Entry {
                saving: fusion.saving,
                pair,
            });
        }
    }
}
