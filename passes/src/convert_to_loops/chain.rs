//! In which order scans and filters of a cluster can know what came before a chunk.
//!
//! A scan that reads what another gives needs that one's carry before it can sum up
//! its own chunk. So they form *stages*: those that need no other, those that need
//! only these, and so on.

use std::collections::BTreeSet;

use super::plan::{Component, Kind, LeafId, Plan, Source};

impl<'c, 'a> Plan<'c, 'a> {
    /// The scans and filters that carry something through the outermost loop, by
    /// stage.
    pub fn stages(&self) -> Vec<Vec<LeafId>> {
        let mut stages: Vec<Vec<LeafId>> = vec![];
        let mut done: BTreeSet<LeafId> = BTreeSet::new();
        let chained: Vec<LeafId> = (0..self.leaves.len())
            .filter(|&leaf| self.is_chained(leaf))
            .collect();
        while done.len() < chained.len() {
            let ready: Vec<LeafId> = chained
                .iter()
                .copied()
                .filter(|leaf| !done.contains(leaf))
                .filter(|&leaf| {
                    let needed = self.needed(&BTreeSet::from([leaf]));
                    let mut others = chained.iter().filter(|&&other| other != leaf);
                    others.all(|other| !needed.contains(other) || done.contains(other))
                })
                .collect();
            if ready.is_empty() {
                break;
            }
            done.extend(&ready);
            stages.push(ready);
        }
        stages
    }

    /// Whether a combinator carries something through the outermost loop that its
    /// elements depend on.
    fn is_chained(&self, leaf: LeafId) -> bool {
        let leaf = &self.leaves[leaf];
        leaf.kind == Kind::Filter || (leaf.is_scan() && leaf.lengths.len() == 1)
    }

    /// Combinators and all that has to run at an iteration before them.
    pub fn needed(&self, leaves: &BTreeSet<LeafId>) -> BTreeSet<LeafId> {
        let mut needed = BTreeSet::new();
        let mut waiting: Vec<LeafId> = leaves.iter().copied().collect();
        while let Some(number) = waiting.pop() {
            if !needed.insert(number) {
                continue;
            }
            let leaf = &self.leaves[number];
            waiting.extend(leaf.clock);
            waiting.extend(leaf.operands.iter().filter_map(|source| match source {
                Some(Source::Computed(array)) => Some(self.arrays[*array].leaf),
                _ => None,
            }));
            waiting.extend(
                leaf.components
                    .iter()
                    .filter_map(|component| match component {
                        Component::Label(label) => self.labels.get(label).copied(),
                        Component::Loop { .. } => None,
                    }),
            );
        }
        needed
    }
}
