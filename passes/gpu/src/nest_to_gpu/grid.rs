//! Outermost loops whose iterations are shared by the threads, warps or blocks of a kernel.
//!
//! A loop that carries nothing has a thread for each iteration, neighbouring threads for neighbouring iterations. If the number of
//! blocks is limited, it is strided: threads go on by as many as there are in all. Of a loop that folds, each block has iterations that follow each
//! other, as many as its length says, whatever the GPU is like; what blocks have folded is put together
//! by a second kernel, in their order, if there are several.

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::gpu_schedule::{GpuSchedule, Grid, Team as Kind};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::{OpView, op_name},
};

use super::{
    Emitted, Values,
    launch::{Counts, Place, Sizes, barrier, launch, only_if},
    locals::{self, Locals},
    monoid::{Lanes, Monoid},
    outside::Outside,
    refused, schedule_of,
    tables::Tables,
    team::{self, Team},
    unrolled::{iterations, some_iterations},
    whole::{Axes, require_blocks},
};
use comb_nest::nests::Nest;

use crate::nest_schedule_gpu::{
    choose::is_shared,
    host::{Step, computed_before},
};

/// The most blocks along axes y and z, on any GPU.
const MOST_BLOCKS: u64 = 65535;

/// A value that is used in a loop, computed in front of it, if that needs no iteration.
pub(super) fn before_loop<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let mut copies: Vec<(Value<'c, 'a>, Value<'c, 'a>)> = vec![];
    for step in computed_before(value, nest)? {
        match step {
            Step::Computes(op) => {
                let copy = builder.copy(op, &mut |value| copied(&copies, value));
                for (old, new) in op.results().zip(copy.results()) {
                    copies.push((old.into(), new.into()));
                }
            }
            Step::Takes(value, same) => copies.push((value, copied(&copies, same))),
        }
    }
    Some(copied(&copies, value))
}

fn copied<'c: 'a, 'a>(
    copies: &[(Value<'c, 'a>, Value<'c, 'a>)],
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let copy = copies.iter().find(|(old, _)| *old == value);
    copy.map_or(value, |&(_, new)| new)
}

/// What cannot be done as a loop says.
pub(super) fn cannot<'c>(
    op: OperationRef<'c, '_>,
    why: impl std::fmt::Display,
) -> super::PassError<'c> {
    refused(
        op.location(),
        format!("'nest.loop' op has a schedule for a GPU that cannot be obeyed: {why}"),
    )
}

/// The body of a loop, moved into another one.
pub(super) fn body_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    index: Value<'c, 'a>,
    carried: &[Value<'c, 'a>],
) -> Emitted<'c, Values<'c, 'a>> {
    let body = OpView::of(op).block();
    let body = body.ok_or_else(|| refused(op.location(), "'nest.loop' op has no body"))?;
    Ok(builder.inline(body, &[&[index], carried].concat())?)
}

/// A loop that one thread runs.
pub(super) fn by_one_thread<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let op = nest.op;
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let one = builder.index(1)?;
    let sizes = Sizes::line(&builder, one, one)?;
    let locals = Locals::of(&builder, nest, one, locals::Owner::Thread)?;
    let inits: Values = op.operands().skip(1).collect();
    let memories = outside.memories(&builder, &inits)?;
    let length = op.operand(0)?;
    let made = launch(&builder, sizes, |builder, place| {
        let results = builder.for_loop(length, &inits, |builder, index, carried| {
            body_of(builder, op, index, carried)
        })?;
        for (&value, &memory) in results.iter().zip(&memories) {
            builder.store(value, memory, &[])?;
        }
        let zero = place.front(builder).index(0)?;
        locals.place(builder, place, zero)
    })?;
    outside.push(made);
    outside.replace(op, &memories)
}

/// A loop that the grid shares, with those inside that do.
pub(super) fn lower<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    is_shared(nest).map_err(|obstacle| cannot(nest.op, obstacle))?;
    let axes = axes(nest)?;
    for &(op, grid) in &axes {
        require_unrollable(&Nest::of(op), grid)?;
    }
    match axes.as_slice() {
        [(op, grid)] if op.result_count() > 0 => folded(nest, *grid, outside),
        [_] => strided(nest, &axes, outside),
        _ if axes.iter().any(|(op, _)| op.result_count() > 0) => Err(cannot(
            nest.op,
            "a loop that carries something is no axis of the grid beside others",
        )),
        _ => strided(nest, &axes, outside),
    }
}

/// Only what one thread does may be unrolled, where it has no loops and no arrays of its own.
pub(super) fn require_unrollable<'c: 'a, 'a>(nest: &Nest<'c, 'a>, grid: Grid) -> Emitted<'c, ()> {
    let has_arrays = nest.ops.iter().any(|&op| op_name(op) == "nest.local");
    let is_simple = grid.team == Kind::Thread && nest.is_innermost() && !has_arrays;
    match grid.unroll == 1 || is_simple {
        true => Ok(()),
        false => Err(cannot(
            nest.op,
            "only innermost loops that threads share, without arrays of an iteration, are unrolled",
        )),
    }
}

type Axis<'c, 'a> = (OperationRef<'c, 'a>, Grid);

/// The loops that are axes of the grid, outer ones first.
fn axes<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Emitted<'c, Vec<Axis<'c, 'a>>> {
    let (mut axes, mut current) = (vec![], nest);
    loop {
        if let GpuSchedule::Grid(grid) = schedule_of(current.op)? {
            axes.push((current.op, grid));
        }
        let mut shared = vec![];
        for inner in &current.inner {
            if matches!(schedule_of(inner.op)?, GpuSchedule::Grid(_)) {
                shared.push(inner);
            }
        }
        match (shared.as_slice(), current.inner.len()) {
            ([], _) => break,
            ([inner], 1) => current = inner,
            _ => return Err(cannot(nest.op, "an axis of the grid has loops beside it")),
        }
    }
    let mut numbers: Vec<u64> = axes.iter().map(|(_, grid)| grid.axis).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let (outer, last) = axes.split_at(axes.len().saturating_sub(1));
    let are_threads = axes.iter().all(|(_, grid)| grid.team == Kind::Thread);
    let are_teams = last.iter().all(|(_, grid)| grid.axis == 0)
        && outer
            .iter()
            .all(|(_, grid)| grid.team == Kind::Thread && grid.threads == 1);
    match axes.len() {
        1 if numbers == [0] => Ok(axes),
        _ if numbers.len() < axes.len() => Err(cannot(nest.op, "loops have the same axis")),
        _ if !numbers.contains(&0) => Err(cannot(nest.op, "no loop has axis 0")),
        _ if !are_threads && !are_teams => Err(cannot(
            nest.op,
            "warps or blocks share a loop along axis 0 only if loops around it have blocks of one thread",
        )),
        _ => Ok(axes),
    }
}

/// The last loop that is an axis of the grid.
fn last_axis<'n, 'c: 'a, 'a>(
    nest: &'n Nest<'c, 'a>,
    last: OperationRef<'c, 'a>,
) -> &'n Nest<'c, 'a> {
    let mut current = nest;
    while current.op != last {
        match current.inner.first() {
            Some(inner) => current = inner,
            None => break,
        }
    }
    current
}

/// Loops that carry nothing.
fn strided<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    axes: &[Axis<'c, 'a>],
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let Some(builder) = Builder::before(nest.op) else {
        return Ok(());
    };
    let &(last, grid) = axes
        .last()
        .ok_or_else(|| cannot(nest.op, "it has no axis"))?;
    let inner = last_axis(nest, last);
    let shape = Shape::of(&builder, inner, grid)?;
    let one = builder.index(1)?;
    let mut sizes = Sizes::line(&builder, one, shape.threads)?;
    let mut tables = None;
    let form = Axes::of(axes.iter().map(|&(_, grid)| grid));
    for &(op, own) in axes {
        let axis = own.axis as usize;
        let length = before_loop(&builder, op.operand(0)?, nest)
            .ok_or_else(|| cannot(op, "its length depends on a loop around it"))?;
        require_one_axis_for_tables(op, own, axes.len())?;
        tables = Tables::of(&builder, nest, own, length)?;
        let (size, threads) = match axes.len() {
            _ if axes.len() == 1 || own.team != Kind::Thread => {
                let unrolled = builder.index(own.unroll as i64)?;
                let size = builder.times(shape.units_of_block, unrolled)?;
                (size, shape.threads)
            }
            _ => {
                let size = own.threads.saturating_mul(own.unroll);
                (
                    builder.index(size as i64)?,
                    builder.index(own.threads as i64)?,
                )
            }
        };
        sizes.blocks[axis] = builder.parts(length, size)?;
        match (form.is_whole(own), form) {
            (true, Axes::Own) => require_blocks(&builder, op, sizes.blocks[axis])?,
            (true, Axes::Line) => {}
            (false, _) => {
                let most = match axis {
                    0 => own.blocks,
                    _ => own.blocks.min(MOST_BLOCKS),
                };
                let mut most = builder.index(most as i64)?;
                if let Some(tables) = &tables {
                    most = tables.most_blocks(&builder, most)?;
                }
                sizes.blocks[axis] = builder.least(sizes.blocks[axis], most)?;
            }
        }
        sizes.threads[axis] = threads;
    }
    let mut units = builder.times(sizes.blocks[0], shape.units_of_block)?;
    for &blocks in &sizes.blocks[1..] {
        units = builder.times(units, blocks)?;
    }
    let locals = Locals::of(&builder, inner, units, shape.owner())?;
    if axes.len() > 1 && grid.team == Kind::Thread && !locals.is_empty() {
        return Err(cannot(
            nest.op,
            "arrays of an iteration have no place where there are several axes",
        ));
    }
    let plan = team::Plan::of(inner)?;
    let mut shared = vec![];
    let launched = form.launched(&builder, nest.op, sizes)?;
    let made = launch(&builder, launched, |builder, place| {
        let place = &form.place(builder, place, sizes.blocks)?;
        let team = Team::new(builder, place, grid)?;
        let planes = builder.times(place.block[2], place.blocks[1])?;
        let rows = builder.add(planes, place.block[1])?;
        let owner = builder.add(builder.times(rows, team.units)?, team.unit)?;
        let loops =
            |builder: &Builder<'c, 'a>| axis_loops(builder, (axes, form), place, &team, &plan);
        match &tables {
            Some(tables) => shared = tables.around(builder, place, loops)?,
            None => loops(builder)?,
        }
        plan.apply(&team)?;
        locals.place(builder, place, owner)
    })?;
    if let Some(tables) = tables {
        tables.apply(made, &shared)?;
    }
    outside.push(made);
    outside.replace(nest.op, &[])
}

/// Blocks whose threads share one loop have tables.
fn require_one_axis_for_tables<'c>(
    op: OperationRef<'c, '_>,
    grid: Grid,
    axes: usize,
) -> Emitted<'c, ()> {
    match grid.tables > 0 && (axes > 1 || grid.team != Kind::Thread) {
        true => Err(cannot(
            op,
            "only a loop that threads share along one axis has tables",
        )),
        false => Ok(()),
    }
}

/// Loops along axes of the grid, in each other.
fn axis_loops<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    (axes, form): (&[Axis<'c, 'a>], Axes),
    place: &Place<'c, 'a>,
    team: &Team<'c, 'a>,
    plan: &team::Plan<'c, 'a>,
) -> Emitted<'c, ()> {
    let Some((&(op, grid), inner)) = axes.split_first() else {
        return Ok(());
    };
    let (first, step) = match grid.axis {
        0 => (team.unit, team.units),
        axis => {
            let axis = axis as usize;
            let own = builder.times(place.block[axis], place.threads[axis])?;
            let first = builder.add(own, place.thread[axis])?;
            (
                first,
                builder.times(place.blocks[axis], place.threads[axis])?,
            )
        }
    };
    let bounds = [first, op.operand(0)?, step];
    let is_whole = form.is_whole(grid);
    if grid.unroll > 1 {
        match is_whole {
            true => some_iterations(builder, op, bounds, grid.unroll)?,
            false => {
                iterations(builder, op, bounds, &[], grid.unroll)?;
            }
        }
        return Ok(());
    }
    let iteration = |builder: &Builder<'c, 'a>, index| {
        body_of(builder, op, index, &[])?;
        if plan.waits() && !is_whole {
            barrier(builder)?;
        }
        if let Some(&(inner_op, _)) = inner.first()
            && let Some(front) = Builder::before(inner_op)
        {
            axis_loops(&front, (inner, form), place, team, plan)?;
            front.erase(inner_op);
        }
        Emitted::Ok(())
    };
    if is_whole {
        let exists = builder.compare(Predicate::Slt, bounds[0], bounds[1])?;
        return only_if(builder, exists, |builder| iteration(builder, first));
    }
    builder.range_loop(bounds, &[], |builder, index, _| {
        iteration(builder, index)?;
        Emitted::Ok(vec![])
    })?;
    Ok(())
}

/// How many threads a block has, and how many iterations at once.
struct Shape<'c, 'a> {
    team: Kind,
    threads: Value<'c, 'a>,
    units_of_block: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Shape<'c, 'a> {
    fn of(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>, grid: Grid) -> Emitted<'c, Self> {
        require_whole_warps(nest.op, grid)?;
        let most = builder.index(grid.threads as i64)?;
        let (threads, units_of_block) = match grid.team {
            Kind::Thread => (most, most),
            Kind::Warp => (most, builder.index((grid.threads / grid.warp) as i64)?),
            Kind::Block => (
                fitting(builder, nest, grid)?.unwrap_or(most),
                builder.index(1)?,
            ),
        };
        Ok(Self {
            team: grid.team,
            threads,
            units_of_block,
        })
    }

    fn owner(&self) -> locals::Owner {
        match self.team {
            Kind::Thread => locals::Owner::Thread,
            Kind::Warp | Kind::Block => locals::Owner::Team,
        }
    }
}

/// As many threads as the loops inside are long, in whole warps, if that is known before.
fn fitting<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    grid: Grid,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    let warp = builder.index(grid.warp as i64)?;
    let mut longest = warp;
    for inner in &nest.inner {
        let Some(length) = before_loop(builder, inner.op.operand(0)?, nest) else {
            return Ok(None);
        };
        longest = builder.greatest(longest, length)?;
    }
    let most = builder.index(grid.threads as i64)?;
    let threads = builder.least(longest, most)?;
    let warps = builder.parts(threads, warp)?;
    Ok(Some(builder.times(warps, warp)?))
}

pub(super) fn require_whole_warps<'c>(op: OperationRef<'c, '_>, grid: Grid) -> Emitted<'c, ()> {
    let uses_warps = grid.team != Kind::Thread || op.result_count() > 0;
    match uses_warps && !grid.threads.is_multiple_of(grid.warp) {
        true => Err(cannot(
            op,
            format!(
                "{} threads are no whole warps of {}",
                grid.threads, grid.warp
            ),
        )),
        false => Ok(()),
    }
}

/// What the loop carries, as monoids.
pub(super) fn monoids<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Vec<Monoid<'c, 'a>> {
    let changed = nest.changed();
    let changed = changed.iter();
    changed
        .map(|changed| Monoid::of(changed, builder))
        .collect()
}

/// A loop that folds.
fn folded<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    grid: Grid,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let op = nest.op;
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let monoids = monoids(&builder, nest);
    let shape = Shape::of(&builder, nest, grid)?;
    let (length, inits) = (op.operand(0)?, op.operands().skip(1).collect::<Values>());
    let each = match grid.team {
        Kind::Thread => (grid.threads.saturating_mul(grid.part.max(grid.unroll))) as i64,
        Kind::Warp => (grid.threads / grid.warp) as i64,
        Kind::Block => 1,
    };
    let most = builder.index(grid.blocks as i64)?;
    let blocks = builder.parts(length, builder.index(each)?)?;
    let blocks = builder.least(blocks, most)?;
    let of_block = builder.parts(length, blocks)?;
    let partials = Partials::allocate(&builder, &inits, blocks, outside)?;
    let sizes = Sizes::line(&builder, blocks, shape.threads)?;
    let units = builder.times(blocks, shape.units_of_block)?;
    let locals = Locals::of(&builder, nest, units, shape.owner())?;
    let plan = team::Plan::of(nest)?;
    let in_any_order = monoids.iter().all(Monoid::is_commutative);
    let made = launch(&builder, sizes, |builder, place| {
        let team = Team::new(builder, place, grid)?;
        let first = builder.times(place.block[0], of_block)?;
        let end = builder.least(builder.add(first, of_block)?, length)?;
        let bounds = team.units_in_block(builder, first, end, in_any_order)?;
        let mut carried = inits.clone();
        for monoid in &monoids {
            monoid.put(&mut carried, &monoid.neutrals(builder)?);
        }
        let mut folded = match grid.unroll {
            1 => builder.range_loop(bounds, &carried, |builder, index, carried| {
                let folded = body_of(builder, op, index, carried)?;
                if plan.waits() {
                    barrier(builder)?;
                }
                Emitted::Ok(folded)
            })?,
            times => iterations(builder, op, bounds, &carried, times)?,
        };
        for monoid in &monoids {
            let own = team.fold_units(builder, monoid, &monoid.of_all(&folded))?;
            monoid.put(&mut folded, &own);
        }
        let whose = [place.block[0], place.is_first(builder)?];
        partials.store(builder, whose, &monoids, &folded)?;
        plan.apply(&team)?;
        locals.place(builder, place, team.unit)
    })?;
    outside.push(made);
    let memories = partials.put_together(&builder, &monoids, grid, outside)?;
    outside.replace(op, &memories)
}

/// What blocks have folded, in memory.
pub(super) struct Partials<'c, 'a> {
    memories: Values<'c, 'a>,
    blocks: Value<'c, 'a>,
    /// What was carried into the loop.
    inits: Values<'c, 'a>,
    /// Where all of it is in the end.
    results: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Partials<'c, 'a> {
    pub fn allocate(
        builder: &Builder<'c, 'a>,
        inits: &[Value<'c, 'a>],
        blocks: Value<'c, 'a>,
        outside: &Outside<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let types = inits.iter().map(|value| value.r#type());
        let memory = |r#type: Type<'c>| Ok(builder.allocate(&[Size::Dynamic(blocks)], r#type)?);
        Ok(Self {
            memories: types.map(memory).collect::<Emitted<_>>()?,
            blocks,
            inits: inits.to_vec(),
            results: outside.memories(builder, inits)?,
        })
    }

    fn has_others(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(builder.compare(Predicate::Sgt, self.blocks, builder.index(1)?)?)
    }

    /// The first thread of a block puts there what the block has folded: if it is the only one, to where all is in the end.
    pub fn store(
        &self,
        builder: &Builder<'c, 'a>,
        [block, is_first]: [Value<'c, 'a>; 2],
        monoids: &[Monoid<'c, 'a>],
        folded: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        only_if(builder, is_first, |builder| {
            builder.if_else(
                self.has_others(builder)?,
                &[],
                |builder| {
                    for (&value, &memory) in folded.iter().zip(&self.memories) {
                        builder.store(value, memory, &[block])?;
                    }
                    Emitted::Ok(vec![])
                },
                |builder| {
                    for monoid in monoids {
                        self.end(builder, monoid, &monoid.of_all(folded))?;
                    }
                    Ok(vec![])
                },
            )?;
            Ok(())
        })
    }

    /// Stores what a monoid gives in the end, behind what was carried in.
    fn end(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        folded: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let all = monoid.combine(builder, &monoid.of_all(&self.inits), folded)?;
        for (value, memory) in all.into_iter().zip(monoid.of_all(&self.results)) {
            builder.store(value, memory, &[])?;
        }
        Ok(())
    }

    /// A kernel of one block that puts together what blocks have folded, if there are several. Gives where that is.
    pub fn put_together(
        self,
        builder: &Builder<'c, 'a>,
        monoids: &[Monoid<'c, 'a>],
        grid: Grid,
        outside: &mut Outside<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let threads = builder.index(grid.threads as i64)?;
        let sizes = Sizes::line(builder, builder.index(1)?, threads)?;
        let has_others = self.has_others(builder)?;
        only_if(builder, has_others, |builder| {
            outside.push(launch(builder, sizes, |builder, place| {
                let lanes = Lanes::new(builder, place, grid.warp)?;
                let bounds = own_part(builder, place, self.blocks)?;
                let is_first = place.is_first(builder)?;
                for monoid in monoids {
                    let folded = self.fold_part(builder, monoid, bounds)?;
                    let all = lanes.fold_block(builder, monoid, &folded)?;
                    only_if(builder, is_first, |builder| self.end(builder, monoid, &all))?;
                }
                Ok(())
            })?);
            Ok(())
        })?;
        Ok(self.results)
    }

    /// What some blocks have folded, put together by a thread.
    fn fold_part(
        &self,
        builder: &Builder<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        bounds: [Value<'c, 'a>; 3],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let own = monoid.of_all(&self.memories);
        let neutrals = monoid.neutrals(builder)?;
        builder.range_loop(bounds, &neutrals, |builder, block, folded| {
            let values = own
                .iter()
                .map(|&memory| Ok(builder.load(memory, &[block])?));
            let values = values.collect::<Emitted<Values>>()?;
            monoid.combine(builder, folded, &values)
        })
    }
}

/// The part that a thread of the only block has of so many things: they follow each other.
pub(super) fn own_part<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    place: &Place<'c, 'a>,
    count: Value<'c, 'a>,
) -> Emitted<'c, [Value<'c, 'a>; 3]> {
    let part = builder.parts(count, place.threads[0])?;
    let first = builder.times(place.thread[0], part)?;
    let end = builder.least(builder.add(first, part)?, count)?;
    Ok([first, end, builder.index(1)?])
}
