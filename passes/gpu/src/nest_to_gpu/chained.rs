//! Loops that scan or filter, in one pass. Each warp has iterations that follow each other, and goes
//! over them [row by row](super::rows).
//!
//! 1. A warp sums up what its iterations add to scans and filters, by a
//!    [loop made for that](comb_cpu::nest_to_vectors::summed).
//! 2. Warps of a block tell each other, and blocks too ([`lookback`](super::lookback)).
//! 3. The warp does what the loop does. In each row, lanes find out by shuffles what comes before each.
//!
//! What the loop folds besides is put together by a second kernel, if there are several blocks.
//!
//! Cost: what sums are made of is read from memory once, and once more from the cache.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use nest_dialect::gpu_schedule::{Grid, Team as Kind};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    Emitted, Values,
    grid::{Partials, cannot, require_unrollable, require_whole_warps},
    launch::{Counts, Place, Sizes, launch, only_if},
    locals::{Locals, Owner},
    lookback::Lookback,
    monoid::{Lanes, Monoid},
    outside::Outside,
    rows::{Iteration, Rows},
    team::Plan,
    unrolled::iterations,
};
use comb_cpu::{
    nest_schedule::sums::{Stage, stages},
    nest_to_vectors::summed::Summed,
};
use comb_nest::nests::Nest;

use crate::nest_schedule_gpu::choose::is_shared;

/// A loop that the threads of a grid share.
pub(super) fn lower<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    grid: Grid,
    outside: &mut Outside<'c, 'a>,
) -> Emitted<'c, ()> {
    let op = nest.op;
    is_shared(nest).map_err(|obstacle| cannot(op, obstacle))?;
    require_whole_warps(op, grid)?;
    require_unrollable(nest, grid)?;
    if grid.team != Kind::Thread || grid.axis != 0 {
        return Err(cannot(
            op,
            "threads along axis 0 share what scans or filters",
        ));
    }
    let stages = stages(nest).map_err(|obstacle| cannot(op, obstacle))?;
    let (Some(builder), Some(stage)) = (Builder::before(op), stages.first()) else {
        return Ok(());
    };
    let chained = Chained::of(&builder, nest, stage, grid)?;
    let inits: Values = op.operands().skip(1).collect();
    let results = outside.memories(&builder, &inits)?;
    let blocks = chained.sizes.blocks[0];
    let shape = [grid.threads, grid.warp];
    let (lookback, clears) = Lookback::new(&builder, chained.rows.links.iter(), blocks, shape)?;
    outside.push(clears);
    let folded = match chained.rows.folds.is_empty() {
        true => &[],
        false => inits.as_slice(),
    };
    let partials = Partials::allocate(&builder, folded, blocks, outside)?;
    outside.push(chained.work(&builder, &lookback, &results, &partials)?);
    let mut memories = results;
    if !chained.rows.folds.is_empty() {
        let folded = partials.put_together(&builder, &chained.rows.folds, grid, outside)?;
        for fold in &chained.rows.folds {
            fold.put(&mut memories, &fold.of_all(&folded));
        }
    }
    outside.replace(op, &memories)
}

/// A loop, and how it is shared.
struct Chained<'n, 'c, 'a> {
    nest: &'n Nest<'c, 'a>,
    grid: Grid,
    sizes: Sizes<'c, 'a>,
    length: Value<'c, 'a>,
    rows: Rows<'c, 'a>,
    /// Loops that find out what iterations add: for a whole warp, and for a row.
    summed: [Summed<'c, 'a>; 2],
}

/// The iterations of a warp.
struct Tile<'c, 'a> {
    first: Value<'c, 'a>,
    end: Value<'c, 'a>,
    warp: Value<'c, 'a>,
}

impl<'n, 'c: 'a, 'a> Chained<'n, 'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        nest: &'n Nest<'c, 'a>,
        stage: &Stage<'c, 'a>,
        grid: Grid,
    ) -> Emitted<'c, Self> {
        let length = nest.op.operand(0)?;
        let of_block = builder.index(grid.threads.saturating_mul(grid.part) as i64)?;
        let blocks = builder.parts(length, of_block)?;
        let threads = builder.index(grid.threads as i64)?;
        Plan::of(nest)?;
        Ok(Self {
            nest,
            grid,
            sizes: Sizes::line(builder, blocks, threads)?,
            length,
            rows: Rows::of(builder, nest, stage),
            summed: [Summed::of(nest, stage)?, Summed::of(nest, stage)?],
        })
    }

    /// The kernel.
    fn work(
        &self,
        builder: &Builder<'c, 'a>,
        lookback: &Lookback<'c, 'a>,
        results: &[Value<'c, 'a>],
        partials: &Partials<'c, 'a>,
    ) -> Emitted<'c, OperationRef<'c, 'a>> {
        let threads = builder.times(self.sizes.blocks[0], self.sizes.threads[0])?;
        let mut nests: Vec<Nest> = self.summed.iter().map(|sums| Nest::of(sums.op)).collect();
        nests.push(Nest::of(self.nest.op));
        let locals = nests.iter();
        let locals = locals.map(|nest| Locals::of(builder, nest, threads, Owner::Thread));
        let locals = locals.collect::<Emitted<Vec<_>>>()?;
        let made = launch(builder, self.sizes, |builder, place| {
            let lanes = Lanes::new(builder, place, self.grid.warp)?;
            let ticket = lookback.ticket(builder, place)?;
            let tile = self.tile(builder, &lanes, ticket)?;
            let thread = builder.times(ticket, place.threads[0])?;
            let thread = builder.add(thread, place.thread[0])?;
            let sums = self.sum_up(builder, &lanes, &tile)?;
            let team = (place, &lanes);
            let carried = self.chain(builder, team, (lookback, ticket), &sums, results)?;
            let folded = self.rows(builder, &lanes, &tile, &carried)?;
            if !self.rows.folds.is_empty() {
                let whose = [ticket, place.is_first(builder)?];
                partials.store(builder, whose, &self.rows.folds, &folded)?;
            }
            let mut locals = locals.iter();
            locals.try_for_each(|locals| locals.place(builder, place, thread))
        })?;
        for summed in &self.summed {
            builder.erase(summed.op);
        }
        Ok(made)
    }

    fn tile(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: &Lanes<'c, 'a>,
        ticket: Value<'c, 'a>,
    ) -> Emitted<'c, Tile<'c, 'a>> {
        let warps = builder.index((self.grid.threads / self.grid.warp) as i64)?;
        let size = builder.index(self.grid.warp.saturating_mul(self.grid.part) as i64)?;
        let before = builder.add(builder.times(ticket, warps)?, lanes.number)?;
        let first = builder.times(before, size)?;
        Ok(Tile {
            first,
            end: builder.least(builder.add(first, size)?, self.length)?,
            warp: builder.index(self.grid.warp as i64)?,
        })
    }

    /// What the iterations of a warp add, for each scan and filter.
    fn sum_up(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: &Lanes<'c, 'a>,
        tile: &Tile<'c, 'a>,
    ) -> Emitted<'c, Vec<Values<'c, 'a>>> {
        let [summed, _] = &self.summed;
        let neutral = self.rows.neutral(builder)?;
        let of_sums = |carried: &[Value<'c, 'a>]| -> Values<'c, 'a> {
            let positions = summed.positions.iter();
            positions.map(|&position| carried[position]).collect()
        };
        let all = |sums: &[Value<'c, 'a>]| {
            let mut carried = neutral.clone();
            for (&position, &sum) in summed.positions.iter().zip(sums) {
                carried[position] = sum;
            }
            carried
        };
        if self.rows.links.iter().all(Monoid::is_commutative) {
            let first = builder.add(tile.first, lanes.lane)?;
            let bounds = [first, tile.end, tile.warp];
            let sums = of_sums(&neutral);
            let sums = iterations(builder, summed.op, bounds, &sums, self.grid.unroll)?;
            let carried = all(&sums);
            let links = self.rows.links.iter();
            let fold =
                |link: &Monoid<'c, 'a>| lanes.fold_warp(builder, link, &link.of_all(&carried));
            return links.map(fold).collect();
        }
        let bounds = [tile.first, tile.end, tile.warp];
        let sums = of_sums(&neutral);
        let sums = builder.range_loop(bounds, &sums, |builder, row, sums| {
            let iteration = Iteration::of(builder, row, lanes.lane, tile.end)?;
            let added = self.rows.added(builder, summed, iteration)?;
            let mut carried = all(sums);
            for link in &self.rows.links {
                let row = lanes.fold_warp(builder, link, &link.of_all(&added))?;
                let sum = link.combine(builder, &link.of_all(&carried), &row)?;
                link.put(&mut carried, &sum);
            }
            Emitted::Ok(of_sums(&carried))
        })?;
        let carried = all(&sums);
        Ok(self
            .rows
            .links
            .iter()
            .map(|link| link.of_all(&carried))
            .collect())
    }

    /// What comes before each warp, for each scan and filter; the last block tells what they end with.
    fn chain(
        &self,
        builder: &Builder<'c, 'a>,
        team: (&Place<'c, 'a>, &Lanes<'c, 'a>),
        (lookback, ticket): (&Lookback<'c, 'a>, Value<'c, 'a>),
        sums: &[Values<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let (place, lanes) = team;
        let (mut warps, mut blocks) = (vec![], vec![]);
        for (link, sum) in self.rows.links.iter().zip(sums) {
            let [before, all] = lanes.scan_warps(builder, link, sum)?;
            warps.push(before);
            blocks.push((link, all));
        }
        let before = lookback.before(builder, place, lanes, ticket, &blocks)?;
        let mut carried = self.rows.inits();
        let last = builder.subtract(self.sizes.blocks[0], builder.index(1)?)?;
        let is_last = builder.compare(Predicate::Eq, ticket, last)?;
        let is_first = place.is_first(builder)?;
        let tells = builder.arithmetic("arith.andi", &[is_last, is_first])?;
        for (((link, all), before), warp) in blocks.iter().zip(before).zip(warps) {
            let before = link.combine(builder, &link.of_all(&carried), &before)?;
            let end = link.combine(builder, &before, all)?;
            let memories = link.of_all(results);
            only_if(builder, tells, |builder| {
                for (&value, &memory) in end.iter().zip(&memories) {
                    builder.store(value, memory, &[])?;
                }
                Ok(())
            })?;
            link.put(&mut carried, &link.combine(builder, &before, &warp)?);
        }
        Ok(carried)
    }

    /// What the loop does, in each row of a warp; gives what the block folds besides.
    fn rows(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: &Lanes<'c, 'a>,
        tile: &Tile<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let [_, summed] = &self.summed;
        let (team, bounds) = ((lanes, Kind::Warp), [tile.first, tile.end, tile.warp]);
        let own = (summed, lanes.lane);
        let mut carried = self.rows.all(builder, team, own, bounds, carried)?;
        for fold in &self.rows.folds {
            let own = fold.of_all(&carried);
            let all = match fold.is_commutative() {
                true => lanes.fold_block(builder, fold, &own)?,
                false => lanes.fold_warps(builder, fold, &own)?,
            };
            fold.put(&mut carried, &all);
        }
        Ok(carried)
    }
}
