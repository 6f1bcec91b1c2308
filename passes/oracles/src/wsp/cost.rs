//! What blocks of a partition cost (P-wsp, Definitions 13 and 19 to 21).
//!
//! Costs are of blocks of which it may be known that some operations do not share
//! them in the end: then they are what the parts of such a block cost at least,
//! however it is split.
//!
//! Cost: linear in the views of a block, and, for locality, in the operations that
//! share them.

use std::collections::{BTreeMap, BTreeSet};

use super::{CostModel, Operation, Problem, View, blocks};

impl Problem<'_> {
    /// What a partition costs.
    pub fn cost(&self, partition: &[usize]) -> f64 {
        let blocks = blocks(partition);
        blocks.iter().map(|block| self.cost_of_block(block)).sum()
    }

    /// A number of which all costs are whole multiples.
    pub(super) fn step(&self) -> f64 {
        let views = self.operations.iter();
        let views = views.flat_map(|each| each.reads.iter().chain(&each.writes));
        match self.model {
            CostModel::ExtBytes => views
                .fold(0, |step, view| common_divisor(step, view.count))
                .max(1) as f64,
            _ => 1.0,
        }
    }

    /// What fusing two blocks saves.
    pub(super) fn saving(&self, one: &[usize], other: &[usize]) -> f64 {
        let both = [one, other].concat();
        self.cost_of_block(one) + self.cost_of_block(other) - self.cost_of_block(&both)
    }

    pub(super) fn is_weight_edge(&self, one: usize, other: usize) -> bool {
        let elements = |block: &[usize]| self.external_elements(block, &|_, _| true);
        self.saving(&[one], &[other]) > 0.0
            || elements(&[one]) + elements(&[other]) > elements(&[one, other])
    }

    fn cost_of_block(&self, block: &[usize]) -> f64 {
        self.least_cost(block, &|_, _| true)
    }

    /// What a block costs at least if it is split so that only some operations stay
    /// together.
    pub(super) fn least_cost(
        &self,
        block: &[usize],
        together: &impl Fn(usize, usize) -> bool,
    ) -> f64 {
        match self.model {
            CostModel::ExtBytes => self.external_elements(block, together),
            CostModel::MaxContract => self.not_contracted(block, together),
            CostModel::MaxLocality => self.separate_accesses(block, together),
            CostModel::Robinson => {
                let arrays = self.arrays;
                let locality = self.separate_accesses(block, together);
                1.0 + arrays * self.not_contracted(block, together) + arrays * arrays * locality
            }
        }
    }

    /// ‖ext[B]‖.
    fn external_elements(&self, block: &[usize], together: &impl Fn(usize, usize) -> bool) -> f64 {
        let loads = self.accessed(block, together, |each| (&each.reads, &each.new));
        let stores = self.accessed(block, together, |each| (&each.writes, &each.del));
        loads + stores
    }

    /// The elements of the views that operations access without being together with
    /// one that makes that needless for the array.
    fn accessed(
        &self,
        block: &[usize],
        together: &impl Fn(usize, usize) -> bool,
        of: impl Fn(&Operation) -> (&Vec<View>, &Vec<String>),
    ) -> f64 {
        let needless = self.by_array(block, |each| of(each).1);
        let mut accessed: BTreeSet<&View> = BTreeSet::new();
        for &number in block {
            let is_needed = |view: &&View| {
                let found = needless.get(&view.array);
                !found.is_some_and(|others| others.iter().any(|&other| together(number, other)))
            };
            let views = of(&self.operations[number]).0;
            accessed.extend(views.iter().filter(is_needed));
        }
        accessed.into_iter().map(|view| view.count as f64).sum()
    }

    /// The arrays that operations of a block name, with these operations.
    fn by_array(
        &self,
        block: &[usize],
        of: impl Fn(&Operation) -> &Vec<String>,
    ) -> BTreeMap<&String, Vec<usize>> {
        let mut found: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
        for &number in block {
            for array in of(&self.operations[number]) {
                found.entry(array).or_default().push(number);
            }
        }
        found
    }

    /// The arrays that a block creates and does not delete.
    fn not_contracted(&self, block: &[usize], together: &impl Fn(usize, usize) -> bool) -> f64 {
        let deleting = self.by_array(block, |each| &each.del);
        let creating = self.by_array(block, |each| &each.new);
        let is_kept = |(array, creating): &(&String, Vec<usize>)| {
            let mut deleting = deleting.get(array).into_iter().flatten();
            !deleting.any(|&last| creating.iter().any(|&first| together(first, last)))
        };
        creating.into_iter().filter(is_kept).count() as f64
    }

    /// Pairs of accesses of one view, here and in other blocks.
    fn separate_accesses(&self, block: &[usize], together: &impl Fn(usize, usize) -> bool) -> f64 {
        let here: BTreeSet<usize> = block.iter().copied().collect();
        let separate = |number: usize| -> usize {
            let shared = self.shared[number].iter();
            let elsewhere =
                shared.filter(|(other, _)| !here.contains(other) || !together(number, *other));
            elsewhere.map(|(_, views)| views).sum()
        };
        block.iter().map(|&number| separate(number)).sum::<usize>() as f64
    }

    /// Finds out which operations access the same views.
    pub(super) fn find_shared_views(&mut self) {
        let mut accessing: BTreeMap<&View, BTreeSet<usize>> = BTreeMap::new();
        for (number, operation) in self.operations.iter().enumerate() {
            for view in operation.reads.iter().chain(&operation.writes) {
                accessing.entry(view).or_default().insert(number);
            }
        }
        let mut shared = vec![BTreeMap::new(); self.operations.len()];
        for numbers in accessing.values() {
            for &one in numbers {
                for &other in numbers.iter().filter(|&&other| other != one) {
                    *shared[one].entry(other).or_insert(0) += 1;
                }
            }
        }
        self.shared = shared
            .into_iter()
            .map(|others: BTreeMap<usize, usize>| others.into_iter().collect())
            .collect();
    }
}

fn common_divisor(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.abs()
}
