//! Loops, what they carry, and what is done in them only for what a filter keeps.
//!
//! First [`parts`] says what stands in each body: what a filter keeps goes behind all else, since
//! nothing else needs it at the same iteration. Then the parts are built. A fold is carried by
//! its reducing loops, a scan by its innermost one, a filter's count by its outermost; a stored
//! array by the loops inside the one to whose iterations it is local.
//!
//! Cost: for each loop, linear in the number of combinators.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use melior::ir::Value;
use nest_dialect::builder::NestBuilder;
use soac_dialect::builder::{Builder, Values};

use super::{
    NotNested,
    storage::{Storage, storage},
};
use comb_kit::pass_error::PassError;

use crate::cluster_loops::plan::{ArrayId, Item, Kind, LeafId, Loop, Plan, Source};

/// What stands in a body.
pub(super) enum Part<'p, 'c, 'a> {
    /// A combinator computes an element.
    Leaf(LeafId),
    /// A loop inside, and which combinators in it run.
    Loop {
        r#loop: &'p Loop<'c, 'a>,
        leaves: BTreeSet<LeafId>,
        parts: Vec<Part<'p, 'c, 'a>>,
    },
    /// What is done if a filter keeps something.
    Kept {
        filter: LeafId,
        leaves: BTreeSet<LeafId>,
        parts: Vec<Part<'p, 'c, 'a>>,
    },
}

/// What stands outside of all loops.
pub(super) fn all_parts<'p, 'c, 'a>(plan: &'p Plan<'c, 'a>) -> Vec<Part<'p, 'c, 'a>> {
    let all = (0..plan.leaves.len()).collect();
    parts(plan, &plan.items, None, &all)
}

/// What stands in a body that runs for what the filter `clock` keeps, or always: those of some
/// combinators, which run as often or for what a filter in the body keeps.
fn parts<'p, 'c, 'a>(
    plan: &'p Plan<'c, 'a>,
    items: &'p [Item<'c, 'a>],
    clock: Option<LeafId>,
    leaves: &BTreeSet<LeafId>,
) -> Vec<Part<'p, 'c, 'a>> {
    let decided: Vec<LeafId> = items
        .iter()
        .filter_map(|item| match item {
            Item::Leaf(leaf) if plan.leaves[*leaf].kind == Kind::Filter => Some(*leaf),
            _ => None,
        })
        .filter(|&filter| leaves.contains(&filter) && plan.clock(filter) == clock)
        .collect();
    let filter_of = |leaf: LeafId| {
        let filters = filters_around(plan, leaf);
        filters.into_iter().find(|filter| decided.contains(filter))
    };
    let here: BTreeSet<LeafId> = leaves
        .iter()
        .copied()
        .filter(|&leaf| filter_of(leaf).is_none())
        .collect();
    let mut found = vec![];
    for item in items {
        match item {
            Item::Leaf(leaf) if here.contains(leaf) => found.push(Part::Leaf(*leaf)),
            Item::Leaf(_) => {}
            Item::Loop(inner) => {
                let inside = leaves_inside(plan, inner, &here);
                if !inside.is_empty() {
                    found.push(Part::Loop {
                        r#loop: inner,
                        parts: parts(plan, &inner.items, clock, &inside),
                        leaves: inside,
                    });
                }
            }
        }
    }
    for filter in decided.iter().copied() {
        let kept = leaves
            .iter()
            .copied()
            .filter(|&leaf| filter_of(leaf) == Some(filter))
            .collect();
        found.push(Part::Kept {
            filter,
            parts: parts(plan, items, Some(filter), &kept),
            leaves: kept,
        });
    }
    found
}

/// The filters at whose kept iterations a combinator runs, outermost first.
fn filters_around(plan: &Plan, leaf: LeafId) -> Vec<LeafId> {
    let next = |filter: &LeafId| plan.clock(*filter);
    let mut filters: Vec<LeafId> = std::iter::successors(plan.clock(leaf), next).collect();
    filters.reverse();
    filters
}

fn leaves_inside(plan: &Plan, r#loop: &Loop, leaves: &BTreeSet<LeafId>) -> BTreeSet<LeafId> {
    let is_inside = |leaf: &LeafId| plan.leaves[*leaf].path.contains(&r#loop.id);
    leaves.iter().copied().filter(is_inside).collect()
}

/// That what a filter keeps needs nothing that is not stored of a loop inside, which runs in front
/// of it.
pub(super) fn require_form(plan: &Plan) -> Result<(), NotNested> {
    let stored = storage(plan);
    for (number, reader) in plan.leaves.iter().enumerate() {
        for source in reader.operands.iter().flatten() {
            let Source::Computed(array) = *source else {
                continue;
            };
            let producer = plan.arrays[array].leaf;
            let is_inside = plan.leaves[producer].path.len() > 1;
            let is_kept_apart = plan.clock(number) != plan.clock(producer);
            if stored[array] == Storage::Element && is_inside && is_kept_apart {
                return Err(NotNested::KeptInside);
            }
        }
    }
    Ok(())
}

/// Something that a body carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carried {
    /// One of the accumulators of a fold or scan, or the count of a filter.
    State(LeafId, usize),
    /// A stored array.
    Array(ArrayId),
}

/// The code of a kernel while it is built: the values at the current iteration.
pub(super) struct Nests<'p, 'c, 'a> {
    pub plan: &'p Plan<'c, 'a>,
    pub storage: Vec<Storage>,
    /// Whether every index is taken to be in range.
    pub unchecked: bool,
    pub now: Now<'c, 'a>,
    /// What folds, scans and filters carry that have begun.
    pub states: BTreeMap<LeafId, Values<'c, 'a>>,
    /// The arrays that are stored, as they are now.
    pub arrays: BTreeMap<ArrayId, Value<'c, 'a>>,
}

/// What is known at the current iteration, and forgotten behind it.
#[derive(Clone, Default)]
pub(super) struct Now<'c, 'a> {
    /// The indices of the loops, outermost first.
    pub index: Values<'c, 'a>,
    /// The elements that were computed.
    pub elements: HashMap<ArrayId, Value<'c, 'a>>,
    /// Where gathers read.
    pub positions: HashMap<LeafId, Values<'c, 'a>>,
    /// How many elements filters have kept before.
    pub kept: HashMap<LeafId, Value<'c, 'a>>,
    /// Whether filters keep something.
    pub decisions: HashMap<LeafId, Value<'c, 'a>>,
}

pub(super) type Built<'c, T> = Result<T, PassError<'c>>;

impl<'p, 'c: 'a, 'a> Nests<'p, 'c, 'a> {
    /// What stands in a body.
    pub fn parts(
        &mut self,
        builder: &Builder<'c, 'a>,
        parts: &[Part<'p, 'c, 'a>],
    ) -> Built<'c, ()> {
        for part in parts {
            match part {
                Part::Leaf(leaf) => self.step(builder, *leaf)?,
                Part::Loop {
                    r#loop,
                    leaves,
                    parts,
                } => self.whole_loop(builder, r#loop, leaves, parts)?,
                Part::Kept {
                    filter,
                    leaves,
                    parts,
                } => self.kept(builder, *filter, leaves, parts)?,
            }
        }
        Ok(())
    }

    /// A loop, what begins with it, and what is complete behind it.
    fn whole_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        leaves: &BTreeSet<LeafId>,
        parts: &[Part<'p, 'c, 'a>],
    ) -> Built<'c, ()> {
        let begun: Vec<LeafId> = leaves
            .iter()
            .copied()
            .filter(|&leaf| self.plan.leaves[leaf].begins(r#loop.level))
            .collect();
        for &leaf in &begun {
            let state = self.first_state(builder, leaf)?;
            self.states.insert(leaf, state);
        }
        let carried = self.carried(leaves, r#loop.level);
        let length = builder.size_value(r#loop.length)?;
        let values = self.values(&carried);
        let after = builder.nest_loop(length, &values, |builder, index, values| {
            self.aside(|this| {
                this.now.index.push(index);
                this.set(&carried, values);
                this.open_locals(builder, r#loop.level, leaves)?;
                this.parts(builder, parts)?;
                Built::Ok(this.values(&carried))
            })
        })?;
        self.set(&carried, &after);
        self.close_locals(r#loop.level);
        for leaf in begun {
            self.finish(builder, leaf)?;
        }
        Ok(())
    }

    /// What is carried before the first iteration.
    fn first_state(&self, builder: &Builder<'c, 'a>, leaf: LeafId) -> Built<'c, Values<'c, 'a>> {
        match self.plan.leaves[leaf].kind {
            Kind::Filter => Ok(vec![builder.index(0)?]),
            _ => Ok(self.neutrals(leaf)),
        }
    }

    /// What is complete behind the loop with which it began. How many elements a filter kept is
    /// asked for when all is over.
    fn finish(&mut self, builder: &Builder<'c, 'a>, leaf: LeafId) -> Built<'c, ()> {
        match self.plan.leaves[leaf].kind {
            Kind::Filter => Ok(()),
            Kind::Fold => {
                let folded = self.states.remove(&leaf).unwrap_or_default();
                self.give(builder, leaf, &folded)
            }
            _ => {
                self.states.remove(&leaf);
                Ok(())
            }
        }
    }

    /// What is done if a filter keeps something.
    fn kept(
        &mut self,
        builder: &Builder<'c, 'a>,
        filter: LeafId,
        leaves: &BTreeSet<LeafId>,
        parts: &[Part<'p, 'c, 'a>],
    ) -> Built<'c, ()> {
        let builder = &builder.located(self.plan.leaves[filter].view.location);
        let condition = self.decision(filter)?;
        let count = self.states[&filter][0];
        let results = self.plan.leaves[filter].results();
        let elements: Values = results
            .clone()
            .map(|array| self.now.elements[&array])
            .collect();
        let mut carried = self.carried(leaves, self.now.index.len());
        let open = results.filter(|array| self.arrays.contains_key(array));
        carried.extend(open.map(Carried::Array));
        let values = self.values(&carried);
        let (next, after) =
            builder.keep(condition, count, &values, |builder, position, values| {
                self.aside(|this| {
                    this.now.kept.insert(filter, position);
                    this.set(&carried, values);
                    this.give(builder, filter, &elements)?;
                    this.parts(builder, parts)?;
                    Built::Ok(this.values(&carried))
                })
            })?;
        self.set(&carried, &after);
        self.states.insert(filter, vec![next]);
        Ok(())
    }

    /// What a body carries in which these combinators run, in so many loops: what of theirs has
    /// begun, or is open. What a fold gives is written behind its loops.
    fn carried(&self, leaves: &BTreeSet<LeafId>, loops: usize) -> Vec<Carried> {
        let mut carried = vec![];
        for &number in leaves {
            let leaf = &self.plan.leaves[number];
            let state = self.states.get(&number).map_or(0, Vec::len);
            carried.extend((0..state).map(|position| Carried::State(number, position)));
            if leaf.kind == Kind::Fold && leaf.outer < loops {
                continue;
            }
            let arrays = leaf.results();
            let open = arrays.filter(|array| self.arrays.contains_key(array));
            carried.extend(open.map(Carried::Array));
        }
        carried
    }

    fn values(&self, carried: &[Carried]) -> Values<'c, 'a> {
        let value = |carried: &Carried| match *carried {
            Carried::State(leaf, position) => self.states[&leaf][position],
            Carried::Array(array) => self.arrays[&array],
        };
        carried.iter().map(value).collect()
    }

    fn set(&mut self, carried: &[Carried], values: &[Value<'c, 'a>]) {
        for (carried, &value) in carried.iter().zip(values) {
            match *carried {
                Carried::State(leaf, position) => {
                    if let Some(state) = self.states.get_mut(&leaf) {
                        state[position] = value;
                    }
                }
                Carried::Array(array) => {
                    self.arrays.insert(array, value);
                }
            }
        }
    }

    /// Does something at an iteration, of which nothing is known behind it.
    fn aside<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.now.clone();
        let done = code(self);
        self.now = before;
        done
    }

    /// New arrays that are local to an iteration of the loops so far.
    pub fn open_locals(
        &mut self,
        builder: &Builder<'c, 'a>,
        level: usize,
        leaves: &BTreeSet<LeafId>,
    ) -> Built<'c, ()> {
        for &leaf in leaves {
            for array in self.plan.leaves[leaf].results() {
                let Storage::Local { loops, skipped } = self.storage[array] else {
                    continue;
                };
                if loops == level {
                    let computed = &self.plan.arrays[array];
                    let local = builder.local(&computed.shape[skipped..], computed.element)?;
                    self.arrays.insert(array, local);
                }
            }
        }
        Ok(())
    }

    /// Forgets the arrays that were local to an iteration.
    fn close_locals(&mut self, level: usize) {
        let storage = &self.storage;
        self.arrays.retain(|&array, _| match storage[array] {
            Storage::Local { loops, .. } => loops != level,
            _ => true,
        });
    }
}
