//! Scatters into few places, privatised: each block combines its elements in tables in shared memory, and then each place
//! of a table with the destination, by atomics both times. So threads of different blocks rarely meet.
//!
//! The host decides when the program runs: if destinations fit into the tables, and there are so many elements that it
//! pays to combine the tables.
//!
//! Cost: the code of a scatter is there twice.

use melior::ir::{OperationRef, Type, Value, ValueLike};
use nest_dialect::gpu_schedule::Grid;
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{OpView, op_name},
};

use super::{
    Emitted,
    atomics::kind_of,
    grid::cannot,
    launch::{Counts, Place, barrier, only_if},
};
use comb_cpu::nest_schedule::accesses::Access;
use comb_kit::{
    commutativity::{combining_ops, is_exact},
    element_types::{array_element, bits_in_memory},
    neutral::Neutral,
    row_major::{indices_of, place_of},
    walk::operations,
};
use comb_nest::nests::Nest;

/// So many blocks share a loop at most that has tables.
const BLOCKS: i64 = 512;

/// So many elements has a place at least, on the average, for which there are tables: as many as blocks combine with it.
const ELEMENTS: i64 = 2 * BLOCKS;

/// A destination, and its table.
struct Table<'c, 'a> {
    dest: Value<'c, 'a>,
    element: Type<'c>,
    kind: i64,
    neutral: Neutral,
    /// How many places the destination has, by dimensions.
    sizes: Vec<Value<'c, 'a>>,
    /// How many it has in all.
    count: Value<'c, 'a>,
    /// How many the table has.
    places: u64,
}

/// What a thread does for a place of a table in memory.
type OfPlace<'s, 'c, 'a> = dyn FnMut(&Builder<'c, 'a>, &Table<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, ()>
    + 's;

/// The tables of a loop.
pub(super) struct Tables<'c, 'a> {
    list: Vec<Table<'c, 'a>>,
    /// Whether they are used.
    are_used: Value<'c, 'a>,
}

/// Whether the scatters of a loop can have tables: what each does is one op that has a neutral element and an atomic
/// instruction.
pub(crate) fn can_have_tables<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> bool {
    let scatters = scatters(nest);
    let is_possible = |&scatter: &OperationRef<'c, 'a>| {
        let mut accesses = Access::of(scatter).into_iter();
        dests_of(scatter).is_some() && !accesses.any(|access| access.is_local_to(nest))
    };
    !scatters.is_empty() && scatters.iter().all(is_possible)
}

fn scatters<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut ops = nest.deep_ops();
    ops.retain(|&op| op_name(op) == "nest.scatter");
    ops
}

/// A destination, the atomic that combines elements there, and what changes nothing.
type Dest<'c, 'a> = (Value<'c, 'a>, i64, Neutral);

/// The destinations of a scatter, if they can have tables.
fn dests_of<'c: 'a, 'a>(scatter: OperationRef<'c, 'a>) -> Option<Vec<Dest<'c, 'a>>> {
    let view = OpView::of(scatter);
    if view.group(2).is_empty() || !is_exact(&view) {
        return None;
    }
    let ops = combining_ops(&view)?.into_iter();
    let dests = view.operands[view.group(1)].iter();
    let dests = dests.zip(ops).map(|(&dest, op)| {
        let element = array_element(dest.r#type())?;
        let neutral = Neutral::of(op_name(op), element)?;
        Some((dest, kind_of(op_name(op))?, neutral))
    });
    dests.collect()
}

impl<'c: 'a, 'a> Tables<'c, 'a> {
    /// Those of a loop of so many iterations.
    pub fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        grid: Grid,
        length: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Self>> {
        if grid.tables == 0 {
            return Ok(None);
        }
        let mut dests = vec![];
        for scatter in scatters(nest) {
            dests.extend(dests_of(scatter).ok_or_else(|| {
                cannot(
                    nest.op,
                    "a 'nest.scatter' op combines elements in a way for which there are no tables",
                )
            })?);
        }
        let bytes = dests
            .iter()
            .filter_map(|(dest, _, _)| array_element(dest.r#type()));
        let bytes: u64 = bytes.map(|element| bits_in_memory(element) / 8).sum();
        let places = grid.tables / bytes.max(1);
        let mut list = vec![];
        let mut are_used = builder.integer(1, builder.integer_type(1))?;
        for (dest, kind, neutral) in dests {
            let table = Table::of(builder, (dest, kind, neutral), places)?;
            let limit = builder.quotient(length, builder.index(ELEMENTS)?)?;
            let limit = builder.least(limit, builder.index(places as i64)?)?;
            let fits = builder.compare(Predicate::Sle, table.count, limit)?;
            are_used = builder.arithmetic("arith.andi", &[are_used, fits])?;
            list.push(table);
        }
        Ok(Some(Self { list, are_used }))
    }

    /// The most blocks, of so many.
    pub fn most_blocks(
        &self,
        builder: &Builder<'c, 'a>,
        most: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let fewer = builder.least(builder.index(BLOCKS)?, most)?;
        Ok(builder.select(self.are_used, fewer, most)?)
    }

    /// Builds what a kernel does with tables around the loop.
    pub fn around(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        body: impl FnOnce(&Builder<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, Vec<Value<'c, 'a>>> {
        let mut shared = vec![];
        for table in &self.list {
            shared.push(place.shared(builder, &[table.places], table.element)?);
        }
        let each = |builder: &Builder<'c, 'a>, does: &mut OfPlace<'_, 'c, 'a>| {
            for (table, &memory) in self.list.iter().zip(&shared) {
                let bounds = [place.thread[0], table.count, place.threads[0]];
                builder.range_loop(bounds, &[], |builder, index, _| {
                    does(builder, table, memory, index)?;
                    Emitted::Ok(vec![])
                })?;
            }
            Emitted::Ok(())
        };
        only_if(builder, self.are_used, |builder| {
            each(builder, &mut |builder, table, memory, index| {
                let neutral = table.neutral.build(builder, table.element)?;
                Ok(builder.store(neutral, memory, &[index])?)
            })?;
            barrier(builder)
        })?;
        body(builder)?;
        only_if(builder, self.are_used, |builder| {
            barrier(builder)?;
            each(builder, &mut |builder, table, memory, index| {
                let value = builder.load(memory, &[index])?;
                let indices = indices_of(builder, index, &table.sizes)?;
                table.combine(builder, value, table.dest, &indices)
            })
        })?;
        Ok(shared)
    }

    /// Has the scatters of a kernel go to tables, if these are used.
    pub fn apply(&self, launch: OperationRef<'c, 'a>, shared: &[Value<'c, 'a>]) -> Emitted<'c, ()> {
        let scatters = operations(launch).into_iter();
        for scatter in scatters.filter(|&op| op_name(op) == "nest.scatter") {
            let Some(builder) = Builder::before(scatter) else {
                continue;
            };
            let view = OpView::of(scatter);
            let tables = self.tables_of(&view, shared);
            if tables.is_empty() {
                continue;
            }
            let (values, indices) = (view.group(0), view.group(2));
            builder.if_else(
                self.are_used,
                &[],
                |builder| {
                    for (&value, (table, memory)) in view.operands[values].iter().zip(&tables) {
                        let indices = &view.operands[indices.clone()];
                        let place = place_of(builder, indices, &table.sizes)?;
                        table.combine(builder, value, *memory, &[place])?;
                    }
                    Emitted::Ok(vec![])
                },
                |builder| {
                    builder.copy(scatter, &mut |value| value);
                    Ok(vec![])
                },
            )?;
            builder.erase(scatter);
        }
        Ok(())
    }

    /// The tables of a scatter's destinations, and their memory.
    fn tables_of(
        &self,
        view: &OpView<'c, 'a>,
        shared: &[Value<'c, 'a>],
    ) -> Vec<(&Table<'c, 'a>, Value<'c, 'a>)> {
        let dests = view.operands[view.group(1)].iter();
        let all = || self.list.iter().zip(shared.iter().copied());
        dests
            .filter_map(|&dest| all().find(|(table, _)| table.dest == dest))
            .collect()
    }
}

impl<'c: 'a, 'a> Table<'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        (dest, kind, neutral): Dest<'c, 'a>,
        places: u64,
    ) -> Emitted<'c, Self> {
        let sizes = builder.sizes(dest)?;
        let count = builder.size_value(builder.product(sizes.iter().copied())?)?;
        let sizes = sizes.into_iter().map(|size| builder.size_value(size));
        let sizes = sizes.collect::<Result<_, melior::Error>>()?;
        Ok(Self {
            dest,
            element: array_element(dest.r#type()).unwrap_or(dest.r#type()),
            kind,
            neutral,
            sizes,
            count,
            places,
        })
    }

    /// Combines a number with one in memory.
    fn combine(
        &self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let operands = [&[value, memory], indices].concat();
        let kind = [("kind", builder.number(self.kind))];
        builder.value("memref.atomic_rmw", &operands, self.element, &kind)?;
        Ok(())
    }
}
