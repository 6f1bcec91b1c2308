//! Loops over indices that wrap around, cut where they do.
//!
//! An index like `(i + k) mod n` goes up by one from one iteration to the next, until it
//! wraps around. A loop that only folds may begin its vectors anywhere. So it runs in
//! *pieces*, in which no index wraps around: all elements that are read there are
//! neighbours, and no vector has to be asked whether they are.
//!
//! 1. In front of a piece, each op that wraps an index says how far it goes on, given its
//!    operand at the first iteration. The piece is as long as the least of these numbers.
//! 2. The iterations of a piece are whole vectors, and one with a mask for what is left over.
//!
//! Short pieces would mostly be masks. So there is a loop without pieces as well, which runs
//! if an index wraps around before it has gone through a whole vector.
//!
//! Cost: the loop is there twice. A piece costs some arithmetic on numbers for each index.

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    lanes::{Lanes, Scope, lambda::InLanes},
    op_key,
    plan::{Component, Kind, Leaf, LeafId, Loop},
    read::rank,
    streaming::Stores,
};
use crate::{transformations::Transformation, walk::operations};

/// Ops that an index that goes up may be wrapped around by.
pub(super) const WRAPS: &[&str] = &["arith.andi", "arith.remui", "arith.remsi"];

/// What is known of ops that wrap an index around.
#[derive(Clone, Debug, Default)]
pub(super) enum Wrapping<'c, 'a> {
    /// They may do so in any lane.
    #[default]
    Unknown,
    /// These do not, at the iterations at hand.
    Never(Vec<Wrap<'c, 'a>>),
    /// That is being found out: these do.
    Measured(Vec<Wrap<'c, 'a>>),
}

/// An op that wraps an index around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrap<'c, 'a> {
    pub op: usize,
    /// How many iterations follow before it does so; without a sign.
    distance: Value<'c, 'a>,
    /// How many there are from one time to the next; if less than 1, nothing is known of
    /// the distance.
    pub period: Value<'c, 'a>,
    /// For how many more iterations it gives the same again after each period; without a
    /// sign.
    pub room: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether there are indices in a loop that may wrap around.
    pub fn may_have_pieces(&self, r#loop: &Loop<'c, 'a>) -> bool {
        self.stores == Stores::Cached && !self.wrapping_leaves(r#loop).is_empty()
    }

    /// The combinators in a loop that compute indices which may wrap around, and nothing
    /// but numbers from the loops' indices.
    pub fn wrapping_leaves(&self, r#loop: &Loop<'c, 'a>) -> Vec<LeafId> {
        let mut leaves = self.leaves_in(r#loop);
        leaves.retain(|&leaf| wraps_indices(&self.plan.leaves[leaf]));
        leaves
    }

    /// Iterations of a loop that only folds: in pieces, if these are long enough, else as
    /// other code says.
    pub fn in_pieces_or(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: [Value<'c, 'a>; 2],
        other: impl Fn(&mut Self, &Builder<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        if !self.applies(Transformation::Pieces, Site::Loop(r#loop.id)) {
            return other(self, builder);
        }
        let are_long = self.are_pieces_long(builder, r#loop, lanes, bounds)?;
        self.carrying_either(
            builder,
            are_long,
            |this, builder, are_long| match are_long {
                true => this.in_pieces(builder, r#loop, lanes, bounds),
                false => other(this, builder),
            },
        )
    }

    /// Whether there are iterations, and all indices go through a whole vector before they
    /// wrap around.
    fn are_pieces_long(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, Value<'c, 'a>> {
        let truth = builder.integer_type(1);
        let is_any = builder.compare(Predicate::Slt, first, end)?;
        let are_long = builder.if_else(
            is_any,
            &[truth],
            |builder| {
                let wraps = self.measured(builder, r#loop, lanes, first)?;
                let width = builder.index(lanes as i64)?;
                let none = builder.integer((!wraps.is_empty()).into(), truth)?;
                let all = wraps.iter().try_fold(none, |all, wrap| {
                    let is_long = builder.compare(Predicate::Sge, wrap.period, width)?;
                    builder.arithmetic("arith.andi", &[all, is_long])
                })?;
                Emitted::Ok(vec![all])
            },
            |builder| Ok(vec![builder.integer(0, truth)?]),
        )?;
        Ok(are_long[0])
    }

    fn in_pieces(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let before = self.open_lanes(builder, r#loop, lanes)?;
        self.carrying(|this, carried| {
            let begun = [&[first], carried].concat();
            let types: Vec<Type> = begun.iter().map(|value| value.r#type()).collect();
            let is_left = builder.region(&types, "scf.condition", |builder, now| {
                let is_left = builder.compare(Predicate::Slt, now[0], end)?;
                Emitted::Ok([&[is_left], now].concat())
            })?;
            let piece = builder.region(&types, "scf.yield", |builder, now| {
                let wraps = this.measured(builder, r#loop, lanes, now[0])?;
                let piece_end = piece_end(builder, &wraps, [now[0], end])?;
                let after = this.aside(|this| {
                    this.set_carried(&now[1..]);
                    this.wrapping = Wrapping::Never(wraps);
                    let done = this.vectors(builder, r#loop, lanes, [now[0], piece_end]);
                    this.wrapping = Wrapping::Unknown;
                    done
                })?;
                Emitted::Ok([&[piece_end], after.as_slice()].concat())
            })?;
            let pieces = builder.op("scf.while", &begun, &types, &[], vec![is_left, piece])?;
            Ok(pieces.results().skip(1).map(Into::into).collect())
        })?;
        self.close_lanes(builder, r#loop, lanes, before)
    }

    /// How the indices in a loop go on from an iteration that there is.
    pub fn measured(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        first: Value<'c, 'a>,
    ) -> Emitted<'c, Vec<Wrap<'c, 'a>>> {
        let before = self.moment();
        self.wrapping = Wrapping::Measured(vec![]);
        self.now.index.push(Lanes::Steps { first, step: 1 });
        self.now.scope = Scope {
            width: lanes,
            mask: None,
        };
        let done = self.compute_indices(builder, r#loop);
        let measured = std::mem::take(&mut self.wrapping);
        self.return_to(before);
        done?;
        match measured {
            Wrapping::Measured(wraps) => Ok(wraps),
            _ => Ok(vec![]),
        }
    }

    /// Whether indices are computed of which only the first lane is known to be one of the
    /// loop's.
    pub fn is_measuring(&self) -> bool {
        matches!(self.wrapping, Wrapping::Measured(_))
    }

    fn compute_indices(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for number in self.wrapping_leaves(r#loop) {
            let leaf = &self.plan.leaves[number];
            let index = self.index(builder, number, rank(leaf.view.result_types[0]))?;
            self.lambda(builder, &leaf.view, &index)?;
        }
        Ok(())
    }

    /// What an op makes of an index that goes up by one, if it wraps it around, but not at
    /// the iterations at hand.
    pub fn unwrapped(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Lanes<'c, 'a>>> {
        let name = op_name(op);
        let (first, limit) = match (name, operands) {
            (_, &[Lanes::Steps { first, step: 1 }, Lanes::Uniform(limit)])
            | ("arith.andi", &[Lanes::Uniform(limit), Lanes::Steps { first, step: 1 }]) => {
                (first, limit)
            }
            _ => return Ok(None),
        };
        if !WRAPS.contains(&name) || first.r#type() != builder.index_type() {
            return Ok(None);
        }
        match &mut self.wrapping {
            Wrapping::Never(wraps) if wraps.iter().any(|wrap| wrap.op == op_key(op)) => {}
            Wrapping::Measured(wraps) => wraps.push(Wrap::of(builder, op, first, limit)?),
            _ => return Ok(None),
        }
        let first = builder.arithmetic(name, &[first, limit])?;
        Ok(Some(Lanes::Steps { first, step: 1 }))
    }
}

impl<'c: 'a, 'a> Wrap<'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        index: Value<'c, 'a>,
        limit: Value<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let (name, op) = (op_name(op), op_key(op));
        let (one, ones) = (builder.index(1)?, builder.index(-1)?);
        let last = builder.arithmetic("arith.subi", &[limit, one])?;
        let to_last = |wrapped| builder.arithmetic("arith.subi", &[last, wrapped]);
        let zero = builder.index(0)?;
        Ok(match name {
            "arith.andi" => {
                // It goes up by one as long as only the ones at the end of the mask change.
                let next = builder.arithmetic("arith.addi", &[limit, one])?;
                let others = builder.arithmetic("arith.xori", &[next, ones])?;
                let low = builder.arithmetic("arith.andi", &[limit, others])?;
                let wrapped = builder.arithmetic("arith.andi", &[index, low])?;
                let is_low = builder.compare(Predicate::Eq, limit, low)?;
                Self {
                    op,
                    distance: builder.arithmetic("arith.subi", &[low, wrapped])?,
                    period: builder.arithmetic("arith.addi", &[low, one])?,
                    room: builder.select(is_low, ones, zero)?,
                }
            }
            "arith.remui" => {
                let distance = to_last(builder.arithmetic(name, &[index, limit])?)?;
                let to_greatest = builder.arithmetic("arith.xori", &[index, ones])?;
                Self {
                    op,
                    distance: builder.arithmetic("arith.minui", &[distance, to_greatest])?,
                    period: limit,
                    room: to_greatest,
                }
            }
            _ => {
                // Remainders of negative numbers go up to zero.
                let wrapped = builder.arithmetic(name, &[index, limit])?;
                let to_zero = builder.arithmetic("arith.subi", &[zero, wrapped])?;
                let greatest = builder.index(i64::MAX)?;
                let to_greatest = builder.arithmetic("arith.subi", &[greatest, index])?;
                let to_last = to_last(wrapped)?;
                let distance = builder.arithmetic("arith.minui", &[to_last, to_greatest])?;
                let is_negative = builder.compare(Predicate::Slt, index, zero)?;
                Self {
                    op,
                    distance: builder.select(is_negative, to_zero, distance)?,
                    period: limit,
                    room: builder.select(is_negative, zero, to_greatest)?,
                }
            }
        })
    }
}

/// The index before which a piece ends that begins at another.
fn piece_end<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    wraps: &[Wrap<'c, 'a>],
    [first, end]: [Value<'c, 'a>; 2],
) -> Emitted<'c, Value<'c, 'a>> {
    let one = builder.index(1)?;
    let left = builder.arithmetic("arith.subi", &[end, first])?;
    let left = builder.arithmetic("arith.subi", &[left, one])?;
    let last = wraps.iter().try_fold(left, |least, wrap| {
        builder.arithmetic("arith.minui", &[least, wrap.distance])
    })?;
    let length = builder.arithmetic("arith.addi", &[last, one])?;
    Ok(builder.arithmetic("arith.addi", &[first, length])?)
}

/// Whether a combinator only computes indices from those of loops, and may wrap some around.
fn wraps_indices(leaf: &Leaf) -> bool {
    let ops = || {
        let ops = operations(leaf.op).into_iter().map(op_name);
        ops.filter(|&name| name != "soac.yield")
    };
    let is_loop = |component: &Component| matches!(component, Component::Loop { .. });
    matches!(leaf.kind, Kind::Generate | Kind::Backpermute)
        && leaf.clock.is_none()
        && leaf.components.iter().all(is_loop)
        && ops().all(|name| name.starts_with("arith.") || name == "soac.check")
        && ops().any(|name| WRAPS.contains(&name))
}
