//! Privatised scatters: each chunk combines its elements in a table of its own, which
//! begins with neutral elements. When all chunks are done, the tables are combined
//! with the destination, in the order of the chunks; threads take blocks of places.
//!
//! If there is one chunk only, its table is the destination.
//!
//! Cost: a pass over all tables, which is little where a chunk has many times as many
//! elements as a table. How many tables there are is limited by the memory they take.

use comb_machine::tuning::tables::{BLOCK, ELEMENTS_OF_A_PLACE, MEMORY, MOST};
use melior::ir::{Value, r#type::MemRefType};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::DYNAMIC,
};

use super::{Sink, extent::Extent, strategy};
use crate::{
    commutativity::combining_ops,
    convert_to_loops::{
        emitter::{Emitted, Emitter, Values, internal},
        lanes::memory::element_type,
        plan::LeafId,
    },
};

/// The table of a chunk.
#[derive(Clone)]
pub(in crate::convert_to_loops) struct Table<'c, 'a> {
    pub memories: Values<'c, 'a>,
    /// Where it begins.
    pub first: Value<'c, 'a>,
}

/// The tables of all chunks, one behind the other.
pub(super) struct Tables<'c, 'a> {
    number: LeafId,
    /// Whether there is one chunk, whose table is the destination.
    is_single: Value<'c, 'a>,
    /// The tables, or the destinations.
    written: Values<'c, 'a>,
    tables: Values<'c, 'a>,
    destinations: Values<'c, 'a>,
    neutrals: Values<'c, 'a>,
    places: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// How long chunks are at least, so that the tables take neither too much memory
    /// nor, unless the user asks for them, too much time.
    pub(super) fn length_with_tables(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        extent: &Extent<'c, 'a>,
        is_wish: bool,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let one = builder.index(1)?;
        let bytes = strategy::bytes_of_places(&self.plan.leaves[number].view);
        let in_memory = builder.index(MEMORY / bytes)?;
        let places = builder.arithmetic("arith.maxsi", &[extent.places, one])?;
        let tables = builder.arithmetic("arith.divsi", &[in_memory, places])?;
        let tables = builder.arithmetic("arith.minsi", &[tables, builder.index(MOST)?])?;
        let tables = builder.arithmetic("arith.maxsi", &[tables, one])?;
        let length = builder.arithmetic("arith.ceildivsi", &[extent.iterations, tables])?;
        if is_wish {
            return Ok(length);
        }
        let elements = builder.index(ELEMENTS_OF_A_PLACE)?;
        let elements = builder.arithmetic("arith.muli", &[elements, places])?;
        let worth_it = extent.iterations_with(builder, elements)?;
        Ok(builder.arithmetic("arith.maxsi", &[length, worth_it])?)
    }

    /// Memory for the tables of all chunks.
    pub(super) fn open_tables(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        extent: &Extent<'c, 'a>,
        chunks: Value<'c, 'a>,
    ) -> Emitted<'c, Tables<'c, 'a>> {
        let view = &self.plan.leaves[number].view;
        let combining = combining_ops(view)
            .ok_or_else(|| internal(view.location, "its function has no neutral element"))?;
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let is_single = builder.compare(Predicate::Sle, chunks, one)?;
        let elements = builder.arithmetic("arith.muli", &[chunks, extent.places])?;
        let elements = builder.select(is_single, zero, elements)?;
        let (mut written, mut tables, mut destinations) = (vec![], vec![], vec![]);
        for dest in self.destination(number)? {
            let element = element_type(dest.memory)?;
            let table = builder.allocate(&[Size::Dynamic(elements)], element)?;
            let flat = flat(builder, dest.memory, extent.places)?;
            written.push(builder.select(is_single, flat, table)?);
            tables.push(table);
            destinations.push(flat);
        }
        let neutrals = combining
            .into_iter()
            .map(|op| strategy::neutral(builder, op))
            .collect::<Emitted<Values>>()?;
        Ok(Tables {
            number,
            is_single,
            written,
            tables,
            destinations,
            neutrals,
            places: extent.places,
        })
    }

    /// Makes the table of a chunk neutral, and the scatter write there.
    pub(super) fn begin_table(
        &mut self,
        builder: &Builder<'c, 'a>,
        tables: &Tables<'c, 'a>,
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let zero = builder.index(0)?;
        let first = builder.arithmetic("arith.muli", &[chunk, tables.places])?;
        let first = builder.select(tables.is_single, zero, first)?;
        let places = builder.select(tables.is_single, zero, tables.places)?;
        builder.for_loop(places, &[], |builder, place, _| {
            let position = builder.arithmetic("arith.addi", &[first, place])?;
            for (&table, &neutral) in tables.tables.iter().zip(&tables.neutrals) {
                builder.store(neutral, table, &[position])?;
            }
            Emitted::Ok(vec![])
        })?;
        let memories = tables.written.clone();
        let table = Table { memories, first };
        self.scatters.insert(tables.number, Sink::Table(table));
        Ok(())
    }

    /// Combines the tables with the destination.
    pub(super) fn combine_tables(
        &mut self,
        builder: &Builder<'c, 'a>,
        tables: &Tables<'c, 'a>,
        chunks: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let zero = builder.index(0)?;
        let chunks = builder.select(tables.is_single, zero, chunks)?;
        let block = builder.index(BLOCK)?;
        let blocks = builder.arithmetic("arith.ceildivsi", &[tables.places, block])?;
        let blocks = builder.select(tables.is_single, zero, blocks)?;
        builder.parallel_loop(blocks, "contiguous", |builder, number| {
            let first = builder.arithmetic("arith.muli", &[number, block])?;
            let end = builder.arithmetic("arith.addi", &[first, block])?;
            let end = builder.arithmetic("arith.minsi", &[end, tables.places])?;
            builder.for_loop(chunks, &[], |builder, chunk, _| {
                let table = builder.arithmetic("arith.muli", &[chunk, tables.places])?;
                let one = builder.index(1)?;
                builder.range_loop([first, end, one], &[], |builder, place, _| {
                    let position = builder.arithmetic("arith.addi", &[table, place])?;
                    let new = tables
                        .tables
                        .iter()
                        .map(|&table| Ok(builder.load(table, &[position])?))
                        .collect::<Emitted<Values>>()?;
                    let dests = &tables.destinations;
                    self.combine_in(builder, tables.number, dests, &[place], &new)?;
                    Emitted::Ok(vec![])
                })
            })?;
            Emitted::Ok(())
        })
    }
}

/// Contiguous memory as memory of one dimension.
fn flat<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    elements: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let element = element_type(memory)?;
    let r#type = MemRefType::contiguous(element, &[DYNAMIC], None).into();
    let attributes = [
        ("static_offsets", builder.integers(&[0])),
        ("static_sizes", builder.integers(&[DYNAMIC])),
        ("static_strides", builder.integers(&[1])),
        ("operandSegmentSizes", builder.segments(&[1, 0, 1, 0])),
    ];
    Ok(builder.value(
        "memref.reinterpret_cast",
        &[memory, elements],
        r#type,
        &attributes,
    )?)
}
