//! Folds and scans in all lanes.
//!
//! If a fold's function is commutative, every lane folds its own elements, and the
//! lanes are folded in the end. If not, the lanes of each vector are folded with
//! their neighbours, which keeps the order. A scan of a vector is that of Hillis
//! and Steele: at each step, every lane is combined with the one 1, 2, 4, … lanes
//! before it. What is carried into a vector is combined with all of its lanes, and the
//! last one goes on. If the function is short, what is carried is combined with the last
//! lane once more instead: then the next vector waits for one use of the function, and
//! not for a shuffle too.

use comb_machine::tuning::fold::SHUFFLE;
use melior::ir::{Type, Value, ValueLike};
use soac_dialect::builder::Builder;

use super::{
    emitter::{Emitted, Emitter, Values},
    lanes::{Lanes, Scope},
    plan::{Kind, LeafId},
    tails::Widths,
};
use crate::{commutativity::is_commutative, fuse::work::instructions, walk::operations};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The neutral elements of a fold or scan.
    pub fn neutrals(&self, leaf: LeafId) -> Values<'c, 'a> {
        let view = &self.plan.leaves[leaf].view;
        view.operands[view.group(1)].to_vec()
    }

    /// Takes one element per lane into a fold.
    pub fn fold(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let state = self.states[&leaf].clone();
        if self.folds_lanes(leaf) && !is_commutative(&self.plan.leaves[leaf].view) {
            let elements = self.counting_elements(builder, leaf, elements)?;
            let folded = self.fold_neighbours(builder, leaf, elements, scope.width)?;
            let state = self.combined(builder, leaf, &state, &folded)?;
            self.states.insert(leaf, state);
            return Ok(());
        }
        let accumulators: Vec<Lanes> = state
            .iter()
            .map(|&value| scope.lanes(value, false))
            .collect();
        let combined = self.combined_lanes(builder, leaf, scope, &accumulators, elements)?;
        // Nobody asks for what lanes that do not count fold for themselves.
        let counted = match scope.is_vector() && !self.folds_lanes(leaf) {
            true => Scope {
                mask: None,
                ..scope
            },
            false => scope,
        };
        let combined = combined
            .into_iter()
            .zip(&state)
            .map(|(new, &old)| kept_where_it_counts(builder, &counted, new, old))
            .collect::<Emitted<Values>>()?;
        self.states.insert(leaf, combined);
        Ok(())
    }

    /// Whether a fold is over the loop whose iterations the lanes are.
    fn folds_lanes(&self, leaf: LeafId) -> bool {
        let mut index = self.now.index.iter();
        let lanes = index.position(|index| index.uniform().is_none());
        let leaf = &self.plan.leaves[leaf];
        lanes.is_some_and(|position| leaf.is_scan() || position >= leaf.outer)
    }

    /// Elements as vectors, neutral in the lanes that do not count.
    pub fn counting_elements(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = self.now.scope;
        elements
            .iter()
            .zip(self.neutrals(leaf))
            .map(|(&element, neutral)| {
                let neutral = scope.whole(builder, Lanes::Uniform(neutral))?;
                kept_where_it_counts(builder, &scope, element, neutral)
            })
            .collect()
    }

    /// One element of the lanes' elements, in their order.
    fn fold_neighbours(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        mut vectors: Values<'c, 'a>,
        mut width: u64,
    ) -> Emitted<'c, Values<'c, 'a>> {
        while width > 1 {
            let half = width as i64 / 2;
            let even: Vec<i64> = (0..half).map(|lane| 2 * lane).collect();
            let odd: Vec<i64> = (0..half).map(|lane| 2 * lane + 1).collect();
            vectors = self.fold_parts(builder, leaf, &vectors, &even, &odd)?;
            width /= 2;
        }
        Ok(vectors)
    }

    /// Fewer lanes of accumulators that fold elements in any order.
    pub fn fold_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        mut vectors: Values<'c, 'a>,
        Widths { wide, narrow }: Widths,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut width = wide;
        while width > narrow {
            let half = width as i64 / 2;
            let low: Vec<i64> = (0..half).collect();
            let high: Vec<i64> = (half..2 * half).collect();
            vectors = self.fold_parts(builder, leaf, &vectors, &low, &high)?;
            width /= 2;
        }
        Ok(vectors)
    }

    /// Folds some lanes of vectors with others.
    fn fold_parts(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        vectors: &[Value<'c, 'a>],
        left: &[i64],
        right: &[i64],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = Scope {
            width: left.len() as u64,
            mask: None,
        };
        let types: Vec<Type> = self
            .neutrals(leaf)
            .iter()
            .map(|value| value.r#type())
            .collect();
        let part = |lanes: &[i64]| {
            vectors
                .iter()
                .zip(&types)
                .map(|(&vector, &r#type)| match lanes {
                    &[lane] => Ok(Lanes::Uniform(builder.lane(vector, lane, r#type)?)),
                    _ => {
                        let value = builder.shuffle(vector, vector, lanes, r#type)?;
                        Ok(scope.lanes(value, false))
                    }
                })
                .collect::<Emitted<Vec<Lanes>>>()
        };
        let (left, right) = (part(left)?, part(right)?);
        let folded = self.combined_lanes(builder, leaf, scope, &left, &right)?;
        folded
            .into_iter()
            .map(|lanes| scope.whole(builder, lanes))
            .collect()
    }

    /// What a fold or scan makes of two values per accumulator, the first of which
    /// is of earlier iterations.
    pub fn combined(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        earlier: &[Value<'c, 'a>],
        later: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let earlier: Vec<Lanes> = earlier.iter().map(|&value| Lanes::Uniform(value)).collect();
        let later: Vec<Lanes> = later.iter().map(|&value| Lanes::Uniform(value)).collect();
        let single = Scope::single();
        let combined = self.combined_lanes(builder, leaf, single, &earlier, &later)?;
        combined
            .into_iter()
            .map(|lanes| single.whole(builder, lanes))
            .collect()
    }

    fn combined_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        scope: Scope<'c, 'a>,
        earlier: &[Lanes<'c, 'a>],
        later: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let view = self.plan.leaves[leaf].view.clone();
        let arguments = match self.plan.leaves[leaf].kind {
            Kind::ScanRight => [later, earlier].concat(),
            _ => [earlier, later].concat(),
        };
        self.lambda_in(scope, builder, &view, &arguments)
    }

    /// Takes one element per lane into a scan, and gives what the scan gives there.
    pub fn scan(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.now.scope;
        let exclusive = self.plan.leaves[leaf].view.flag("exclusive");
        let carried = self.states[&leaf].clone();
        let before: Vec<Lanes> = carried
            .iter()
            .map(|&value| scope.lanes(value, false))
            .collect();
        if !scope.is_vector() {
            let combined = self.combined_lanes(builder, leaf, scope, &before, elements)?;
            let state = combined
                .iter()
                .zip(&carried)
                .map(|(&new, &old)| kept_where_it_counts(builder, &scope, new, old))
                .collect::<Emitted<Values>>()?;
            self.states.insert(leaf, state);
            return Ok(if exclusive { before } else { combined });
        }
        let whole = Scope {
            mask: None,
            ..scope
        };
        let elements = self.counting_elements(builder, leaf, elements)?;
        let local = self.scan_lanes(builder, leaf, whole, elements)?;
        let scanned = self.combined_lanes(builder, leaf, whole, &before, &local)?;
        let state = match self.is_short(leaf) {
            true => {
                let last = self.last_lane(builder, leaf, whole, &local)?;
                self.combined_lanes(builder, leaf, whole, &before, &last)?
            }
            false => self.last_lane(builder, leaf, whole, &scanned)?,
        };
        let state = state.into_iter().map(|lanes| whole.whole(builder, lanes));
        self.states
            .insert(leaf, state.collect::<Emitted<Values>>()?);
        match exclusive {
            true => self.moved_up(builder, leaf, whole, &carried, &scanned),
            false => Ok(scanned),
        }
    }

    /// Whether a scan's function takes no longer than a shuffle.
    fn is_short(&self, leaf: LeafId) -> bool {
        let ops = operations(self.plan.leaves[leaf].op).into_iter();
        ops.map(instructions).sum::<f64>() <= SHUFFLE
    }

    /// The scan of a vector.
    fn scan_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        scope: Scope<'c, 'a>,
        elements: Values<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let neutrals = self.neutrals(leaf);
        let width = scope.width as i64;
        let mut lanes: Vec<Lanes> = elements
            .into_iter()
            .map(|value| scope.lanes(value, false))
            .collect();
        let mut distance = 1;
        while distance < width {
            let positions = moved_by(width, distance);
            let shifted = lanes
                .iter()
                .zip(&neutrals)
                .map(|(&lanes, &neutral)| {
                    let value = scope.whole(builder, lanes)?;
                    let none = scope.whole(builder, Lanes::Uniform(neutral))?;
                    let value = builder.shuffle(none, value, &positions, neutral.r#type())?;
                    Ok(scope.lanes(value, false))
                })
                .collect::<Emitted<Vec<Lanes>>>()?;
            lanes = self.combined_lanes(builder, leaf, scope, &shifted, &lanes)?;
            distance *= 2;
        }
        Ok(lanes)
    }

    /// The last lane of each vector, in all lanes.
    fn last_lane(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        scope: Scope<'c, 'a>,
        vectors: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let last = vec![scope.width as i64 - 1; scope.width as usize];
        let elements = self.neutrals(leaf).into_iter().map(|value| value.r#type());
        elements
            .zip(vectors)
            .map(|(element, &vector)| {
                let value = scope.whole(builder, vector)?;
                let value = builder.shuffle(value, value, &last, element)?;
                Ok(scope.lanes(value, false))
            })
            .collect()
    }

    /// What was carried in the first lane, and then each vector without its last lane.
    fn moved_up(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        scope: Scope<'c, 'a>,
        carried: &[Value<'c, 'a>],
        scanned: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let width = scope.width as i64;
        let positions = moved_by(width, 1);
        let elements = self.neutrals(leaf).into_iter().map(|value| value.r#type());
        elements
            .zip(carried.iter().zip(scanned))
            .map(|(element, (&before, &lanes))| {
                let value = scope.whole(builder, lanes)?;
                let value = builder.shuffle(before, value, &positions, element)?;
                Ok(scope.lanes(value, false))
            })
            .collect()
    }
}

/// The lanes of two vectors, one behind the other, from so many before the end of the first one
/// on: CPUs have instructions for just that.
fn moved_by(width: i64, distance: i64) -> Vec<i64> {
    (width - distance..2 * width - distance).collect()
}

/// A new value in the lanes that count, an old one in the others.
pub(super) fn kept_where_it_counts<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    new: Lanes<'c, 'a>,
    old: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let new = scope.whole(builder, new)?;
    match scope.mask {
        None => Ok(new),
        Some(mask) => Ok(builder.select(mask, new, old)?),
    }
}
