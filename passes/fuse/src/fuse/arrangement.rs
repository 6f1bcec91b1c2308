//! In which order a block's ops run, and which of them share loops: a tree.
//!
//! At each level, ops of one cluster become one unit; units are put into an order
//! in which each comes after what it depends on, those that stood first before
//! others that could be next. Within a cluster the same happens for the next
//! level. If there is no such order inside a cluster (an array of indices may have
//! to come before what is computed in a gather's order, which fusion does not know
//! of), the ops of this level are not put together; they then run their own loops.
//!
//! Cost: O((V + E) log V) for each level.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
};

/// The position of an op in its block, before anything is moved.
pub type Position = usize;

/// A part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// An op.
    Op(Position),
    /// Ops that share a loop.
    Loop(Vec<Part>),
}

impl Part {
    /// The ops, in their order.
    pub fn ops(&self) -> Vec<Position> {
        match self {
            Self::Op(op) => vec![*op],
            Self::Loop(parts) => parts.iter().flat_map(Self::ops).collect(),
        }
    }
}

/// What depends on what, and what shares loops.
pub struct Arrangement<'s> {
    /// By op: those that have to be earlier.
    pub before: &'s [BTreeSet<Position>],
    /// By level and op: its cluster, if it is in one.
    pub clusters: &'s [Vec<Option<usize>>],
}

impl Arrangement<'_> {
    /// The whole block, as a list of parts; nothing if its clusters depend on each
    /// other, as those of a legal clustering do not.
    pub fn parts(&self) -> Option<Vec<Part>> {
        let all: Vec<Position> = (0..self.before.len()).collect();
        self.arranged(&all, 0)
    }

    /// Ops that share the loops of all levels outside of one (from 0).
    fn arranged(&self, ops: &[Position], level: usize) -> Option<Vec<Part>> {
        let clusters = self.clusters.get(level);
        let unit_of = |op: Position| match clusters.and_then(|clusters| clusters[op]) {
            Some(cluster) => Unit::Cluster(cluster),
            None => Unit::Op(op),
        };
        let mut units: BTreeMap<Unit, Vec<Position>> = BTreeMap::new();
        for &op in ops {
            units.entry(unit_of(op)).or_default().push(op);
        }
        let units = self.sorted(ops, units.into_values().collect())?;
        let part = |unit: Vec<Position>| match unit[..] {
            [op] => Some(Part::Op(op)),
            _ => self
                .arranged(&unit, level + 1)
                .or_else(|| self.without_loops(&unit))
                .map(Part::Loop),
        };
        units.into_iter().map(part).collect()
    }

    fn without_loops(&self, ops: &[Position]) -> Option<Vec<Part>> {
        let alone = ops.iter().map(|&op| vec![op]).collect();
        let sorted = self.sorted(ops, alone)?;
        Some(sorted.into_iter().flatten().map(Part::Op).collect())
    }

    /// Units in an order in which they can run; nothing if there is none.
    fn sorted(&self, ops: &[Position], units: Vec<Vec<Position>>) -> Option<Vec<Vec<Position>>> {
        let mut unit_of: BTreeMap<Position, usize> = BTreeMap::new();
        for (number, unit) in units.iter().enumerate() {
            unit_of.extend(unit.iter().map(|&op| (op, number)));
        }
        let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); units.len()];
        let mut waiting = vec![0usize; units.len()];
        for &op in ops {
            for earlier in &self.before[op] {
                let Some(&first) = unit_of.get(earlier) else {
                    continue;
                };
                let second = unit_of[&op];
                if first != second && after[first].insert(second) {
                    waiting[second] += 1;
                }
            }
        }
        let position = |unit: usize| units[unit].iter().min().copied();
        let mut ready: BinaryHeap<_> = (0..units.len())
            .filter(|&unit| waiting[unit] == 0)
            .map(|unit| Reverse((position(unit), unit)))
            .collect();
        let mut order = vec![];
        while let Some(Reverse((_, unit))) = ready.pop() {
            order.push(unit);
            for &next in &after[unit] {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    ready.push(Reverse((position(next), next)));
                }
            }
        }
        let complete = order.len() == units.len();
        complete.then(|| order.into_iter().map(|unit| units[unit].clone()).collect())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Op(Position),
    Cluster(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use Part::{Loop, Op};

    fn parts(before: &[&[Position]], clusters: &[&[Option<usize>]]) -> Vec<Part> {
        let before: Vec<BTreeSet<Position>> = before
            .iter()
            .map(|before| before.iter().copied().collect())
            .collect();
        let clusters: Vec<_> = clusters.iter().map(|level| level.to_vec()).collect();
        Arrangement {
            before: &before,
            clusters: &clusters,
        }
        .parts()
        .expect("clusters that do not depend on each other")
    }

    #[test]
    fn ops_stay_where_they_can() {
        let order = parts(&[&[], &[], &[1], &[0]], &[&[None; 4]]);
        assert_eq!(order, [Op(0), Op(1), Op(2), Op(3)]);
    }

    #[test]
    fn what_a_cluster_needs_moves_before_it() {
        let one = Some(1);
        let order = parts(&[&[], &[], &[0, 1]], &[&[one, None, one]]);
        assert_eq!(order, [Op(1), Loop(vec![Op(0), Op(2)])]);
    }

    #[test]
    fn loops_are_inside_loops() {
        let (one, two) = (Some(1), Some(2));
        let order = parts(
            &[&[], &[0], &[1], &[2]],
            &[&[one; 4], &[None, two, two, None]],
        );
        assert_eq!(order, [Loop(vec![Op(0), Loop(vec![Op(1), Op(2)]), Op(3)])]);
    }

    #[test]
    fn loops_that_would_need_each_other_are_left_out() {
        let (one, two) = (Some(1), Some(2));
        let order = parts(&[&[], &[0], &[1]], &[&[one; 3], &[two, None, two]]);
        assert_eq!(order, [Loop(vec![Op(0), Op(1), Op(2)])]);
    }
}
