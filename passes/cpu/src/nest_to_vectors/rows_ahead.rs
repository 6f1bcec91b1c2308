//! Stencils that write past the caches fetch the rows ahead that they have not read yet, as the entry
//! `fetch` of a schedule says.
//!
//! A stencil reads several rows of an array at a time. All but the last of them were read before, and are
//! in a cache. The last one comes from memory (of several rows that are jammed, each has its last one); but
//! there is so much to compute for each of its lines that the CPU, which looks only so many instructions
//! ahead, asks for few of them at a time. So each vector of such a loop asks for the line [`AHEAD`] bytes
//! behind what it reads of the last row, or, if several rows are jammed, for those as many rows below.
//!
//! A loop that reads rows for another one, which writes, fetches as well.
//!
//! Loops that read one row of each array ask for many lines at a time by themselves; there, fetching ahead
//! would only be more to do.
//!
//! Cost: quadratic in the number of reads in the loop, and an instruction for each line.

use comb_machine::tuning::rows_ahead::AHEAD;
use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{ALIGNMENT, Builder};

use super::{Emitted, Values};
use comb_kit::element_types::{array_element, bits_in_memory};
use comb_nest::nests::Nest;

use crate::{
    lanes::{
        Lanes,
        lambda::{Local, lookup},
        memory::fetch,
    },
    nest_schedule::{accesses::Access, stencils},
};

/// The vector that is farthest ahead in one of the last rows of an array.
pub(super) struct LastRow<'c, 'a> {
    array: Value<'c, 'a>,
    index: Values<'c, 'a>,
    /// How many rows below it what is fetched is; in the row itself, if only one is read at a time.
    below: u64,
}

/// The last rows, as many as a schedule says, of each array that a loop reads several rows of.
pub(super) fn last_rows<'c: 'a, 'a>(nest: &Nest<'c, 'a>, rows: u64) -> Vec<LastRow<'c, 'a>> {
    let reads = stencils::last_rows(nest, rows).into_iter();
    let reads = reads.flat_map(Access::of).map(|read| LastRow {
        array: read.array(),
        index: read.index().to_vec(),
        below: if rows > 1 { rows } else { 0 },
    });
    reads.collect()
}

impl<'c: 'a, 'a> LastRow<'c, 'a> {
    /// Fetches the lines of what comes next, at an iteration of so many lanes.
    pub fn fetch(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: u64,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (Some(memory), Some(bits)) = (
            lookup(local, self.array).uniform(),
            array_element(self.array.r#type()).map(bits_in_memory),
        ) else {
            return Ok(());
        };
        let components = self.index.iter().map(|&value| match lookup(local, value) {
            Lanes::Uniform(value) | Lanes::Steps { first: value, .. } => Some(value),
            Lanes::Vector { .. } => None,
        });
        let Some(mut index) = components.collect::<Option<Values>>() else {
            return Ok(());
        };
        if let [.., row, _] = index.as_mut_slice() {
            let below = builder.index(self.below as i64)?;
            *row = builder.arithmetic("arith.addi", &[*row, below])?;
        }
        let bytes = (bits as i64 / 8).max(1);
        let ahead = if self.below == 0 { AHEAD / bytes } else { 0 };
        for lane in (0..lanes as i64).step_by((ALIGNMENT / bytes).max(1) as usize) {
            fetch_at(builder, memory, &index, ahead + lane)?;
        }
        Ok(())
    }
}

/// Fetches the line of an element some elements further in a row.
fn fetch_at<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    further: i64,
) -> Emitted<'c, ()> {
    let Some((&column, row)) = index.split_last() else {
        return Ok(());
    };
    let column = builder.arithmetic("arith.addi", &[column, builder.index(further)?])?;
    fetch(builder, memory, &[row, &[column]].concat())
}
