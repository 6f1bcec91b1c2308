//! Packing by a table, with AVX2.
//!
//! AVX2 has an instruction that permutes the lanes of a vector as another vector says. The mask
//! of eight lanes is a number below 256, and a table has a row for each: the numbers of the
//! lanes in the mask, in bytes. With four lanes of 64 bits, which are moved as pairs of
//! 32 bits, a table of 16 rows says where pairs go. Narrower lanes are permuted byte by byte.
//!
//! All lanes are written, those that are not in the mask too, wherever they are: so that is only
//! done where there is room for them.

use std::collections::{BTreeMap, HashSet};

use melior::{
    Error,
    ir::{BlockLike, OperationRef, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{ALIGNMENT, Builder},
    text::{shown, symbol_bytes},
    view::vector_lanes,
};

use super::{Store, as_integers, bits, slice};
use comb_kit::{
    other_elements::element_of,
    vectors,
    walk::{first_block, in_block_from},
};

/// How many bytes a row of a table has.
const ROW: u64 = 8;

/// How many lanes are permuted at once, where they have so many bits.
fn lanes_at_once(bits: u64) -> u64 {
    if bits == 64 { 4 } else { ROW }
}

/// The tables of a module.
pub(super) struct Tables<'c, 'a> {
    /// In front of the module's first op.
    start: Builder<'c, 'a>,
    /// Names of other things in the module.
    taken: HashSet<String>,
    /// The name of each table, by the number of lanes.
    names: BTreeMap<u64, String>,
}

impl<'c: 'a, 'a> Tables<'c, 'a> {
    /// No table yet; nothing if the module is empty.
    pub fn of(module: OperationRef<'c, 'a>) -> Option<Self> {
        let first = first_block(module)?.first_operation()?;
        let ops = in_block_from(Some(first));
        Some(Self {
            start: Builder::before(first)?.located(module.location()),
            taken: ops.filter_map(symbol_bytes).map(shown).collect(),
            names: BTreeMap::new(),
        })
    }

    /// Packs the lanes that a store writes, and writes as many as there are with the others.
    pub fn rewrite(&mut self, store: &Store<'c, 'a>) -> Result<bool, Error> {
        let builder = &store.builder;
        let r#type = store.lanes.r#type();
        let (Some(bits), Some(count)) = (bits(element_of(r#type)), vector_lanes(r#type)) else {
            return Ok(false);
        };
        let part = lanes_at_once(bits);
        if !count.is_multiple_of(part) {
            return Ok(false);
        }
        let mask = vectors::bits_of(builder, store.mask, count)?;
        let mut index = store.index.clone();
        for first in (0..count).step_by(part as usize) {
            let chosen = bits_from(builder, mask, first, part)?;
            let lanes = slice(builder, store.lanes, first, part, count)?;
            let row = self.row(builder, chosen, part)?;
            let packed = as_integers(builder, lanes, |lanes| permuted(builder, lanes, row, bits))?;
            vectors::store(builder, packed, store.memory, &index, None)?;
            if let Some(last) = index.last_mut() {
                let kept = vectors::count_bits(builder, chosen, "llvm.intr.ctpop")?;
                *last = builder.arithmetic("arith.addi", &[*last, kept])?;
            }
        }
        Ok(true)
    }

    /// The row of a table for a mask, as bits.
    fn row(
        &mut self,
        builder: &Builder<'c, 'a>,
        mask: Value<'c, 'a>,
        lanes: u64,
    ) -> Result<Value<'c, 'a>, Error> {
        let r#type = builder.r#type(&table_type(lanes))?;
        let name = builder.attribute(&format!("@{}", self.name(lanes)?))?;
        let table = builder.value("memref.get_global", &[], r#type, &[("name", name)])?;
        let number = builder.value("arith.index_castui", &[mask], builder.index_type(), &[])?;
        vectors::load(builder, table, &[number, builder.index(0)?], ROW, None)
    }

    /// The name of the table for so many lanes, which is made if it is not there yet.
    fn name(&mut self, lanes: u64) -> Result<&str, Error> {
        if !self.names.contains_key(&lanes) {
            let mut name = format!("comb_packing_{lanes}");
            while self.taken.contains(&name) {
                name.push('_');
            }
            define(&self.start, &name, lanes)?;
            self.names.insert(lanes, name);
        }
        Ok(&self.names[&lanes])
    }
}

fn table_type(lanes: u64) -> String {
    format!("memref<{}x{ROW}xi8>", 1 << lanes)
}

/// Defines the table for so many lanes.
fn define(start: &Builder, name: &str, lanes: u64) -> Result<(), Error> {
    let rows: Vec<String> = (0..1 << lanes)
        .map(|mask| format!("{:?}", row(mask, lanes)))
        .collect();
    let shape = format!("{}x{ROW}", 1 << lanes);
    let content = format!("dense<[{}]> : tensor<{shape}xi8>", rows.join(", "));
    start.op(
        "memref.global",
        &[],
        &[],
        &[
            ("sym_name", start.string(name)),
            ("sym_visibility", start.string("private")),
            ("type", start.attribute(&table_type(lanes))?),
            ("initial_value", start.attribute(&content)?),
            ("constant", start.unit()),
            ("alignment", start.number(ALIGNMENT)),
        ],
        vec![],
    )?;
    Ok(())
}

/// The row for a mask: the numbers of the lanes in it, and then zeros. If there are fewer lanes
/// than a row has bytes, those of all parts of each.
fn row(mask: u64, lanes: u64) -> Vec<u64> {
    let parts = ROW / lanes;
    let kept = (0..lanes).filter(|lane| mask >> lane & 1 == 1);
    let mut row: Vec<u64> = kept
        .flat_map(|lane| (0..parts).map(move |part| lane * parts + part))
        .collect();
    row.resize(ROW as usize, 0);
    row
}

/// Some of a mask's bits, as a number of so many bits.
fn bits_from<'c, 'a>(
    builder: &Builder<'c, 'a>,
    mask: Value<'c, 'a>,
    first: u64,
    bits: u64,
) -> Result<Value<'c, 'a>, Error> {
    let number = builder.integer_type(bits as u32);
    if mask.r#type() == number {
        return Ok(mask);
    }
    let distance = builder.integer(first as i64, mask.r#type())?;
    let shifted = builder.arithmetic("arith.shrui", &[mask, distance])?;
    builder.value("arith.trunci", &[shifted], number, &[])
}

/// The lanes in the order that a row of a table says.
fn permuted<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
    row: Value<'c, 'a>,
    bits: u64,
) -> Result<Value<'c, 'a>, Error> {
    let [byte, half, word] = [8, 16, 32].map(|bits| builder.integer_type(bits));
    let bytes = builder.vector_type(2 * ROW, byte);
    match bits {
        8 => {
            let all: Vec<i64> = (0..2 * ROW as i64).collect();
            let lanes = builder.shuffle(lanes, lanes, &all, byte)?;
            let row = builder.shuffle(row, row, &all, byte)?;
            let packed = vectors::call(builder, BYTES, &[lanes, row], bytes)?;
            slice(builder, packed, 0, ROW, 2 * ROW)
        }
        16 => {
            let halves = builder.vector_type(ROW, half);
            let row = builder.value("arith.extui", &[row], halves, &[])?;
            let row = bytes_of_halves(builder, row)?;
            let row = builder.value("vector.bitcast", &[row], bytes, &[])?;
            let lanes = builder.value("vector.bitcast", &[lanes], bytes, &[])?;
            let packed = vectors::call(builder, BYTES, &[lanes, row], bytes)?;
            builder.value("vector.bitcast", &[packed], halves, &[])
        }
        _ => {
            let words = builder.vector_type(ROW, word);
            let row = builder.value("arith.extui", &[row], words, &[])?;
            let whole = lanes.r#type();
            let lanes = builder.value("vector.bitcast", &[lanes], words, &[])?;
            let packed = vectors::call(builder, WORDS, &[lanes, row], words)?;
            builder.value("vector.bitcast", &[packed], whole, &[])
        }
    }
}

/// The numbers of the two bytes of each lane of 16 bits, given the numbers of lanes.
fn bytes_of_halves<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let half = builder.integer_type(16);
    let everywhere = |value| builder.broadcast(builder.integer(value, half)?, ROW);
    let first = builder.arithmetic("arith.muli", &[lanes, everywhere(0x0202)?])?;
    builder.arithmetic("arith.addi", &[first, everywhere(0x0100)?])
}

/// The instruction that permutes 16 bytes.
const BYTES: &str = "llvm.x86.ssse3.pshuf.b.128";

/// The instruction that permutes 8 numbers of 32 bits.
const WORDS: &str = "llvm.x86.avx2.permd";
