//! Folds over iterations that repeat themselves.
//!
//! If indices like `(i + k) mod n` are all that tells the iterations of a loop apart, then
//! iteration `k + n` computes what iteration `k` does. A loop that only folds computes a
//! period of `n` iterations once, vector by vector, and folds each vector as often as there
//! are periods, with nothing to load in between if it fits the registers. What is left over runs as
//! other loops do.
//!
//! 1. The functions of the combinators say whether elements depend on the loop's index by
//!    way of ops that wrap it around alone ([`Emitter::repeating`]).
//! 2. When the program runs, all these ops must have the same period, and none of the numbers
//!    that they wrap may overflow or change its sign ([`Wrap::room`](super::pieces::Wrap)).
//!
//! Periods that are shorter than a vector are taken together, as many as fit. The functions
//! that fold are commutative; so they may take the elements in this order. Twice as many
//! vectors are folded at once as elsewhere, since nothing but additions keeps them waiting; some
//! of them after the others if their accumulators do not fit the registers.
//!
//! Cost: linear in the number of ops. The code of the loop is there once more.

use std::collections::{BTreeSet, HashSet};

use comb_machine::tuning::{
    VECTOR_BITS,
    periods::{ACCUMULATORS, FEWEST, MOST_FOLDED},
};
use melior::ir::{BlockLike, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Values},
    lanes::{Lanes, Scope},
    leads::Bounds,
    op_key,
    pieces::{WRAPS, Wrap},
    plan::{Component, Item, Kind, Leaf, LeafId, Loop, Source},
    read::rank,
    streaming::Stores,
    widths::bits_in_memory,
};
use crate::{
    checks::facts::key, commutativity::is_commutative, transformations::Transformation,
    walk::operations,
};

/// The ops that wrap indices around, by op_key.
type Wraps = BTreeSet<usize>;

/// Iterations that repeat themselves.
struct Periods<'c, 'a> {
    length: Value<'c, 'a>,
    /// None if there are too few.
    count: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Folds all whole periods of a loop that only folds, if there are enough. Gives the
    /// iteration behind them.
    pub fn fold_periods(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let applies = || self.applies(Transformation::Periods, Site::Loop(r#loop.id));
        let Some(needed) = self.repeating(r#loop).filter(|_| applies()) else {
            return Ok(first);
        };
        let folds = self.lane_folds(r#loop).into_iter();
        let folded: usize = folds.map(|leaf| self.states[&leaf].len()).sum();
        let lanes = match folded <= MOST_FOLDED {
            true => 2 * lanes,
            false => lanes,
        };
        let found = self.periods(builder, r#loop, lanes, [first, end], &needed)?;
        let Some(periods) = found else {
            return Ok(first);
        };
        let none = builder.index(0)?;
        let are_there = builder.compare(Predicate::Ne, periods.count, none)?;
        self.carrying_if(builder, are_there, |this, builder| {
            this.fold_period(builder, r#loop, lanes, first, &periods)
        })?;
        let folded = builder.arithmetic("arith.muli", &[periods.length, periods.count])?;
        Ok(builder.arithmetic("arith.addi", &[first, folded])?)
    }

    /// Folds each vector of the first period as often as there are periods.
    fn fold_period(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        first: Value<'c, 'a>,
        periods: &Periods<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let before = self.open_lanes(builder, r#loop, lanes)?;
        let end = builder.arithmetic("arith.addi", &[first, periods.length])?;
        let step = builder.index(lanes as i64)?;
        self.carrying(|this, carried| {
            builder.range_loop([first, end, step], carried, |builder, index, carried| {
                let left_over = builder.arithmetic("arith.subi", &[end, index])?;
                let scope = Scope::of_first(builder, lanes, left_over)?;
                this.aside(|this| {
                    this.set_carried(carried);
                    this.now.index.push(Lanes::Steps {
                        first: index,
                        step: 1,
                    });
                    this.fold_repeatedly(builder, r#loop, scope, periods.count)
                })
            })
        })?;
        self.close_lanes(builder, r#loop, lanes, before)
    }

    /// Computes a vector of iterations, and folds it so many times. Those that are in no lane
    /// that counts are there as well: iterations of the next periods.
    fn fold_repeatedly(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        counting: Scope<'c, 'a>,
        count: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let all = Scope {
            mask: None,
            ..counting
        };
        self.now.scope = all;
        let mut folded = vec![];
        for item in &r#loop.items {
            let &Item::Leaf(leaf) = item else { continue };
            if self.plan.leaves[leaf].kind != Kind::Fold {
                self.step(builder, leaf)?;
                continue;
            }
            let index = self.index(builder, leaf, self.plan.leaves[leaf].components.len())?;
            let elements = self.elements(builder, leaf, 0, &index)?;
            self.now.scope = counting;
            folded.push((leaf, self.counting_elements(builder, leaf, &elements)?));
            self.now.scope = all;
        }
        self.fold_in_registers(builder, &folded, count)
    }

    /// Folds the same elements so many times, in all lanes, or, if there are too many
    /// accumulators for the registers, first in half of the lanes and then in the others.
    fn fold_in_registers(
        &mut self,
        builder: &Builder<'c, 'a>,
        folded: &[(LeafId, Values<'c, 'a>)],
        count: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        if self.fits_registers(folded) {
            return self.fold_so_often(builder, folded, count);
        }
        let lanes = self.now.scope.width as i64;
        let (scope, states) = (self.now.scope, self.states.clone());
        let mut halves = vec![];
        for half in [0..lanes / 2, lanes / 2..lanes] {
            let half: Vec<i64> = half.collect();
            self.now.scope.width = scope.width / 2;
            let mut elements_of_half = vec![];
            for (leaf, elements) in folded {
                let state = self.of_lanes(builder, *leaf, &states[leaf], &half)?;
                self.states.insert(*leaf, state);
                elements_of_half.push((*leaf, self.of_lanes(builder, *leaf, elements, &half)?));
            }
            self.fold_in_registers(builder, &elements_of_half, count)?;
            halves.push(self.states.clone());
        }
        self.now.scope = scope;
        for (leaf, _) in folded {
            let pairs = halves[0][leaf].iter().zip(&halves[1][leaf]);
            let all: Vec<i64> = (0..lanes).collect();
            let joined = pairs
                .zip(self.neutrals(*leaf))
                .map(|((&first, &last), neutral)| {
                    Ok(builder.shuffle(first, last, &all, neutral.r#type())?)
                });
            self.states.insert(*leaf, joined.collect::<Emitted<_>>()?);
        }
        Ok(())
    }

    /// Whether the accumulators of all lanes fit the registers. What is folded may be in memory.
    fn fits_registers(&self, folded: &[(LeafId, Values<'c, 'a>)]) -> bool {
        let most = ACCUMULATORS.min(self.options.machine.registers());
        let neutrals = folded.iter().flat_map(|(leaf, _)| self.neutrals(*leaf));
        let bits: u64 = neutrals
            .map(|neutral| bits_in_memory(neutral.r#type()))
            .sum();
        let vectors = (self.now.scope.width * bits).div_ceil(VECTOR_BITS);
        vectors as i64 <= most || self.now.scope.width == 2
    }

    /// Some lanes of vectors that have the types of what a combinator folds.
    fn of_lanes(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        vectors: &[Value<'c, 'a>],
        lanes: &[i64],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let vectors = vectors.iter().zip(self.neutrals(leaf));
        vectors
            .map(|(&vector, neutral)| {
                Ok(builder.shuffle(vector, vector, lanes, neutral.r#type())?)
            })
            .collect()
    }

    fn fold_so_often(
        &mut self,
        builder: &Builder<'c, 'a>,
        folded: &[(LeafId, Values<'c, 'a>)],
        count: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        self.carrying(|this, carried| {
            builder.for_loop(count, carried, |builder, _, carried| {
                this.aside(|this| {
                    this.set_carried(carried);
                    folded.iter().try_for_each(|(leaf, elements)| {
                        let elements = elements.iter().map(|&value| scope.lanes(value, false));
                        this.fold(builder, *leaf, &elements.collect::<Vec<_>>())
                    })
                })
            })
        })
    }

    /// The periods of a loop, if that is what the ops which wrap indices around there make
    /// of it.
    fn periods(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
        needed: &Wraps,
    ) -> Emitted<'c, Option<Periods<'c, 'a>>> {
        let index = builder.index_type();
        let mut is_known = false;
        let is_any = builder.compare(Predicate::Slt, first, end)?;
        let found = builder.if_else(
            is_any,
            &[index, index],
            |builder| {
                let wraps = self.measured(builder, r#loop, lanes, first)?;
                let measured: Wraps = wraps.iter().map(|wrap| wrap.op).collect();
                is_known = needed.is_subset(&measured);
                let length = builder.arithmetic("arith.subi", &[end, first])?;
                let periods = common_periods(builder, &wraps, lanes, length)?;
                Emitted::Ok(vec![periods.length, periods.count])
            },
            |builder| Ok(vec![builder.index(1)?, builder.index(0)?]),
        )?;
        Ok(is_known.then_some(Periods {
            length: found[0],
            count: found[1],
        }))
    }

    /// The ops that wrap a loop's index around, if elements depend on the index by way of
    /// these alone, and are only folded.
    fn repeating(&self, r#loop: &Loop<'c, 'a>) -> Option<Wraps> {
        let mut wraps = Wraps::new();
        for item in &r#loop.items {
            let Item::Leaf(leaf) = item else { return None };
            wraps.extend(self.wraps_between(r#loop, &self.plan.leaves[*leaf])?);
        }
        (self.stores == Stores::Cached && !wraps.is_empty()).then_some(wraps)
    }

    /// The ops that wrap a loop's index around on its way to what a combinator gives, if
    /// there is one on every way.
    fn wraps_between(&self, r#loop: &Loop<'c, 'a>, leaf: &Leaf<'c, 'a>) -> Option<Wraps> {
        let is_stored =
            leaf.kind != Kind::Fold && leaf.results().any(|array| self.places[array].is_some());
        if is_stored || leaf.clock.is_some() || leaf.is_map_of_arrays() {
            return None;
        }
        let mut own = leaf.components.iter().enumerate();
        let own = own.by_ref().filter_map(|(dimension, component)| {
            let Component::Loop { position, .. } = component else {
                return None;
            };
            (position + 1 == r#loop.level).then_some(dimension)
        });
        let own: Vec<usize> = own.collect();
        let reads_computed = |group| {
            let operands = leaf.view.group(group);
            let mut sources = operands.filter_map(|operand| leaf.operands[operand]);
            own.is_empty() || sources.all(|source| self.is_computed_in(r#loop, source))
        };
        let is_known = match leaf.kind {
            Kind::Generate | Kind::Backpermute => return wraps_on_all_ways(leaf, &own),
            Kind::Map => reads_computed(0),
            Kind::Fold => is_commutative(&leaf.view) && reads_computed(0),
            Kind::Gather => {
                let source = leaf.view.operand_type(leaf.view.group(0).start);
                reads_computed(1) && leaf.view.group(1).len() == rank(source)
            }
            Kind::ScanLeft | Kind::ScanRight | Kind::Filter | Kind::Scatter => false,
        };
        is_known.then(Wraps::new)
    }

    /// Whether an array is computed in a loop itself.
    fn is_computed_in(&self, r#loop: &Loop<'c, 'a>, source: Source<'c, 'a>) -> bool {
        match source {
            Source::Given(_) => false,
            Source::Computed(array) => {
                let leaf = self.plan.arrays[array].leaf;
                self.plan.leaves[leaf].path.last() == Some(&r#loop.id)
            }
        }
    }
}

/// The ops in a combinator's function that wrap some of its arguments around, if what it
/// yields depends on these by way of such ops alone.
fn wraps_on_all_ways(leaf: &Leaf, own: &[usize]) -> Option<Wraps> {
    let block = leaf.view.block()?;
    let mut differing = HashSet::new();
    for &argument in own {
        differing.insert(key(block.argument(argument).ok()?.into()));
    }
    let mut wraps = Wraps::new();
    let ops = operations(leaf.op);
    if ops.iter().any(|op| op.region_count() > 0) {
        return None;
    }
    for op in ops {
        let operands: Vec<bool> = op
            .operands()
            .map(|operand| differing.contains(&key(operand)))
            .collect();
        if !operands.contains(&true) {
            continue;
        }
        if wraps_one(op, &operands) {
            wraps.insert(op_key(op));
            continue;
        }
        if op.result_count() == 0 {
            return None;
        }
        differing.extend(op.results().map(|result| key(result.into())));
    }
    Some(wraps)
}

/// Whether an op wraps one operand around that differs from iteration to iteration, by
/// another that does not.
fn wraps_one(op: OperationRef, differing: &[bool]) -> bool {
    let name = op_name(op);
    let is_last_the_same = differing == [true, false];
    WRAPS.contains(&name)
        && (is_last_the_same || name == "arith.andi" && differing == [false, true])
}

/// The periods of so many iterations in which indices are wrapped around by some ops, none
/// if they differ, or if there are few.
fn common_periods<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    wraps: &[Wrap<'c, 'a>],
    lanes: u64,
    length: Value<'c, 'a>,
) -> Emitted<'c, Periods<'c, 'a>> {
    let (one, none) = (builder.index(1)?, builder.index(0)?);
    let Some(period) = wraps.first().map(|wrap| wrap.period) else {
        return Ok(Periods {
            length: one,
            count: none,
        });
    };
    let mut have_it = builder.compare(Predicate::Sge, period, one)?;
    for wrap in wraps {
        let is_same = builder.compare(Predicate::Eq, wrap.period, period)?;
        let goes_on = builder.compare(Predicate::Uge, wrap.room, length)?;
        have_it = builder.arithmetic("arith.andi", &[have_it, is_same])?;
        have_it = builder.arithmetic("arith.andi", &[have_it, goes_on])?;
    }
    let period = builder.select(have_it, period, one)?;
    let width = builder.index(lanes as i64)?;
    let several = builder.arithmetic("arith.divsi", &[width, period])?;
    let several = builder.arithmetic("arith.maxsi", &[several, one])?;
    let period = builder.arithmetic("arith.muli", &[several, period])?;
    let count = builder.arithmetic("arith.divsi", &[length, period])?;
    let are_enough = builder.compare(Predicate::Sge, count, builder.index(FEWEST)?)?;
    let pays = builder.arithmetic("arith.andi", &[have_it, are_enough])?;
    Ok(Periods {
        length: period,
        count: builder.select(pays, count, none)?,
    })
}
