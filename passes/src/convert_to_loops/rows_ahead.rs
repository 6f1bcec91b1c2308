//! Stencils that write past the caches fetch the rows ahead that they have not read yet.
//!
//! A stencil reads several rows of an array at a time. All but the last of them were read
//! before, and are in a cache. The last one comes from memory (of several rows that are computed
//! [together](super::jam), each has its last one); but there is so much to
//! compute for each of its lines that the CPU, which looks only so many instructions ahead,
//! asks for few of them at a time. So each vector of such a loop asks for the line
//! [`AHEAD`] bytes behind what it reads of the last row. With that, stores past the caches
//! find enough to do, too.
//!
//! Loops that read one row of each array ask for many lines at a time by themselves; there,
//! fetching ahead would only be more to do.
//!
//! Cost: linear in the number of reads in the loop, and one instruction for each array.

use std::collections::BTreeMap;

use comb_machine::tuning::rows_ahead::AHEAD;
use melior::ir::Value;
use soac_dialect::builder::Builder;

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    lanes::memory::{element_type, fetch},
    plan::Loop,
    reads::{Read, Stream, row_of, streams},
    widths::bits_in_memory,
};
use crate::transformations::Transformation;

impl<'c, 'a> Stream<'c, 'a> {
    /// The read that is farthest ahead in each of the last rows.
    pub fn lasts(&self, rows: usize) -> impl Iterator<Item = &Read<'c, 'a>> {
        let mut lasts: BTreeMap<&[i64], &Read> = BTreeMap::new();
        for read in &self.reads {
            let last = lasts.entry(row_of(&read.offsets)).or_insert(read);
            if read.offsets > last.offsets {
                *last = read;
            }
        }
        lasts.into_values().rev().take(rows)
    }
}

/// The rows that a loop reads, of which it fetches the next.
pub(super) struct RowsAhead<'c, 'a> {
    streams: Vec<Stream<'c, 'a>>,
    /// The bytes of a line.
    line: i64,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// What a loop reads, if that is several rows of an array, and the next are to be fetched. The
    /// builder is at the end of the loop's body.
    pub fn rows_ahead(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Option<RowsAhead<'c, 'a>> {
        let ahead = RowsAhead {
            streams: streams(builder),
            line: self.options.machine.line_bytes,
        };
        let has_rows = ahead.streams.iter().any(Stream::has_rows);
        let applies = || self.applies(Transformation::RowsAhead, Site::Loop(r#loop.id));
        (has_rows && applies()).then_some(ahead)
    }
}

impl<'c: 'a, 'a> RowsAhead<'c, 'a> {
    /// Fetches what comes behind the last rows that are read.
    /// The loop has so many lanes, and computes so many rows.
    pub fn fetch(&self, builder: &Builder<'c, 'a>, lanes: u64, rows: usize) -> Emitted<'c, ()> {
        let mut lasts = self.streams.iter().flat_map(|stream| stream.lasts(rows));
        lasts.try_for_each(|last| match rows {
            1 => fetch_lines(builder, last.memory, &last.index, [AHEAD, self.line], lanes),
            _ => self.fetch_below(builder, last, rows, lanes),
        })
    }

    /// Fetches the lines that the same vector is in some rows below.
    fn fetch_below(
        &self,
        builder: &Builder<'c, 'a>,
        read: &Read<'c, 'a>,
        rows: usize,
        lanes: u64,
    ) -> Emitted<'c, ()> {
        let mut index = read.index.clone();
        if let [.., row, _] = index.as_mut_slice() {
            *row = builder.arithmetic("arith.addi", &[*row, builder.index(rows as i64)?])?;
        }
        fetch_lines(builder, read.memory, &index, [0, self.line], lanes)
    }
}

/// Fetches the lines that a vector at an index is in, or those so many bytes
/// ahead, where a line has so many bytes.
pub(super) fn fetch_lines<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    [ahead, line]: [i64; 2],
    lanes: u64,
) -> Emitted<'c, ()> {
    let Some((&column, row)) = index.split_last() else {
        return Ok(());
    };
    let bytes = bits_in_memory(element_type(memory)?) as i64 / 8;
    for lane in (0..lanes).step_by((line / bytes).max(1) as usize) {
        let distance = builder.index(ahead / bytes + lane as i64)?;
        let column = builder.arithmetic("arith.addi", &[column, distance])?;
        fetch(builder, memory, &[row, &[column]].concat())?;
    }
    Ok(())
}
