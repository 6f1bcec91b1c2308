//! Loops that scan or filter. Each thread has some iterations, one after the other. A first kernel sums
//! up what they add, thread by thread and block by block; a second one, of one block, finds out what is
//! before each block; a third one does what the loop does, now that each thread knows what is before
//! its iterations. What the loop folds besides is put together by a fourth one.

use melior::ir::{Value, operation::OperationLike};
use nest_dialect::gpu_schedule::{Grid, Team as Kind};
use soac_dialect::{
    builder::{Builder, Size},
    view::op_name,
};

use super::{
    Emitted, Values,
    grid::{Partials, body_of, cannot, own_part, put_together, require_whole_warps},
    launch::{Counts, Place, Sizes, launch, only_if},
    locals::{Locals, Owner},
    monoid::{Lanes, Monoid},
    outside::Outside,
    team::Plan,
};
use comb_cpu::{
    nest_schedule::sums::{Stage, stages},
    nest_to_vectors::summed::Summed,
};
use comb_nest::nests::Nest;

use crate::nest_schedule_gpu::choose::is_shared;

/// A scan or filter, and what is known of it in memory.
struct Link<'c, 'a> {
    monoid: Monoid<'c, 'a>,
    /// For each thread, what the threads before it in its block add.
    threads: Values<'c, 'a>,
    /// For each block, what it adds, and then what is before it.
    blocks: Values<'c, 'a>,
    /// What the loop gives.
    results: Values<'c, 'a>,
    /// What was before the loop.
    inits: Values<'c, 'a>,
}

/// What is the same for all kernels.
struct Parts<'c, 'a> {
    grid: Grid,
    sizes: Sizes<'c, 'a>,
    length: Value<'c, 'a>,
}

/// A loop that the threads of a grid share.
pub(super) fn lower<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    grid: Grid,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let op = nest.op;
    is_shared(nest).map_err(|obstacle| cannot(op, obstacle))?;
    require_whole_warps(op, grid)?;
    if grid.team != Kind::Thread || grid.axis != 0 || grid.unroll != 1 {
        return Err(cannot(
            op,
            "threads along axis 0 share what scans or filters, and do not unroll it",
        ));
    }
    let stages = stages(nest).map_err(|obstacle| cannot(op, obstacle))?;
    let (Some(builder), Some(stage)) = (Builder::before(op), stages.first()) else {
        return Ok(());
    };
    let parts = Parts::of(&builder, nest, grid)?;
    let links = stage
        .summed
        .iter()
        .map(|changed| {
            Link::new(
                &builder,
                nest,
                Monoid::of(changed, &builder),
                &parts,
                outside,
            )
        })
        .collect::<Emitted<Vec<_>>>()?;
    sum_up(&builder, nest, stage, &links, &parts, outside)?;
    chain(&builder, &links, &parts, outside)?;
    let folds = folds(&builder, nest);
    let partials = work(&builder, nest, &links, &folds, &parts, outside)?;
    let inits: Values = op.operands().skip(1).collect();
    let mut memories = match folds.is_empty() {
        true => inits.clone(),
        false => put_together(&builder, &folds, &inits, &partials, grid, outside)?,
    };
    for link in &links {
        link.monoid.put(&mut memories, &link.results);
    }
    outside.replace(op, &memories)
}

/// What the loop folds besides.
fn folds<'c: 'a, 'a>(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>) -> Vec<Monoid<'c, 'a>> {
    let mut changed = nest.changed();
    changed.retain(|changed| op_name(changed.op) == "nest.fold");
    let changed = changed.iter();
    changed
        .map(|changed| Monoid::of(changed, builder))
        .collect()
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    fn of(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>, grid: Grid) -> Emitted<'c, Self> {
        let length = nest.op.operand(0)?;
        let of_block = builder.index(grid.threads.saturating_mul(grid.part) as i64)?;
        let blocks = builder.parts(length, of_block)?;
        let threads = builder.index(grid.threads as i64)?;
        Ok(Self {
            grid,
            sizes: Sizes::line(builder, blocks, threads)?,
            length,
        })
    }

    fn blocks(&self) -> Value<'c, 'a> {
        self.sizes.blocks[0]
    }

    /// Which thread of the grid this is, and its iterations.
    fn own(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
    ) -> Emitted<'c, (Value<'c, 'a>, [Value<'c, 'a>; 3])> {
        let before = builder.times(place.block[0], place.threads[0])?;
        let thread = builder.add(before, place.thread[0])?;
        let part = builder.index(self.grid.part as i64)?;
        let first = builder.times(thread, part)?;
        let end = builder.least(builder.add(first, part)?, self.length)?;
        Ok((thread, [first, end, builder.index(1)?]))
    }
}

impl<'c: 'a, 'a> Link<'c, 'a> {
    fn new(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        monoid: Monoid<'c, 'a>,
        parts: &Parts<'c, 'a>,
        outside: &Outside<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let inits: Values = nest.op.operands().skip(1).collect();
        let inits = monoid.of_all(&inits);
        let threads = builder.times(parts.blocks(), parts.sizes.threads[0])?;
        let memories = |count| {
            let types = monoid.types.iter();
            let memory = |&r#type| Ok(builder.allocate(&[Size::Dynamic(count)], r#type)?);
            types.map(memory).collect::<Emitted<Values>>()
        };
        Ok(Self {
            threads: memories(threads)?,
            blocks: memories(parts.blocks())?,
            results: outside.memories(builder, &inits)?,
            inits,
            monoid,
        })
    }
}

fn load<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memories: &[Value<'c, 'a>],
    index: Value<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    let memories = memories.iter();
    memories
        .map(|&memory| Ok(builder.load(memory, &[index])?))
        .collect()
}

fn store<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    values: &[Value<'c, 'a>],
    memories: &[Value<'c, 'a>],
    index: &[Value<'c, 'a>],
) -> Emitted<'c, ()> {
    for (&value, &memory) in values.iter().zip(memories) {
        builder.store(value, memory, index)?;
    }
    Ok(())
}

/// The first kernel.
fn sum_up<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    stage: &Stage<'c, 'a>,
    links: &[Link<'c, 'a>],
    parts: &Parts<'c, 'a>,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let summed = Summed::of(nest, stage)?;
    let sums = Nest::of(summed.op);
    let threads = builder.times(parts.blocks(), parts.sizes.threads[0])?;
    let locals = Locals::of(builder, &sums, threads, Owner::Thread)?;
    let made = launch(builder, parts.sizes, |builder, place| {
        let (thread, bounds) = parts.own(builder, place)?;
        let mut carried: Values = nest.op.operands().skip(1).collect();
        for link in links {
            link.monoid
                .put(&mut carried, &link.monoid.neutrals(builder)?);
        }
        let own = summed.positions.iter();
        let own: Values = own.map(|&position| carried[position]).collect();
        let sums = builder.range_loop(bounds, &own, |builder, index, carried| {
            body_of(builder, summed.op, index, carried)
        })?;
        for (&position, sum) in summed.positions.iter().zip(sums) {
            carried[position] = sum;
        }
        let lanes = Lanes::new(builder, place, parts.grid.warp)?;
        for link in links {
            let own = link.monoid.of_all(&carried);
            let [before, all] = lanes.scan_block(builder, &link.monoid, &own)?;
            store(builder, &before, &link.threads, &[thread])?;
            let is_first = place.is_first(builder)?;
            only_if(builder, is_first, |builder| {
                store(builder, &all, &link.blocks, &[place.block[0]])
            })?;
        }
        locals.place(builder, place, thread)
    })?;
    builder.erase(summed.op);
    outside.push(made);
    Ok(())
}

/// The second kernel.
fn chain<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    links: &[Link<'c, 'a>],
    parts: &Parts<'c, 'a>,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let sizes = Sizes::line(builder, builder.index(1)?, parts.sizes.threads[0])?;
    let made = launch(builder, sizes, |builder, place| {
        let lanes = Lanes::new(builder, place, parts.grid.warp)?;
        let bounds = own_part(builder, place, parts.blocks())?;
        for link in links {
            let monoid = &link.monoid;
            let neutrals = monoid.neutrals(builder)?;
            let own = builder.range_loop(bounds, &neutrals, |builder, block, before| {
                let block = load(builder, &link.blocks, block)?;
                monoid.combine(builder, before, &block)
            })?;
            let [before, all] = lanes.scan_block(builder, monoid, &own)?;
            let before = monoid.combine(builder, &link.inits, &before)?;
            builder.range_loop(bounds, &before, |builder, block, before| {
                let own = load(builder, &link.blocks, block)?;
                store(builder, before, &link.blocks, &[block])?;
                monoid.combine(builder, before, &own)
            })?;
            let result = monoid.combine(builder, &link.inits, &all)?;
            let is_first = place.is_first(builder)?;
            only_if(builder, is_first, |builder| {
                store(builder, &result, &link.results, &[])
            })?;
        }
        Ok(())
    })?;
    outside.push(made);
    Ok(())
}

/// The third kernel. Gives what blocks have folded.
fn work<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    links: &[Link<'c, 'a>],
    folds: &[Monoid<'c, 'a>],
    parts: &Parts<'c, 'a>,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, Partials<'c, 'a>> {
    let inits: Values = nest.op.operands().skip(1).collect();
    let folded = match folds.is_empty() {
        true => &[],
        false => inits.as_slice(),
    };
    let partials = Partials::allocate(builder, folded, parts.blocks())?;
    let threads = builder.times(parts.blocks(), parts.sizes.threads[0])?;
    let locals = Locals::of(builder, nest, threads, Owner::Thread)?;
    Plan::of(nest)?;
    let made = launch(builder, parts.sizes, |builder, place| {
        let (thread, bounds) = parts.own(builder, place)?;
        let mut carried = inits.clone();
        for link in links {
            let block = load(builder, &link.blocks, place.block[0])?;
            let thread = load(builder, &link.threads, thread)?;
            let before = link.monoid.combine(builder, &block, &thread)?;
            link.monoid.put(&mut carried, &before);
        }
        for fold in folds {
            fold.put(&mut carried, &fold.neutrals(builder)?);
        }
        let mut carried = builder.range_loop(bounds, &carried, |builder, index, carried| {
            body_of(builder, nest.op, index, carried)
        })?;
        let lanes = Lanes::new(builder, place, parts.grid.warp)?;
        for fold in folds {
            let all = lanes.fold_block(builder, fold, &fold.of_all(&carried))?;
            fold.put(&mut carried, &all);
        }
        partials.store(builder, place, &carried)?;
        locals.place(builder, place, thread)
    })?;
    outside.push(made);
    Ok(partials)
}
