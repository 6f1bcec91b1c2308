//! What loops carry, put together by the threads of a warp or a block.
//!
//! Everywhere parts are combined in the order of their threads, so that operators need not be
//! commutative, and results have the same bits each time.

use melior::ir::{OperationRef, Type, Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{OpView, op_name},
};

use super::{
    Emitted, Values,
    launch::{Counts, Place, barrier, only_if, words},
};
use comb_kit::{commutativity::is_commutative, inline_copy::inline_copy};
use comb_nest::nests::Changed;

/// The numbers that one op changes, and how.
pub(super) struct Monoid<'c, 'a> {
    /// A fold or scan; nothing if it counts what a filter keeps.
    operator: Option<OperationRef<'c, 'a>>,
    /// Where the numbers are among what the loop carries.
    pub positions: Vec<usize>,
    neutrals: Values<'c, 'a>,
    pub types: Vec<Type<'c>>,
}

impl<'c: 'a, 'a> Monoid<'c, 'a> {
    pub fn of(changed: &Changed<'c, 'a>, builder: &Builder<'c, 'a>) -> Self {
        let positions = changed.positions.clone();
        match op_name(changed.op) {
            "nest.keep" => Self {
                operator: None,
                positions,
                neutrals: vec![],
                types: vec![builder.index_type()],
            },
            _ => {
                let view = OpView::of(changed.op);
                let neutrals = view.operands[view.group(2)].to_vec();
                Self {
                    operator: Some(changed.op),
                    positions,
                    types: neutrals.iter().map(|value| value.r#type()).collect(),
                    neutrals,
                }
            }
        }
    }

    pub fn neutrals(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
        match self.operator {
            Some(_) => Ok(self.neutrals.clone()),
            None => Ok(vec![builder.index(0)?]),
        }
    }

    /// Whether it may be combined in any order, but for rounding.
    pub fn is_commutative(&self) -> bool {
        self.operator
            .is_none_or(|op| is_commutative(&OpView::of(op)))
    }

    /// What comes first, combined with what comes after.
    pub fn combine(
        &self,
        builder: &Builder<'c, 'a>,
        before: &[Value<'c, 'a>],
        after: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let Some(op) = self.operator else {
            return Ok(vec![builder.add(before[0], after[0])?]);
        };
        let arguments = match OpView::of(op).flag("right") {
            true => [after, before].concat(),
            false => [before, after].concat(),
        };
        Ok(inline_copy(builder, op, &arguments)?)
    }

    /// Its numbers of all that are carried.
    pub fn of_all(&self, all: &[Value<'c, 'a>]) -> Values<'c, 'a> {
        let own = self.positions.iter();
        own.map(|&position| all[position]).collect()
    }

    /// Puts its numbers among all that are carried.
    pub fn put(&self, all: &mut [Value<'c, 'a>], own: &[Value<'c, 'a>]) {
        for (&position, &value) in self.positions.iter().zip(own) {
            all[position] = value;
        }
    }
}

/// The lanes of a warp, in a block whose threads stand along x.
pub(super) struct Lanes<'c, 'a> {
    place: Place<'c, 'a>,
    warp: u64,
    /// Which lane of its warp a thread is.
    pub lane: Value<'c, 'a>,
    /// Which warp of its block.
    pub number: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Lanes<'c, 'a> {
    pub fn new(builder: &Builder<'c, 'a>, place: &Place<'c, 'a>, warp: u64) -> Emitted<'c, Self> {
        let width = builder.index(warp as i64)?;
        Ok(Self {
            place: *place,
            warp,
            lane: builder.remainder(place.thread[0], width)?,
            number: builder.quotient(place.thread[0], width)?,
        })
    }

    /// What a lane of the warp has.
    fn of_lane(
        &self,
        builder: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
        lane: Value<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let word = builder.integer_type(32);
        let lane = builder.value("arith.index_cast", &[lane], word, &[])?;
        let width = builder.integer(self.warp as i64, word)?;
        let mode = builder.attribute("#gpu<shuffle_mode idx>")?;
        let mut shuffle = |builder: &Builder<'c, 'a>, value: Value<'c, 'a>| {
            let types = [value.r#type(), builder.integer_type(1)];
            let operands = [value, lane, width];
            let op = builder.op("gpu.shuffle", &operands, &types, &[("mode", mode)], vec![])?;
            Emitted::Ok(op.result(0)?.into())
        };
        let values = values.iter();
        values
            .map(|&value| words(builder, value, &mut shuffle))
            .collect()
    }

    /// Of each lane and all before it in the warp.
    fn prefixes(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut prefixes = values.to_vec();
        let mut distance = 1;
        while distance < self.warp {
            let far = builder.index(distance as i64)?;
            let has_other = builder.compare(Predicate::Sge, self.lane, far)?;
            let other = builder.subtract(self.lane, far)?;
            let other = builder.greatest(other, builder.index(0)?)?;
            let before = self.of_lane(builder, &prefixes, other)?;
            let combined = monoid.combine(builder, &before, &prefixes)?;
            for (own, combined) in prefixes.iter_mut().zip(combined) {
                *own = builder.select(has_other, combined, *own)?;
            }
            distance *= 2;
        }
        Ok(prefixes)
    }

    /// Of all lanes of the warp, for all of them.
    pub fn fold_warp(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut values = values.to_vec();
        let last = builder.index(self.warp as i64 - 1)?;
        let mut distance = 1;
        // What lanes near the end get from themselves, the first one does not get.
        while distance < self.warp {
            let other = builder.add(self.lane, builder.index(distance as i64)?)?;
            let other = builder.least(other, last)?;
            let after = self.of_lane(builder, &values, other)?;
            values = monoid.combine(builder, &values, &after)?;
            distance *= 2;
        }
        self.of_lane(builder, &values, builder.index(0)?)
    }

    /// Puts what one lane of each warp has where all threads of the block see it.
    fn tell(
        &self,
        builder: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
        is_teller: Value<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let most = nest_dialect::gpu_schedule::MOST_THREADS / self.warp;
        let shared = values.iter();
        let shared: Values = shared
            .map(|value| self.place.shared(builder, &[most.max(1)], value.r#type()))
            .collect::<Emitted<_>>()?;
        only_if(builder, is_teller, |builder| {
            for (&value, &memory) in values.iter().zip(&shared) {
                builder.store(value, memory, &[self.number])?;
            }
            Ok(())
        })?;
        barrier(builder)?;
        Ok(shared)
    }

    /// What the warps from the first to before another one have told.
    fn fold_told(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        shared: &[Value<'c, 'a>],
        end: Value<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let neutrals = monoid.neutrals(builder)?;
        builder.for_loop(end, &neutrals, |builder, warp, folded| {
            let told = shared
                .iter()
                .map(|&memory| Ok(builder.load(memory, &[warp])?));
            let told = told.collect::<Emitted<Values>>()?;
            monoid.combine(builder, folded, &told)
        })
    }

    fn warps(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let width = builder.index(self.warp as i64)?;
        builder.quotient(self.place.threads[0], width)
    }

    /// Of all threads of the block, for all of them.
    pub fn fold_block(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let folded = self.fold_warp(builder, monoid, values)?;
        self.fold_warps(builder, monoid, &folded)
    }

    /// Of all warps of the block, whose lanes have the same, for all threads.
    pub fn fold_warps(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let is_first = builder.compare(Predicate::Eq, self.lane, builder.index(0)?)?;
        let shared = self.tell(builder, values, is_first)?;
        let all = self.fold_told(builder, monoid, &shared, self.warps(builder)?)?;
        barrier(builder)?;
        Ok(all)
    }

    /// What the warps of the block before each have, whose lanes have the same, and what all have.
    pub fn scan_warps(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, [Values<'c, 'a>; 2]> {
        let is_first = builder.compare(Predicate::Eq, self.lane, builder.index(0)?)?;
        let shared = self.tell(builder, values, is_first)?;
        let before = self.fold_told(builder, monoid, &shared, self.number)?;
        let all = self.fold_told(builder, monoid, &shared, self.warps(builder)?)?;
        barrier(builder)?;
        Ok([before, all])
    }

    /// What the lanes of the warp before each have, and what all have.
    pub fn scan_warp(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, [Values<'c, 'a>; 2]> {
        let prefixes = self.prefixes(builder, monoid, values)?;
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let last = builder.index(self.warp as i64 - 1)?;
        let all = self.of_lane(builder, &prefixes, last)?;
        let other = builder.greatest(builder.subtract(self.lane, one)?, zero)?;
        let others = self.of_lane(builder, &prefixes, other)?;
        let is_first = builder.compare(Predicate::Eq, self.lane, zero)?;
        let mut before = vec![];
        for (neutral, other) in monoid.neutrals(builder)?.into_iter().zip(others) {
            before.push(builder.select(is_first, neutral, other)?);
        }
        Ok([before, all])
    }

    /// What the threads of the block before each have, and what all have.
    pub fn scan_block(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, [Values<'c, 'a>; 2]> {
        let [lanes, warp] = self.scan_warp(builder, monoid, values)?;
        let [warps, all] = self.scan_warps(builder, monoid, &warp)?;
        Ok([monoid.combine(builder, &warps, &lanes)?, all])
    }
}
