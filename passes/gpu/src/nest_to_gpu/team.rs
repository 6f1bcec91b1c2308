//! Loops inside, which the threads of a warp or block share that runs an iteration of the loop around
//! them.
//!
//! What stands beside these loops is the same for all threads of the team, which all compute it; what
//! it writes is written by the first of them. Threads wait for each other where one reads what another
//! one has written.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use nest_dialect::gpu_schedule::{GpuSchedule, Grid, Team as Kind};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use super::{
    Emitted, Values,
    grid::{body_of, cannot, monoids},
    launch::{Counts, Place, barrier, only_if},
    monoid::{Lanes, Monoid},
    rows::Rows,
    schedule_of,
};
use comb_cpu::{
    nest_schedule::{accesses::Access, sums::stages},
    nest_to_vectors::summed::Summed,
};
use comb_nest::nests::Nest;

use crate::nest_schedule_gpu::choose::to_team;

/// Who runs an iteration, and the part of a thread in that.
pub(super) struct Team<'c, 'a> {
    kind: Kind,
    /// Which team of the grid it is.
    pub unit: Value<'c, 'a>,
    /// How many there are.
    pub units: Value<'c, 'a>,
    /// Which thread of the team this is.
    rank: Value<'c, 'a>,
    /// How many threads it has.
    size: Value<'c, 'a>,
    lanes: Lanes<'c, 'a>,
    place: Place<'c, 'a>,
    grid: Grid,
}

impl<'c: 'a, 'a> Team<'c, 'a> {
    pub fn new(builder: &Builder<'c, 'a>, place: &Place<'c, 'a>, grid: Grid) -> Emitted<'c, Self> {
        let one = builder.index(1)?;
        let threads = builder.times(place.blocks[0], place.threads[0])?;
        let own = builder.times(place.block[0], place.threads[0])?;
        let thread = builder.add(own, place.thread[0])?;
        let warp = builder.index(grid.warp as i64)?;
        let (unit, units, rank, size) = match grid.team {
            Kind::Thread => (thread, threads, builder.index(0)?, one),
            Kind::Warp => (
                builder.quotient(thread, warp)?,
                builder.quotient(threads, warp)?,
                builder.remainder(place.thread[0], warp)?,
                warp,
            ),
            Kind::Block => (
                place.block[0],
                place.blocks[0],
                place.thread[0],
                place.threads[0],
            ),
        };
        Ok(Self {
            kind: grid.team,
            unit,
            units,
            rank,
            size,
            lanes: Lanes::new(builder, place, grid.warp)?,
            place: *place,
            grid,
        })
    }

    /// The iterations that a team has of those of its block: first, end and step.
    pub fn units_in_block(
        &self,
        builder: &Builder<'c, 'a>,
        first: Value<'c, 'a>,
        end: Value<'c, 'a>,
        in_any_order: bool,
    ) -> Emitted<'c, [Value<'c, 'a>; 3]> {
        let one = builder.index(1)?;
        let warp = builder.index(self.grid.warp as i64)?;
        let (rank, count) = match self.kind {
            Kind::Thread => (self.place.thread[0], self.place.threads[0]),
            Kind::Warp => (
                builder.quotient(self.place.thread[0], warp)?,
                builder.quotient(self.place.threads[0], warp)?,
            ),
            Kind::Block => return Ok([first, end, one]),
        };
        share(builder, [first, end], [rank, count], in_any_order)
    }

    /// What the teams of a block have folded, put together.
    pub fn fold_units(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        match self.kind {
            Kind::Thread => self.lanes.fold_block(builder, monoid, values),
            Kind::Warp => self.lanes.fold_warps(builder, monoid, values),
            Kind::Block => Ok(values.to_vec()),
        }
    }

    fn fold(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        match self.kind {
            Kind::Thread => Ok(values.to_vec()),
            Kind::Warp => self.lanes.fold_warp(builder, monoid, values),
            Kind::Block => self.lanes.fold_block(builder, monoid, values),
        }
    }

    /// A loop that the team shares.
    fn share(&self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let Some(builder) = Builder::before(op) else {
            return Ok(());
        };
        if Nest::of(op).is_chained() {
            return self.scan(&builder, op);
        }
        let monoids = monoids(&builder, &Nest::of(op));
        let in_any_order = monoids.iter().all(Monoid::is_commutative);
        let zero = builder.index(0)?;
        let bounds = [zero, op.operand(0)?];
        let bounds = share(&builder, bounds, [self.rank, self.size], in_any_order)?;
        let inits: Values = op.operands().skip(1).collect();
        let mut carried = inits.clone();
        for monoid in &monoids {
            monoid.put(&mut carried, &monoid.neutrals(&builder)?);
        }
        let mut folded = builder.range_loop(bounds, &carried, |builder, index, carried| {
            body_of(builder, op, index, carried)
        })?;
        for monoid in &monoids {
            let all = self.fold(&builder, monoid, &monoid.of_all(&folded))?;
            let all = monoid.combine(&builder, &monoid.of_all(&inits), &all)?;
            monoid.put(&mut folded, &all);
        }
        builder.replace(op, &folded);
        Ok(())
    }
}

impl<'c: 'a, 'a> Team<'c, 'a> {
    /// A loop that scans or filters, which the team shares row by row.
    fn scan(&self, builder: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let nest = Nest::of(op);
        let stages = stages(&nest).map_err(|obstacle| cannot(op, obstacle))?;
        let Some(stage) = stages.first() else {
            return Ok(());
        };
        let rows = Rows::of(builder, &nest, stage);
        let summed = Summed::of(&nest, stage)?;
        let length = op.operand(0)?;
        let (team, own) = ((&self.lanes, self.kind), (&summed, self.rank));
        let bounds = [builder.index(0)?, length, self.size];
        let mut carried = rows.all(builder, team, own, bounds, &rows.inits())?;
        for fold in &rows.folds {
            let own = fold.of_all(&carried);
            let all = match fold.is_commutative() {
                true => self.fold(builder, fold, &own)?,
                false => own,
            };
            let all = fold.combine(builder, &fold.of_all(&rows.inits()), &all)?;
            fold.put(&mut carried, &all);
        }
        builder.erase(summed.op);
        builder.replace(op, &carried);
        Ok(())
    }
}

/// The part that one of some has of iterations from a first to before an end: neighbours have
/// neighbouring ones, if they may be combined in any order.
fn share<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    [first, end]: [Value<'c, 'a>; 2],
    [rank, count]: [Value<'c, 'a>; 2],
    in_any_order: bool,
) -> Emitted<'c, [Value<'c, 'a>; 3]> {
    if in_any_order {
        return Ok([builder.add(first, rank)?, end, count]);
    }
    let part = builder.parts(builder.subtract(end, first)?, count)?;
    let own = builder.add(first, builder.times(rank, part)?)?;
    let own_end = builder.least(builder.add(own, part)?, end)?;
    Ok([own, own_end, builder.index(1)?])
}

/// What becomes of the body of a loop that teams share. It is found out before the body is moved.
pub(super) struct Plan<'c, 'a> {
    /// Loops that a team shares, and whether threads wait before and behind: others may still read what is overwritten, and
    /// then read what was written.
    shared: Vec<(OperationRef<'c, 'a>, bool)>,
    /// What the first thread of a team writes, and whether threads wait before and behind.
    written: Vec<(OperationRef<'c, 'a>, bool)>,
    is_of_teams: bool,
}

impl<'c: 'a, 'a> Plan<'c, 'a> {
    /// For a loop of which a thread, warp or block runs an iteration.
    pub fn of(nest: &Nest<'c, 'a>) -> Emitted<'c, Self> {
        let GpuSchedule::Grid(grid) = schedule_of(nest.op)? else {
            return Err(cannot(nest.op, "the grid does not share it"));
        };
        let mut plan = Self {
            shared: vec![],
            written: vec![],
            is_of_teams: grid.team != Kind::Thread,
        };
        plan.loops(nest, nest)?;
        if !plan.is_of_teams {
            return Ok(plan);
        }
        for &op in &nest.ops {
            if matches!(op_name(op), "nest.write" | "nest.scatter") {
                let waits = is_accessed_elsewhere(nest, &[op]);
                plan.written.push((op, waits));
            }
        }
        match grid.team == Kind::Warp && plan.waits() {
            true => Err(cannot(
                nest.op,
                "threads of a warp would have to wait for each other's writes",
            )),
            false => Ok(plan),
        }
    }

    fn loops(&mut self, nest: &Nest<'c, 'a>, around: &Nest<'c, 'a>) -> Emitted<'c, ()> {
        for inner in &around.inner {
            match schedule_of(inner.op)? {
                GpuSchedule::Sequential if self.is_of_teams => {
                    return Err(cannot(
                        inner.op,
                        "a warp or block runs an iteration around it, and does not share it",
                    ));
                }
                GpuSchedule::Sequential => self.loops(nest, inner)?,
                GpuSchedule::Team if !self.is_of_teams => {
                    return Err(cannot(inner.op, "one thread runs an iteration around it"));
                }
                GpuSchedule::Team => {
                    to_team(inner).map_err(|obstacle| cannot(inner.op, obstacle))?;
                    let ops = inner.deep_ops();
                    let waits = is_accessed_elsewhere(nest, &ops);
                    self.shared.push((inner.op, waits));
                    self.sequential(inner)?;
                }
                other => {
                    return Err(cannot(
                        inner.op,
                        format!("level \"{}\" is not for a loop inside", other.level()),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Loops inside one that a team shares.
    fn sequential(&self, nest: &Nest<'c, 'a>) -> Emitted<'c, ()> {
        for inner in &nest.inner {
            if schedule_of(inner.op)? != GpuSchedule::Sequential {
                return Err(cannot(inner.op, "a team shares a loop around it already"));
            }
            self.sequential(inner)?;
        }
        Ok(())
    }

    /// Whether threads of a team wait for each other before the next iteration.
    pub fn waits(&self) -> bool {
        let mut all = self.shared.iter().chain(&self.written);
        all.any(|(_, waits)| *waits)
    }

    /// Changes the body, which is in a kernel by now.
    pub fn apply(&self, team: &Team<'c, 'a>) -> Emitted<'c, ()> {
        for &(op, waits) in &self.written {
            let Some(builder) = following(op) else {
                continue;
            };
            if waits {
                barrier(&builder)?;
            }
            let is_first = builder.compare(Predicate::Eq, team.rank, builder.index(0)?)?;
            only_if(&builder, is_first, |builder| {
                builder.move_here(op);
                Ok(())
            })?;
            if waits {
                barrier(&builder)?;
            }
        }
        for &(op, waits) in &self.shared {
            let next = following(op);
            if waits && let Some(builder) = Builder::before(op) {
                barrier(&builder)?;
            }
            team.share(op)?;
            if waits && let Some(builder) = next {
                barrier(&builder)?;
            }
        }
        Ok(())
    }
}

/// Builds behind an op that may be moved.
fn following<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Builder<'c, 'a>> {
    let next = op.next_in_block()?;
    // SAFETY: what follows a live op is alive as long.
    Builder::before(unsafe { OperationRef::from_raw(next.to_raw()) })
}

/// Whether what some ops write is read or written elsewhere in a loop.
fn is_accessed_elsewhere<'c: 'a, 'a>(nest: &Nest<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> bool {
    let written = ops.iter().flat_map(|&op| Access::of(op));
    let written = written.filter(|access| access.is_write);
    let written: Vec<usize> = written.map(|access| access.root()).collect();
    let others = nest.deep_ops().into_iter().filter(|op| !ops.contains(op));
    let mut others = others.flat_map(Access::of);
    others.any(|access| written.contains(&access.root()))
}
