//! Rows of stencils that are computed together: *unroll and jam* of a loop whose iterations read vectors
//! in common.
//!
//! A stencil reads several rows of an array for each row that it computes, and the next row needs most of
//! them again. If a few rows are computed at the same iterations of the loop over columns, a vector that
//! was read is used for each of them, from a register; and so is what is computed of it for all that need
//! it.
//!
//! | | vectors read for each vector of life's nine cells |
//! |---|---|
//! | a row at a time | 9 |
//! | 2 rows | 6 |
//! | 4 rows | 4½ |
//!
//! The loops inside are innermost ones with lanes, which carry nothing and cannot fail. One of these holds
//! for all of them:
//! * They compute little, read several vectors for a row, and no more than ¾ of these if there are several
//!   rows at once. There are 4 rows, or 2, so that all vectors that are read fit the registers.
//! * They compute so much that they wait for that, and not for loads, and two rows at once save a tenth of
//!   it ([`shared_work`](super::shared_work)).
//!
//! Source: unroll-and-jam is from Allen and Cocke (A Catalogue of Optimizing Transformations, 1972); to
//! count what is read again, from Carr and Kennedy (Improving the Ratio of Memory Operations to
//! Floating-Point Operations in Loops, TOPLAS 1994).
//!
//! Cost: quadratic in the number of reads, linear in that of ops.

use comb_lmad::{Polynomial, Symbol};
use comb_machine::{
    Machine,
    tuning::{
        VECTOR_BITS,
        jam::{
            FEWEST_READS, LEAST_SAVED, LEAST_WORK, MOST_OPS, OTHER_REGISTERS, ROWS, ROWS_FOR_WORK,
        },
    },
};
use melior::ir::{OperationRef, Value, ValueLike};
use soac_dialect::{
    cast::Parts,
    view::{argument_of, op_name},
};

use super::{
    accesses::Access, choose::work_of_functions, obstacles::to_jam, reasons::Reason,
    shared_work::work_of_rows,
};
use comb_kit::{
    checks::facts::key,
    element_types::{array_element, bits_in_memory},
};
use comb_nest::{
    elements::{layouts::Element, numbers::Numbers},
    nests::Nest,
};

/// A loop with lanes inside one over rows, and how many it has.
pub(super) type InLanes<'s, 'c, 'a> = (&'s Nest<'c, 'a>, u64);

/// How many rows are computed together, if that is worth it, and why.
pub(super) fn rows_together<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    inner: &[InLanes<'_, 'c, 'a>],
    machine: &Machine,
) -> Option<(u64, Reason)> {
    let may_be = |&(inner, lanes): &InLanes| lanes > 1 && is_free(inner);
    if inner.is_empty() || !inner.iter().all(may_be) || to_jam(nest).is_err() {
        return None;
    }
    let mut rows = Rows::of(nest)?;
    let for_reads = rows.for_reads(inner, machine);
    for_reads.or_else(|| {
        let saves_work = rows.may_be(ROWS_FOR_WORK) && rows.saves_work(inner);
        saves_work.then_some((ROWS_FOR_WORK, Reason::RowsOfWork(ROWS_FOR_WORK)))
    })
}

/// Whether iterations carry nothing, and cannot fail.
fn is_free(inner: &Nest) -> bool {
    let mut ops = inner.ops.iter();
    inner.is_innermost()
        && ops.all(|&op| {
            !matches!(
                op_name(op),
                "nest.fold" | "nest.scan" | "nest.keep" | "nest.scatter" | "soac.check"
            )
        })
}

/// A loop over rows.
pub(super) struct Rows<'s, 'c, 'a> {
    nest: &'s Nest<'c, 'a>,
    numbers: Numbers<'c, 'a>,
    index: Symbol,
    /// The arrays that are written in it.
    written: Vec<usize>,
}

/// Reads of whole vectors in an innermost loop.
struct Reads {
    /// The arrays, and the elements. None is there twice.
    known: Vec<(usize, Element)>,
    /// How many others there are.
    others: usize,
    /// How many registers the widest takes.
    registers: i64,
}

impl<'s, 'c: 'a, 'a> Rows<'s, 'c, 'a> {
    fn of(nest: &'s Nest<'c, 'a>) -> Option<Self> {
        let mut numbers = Numbers::at(nest.op);
        let index = numbers.index(nest.index()?);
        let accesses = nest.deep_ops().into_iter().flat_map(Access::of);
        let writes = accesses.filter(|access| access.is_write);
        Some(Self {
            nest,
            numbers,
            index,
            written: writes.map(|write| write.root()).collect(),
        })
    }

    fn for_reads(
        &mut self,
        inner: &[InLanes<'_, 'c, 'a>],
        machine: &Machine,
    ) -> Option<(u64, Reason)> {
        let computes_much = |&(inner, _): &InLanes| work_of_functions(inner) > MOST_OPS;
        if inner.iter().any(computes_much) {
            return None;
        }
        let reads: Vec<Reads> = inner
            .iter()
            .map(|&(inner, lanes)| self.reads(inner, lanes))
            .collect();
        let rows = ROWS.into_iter().find(|&rows| {
            let mut saves = reads.iter().map(|reads| self.saves(reads, rows, machine));
            self.may_be(rows) && saves.all(|saves| saves)
        })?;
        let count = |rows| reads.iter().map(|reads| self.vectors(reads, rows)).sum();
        let [alone, together]: [usize; 2] = [1, rows].map(count);
        let reason = Reason::Rows {
            rows,
            alone: alone * rows as usize,
            together,
        };
        Some((rows, reason))
    }

    /// Whether so many rows read enough of the same vectors, and all of these fit the registers.
    fn saves(&self, reads: &Reads, rows: u64, machine: &Machine) -> bool {
        let alone = self.vectors(reads, 1);
        let together = self.vectors(reads, rows);
        let fit = together as i64 * reads.registers + OTHER_REGISTERS <= machine.registers();
        alone >= FEWEST_READS && 4 * together <= 3 * alone * rows as usize && fit
    }

    /// Whether rows compute much, and enough of it in common.
    fn saves_work(&mut self, inner: &[InLanes<'_, 'c, 'a>]) -> bool {
        let mut sums = [0.0; 2];
        for &(inner, _) in inner {
            let work = work_of_rows(self, inner, ROWS_FOR_WORK);
            sums = [sums[0] + work[0], sums[1] + work[1]];
        }
        let [alone, together] = sums;
        alone > LEAST_WORK * ROWS_FOR_WORK as f64 && together <= (1.0 - LEAST_SAVED) * alone
    }

    /// Whether there may be so many.
    fn may_be(&self, rows: u64) -> bool {
        self.nest.known_length().is_none_or(|length| length >= rows)
    }

    /// What an innermost loop reads that is another vector for each row.
    fn reads(&mut self, inner: &Nest<'c, 'a>, lanes: u64) -> Reads {
        let mut found = Reads {
            known: vec![],
            others: 0,
            registers: 1,
        };
        let column = inner.index().map(|index| self.numbers.index(index));
        for &op in inner.ops.iter().filter(|op| op_name(**op) == "nest.read") {
            let bits = op.operand_at(0).and_then(|array| {
                let element = array_element(array.r#type())?;
                Some(lanes * bits_in_memory(element))
            });
            let registers = bits.unwrap_or(VECTOR_BITS).div_ceil(VECTOR_BITS);
            found.registers = found.registers.max(registers as i64);
            let Some(read) = self.element(op, 0) else {
                found.others += 1;
                continue;
            };
            let symbols: Vec<Symbol> = read.1.symbols().collect();
            let is_vector = column.is_some_and(|column| symbols.contains(&column));
            if is_vector && symbols.contains(&self.index) && !found.known.contains(&read) {
                found.known.push(read);
            }
        }
        found
    }

    /// How many vectors an iteration reads for so many rows.
    fn vectors(&self, reads: &Reads, rows: u64) -> usize {
        let mut together: Vec<(usize, Element)> = vec![];
        for (array, element) in &reads.known {
            for row in 0..rows as i64 {
                if let Some(element) = element.later(self.index, row) {
                    let read = (*array, element);
                    if !together.contains(&read) {
                        together.push(read);
                    }
                }
            }
        }
        together.len() + reads.others * rows as usize
    }

    /// The element that a read has some rows later, with its array, if nothing in the loop writes that.
    pub fn element(&mut self, read: OperationRef<'c, 'a>, row: i64) -> Option<(usize, Element)> {
        let access = Access::of(read).into_iter().next()?;
        if self.written.contains(&access.root()) {
            return None;
        }
        let (memory, element) = access.element(&mut self.numbers);
        let is_known = element.symbols().all(|symbol| self.is_known(symbol));
        let later = element.later(self.index, row).filter(|_| is_known)?;
        Some((key(memory), later))
    }

    /// A number of the type of indices, some rows later.
    pub fn index_at(&mut self, value: Value<'c, 'a>, row: i64) -> Option<Polynomial> {
        let number = self.numbers.of(value);
        let is_known = number.symbols().all(|symbol| self.is_known(symbol));
        let later = Polynomial::from(self.index).checked_add(&row.into())?;
        is_known
            .then(|| number.checked_replace(self.index, &later))
            .flatten()
    }

    /// Whether a value is another one for each row.
    pub fn defines(&self, value: Value<'c, 'a>) -> bool {
        self.nest.defines(value)
    }

    /// Whether a symbol is a loop's index, or the same for all rows.
    fn is_known(&self, symbol: Symbol) -> bool {
        let value = self.numbers.leaf(symbol).value();
        let around = argument_of(value);
        around.is_some_and(|(op, number)| op_name(op) == "nest.loop" && number == 0)
            || !self.nest.defines(value)
    }
}
