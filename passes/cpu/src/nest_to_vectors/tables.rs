//! Scatters that threads share: each chunk combines its elements in a *table* of its own, which
//! begins with neutral elements, and is as large as the destination. When all chunks are done, the
//! tables are combined with the destination, in the order of the chunks.
//!
//! The thread of an only chunk combines elements with the destination itself. So does one thread alone,
//! if the operator gives the same bits in any order.
//! Chunks have many elements for each place of a table; so if the destination is not small, there is
//! one chunk.
//!
//! Cost: a pass over all tables.

use comb_machine::tuning::tables::BLOCK;
use melior::ir::{Type, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Slice},
    view::{OpView, definition, memory_strides, op_name},
};

use super::{
    Emitted, Values, Vectors,
    scatters::{Shared, product},
};
use comb_kit::{
    checks::facts::key,
    commutativity::is_exact,
    memory_parts::{Known, part_type},
    neutral::Neutral,
};

use crate::lanes::{Lanes, internal, lambda::Local, memory::element_type, operator::Operator};

/// A destination, and the tables for it.
struct Table<'c, 'a> {
    /// What the program calls the destination.
    name: Value<'c, 'a>,
    dest: Value<'c, 'a>,
    sizes: Vec<Size<'c, 'a>>,
    /// The tables of all chunks: its first dimension is the number of the chunk.
    all: Value<'c, 'a>,
    /// The type of one.
    part: Type<'c>,
    neutral: Value<'c, 'a>,
}

/// The tables of a scatter.
pub(super) struct Tables<'c, 'a> {
    operator: Operator<'c, 'a>,
    /// Those of each destination.
    parts: Vec<Table<'c, 'a>>,
    /// How many tables of each there are: as many as chunks, or none.
    count: Value<'c, 'a>,
    /// Whether there are none.
    are_none: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Tables<'c, 'a> {
    /// Makes the tables of a chunk neutral, and its destinations.
    pub fn begin(
        &self,
        builder: &Builder<'c, 'a>,
        chunk: Value<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let zero = builder.index(0)?;
        let number = builder.select(self.are_none, zero, chunk)?;
        for table in &self.parts {
            let part = table.of_chunk(builder, number)?;
            let mut sizes = table.size_values(builder)?;
            sizes[0] = builder.select(self.are_none, zero, sizes[0])?;
            builder.loop_nest(&sizes, &[], &mut |builder: &Builder<'c, 'a>, index, _| {
                builder.store(table.neutral, part, index)?;
                Emitted::Ok(vec![])
            })?;
            let dest = builder.value("memref.cast", &[table.dest], table.part, &[])?;
            let sink = builder.select(self.are_none, dest, part)?;
            local.insert(key(table.name), Lanes::Uniform(sink));
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Table<'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        [name, dest]: [Value<'c, 'a>; 2],
        count: Value<'c, 'a>,
        combining: &str,
    ) -> Emitted<'c, Option<Self>> {
        let element = element_type(dest)?;
        let sizes = builder.sizes(dest)?;
        let is_in_rows = MemRefType::try_from(dest.r#type())?
            .layout()
            .to_string()
            .starts_with("affine_map");
        let Some(neutral) = Neutral::of(combining, element) else {
            return Ok(None);
        };
        let all = [&[Size::Dynamic(count)], sizes.as_slice()].concat();
        let all = builder.allocate(&all, element)?;
        let strides = match is_in_rows {
            true => strides(all),
            false => vec![None; sizes.len()],
        };
        Ok(Some(Self {
            name,
            dest,
            all,
            part: part_type(builder, element, &sizes, &strides, None)?,
            neutral: neutral.build(builder, element)?,
            sizes,
        }))
    }

    fn size_values(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
        let sizes = self.sizes.iter();
        sizes.map(|&size| Ok(builder.size_value(size)?)).collect()
    }

    /// The table of a chunk.
    fn of_chunk(
        &self,
        builder: &Builder<'c, 'a>,
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let mut firsts = vec![Size::Static(0); self.sizes.len() + 1];
        firsts[0] = Size::Dynamic(chunk);
        let sizes = [&[Size::Static(1)], self.sizes.as_slice()].concat();
        let element = element_type(self.dest)?;
        let r#type = part_type(builder, element, &self.sizes, &strides(self.all), None)?;
        let part = builder.part_of_memory(self.all, &Slice::contiguous(firsts, sizes), r#type)?;
        match r#type == self.part {
            true => Ok(part),
            false => Ok(builder.value("memref.cast", &[part], self.part, &[])?),
        }
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Memory for the tables of a scatter in so many chunks, if that is more than one. One thread alone
    /// has none where it makes no bit another one.
    pub(super) fn open_tables(
        &mut self,
        builder: &Builder<'c, 'a>,
        scatter: &Shared<'c, 'a>,
        chunks: Value<'c, 'a>,
        is_alone: Value<'c, 'a>,
    ) -> Emitted<'c, Tables<'c, 'a>> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let view = OpView::of(scatter.op);
        let are_none = match is_exact(&view) {
            true => is_alone,
            false => builder.compare(Predicate::Sle, chunks, one)?,
        };
        let count = builder.select(are_none, zero, chunks)?;
        let none = || internal(scatter.op.location(), "its operator has no neutral element");
        let combining = view.yielded().unwrap_or_default();
        let dests = scatter.names.iter().zip(&scatter.dests).zip(combining);
        let parts = dests.map(|((&name, &dest), combined)| {
            let combining = definition(combined).map_or("", |op| op_name(op));
            Table::of(builder, [name, dest], count, combining)?.ok_or_else(none)
        });
        Ok(Tables {
            operator: scatter.operator.clone(),
            parts: parts.collect::<Emitted<_>>()?,
            count,
            are_none,
        })
    }

    /// Combines the tables with the destinations. Threads share blocks of places.
    pub(super) fn close_tables(
        &mut self,
        builder: &Builder<'c, 'a>,
        tables: &Tables<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let Tables {
            operator, parts, ..
        } = tables;
        let Some(first) = parts.first() else {
            return Ok(());
        };
        for table in parts {
            local.insert(key(table.name), Lanes::Uniform(table.dest));
        }
        let sizes = first.size_values(builder)?;
        let (rows, row) = (sizes[0], product(builder, &sizes[1..])?);
        let block = builder.arithmetic("arith.ceildivsi", &[builder.index(BLOCK)?, row])?;
        let blocks = builder.arithmetic("arith.ceildivsi", &[rows, block])?;
        let blocks = builder.select(tables.are_none, zero, blocks)?;
        builder.parallel_loop(blocks, "contiguous", |builder, number| {
            let begin = builder.arithmetic("arith.muli", &[number, block])?;
            let end = builder.arithmetic("arith.addi", &[begin, block])?;
            let end = builder.arithmetic("arith.minsi", &[end, rows])?;
            builder.for_loop(tables.count, &[], |builder, chunk, _| {
                let own = parts.iter().map(|table| table.of_chunk(builder, chunk));
                let own = own.collect::<Emitted<Values>>()?;
                builder.range_loop([begin, end, one], &[], |builder, row, _| {
                    builder.loop_nest(
                        &sizes[1..],
                        &[],
                        &mut |builder: &Builder<'c, 'a>, rest, _| {
                            let index = [&[row], rest].concat();
                            let load = |&memory: &Value<'c, 'a>| Ok(builder.load(memory, &index)?);
                            let new = own.iter().map(load).collect::<Emitted<Values>>()?;
                            let old = parts.iter().map(|table| load(&table.dest));
                            let old = old.collect::<Emitted<Values>>()?;
                            let both = operator.combined(self, builder, &old, &new)?;
                            for (value, table) in both.into_iter().zip(parts) {
                                builder.store(value, table.dest, &index)?;
                            }
                            Emitted::Ok(vec![])
                        },
                    )
                })
            })?;
            Emitted::Ok(())
        })?;
        Ok(())
    }
}

/// How far apart neighbours are in one of several tables.
fn strides(tables: Value) -> Vec<Known> {
    let strides = memory_strides(tables.r#type()).unwrap_or_default();
    let known = |stride| (stride != i64::MIN).then_some(stride);
    strides.into_iter().skip(1).map(known).collect()
}
