//! Rows of a loop that scans or filters: so many iterations that follow each other, one for each thread of a warp or
//! block. Neighbouring threads have neighbouring iterations, so that whatever they read and write is beside each other.
//! What comes before each is found out by shuffles, and between warps through shared memory.

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::gpu_schedule::Team as Kind;
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use super::{
    Emitted, Values,
    grid::body_of,
    launch::Counts,
    monoid::{Lanes, Monoid},
};
use comb_cpu::{nest_schedule::sums::Stage, nest_to_vectors::summed::Summed};
use comb_nest::nests::Nest;

/// What a loop carries from row to row.
pub(super) struct Rows<'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// Scans, and counts of filters.
    pub links: Vec<Monoid<'c, 'a>>,
    /// What the loop folds besides.
    pub folds: Vec<Monoid<'c, 'a>>,
}

/// An iteration of a thread.
#[derive(Clone, Copy)]
pub(super) struct Iteration<'c, 'a> {
    index: Value<'c, 'a>,
    exists: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Iteration<'c, 'a> {
    /// That of a thread, in the row that begins with another one.
    pub fn of(
        builder: &Builder<'c, 'a>,
        row: Value<'c, 'a>,
        rank: Value<'c, 'a>,
        end: Value<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let index = builder.add(row, rank)?;
        let exists = builder.compare(Predicate::Slt, index, end)?;
        Ok(Self { index, exists })
    }

    /// What is done in it, or else other values.
    fn run(
        self,
        builder: &Builder<'c, 'a>,
        otherwise: &[Value<'c, 'a>],
        op: OperationRef<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let types: Vec<Type> = otherwise.iter().map(|value| value.r#type()).collect();
        builder.if_else(
            self.exists,
            &types,
            |builder| body_of(builder, op, self.index, otherwise),
            |_| Ok(otherwise.to_vec()),
        )
    }
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    pub fn of(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>, stage: &Stage<'c, 'a>) -> Self {
        let mut folds = nest.changed();
        folds.retain(|changed| op_name(changed.op) == "nest.fold");
        let links = stage.summed.iter();
        Self {
            op: nest.op,
            links: links.map(|link| Monoid::of(link, builder)).collect(),
            folds: folds.iter().map(|fold| Monoid::of(fold, builder)).collect(),
        }
    }

    /// What the loop begins with.
    pub fn inits(&self) -> Values<'c, 'a> {
        self.op.operands().skip(1).collect()
    }

    /// All that is carried, with neutral elements for scans and filters.
    pub fn neutral(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
        let mut carried = self.inits();
        for link in &self.links {
            link.put(&mut carried, &link.neutrals(builder)?);
        }
        Ok(carried)
    }

    /// What an iteration adds to scans and filters, among all that is carried: nothing, if there is none.
    pub fn added(
        &self,
        builder: &Builder<'c, 'a>,
        summed: &Summed<'c, 'a>,
        iteration: Iteration<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut added = self.neutral(builder)?;
        let positions = summed.positions.iter();
        let own: Values = positions.map(|&position| added[position]).collect();
        let sums = iteration.run(builder, &own, summed.op)?;
        for (&position, sum) in summed.positions.iter().zip(sums) {
            added[position] = sum;
        }
        Ok(added)
    }

    /// What a thread does in rows from a first to before an end, as wide as a step, given what scans and filters begin with.
    pub fn all(
        &self,
        builder: &Builder<'c, 'a>,
        team: (&Lanes<'c, 'a>, Kind),
        (summed, rank): (&Summed<'c, 'a>, Value<'c, 'a>),
        bounds: [Value<'c, 'a>; 3],
        carried: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut carried = carried.to_vec();
        for fold in &self.folds {
            fold.put(&mut carried, &fold.neutrals(builder)?);
        }
        builder.range_loop(bounds, &carried, |builder, row, carried| {
            let iteration = Iteration::of(builder, row, rank, bounds[1])?;
            self.step(builder, team, summed, iteration, carried)
        })
    }

    /// What a thread does in a row, given what all carry there; gives that for the next row. A fold whose order does not matter
    /// is each thread's own.
    fn step(
        &self,
        builder: &Builder<'c, 'a>,
        team: (&Lanes<'c, 'a>, Kind),
        summed: &Summed<'c, 'a>,
        iteration: Iteration<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let (lanes, kind) = team;
        let added = self.added(builder, summed, iteration)?;
        let (mut own, mut next) = (carried.to_vec(), carried.to_vec());
        for link in &self.links {
            let values = link.of_all(&added);
            let [before, all] = match kind {
                Kind::Block => lanes.scan_block(builder, link, &values)?,
                Kind::Warp | Kind::Thread => lanes.scan_warp(builder, link, &values)?,
            };
            let carried = link.of_all(carried);
            link.put(&mut own, &link.combine(builder, &carried, &before)?);
            link.put(&mut next, &link.combine(builder, &carried, &all)?);
        }
        let ordered = || self.folds.iter().filter(|fold| !fold.is_commutative());
        for fold in ordered() {
            fold.put(&mut own, &fold.neutrals(builder)?);
        }
        let done = iteration.run(builder, &own, self.op)?;
        for fold in &self.folds {
            fold.put(&mut next, &fold.of_all(&done));
        }
        for fold in ordered() {
            let values = fold.of_all(&done);
            let row = match kind {
                Kind::Block => lanes.fold_block(builder, fold, &values)?,
                Kind::Warp | Kind::Thread => lanes.fold_warp(builder, fold, &values)?,
            };
            let all = fold.combine(builder, &fold.of_all(carried), &row)?;
            fold.put(&mut next, &all);
        }
        Ok(next)
    }
}
